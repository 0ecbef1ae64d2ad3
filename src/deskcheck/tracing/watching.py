"""Know objects by number, without keeping them alive where that can be done.

Watching       what the heap asks: `_native.Watch` says when an object dies
Holding        the same where there is no extension
"""

from __future__ import annotations

import weakref
from typing import Protocol


class Watching(Protocol):
    """Knows objects by number and says which have died: `_native.Watch`, or `Holding`."""

    def add(self, value: object, /) -> int:
        """Number of a new object, counted from 0."""

    def number(self, value: object, /) -> int:
        """Number of a known object, else -1."""

    def get(self, number: int, /) -> object:
        """The object; None where it is dead or being taken apart."""

    def forget(self, value: object, /) -> None:
        """Treat a known object as dead."""

    def died(self) -> list[int]:
        """Numbers of those that have died since the last call."""

    def close(self) -> None:
        """Stop reporting the deaths of objects."""


class Holding:
    """Without the extension: an object that allows it is known by a weak reference, any other one is held.

    What is held lives until the trace is over, and so do the objects in it.
    """

    def __init__(self) -> None:
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}
        self._died: list[int] = []

    def add(self, value: object) -> int:
        """Number of a new object."""
        number, address = len(self._objects), id(value)

        def died(_reference: object) -> None:
            if self._numbers.get(address) == number:
                del self._numbers[address]
                self._died.append(number)

        weak = _weak_offset(type(value)) != 0
        self._objects.append(weakref.ref(value, died) if weak else value)
        self._numbers[address] = number
        return number

    def number(self, value: object) -> int:
        """Number of a known object, else -1."""
        number = self._numbers.get(id(value), -1)
        return number if number >= 0 and self.get(number) is value else -1

    def get(self, number: int) -> object:
        """The object; None where it is dead."""
        found = self._objects[number]
        return found() if type(found) is weakref.ref else found

    def forget(self, value: object) -> None:
        """Treat a known object as dead."""
        self._died.append(self._numbers.pop(id(value)))

    def died(self) -> list[int]:
        """Numbers of those that have died since the last call."""
        died, self._died = self._died, []
        return died

    def close(self) -> None:
        """Let go of every object that is held."""
        self._objects.clear()
        self._numbers.clear()


_weak_offset = type.__dict__["__weakrefoffset__"].__get__
