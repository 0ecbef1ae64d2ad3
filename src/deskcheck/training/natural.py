"""Give generated programs more natural strings (words, capitals, up to 60 characters) and annotations.

    natural(program, trace, Random(1)) -> (Program, Trace), or None

The result is None if nothing was changed, if a value outgrows its bounds, or if the new run does not return.

The generated families have short strings of lower-case letters in single quotes. A model should read more
than these, but the held-out programs of the families must not change. Strings are therefore drawn again for
training. A few assignments get a type annotation, as one in 80 lines of library functions has
(`measurements/line_coverage.py`).

Other strings change the run. For example, `while n: if 'z' in s: s += s` was drawn where no string holds a z;
with a z in `s`, it doubles the string until it takes gigabytes. The new run is therefore bounded before it is
traced.
"""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from deskcheck.corpus.expressions import Family
from deskcheck.corpus.plain_run import plain_steps
from deskcheck.corpus.rewriting import annotated, redrawn
from deskcheck.records import Program, Returned, Trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.redexes.values import SIZES, Drawer

SHARES = {"short": 0.7, "middle": 0.22, "long": 0.08}
"""Size of strings -> its share of the programs; all new strings of a program have one size.

Strings of less than two characters keep their text.
"""
ANNOTATED = 0.08
"""Share of the assignments of a literal that get a type annotation."""
BOUNDS = Family("natural", (0, 0), 10**30, 1_000, (0, 0), (0, 0), 0, 0.0)
"""Bounds of the values of a program with new strings; its steps are bounded by the limits of its trace."""


def natural(
    program: Program, trace: Trace, rng: Random, sizes: dict[str, float] | None = None
) -> tuple[Program, Trace] | None:
    """Return the program with other strings, and its trace; see the module's docstring for None.

    The program must be ours, because it runs in this process. `trace`: that of the old program, for its
    limits. `sizes`: size of strings -> share, in place of SHARES.
    """
    shares = sizes or SHARES
    drawer = Drawer(rng, SIZES[rng.choices(list(shares), list(shares.values()))[0]])

    def literal(value: str) -> str:
        return drawer.quoted(value) if len(value) < 2 else drawer.text()

    source = annotated(redrawn(program.source, literal), rng, share=ANNOTATED)
    arguments = redrawn(program.arguments, literal)
    if (source, arguments) == (program.source, program.arguments):
        return None
    made = make_program(source, program.entry, arguments, origin=program.origin, license=program.license)
    if plain_steps(made, replace(BOUNDS, steps=(0, trace.limits.max_steps))) < 0:
        return None
    run = trace_program(made, trace.limits)
    return (made, run) if isinstance(run.outcome, Returned) else None
