"""A recorded run with its source, ready for questions: steps, the line behind each change, all writes.

    run = Run(trace, program)
    run.lines[16]                      LINE event of step 17
    run.makers[event]                  LINE event whose line made the changes seen at an event; -1 = the call
    run.writes(Cell(False, 0, "total"), before=event)            changes of a variable, latest first

A change is recorded at the first event after it. So it was made by the frame that ran since the event before
(of the same thread; after a return, this is the caller), on the line at which that frame stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct

from deskcheck.languages import page_facts
from deskcheck.records import EventKind, Place, Program, Trace, ValueKind
from deskcheck.tracing.program import bundle_of
from deskcheck.tracing.replay import text_of
from deskcheck.viewer.text import Sources

_BEGINS = (EventKind.CALL, EventKind.RESUME)
_ENDS = (EventKind.RETURN, EventKind.UNWIND, EventKind.YIELD)
NAMES = (Place.LOCAL, Place.CELL, Place.FREE, Place.GLOBAL)
"""Kinds of place that are variables."""
MOST_OBJECTS = 1000
"""Largest number of objects inside a value that are looked at."""


class Cell(Struct, frozen=True):
    """A variable of one frame or module."""

    is_global: bool
    """Whether it is a variable of a module."""
    owner: int
    """Number of the frame, or of the module's file."""
    name: str


class Write(Struct, frozen=True):
    """One change of a variable or of an object that it holds."""

    event: int
    """Event at which the change is first seen."""
    change: int
    """Its row in the trace's columns of changes."""


@lru_cache(maxsize=64)
def _facts(source: str, language: str) -> dict[str, Any]:
    return page_facts(source, language)


