"""Assemble training rows from the examples on disk, without holding the examples in memory.

    rows = Rows(stored, kept, max_length=4096, share=True, packing=False, seed=0)
    len(rows), rows[0]     -> {"input_ids", "labels", ..}, arrays read from the mapped files
    rows.n_tokens          tokens of one pass; without sharing, `stored.n_all[kept].sum()`

A row is one example. With `share`, it is all examples of a program in one layout that fit, with their common
tokens once (`shared.py`). With `packing`, it is as many of these units as fit. The order depends only on the
seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from deskcheck.training.data import best_fit
from deskcheck.training.hub.shards import Stored

Integers = np.ndarray[Any, np.dtype[Any]]
WINDOW = 4096
"""Number of units that are packed at a time."""
BLOCK = 65_536
"""Number of examples that are read at a time."""


class Rows:
    """Rows of one epoch by number; a map-style data set of torch."""

    def __init__(
        self, stored: Stored, used: Integers, *, max_length: int, share: bool, packing: bool, seed: int
    ) -> None:
        """Choose the examples of each row. `used`: bool (examples), which examples there are rows for."""
        self.stored, self.share, self.packing = stored, share, packing
        self.first, self.last, sizes = _units(stored, used, max_length) if share else _single(stored, used)
        if packing:
            self.start, self.unit = _packed(sizes, max_length, seed)
        else:
            n = len(self.first)
            self.start, self.unit = np.arange(n + 1, dtype=np.int64), np.arange(n, dtype=np.int32)
        self.n_tokens = int(sizes.sum())
        """Tokens of one pass over the rows, without padding."""

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, number: int) -> dict[str, Any]:
        """Return row `number`, counted from 0. IndexError past the last."""
        if not 0 <= number < len(self):
            raise IndexError(f"row {number} of {len(self)}")
        units = [
            (int(self.first[unit]), int(self.last[unit]))
            for unit in self.unit[self.start[number] : self.start[number + 1]]
        ]
        if self.share:
            return _shared(self.stored, units)
        parts = [
            {name: array.astype(np.int64) for name, array in self.stored.row(first).items()}
            for first, _ in units
        ]
        row = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return {**row, "seq_lengths": [len(part["input_ids"]) for part in parts]} if self.packing else row

    def examples(self, number: int) -> list[dict[str, Any]]:
        """Return the examples of a row one by one, in its order."""
        units = self.unit[self.start[number] : self.start[number + 1]]
        return [self.stored.row(n) for unit in units for n in range(self.first[unit], self.last[unit])]

    def most(self, upto: int = 256) -> int:
        """Return the number of the row with the most examples among the first `upto`."""
        n = min(len(self), upto)
        counts = np.add.reduceat(
            (self.last - self.first)[self.unit[: self.start[n]]], self.start[:n].astype(np.int64)
        )
        return int(counts.argmax())


def _shared(stored: Stored, units: list[tuple[int, int]]) -> dict[str, Any]:
    """Build one row of groups, as in `shared.py`."""
    parts: dict[str, list[Integers]] = {
        name: [] for name in ("input_ids", "labels", "position_ids", "group", "question")
    }

    def put(row: dict[str, Integers], start: int, stop: int, group: int, question: int) -> None:
        if stop == start:
            return
        parts["input_ids"].append(row["input_ids"][start:stop])
        parts["labels"].append(row["labels"][start:stop])
        parts["position_ids"].append(np.arange(start, stop))
        parts["group"].append(np.full(stop - start, group))
        parts["question"].append(np.full(stop - start, question))

    n_questions = 0
    for group, (first, last) in enumerate(units):
        n_shared = stored.shared(first) if last - first > 1 else 0
        for number in range(first, last):
            row = stored.row(number)
            if number == first:
                put(row, 0, n_shared, group, 0)
            n_questions += 1
            put(row, n_shared, len(row["input_ids"]), group, n_questions)
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def _single(stored: Stored, used: Integers) -> tuple[Integers, Integers, Integers]:
    """Make every used example a unit; return for each unit its first example, its last + 1, its tokens."""
    first = np.flatnonzero(used).astype(np.int32)
    return first, first + 1, stored.n_all[first]


def _units(stored: Stored, used: Integers, max_length: int) -> tuple[Integers, Integers, Integers]:
    """Join consecutive examples that share their first tokens into units that fit into a row."""
    first: list[int] = []
    last: list[int] = []
    sizes: list[int] = []
    before = -1
    columns = (used, stored.n_all, stored.n_shared, stored.group)
    for start in range(0, len(used), BLOCK):
        some = zip(*(column[start : start + BLOCK].tolist() for column in columns), strict=True)
        for number, (is_kept, n_all, n_shared, group) in enumerate(some, start):
            if not is_kept:
                continue
            n_single = n_all - n_shared
            if group == before and last[-1] == number and sizes[-1] + n_single <= max_length:
                last[-1] += 1
                sizes[-1] += n_single
            else:
                first.append(number)
                last.append(number + 1)
                sizes.append(n_all)
                before = group
    return np.array(first, np.int32), np.array(last, np.int32), np.array(sizes, np.int64)


def _packed(sizes: Integers, max_length: int, seed: int) -> tuple[Integers, Integers]:
    """Pack units into rows of at most `max_length` tokens; return each row's start and the order of units."""
    order = np.random.default_rng(seed).permutation(len(sizes)).astype(np.int32)
    starts, units = [0], list[Integers]()
    for at in range(0, len(order), WINDOW):
        some = order[at : at + WINDOW]
        for row in best_fit(sizes[some].tolist(), max_length):
            units.append(some[row])
            starts.append(starts[-1] + len(row))
    return np.array(starts, np.int64), np.concatenate(units)
