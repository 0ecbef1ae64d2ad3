"""Programs with other strings in them, and with types: words, capitals, both quotes, up to sixty characters.

    natural(program, trace, Random(1)) -> (Program, Trace), or None where the new program does not return

The generated families write short strings of small letters in single quotes. What a model should read is
wider than that; what the families freeze (their held-out programs) must stay. So strings are drawn anew for
training, and a few assignments get the annotation that one of 80 lines of library functions has
(`measurements/line_coverage.py`).
"""

from __future__ import annotations

import ast
import io
import tokenize
from random import Random

from deskcheck.records import Program, Returned, Trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.redexes.values import SIZES, Drawer

SHARES = {"short": 0.7, "middle": 0.22, "long": 0.08}
"""Sizes of the strings of a program; all of one program are of one size."""
ANNOTATED = 0.08
"""Share of the assignments of a literal that are written with their type."""
TRUST = "ours"  # containment.admit


def natural(program: Program, trace: Trace, rng: Random) -> tuple[Program, Trace] | None:
    """The program with other strings, and its run; it is one of ours, so it runs here."""
    drawer = Drawer(rng, SIZES[rng.choices(list(SHARES), list(SHARES.values()))[0]])
    source = annotated(redrawn(program.source, drawer), rng)
    arguments = redrawn(program.arguments, drawer)
    if (source, arguments) == (program.source, program.arguments):
        return None
    made = make_program(source, program.entry, arguments, origin=program.origin, licence=program.licence)
    run = trace_program(made, trace.limits)
    return (made, run) if isinstance(run.outcome, Returned) else None


def redrawn(source: str, drawer: Drawer) -> str:
    """The same code with other strings; separators and letters stay what they are, maybe in other quotes."""
    lines = source.splitlines(keepends=True)
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token in reversed(tokens):
        if token.type != tokenize.STRING or token.start[0] != token.end[0] or token.string[0] not in "'\"":
            continue
        value = ast.literal_eval(token.string)
        literal = drawer.quoted(value) if len(value) < 2 else drawer.text()
        row = token.start[0] - 1
        line = lines[row]
        lines[row] = line[: token.start[1]] + literal + line[token.end[1] :]
    return "".join(lines)


def annotated(source: str, rng: Random) -> str:
    """The same code with `n: int = 3` for some of its `n = 3`."""
    lines = source.splitlines(keepends=True)
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assign)]
    for node in sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        if len(node.targets) > 1 or rng.random() >= ANNOTATED:
            continue
        (target,), kind = node.targets, _kind(node.value)
        row, at = node.lineno - 1, target.end_col_offset or 0
        if isinstance(target, ast.Name) and kind and lines[row][:at].isascii():
            lines[row] = f"{lines[row][:at]}: {kind}{lines[row][at:]}"
    return "".join(lines)


def _kind(value: ast.expr) -> str:
    """The type of a literal; "" where it is none."""
    try:
        return type(ast.literal_eval(value)).__name__
    except ValueError:
        return ""