class Run:
    """A trace with its program's text, ready for questions."""

    def __init__(self, trace: Trace, program: Program | None) -> None:
        self.trace = trace
        self.program = program
        source = program.source if program else ""
        bundle = bundle_of(program) if program else None
        self._texts = {0: source}
        files = bundle.files if bundle else {}
        for code in trace.codes:
            if code.file:
                self._texts[code.file] = files.get(trace.names[code.file], "")
        self._lines = {file: text.split("\n") for file, text in self._texts.items()}
        self.sources = Sources(trace, source, files)
        self.n = len(trace.events.kind)

    @cached_property
    def lines(self) -> list[int]:
        """LINE events in order: step k is the event `lines[k - 1]`."""
        return [at for at, kind in enumerate(self.trace.events.kind) if kind == EventKind.LINE]

    @cached_property
    def makers(self) -> list[int]:
        """For each event the LINE event whose line made its changes, -1 = the call; one more for the end."""
        events = self.trace.events
        threads = events.thread or [0] * self.n
        stacks: dict[int, list[int]] = {}
        reached: dict[int, int] = {}
        makers = []
        last = -1
        for at, (kind, frame, thread) in enumerate(zip(events.kind, events.frame, threads, strict=True)):
            stack = stacks.setdefault(thread, [])
            makers.append(reached.get(stack[-1], -1) if stack else -1)
            if kind in _BEGINS:
                stack.append(frame)
            elif kind == EventKind.LINE:
                reached[frame] = last = at
            elif kind in _ENDS and frame in stack:
                stack.remove(frame)
        return [*makers, last]

    @cached_property
    def calls(self) -> dict[int, list[int]]:
        """LINE event -> the events at which calls made by its line returned or yielded."""
        began: dict[int, int] = {}
        table: dict[int, list[int]] = {}
        for at, kind in enumerate(self.trace.events.kind):
            frame = self.trace.events.frame[at]
            if kind in _BEGINS:
                began[frame] = self.makers[at]
            elif kind in (EventKind.RETURN, EventKind.YIELD) and began.get(frame, -1) >= 0:
                table.setdefault(began[frame], []).append(at)
        return table

    # ------------------------------------------------------------------ writes

    @cached_property
    def _variables(self) -> dict[Cell, list[int]]:
        changes, cells = self.trace.changes, dict[Cell, list[int]]()
        for row, place in enumerate(changes.place):
            if place in NAMES:
                cells.setdefault(self.cell_of(row), []).append(row)
        return cells

    @cached_property
    def _objects(self) -> dict[int, list[int]]:
        changes, table = self.trace.changes, dict[int, list[int]]()
        for row, place in enumerate(changes.place):
            if place >= Place.ELEMENT:
                table.setdefault(changes.owner[row], []).append(row)
        return table

    def cell_of(self, row: int) -> Cell:
        """Return the variable that a change of a name writes."""
        changes = self.trace.changes
        return Cell(
            changes.place[row] == Place.GLOBAL, changes.owner[row], text_of(self.trace, changes.key[row])
        )

    def event_of(self, row: int) -> int:
        """Return the event to which a change belongs."""
        return bisect_right(self.trace.events.changes_end, row)

    def cells(self, name: str) -> list[Cell]:
        """Return every variable of this name: one for each frame or module that bound it."""
        return [cell for cell in self._variables if cell.name == name]

    def names(self) -> list[str]:
        """Return the names of all recorded variables, in the order in which they were bound."""
        return list(dict.fromkeys(cell.name for cell in self._variables))

    def writes(self, cell: Cell, *, before: int) -> Iterator[Write]:
        """Yield the bindings of a variable up to an event, the latest first."""
        yield from self._latest(self._variables.get(cell, []), before)

    def object_writes(self, number: int, *, before: int) -> Iterator[Write]:
        """Yield the changes of one object up to an event, the latest first."""
        yield from self._latest(self._objects.get(number, []), before)

    def _latest(self, rows: list[int], before: int) -> Iterator[Write]:
        limit = self.trace.events.changes_end[before] if before < self.n else len(self.trace.changes.op)
        for row in reversed(rows[: bisect_right(rows, limit - 1)]):
            yield Write(self.event_of(row), row)

    @cached_property
    def _members(self) -> dict[int, set[int]]:
        """Object -> objects that it held at some time."""
        changes, values = self.trace.changes, self.trace.values
        members: dict[int, set[int]] = {}
        for place, owner, value in zip(changes.place, changes.owner, changes.value, strict=True):
            if place >= Place.ELEMENT and value >= 0 and values.kind[value] == ValueKind.REF:
                members.setdefault(owner, set()).add(values.number[value])
        return members

    def objects_in(self, handle: int) -> list[int]:
        """Return the numbers of the objects that a value holds or held: the object itself comes first."""
        values = self.trace.values
        if handle < 0 or values.kind[handle] != ValueKind.REF:
            return []
        numbers = dict.fromkeys([values.number[handle]])
        waiting = list(numbers)
        while waiting and len(numbers) < MOST_OBJECTS:
            for inner in self._members.get(waiting.pop(), ()):
                if inner not in numbers:
                    numbers[inner] = None
                    waiting.append(inner)
        return list(numbers)

    # ------------------------------------------------------------------ text

    def file(self, event: int) -> int:
        """Return the number of the file whose code an event runs."""
        return self.sources.file(self.trace.events.frame[event])

    def function(self, event: int) -> str:
        """Return the qualified name of the function of an event."""
        return self.trace.codes[self.trace.frames.code[self.trace.events.frame[event]]].name

    def file_name(self, event: int) -> str:
        """Return the name of an event's file; "" for the program's own."""
        return self.sources.names[self.file(event)]

    def text(self, event: int) -> str:
        """Return the source of an event's line without its indentation."""
        lines = self._lines[self.file(event)]
        number = self.trace.events.line[event]
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def line_text(self, line: int) -> str:
        """Return a line of the program's own file without its indentation."""
        return self._lines[0][line - 1].strip() if 0 < line <= len(self._lines[0]) else ""

    def reads(self, event: int) -> list[str]:
        """Return the names that the statement of an event's line reads."""
        table: dict[int, list[str]] = self._facts(event)["reads"]
        return table.get(self.statement(event), [])

    def statement(self, event: int) -> int:
        """Return the first line of the statement that an event's line belongs to."""
        line = self.trace.events.line[event]
        arms: dict[int, list[Any]] = self._facts(event)["arms"]
        return int(arms[line][2]) if line in arms else line

    def decider(self, event: int) -> int:
        """Return the line that decides whether an event's line runs; 0 if none does."""
        arms: dict[int, list[Any]] = self._facts(event)["arms"]
        return int(arms.get(self.trace.events.line[event], [0])[0])

    def _facts(self, event: int) -> dict[str, Any]:
        return _facts(self._texts[self.file(event)], self.trace.language)

    def variable(self, name: str, *, event: int) -> Cell | None:
        """Return the variable that a name means in the frame of an event; None if there is none."""
        frame = self.trace.events.frame[event]
        file = self.file(event)
        for cell in (Cell(False, frame, name), Cell(True, file, name), Cell(True, 0, name)):
            if cell in self._variables:
                return cell
        return None
