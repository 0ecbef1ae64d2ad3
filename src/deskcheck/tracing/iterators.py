"""Read the position of built-in iterators without moving them.

    read(iterator, memo) -> [("source", list), ("position", 2)]      memo is kept per iterator

Only exact types of the standard library are read, through their C `__reduce__`, `__length_hint__` and
`gc.get_referents`; none of that runs the program's code or moves the iterator. Other iterators stay opaque.

`position` is the number of items already taken, for reversed ones the next index. An exhausted iterator has
neither source nor position. Set iterators also have "order": the members still to come when it was first
seen. Not covered: itertools (their `__reduce__` is deprecated), files, iterators written in C elsewhere.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

Pairs = list[tuple[str, object]]
Memo = dict[str, object]
IN_LOOP = "loop"  # memo key: first seen as the iterator of a running loop, so one item has been taken


def _reduced(iterator: object) -> tuple[Any, ...]:
    return type(iterator).__reduce__(iterator)  # type: ignore[return-value]  # an iterator's is a tuple


def _hint(iterator: Any) -> int:
    return type(iterator).__length_hint__(iterator)  # type: ignore[no-any-return]  # C's own: an int


def _sequence(iterator: object, _memo: Memo) -> Pairs:
    reduced = _reduced(iterator)
    # A reversed list that gave its first item is exhausted; before 3.13 its __reduce__ still names the list.
    if len(reduced) < 3 or reduced[2] < 0:
        return []
    return [("source", reduced[1][0]), ("position", reduced[2])]


def _deque(iterator: object, _memo: Memo) -> Pairs:
    source, position = _reduced(iterator)[1]
    return [("source", source), ("position", position)]


def _range(iterator: object, memo: Memo) -> Pairs:
    """3.12 moves the start of the iterator itself; there the first range is what it must have been."""
    reduced = _reduced(iterator)
    rest = reduced[1][0]
    index = reduced[2] if len(reduced) > 2 and isinstance(reduced[2], int) else 0
    if "source" not in memo:
        first = rest.start
        if sys.version_info >= (3, 12) and memo.get(IN_LOOP):
            first -= rest.step
        memo["source"] = range(first, rest.start + _count(rest) * rest.step, rest.step)
    source = memo["source"]
    assert isinstance(source, range)
    return [("source", source), ("position", _count(source) - (_count(rest) - index))]


def _count(source: range) -> int:
    """len(range) without its limit of 2**63."""
    step = source.step
    distance = source.stop - source.start if step > 0 else source.start - source.stop
    return max(0, -(-distance // abs(step)))


def _of_dict(iterator: object, _memo: Memo) -> Pairs:
    for source in gc.get_referents(iterator):
        if isinstance(source, dict):
            return [("source", source), ("position", dict.__len__(source) - _hint(iterator))]
    return []


def _of_set(iterator: object, memo: Memo) -> Pairs:
    for source in gc.get_referents(iterator):
        if isinstance(source, set | frozenset):
            if "order" not in memo:
                memo["order"] = tuple(_reduced(iterator)[1][0])
            order = memo["order"]
            assert isinstance(order, tuple)
            return [("source", source), ("order", order), ("position", len(order) - _hint(iterator))]
    return []


def _enumerate(iterator: object, _memo: Memo) -> Pairs:
    source, position = _reduced(iterator)[1]
    return [("source", source), ("position", position)]


def _zip(iterator: object, _memo: Memo) -> Pairs:
    return [(f"source{i}", source) for i, source in enumerate(_reduced(iterator)[1])]


def _map(iterator: object, _memo: Memo) -> Pairs:
    function, *sources = _reduced(iterator)[1]
    return [("function", function), *((f"source{i}", source) for i, source in enumerate(sources))]


def _filter(iterator: object, _memo: Memo) -> Pairs:
    function, source = _reduced(iterator)[1]
    return [("function", function), ("source", source)]


def _callable(iterator: object, _memo: Memo) -> Pairs:
    reduced = _reduced(iterator)
    if len(reduced[1]) < 2:
        return []
    function, sentinel = reduced[1]
    return [("function", function), ("sentinel", sentinel)]


class _OldSequence:
    def __getitem__(self, index: int) -> int:
        raise IndexError


def _types(*examples: Iterator[object]) -> list[type]:
    return [type(example) for example in examples]


def _readers() -> dict[type, Callable[[object, Memo], Pairs]]:
    empty: dict[int, int] = {}
    found: dict[type, Callable[[object, Memo], Pairs]] = {}
    sequences = _types(
        iter([]), iter(()), iter(""), iter("\u1234"), iter(b""), iter(bytearray()), iter(_OldSequence()),
        reversed([]), reversed("a"),
    )  # fmt: skip
    found.update(dict.fromkeys(sequences, _sequence))
    found.update(dict.fromkeys(_types(iter(deque()), reversed(deque())), _deque))
    found.update(dict.fromkeys(_types(iter(range(0)), iter(range(1 << 70))), _range))
    keys, values, items = empty.keys(), empty.values(), empty.items()
    found.update(dict.fromkeys(_types(iter(keys), iter(values), iter(items)), _of_dict))
    found.update(dict.fromkeys(_types(reversed(keys), reversed(values), reversed(items)), _of_dict))
    found.update(dict.fromkeys(_types(iter(set())), _of_set))
    found.update({enumerate: _enumerate, zip: _zip, map: _map, filter: _filter})
    found[type(iter(int, 0))] = _callable
    return found


READERS = {id(kind): reader for kind, reader in _readers().items()}  # by id: see values.py
