"""Languages: what everything but a tracer knows of a program's text, from one plug-in for each language.

    facts(program)                  -> Facts(loops=[Loop(3, 4, 5, ..)], assigned={4: ["s"]}, ..)
    part("python", "read")("[1]")   -> [1]
    part("acme-count", "measures")  raises MissingPart: "acme-count has no measures"

A language is a file or folder `languages/NAME`, or an entry point in the group `deskcheck.languages`, named
like `Program.language`. `PARTS` lists what it may offer. A question, a page or a table that needs a part
which a language does not have says so by `MissingPart`, and does without. The tracer of a language is a
plug-in of its own (`tracers/`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import Program

PARTS = {
    "facts": "facts(source) -> Facts: statements, loops, branches and assigned names, by lines",
    "read": "read(text, *, most) -> the value of one literal; BadSource says why a text is none",
    "write": "write(value) -> the literal of a value that `read` makes",
    "same": "same(a, b, *, policy, tolerance) -> whether two values are one answer under a policy",
}
"""Name of each part of a language -> its signature and what it gives."""


class MissingPart(UserError):
    """Raised if a language does not offer a part; reports count the text as a reason."""

    def __init__(self, language: str, name: str) -> None:
        super().__init__(f"{language} has no {name}")


class Loop(Struct, frozen=True):
    """One loop statement of the source."""

    line: int
    body: int
    """First line of its body."""
    end: int
    """Last line of its body."""
    endless: bool
    """Whether its condition is a constant: `while True`."""
    variable: str
    """Target of a `for`, if it is a name; of a `while`, the first tested name that its body sets; else ""."""


Branch = tuple[int, int, int]
"""Line of a condition, first and last line of the body that runs if it is true."""


class Facts(Struct, frozen=True, kw_only=True):
    """Facts about the text of a program, by line numbers from 1. They cover every line of a trace."""

    first_lines: dict[int, int] = {}
    """Line -> first line of its statement or header, for statements that have several line events."""
    counted_once: frozenset[int] = frozenset()
    """First lines of those statements, which are visited once for all their line events."""
    statement_lines: list[int] = []
    """First lines of the statements in functions that a call can reach."""
    decisions: frozenset[int] = frozenset()
    """Lines after which a run can continue in two ways: conditions and loops."""
    loops: list[Loop] | None = []
    """All loops by line; None if the iterations of one of them cannot be counted line by line."""
    branches: list[Branch] | None = []
    """All branches by line; None if lines do not show the outcome of one of them."""
    conditions: list[Branch] | None = []
    """Branches, and loops with a condition; None if lines do not show them."""
    assigned: dict[int, list[str]] = {}
    """Line -> variables that its statement assigns, without those that get a constant."""
    may_break_off: bool = False
    """Whether a line may begin and not end, as with an exception that is caught, or a generator."""
    definitions: frozenset[int] = frozenset()
    """Lines at which a function or a class is defined."""
    inline: frozenset[int] = frozenset()
    """Lines of functions that are part of a statement: lambdas and comprehensions."""
    inline_names: tuple[str, ...] = ()
    """Endings of the names that a trace gives to such functions."""
    handlers: frozenset[int] = frozenset()
    """Lines at which a function continues after an exception."""
    one_line_loops: frozenset[int] = frozenset()
    """Lines of loops whose body is on the same line."""


def names() -> list[str]:
    """List the languages that are installed."""
    return plugins.names("language")


@cache  # asked for every answer that is compared
def part(language: str, name: str) -> Any:
    """Return one part of a language. MissingPart if the language or the part does not exist."""
    try:
        module = plugins.load("language", language)
    except UnknownName:
        raise MissingPart(language, name) from None
    offered = getattr(module, name, None)
    if offered is None:
        raise MissingPart(language, name)
    return offered


def facts(program: Program) -> Facts:
    """Return the facts about a program's source."""
    return facts_of(program.source, program.language)


@lru_cache(maxsize=256)
def facts_of(source: str, language: str = "python") -> Facts:
    """Return the facts about a source; they are made once for all questions about it."""
    made: Facts = part(language, "facts")(source)
    return made
