"""Reduce a trace to the entry's frame: each call is one step, with all its effects.

    stepped_over(trace) -> Trace       the events of the entry's frame, with all changes made in between

Other frames and their events are removed. Changes that these frames made outside of themselves belong to the
next event of the entry's frame. So `s = f(x)` is a step from its line to the next one, even if the program
defines `f`. A recursive call is also one step. An exception that leaves a callee is raised at the line of the
call. A generator of the program is shown as an object without its line and variables.
Every layout can write the result. Source: the runs without step-in of Execution Tuning (arXiv 2503.05703,
MBPP with nested loops).
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.records import ChangeColumns, EventColumns, EventKind, FrameColumns, Place, Trace

CALLS_AT_ONCE = "calls in one step"
"""Note in the fidelity of a trace that `stepped_over` has reduced."""
_OF_FRAME = (Place.LOCAL, Place.CELL, Place.FREE, Place.ITERATOR, Place.STACK)


def stepped_over(trace: Trace) -> Trace:
    """Return the run with each call as one step; the trace itself if it is reduced already or has no call."""
    events = trace.events
    kinds = list(events.kind)  # a packed trace has a view of bytes here
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


def _changes(trace: Trace, entry: int, events: list[int]) -> tuple[list[list[int]], list[int]]:
    """Return the columns of the changes that remain, and the end of each kept event's changes in them."""
    columns = [getattr(trace.changes, name) for name in ChangeColumns.__struct_fields__]
    place, owner = columns[:2]
    rows: list[list[int]] = [[] for _ in columns]
    ends = []
    at = 0
    stops = [trace.events.changes_end[number] for number in events]
    for stop in (*stops, len(place)):  # the changes of the outcome follow the last event
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
