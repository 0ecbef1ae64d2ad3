"""Find the lines on which the end of a run depends, with their distance from it.

    slice_of(run) -> {12: 0, 9: 1, 4: 2}     line of the program's file -> fewest links to the end of the run

A line depends on the lines that wrote the values it read, on the lines whose returned values it used, on the
condition that let it run, and on the line that called its function.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from deskcheck.queries.run import Run
from deskcheck.queries.why import latest
from deskcheck.records import EventKind, Raised

_MOST_STEPS = 20_000  # steps that are followed backwards


def slice_of(run: Run) -> dict[int, int]:
    """Return the distance of each line on which the end of the run depends, the ending line included."""
    if not run.lines:
        return {}
    start = _end(run)
    distances: dict[int, int] = {}
    seen = {start}
    waiting = deque([(start, 0)])
    deciders = _Deciders(run)
    while waiting and len(seen) < _MOST_STEPS:
        line, distance = waiting.popleft()
        if run.file(line) == 0:
            distances.setdefault(run.statement(line), distance)
        for maker in (*_sources(run, line), *deciders.of(line)):
            if maker >= 0 and maker not in seen:
                seen.add(maker)
                waiting.append((maker, distance + 1))
    return distances


def _end(run: Run) -> int:
    """Return the LINE event that ended a run: for an exception, the line that raised it."""
    events = run.trace.events
    if isinstance(run.trace.outcome, Raised):
        raised = [at for at in range(run.n) if events.kind[at] == EventKind.RAISE]
        first = next((at for at in raised if events.value[at] == events.value[raised[-1]]), run.n - 1)
        return run.makers[first]
    return run.makers[run.n - 1]


def _sources(run: Run, line: int) -> Iterator[int]:
    """Yield the LINE events that made the values which a line read, or which its calls returned."""
    for end in run.calls.get(line, []):
        yield run.makers[end]
    for name in run.reads(line):
        cell = run.variable(name, event=line)
        write = latest(run, cell, line) if cell else None
        if write is not None:
            yield run.makers[write.event]


class _Deciders:
    """Finds, for an executed line, the last step of the condition or loop around it in the same call."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._lines: dict[int, list[int]] = {}
        for event in run.lines:
            self._lines.setdefault(run.trace.events.frame[event], []).append(event)

    def of(self, line: int) -> Iterator[int]:
        """Yield the last event of the deciding line, and the event of the line that called the function."""
        run = self._run
        decider = run.decider(line)
        events = self._lines[run.trace.events.frame[line]]
        if decider:
            earlier = [e for e in events if e < line and run.trace.events.line[e] == decider]
            yield from earlier[-1:]
        if events:
            yield self._caller(events[0])

    def _caller(self, first: int) -> int:
        return self._run.makers[first - 1] if first > 0 else -1
