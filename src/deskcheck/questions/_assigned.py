"""Find the variables that lines assign, and the moments at which "the line has been executed" is ambiguous.

assigned_names("x = y\\nz = 1") -> {1: ["x"]}          unclear(visits, trace) -> ambiguous line events
"""

from __future__ import annotations

import ast
from collections import Counter

from deskcheck.grading.literals import parse_module
from deskcheck.records import Trace
from deskcheck.states.loops import raises_of
from deskcheck.states.visits import Visit, counted_once


def unclear(reached: list[Visit], trace: Trace) -> set[int]:
    """Return the visits whose "executed for the 2nd time" can be read in two ways.

    These are visits during which a deeper call reaches the same line, the deeper visits themselves, and
    visits of a line that an exception has left before its end.
    """
    last = {frame: index for index, frame in enumerate(trace.events.frame)}
    raised = raises_of(trace)
    done: dict[int, int] = {}  # line event -> event at which its frame continues, or ends
    following: dict[int, int] = {}
    for visit in reversed(reached):
        done[visit.event] = following.get(visit.frame, last[visit.frame])
        following[visit.frame] = visit.event
    waiting: dict[int, list[Visit]] = {}
    broken: set[int] = set()
    found: set[int] = set()
    for visit in reached:
        above = [one for one in waiting.get(visit.line, []) if done[one.event] > visit.event]
        if above or visit.line in broken:
            found |= {visit.event, *(one.event for one in above)}
        waiting[visit.line] = [*above, visit]
        if any(visit.event < index < done[visit.event] for index in raised.get(visit.frame, ())):
            broken.add(visit.line)
    return found


def assigned_names(source: str) -> dict[int, list[str]]:
    """Return line -> names that its statement assigns; constants are too easy and left out."""
    found: dict[int, list[str]] = {}
    nodes = list(ast.walk(parse_module(source)))
    # "if d: t = 1" reaches the line without the assignment.
    shared = Counter(node.lineno for node in nodes if isinstance(node, ast.stmt))
    skipped = counted_once(source) | {line for line, n in shared.items() if n > 1}
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.lineno in skipped:
            continue
        if not isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant | None):
            continue
        if any(isinstance(one, ast.Yield | ast.YieldFrom | ast.Await) for one in ast.walk(node)):
            continue  # its execution is suspended in the middle
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [
            one.id
            for target in targets
            for one in ast.walk(target)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        ]
        if names:
            found.setdefault(node.lineno, []).extend(dict.fromkeys(names))
    return found
