"""state: the value and the type of a variable when a line has been executed.

Source: the state task of REval (arXiv 2403.16437), which counts any of the values that a line gave over its
rounds as right; here the round is named (the first one where a benchmark names only the line). Asked are
variables that a line assigns, as plain data; three moments are drawn from a run.
"""

from __future__ import annotations

import ast
from collections import Counter

from msgspec import Struct

from deskcheck.grading.literals import parse_module
from deskcheck.records import Item, Probe, Trace
from deskcheck.tasks import NotAsked
from deskcheck.tasks._loops import raises_of
from deskcheck.tasks._runs import Visit, counted_once, draw, line_text, types_and_values, visits

QUESTION = {
    "en": "During the call {call}: which value does the variable {name} have, and of which type is it, right "
    "after line {line} (`{text}`) has been executed for time number {nth}?",
    "zh": "在调用 {call} 期间：第 {line} 行（`{text}`）第 {nth} 次执行完之后，变量 {name} 的值和类型是什么？",
}
FORM = {
    "en": "a Python tuple of the value and the name of its type, for example ([1, 2], 'list')",
    "zh": "由值和类型名组成的 Python 元组，例如 ([1, 2], 'list')",
}
NUMBERED = True


class Moment(Struct, frozen=True):
    """A variable after a visit."""

    visit: Visit
    name: str


def probes(item: Item, trace: Trace) -> list[Probe]:
    """Three moments of a run, or all of a shorter one."""
    reached = visits(item.program, trace)
    assigned = assigned_names(item.program.source)
    if item.line:
        found = [Moment(visit, item.variable) for visit in reached if visit.line == item.line][:1]
    else:
        found = [Moment(visit, name) for visit in reached for name in assigned.get(visit.line, ())]
    twofold = unclear(reached, trace)
    moments = draw(item, "state", [one for one in found if one.visit.event not in twofold])
    values = types_and_values(trace, [(moment.visit.event, moment.name) for moment in moments])
    made = [
        Probe(
            f"{moment.visit.line}.{moment.visit.nth}.{moment.name}",
            f"({value[0]}, {value[1]!r})",
            {
                "call": item.program.call,
                "name": moment.name,
                "line": str(moment.visit.line),
                "nth": str(moment.visit.nth),
                "text": line_text(item.program, moment.visit.line),
            },
        )
        for moment in moments
        if (value := values.get((moment.visit.event, moment.name))) is not None
    ]
    if not made:
        raise NotAsked("no plain variable is assigned" if found else "no variable is assigned")
    return made


def unclear(reached: list[Visit], trace: Trace) -> set[int]:
    """Visits whose "executed for the 2nd time" can be read in two ways.

    Those during which their line is reached deeper down, the deeper ones, and those of a line that an
    exception has left in the middle before.
    """
    last = {frame: index for index, frame in enumerate(trace.events.frame)}
    raised = raises_of(trace)
    done: dict[int, int] = {}  # line event -> event at which its frame goes on, or ends
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
    """Line -> names that the statement there assigns; constants are too easy and left out."""
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
            continue  # it is left and taken up again in the middle
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
