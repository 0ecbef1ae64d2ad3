"""What is known of one heap object between two events, and what writing its changes needs.

Entry          number, kind, contents at the last event; holds the object only where that is harmless
Recording      the part of the heap that the writing of differences (`deltas`) asks for
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from deskcheck.tracing import iterators
from deskcheck.tracing.columns import Columns
from deskcheck.tracing.shapes import Shape


class Entry:
    """What is known of one object: its number and its contents at the last event."""

    __slots__ = (
        "address", "attributes", "cut", "depth", "handle", "held", "items", "keys", "kids", "memo", "number",
        "pins", "raw", "scalars_only", "shape", "stamp", "type_address", "weak",
    )  # fmt: skip

    def __init__(self, value: object, number: int, handle: int, shape: Shape) -> None:
        self.address = id(value)
        self.type_address = id(type(value))
        self.number = number
        self.handle = handle
        self.shape = shape
        self.stamp = 0
        self.depth = 0
        self.held: object = None  # the object itself, for plain containers
        self.weak: Callable[[], object] | None = None
        self.raw: object = None  # addresses of the contents
        self.keys: list[int] = []
        self.items: list[int] = []
        self.attributes: dict[int, int] = {}
        self.kids: list[Entry] = []
        self.pins: object = None  # scalars that the addresses in raw stand for
        self.scalars_only = False
        self.memo: iterators.Memo = {}
        self.cut = False  # something in it was too deep or too much

    def get(self) -> object:
        """The object, or None where that cannot be known from here."""
        if self.held is not None:
            return self.held
        return self.weak() if self.weak is not None else None

    def is_of(self, value: object) -> bool:
        """Whether the value at this entry's address is still the object it was made for."""
        if self.held is not None:
            return self.held is value
        if self.weak is not None:
            return self.weak() is value
        return self.type_address == id(type(value))


class Recording(Protocol):
    """Hands out handles and takes changes."""

    columns: Columns
    scalars: dict[int, Callable[..., int]]

    def handle(self, value: object) -> int:
        """Handle of a value; objects are reached by it."""

    def entry_of(self, handle: int) -> Entry | None:
        """Entry that a reference stands for."""
