"""sub: what a line's operations look like, that they are true, and that nothing in the loop corrects them."""

from __future__ import annotations

import ast
from itertools import islice

import pytest
from tests.strategies.programs import roll_out, task_of, trained

from deskcheck import plugins
from deskcheck.grading.verdict import score
from deskcheck.layouts import line_1, sub
from deskcheck.layouts._nested import Operation, nested_steps
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import Answer, Granularity, Limits, NoAnswer, Program, Trace
from deskcheck.states.parse import read_state, read_value
from deskcheck.strategies import line_1_full as line_1_full_strategy
from deskcheck.strategies import sub as sub_strategy
from deskcheck.tracing.access import has_native
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(not has_native(), reason="expressions are traced by the C extension")

SOURCE = """\
def f(xs, a, d):
    s = (a + len(xs)) * -xs[0]
    if a % 2 == 1 and s < 3:
        xs.append(d['k'].upper()[1:])
    w = sorted(d.items(), key=lambda p: p[1])[0]
    t = g(a + 1) + s
    y = [i * 2 + a for i in range(a - 1)]
    if (n := len(y)) > 1 and n < a: t += 1; t = t * 2 + 1
    return f"{a + 1} -> {t}" + str(w)

def g(x):
    return x * x
"""
# Where a line has no operation, nothing stands before the step.
TARGETS = """\
@2
len(xs) -> 2 | 3 + 2 -> 5 | xs[0] -> 1 | -1 -> -1 | 5 * -1 -> -5 | @3 | s=-5
3 % 2 -> 1 | 1 == 1 -> True | -5 < 3 -> True | @4
d['k'] -> 'abc' | 'abc'.upper() -> 'ABC' | 'ABC'[1:] -> 'BC' | xs.append('BC') -> None | @5 | xs=[1, 2, 'BC']
d.items() -> dict_items(source={'k': 'abc'}) | >5 | p=('k', 'abc')
@5
p[1] -> #0 'k' #1 'abc' = 'abc' | <- 'abc'
sorted(d.items(), key=lambda p: p[1]) -> [('k', 'abc')] | [('k', 'abc')][0] -> ('k', 'abc') | @6 | w=('k', 'abc')
3 + 1 -> 4 | >11 | x=4
@12
4 * 4 -> 16 | <- 16
g(4) -> 16 | 16 + -5 -> 11 | @7 | t=11
"""  # noqa: E501


def traced(source: str, arguments: str) -> tuple[Program, Trace]:
    program = make_program(source, "f", arguments, origin="test")
    return program, trace_program(program, Limits(), granularity=Granularity.EXPRESSION)


def test_operations_stand_innermost_first_before_the_step():
    program, trace = traced(SOURCE, "[1, 2], 3, {'k': 'abc'}")
    targets = [one.target for one in sub.render(trace, program)]
    assert targets[: TARGETS.count("\n")] == TARGETS.splitlines()
    # `n` and the loop's `i` are bound in the midst of their lines: their values are not known before.
    walrus = next(target for target in targets if target.startswith("len(y)"))
    assert walrus.startswith("len(y) -> 2 | 2 > 1 -> True | n < 3 -> True |") or "n := 2" in walrus
    assert targets[-1].endswith("<- \"4 -> 25('k', 'abc')\"")


def literals_only(text: str) -> bool:
    return not any(isinstance(node, ast.Name) for node in ast.walk(ast.parse(text)))


def test_a_place_that_is_a_number_has_no_brackets():
    """`s[i]` reads as people write it; a number that has an attribute needs them."""
    program, trace = traced("def f(s, i):\n    t = s[i]\n    return i.real + len(s)\n", "'abc', 1")
    written = [str(one) for _, found, *_ in nested_steps(trace, program) for one in found]
    assert written == ["'abc'[1] -> 'b'", "(1).real -> 1", "len('abc') -> 3", "1 + 3 -> 4"]


def test_what_is_written_is_true_in_python():
    """An operation whose operands are all values gives, evaluated, the value beside it."""
    n_checked = n_steps = 0
    for number in range(260):
        found = candidate(FAMILIES[("easy", "medium")[number % 2]], 79, number)
        if found is None:
            continue
        trace = trace_program(found[0], Limits(), granularity=Granularity.EXPRESSION)
        lines = [one.target for one in line_1.render(trace, found[0])]
        for line, (_, operations, step, _) in zip(lines, nested_steps(trace, found[0]), strict=True):
            written = sub.answer(operations, step)
            assert list(map(str, sub.read_answer(written)[0])) == list(map(str, operations))
            assert written == (line if not operations else " | ".join([*map(str, operations), line]))
            n_steps += 1
            for operation in operations:
                if literals_only(operation.text):
                    value = eval(operation.text)
                    assert repr(value) == str(operation.value), operation
                    n_checked += 1
    assert n_steps > 500
    assert n_checked > 300


