"""Make a function that begins in the middle of another: its own bytecode behind a few instructions of ours.

    reentering(code, Entry(offset=.., bindings=.., stack=..)) -> a function without arguments
    suspended(code, entry) -> a generator that is about to go on there

What stands in front binds the local variables, puts the cells where they belong, fills the value stack (loop
iterators, temporaries, the exception of a running handler) and jumps to the instruction. Line and exception
tables move along; the instructions in front have no line. If a call is pending, its outcome is fetched by an
operator in front, which the exception table covers as it covers the call itself: what it raises is handled
where the call's exception would be. CPython 3.11 to 3.14 (exception_handling_notes.txt, locations.md).
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType, CodeType, FunctionType, GeneratorType
from typing import Any

from deskcheck.records import Place
from deskcheck.tracing import codes
from deskcheck.tracing.codes import CodeFacts

HANDLED = "H"  # label of two slots: the exception of a handler that has not taken it from the stack yet
_OP = opcode.opmap
_CACHES = opcode._inline_cache_entries  # type: ignore[attr-defined]  # undocumented; dis uses it
_VARIADIC = 0x04 | 0x08  # CO_VARARGS, CO_VARKEYWORDS
# 3.12 asks how many try statements are around a yield (1 = none of the program's), to close without running.
_YIELD = 2 if sys.version_info[:2] == (3, 12) else 0
_AFTER_YIELD = 1


@dataclass(frozen=True)
class Entry:
    """Where and with what a frame goes on."""

    offset: int
    """Byte offset of the instruction to run next."""
    bindings: dict[str, object]
    cells: dict[str, CellType]
    """Own cells and those of enclosing functions, by name; a missing one is made."""
    stack: list[tuple[str, object]] = field(default_factory=list)
    """Bottom first: a label of `codes` and the value."""
    pending: Callable[[], object] | None = None
    """Fetches what is pushed on top of that: the outcome of the call that the frame waits for."""
    origin: int = -1
    """Offset of the instruction that waits, whose handlers are those of `pending`."""


class _Fetch:
    """`~self` is the outcome of a pending call: UNARY_INVERT is written alike on every version."""

    def __init__(self, outcome: Callable[[], object]) -> None:
        self._outcome = outcome

    def __invert__(self) -> object:
        return self._outcome()


def reentering(code: CodeType, entry: Entry, namespace: dict[str, object]) -> Callable[[], object]:
    """A function that runs the rest of the frame."""
    function, first = _function(code, entry, namespace, generator=False)
    return lambda: function(*first)


def suspended(
    code: CodeType, entry: Entry, namespace: dict[str, object], *, sent: bool
) -> GeneratorType[Any, Any, Any]:
    """A generator with that frame. `sent`: it waits in a yield, and what it is sent goes onto the stack."""
    function, first = _function(code, entry, namespace, generator=True, sent=sent)
    generator: GeneratorType[Any, Any, Any] = function(*first)
    next(generator)  # to the yield of ours, which fills the frame
    return generator


def _function(
    code: CodeType, entry: Entry, namespace: dict[str, object], *, generator: bool, sent: bool = False
) -> tuple[FunctionType, list[object]]:
    front = _Front(code, entry)
    if generator:
        front.add("RETURN_GENERATOR", 0)
        front.add("POP_TOP", 0)
    front.add("RESUME", 0)
    front.bind()
    for label, value in entry.stack:
        front.push(label, value)
    if generator:
        front.push(codes.VALUE, None)
        start = len(front.bytes)
        front.add("YIELD_VALUE", _YIELD)
        front.cover(start)
        front.add("RESUME", _AFTER_YIELD)
        if not sent:
            front.add("POP_TOP", 0)
    if entry.pending is not None:
        front.load(_Fetch(entry.pending))
        start = len(front.bytes)
        front.add("UNARY_INVERT", 0)
        front.cover(start)
    front.jump(entry.offset)
    made = code.replace(
        co_code=bytes(front.bytes) + code.co_code,
        co_consts=(*code.co_consts, *front.consts),
        co_stacksize=code.co_stacksize + 6,
        co_linetable=front.lines() + code.co_linetable,
        co_exceptiontable=front.handlers(),
        co_argcount=min(code.co_argcount, 1),
        co_posonlyargcount=0,
        co_kwonlyargcount=0,
        co_flags=code.co_flags & ~_VARIADIC,
    )
    free = tuple(entry.cells[name] for name in code.co_freevars)
    function = FunctionType(made, namespace, code.co_name, None, free or None)
    function.__qualname__ = code.co_qualname
    return function, [None] * made.co_argcount  # super() wants a first argument to be there


class _Front:
    """The instructions in front."""

    def __init__(self, code: CodeType, entry: Entry) -> None:
        self.bytes = bytearray()
        self.consts: list[object] = []
        self._code = code
        self._entry = entry
        self._covered: list[tuple[int, int]] = []
        if code.co_freevars:
            self.add("COPY_FREE_VARS", len(code.co_freevars))

    def add(self, name: str, argument: int) -> None:
        """One instruction, its long argument and its caches."""
        for shift in (24, 16, 8):
            if argument >> shift:
                self.bytes += bytes([_OP["EXTENDED_ARG"], argument >> shift & 255])
        self.bytes += bytes([_OP[name], argument & 255])
        n = _CACHES[_OP[name]] if isinstance(_CACHES, list) else _CACHES.get(name, 0)
        self.bytes += bytes(2 * n)

    def load(self, value: object) -> None:
        """Push an object. In a list: constants of some types would be interned, those of a list are not."""
        self.consts.append([value])
        self.add("LOAD_CONST", len(self._code.co_consts) + len(self.consts) - 1)
        self.add("UNPACK_SEQUENCE", 1)

    def bind(self) -> None:
        """Local variables and cells; unbound ones stay empty."""
        entry = self._entry
        facts = CodeFacts(self._code)
        unbound = [
            name for name in self._code.co_varnames[: self._code.co_argcount] if name not in entry.bindings
        ]
        for slot, name in enumerate(facts.names):
            place = facts.places[slot]
            if place is Place.FREE:
                continue
            if place is Place.CELL:
                self.load(entry.cells[name])
                self.add("STORE_FAST", slot)
            elif name in entry.bindings:
                self.load(entry.bindings[name])
                self.add("STORE_FAST", slot)
            elif name in unbound and slot == 0:
                self.add("DELETE_FAST", slot)

    def push(self, label: str, value: object) -> None:
        """One slot of the value stack."""
        if label == codes.NULL:
            self.add("PUSH_NULL", 0)
        elif label == codes.EXCEPTION:  # of a handler that has taken its exception from the stack
            self.load(value)
            self.add("PUSH_EXC_INFO", 0)
            self.add("POP_TOP", 0)
        elif label == HANDLED:
            self.load(value)
            self.add("PUSH_EXC_INFO", 0)
        else:
            self.load(value)

    def cover(self, start: int) -> None:
        """From there to here: handled as the instruction that waits is."""
        self._covered.append((start, len(self.bytes)))

    def jump(self, offset: int) -> None:
        """Over to the instruction of the code behind."""
        self.add("JUMP_FORWARD", offset // 2)  # counted from here, where the code behind begins

    def lines(self) -> bytes:
        """Location entries that say "no line", eight instructions each."""
        n = len(self.bytes) // 2
        sizes = [8] * (n // 8) + ([n % 8] if n % 8 else [])
        return bytes(0x80 | 15 << 3 | size - 1 for size in sizes)

    def handlers(self) -> bytes:
        """The exception table, moved, with the covered instructions of ours in front."""
        moved = len(self.bytes)  # of the whole front
        entries = list(codes.exception_handlers(self._code))
        own: list[tuple[int, int, int, int, bool]] = []
        at = self._entry.origin if self._entry.origin >= 0 else self._entry.offset
        for start, end, target, depth, lasti in entries:
            if start <= at < end:
                own += [(first, last, target + moved, depth, lasti) for first, last in self._covered]
        table = own + [
            (start + moved, end + moved, target + moved, d, lasti) for start, end, target, d, lasti in entries
        ]
        return b"".join(
            _varint(start // 2, first=True)
            + _varint((end - start) // 2)
            + _varint(target // 2)
            + _varint(depth << 1 | lasti)
            for start, end, target, depth, lasti in table
        )


def _varint(value: int, *, first: bool = False) -> bytes:
    """Six bits a byte, the highest first; bit 6 = more follow, bit 7 = an entry begins."""
    groups = [value & 63]
    while value := value >> 6:
        groups.append(value & 63)
    groups.reverse()
    out = [group | 64 for group in groups[:-1]] + groups[-1:]
    if first:
        out[0] |= 128
    return bytes(out)
