"""What lines a model can do: one step from the true state, by kind of drill, for its card.

    drill_rows(model) -> [DrillRow, ..]      "sums .. 97 of 120"

The drills are drawn from a stream of their own. Asked are the lines that practise something: not the call,
not `return`, no literal given to a name. A line like one of these may well occur in training (`a = b + 3`
has few forms): this says which operations are there to build on, not how they carry over.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random

from msgspec import Struct

from deskcheck.models.tiny import Request, TinyModel
from deskcheck.records import Program, Trace
from deskcheck.representations._prompt import head
from deskcheck.representations._steps import steps
from deskcheck.representations.line_1 import LAYOUT, body
from deskcheck.statistics.interval import clustered_interval, percent_ends
from deskcheck.training import drills

N_DRILLS = 30
"""Programs of each kind."""
MAX_TOKENS = 128


class DrillRow(Struct, frozen=True):
    """One kind of line."""

    kind: str
    n: int
    right: int
    low: float
    high: float


def drill_rows(model: TinyModel, *, n_drills: int = N_DRILLS) -> list[DrillRow]:
    """A row for each kind; intervals are 95 %, clustered by program."""
    rows = []
    for kind, _ in drills.KINDS:
        asked: list[tuple[int, str, str, str]] = []
        for number, (program, trace) in enumerate(_some(kind, n_drills)):
            top = head(LAYOUT, program)
            asked += [(number, top, question, truth) for question, truth in _practised(program, trace)]
        done = model.generate([Request(top, question, MAX_TOKENS) for _, top, question, _ in asked])
        right = [
            float(c.finish_reason == "stop" and c.text == truth)
            for c, (*_, truth) in zip(done, asked, strict=True)
        ]
        interval = clustered_interval(right, [number for number, *_ in asked])
        rows.append(DrillRow(drills.title(kind), len(right), int(sum(right)), interval.low, interval.high))
    return rows


def _some(kind: drills.Kind, n: int) -> Iterator[tuple[Program, Trace]]:
    """The first drills of a kind that keep to their bounds."""
    random = Random(f"scores of {kind.__name__}")
    while n:
        found = drills.drawn(random, kind)
        if found is not None:
            n -= 1
            yield found


def _practised(program: Program, trace: Trace) -> Iterator[tuple[str, str]]:
    """Questions and true answers of the lines that a drill is about."""
    lines = program.source.split("\n")
    for before, step, _ in steps(trace):
        frame = before.frames[-1]
        text = lines[frame.line - 1].strip()
        if frame.mark == "@" and not text.startswith("return") and not _is_literal(text):
            yield body(before, program), str(step)


def _is_literal(line: str) -> bool:
    """`name = literal`"""
    _, equals, value = line.partition(" = ")
    try:
        ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return False
    return bool(equals)


def table(rows: list[DrillRow]) -> str:
    """As Markdown."""
    lines = ["| lines | right | 95 % | n |", "|---|---|---|---|"]
    for row in rows:
        right = f"{100 * row.right / row.n:.1f} % | {percent_ends(row.low, row.high)}"
        lines.append(f"| {row.kind} | {right} | {row.n} |")
    return "\n".join(lines)
