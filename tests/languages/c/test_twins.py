"""100 programs of `easy` in C end as their twins in Python, and have questions and layouts."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

import pytest
from tests.languages.c.conftest import record

from deskcheck.benchmarks import easy
from deskcheck.benchmarks.easy import _held_out
from deskcheck.corpus.twins.c_programs import in_c
from deskcheck.corpus.twins.expressions import Untranslated
from deskcheck.grading.twins import is_same_outcome
from deskcheck.languages import equal, parse_literal
from deskcheck.layouts import line_1
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, Program, Returned, TaskDraft
from deskcheck.states.parse import outcome as outcome_of
from deskcheck.states.parse import read_step
from deskcheck.tracing.literal import outcome_text

of_these_programs = pytest.mark.skipif(
    not easy.are_compared(), reason="the twins of the programs of CPython 3.11 were compared"
)
CHOSEN = list(easy.drafts("", language="c"))


def python(draft: TaskDraft) -> tuple[Program, str]:
    program, trace = _held_out()[int(draft.id.removeprefix("easy-"))]
    return program, outcome_text(trace)


def check(draft: TaskDraft, run: Callable[..., Any], *, with_questions: bool) -> str:
    """Return what is wrong with a twin, "" if nothing is."""
    trace = record(run(draft.program.source, draft.program.call))
    if not isinstance(trace.outcome, Returned):
        return f"{draft.id}: {trace.outcome}"
    text = outcome_text(trace)
    if not is_same_outcome(python(draft)[1], text, languages=("python", "c")):
        return f"{draft.id}: {text}, in Python {python(draft)[1]}"
    if not with_questions:
        return ""
    for kind in ("output", "state"):
        asked = tasks_of(kind, draft, trace, benchmark="easy")
        if isinstance(asked, Unasked) and not (kind == "state" and "assigned" in asked.reason):
            return f"{draft.id}: no question {kind}: {asked.reason}"
        for task in [] if isinstance(asked, Unasked) else asked:
            value = parse_literal(task.expected, language="c")
            if not equal(value, value, "strict", language="c"):
                return f"{draft.id}: {task.expected} is not itself"
    examples = line_1.render(trace, draft.program)
    if list(line_1.parse(draft.program, examples)) != list(line_1.keeps(trace)):
        return f"{draft.id}: line-1 keeps other states"
    return ""


def test_a_hundred_programs_have_twins():
    assert len(CHOSEN) == 100
    assert {draft.program.language for draft in CHOSEN} == {"c"}


@of_these_programs
def test_each_eighth_twin_ends_as_in_python_and_has_questions(run: Callable[..., Any]):
    assert [wrong for draft in CHOSEN[::8] if (wrong := check(draft, run, with_questions=True))] == []


@of_these_programs
@pytest.mark.slow
def test_all_twins_end_as_in_python_and_have_questions(run: Callable[..., Any]):
    assert [wrong for draft in CHOSEN if (wrong := check(draft, run, with_questions=True))] == []


class _Divided(ast.NodeTransformer):
    """Rewriting of `//` and `%` as calls of a function that looks at the numbers."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        return self._call(node, node.left, node.right, node.op)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        self.generic_visit(node)
        if not isinstance(node.op, ast.FloorDiv | ast.Mod):
            return node
        before = copy.deepcopy(node.target)
        before.ctx = ast.Load()
        return ast.Assign([node.target], self._call(before, before, node.value, node.op))

    def _call(self, node: ast.expr, left: ast.expr, right: ast.expr, op: ast.operator) -> ast.expr:
        if not isinstance(op, ast.FloorDiv | ast.Mod):
            return node
        name = "divided" if isinstance(op, ast.FloorDiv) else "rest"
        return ast.Call(ast.Name(name, ast.Load()), [left, right], [])


def divides_a_negative_number(program: Program) -> bool:
    seen = []

    def divided(a: int, b: int) -> int:
        seen.append(a)
        return a // b

    def rest(a: int, b: int) -> int:
        seen.append(a)
        return a % b

    names: dict[str, Any] = {"divided": divided, "rest": rest}
    tree = ast.fix_missing_locations(_Divided().visit(ast.parse(program.source)))
    exec(compile(tree, "program", "exec"), names)
    eval(program.call, names)
    return any(number < 0 for number in seen)


@of_these_programs
def test_the_hundred_are_the_first_that_the_rule_takes():
    taken, rounded = [], set()
    for number, (program, trace) in enumerate(_held_out()):
        if not isinstance(trace.outcome, Returned):
            continue
        try:
            in_c(program)
        except Untranslated:
            continue
        if divides_a_negative_number(program):
            rounded.add(f"easy-{number}")
        else:
            taken.append(f"easy-{number}")
    assert [draft.id for draft in CHOSEN] == taken[:100]
    assert rounded == easy.ROUNDED


def test_a_step_of_c_gives_an_answer_in_c():
    answer = outcome_of(read_step("<- {first: b'a', second: [1, 2]}"))
    assert isinstance(answer, Answer)
    value = parse_literal(answer.text, language="c")
    assert equal(value, parse_literal('{.first = "a", .second = {1, 2}}', language="c"), language="c")
