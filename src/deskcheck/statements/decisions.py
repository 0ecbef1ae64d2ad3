"""Find the check that a false result goes back to: the branch or loop in which the run went another way.

    other_branch("no", facts) -> Place(event=9, about="s[i] == 'x'", true="False", stated="True")

If another `return` would give the false result, `other_branch` finds the check that decided against that
`return`. If a variable of the result never changed, `never_changed` finds the check that kept it so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec import Struct

from deskcheck.statements.expressions import Unknown, evaluated
from deskcheck.statements.values import RunFacts, is_same

Guard = tuple[ast.If | ast.For | ast.While, bool]
"""A branch or loop around a line of code, and whether the line stands in its body, not in its `else`."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Place(Struct, frozen=True):
    """Where a false result leaves the run."""

    event: int
    """Event of the check, or of the first value that differs."""
    about: str
    """Source text of the check, or name of the variable."""
    true: str
    """The true value there."""
    word: str = ""
    """The part that differs, "item 2"; or why nothing is there, "the loop has no rounds"; "" = neither."""
    stated: str = ""
    """What the result implies there; "" = the result itself."""


def other_branch(stated: Any, facts: RunFacts) -> Place | None:
    """Find the check that kept a run from the `return` of the stated value, or ended its loop early."""
    returns = list(_returns(facts))
    ran = next((one for one in returns if one[0].lineno <= _last_line(facts) <= _end(one[0])), None)
    if ran is None or len(returns) < 2 or _calls_itself(ran[0], facts):
        return None
    others = [one for one in returns if one is not ran]
    frame = facts.moments[0][1]
    values = next(row[2] for row in reversed(facts.moments) if row[1] == frame)
    taken = [one for one in others if _gives(one[0], values, stated)]
    if not taken:
        taken = [one for one in others if _is_of(stated, facts.result[0], _texts(one[0]) - _texts(ran[0]))]
    if not taken and isinstance(ran[0].value, ast.Constant):
        taken = [one for one in others if not isinstance(one[0].value, ast.Constant)]
    for other in taken:
        if place := _parted(ran, other, facts):
            return place
    in_loop = any(not isinstance(one, ast.If) for one, _ in ran[1])
    tests = [one for one in ran[1] if isinstance(one[0], ast.If)]
    if not taken and in_loop and tests and (isinstance(ran[0].value, ast.Constant) or _of_round(ran)):
        return _place_of(tests[-1], facts)
    return None


def _texts(node: ast.Return) -> set[str]:
    """Return the texts that stand in a `return`."""
    constants = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
    return {value for value in constants if isinstance(value, str) and value}


def _is_of(stated: Any, result: Any, texts: set[str]) -> bool:
    """Whether a stated result has one of these texts, and the true one does not."""
    both = isinstance(stated, str) and isinstance(result, str)
    return both and any(text in stated and text not in result for text in texts)


def _of_round(ran: tuple[ast.Return, list[Guard]]) -> bool:
    """Whether a `return` in a loop gives a number that only the round decides."""
    targets = {
        one.id
        for loop, _ in ran[1]
        if isinstance(loop, ast.For)
        for one in ast.walk(loop.target)
        if isinstance(one, ast.Name)
    }
    value = ran[0].value
    names = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)} if value else set()
    return isinstance(value, ast.Name | ast.BinOp) and bool(names) and names <= targets


def _parted(
    ran: tuple[ast.Return, list[Guard]], other: tuple[ast.Return, list[Guard]], facts: RunFacts
) -> Place | None:
    """Find the first check at which the ways to two `return`s part."""
    mine, yours = ran[1], other[1]
    n = next((k for k, (a, b) in enumerate(zip(mine, yours, strict=False)) if a != b), None)
    n = min(len(mine), len(yours)) if n is None else n
    order = [yours[n:], mine[n:]] if other[0].lineno < ran[0].lineno else [mine[n:], yours[n:]]
    for chain in order:
        for guard in chain:
            if isinstance(guard[0], ast.If) and (place := _place_of(guard, facts)):
                return place
        for guard in chain:
            if place := _place_of(guard, facts):
                return place
    return None


def never_changed(name: str, value: Any, facts: RunFacts) -> Place | None:
    """Find the check, or the loop without a round, that kept a variable from its first change.

    `value` is the value that the variable kept.
    """
    function = function_of(facts)
    if function is None:
        return None
    for statement, guards in _statements(function):
        if guards and name in _stored(statement) and not facts.passed.get(statement.lineno):
            for guard in guards:
                arms = outcomes_of(guard[0], facts)
                if not arms or any(arm == guard[1] for _, arm in arms):
                    continue
                if isinstance(guard[0], ast.For):
                    return Place(arms[0][0], name, repr(value), "the loop has no rounds")
                return _place_of(guard, facts, first=True)
    return None


