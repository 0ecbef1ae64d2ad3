"""What is known of one heap object between two events, and what writing its changes needs.

Entry          number, kind, contents at the last event; it does not hold the object
Recording      the part of the heap that the writing of differences (`deltas`) asks for
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from deskcheck.tracing import readers
from deskcheck.tracing.reference.columns import Columns
from deskcheck.tracing.shapes import Shape


class Entry:
    """What is known of one object: its number and its contents at the last event."""

    __slots__ = (
        "attributes", "cut", "depth", "handle", "items", "keys", "memo", "n_deaths", "number", "pins", "raw",
        "scalars_only", "seen", "shape",
    )  # fmt: skip

    def __init__(self, number: int, handle: int, shape: Shape, depth: int) -> None:
        self.number = number
        self.handle = handle
        self.shape = shape
        self.depth = depth
        """Steps from a name at its first sight."""
        self.seen = False  # has been looked into
        self.raw: object = None  # addresses of the contents
        self.n_deaths = -1  # how many objects had died when they were read
        self.keys: list[int] = []
        self.items: list[int] = []
        self.attributes: dict[int, int] = {}
        self.pins: object = None  # scalars that the addresses in raw stand for
        self.scalars_only = False
        self.memo: readers.Memo = {}
        self.cut = False  # something in it was too deep or too much


class Recording(Protocol):
    """Hands out handles and takes changes."""

    columns: Columns
    scalars: dict[int, Callable[..., int]]

    def handle(self, value: object) -> int:
        """Handle of a value; objects are looked into from then on."""

    def is_reference(self, handle: int) -> bool:
        """Whether a handle stands for an object."""
