"""Calls, returns, exceptions and suspensions are those that another recorder sees under node, in real order.

`events.js` wraps functions in another way than `instrument.js` and shares no line with it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.languages.javascript.conftest import record
from tests.languages.javascript.inspector import ACORN, needs_node, node
from tests.languages.javascript.test_drawn import drawn
from tests.languages.javascript.test_inspector import alike

from deskcheck.languages.javascript.spelling import scalar_text
from deskcheck.records import EventKind, ObjectKind, StepLimit, Trace, ValueKind
from deskcheck.tracing.replay import State, states, text_of

SCRIPT = Path(__file__).with_name("events.js")
pytestmark = needs_node
SIZED = {"Array": ObjectKind.LIST, "Map": ObjectKind.DICT, "Set": ObjectKind.SET}


def there(sources: Sequence[str]) -> list[list[Any]]:
    """Return what the recorder under node lists of each program."""
    text = "".join(json.dumps(source) + "\n" for source in sources)
    return [json.loads(line) for line in node([SCRIPT, ACORN], text).splitlines()]


def shown(state: State, handle: int) -> str:
    """Write a value as `events.js` does."""
    trace = state.trace
    kind = trace.values.kind[handle]
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return json.dumps(text_of(trace, handle), ensure_ascii=False)
    held = state.object(handle)
    if held is None:
        return scalar_text(trace, handle) or "?"
    if held.kind in (ObjectKind.FUNCTION, ObjectKind.CLASS):
        return "function"
    name = trace.names[trace.objects.type[held.number]]
    if name == "symbol":
        return "symbol"
    if SIZED.get(name) is not held.kind:
        return "object"
    return f"{name} {len(held.items if held.kind is ObjectKind.LIST else held.entries)}"


def here(trace: Trace, wanted: Sequence[Any]) -> list[Any]:
    """Return our events in the form of the other recorder, which says what names it shows of each call."""
    rows: list[Any] = []
    raised = -1
    frames = [trace.codes[number].kind for number in trace.frames.code]
    for event, state in states(trace):
        if event.kind == EventKind.RAISE:
            raised = event.value
        if frames[event.frame] == "module":
            continue
        if event.kind == EventKind.CALL:
            line = trace.codes[trace.frames.code[event.frame]].first_line
            asked = wanted[len(rows)][2] if len(rows) < len(wanted) and wanted[len(rows)][0] == "call" else []
            held = state.frames[-1].bindings
            rows.append(
                ["call", line, [[name, shown(state, held[name])] for name, _ in asked if name in held]]
            )
        elif event.kind == EventKind.RETURN:
            rows.append(["return", shown(state, event.value)])
        elif event.kind == EventKind.UNWIND:
            rows.append(["throw", shown(state, raised)])
        elif event.kind == EventKind.YIELD:
            rows.append(["out", shown(state, event.value)])
    return rows


def compared(sources: Sequence[str], run: Callable[..., Any]) -> int:
    """Compare every program; return how many events were compared."""
    n = 0
    for source, wanted in zip(sources, there(sources), strict=True):
        trace = record(run(source))
        rows = here(trace, wanted)
        kept = wanted[: len(rows)] if isinstance(trace.outcome, StepLimit) else wanted
        pairs = zip(rows, kept, strict=False)
        first = next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(rows), len(kept)))
        assert rows[first : first + 3] == kept[first : first + 3], source
        n += len(rows)
    return n


def prepared(source: str) -> str:
    """Leave out what the other recorder does not list: the waits of `for await`."""
    return alike(source).replace("for await", "for")


def test_a_wrong_event_is_seen(run: Callable[..., Any]):
    (wanted,) = there(["function f(x) { return [x]; }\nf(1);\n"])
    assert wanted == [["call", 1, [["x", "1"]]], ["return", "Array 1"]]
    assert here(record(run("function f(x) { return [x, x]; }\nf(1);\n")), wanted)[1] == ["return", "Array 2"]


def test_drawn_programs_have_the_same_events(run: Callable[..., Any]):
    assert compared([prepared(source) for source in drawn(200, 8)], run) > 1_000


@pytest.mark.slow
def test_a_hundred_drawn_programs_have_the_same_events(run: Callable[..., Any]):
    assert compared([prepared(source) for source in drawn(200, 100)], run) > 15_000
