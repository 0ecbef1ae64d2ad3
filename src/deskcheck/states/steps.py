"""A trace as states and steps, the one place where events become text trees; and how prompts show them.

    steps(trace) -> (StateTree before, Step, StateTree after) for every step of the run
    head("line-1", program) -> "[line-1]\\n@1 def f(n):\\n@2     return n\\n"

The first state is the call: the frame of the entry with its arguments. At line granularity, steps are the
call, line, return, raise, unwind, yield and resume events; an exception that arrives in a caller is part of
the unwind that sent it. The last step leaves the first frame, and the state after it has no frames. A trace
of instructions also gives a step per instruction, with the value stack, in place of the line steps; one of
expressions a step for every expression that gets its value, which stays in the state until the expression
around it has one. Any trace gives line steps, a finer one perhaps with more temporaries.
Kept: everything that decides how the run goes on, except that two closures over one variable show its value
in both places without saying that it is one cell (the code says so).

The head of a prompt, the layout's name and the numbered code, is the same for all questions about one program
in one layout, so a model reads it once.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from deskcheck.records import Event, EventKind, Example, Granularity, Program, Trace
from deskcheck.states.render import Drawing, Places, Spans
from deskcheck.states.tree import StateTree, Step, Value, difference
from deskcheck.tracing.program import bundle_of
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


NOTATION = 2
"""Raised when the text of any layout changes: rows made from another one must not be mixed with these."""


@lru_cache(maxsize=64)  # asked for with every question about a program
def _lines(source: str) -> list[str]:
    return source.rstrip("\n").split("\n")


@lru_cache(maxsize=64)
def _numbered(source: str) -> str:
    return "".join([f"@{n} {line}\n" for n, line in enumerate(_lines(source), 1)])


@lru_cache(maxsize=64)
def _has_other_files(program: Program) -> bool:
    bundle = bundle_of(program)
    return bundle is not None and bool(bundle.files)


def head(layout: str, program: Program) -> str:
    """The layout's name, and the program's lines after the marks by which states name them."""
    return f"[{layout}]\n{_numbered(program.source)}"


def call_body(program: Program) -> str:
    """The question for layouts that answer a whole run at once."""
    return f"call {program.call}\n"


def line_body(state: StateTree, program: Program) -> str:
    """The question about one line: the state before it, and below it its text (docs/decisions/012).

    "@2 | n=4\\nreturn n * 2\\n"; no text where the innermost frame is at no line of the program, nor in a
    program of several files: a state does not say whose line it is at.
    """
    lines = [] if program.prelude and _has_other_files(program) else _lines(program.source)
    number = state.frames[-1].line if state.frames else 0
    return f"{state}\n{lines[number - 1].strip()}\n" if 0 < number <= len(lines) else f"{state}\n"


def example(layout: str, program: Program, trace: Trace, body: str, target: str, step: int = 0) -> Example:
    """One Example; `step` counts the steps before its prompt."""
    return Example(
        program_id=program.id,
        representation=layout,
        prompt=head(layout, program) + body,
        target=target,
        step=step,
        n_steps=trace.n_steps,
    )


def body_of(example_text: str, program: Program, layout: str) -> str:
    """What stands after the head in a prompt. ValueError where the head is another one."""
    start = head(layout, program)
    if not example_text.startswith(start):
        raise ValueError(f"the prompt does not begin with the head of program {program.id}")
    return example_text[len(start) :]


def state_of(example_text: str, program: Program, layout: str) -> str:
    """The state in a prompt whose question may go on with other lines. ValueError as `body_of`."""
    return body_of(example_text, program, layout).partition("\n")[0]


def whole_run(trace: Trace) -> tuple[StateTree, list[tuple[Step, StateTree]]]:
    """The state of the call, and every step with the state after it."""
    rows = run_of(trace)
    if not rows:
        raise ValueError(f"the run of program {trace.program_id} has no steps: {trace.outcome}")
    return rows[0][0], [(step, after) for _, step, after in rows]


def last_value(step: Step) -> tuple[str, Value | None]:
    """How a run ends: the mark ("<-" or "!!") and the value."""
    return step.mark, step.value
