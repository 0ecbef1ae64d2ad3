"""Turn the events of a trace into states and steps; write the heads and bodies of prompts.

    steps(trace) -> (StateTree before, Step, StateTree after) for every step of the run
    run_sizes(trace) -> RunSizes(call_depth=3, state_size=41, int_bits=12)
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

The head of a prompt is the layout's name and the numbered code. All prompts about one program in one layout
share it, so a model has to process it only once.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import repeat

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.records import Event, EventKind, Example, Granularity, Program, Trace, ValueKind
from deskcheck.states.render import Places, Results, TreeBuilder
from deskcheck.states.tree import StateTree, Step, Value, difference
from deskcheck.tracing.program import bundle_of
from deskcheck.tracing.replay import SETTLED, State, of_a_run, states

_STEP_EVENTS = {
    EventKind.CALL,
    EventKind.LINE,
    EventKind.RETURN,
    EventKind.RAISE,
    EventKind.UNWIND,
    EventKind.YIELD,
    EventKind.RESUME,
}
_LEAVES = (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD)
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
"""Function of an event, the state, and a function that builds the tree of a handle (see `steps`)."""


def steps(
    trace: Trace,
    *,
    granularity: Granularity = Granularity.LINE,
    between: Between = lambda event, state, draw: None,
) -> Iterator[tuple[StateTree, Step, StateTree]]:
    """Yield every step with the states before and after it. ValueError if the trace lacks this granularity.

    UserError for a run whose states do not decide how it goes on (`unstated`).

    `between` is called for each event that is no step of this granularity, in order: with the event, the
    state, and a function that builds the tree of a handle in this state.
    """
    if granularity not in (Granularity.LINE, trace.granularity):
        raise ValueError(
            f"the trace of program {trace.program_id} has {trace.granularity.name.lower()} events, "
            f"none of granularity {granularity.name.lower()}"
        )
    if reason := unstated(trace):
        raise UserError(f"no steps of program {trace.program_id}: {reason}")
    wanted = _WANTED[granularity]
    before: StateTree | None = None
    unwinding = False
    raised = -1  # an UNWIND leaves by the exception that was raised last
    # Frame -> (line, offset). An exception inside a statement of several lines does not change the line.
    places: Places = {}
    results = Results(trace) if granularity is Granularity.EXPRESSION else None
    builder = TreeBuilder(trace, results)
    for event, state in states(trace):
        builder.note_changes(event)
        if event.kind not in wanted:
            between(event, state, partial(builder.build_alone, state, places))
            continue
        if event.kind in (EventKind.CALL, EventKind.LINE, EventKind.RESUME):
            places[event.frame] = (event.line, -1)
        elif event.kind == EventKind.INSTRUCTION:
            places[event.frame] = (event.line, trace.events.offset[event.index])
        if results is not None:
            results.add_event(event)
        if event.kind == EventKind.RAISE:
            raised = event.value
            if unwinding:
                unwinding = False
                continue
        unwinding = event.kind == EventKind.UNWIND
        value = raised if event.kind == EventKind.UNWIND else event.value
        live = state.frames[:-1] if event.kind in _LEAVES else state.frames
        mark = _MARKS[event.kind]
        after = builder.build_state(state, live, mark=mark, value=value, places=places)
        if before is not None:
            bare = _bare_step(mark, places[event.frame], builder, value, after)
            yield before, difference(before, after, bare), after
        before = after


@of_a_run
def unstated(trace: Trace) -> str:
    """Return why the states of a run do not decide how it goes on; "" if they do.

    A call that waits stands in no state, and neither do the callbacks of timers, promises and finalizers.
    """
    if SETTLED in trace.fidelity.notes:
        return SETTLED
    events = trace.events
    rows = zip(events.kind, events.frame, events.thread or repeat(0), strict=False)
    is_left = False
    for kind, frame, thread in rows:
        if is_left and kind in _STEP_EVENTS and not thread:
            return "it goes on after its outermost call has paused or ended"
        is_left = is_left or (frame == events.frame[0] and kind in _LEAVES)
    return ""


Run = list[tuple[StateTree, Step, StateTree]]


MOST_CACHED = 20_000
"""Most steps, over all runs, that a thread caches; the newest run is cached whatever its length."""


class _Cache(threading.local):
    """The runs that a thread computed last; a run is forgotten when its trace is freed."""

    def __init__(self) -> None:
        self.runs: dict[int, tuple[weakref.ref[Trace], Run]] = {}
        """`id` of a trace -> weak reference to the trace, and its run; the oldest first."""


_cache = _Cache()


def run_of(trace: Trace) -> Run:
    """Return all steps of a run at line granularity. Each thread caches the runs that it computed last.

    Errors as in `steps`.
    """
    runs, number = _cache.runs, id(trace)
    if number in runs and runs[number][0]() is trace:
        return runs[number][1]
    runs.pop(number, None)
    runs[number] = weakref.ref(trace, partial(_forget, runs, number)), list(steps(trace))
    excess = sum(len(run) for _, run in runs.values()) - MOST_CACHED
    for old in list(runs)[:-1]:
        if excess > 0:
            excess -= len(runs.pop(old)[1])
    return runs[number][1]


def _forget(runs: dict[int, tuple[weakref.ref[Trace], Run]], number: int, freed: weakref.ref[Trace]) -> None:
    """Forget the cached run of a freed trace, unless another trace has its identity by now."""
    if number in runs and runs[number][0] is freed:
        del runs[number]


def _bare_step(mark: str, place: tuple[int, int], builder: TreeBuilder, value: int, after: StateTree) -> Step:
    """Return the step without its changes."""
    if mark == "@":
        return Step(mark, place[0], offset=place[1])
    if mark == ">":
        return Step(mark, place[0])
    if mark == "=":
        top = after.frames[-1]
        name = next(reversed(top.entries))  # the latest result comes last
        return Step(mark, 0, top.entries[name], span=name[1:])
    return Step(mark, 0, builder.build_event_value(after, value))


def first_state(trace: Trace) -> StateTree:
    """Return the state of the call, the start of a step loop. ValueError if the trace has no call."""
    for event, state in states(trace):
        if event.kind == EventKind.CALL:
            places = {event.frame: (event.line, -1)}
            return TreeBuilder(trace).build_state(state, state.frames, mark=">", value=-1, places=places)
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
    program. In programs of several files it is always left out: a state does not name the file of its line.
    """
    lines = [] if program.prelude and _has_other_files(program) else _lines(program.source)
    number = state.frames[-1].line if state.frames else 0
    return f"{state}\n{lines[number - 1].strip()}\n" if 0 < number <= len(lines) else f"{state}\n"


