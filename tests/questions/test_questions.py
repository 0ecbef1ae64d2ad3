"""Kinds of task: their answers are what a rewritten copy of the program says of itself, on every program."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.questions import instrumented

from deskcheck import plugins
from deskcheck.benchmarks import core, cruxeval, fresh
from deskcheck.grading.verdict import score
from deskcheck.languages import equal, facts, parse_literal
from deskcheck.questions import Unasked, tasks_of, tasks_of_all
from deskcheck.records import Answer, Limits, NoAnswer, Task, TaskDraft, Trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

KINDS = plugins.names("question")
EXECUTED = {"input"}
BLANK = re.compile(r"\{[a-z_]+\}")


def draft_of(source: str, arguments: str, entry: str = "f", line: int = 0, variable: str = "") -> TaskDraft:
    """A draft about one program."""
    program = make_program(source, entry, arguments, origin="test")
    return TaskDraft("a", program, "", "a", line=line, variable=variable)


def traced(draft: TaskDraft, *, max_steps: int = 10_000) -> Trace:
    """Its run, in this process."""
    return trace_program(draft.program, Limits(max_steps=max_steps))


@cache
def drawn() -> list[tuple[TaskDraft, Trace]]:
    """Some generated programs with their runs."""
    return [(draft, traced(draft)) for draft in fresh.drafts("", n=40, seed=9)]


def asked(kind: str, source: str, arguments: str, **more: object) -> list[Task] | Unasked:
    """The tasks of one kind about one run."""
    draft = draft_of(source, arguments, **more)  # type: ignore[arg-type]
    return tasks_of(kind, draft, traced(draft), benchmark="test")


def answers(kind: str, source: str, arguments: str, **more: object) -> dict[str, str]:
    """Id of a task -> its expected answer."""
    found = asked(kind, source, arguments, **more)
    assert not isinstance(found, Unasked), found
    return {task.id: task.expected for task in found}


def compare_with_rewritten(draft: TaskDraft) -> int:
    """Every derived answer against the rewritten program's; gives how many were compared."""
    trace = traced(draft)
    loops = facts(draft.program).loops or []
    log = instrumented.run(draft.program, {loop.line: loop.variable for loop in loops})
    n = 0
    for kind in ("loop-counts", "branches", "loop-values", "state"):
        found = tasks_of(kind, draft, trace, benchmark="test")
        for task in found if isinstance(found, list) else []:
            n += 1
            value: Any = parse_literal(task.expected)
            where = f"{draft.program.origin} {task.id} {kind}\n{draft.program.source}\n{draft.program.call}"
            if kind == "loop-counts":
                assert value == {line: log.rounds.get(line, 0) for line in value}, where
                assert set(log.rounds) <= set(value), where
            elif kind == "branches":
                assert value == {line: log.tests.get(line, []) for line in value}, where
            elif kind == "loop-values":
                texts = log.values[int(task.id.partition("@")[2])]
                assert equal(value, [parse_literal(text) for text in texts]), where
            else:
                line, nth, name = task.id.partition("@")[2].split(".")
                text, type_name = log.assigned[int(line), name][int(nth) - 1]
                assert equal(value, (parse_literal(text), type_name)), where
    return n


def test_generated_programs_say_the_same_of_themselves() -> None:
    drafts = [*fresh.drafts("", n=40, seed=3), *fresh.drafts("", n=15, seed=4, level="hard")]
    assert sum(compare_with_rewritten(draft) for draft in drafts) > 150


def test_the_problems_of_core_say_the_same_of_themselves() -> None:
    drafts = [draft for draft in core.drafts("") if "yield" not in draft.program.source][::5]
    assert sum(compare_with_rewritten(draft) for draft in drafts) > 60


@pytest.mark.slow
def test_all_of_cruxeval_says_the_same_of_itself(data: Callable[[str], Path]) -> None:
    drafts = list(cruxeval.drafts(str(data("cruxeval/cruxeval.jsonl"))))
    assert sum(compare_with_rewritten(draft) for draft in drafts) > 1800


