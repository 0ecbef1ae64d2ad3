"""Where our verdict and the source's differ, each with the rule that makes the difference.

differences(tasks, scores, saved) -> [Difference(task_id, sample, text, verdict, stored, why), ..]
"""

from __future__ import annotations

import ast
import warnings

from msgspec import Struct

from deskcheck.grading.literals import MAX_CHARS, is_literal
from deskcheck.importers import SavedRun
from deskcheck.records import Score, Task


class Difference(Struct, frozen=True):
    """We and the source of a file disagree on whether one generation is right."""

    task_id: str
    sample: int
    text: str
    expected: str
    verdict: str
    """Ours: "right", "wrong", "no answer"."""
    stored: bool
    """Theirs."""
    why: str
    """The rule that makes the difference, as `_why` names it; "unexplained" where none does."""


def differences(tasks: list[Task], scores: list[Score], saved: SavedRun) -> list[Difference]:
    by_id = {task.id: task for task in tasks}
    found = []
    for one in scores:
        verdicts = saved.stored.get(one.task_id, [])
        if one.sample >= len(verdicts) or verdicts[one.sample] in (None, one.verdict == "right"):
            continue
        text = saved.texts[one.task_id][one.sample]
        task = by_id[one.task_id]
        why = (
            "an argument is no literal"
            if task.kind == "input"
            else _why(text, task.program.entry, one.verdict)
        )
        found.append(
            Difference(
                one.task_id, one.sample, text, one.expected, one.verdict, bool(verdicts[one.sample]), why
            )
        )
    return found


def _why(text: str, entry: str, verdict: str) -> str:
    """Which rule makes the difference; the source executes `assert output == <text>`."""
    if len(text) > MAX_CHARS:
        return "unexplained"
    if verdict == "right":
        return "answer found in a longer text"  # the source has no use for "assert f(..) == 3"
    if verdict == "wrong" and is_literal(text):
        return "equal by ==, of another type"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "unexplained"
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    if calls:
        return "calls the program" if entry in calls else "calls a library function"
    if any(isinstance(node, ast.BoolOp) for node in nodes):
        return "boolean operator"
    if any(isinstance(node, ast.BinOp) for node in nodes):
        return "arithmetic"
    return "unexplained"
