"""Find the loops and branches of a source, and count their iterations and outcomes from the executed lines.

rounds(loops, visits) -> {3: [indices of the visits that start an iteration of the loop on line 3], ..}
outcomes(branches, visits, raises_of(trace)) -> {4: [True, False, ..], ..} of every `if` and `elif`

Executed lines do not show the iterations of a loop or the outcomes of a branch if the body is on the line of
the header, nor the iterations of a `while True` whose body begins with a compound statement (its header is
not reached again). For a source with one of these, `loops_of` or `branches_of` returns None.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from msgspec import Struct

from deskcheck.grading.literals import parse_module
from deskcheck.records import EventKind, Trace
from deskcheck.states.visits import Visit

UNCOUNTABLE = "a loop whose iterations cannot be counted line by line"
"""Reason for no question about the loops of a program, if `loops_of` returns None."""

_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)


class Loop(Struct, frozen=True):
    """One loop statement of the source."""

    line: int
    body: int
    """First line of its body."""
    end: int
    """Last line of its body."""
    endless: bool
    """`while True`."""
    variable: str
    """Target of a `for`, if it is a name; of a `while`, the first tested name that its body sets; else ""."""


def loops_of(source: str) -> list[Loop] | None:
    """Return all loop statements by line, or None if one of them cannot be counted."""
    found = []
    for node in ast.walk(parse_module(source)):
        if isinstance(node, ast.AsyncFor):
            return None
        if not isinstance(node, ast.For | ast.While):
            continue
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        first = node.body[0]
        if first.lineno == node.lineno or (endless and isinstance(first, _COMPOUND)):
            return None
        end = node.body[-1].end_lineno or node.body[-1].lineno
        found.append(Loop(node.lineno, first.lineno, end, endless, _variable(node)))
    return sorted(found, key=lambda loop: loop.line)


def _variable(node: ast.For | ast.While) -> str:
    if isinstance(node, ast.For):
        return node.target.id if isinstance(node.target, ast.Name) else ""
    stored = {
        inner.id
        for part in node.body
        for inner in ast.walk(part)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }
    names = [inner.id for inner in ast.walk(node.test) if isinstance(inner, ast.Name)]
    return next((name for name in names if name in stored), "")


def rounds(loops: Sequence[Loop], reached: Sequence[Visit]) -> dict[int, list[int]]:
    """Map the line of each loop to the indices in `reached` of the visits that start an iteration."""
    found: dict[int, list[int]] = {loop.line: [] for loop in loops}
    by_body: dict[int, list[Loop]] = {}
    for loop in loops:
        by_body.setdefault(loop.body, []).append(loop)
    before: dict[int, int] = {}
    for index, visit in enumerate(reached):
        for loop in by_body.get(visit.line, ()):
            if loop.endless or before.get(visit.frame) == loop.line:
                found[loop.line].append(index)
        before[visit.frame] = visit.line
    return found


def branches_of(source: str) -> list[tuple[int, int, int]] | None:
    """Return (line, first and last line of its body) of each `if`; None if one of them is a single line."""
    found = []
    for node in ast.walk(parse_module(source)):
        if isinstance(node, ast.If):
            if node.body[0].lineno == node.lineno or isinstance(node.test, ast.Constant):
                return None
            found.append((node.lineno, node.body[0].lineno, node.body[-1].end_lineno or node.body[-1].lineno))
    return sorted(found)


def outcomes(
    branches: Sequence[tuple[int, int, int]], reached: Sequence[Visit], raised: dict[int, list[int]]
) -> dict[int, list[bool]]:
    """Map the line of each branch to its outcomes, in order, without tests that raised an exception."""
    by_line = {line: (first, last) for line, first, last in branches}
    found: dict[int, list[bool]] = {line: [] for line in by_line}
    after: dict[int, Visit] = {}  # frame -> the visit after the present one
    for visit in reversed(reached):
        following = after.get(visit.frame)
        after[visit.frame] = visit
        if visit.line not in by_line:
            continue
        end = following.event if following else math.inf
        if any(visit.event < index < end for index in raised.get(visit.frame, ())):
            continue
        first, last = by_line[visit.line]
        found[visit.line].append(following is not None and first <= following.line <= last)
    return {line: values[::-1] for line, values in found.items()}


def raises_of(trace: Trace) -> dict[int, list[int]]:
    """Map each frame to the events at which an exception is raised in it or reaches it."""
    raised: dict[int, list[int]] = {}
    for index, (kind, frame) in enumerate(zip(trace.events.kind, trace.events.frame, strict=True)):
        if kind == EventKind.RAISE:
            raised.setdefault(frame, []).append(index)
    return raised
