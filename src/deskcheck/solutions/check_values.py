"""Plain values as bytes, by exact type, without running any code of a program's.

    unpack_value(pack_value((1, [2.5, "a"]))) -> (1, [2.5, "a"])
    unpack_value(pack_value(object()))        -> Opaque("object")

What is no plain built-in, down to its elements, crosses as its type's name and comes out as an `Opaque`,
which equals nothing and does nothing. Aliasing and cycles are not kept: a cycle is too deep and so opaque.
"""

from __future__ import annotations

import collections
import struct
from collections.abc import Iterable
from typing import Any

import msgspec

DEPTH = 64
NODES = 1_000_000
_FLOAT = struct.Struct("!d")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_CONTAINERS: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
_MAKE = {name: kind for kind, name in _CONTAINERS.items()}
_NAMED = {"None": None, "True": True, "False": False, "...": ..., "NotImplemented": NotImplemented}
# They equal a dict of the same items, and cross as one.
_DICTS = (collections.Counter, collections.OrderedDict, collections.defaultdict)
_name_of = type.__dict__["__name__"].__get__


class Opaque:
    """Stands for a value that is not plain: equal to nothing, not even to itself."""

    __slots__ = ("type",)
    __hash__ = None  # type: ignore[assignment]  # Python's own way to say "no hash"

    def __init__(self, type: str) -> None:
        self.type = type

    def __eq__(self, other: object) -> bool:
        return False

    def __bool__(self) -> bool:
        raise TypeError(f"an object of type {self.type}, which is not plain, has no truth value here")


class NotPlain(Exception):
    """A value of which a part is not plain."""


def pack_value(value: object) -> bytes:
    """Bytes of a plain value, or of its type's name."""
    try:
        return _encode(_packed(value, DEPTH, [NODES]))
    except NotPlain:
        return _encode(["opaque", _name_of(type(value))])


def unpack_value(data: bytes) -> object:
    """The value, made of plain built-ins only. ValueError for bytes that `pack_value` does not write."""
    try:
        return _unpacked(_decode(data), DEPTH)
    except (msgspec.MsgspecError, TypeError, KeyError, struct.error, UnicodeError) as error:
        raise ValueError(f"no packed value: {type(error).__name__}") from None


def _packed(value: Any, depth: int, room: list[int]) -> list[object]:
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    room[0] -= 1
    if depth < 0 or room[0] < 0:
        raise NotPlain
    if value is None or value is True or value is False or value is ... or value is NotImplemented:
        return ["name", "..." if value is ... else repr(value)]
    if kind is int:
        return ["int", hex(value)]
    if kind is float:
        return ["float", _FLOAT.pack(value)]
    if kind is complex:
        return ["complex", _FLOAT.pack(value.real), _FLOAT.pack(value.imag)]
    if kind is str:
        return ["str", value.encode("utf-8", "surrogatepass")]
    if kind is bytes:
        return ["bytes", value]
    if kind is dict or kind in _DICTS:
        pairs: list[tuple[object, object]] = list(dict.items(value))
        return ["dict", [[_packed(one, depth - 1, room) for one in pair] for pair in pairs]]
    if kind in _CONTAINERS:
        items: Iterable[object] = value
        return [_CONTAINERS[kind], [_packed(item, depth - 1, room) for item in items]]
    raise NotPlain


def _unpacked(node: object, depth: int) -> object:
    if type(node) is not list or not node or depth < 0:
        raise ValueError("no packed value")
    match node:
        case ["name", str(name)]:
            return _NAMED[name]
        case ["int", str(text)]:
            return int(text, 16)
        case ["float", bytes(data)]:
            return _FLOAT.unpack(data)[0]
        case ["complex", bytes(real), bytes(imaginary)]:
            return complex(_FLOAT.unpack(real)[0], _FLOAT.unpack(imaginary)[0])
        case ["str", bytes(data)]:
            return data.decode("utf-8", "surrogatepass")
        case ["bytes", bytes(data)]:
            return data
        case ["opaque", str(name)]:
            return Opaque(name)
        case ["dict", list(pairs)]:
            return {_unpacked(key, depth - 1): _unpacked(item, depth - 1) for key, item in pairs}
        case [str(name), list(items)] if name in _MAKE:
            return _MAKE[name](_unpacked(item, depth - 1) for item in items)
    raise ValueError("no packed value")
