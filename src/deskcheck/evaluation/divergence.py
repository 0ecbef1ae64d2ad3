"""Where the states of a step loop part from the true run, in what, and at what kind of line.

    divergence(task, attempt, strategy="line-1") -> Parted(together=12, part="variables", cause="arithmetic")

Free-running: the model starts at the true state of the call and is fed its own states from there, so only the
first wrong step is an error; what comes after it is a consequence. Strategies that jump (line-n, debugger)
are together as long as each of their states is a later state of the true run.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from msgspec import Struct

from deskcheck.evaluation.execute import parts_apart
from deskcheck.records import Answer, Attempt, Task
from deskcheck.states.parse import read_state
from deskcheck.states.prompt import whole_run
from deskcheck.strategies import says

# What is named first when a line does several things: the order of difficulty that the literature reports.
CAUSES = (
    "index or slice",
    "string method",
    "container method",
    "arithmetic",
    "comparison or branch",
    "loop bookkeeping",
    "call or return",
    "format",
    "other",
)
_STRING = frozenset(name for name in dir(str) if not name.startswith("_") and not hasattr(list, name))


class Parted(Struct, frozen=True):
    """How far a chain was right."""

    together: int
    """Steps (or jumps) that were right before the first wrong one."""
    steps: int
    """Steps of the true run up to there, or all of them."""
    part: str
    """"" = never parted; else the parts that differ: "control flow", "variables, iterators", .., "format"."""
    cause: str
    """One of CAUSES for the true line whose step went wrong; "" = never parted."""


def divergence(task: Task, attempt: Attempt, *, strategy: str) -> Parted | None:
    """None for strategies without a chain of states, and for runs without one."""
    holds = says(strategy, "CHAIN")
    if holds not in ("states", "jumps") or not attempt.chain:
        return None
    start, run = whole_run(task.truth)
    true = [str(start), *(str(state) for _, state in run[:-1])]
    at = together = 0
    for belief in attempt.chain:
        after = _position(true, at, belief, jumps=holds == "jumps")
        if after < 0:
            wanted = true[at + 1] if at + 1 < len(true) else ""
            if not belief:
                return Parted(together, at, "format", "format")
            return Parted(
                together, at, parts_apart(wanted, belief), cause(task.program.source, _line(true[at]))
            )
        at, together = after, together + 1
    return Parted(together, at, *_ending(task, attempt, true, at))


def _ending(task: Task, attempt: Attempt, true: list[str], at: int) -> tuple[str, str]:
    """The step after the last state: the outcome, or a reply that could not be read."""
    line = _line(true[at])
    if isinstance(attempt.answer, Answer):
        ends_here = at == len(true) - 1
        if ends_here and attempt.answer.text == task.expected:
            return "", ""
        return ("outcome" if ends_here else "control flow"), cause(task.program.source, line)
    if attempt.answer.reason == "budget":
        return "", ""
    return "format", "format"


def _position(true: list[str], at: int, belief: str, *, jumps: bool) -> int:
    """Where in the true run a believed state stands, after `at`; -1 nowhere."""
    if not jumps:
        return at + 1 if at + 1 < len(true) and true[at + 1] == belief else -1
    try:
        return true.index(belief, at + 1)
    except ValueError:
        return -1


def _line(state: str) -> int:
    frames = read_state(state).frames
    return frames[-1].line if frames else 0


def cause(source: str, line: int) -> str:
    """What the statement at a line does, named by the first of CAUSES that it holds."""
    found = _by_line(source).get(line, frozenset())
    return next((name for name in CAUSES if name in found), "other")


@lru_cache(maxsize=256)
def _by_line(source: str) -> dict[int, frozenset[str]]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    table: dict[int, frozenset[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            named = frozenset(_does(node))
            for line in range(node.lineno, _last_line(node) + 1):
                # An inner statement is met later and knows better.
                table[line] = named
    return table


def _last_line(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return max(node.lineno, body[0].lineno - 1)
    return node.end_lineno or node.lineno


def _does(statement: ast.stmt) -> set[str]:
    """Classes of everything a statement itself evaluates; its inner statements are their own."""
    found = set()
    if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        found.add("loop bookkeeping")
    if isinstance(statement, ast.If | ast.While | ast.Assert | ast.Match):
        found.add("comparison or branch")
    if isinstance(statement, ast.Return | ast.FunctionDef | ast.AsyncFunctionDef):
        found.add("call or return")
    if isinstance(statement, ast.AugAssign):
        found.add("arithmetic")
    waiting: list[ast.AST] = [
        child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)
    ]
    while waiting:
        node = waiting.pop()
        found |= _evaluates(node)
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt)]
    return found


def _evaluates(node: ast.AST) -> set[str]:
    match node:
        case ast.Subscript():
            return {"index or slice"}
        case ast.Call(func=ast.Attribute(attr=name)):
            return {"string method"} if name in _STRING else {"container method"}
        case ast.Call():
            return {"call or return"}
        case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
            return {"arithmetic"}
        case ast.Compare() | ast.BoolOp() | ast.IfExp() | ast.UnaryOp(op=ast.Not()):
            return {"comparison or branch"}
        case ast.comprehension():
            return {"loop bookkeeping"}
    return set()
