"""Record what every request of a cell may have cost, so that a kill loses no money from the sums.

    ledger = Ledger.open(folder)            reads `money.jsonl`
    number = ledger.sent(0.02)              before a request: its worst case
    ledger.settled(number, 0.003)           after its reply: the true cost
    ledger.keep([number])                   its answer is stored in `answers.jsonl`
    ledger.total, ledger.lost               dollars of all requests; of those whose answer is not kept

A request without a settled cost counts at its worst case: the run was killed meanwhile, the connection was
lost, or the server reported no tokens. Lines are appended and flushed one by one, before the request is sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BufferedWriter
from pathlib import Path

import msgspec
from msgspec import Struct

FILE = "money.jsonl"


class Entry(Struct, frozen=True, omit_defaults=True):
    """One line of the file: a request that was sent or settled, or requests whose answer is kept."""

    request: int = 0
    worst: float = -1.0
    """Dollars that the request may cost; given when it is sent."""
    cost: float = -1.0
    """Dollars that it did cost; given when its reply has come."""
    kept: list[int] = []
    """Requests whose answer is stored."""


class Ledger:
    """The requests of one cell with their cost, in memory and on disk."""

    def __init__(self, path: Path, entries: Iterable[Entry] = ()) -> None:
        self.path = path
        self._cost: dict[int, float] = {}
        self._kept: set[int] = set()
        self._file: BufferedWriter | None = None
        for entry in entries:
            self._take(entry)

    @classmethod
    def open(cls, folder: Path) -> Ledger:
        """Read the ledger of a cell; a line that a kill cut is skipped."""
        path = folder / FILE
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        return cls(path, [entry for line in lines if (entry := _entry(line)) is not None])

    @property
    def total(self) -> float:
        """Dollars of all requests that were ever sent for this cell."""
        return sum(self._cost.values())

    @property
    def lost(self) -> float:
        """Dollars of requests without a kept answer: failed tries, and those under way at a kill."""
        return sum(cost for number, cost in self._cost.items() if number not in self._kept)

    @property
    def n_lost(self) -> int:
        """Number of paid requests without a kept answer."""
        return sum(cost > 0 for number, cost in self._cost.items() if number not in self._kept)

    def sent(self, worst: float) -> int:
        """Record a request before it is sent, and return its number."""
        number = max(self._cost, default=0) + 1
        self._write(Entry(number, worst=worst))
        return number

    def settled(self, number: int, cost: float) -> None:
        """Record the cost of a request whose reply has come."""
        self._write(Entry(number, cost=cost))

    def keep(self, numbers: list[int]) -> None:
        """Record that the answer of these requests is stored."""
        if numbers:
            self._write(Entry(kept=numbers))

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, entry: Entry) -> None:
        self._take(entry)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            self._file.write(b"\n" if self._file.tell() else b"")  # after a line that a kill cut
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()

    def _take(self, entry: Entry) -> None:
        if entry.cost >= 0:
            self._cost[entry.request] = entry.cost
        elif entry.worst >= 0:
            self._cost[entry.request] = entry.worst
        self._kept.update(entry.kept)


def _entry(line: bytes) -> Entry | None:
    try:
        return msgspec.json.decode(line, type=Entry)
    except msgspec.MsgspecError:
        return None