def example(layout: str, program: Program, trace: Trace, body: str, target: str, step: int = 0) -> Example:
    """Make an Example; `body` follows the prompt's head, `step` is the number of steps before its state."""
    return Example(
        program_id=program.id,
        layout=layout,
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
    """Return the state of the call, and every step with the state after it.

    ValueError for a run without steps.
    """
    rows = run_of(trace)
    if not rows:
        raise ValueError(f"the run of program {trace.program_id} has no steps: {trace.outcome}")
    return rows[0][0], [(step, after) for _, step, after in rows]


def last_value(step: Step) -> tuple[str, Value | None]:
    """Return mark ("<-" or "!!") and value of a step that ends a run."""
    return step.mark, step.value


MOST_LOOKED_AT = 200
"""Number of line events, evenly spread, at which the states of a longer run are measured: up to twice as
many.
"""
UNKNOWN = -1


class RunSizes(Struct, frozen=True):
    """Sizes of one true run; -1 = unknown."""

    call_depth: int = UNKNOWN
    """Largest number of activations alive at once, the entry's included."""
    state_size: int = UNKNOWN
    """Most variables, elements, entries and attributes in one measured state, counted as in `size_of`."""
    int_bits: int = UNKNOWN
    """Bits of the largest integer that the run makes or is given, by absolute value."""


@of_a_run
def run_sizes(trace: Trace) -> RunSizes:
    """Return the sizes of a true run, measured once."""
    if not trace.events.kind:
        return RunSizes()
    step = max(1, trace.n_steps // MOST_LOOKED_AT)
    deepest = largest = seen = 0
    for event, state in states(trace):
        deepest = max(deepest, len(state.frames))
        if event.kind == EventKind.LINE:
            seen += 1
            if seen % step == 0 or seen == 1:
                largest = max(largest, size_of(state))
    return RunSizes(deepest, largest, largest_int(trace).bit_length())


def largest_int(trace: Trace) -> int:
    """Return the largest absolute value among the integers of a run."""
    columns = zip(trace.values.kind, trace.values.number, trace.values.data, strict=True)
    integers = (int(data, 16) if data else number for kind, number, data in columns if kind == ValueKind.INT)
    return max(map(abs, integers), default=0)


def size_of(state: State) -> int:
    """Count the variables of all frames and the values that they lead to, each object once."""
    handles = [handle for frame in state.frames for handle in frame.bindings.values()]
    size, known = len(handles), set[int]()
    while handles:
        member = state.object(handles.pop())
        if member is None or member.number in known:
            continue
        known.add(member.number)
        inside = [*member.items, *member.entries.values(), *member.attributes.values()]
        size += len(inside)
        handles += inside
    return size
