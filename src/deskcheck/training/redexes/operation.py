"""One primitive operation: how its redexes are drawn, and what is written before its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from deskcheck.training.redexes.values import Drawer

Draw = Callable[[Drawer], str]
"""The text of a redex: `len([3, 5, 7])`."""
Working = Callable[..., str]
"""What is written between the redex and its value; it gets the operands' values."""


class Operation(Struct, frozen=True):
    """A row of the gates."""

    name: str
    """As people write it: `s.count(c)`."""
    draw: Draw
    mutates: bool = False
    """A method that changes its operand: answered by what it returns and by what changed."""
    sizes: tuple[str, ...] = ("short", "middle", "long")
    """Sizes that make a difference to it."""


class Redex(Struct, frozen=True):
    """A drawn operation with its answer."""

    operation: str
    text: str
    """Before the arrow."""
    working: str
    """"" = none; else the value follows it after " = "."""
    value: str
    change: str = ""
    """Of a method that mutates: what changed, as Python writes it."""

    @property
    def answer(self) -> str:
        """What a model writes after the arrow."""
        value = f"{self.working} = {self.value}" if self.working else self.value
        return f"{value}; {self.change}" if self.change else value


Evaluate = Callable[[str], Any]
