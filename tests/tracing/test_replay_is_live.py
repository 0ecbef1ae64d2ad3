"""Replay = live: the state rebuilt from deltas equals the one read from live frames, at every event."""

from __future__ import annotations

import pytest
from tests.tracing import live_state
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.tracing import codes
from deskcheck.tracing.replay import HeapObject, final_heap, final_state


@pytest.mark.parametrize("name", PROGRAMS)
def test_replay_gives_the_live_state_at_every_event(name: str) -> None:
    source, entry, arguments = PROGRAMS[name]
    compiled = compile(source, "<program>", "exec", dont_inherit=True)
    live_state.SLOTS.clear()
    for code in codes.code_objects(compiled):
        live_state.SLOTS[code.co_qualname] = codes.CodeFacts(code).names
    trace, live = live_state.watched(source, entry, arguments)
    replayed = live_state.replayed(trace)
    assert len(replayed) == len(live) > 0
    for expected, found in zip(live, replayed, strict=True):
        assert found == expected


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_final_heap_is_that_of_the_final_state(name: str) -> None:
    trace, _ = live_state.watched(*PROGRAMS[name])

    def cells(heap: dict[int, HeapObject]) -> dict[int, tuple[object, ...]]:
        return {
            number: (one.kind, one.type, one.text, one.items, one.attributes, one.entries)
            for number, one in heap.items()
        }

    assert cells(final_heap(trace).heap) == cells(final_state(trace).heap)
