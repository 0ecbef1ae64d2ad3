"""A value as a reader would write it, objects with their numbers.

    value_text(state, handle) -> "#3[1, #4{'a': 2}]"
    fitting_text(state, handle)     the same; what would be too long with fewer levels: "#3[#4{…}, #5{…}]"

`#3` names an object: two places with one number hold one object. What is too long with one level too, `short`
cuts in the middle.
"""

from __future__ import annotations

from collections.abc import Callable

from deskcheck.records import ObjectKind, ValueKind
from deskcheck.tracing.literal import int_text, scalar, set_order
from deskcheck.tracing.replay import HeapObject, State, text_of

_WIDTH = 160
_LEVELS = 7
_BRACKETS = {
    ObjectKind.LIST: "[]",
    ObjectKind.TUPLE: "()",
    ObjectKind.DICT: "{}",
    ObjectKind.SET: "{}",
    ObjectKind.FROZENSET: "{}",
    ObjectKind.ARRAY: "[]",
}
_PLAIN_NAMES = frozenset({"list", "tuple", "dict", "set"})
NAMED_ONLY = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE)


def value_text(state: State, handle: int) -> str:
    """The value with seven levels, however long that is."""
    return _Writer(state, _LEVELS).value(handle, set(), 0)


def fitting_text(state: State, handle: int) -> str:
    """The value with as many levels as fit on a line, one at least; no more than that is looked at."""
    return _fitting(state, lambda writer: writer.value(handle, set(), 0))


def _fitting(state: State, write: Callable[[_Writer], str]) -> str:
    text = ""
    for levels in range(1, _LEVELS + 1):
        writer = _Writer(state, levels)
        deeper = write(writer)
        if text and len(deeper) > _WIDTH:
            break
        text = deeper
        if not writer.has_cut or len(text) > _WIDTH:
            break
    return text


def object_text(state: State, number: int) -> str:
    """An object with as many levels as fit on a line."""
    return _fitting(state, lambda writer: writer.object(state.numbered(number), set(), 0))


def short(text: str) -> str:
    """The text, cut in the middle where it is longer than a line should be."""
    if len(text) <= _WIDTH:
        return text
    half = _WIDTH // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"


class _Writer:
    """Writes values down to a number of levels; `has_cut` says whether there are more."""

    def __init__(self, state: State, levels: int) -> None:
        self._state = state
        self._levels = levels
        self.has_cut = False

    def value(self, handle: int, above: set[int], depth: int) -> str:
        trace = self._state.trace
        kind = ValueKind(trace.values.kind[handle])
        if kind is ValueKind.REF:
            found = self._state.object(handle)
            assert found is not None
            return self.object(found, above, depth)
        if kind is ValueKind.TRUNCATED:
            what = trace.values.data[handle].decode("utf-8", "replace")
            type_name = trace.names[trace.values.type[handle]]
            return f"<{type_name}, {trace.values.number[handle]} {what}, not recorded>"
        if kind is ValueKind.OPAQUE:
            return trace.values.data[handle].decode("utf-8", "replace")
        value = scalar(trace, handle)
        return int_text(value) if type(value) is int else repr(value)

    def object(self, found: HeapObject, above: set[int], depth: int) -> str:
        """The object with its number, as deep as the levels go."""
        label = f"#{found.number}"
        if found.kind in (*NAMED_ONLY, ObjectKind.OPAQUE):
            return f"<{found.kind.name.lower()} {found.text or found.type}>"
        if found.number in above:
            return label
        below = above | {found.number}
        is_cut = depth >= self._levels and bool(found.items or found.entries)
        self.has_cut = self.has_cut or is_cut

        def inner(handle: int) -> str:
            return self.value(handle, below, depth + 1)

        if found.kind is ObjectKind.GENERATOR:
            return f"{label}<generator {found.text}>"
        if found.kind in _BRACKETS:
            return self._container(found, label, inner, is_cut=is_cut)
        fields = ["…"] if is_cut else [f"{self._name(key)}={inner(v)}" for key, v in found.entries.items()]
        return f"{label}{found.type}({', '.join(fields)})"

    def _name(self, key: int) -> str:
        return text_of(self._state.trace, key)

    def _container(self, found: HeapObject, label: str, inner: Callable[[int], str], *, is_cut: bool) -> str:
        opening, closing = tuple(_BRACKETS[found.kind])
        is_set = found.kind in (ObjectKind.SET, ObjectKind.FROZENSET)
        if is_set and not found.entries:
            return f"{label}{found.type}()"
        if is_cut:
            items = ["…"]
        elif found.kind is ObjectKind.DICT:
            items = [f"{inner(key)}: {inner(value)}" for key, value in found.entries.items()]
        elif is_set:
            order = set_order(self._state.trace, self._state, list(found.entries))
            items = [inner(member) for member in order]
        else:
            items = [inner(handle) for handle in found.items]
        if found.kind is ObjectKind.TUPLE and found.type == "tuple":
            return f"({items[0]},)" if len(items) == 1 and not is_cut else f"({', '.join(items)})"
        name = "" if found.type in _PLAIN_NAMES else found.type
        return f"{label}{name}{opening}{', '.join(items)}{closing}"
