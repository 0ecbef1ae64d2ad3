"""reached: does the call reach this line, yes or no?

Source: the coverage task of REval (arXiv 2403.16437). If a run leaves lines out, half of the questions are
about one of those lines. Otherwise the answer is True.
"""

from __future__ import annotations

import ast

from deskcheck.grading.literals import parse_module
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import line_text

QUESTION = {
    "en": "Does the call {call} reach line {line} (`{text}`)?",
    "zh": "调用 {call} 是否到达第 {line} 行（`{text}`）？",
}
FORM = {"en": "True or False", "zh": "True 或 False"}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask whether one drawn line is reached."""
    seen = {visit.line for visit in asked_visits(draft.program, trace)}
    line = draft.line
    if not line:
        missed = [one for one in statement_lines(draft.program.source) if one not in seen]
        groups = [sorted(seen), missed] if missed else [sorted(seen)]
        (group,) = draw(draft, "reached or not", groups, 1)
        (line,) = draw(draft, "reached", group, 1)
    words = {"call": draft.program.call, "line": str(line), "text": line_text(draft.program, line)}
    return [RunQuestion(str(line), str(line in seen), words)]


def statement_lines(source: str) -> list[int]:
    """Return the lines inside functions that a run can reach: first lines of their statements."""
    functions = [node for node in ast.walk(parse_module(source)) if isinstance(node, ast.FunctionDef)]
    return sorted(
        {
            inner.lineno
            for function in functions
            for part in function.body
            for inner in ast.walk(part)
            if isinstance(inner, ast.stmt) and not _makes_no_event(inner)
        }
    )


def _makes_no_event(node: ast.stmt) -> bool:
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Global | ast.Nonlocal)
