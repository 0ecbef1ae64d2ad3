"""Rewrite the program of a task so that its text changes and its results do not.

    perturb(program, "rename") -> Program, or None if there is nothing to change
    PERTURBATIONS              their names; `languages/python/perturb.py` explains them

`truth.py` executes both programs and drops the pair if their answers differ.
"""

from __future__ import annotations

from deskcheck.languages import MissingPart, part
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

PERTURBATIONS = ("rename", "misleading-names", "reformat", "dead-code", "misleading-comment")


def perturb(program: Program, name: str) -> Program | None:
    """Return the program changed by one of PERTURBATIONS.

    None if its language has no such change, or if there is nothing to change in its text.
    """
    try:
        change = part(program.language, "PERTURBATIONS")[name]
        source = change(program)
    except (MissingPart, KeyError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if source == program.source:
        return None
    return make_program(
        source,
        program.entry,
        program.arguments,
        origin=f"{program.origin}+{name}",
        license=program.license,
        prelude=program.prelude,
        language=program.language,
    )
