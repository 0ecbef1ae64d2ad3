"""Answers to `annotation` tasks, position by position, and whether they agree with themselves.

    annotated(task, attempt) -> StepCount(n=5, wrong=1, parts={"test": 1}, .., contradictions=0)

A position is one value of one blank; values too many and values that are missing are wrong ones. Coherence
is apart from correctness (CES, arXiv 2510.15079): a wrong answer may be a run that could be, and right values
may belong to none. An answer contradicts itself where a branch that it takes twice has three values at one of
its lines. Not looked at: whether a condition fits the values beside it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from deskcheck.errors import BadSource
from deskcheck.evaluation.divergence import cause
from deskcheck.grading.compare import equal
from deskcheck.grading.literals import parse_literal, parse_module
from deskcheck.records import Answer, Attempt, Task
from deskcheck.results import StepCount

_LEAVES = (ast.Return, ast.Break, ast.Continue, ast.Raise)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def annotated(task: Task, attempt: Attempt) -> StepCount | None:
    """None where there is no answer; then nothing is known of its positions."""
    said = _lists(attempt.answer.text) if isinstance(attempt.answer, Answer) else None
    if said is None:
        return None
    parts: Counter[str] = Counter()
    kinds: dict[str, list[int]] = {}
    n = 0
    for name, true in (_lists(task.expected) or {}).items():
        own = said.get(name, [])
        line, _, what = name.partition(".")
        count = kinds.setdefault(cause(task.program.source, int(line)), [0, 0])
        for at in range(max(len(true), len(own))):
            n += 1
            count[0] += 1
            if at >= len(true) or at >= len(own) or not equal(own[at], true[at], "strict"):
                count[1] += 1
                parts["test" if what == "test" else "variables"] += 1
    return StepCount(
        n,
        parts.total(),
        dict(parts),
        kinds,
        contradictions=len(contradictions(task.program.source, said)),
    )


def _lists(text: str) -> dict[str, list[object]] | None:
    """Name of a blank -> its values; None for any other value."""
    try:
        value = parse_literal(text)
    except BadSource:
        return None
    if not isinstance(value, dict):
        return None
    return {str(name): list(one) for name, one in value.items() if isinstance(one, list | tuple)}


def contradictions(source: str, said: Mapping[str, Sequence[object]]) -> list[str]:
    """Blanks whose number of values is not the one that their branch or loop has by the same answer."""
    found = []
    for node in ast.walk(parse_module(source)):
        for block, n in _entered(node, said):
            for name, count in _counts(block, said):
                if count != n:
                    found.append(f"{name} has {count} values, what it stands in is entered {n} times")
    return found


def _entered(node: ast.AST, said: Mapping[str, Sequence[object]]) -> Iterator[tuple[list[ast.stmt], int]]:
    """Blocks of a statement, each with how often it is entered."""
    if isinstance(node, ast.If | ast.While):
        results = said.get(f"{node.lineno}.test")
        if results is not None:
            yield node.body, sum(one is True for one in results)
            if isinstance(node, ast.If):
                yield node.orelse, sum(one is False for one in results)
    elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        values = said.get(f"{node.lineno}.{node.target.id}")
        if values is not None:
            yield node.body, len(values)


def _counts(block: list[ast.stmt], said: Mapping[str, Sequence[object]]) -> Iterator[tuple[str, int]]:
    """(blank, number of its values) of the lines that run each time that the block is entered."""
    for node in block:
        if isinstance(node, ast.If):
            names = [f"{node.lineno}.test"]
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            names = [name for name in said if name.partition(".")[0] == str(node.lineno)]
        else:
            names = []
        yield from ((name, len(said[name])) for name in names if name in said)
        if any(isinstance(inner, _LEAVES) for inner in _own(node)):
            return


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a statement, without the insides of functions."""
    yield node
    if not isinstance(node, _FUNCTIONS):
        for inner in ast.iter_child_nodes(node):
            yield from _own(inner)
