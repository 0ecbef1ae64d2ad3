"""Compare the values of two runs: types, contents, and which places hold the same object.

differing_names(state_a, state_b) -> ["total", "xs"]      variables of the running functions that differ

The numbers of objects are not comparable between runs: two objects correspond if the same path leads to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from deskcheck.records import ObjectColumns, ObjectKind, Place, Trace, ValueColumns, ValueKind
from deskcheck.tracing.literal import set_order
from deskcheck.tracing.replay import HeapObject, State, summary_of


def common_events(a: Trace, b: Trace) -> int:
    """Return how many events at the beginning of two traces are the same, with the same changes.

    The states at these events are equal, so they need not be compared.
    """
    n_values = _common(*(_rows(trace.values, trace) for trace in (a, b)))
    n_objects = _common(*(_rows(trace.objects, trace) for trace in (a, b)))
    done = 0
    for at, (mine_row, other_row) in enumerate(zip(_event_rows(a), _event_rows(b), strict=False)):
        if mine_row != other_row:
            return at
        for row in range(done, mine_row[-1]):
            mine, theirs = _change(a, row), _change(b, row)
            is_object = mine[0] >= Place.ELEMENT
            if mine != theirs or max(mine[2], mine[5]) >= n_values or (is_object and mine[1] >= n_objects):
                return at
        done = mine_row[-1]
    return min(len(a.events.kind), len(b.events.kind))


def _common(a: Iterator[object], b: Iterator[object]) -> int:
    """Return the number of equal rows at the beginning."""
    equal = takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))
    return sum(1 for _ in equal)


def _rows(columns: ValueColumns | ObjectColumns, trace: Trace) -> Iterator[object]:
    """Yield the rows of a table with names in place of their numbers."""
    names = trace.names
    if isinstance(columns, ObjectColumns):
        rows = zip(columns.kind, columns.type, columns.text, strict=True)
        yield from ((kind, names[type_], names[text]) for kind, type_, text in rows)
        return
    for kind, number, real, data, type_ in zip(
        columns.kind, columns.number, columns.real, columns.data, columns.type, strict=True
    ):
        yield kind, number, real.hex(), data, names[type_]


def _event_rows(trace: Trace) -> Iterator[tuple[int, int, int, int]]:
    events = trace.events
    return zip(events.kind, events.frame, events.line, events.changes_end, strict=True)


def _change(trace: Trace, row: int) -> tuple[int, ...]:
    changes = trace.changes
    columns = (changes.place, changes.owner, changes.key, changes.index, changes.op, changes.value)
    return tuple(column[row] for column in columns)


_NAMED = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.GENERATOR)
_Pairs = list[tuple[int, int]]


def differing_names(a: State, b: State, *, any_function: bool = False) -> list[str]:
    """Return the names whose values differ, in the order of the first state.

    If the running functions have different names, the result is empty, unless `any_function` is set.
    """
    tables = [_names(state) for state in (a, b)]
    if not any_function and a.trace.codes[a.top.code].name != b.trace.codes[b.top.code].name:
        return []
    comparison = _Comparison(a, b)
    differing = []
    for name in dict.fromkeys([*tables[0], *tables[1]]):
        mine, other = tables[0].get(name), tables[1].get(name)
        if mine is None or other is None or not comparison.is_same(mine, other):
            differing.append(name)
    return differing


def _names(state: State) -> dict[str, int]:
    """Return the variables of the running function and of its module, without names such as __file__."""
    frame = state.top
    module = state.modules.get(state.trace.codes[frame.code].file, {})
    shown = {name: handle for name, handle in module.items() if not name.startswith("__")}
    return shown | frame.bindings


class _Comparison:
    """Comparison of two states. Objects that were paired once stay paired in later comparisons."""

    def __init__(self, a: State, b: State) -> None:
        self._a, self._b = a, b
        self._partners: dict[int, int] = {}
        self._taken: dict[int, int] = {}

    def is_same(self, mine: int, other: int) -> bool:
        """Whether two values are the same, as far as they were recorded."""
        waiting: _Pairs = [(mine, other)]
        while waiting:
            left, right = waiting.pop()
            held, partner = self._a.object(left), self._b.object(right)
            if held is None or partner is None:
                if (held is None) != (partner is None) or _scalar(self._a, left) != _scalar(self._b, right):
                    return False
                continue
            known, taken = self._partners.get(held.number), self._taken.get(partner.number)
            if known is not None or taken is not None:
                if known != partner.number or taken != held.number:
                    return False
                continue
            self._partners[held.number], self._taken[partner.number] = partner.number, held.number
            pairs = self._parts(held, partner)
            if pairs is None:
                return False
            waiting += pairs
        return True

    def _parts(self, mine: HeapObject, other: HeapObject) -> _Pairs | None:
        """Return the pairs of values inside two objects; None if the objects differ by type, text or size."""
        if (mine.kind, mine.type) != (other.kind, other.type):
            return None
        if mine.kind in _NAMED or mine.kind is ObjectKind.OPAQUE:
            same = mine.text == other.text and summary_of(self._a.trace, mine) == summary_of(
                self._b.trace, other
            )
            return [] if same else None
        if len(mine.items) != len(other.items):
            return None
        pairs = list(zip(mine.items, other.items, strict=True))
        for table, partner in ((mine.entries, other.entries), (mine.attributes, other.attributes)):
            if len(table) != len(partner):
                return None
            keys, others = list(table), list(partner)
            if mine.kind in (ObjectKind.SET, ObjectKind.FROZENSET) and table is mine.entries:
                keys, others = (
                    set_order(self._a.trace, self._a, keys),
                    set_order(self._b.trace, self._b, others),
                )
            pairs += zip(keys, others, strict=True)
            pairs += [(table[k], partner[o]) for k, o in zip(keys, others, strict=True)]
        return pairs


def _scalar(state: State, handle: int) -> tuple[object, ...]:
    values = state.trace.values
    kind = values.kind[handle]
    data = b"".join(_data(state, handle)) if kind in _TEXTS else values.data[handle]
    number = 0 if kind in _TEXTS else values.number[handle]
    is_text = ValueKind.STR if kind in _TEXTS else kind
    return is_text, number, values.real[handle].hex(), data, state.trace.names[values.type[handle]]


_TEXTS = (ValueKind.STR, ValueKind.CONCAT)


def _data(state: State, handle: int) -> Iterator[bytes]:
    """Yield the parts of a text; a long text can be stored as a beginning and a rest."""
    values = state.trace.values
    parts = []
    while values.kind[handle] == ValueKind.CONCAT:
        parts.append(values.data[handle])
        handle = values.number[handle]
    parts.append(values.data[handle])
    yield from reversed(parts)
