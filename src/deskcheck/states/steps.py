"""A trace as states and steps: the one place where the events of a trace become text trees.

    steps(trace) -> (StateTree before, Step, StateTree after) for every step of the run

The first state is the call: the frame of the entry with its arguments. At line granularity, steps are the
call, line, return, raise, unwind, yield and resume events; an exception that arrives in a caller is part of
the unwind that sent it. The last step leaves the first frame, and the state after it has no frames. A trace
of instructions also gives a step per instruction, with the value stack, in place of the line steps; one of
expressions a step for every expression that gets its value, which stays in the state until the expression
around it has one. Any trace gives line steps, a finer one perhaps with more temporaries.

Kept: everything that decides how the run goes on, except that two closures over one variable show its value
in both places without saying that it is one cell (the code says so).
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial

from deskcheck.records import Event, EventKind, Granularity, Trace
from deskcheck.states.render import Drawing, Places
from deskcheck.states.spans import Spans
from deskcheck.states.tree import StateTree, Step, Value, difference
from deskcheck.tracing.replay import State, states

_STEP_EVENTS = {
    EventKind.CALL,
    EventKind.LINE,
    EventKind.RETURN,
    EventKind.RAISE,
    EventKind.UNWIND,
    EventKind.YIELD,
    EventKind.RESUME,
}
_WANTED = {
    Granularity.LINE: _STEP_EVENTS,
    Granularity.EXPRESSION: _STEP_EVENTS | {EventKind.EXPRESSION},
    Granularity.INSTRUCTION: _STEP_EVENTS - {EventKind.LINE} | {EventKind.INSTRUCTION},
}
_MARKS = {
    EventKind.EXPRESSION: "=",
    EventKind.INSTRUCTION: "@",
    EventKind.CALL: ">",
    EventKind.RESUME: ">",
    EventKind.LINE: "@",
    EventKind.RETURN: "<-",
    EventKind.YIELD: "^",
    EventKind.RAISE: "!",
    EventKind.UNWIND: "!!",
}


Between = Callable[[Event, State, Callable[[int], Value]], None]


def steps(
    trace: Trace,
    *,
    granularity: Granularity = Granularity.LINE,
    between: Between = lambda event, state, draw: None,
) -> Iterator[tuple[StateTree, Step, StateTree]]:
    """Every step with the state before and after it. ValueError where the trace is not so fine.

    `between` is shown the events that are no step of this granularity, when they happen, and is given a
    function that draws a value as it is then.
    """
    if granularity not in (Granularity.LINE, trace.granularity):
        raise ValueError(
            f"the trace of program {trace.program_id} has {trace.granularity.name.lower()} events, "
            f"none of granularity {granularity.name.lower()}"
        )
    wanted = _WANTED[granularity]
    before: StateTree | None = None
    unwinding = False
    raised = -1  # an UNWIND leaves by the exception that was raised last
    # By frame: (line, offset). An exception inside a statement of many lines does not move it.
    places: Places = {}
    spans = Spans(trace) if granularity is Granularity.EXPRESSION else None
    drawing = Drawing(trace, spans)
    for event, state in states(trace):
        drawing.changed(event)
        if event.kind not in wanted:
            between(event, state, partial(drawing.alone, state, places))
            continue
        if event.kind in (EventKind.CALL, EventKind.LINE, EventKind.RESUME):
            places[event.frame] = (event.line, -1)
        elif event.kind == EventKind.INSTRUCTION:
            places[event.frame] = (event.line, trace.events.offset[event.index])
        if spans is not None:
            spans.saw(event)
        if event.kind == EventKind.RAISE:
            raised = event.value
            if unwinding:
                unwinding = False
                continue
        unwinding = event.kind == EventKind.UNWIND
        value = raised if event.kind == EventKind.UNWIND else event.value
        leaves = event.kind in (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD)
        live = state.frames[:-1] if leaves else state.frames
        mark = _MARKS[event.kind]
        after = drawing.state(state, live, mark=mark, value=value, places=places)
        if before is not None:
            bare = _bare_step(mark, places[event.frame], drawing, value, after)
            yield before, difference(before, after, bare), after
        before = after


Run = list[tuple[StateTree, Step, StateTree]]


class _Latest(threading.local):
    """The run that a thread wrote last, for as long as its trace lives."""

    trace: weakref.ref[Trace] | None = None
    run: Run | None = None


_latest = _Latest()


def run_of(trace: Trace) -> Run:
    """All line steps. A thread keeps those of its last trace: it is written in one layout after another."""
    run = _latest.run
    if run is None or _latest.trace is None or _latest.trace() is not trace:
        run = _latest.run = list(steps(trace))
        _latest.trace = weakref.ref(trace, _forget)
    return run


def _forget(trace: weakref.ref[Trace]) -> None:
    """Let go of a run whose trace is gone."""
    if _latest.trace is trace:
        _latest.trace = _latest.run = None


def _bare_step(mark: str, place: tuple[int, int], drawing: Drawing, value: int, after: StateTree) -> Step:
    """The step without its changes."""
    if mark == "@":
        return Step(mark, place[0], offset=place[1])
    if mark == ">":
        return Step(mark, place[0])
    if mark == "=":
        top = after.frames[-1]
        name = next(reversed(top.entries))  # the latest result comes last
        return Step(mark, 0, top.entries[name], span=name[1:])
    return Step(mark, 0, drawing.value_of(after, value))


def first_state(trace: Trace) -> StateTree:
    """The state of the call: what a step loop starts from. ValueError where the run recorded none."""
    for event, state in states(trace):
        if event.kind == EventKind.CALL:
            places = {event.frame: (event.line, -1)}
            return Drawing(trace).state(state, state.frames, mark=">", value=-1, places=places)
    raise ValueError(f"the run of program {trace.program_id} has no call: {trace.outcome}")
