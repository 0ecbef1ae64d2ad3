"""Encode plain values as bytes, by exact type, without running any code of a program.

    unpack_value(pack_value((1, [2.5, "a"]))) -> (1, [2.5, "a"])
    unpack_value(pack_value(object()))        -> Opaque("object")

If a value or one of its elements is no plain built-in, only the name of its type is encoded. It is decoded as
an `Opaque`, which equals nothing and has no behavior. Aliasing is lost, and a value inside itself becomes
opaque, because it is too deep.
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
# Subclasses that equal a dict with the same items. They are encoded as a dict.
_DICTS = (collections.Counter, collections.OrderedDict, collections.defaultdict)
_name_of = type.__dict__["__name__"].__get__


class Opaque:
    """Replacement of a value that is not plain; equal to nothing, not even to itself."""

    __slots__ = ("type",)
    __hash__ = None  # type: ignore[assignment]  # makes it unhashable

    def __init__(self, type: str) -> None:
        self.type = type

    def __eq__(self, other: object) -> bool:
        return False

    def __bool__(self) -> bool:
        raise TypeError(f"an object of type {self.type}, which is not plain, has no truth value here")


class NotPlain(Exception):
    """Raised for a value that has a part which is not plain."""


def pack_value(value: object) -> bytes:
    """Encode a plain value, or only the name of its type if it is not plain."""
    try:
        return _encode(_packed(value, DEPTH, [NODES]))
    except NotPlain:
        return _encode(["opaque", _name_of(type(value))])


def unpack_value(data: bytes) -> object:
    """Decode a value made of plain built-ins. ValueError for bytes that `pack_value` does not write."""
    try:
        return _unpacked(_decode(data), DEPTH)
    except (msgspec.MsgspecError, TypeError, KeyError, struct.error, UnicodeError) as error:
        raise ValueError(f"no packed value: {type(error).__name__}") from None


def _packed(value: Any, depth: int, room: list[int]) -> list[object]:
    kind = type(value)  # exact type; mypy cannot narrow `value` by it, hence Any
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
