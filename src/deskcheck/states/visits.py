"""List the lines that a run reached, in order, and the values of variables there.

    visits(program, trace) -> [Visit(line=2, ..), Visit(line=3, ..), ..]
    entry_locals(trace) -> {event: {"n": "3"}, ..}      at each line in the frame of the entry

Visits are made from the line events of the program's functions. Three rules make them the same on every
Python version. Code in comprehensions, generator expressions and lambdas belongs to the line around it. A
statement over several lines counts at its first line. A statement with a comprehension counts once,
regardless of the number of iterations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from msgspec import Struct

from deskcheck.languages import facts, offers, part, write
from deskcheck.records import EventKind, ObjectKind, Program, Trace
from deskcheck.tracing import literal
from deskcheck.tracing.replay import FrameState, State, of_a_run, states


class Visit(Struct, frozen=True):
    """One visit of a line by a run."""

    event: int
    """Index of the line event in the trace."""
    frame: int
    line: int
    """First line of the statement."""
    nth: int
    """Number of visits of this line in the run so far, this one included."""


def visits(program: Program, trace: Trace) -> list[Visit]:
    """List all visits of lines in order; none if the call reached no line of the program.

    The list is made once for each run, however many questions are asked about the run.
    """
    listed = _visits_by_program(trace)
    if program.id not in listed:
        listed[program.id] = _all_visits(program, trace)
    return listed[program.id]


@of_a_run
def _visits_by_program(trace: Trace) -> dict[str, list[Visit]]:
    """Return the run's store for `visits`: id of a program -> its visits; empty at first."""
    return {}


def _all_visits(program: Program, trace: Trace) -> list[Visit]:
    """Make the visits of a run from the line events of the program's own functions."""
    inline = facts(program).inline_names
    own = [
        trace.codes[code].file == 0 and not trace.codes[code].name.endswith(inline)
        for code in trace.frames.code
    ]
    events = trace.events
    columns = zip(events.kind, events.frame, events.line, strict=True)
    rows = (
        (index, frame, at)
        for index, (kind, frame, at) in enumerate(columns)
        if kind == EventKind.LINE and own[frame]
    )
    return visits_of(program, rows)


def visits_of(program: Program, rows: Iterable[tuple[int, int, int]]) -> list[Visit]:
    """List the visits of a run given as (event, frame, line) rows of the program's functions."""
    text = facts(program)
    first_of, once = text.first_lines, text.counted_once
    visits: list[Visit] = []
    count: dict[int, int] = {}
    last: dict[int, int] = {}
    for index, frame, at in rows:
        line = first_of.get(at, at)
        if line in once and last.get(frame) == line:
            continue
        last[frame] = line
        count[line] = count.get(line, 0) + 1
        visits.append(Visit(index, frame, line, count[line]))
    return visits


def line_text(program: Program, line: int) -> str:
    """Return one line of the source, without its indentation."""
    return program.source.split("\n")[line - 1].strip()


def locals_at(trace: Trace, wanted: Collection[int], *, whole: bool = False) -> dict[int, dict[str, str]]:
    """Map each wanted event to the plain variables of its frame, as literal texts.

    With `whole`, an event is left out if its frame has variables that are neither plain nor functions or
    modules.
    """
    left = set(wanted)
    values = {}
    for event, state in states(trace):
        if event.index in left:
            left.remove(event.index)
            frame = _frame(state, event.frame)
            plain = plain_locals(trace, state, frame)
            if not whole or len(plain) + _n_functions(state, frame) == len(frame.bindings):
                values[event.index] = plain
            if not left:
                break
    return values


def _frame(state: State, number: int) -> FrameState:
    return next(frame for frame in reversed(state.frames) if frame.number == number)


def _n_functions(state: State, frame: FrameState) -> int:
    objects = [state.object(handle) for handle in frame.bindings.values()]
    return sum(one is not None and one.kind in (ObjectKind.FUNCTION, ObjectKind.MODULE) for one in objects)


def types_and_values(
    trace: Trace, wanted: Collection[tuple[int, str]]
) -> dict[tuple[int, str], tuple[str, str]]:
    """Map (line event, variable) to (literal text, type name) after the line has been executed.

    `wanted` has these pairs. The values are those at the next event of the same frame. Variables that are
    then unbound or not plain are left out, and so are lines that an exception ended.
    """
    names: dict[int, list[str]] = {}
    for index, name in wanted:
        names.setdefault(index, []).append(name)
    pending: dict[int, int] = {}  # frame -> line event that waits for the frame's next event
    pairs: dict[tuple[int, str], tuple[str, str]] = {}
    for event, state in states(trace):
        waiting = pending.pop(event.frame, None)
        if waiting is not None and event.kind not in (EventKind.RAISE, EventKind.UNWIND):
            bindings = _frame(state, event.frame).bindings
            for name in names[waiting]:
                handle = bindings.get(name, -1)
                text = plain_text(trace, state, handle) if handle >= 0 else None
                if text is not None:
                    pairs[waiting, name] = text, trace.names[trace.values.type[handle]]
        if event.index in names:
            pending[event.frame] = event.index
    return pairs


def plain_locals(trace: Trace, state: State, frame: FrameState) -> dict[str, str]:
    """Map each local variable that has a literal text to this text; names with a leading dot are left out."""
    texts = {}
    for name, handle in frame.bindings.items():
        text = plain_text(trace, state, handle)
        if text is not None and not name.startswith("."):
            texts[name] = text
    return texts


def plain_text(trace: Trace, state: State, handle: int) -> str | None:
    """Return the literal text of a value, or None if it has none."""
    try:
        return literal.literal_text(trace, state, handle)
    except literal.NotPlain:
        return None


def dict_text(values: dict[str, str], language: str = "python") -> str:
    """Join names and literal texts into the literal of one dict."""
    key = part(language, "key") if offers(language, "key") else partial(write, language)
    return "{" + ", ".join(f"{key(name)}: {text}" for name, text in values.items()) + "}"


@of_a_run
def entry_lines(trace: Trace) -> list[tuple[int, int]]:
    """Return (event, line) of the lines that run in the frame of the entry."""
    events = trace.events
    calls = (frame for kind, frame in zip(events.kind, events.frame, strict=True) if kind == EventKind.CALL)
    entry = next(calls, -1)
    rows = enumerate(zip(events.kind, events.frame, events.line, strict=True))
    return [(index, line) for index, (kind, frame, line) in rows if kind == EventKind.LINE and frame == entry]


@of_a_run
def entry_locals(trace: Trace) -> dict[int, dict[str, str]]:
    """Map each line event of the entry's frame to its plain variables, as literal texts."""
    return locals_at(trace, [event for event, _ in entry_lines(trace)])