def check_in(name: str, window: tuple[int, int], facts: RunFacts) -> Place | None:
    """Find the check that kept a variable from changing between two events of a round."""
    function = function_of(facts)
    for statement, guards in _statements(function) if function else ():
        if name not in _stored(statement):
            continue
        for guard in guards:
            if not isinstance(guard[0], ast.If):
                continue
            for event, arm in outcomes_of(guard[0], facts):
                if window[0] <= event <= window[1] and arm != guard[1]:
                    return Place(event, ast.unparse(guard[0].test), str(arm), "", str(not arm))
    return None


def outcomes_of(guard: ast.If | ast.For | ast.While, facts: RunFacts) -> list[tuple[int, bool]]:
    """Return the event of each check in the outermost call, and whether the body ran then."""
    if not facts.moments:
        return []
    frame = facts.moments[0][1]
    path = [(event, line) for event, one, line in facts.path if one == frame]
    rows = [] if isinstance(guard, ast.For) else facts.expressions.get(ast.unparse(guard.test), [])
    if guard.body[0].lineno == guard.lineno:
        return [(event, bool(value)) for event, value in rows]
    outcomes = []
    for (event, line), (after, following) in pairwise(path):
        if line == guard.lineno:
            events = [row[0] for row in rows if event <= row[0] <= after]
            arm = guard.body[0].lineno <= following <= _end(guard.body[-1])
            outcomes.append((events[-1] if events else after, arm))
    return outcomes


def function_of(facts: RunFacts) -> ast.FunctionDef | None:
    """Return the function that was called; None if several have its name."""
    name = facts.entry.rpartition(".")[2]
    found = [
        one
        for one in (ast.walk(facts.tree) if facts.tree else ())
        if isinstance(one, ast.FunctionDef) and one.name == name
    ]
    return found[0] if len(found) == 1 else None


def returned_by(facts: RunFacts) -> ast.expr | None:
    """Return the expression of the `return` that ended the run; None if it has none, or is not found."""
    line = _last_line(facts)
    return next((one.value for one, _ in _returns(facts) if one.lineno <= line <= _end(one)), None)


def _place_of(guard: Guard, facts: RunFacts, *, first: bool = False) -> Place | None:
    arms = outcomes_of(guard[0], facts)
    if not arms or isinstance(guard[0], ast.For):
        return None
    event, arm = arms[0 if first else -1]
    return Place(event, ast.unparse(guard[0].test), str(arm), "", str(not arm))


def _gives(node: ast.Return, values: dict[str, Any], stated: Any) -> bool:
    if node.value is None:
        return stated is None
    try:
        return is_same(evaluated(node.value, values), stated)
    except Unknown:
        return False


def _calls_itself(node: ast.Return, facts: RunFacts) -> bool:
    name = facts.entry.rpartition(".")[2]
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _last_line(facts: RunFacts) -> int:
    frame = facts.moments[0][1] if facts.moments else -1
    return next((line for _, one, line in reversed(facts.path) if one == frame), 0)


def _returns(facts: RunFacts) -> Iterator[tuple[ast.Return, list[Guard]]]:
    function = function_of(facts)
    for statement, guards in _statements(function) if function else ():
        if isinstance(statement, ast.Return):
            yield statement, guards


def _statements(node: ast.AST, guards: tuple[Guard, ...] = ()) -> Iterator[tuple[ast.stmt, list[Guard]]]:
    """Yield the statements of a function in order, each with what decides about it, the outermost first."""
    for name in ("body", "orelse", "handlers", "finalbody"):
        for statement in getattr(node, name, ()):
            inner = guards
            if isinstance(node, ast.If | ast.For | ast.While) and (
                name == "body" or isinstance(node, ast.If)
            ):
                inner = (*guards, (node, name == "body"))
            if isinstance(statement, ast.stmt):
                yield statement, list(inner)
            if not isinstance(statement, _FUNCTIONS):
                yield from _statements(statement, inner)


def _stored(statement: ast.stmt) -> set[str]:
    """Return the variables that a statement itself assigns, or changes by a method or an item."""
    names = set()
    parts = [one for one in ast.iter_child_nodes(statement) if not isinstance(one, ast.stmt)]
    for part in [one for top in parts for one in ast.walk(top)]:
        place: ast.AST = part
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            place = part.func.value if isinstance(statement, ast.Expr) else part
        elif isinstance(part, ast.Name | ast.Subscript) and not isinstance(part.ctx, ast.Load):
            place = part
        else:
            continue
        while isinstance(place, ast.Subscript):
            place = place.value
        if isinstance(place, ast.Name):
            names.add(place.id)
    return names


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
