"""Remember a heap object between two events, so that its changes can be written.

Entry          number, kind, contents at the last event; it does not hold the object
HeapPart       the part of the heap that `deltas` needs to write changes
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from deskcheck.tracing import readers
from deskcheck.tracing.reference.columns import Columns
from deskcheck.tracing.shapes import Shape


class Entry:
    """Record of one object: its number and its contents at the last event."""

    __slots__ = (
        "attributes", "cut", "depth", "handle", "items", "keys", "memo", "n_deaths", "number", "pins", "raw",
        "scalars_only", "seen", "shape",
    )  # fmt: skip

    def __init__(self, number: int, handle: int, shape: Shape, depth: int) -> None:
        self.number = number
        self.handle = handle
        self.shape = shape
        self.depth = depth
        """Number of references between a name and the object when it was first seen."""
        self.seen = False  # its contents have been read
        self.raw: object = None  # addresses of the contents; of a bytearray or an array, its bytes
        self.n_deaths = -1  # number of objects that had died when the contents were read
        self.keys: list[int] = []  # of a dictionary
        self.items: list[int] = []  # of a sequence; values of a dictionary, members of a set
        self.attributes: dict[int, int] = {}
        self.pins: object = None  # scalars of the contents, kept alive so that their addresses stay taken
        self.scalars_only = False
        self.memo: readers.Memo = {}
        self.cut = False  # a part of it exceeded the limits of depth or number


class HeapPart(Protocol):
    """The part of a heap that returns handles and takes changes."""

    columns: Columns
    scalars: dict[int, Callable[..., int]]

    def handle(self, value: object) -> int:
        """Return the handle of a value; the contents of objects are recorded from then on."""

    def is_reference(self, handle: int) -> bool:
        """Whether a handle stands for an object."""
