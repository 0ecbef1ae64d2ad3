"""A run in which each call is one step: what happens inside of other functions is not shown, its effects are.

    stepped_over(trace) -> Trace       the events of the entry's own frame, with all changes made in between

Line, expression and instruction events of other frames fall away, and the frames with them; what these
frames changed outside of themselves belongs to the next event of the entry's frame. So `s = f(x)` is a step
from its line to the next one, as with a function of a library. A recursive call is a call like any other. An
exception that leaves a callee is raised at the line of the call. A generator of the program is shown as an
object whose place is not known.
Every layout reads the result like any other trace. Source: the runs without step-in of Execution Tuning
(arXiv 2503.05703, MBPP with nested loops).
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.records import ChangeColumns, EventColumns, EventKind, FrameColumns, Place, Trace

CALLS_AT_ONCE = "calls in one step"
"""Note in the fidelity of such a trace."""
_OF_FRAME = (Place.LOCAL, Place.CELL, Place.FREE, Place.ITERATOR, Place.STACK)


def stepped_over(trace: Trace) -> Trace:
    """The same run with each call as one step; the trace itself where it is one already, or has no call."""
    events = trace.events
    kinds = list(events.kind)  # of a packed trace a view of bytes
    if CALLS_AT_ONCE in trace.fidelity.notes or EventKind.CALL not in kinds:
        return trace
    entry = events.frame[kinds.index(EventKind.CALL)]
    kept = [number for number, frame in enumerate(events.frame) if frame == entry]
    rows, ends = _changes(trace, entry, kept)
    step, n_lines = [], 0
    for number in kept:
        n_lines += events.kind[number] == EventKind.LINE
        step.append(n_lines)
    columns = {
        name: [column[number] for number in kept] if (column := getattr(events, name)) else []
        for name in EventColumns.__struct_fields__
    }
    columns |= {"step": step, "frame": [0] * len(kept), "changes_end": ends}
    return replace(
        trace,
        fidelity=replace(trace.fidelity, notes=sorted([*trace.fidelity.notes, CALLS_AT_ONCE])),
        frames=FrameColumns(code=[trace.frames.code[entry]], parent=[-1]),
        events=EventColumns(**columns),
        changes=ChangeColumns(*rows),
    )


def _changes(trace: Trace, entry: int, kept: list[int]) -> tuple[list[list[int]], list[int]]:
    """Columns of the changes that stay, and the end of each kept event's."""
    columns = [getattr(trace.changes, name) for name in ChangeColumns.__struct_fields__]
    place, owner = columns[:2]
    rows: list[list[int]] = [[] for _ in columns]
    ends = []
    at = 0
    stops = [trace.events.changes_end[number] for number in kept]
    for stop in (*stops, len(place)):  # after the last event come those of the outcome
        for number in range(at, stop):
            if place[number] in _OF_FRAME and owner[number] != entry:
                continue
            for row, column in zip(rows, columns, strict=True):
                row.append(column[number])
            if place[number] in _OF_FRAME:
                rows[1][-1] = 0
        at = stop
        ends.append(len(rows[0]))
    return rows, ends[:-1]
