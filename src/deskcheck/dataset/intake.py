"""Number the inputs of a build, the programs that its source yields, and drop those that need not run.

    intake = Intake(programs, folder, shard_size=1_000)
    for program in intake.pending(): ...     the programs to trace; `intake.order` holds all inputs
    seen = Seen();  seen.add("3f12e98cf175e4fa") -> False;  seen.add("3f12e98cf175e4fa") -> True

A build may hold millions of ids, so `Seen` needs less memory than a set of texts.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import deque
from collections.abc import Iterator, MutableMapping
from typing import NamedTuple

from deskcheck.dataset.filters import NOTHING, Drop, Filters
from deskcheck.dataset.folder import DatasetFolder
from deskcheck.decontamination.near import COMPARED, Match, program_copy
from deskcheck.decontamination.removed import REASON
from deskcheck.errors import UserError
from deskcheck.format.shards import ManifestEntry
from deskcheck.records import Program, Skipped

_FIRST_SIZE = 1 << 10  # entries of the first table of `Seen`, which doubles when it is half full


class Waiting(NamedTuple):
    """An input on its way to its shard."""

    number: int
    program: Program | Skipped
    dropped: str
    """Drop reason; "" = the program is traced."""
    like: str = ""
    """Origin of an earlier, similar program; "" = none."""
    match: Match | None = None
    """Benchmark program that the input is too similar to; None = none."""


class Intake:
    """Numbered inputs of a build, from which the programs to run are selected.

    Inputs of finished shards are skipped after a check that they have not changed. Duplicates, programs too
    similar to a benchmark, and programs that a filter drops by their text are not run. `matches`: source and
    entry -> match in a benchmark, for programs that were compared before (`ahead.py`).
    """

    def __init__(
        self,
        programs: Iterator[Program | Skipped],
        folder: DatasetFolder,
        *,
        shard_size: int,
        decontaminate: bool = True,
        filters: Filters | None = None,
        matches: MutableMapping[tuple[str, str], Match | None] | None = None,
    ) -> None:
        self._programs = programs
        self._matches = {} if matches is None else matches
        self._filters = filters
        self._folder = folder
        self._done = dict(folder.done)  # as it was at the start
        self._shard_size = shard_size
        self._decontaminate = decontaminate
        self._compared = ("", "")
        """Source and entry of the program that was compared with the benchmarks last."""
        self._match: Match | None = None
        self.order: deque[Waiting] = deque()

    def pending(self) -> Iterator[Program]:
        """Yield the programs to trace, and append all inputs, including dropped ones, to `order`."""
        seen = Seen()
        number = -1
        digest = hashlib.sha256()
        for number, program in enumerate(self._programs):
            first = number - number % self._shard_size
            if number == first:
                digest = hashlib.sha256()
            digest.update(program.id.encode() + b"\n")
            duplicate = seen.add(program.id)
            dropped = NOTHING
            if isinstance(program, Program) and not duplicate:
                dropped = (
                    self._filters.by_text(program) if self._filters else NOTHING
                )  # also in finished shards, for comparison with later programs
            if first in self._done:
                self._check(first, number - first + 1, digest.hexdigest())
                continue
            if isinstance(program, Skipped):
                self.order.append(Waiting(number, program, program.reason))
                continue
            waiting = (
                Waiting(number, program, "duplicate")
                if duplicate
                else self._checked(number, program, dropped)
            )
            self.order.append(waiting)
            if not waiting.dropped:
                yield program
        for first, entry in self._done.items():
            if first + entry.n_read > number + 1:
                raise self._changed(entry)

    def _checked(self, number: int, program: Program, dropped: Drop) -> Waiting:
        if not self._decontaminate or program.language not in COMPARED:
            return Waiting(number, program, *dropped)
        try:
            match = self._copied(program)
        except SyntaxError:  # syntax of another Python version: it cannot be compared and does not run here
            return Waiting(number, program, "does not parse")
        return Waiting(number, program, REASON, "", match) if match else Waiting(number, program, *dropped)

    def _copied(self, program: Program) -> Match | None:
        """Return the program's match in a benchmark, which further calls of one program share."""
        compared = (program.source, program.entry)
        if compared != self._compared:
            self._match = self._matches.pop(compared) if compared in self._matches else program_copy(program)
            self._compared = compared
        return self._match

    def _check(self, first: int, n_read: int, digest: str) -> None:
        entry = self._done[first]
        if n_read > entry.n_read or (n_read == entry.n_read and digest != entry.inputs_sha256):
            raise self._changed(entry)

    def _changed(self, entry: ManifestEntry) -> UserError:
        return UserError(
            f"the source no longer gives the {entry.n_read} programs that {self._folder.path / entry.shard} "
            "was made from: its file has changed since; name a new folder"
        )


class Seen:
    """Ids of 16 hexadecimal digits, in a table of 64-bit numbers; other texts in an ordinary set."""

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * _FIRST_SIZE))
        self._n = 0
        self._others: set[str] = set()

    def add(self, id: str) -> bool:
        """Add an id; return whether it was there already."""
        number = _number(id)
        if not number:
            was_there = id in self._others
            self._others.add(id)
            return was_there
        at = _place(self._table, number)
        if self._table[at]:
            return True
        self._table[at] = number
        self._n += 1
        if 2 * self._n > len(self._table):
            larger = array("Q", bytes(16 * len(self._table)))
            for one in filter(None, self._table):
                larger[_place(larger, one)] = one
            self._table = larger
        return False


def _number(id: str) -> int:
    """Return the number of an id; 0 if it is not of 16 lower-case hexadecimal digits, or 0 itself."""
    if len(id) != 16 or not id.isascii():
        return 0
    try:
        number = int(id, 16)
    except ValueError:
        return 0
    return number if f"{number:016x}" == id else 0


def _place(table: array[int], number: int) -> int:
    """Return the place of a number in a table, or the empty one where it belongs."""
    at = number % len(table)
    while table[at] and table[at] != number:
        at = (at + 1) % len(table)
    return at