EVERY = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 2:
            total += x
        else:
            total -= 1
    return total
"""


def test_an_example_of_each_kind() -> None:
    found = {kind: answers(kind, EVERY, "[1, 5]") for kind in KINDS}
    assert found["output"] == {"a": "4"} == found["input"]
    assert found["full-trace"] == {"a": "[2, 3, 4, 7, 3, 4, 5, 3, 8]"}
    assert found["coverage"] == {"a": "[2, 3, 4, 5, 7, 8]"}
    assert found["hot-lines"] == {"a": "[3]"}
    assert found["loop-counts"] == {"a": "{3: 2}"}
    assert found["branches"] == {"a": "{4: [False, True]}"}
    assert found["exception"] == {"a": "None"}
    assert found["loop-values"] == {"a@3": "[1, 5]"}
    assert set(found["state"].items()) == {("a@5.1.total", "(4, 'int')"), ("a@7.1.total", "(-1, 'int')")}
    next_lines = {"a@3.1": "4", "a@4.1": "7", "a@3.2": "4", "a@4.2": "5", "a@3.3": "8"}
    assert len(found["next-line"]) == 3 and found["next-line"].items() <= next_lines.items()
    (other,) = found["counterfactual"].values()
    assert other != "4"
    (halting,) = found["halting"].values()
    assert halting in ("True", "False")


def test_a_state_names_line_and_variables_and_the_rounds_of_loops() -> None:
    source = "def f(n):\n    for i in range(n):\n        y = i\n    return y"
    found = asked("next-state", source, "2")
    assert isinstance(found, list)
    by_id = {task.id: task for task in found}
    expected = {
        "a@2.1": "(3, {'n': 2, 'i': 0})",
        "a@3.1": "(2, {'n': 2, 'i': 0, 'y': 0})",
        "a@2.2": "(3, {'n': 2, 'i': 1, 'y': 0})",
        "a@3.2": "(2, {'n': 2, 'i': 1, 'y': 1})",
        "a@2.3": "(4, {'n': 2, 'i': 1, 'y': 1})",
        "a@4.1": "('returns', 1)",
    }
    assert {name: task.expected for name, task in by_id.items()}.items() <= expected.items()
    rounds = {"a@2.1": 0, "a@3.1": 1, "a@2.2": 1, "a@3.2": 2, "a@2.3": 2}
    for name, n in rounds.items():
        if name in by_id:
            assert f"The loop on line 2 has started {n} iterations." in by_id[name].question["en"]
            assert f"第 2 行的循环已开始 {n} 次迭代。" in by_id[name].question["zh"]


def test_the_rounds_of_an_inner_loop_begin_anew() -> None:
    source = "def f():\n    t = 0\n    for i in range(3):\n        for j in range(2):\n            t += j\n"
    draft = draft_of(source, "")
    seen = set()
    for number in range(60):  # other ids draw other moments
        program = make_program(source + f"# {number}\n", "f", "", origin="test")
        found = tasks_of("next-state", TaskDraft("a", program, "", "a"), traced(draft), benchmark="test")
        assert isinstance(found, list)
        seen |= {(task.id, task.question["en"].partition("}.")[2].partition(" Which")[0]) for task in found}
    said = dict(seen)
    assert len(said) == len(seen)
    iterations = " The loop on line 3 has started 2 iterations. The loop on line 4 has started %d iterations."
    assert (said["a@5.3"], said["a@4.6"]) == (iterations % 1, iterations % 2)


FOREVER = "def f(n):\n    while True:\n        n -= 1\n        if not n:\n            break"
TWO_LOOPS = "def f(n):\n    for i in []:\n        n = 1\n    while n:\n        n -= 1"
BREAKS = "def f(n):\n    for i in range(n):\n        if i == 2:\n            break"
ELIF = "def f(n):\n    if n > 1:\n        n = 1\n    elif n:\n        n = 2\n    return n"
RAISING_TEST = """\
def f(d):
    try:
        if d[1]:
            return 1
    except KeyError:
        if d:
            return 2
