"""Return the lines of a program that iterative prompting goes through, as the program's language reads them.

    units(program)       -> [Unit(1, 1, "def f(n):"), Unit(2, 2, "    s = 0"), Unit(3, 4, "    for ..")]
    first_line(program)  -> 2, the first line that the call executes in the entry
    statements(program)  -> {2, 3, 4, 5}, the lines of the entry on which a statement begins
    runnable(program)    -> also those on which a part of a longer statement begins
    return_lines(program) -> [5], the lines on which a return statement begins

If the entry is no function of the source (a lambda, an import), the whole module counts as its body.
"""

from __future__ import annotations

from functools import lru_cache

from deskcheck.languages import EntryLines, Unit, part
from deskcheck.records import Program


@lru_cache(maxsize=256)
def _entry(language: str, source: str, entry: str) -> EntryLines:
    lines: EntryLines = part(language, "entry")(source, entry)
    return lines


def _of(program: Program) -> EntryLines:
    return _entry(program.language, program.source, program.entry)


def units(program: Program) -> list[Unit]:
    """Return the pieces in textual order: statements of the module, and at their place those of the entry."""
    return _of(program).units


def first_line(program: Program) -> int:
    """Return the line of the first statement that the call executes; a docstring does not count."""
    return _of(program).first


def statements(program: Program) -> frozenset[int]:
    """Return the lines of the entry's own frame, without those of functions and classes inside it."""
    return _of(program).statements


def runnable(program: Program) -> frozenset[int]:
    """Return the lines that the entry's own frame can reach, parts of longer statements included."""
    return _of(program).runnable


def return_lines(program: Program) -> list[int]:
    """Return the lines of the entry on which a return statement begins."""
    return _of(program).returns
