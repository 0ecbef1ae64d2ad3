"""Make the program of a task that does the same with another text; the language rewrites it.

    perturb(program, "rename") -> Program, or None if there is nothing to change
    PERTURBATIONS              their names; `languages/python/perturb.py` explains them

`evaluation` executes both programs and drops a pair that answers differently.
"""

from __future__ import annotations

from deskcheck.languages import MissingPart, part
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

PERTURBATIONS = ("rename", "misleading-names", "reformat", "dead-code", "misleading-comment")


def perturb(program: Program, name: str) -> Program | None:
    """Return the program changed by one of PERTURBATIONS; None if its language or its text has nothing."""
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
        licence=program.licence,
        prelude=program.prelude,
        language=program.language,
    )
