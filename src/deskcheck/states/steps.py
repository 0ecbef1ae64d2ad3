"""Turn the events of a trace into states and steps; write the heads and bodies of prompts.

    steps(trace) -> (StateTree before, Step, StateTree after) for every step of the run
    head("line-1", program) -> "[line-1]\\n@1 def f(n):\\n@2     return n\\n"

The first state is the call: the frame of the entry with its arguments. At line granularity, steps are the
call, line, return, raise, unwind, yield and resume events; an exception that arrives in a caller is part of
the unwind step before it. The last step leaves the first frame, and the state after it has no frames.
A trace of instruction granularity also gives instruction steps, with the value stack, in place of the line
steps. A trace of expression granularity also gives a step for every evaluated expression, whose value stays
in the state until the enclosing expression is evaluated. Any trace gives line steps; those of a finer trace
may have more temporaries.
A state holds everything that decides the rest of the run, with one exception: two closures over one variable
show its value in both places, and only the code shows that it is one cell.

The head of a prompt, the layout's name and the numbered code, is the same for all prompts about one program
in one layout, so a model has to process it only once.
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
    """Yield every step with the states before and after it. ValueError if the trace lacks this granularity.

    `between` is called for each event that is no step of this granularity, in order. Its third argument
    draws a value in the present state.
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
    # Frame -> (line, offset). An exception inside a statement of several lines does not change the line.
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
    """The steps of the trace that a thread used last, until that trace is freed."""

    trace: weakref.ref[Trace] | None = None
    run: Run | None = None


_latest = _Latest()


def run_of(trace: Trace) -> Run:
    """Return all line steps. Each thread caches those of its last trace, for writing several layouts."""
    run = _latest.run
    if run is None or _latest.trace is None or _latest.trace() is not trace:
        run = _latest.run = list(steps(trace))
        _latest.trace = weakref.ref(trace, _forget)
    return run


def _forget(trace: weakref.ref[Trace]) -> None:
    """Forget the cached run of a freed trace."""
    if _latest.trace is trace:
        _latest.trace = _latest.run = None


def _bare_step(mark: str, place: tuple[int, int], drawing: Drawing, value: int, after: StateTree) -> Step:
    """Return the step without its changes."""
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
    """Return the state of the call, the start of a step loop. ValueError if the trace has no call."""
    for event, state in states(trace):
        if event.kind == EventKind.CALL:
            places = {event.frame: (event.line, -1)}
            return Drawing(trace).state(state, state.frames, mark=">", value=-1, places=places)
    raise ValueError(f"the run of program {trace.program_id} has no call: {trace.outcome}")


NOTATION = 2
"""Version of the text of all layouts, increased with each change. Rows of different versions must not mix."""


@lru_cache(maxsize=64)  # called for every prompt about a program
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
    """Write the layout's name, and the program's lines, each after its mark ("@2")."""
    return f"[{layout}]\n{_numbered(program.source)}"


def call_body(program: Program) -> str:
    """Write the prompt after the head for layouts whose answer is a whole run."""
    return f"call {program.call}\n"


def line_body(state: StateTree, program: Program) -> str:
    """Write the prompt after the head for one line: the state before it, then its text (docs/decisions/012).

    Example: "@2 | n=4\\nreturn n * 2\\n". The text is left out if the innermost frame is at no line of the
    program, and in programs of several files, because a state does not name the file of its line.
    """
    lines = [] if program.prelude and _has_other_files(program) else _lines(program.source)
    number = state.frames[-1].line if state.frames else 0
    return f"{state}\n{lines[number - 1].strip()}\n" if 0 < number <= len(lines) else f"{state}\n"


def example(layout: str, program: Program, trace: Trace, body: str, target: str, step: int = 0) -> Example:
    """Make an Example; `step` is the number of steps before its state."""
    return Example(
        program_id=program.id,
        representation=layout,
        prompt=head(layout, program) + body,
        target=target,
        step=step,
        n_steps=trace.n_steps,
    )


def body_of(example_text: str, program: Program, layout: str) -> str:
    """Return the text after the head of a prompt. ValueError if the prompt has another head."""
    start = head(layout, program)
    if not example_text.startswith(start):
        raise ValueError(f"the prompt does not begin with the head of program {program.id}")
    return example_text[len(start) :]


def state_of(example_text: str, program: Program, layout: str) -> str:
    """Return the first line after the head of a prompt, which is the state. ValueError as in `body_of`."""
    return body_of(example_text, program, layout).partition("\n")[0]


def whole_run(trace: Trace) -> tuple[StateTree, list[tuple[Step, StateTree]]]:
    """Return the state of the call, and every step with the state after it. ValueError if there is none."""
    rows = run_of(trace)
    if not rows:
        raise ValueError(f"the run of program {trace.program_id} has no steps: {trace.outcome}")
    return rows[0][0], [(step, after) for _, step, after in rows]


def last_value(step: Step) -> tuple[str, Value | None]:
    """Return mark ("<-" or "!!") and value of the step that ends a run."""
    return step.mark, step.value