"""


@pytest.mark.parametrize(
    ("kind", "source", "arguments", "expected"),
    [
        ("exception", "def f(d):\n    return d['x']", "{}", "'KeyError'"),
        ("next-line", "def f():\n    return 1", "", "0"),
        ("coverage", "def f(x):\n    if x:\n        return 1\n    return 2", "0", "[2, 4]"),
        ("full-trace", "def f(n):\n    return [i * 2 for i in range(n)]", "3", "[2]"),
        ("full-trace", "def f(n):\n    return sum(\n        i\n        for i in range(n)\n    )", "3", "[2]"),
        ("full-trace", "def f(n):\n    x = (n +\n         n)\n    return x", "3", "[2, 4]"),
        ("full-trace", "def f(n):\n    while n: n -= 1\n    return n", "2", "[2, 2, 3]"),
        ("full-trace", "def g(n):\n    return n\ndef f(n):\n    return g(n) + g(n)", "1", "[4, 2, 2]"),
        ("full-trace", "def f(xs):\n    return sorted(xs, key=lambda x: -x)", "[1, 2]", "[2]"),
        ("hot-lines", "def f(n):\n    while n:\n        n -= 1\n        n += 0", "3", "[2]"),
        ("hot-lines", FOREVER, "2", "[2, 3, 4]"),
        ("loop-counts", FOREVER, "4", "{2: 4}"),
        ("loop-counts", BREAKS, "9", "{2: 3}"),
        ("loop-counts", TWO_LOOPS, "2", "{2: 0, 4: 2}"),
        ("branches", "def f(n):\n    if n:\n        pass", "0", "{2: [False]}"),
        ("branches", ELIF, "1", "{2: [False], 4: [True]}"),
        ("branches", RAISING_TEST, "{}", "{3: [], 6: [False]}"),
        ("loop-values", "def f(n):\n    while n > 0:\n        n -= 2", "5", "[5, 3, 1]"),
    ],
)
def test_small_cases(kind: str, source: str, arguments: str, expected: str) -> None:
    assert set(answers(kind, source, arguments).values()) == {expected}


@pytest.mark.parametrize(
    ("kind", "source", "arguments", "reason"),
    [
        ("full-trace", "def f(n):\n    while n:\n        n -= 1", "400", "more than 300 lines"),
        ("hot-lines", "def f(n):\n    return n", "4", "no line is reached twice"),
        ("loop-counts", "def f(n):\n    return n", "4", "no loop"),
        ("loop-counts", "def f(n):\n    while n: n -= 1", "4", "a loop whose iterations cannot be counted"),
        ("loop-values", "def f(n):\n    for i in []:\n        n = 1", "4", "no loop of 1 to 40 iterations"),
        ("branches", "def f(n):\n    if n: return 1", "4", "a branch that lines cannot tell"),
        ("branches", "def f(n):\n    return n", "4", "no branch"),
        ("state", "def f(n):\n    x = 1\n    return n", "4", "no variable is assigned"),
        ("state", "def f(n):\n    x = object()\n    return n", "4", "no plain variable"),
        (
            "branches",
            "def f(n):\n    for i in range(n):\n        if i:\n            n = 0",
            "101",
            "more than 100",
        ),
        (
            "branches",
            "def f(n):\n    for i in []:\n        if i:\n            n = 0",
            "1",
            "no branch is tested",
        ),
        ("output", "def f(n):\n    return object()", "4", "value is not plain"),
        ("output", "def f(n):\n    return ['a' * 40_000] * n", "3", "answer is no literal"),
    ],
)
def test_a_run_without_such_a_question_says_why(kind: str, source: str, arguments: str, reason: str) -> None:
    found = asked(kind, source, arguments)
    assert isinstance(found, Unasked)
    assert found.reason.startswith(reason)


def test_a_run_that_never_ends_has_no_output_and_does_not_halt() -> None:
    draft = draft_of("def f(n):\n    while n:\n        n += 1\n    return n", "1")
    trace = traced(draft, max_steps=200)
    for kind in ("output", "exception", "input"):
        found = tasks_of(kind, draft, trace, benchmark="test")
        assert isinstance(found, Unasked) and found.reason == "step limit"
    (task,) = tasks_of("halting", draft, trace, benchmark="test")
    assert task.expected == "False"


def test_a_source_that_names_line_and_variable_is_asked_there() -> None:
    for kind, expected in (
        ("state", {"a@7.1.total": "(-1, 'int')"}),
        ("next-line", {"a@4.1": "7"}),
        ("reached", {"a@4": "True"}),
    ):
        line, variable = (7, "total") if kind == "state" else (4, "")
        assert answers(kind, EVERY, "[1, 5]", line=line, variable=variable) == expected
    assert answers("reached", EVERY, "[1]", line=5) == {"a@5": "False"}


def test_yes_and_no_are_both_common() -> None:
    for kind in ("halting", "reached"):
        found = [tasks_of(kind, draft, trace, benchmark="test") for draft, trace in drawn()]
        said = [task.expected for tasks in found if isinstance(tasks, list) for task in tasks]
        assert 0.25 < said.count("True") / len(said) < 0.85


def test_the_same_program_is_asked_the_same_whatever_else_there_is() -> None:
    one, trace = drawn()[0]
    for kind in [kind for kind in KINDS if kind != "counterfactual"]:
        first, again = (tasks_of(kind, one, trace, benchmark="test") for _ in range(2))
        assert first == again


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_keeps_the_contract(kind: str) -> None:
    module = plugins.load("question", kind)
    assert set(module.QUESTION) == set(module.FORM) == {"en", "zh"}
    n = 0
    for found in tasks_of_all(kind, drawn(), benchmark="test"):
        for task in found if isinstance(found, list) else []:
            n += 1
            assert not BLANK.search("".join(task.form.values()))
            if task.numbered:
                assert "line" in task.question["en"] and "行" in task.question["zh"]
            if kind in EXECUTED:
                continue
            assert score(task, Answer(task.expected)).verdict == "right"
            assert score(task, Answer("'certainly not'")).verdict == "wrong"
            assert score(task, Answer("raises NoSuchError")).verdict == "wrong"
            assert score(task, Answer("who ( knows")).reason == "unparsable"
            assert score(task, NoAnswer("truncated")).reason == "truncated"
    assert n >= 10, f"only {n} tasks of kind {kind}"


def test_a_program_that_changes_the_variable_itself_gives_the_counterfactual_answer() -> None:
    n = 0
    for found in tasks_of_all("counterfactual", drawn(), benchmark="test"):
        for task in found if isinstance(found, list) else []:
            line, nth, name = task.id.partition("@")[2].split(".")
            new = task.question["en"].partition(" is set to ")[2].partition(", and the run then")[0]
            changed = instrumented.changed(task.program, int(line), int(nth), f"{name} = {new}")
            if changed is not None:
                n += 1
                assert task.expected == changed, f"{task.question['en']}\n{task.program.source}"
    assert n >= 8


def test_lines_in_any_order_and_container_are_the_same_lines() -> None:
    (task,) = asked("coverage", EVERY, "[1, 5]")  # type: ignore[misc]
    for text in ("[8, 7, 5, 4, 3, 2]", "{2, 3, 4, 5, 7, 8}", "(2, 3, 4, 5, 7, 8, 8)"):
        assert score(task, Answer(text)).verdict == "right"
    for text in ("[2, 3, 4, 5, 7]", "[2, 3, 4, 5, 7, 8.0]", "8", "[]", "{2: 3}"):
        assert score(task, Answer(text)).verdict == "wrong"


def test_answers_do_not_depend_on_the_python_that_runs() -> None:
    source = "def f(n):\n    xs = [\n        i\n        for i in range(n)\n    ]\n    return {i for i in xs}"
    assert answers("full-trace", source, "3") == {"a": "[2, 6]"}, sys.version


def test_a_run_of_a_hundred_tests_is_still_asked() -> None:
    source = "def f(n):\n    for i in range(n):\n        if i:\n            n = 0"
    (expected,) = answers("branches", source, "100").values()
    assert expected.count("True") == 99 and expected.count("False") == 1
