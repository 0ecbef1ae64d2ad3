"""List all primitive operations, draw redexes of them with their answers, and choose the held-out redexes.

redex(OPERATIONS["len(s)"], Drawer(Random(1))) -> (Redex("len(s)", "len('Pdg')", "", "3"), False)
"""

from __future__ import annotations

import re
import zlib

from deskcheck.corpus.interpreted import value_of
from deskcheck.languages import part
from deskcheck.training.redexes import containers, mutators, numbers, texts
from deskcheck.training.redexes.operation import Operation, Redex
from deskcheck.training.redexes.values import Drawer

OPERATIONS = {
    operation.name: operation
    for operation in (
        *numbers.OPERATIONS,
        *texts.OPERATIONS,
        *containers.OPERATIONS,
        *mutators.OPERATIONS,
    )
}
FIRST = (
    "a < b", "a > b", "a == b", "a + b", "len(s)", "s[i]", "s[-i]", "s[::-1]", "c in s", "t in s", "s == t",
    "s.upper()", "s.lower()", "s.split(t)", "s.count(c)", "len(xs)", "xs[i]", "xs[-i]", "max(xs)",
    "list(xs)",
)  # fmt: skip
"""The most basic operations: the set "first" of PRACTISED (`programs.py`)."""
EASY = ("len(s)", "s[i]", "s[::-1]", "c in s", "s.split(t)", "s.upper()", "a < b", "a + b")
HARDER = ("s == t", "xs[i]", "s.count(c)", "max(xs)")
FIRST_ASKED = {**dict.fromkeys(EASY, 0.95), **dict.fromkeys(HARDER, 0.85)}
"""Operation -> the share of right answers that the first gate (`gates.py`) asks for on short operands."""
HELD_OUT = 10
"""One of this many redexes is never trained on, by a hash of its text."""
FEWEST_CHARACTERS = 4
"""Fewest characters in the literals of a held-out redex; the few smaller redexes are all trained on."""
LONGEST = 400
"""Largest number of characters of an answer."""
_LITERALS = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\d+")


def redex(operation: Operation, drawer: Drawer) -> tuple[Redex, bool]:
    """Draw a redex of an operation; return it, and whether it is held out.

    A redex that raises, or whose answer is too long (LONGEST), is drawn again. The named values of the
    returned redex stay in the drawer's state.
    """
    while True:
        before = dict(drawer.state)
        text = operation.draw(drawer)
        plain = drawer.plain(text)
        value = _evaluated(operation, text, plain, drawer)
        if value is not None:
            return value, is_held_out(operation, plain)
        drawer.state = before


def _evaluated(operation: Operation, text: str, plain: str, drawer: Drawer) -> Redex | None:
    """Evaluate a redex; None if Python raises or the answer is too long."""
    try:
        if operation.mutates:
            (name,) = set(re.findall(r"\$\d+", text))
            value, change = mutators.executed(text, drawer.state[name])
            made = Redex(operation.name, text, "", value, change)
        else:
            made = Redex(operation.name, text, part("python", "working")(plain), repr(value_of(plain)))
    except (ValueError, IndexError, KeyError, TypeError, ZeroDivisionError, OverflowError):
        return None
    return made if len(made.answer) <= LONGEST else None


def is_sealed(plain: str) -> bool:
    """Whether a held-out redex is in the sealed half, which is asked once, when the weights are final."""
    return zlib.crc32(plain.encode()) // HELD_OUT % 2 == 1


def is_held_out(operation: Operation, plain: str) -> bool:
    """Whether a redex is never trained on. `plain`: its text with literals in place of names."""
    n_characters = sum(len(literal.strip("'\"")) for literal in _LITERALS.findall(plain))
    if n_characters < FEWEST_CHARACTERS:
        return False
    return zlib.crc32(plain.encode()) % HELD_OUT == 0
