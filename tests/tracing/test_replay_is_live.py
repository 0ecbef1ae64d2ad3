"""Replay = live: the state rebuilt from deltas equals the one read from live frames, at every event."""

from __future__ import annotations

import pytest
from tests.tracing import live_state
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.tracing import codes


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
