"""Perturbations: the text changes, the answer does not."""

from __future__ import annotations

import pytest

from deskcheck.evaluation.perturb import PERTURBATIONS, perturb
from deskcheck.programs.generated import traced
from deskcheck.records import Limits, Program
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

TRICKY = '''
from collections import Counter
LIMIT = 3
class Box:
    size = 0
    def __init__(self, size=2):
        self.size = size
    def grow(self, by):
        self.size += by
        return self
def f(xs, *, key=None, **rest):
    """xs and key are names here: f(xs)"""
    global LIMIT
    LIMIT += 1
    text = "xs" + f"{len(xs)=}" + """
for a line that is in a string
"""
    total = 0
    def inner(step):
        nonlocal total
        total += step
        return total
    for x in xs: inner(x)
    try:
        raise KeyError(total)
    except KeyError as error:
        got = error.args[0]
    match {"a": 1, "b": 2}:
        case {"a": one, **others}:
            got += one + others["b"]
    box = Box(size=got).grow(by=1)
    if (n := len(xs)) > 1: got += n
    squares = [x * x for x in xs if x]
    return [text, got, box.size, squares, Counter(xs).most_common(1), key, sorted(rest), LIMIT]
'''


def answer(program: Program) -> str:
    return outcome_text(trace_program(program, Limits(max_steps=5000)))


@pytest.mark.parametrize("name", list(PERTURBATIONS))
def test_a_tricky_program_answers_the_same(name: str) -> None:
    program = make_program(TRICKY, "f", "[3, 1, 3], key=5, more=1", origin="test")
    changed = perturb(program, name)
    assert changed is not None
    assert changed.source != program.source
    assert changed.id != program.id
    assert answer(changed) == answer(program)


@pytest.mark.parametrize("name", list(PERTURBATIONS))
def test_generated_programs_answer_the_same(name: str) -> None:
    changed = 0
    for program, _ in traced("medium", seed=3, n=25):
        other = perturb(program, name)
        if other is not None:
            changed += 1
            assert answer(other) == answer(program), other.source
    assert changed >= 20 or name == "reformat"


def test_renaming_leaves_no_old_name_and_swapping_leaves_them_all() -> None:
    program = make_program(
        "def f(alpha, beta):\n    gamma = alpha - beta\n    return gamma\n", "f", "5, 3", origin="t"
    )
    renamed, swapped = perturb(program, "rename"), perturb(program, "misleading-names")
    assert renamed is not None and swapped is not None
    assert not any(name in renamed.source for name in ("alpha", "beta", "gamma"))
    assert all(name in swapped.source for name in ("alpha", "beta", "gamma"))
    assert answer(swapped) == "2"


def test_a_program_that_reads_its_own_names_is_not_renamed() -> None:
    program = make_program("def f(x):\n    return sorted(locals())\n", "f", "1", origin="t")
    assert perturb(program, "rename") is None


def test_what_is_not_python_is_left_alone() -> None:
    program = make_program("int f() {", "f", "", origin="t", language="c")
    assert all(perturb(program, name) is None for name in PERTURBATIONS)
