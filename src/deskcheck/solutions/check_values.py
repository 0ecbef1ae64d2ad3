"""Encode values as bytes, by exact type, without running any code of a program.

    unpack_value(pack_value((1, [2.5, "a"]))) -> (1, [2.5, "a"])
    unpack_value(pack_value(object()))        -> Opaque("object")
    unpack_value(data, refuse=..)             -> an object that calls `refuse` where its use is not known

These come back as they were: plain built-ins, `range`, `bytearray`, views of dictionaries, scalars of numpy,
`Fraction` and `Decimal`. `Counter`, `OrderedDict` and `defaultdict` come back as a dict. An instance of a
program's subclass of a built-in comes back as an instance of a stand-in class (class_values.py). Of any other
value only the type's name is encoded. Aliasing is lost, and a value inside itself is too deep.
"""

from __future__ import annotations

import collections
import importlib
import struct
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import msgspec

from deskcheck.solutions.class_values import (
    Refuse,
    base_of,
    is_compared_by_identity,
    raw_value,
    stand_in,
    unknown,
)
from deskcheck.tracing.access import type_dict
from deskcheck.tracing.shapes import is_heap_type

DEPTH = 64
NODES = 1_000_000
"""A value nested deeper than DEPTH levels, or with more than NODES parts, is encoded as its type's name
alone."""
_FLOAT = struct.Struct("!d")
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder().decode
_CONTAINERS: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
_MAKE = {name: kind for kind, name in _CONTAINERS.items()}
_NAMED = {"None": None, "True": True, "False": False, "...": ..., "NotImplemented": NotImplemented}
# Subclasses that equal a dict with the same items. They are encoded as a dict.
_DICTS = (collections.Counter, collections.OrderedDict, collections.defaultdict)
_name_of = type.__dict__["__name__"].__get__
# Read without the classes, whose methods a program can replace.
_numerator = Fraction.__dict__["_numerator"].__get__
_denominator = Fraction.__dict__["_denominator"].__get__
_decimal_text = Decimal.__str__
_VIEWS = {"keys": type({}.keys()), "values": type({}.values()), "items": type({}.items())}
_NUMPY = frozenset(
    """bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64
    complex128""".split()
)


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
    """Raised for a value that is too large, or that has a part of an unknown type."""


def pack_value(value: object) -> bytes:
    """Encode a value, or only the name of its type if it is too large or has a part of an unknown type."""
    try:
        return _encode(_packed(value, DEPTH, [NODES]))
    except NotPlain:
        kind = type(value)
        # "thing": its class has no __eq__ of its own, so it equals nothing but itself.
        return _encode(["thing" if is_compared_by_identity(kind) else "opaque", _name_of(kind)])


def unpack_value(data: bytes, *, refuse: Refuse | None = None) -> object:
    """Decode a value. ValueError for bytes that `pack_value` does not write.

    `refuse` gets the name of a type and raises an exception. It is called when the decoded value is used in a
    way whose result is not known. Without `refuse`, a value of an unknown type becomes an `Opaque`.
    """
    try:
        return _unpacked(_decode(data), DEPTH, refuse)
    except (msgspec.MsgspecError, TypeError, KeyError, struct.error, UnicodeError) as error:
        raise ValueError(f"no packed value: {type(error).__name__}") from None
    except (ArithmeticError, InvalidOperation) as error:
        raise ValueError(f"no packed number: {type(error).__name__}") from None


def _packed(value: Any, depth: int, room: list[int]) -> list[object]:
    """Return the nodes of a value. `room` holds the number of parts that are left; NotPlain if none is."""
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
        return ["dict", [[_packed(part, depth - 1, room) for part in pair] for pair in pairs]]
    if kind in _CONTAINERS:
        items: Iterable[object] = value
        return [_CONTAINERS[kind], [_packed(item, depth - 1, room) for item in items]]
    return _packed_rarer(value, kind, depth, room)


