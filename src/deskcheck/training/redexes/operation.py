"""Define a primitive operation, and a redex (the operation on literal operands) with its answer."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from deskcheck.training.redexes.values import Drawer

Draw = Callable[[Drawer], str]
"""Function that draws the text of a redex: `len([3, 5, 7])`."""


class Operation(Struct, frozen=True):
    """A primitive operation: a row in the tables of scores."""

    name: str
    """Name in the tables: `s.count(c)`."""
    draw: Draw
    mutates: bool = False
    """Whether it changes its operand; its answer then has the returned value and the change."""
    sizes: tuple[str, ...] = ("short", "middle", "long")
    """Sizes of operands for which it is drawn."""


class Redex(Struct, frozen=True):
    """A drawn operation with its answer."""

    operation: str
    text: str
    """Text before the arrow."""
    working: str
    """Working, which the value follows after " = "; "" = none."""
    value: str
    change: str = ""
    """Change by an operation that mutates, as Python assignments."""

    @property
    def answer(self) -> str:
        """Text that a model writes after the arrow."""
        value = f"{self.working} = {self.value}" if self.working else self.value
        return f"{value}; {self.change}" if self.change else value
