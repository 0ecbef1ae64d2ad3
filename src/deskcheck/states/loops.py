"""Find the iterations of loops and the outcomes of branches in a run, from the lines that it executed.

rounds(loops, visits) -> {3: [indices of the visits that start an iteration of the loop on line 3], ..}
outcomes(branches, visits, raises_of(trace)) -> {4: [True, False, ..], ..}     True = the body ran

Loops and branches are those of the language's facts (`languages.Facts`); visits are those of `visits.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from deskcheck.languages import Branch, Loop
from deskcheck.records import EventKind, Trace
from deskcheck.states.visits import Visit

UNCOUNTABLE = "a loop whose iterations cannot be counted line by line"
"""Reason for no question about the loops of a program, if `Facts.loops` is None."""


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


def outcomes(
    branches: Sequence[Branch], reached: Sequence[Visit], raised: dict[int, list[int]]
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