def _packed_rarer(value: Any, kind: type, depth: int, room: list[int]) -> list[object]:
    """Encode a value of a type that is no plain built-in. NotPlain if that cannot be done exactly."""
    if kind is Fraction:
        return ["fraction", *(_packed(part(value), 0, room) for part in (_numerator, _denominator))]
    if kind is Decimal:
        return ["decimal", _decimal_text(value)]
    if kind is range:
        return ["range", *(_packed(part, 0, room) for part in (value.start, value.stop, value.step))]
    if kind is bytearray:
        return ["bytearray", bytes(value)]
    for name, view in _VIEWS.items():
        if kind is view:
            return ["view", name, [_packed(item, depth - 1, room) for item in value]]
    if (name := _numpy_name(kind)) in _NUMPY:
        return ["numpy", name, memoryview(value).tobytes()]
    if (base := base_of(kind)) is not None:
        return ["like", _name_of(kind), _packed(raw_value(value, base), depth - 1, room)]
    raise NotPlain


def _numpy_name(kind: type) -> str:
    """Return the name of a type of numpy that was made in C, without asking a module; "" for any other."""
    if is_heap_type(kind) or type_dict(kind).get("__module__", type.__dict__["__module__"].__get__(kind)) != (
        "numpy"
    ):
        return ""
    return str(_name_of(kind))


def _unpacked(node: object, depth: int, refuse: Refuse | None) -> object:
    """Decode one node. ValueError, or an error that `unpack_value` turns into one."""
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
        case ["opaque" | "thing" as how, str(name)]:
            return unknown(name, refuse, has_identity=how == "thing") if refuse else Opaque(name)
        case ["dict", list(pairs)]:
            return {
                _unpacked(key, depth - 1, refuse): _unpacked(item, depth - 1, refuse) for key, item in pairs
            }
        case [str(name), list(items)] if name in _MAKE:
            return _MAKE[name](_unpacked(item, depth - 1, refuse) for item in items)
    return _unpacked_rarer(node, depth, refuse)


def _unpacked_rarer(node: list[object], depth: int, refuse: Refuse | None) -> object:
    """Decode what `_packed_rarer` writes."""
    match node:
        case ["fraction", ["int", str(above)], ["int", str(below)]]:
            return Fraction(int(above, 16), int(below, 16))
        case ["decimal", str(text)]:
            return Decimal(text)
        case ["range", ["int", str(start)], ["int", str(stop)], ["int", str(step)]] if int(step, 16):
            return range(int(start, 16), int(stop, 16), int(step, 16))
        case ["bytearray", bytes(data)]:
            return bytearray(data)
        case ["view", str(name), list(items)]:
            return _view(name, [_unpacked(item, depth - 1, refuse) for item in items])
        case ["numpy", str(name), bytes(data)] if name in _NUMPY:
            return _numpy_scalar(name, data, refuse)
        case ["like", str(name), inner]:
            value = _unpacked(inner, depth - 1, refuse)
            return stand_in(name, value, refuse) if refuse else Opaque(name)
    raise ValueError("no packed value")


def _view(name: str, items: list[Any]) -> object:
    if name == "keys":
        return dict.fromkeys(items).keys()
    if name == "values":
        return dict(enumerate(items)).values()
    if name == "items":
        return dict(items).items()
    raise ValueError("no packed value")


def _numpy_scalar(name: str, data: bytes, refuse: Refuse | None) -> object:
    """Return a scalar of numpy; where that is not installed, a value of an unknown type."""
    try:
        numpy: Any = importlib.import_module("numpy")
    except ImportError:
        return unknown(name, refuse, has_identity=False) if refuse else Opaque(name)
    scalars = numpy.frombuffer(data, numpy.dtype(name.rstrip("_")))
    if len(scalars) != 1:
        raise ValueError(f"no packed value: {len(data)} bytes for one {name}")
    return scalars[0]
