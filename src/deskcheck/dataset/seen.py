"""A set of program ids in less memory than a set of texts, because a build may hold millions.

seen = Seen();  seen.add("3f12e98cf175e4fa") -> False;  seen.add("3f12e98cf175e4fa") -> True
"""

from __future__ import annotations

from array import array

_FIRST_SIZE = 1 << 10


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
