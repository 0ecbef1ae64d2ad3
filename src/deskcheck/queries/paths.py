"""Paths to values inside the objects of a run: a variable's name, then items and attributes.

path_of("node.next.items[-1]").find(state, handle_of_node) -> handle, -1 if there is none
path_of("xs[0]").rows(run, state, handle_of_xs, event)     -> writes of that place, latest first

A handle is the number of a value in the trace.
"""

from __future__ import annotations

import re

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.languages import part
from deskcheck.queries.run import Run, Write
from deskcheck.records import ObjectKind, Op, Place
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.replay import HeapObject, State

_NAME = re.compile(r"\s*([^\W\d]\w*)")
_ATTRIBUTE = re.compile(r"\.\s*([^\W\d]\w*)")
_ITEM = re.compile(r"""\[\s*(-?\d+|'[^']*'|"[^"]*"|True|False|None)\s*\]""")
_NO_KEY = object()


class Path(Struct, frozen=True):
    """A variable's name and the items and attributes behind it."""

    text: str
    name: str
    parts: list[tuple[str, object]]
    """("item", key) or ("attribute", name)."""

    def __str__(self) -> str:
        return self.text

    def follow(self, state: State, handle: int) -> int:
        """Return the handle that the path leads to. UserError if it leads nowhere."""
        reached = self.find(state, handle)
        if reached < 0:
            raise UserError(f"there is no {self.text} in {self.name} there")
        return reached

    def find(self, state: State, handle: int) -> int:
        """Return the handle that the path leads to, -1 if it leads nowhere."""
        for kind, key in self.parts:
            held = state.object(handle) if handle >= 0 else None
            if held is None:
                return -1
            handle = _attribute(state, held, str(key)) if kind == "attribute" else _item(state, held, key)
        return handle

    def rows(self, run: Run, state: State, handle: int, event: int) -> list[Write]:
        """Return the writes of the last part's place up to an event, the latest first."""
        outer = Path(self.text, self.name, self.parts[:-1]).find(state, handle)
        held = state.object(outer) if outer >= 0 else None
        if held is None:
            return []
        kind, key = self.parts[-1]
        writes = run.object_writes(held.number, before=event)
        if kind == "item" and isinstance(key, int) and held.kind in _SEQUENCES:
            return _element_writes(run, list(writes), key if key >= 0 else key + len(held.items))
        names = [row for row in held.entries | held.attributes if _key(state, row) == key]
        keys = run.trace.changes.key
        return [write for write in writes if keys[write.change] in names]


def path_of(text: str, language: str = "python") -> Path:
    """Read a path. UserError if the text is no path."""
    match = _NAME.match(text)
    if not match:
        raise UserError(f"'{text}' is no variable; for example: total, xs[0], node.next, table['k']")
    at, parts = match.end(), []
    while at < len(text.rstrip()):
        attribute, item = _ATTRIBUTE.match(text, at), _ITEM.match(text, at)
        if attribute:
            parts.append(("attribute", attribute[1]))
        elif item:
            parts.append(("item", part("python", "plain")(item[1])))
        else:
            raise UserError(
                f"'{text}' is no path from '{text[at:]}' on; for example: total, xs[0], node.next, table['k']"
            )
        at = (attribute or item).end()  # type: ignore[union-attr]  # one of them matched
    return Path(text.strip(), match[1], parts)


_SEQUENCES = (ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.ARRAY)


def _item(state: State, held: HeapObject, key: object) -> int:
    if held.kind in _SEQUENCES:
        is_inside = isinstance(key, int) and -len(held.items) <= key < len(held.items)
        return held.items[key] if is_inside and isinstance(key, int) else -1
    return next((value for row, value in held.entries.items() if _key(state, row) == key), -1)


def _attribute(state: State, held: HeapObject, name: str) -> int:
    for table in (held.attributes, held.entries if held.kind is not ObjectKind.DICT else {}):
        for row, value in table.items():
            if _key(state, row) == name:
                return value
    return -1


def _key(state: State, handle: int) -> object:
    if state.object(handle) is not None:
        return _NO_KEY
    try:
        return scalar(state.trace, handle)
    except (ValueError, KeyError, TypeError):
        return _NO_KEY


def _element_writes(run: Run, writes: list[Write], index: int) -> list[Write]:
    """Return the writes of one element, the latest first, although insertions and deletions moved it."""
    changes, rows = run.trace.changes, []
    for write in writes:
        if changes.place[write.change] != Place.ELEMENT:
            continue
        at, op = changes.index[write.change], changes.op[write.change]
        if at == index and op in (Op.SET, Op.INSERT):
            rows.append(write)
            if op == Op.INSERT:
                break
        elif op == Op.INSERT and at < index:
            index -= 1
        elif op == Op.DELETE and at <= index:
            index += 1
    return rows