@pytest.mark.parametrize(
    ("text", "value"),
    [("'a -> 1 | b'.upper()", "'A -> 1 | B'"), ("\"it's\" + '|'", '"it\'s|"'), ("3 | 4", "7")],
)
def test_an_answer_is_read_as_it_was_written(text: str, value: str):
    operations = [Operation(text, read_value(value))] * 2
    _, step = sub.read_answer("@3 | s=1")
    assert sub.read_answer(sub.answer(operations, step)) == (operations, step)


WORKED = """\
def f(s, xs, n):
    c = s.count('r')
    t = sum(xs)
    if n * 37 > 100 and s.find('x') < 0:
        n = n // 7 % 13
    if n < 9:
        return divmod(n * 123, 11)
"""
WORKED_TARGETS = """\
@2
'rrsr'.count('r') -> 'r1r2sr3' = 3 | @3 | c=3
sum(xs) -> 1; 6; 4 = 4 | @4 | t=4
845 * 37 -> 5915 + 25350 = 31265 | 31265 > 100 -> True | 'rrsr'.find('x') -> 'r0r1s2r3' = -1 | -1 < 0 -> True | @5
845 // 7 -> 8 1 1; 14 2 0; 5 0 5 = 120 | 120 % 13 -> 1 0 1; 12 0 12; 120 9 3 = 3 | @6 | n=3
3 < 9 -> True | @7
3 * 123 -> 369 | divmod(369, 11) -> 3 0 3; 36 3 3; 39 3 6 = (33, 6) | <- (33, 6)
"""  # noqa: E501


def test_small_steps_stand_before_the_value_of_a_large_operation():
    """Products, divisions, sums and searches; a single operation and a condition's truth are written too."""
    program, trace = traced(WORKED, "'rrsr', [1, 5, -2], 845")
    examples = sub.render(trace, program)
    assert [one.target for one in examples] == WORKED_TARGETS.splitlines()
    assert sub.parse(program, examples) == sub.keeps(trace)
    workings = [one.working for example in examples for one in sub.read_answer(example.target)[0]]
    assert workings[:3] == ["'r1r2sr3'", "1; 6; 4", "5915 + 25350"]


def test_a_working_with_several_equals_signs_is_read():
    operations, _ = sub.read_answer("-356 * 123 -> 1068 + 7120 = 8188 + 35600 = -43788 | @3")
    assert (operations[0].working, str(operations[0].value)) == ("1068 + 7120 = 8188 + 35600", "-43788")


def test_elements_up_to_a_place_are_read():
    """Whatever stands in the strings; the value is the last of them."""
    text = "xs[1] -> #0 'a' #1 'b = c | #2' = 'b = c | #2' | @3 | r='b'"
    operations, step = sub.read_answer(text)
    assert (operations[0].working, str(operations[0].value)) == ("#0 'a' #1 'b = c | #2'", "'b = c | #2'")
    assert sub.answer(operations, step) == text


@pytest.mark.parametrize(
    "text",
    ["xs[1] -> #0 3 #1 4 | @3", "xs[1] -> #0 3; 4 = 4 | @3", "xs[1] -> #0 = 4 | @3"],
)
def test_a_malformed_place_is_none(text: str):
    with pytest.raises(ValueError, match=r"expected"):
        sub.read_answer(text)


@pytest.mark.parametrize(
    "text",
    ["", "3 + 4 -> 7", "3 + 4 | @3", "3 + 4 -> 7 | 8", "3 -> [ | @3", "s = 3", "3 * 4 -> 5 x = 7 | @3"],
)
def test_a_malformed_answer_is_none(text: str):
    with pytest.raises(ValueError, match=r"expected|neither"):
        sub.read_answer(text)


def test_wrong_values_before_a_step_are_not_corrected():
    state = read_state("@2 | a=3; b=9")
    wrong = sub_strategy.read(state, "3 + 9 -> 13 | 13 % 10 -> 3 | @3 | s=3")
    assert str(wrong) == "@3 | a=3; b=9; s=3"
    assert sub_strategy.read(state, "3 + 9 -> 12 | 12 % 10 -> 2 | <- 7") == Answer("7")


@pytest.mark.parametrize("name", ["sub", "line-1-full"])
def test_gold_text_through_the_strategy_gives_the_true_outcome(name: str):
    strategy = {"sub": sub_strategy, "line-1-full": line_1_full_strategy}[name]
    tasks = [task_of(SOURCE, "f", "[1, 2], 3, {'k': 'abc'}")]
    # Those of version 3 run for up to 6,472 steps.
    for draft in islice(plugins.load("benchmark", "core").drafts(""), 0, 188, 12):
        tasks.append(task_of(draft.program.source, draft.program.entry, draft.program.arguments))
    for number in range(40):
        found = candidate(FAMILIES["easy"], 80, number)
        if found is not None:
            tasks.append(task_of(found[0].source, found[0].entry, found[0].arguments))
    for task in tasks:
        done, _ = roll_out(strategy, task, trained(name, task))
        assert not isinstance(done.answer, NoAnswer), done.answer
        assert score(task, done.answer).verdict == "right", task.program.source
    assert len(tasks) > 25
