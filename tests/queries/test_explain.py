"""A wrong result is traced to its line: ten bugs, the edits behind it, and mistakes of the user."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.queries.bugs import BUGS
from tests.queries.programs import PROGRAMS

from deskcheck.errors import UserError
from deskcheck.languages import part
from deskcheck.queries.cases import case_of
from deskcheck.queries.explain import explain, ochiai, result_of
from deskcheck.queries.run import Run
from deskcheck.queries.slices import slice_of
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program


def here(programs: Sequence[Program], limits: Limits) -> list[Trace]:
    return [trace_program(program, limits) for program in programs]


def case(folder: Path, source: str, tests: str, call: str = "") -> object:
    (folder / "a.py").write_text(source)
    (folder / "test_a.py").write_text(tests)

    def program_of(call: str) -> Program:
        return make_program(source, "f", call.removeprefix("f(").removesuffix(")"), origin="test")

    return case_of(program_of, str(folder / "a.py"), call, "", tests=str(folder / "test_a.py"), runner=here)


@pytest.mark.parametrize("name", BUGS)
def test_the_wrong_line_of_a_small_program_is_among_three(tmp_path: Path, name: str):
    source, tests, line, _ = BUGS[name]
    given = case(tmp_path, source, tests)
    answer = explain(given.program, given.expected, others=given.others, runner=here)  # type: ignore[attr-defined]  # a Case
    assert 1 <= len(answer.suspects) <= 3 and answer.n_tried > 0
    assert not line or line in [suspect.line for suspect in answer.suspects], str(answer)
    assert all(suspect.value for suspect in answer.suspects)
    assert json.loads(answer.to_json()) == answer.to_dict()


def test_a_repair_is_shown_with_the_value_that_it_mends(tmp_path: Path):
    given = case(tmp_path, *BUGS["limit"][:2])
    answer = explain(given.program, given.expected, others=given.others, runner=here)  # type: ignore[attr-defined]  # a Case
    first = answer.suspects[0]
    assert (first.line, first.repair, first.n_passed) == (4, "if x <= k:", 3)
    assert "led to line 3" in first.value and "right: line 5" in first.value


def test_when_the_time_is_up_nothing_more_is_tried_and_the_answer_says_so(tmp_path: Path):
    given = case(tmp_path, *BUGS["limit"][:2])
    n_runs = 0

    def slow(programs: Sequence[Program], limits: Limits) -> list[Trace]:
        nonlocal n_runs
        n_runs += len(programs)
        monkey.setattr("time.monotonic", lambda: 10.0 * n_runs)  # each run takes ten seconds
        return here(programs, limits)

    with pytest.MonkeyPatch.context() as monkey:
        monkey.setattr("time.monotonic", lambda: 0.0)
        answer = explain(given.program, given.expected, others=given.others, runner=slow, until=100.0)  # type: ignore[attr-defined]  # a Case
    assert 0 < answer.n_tried < 40 and answer.n_left > 0 and len(answer.suspects) == 3
    assert f"the time was up, so {answer.n_left} more were not tried" in str(answer)
    whole = explain(given.program, given.expected, others=given.others, runner=here)  # type: ignore[attr-defined]  # a Case
    assert whole.n_tried == answer.n_tried + answer.n_left and not whole.n_left
    assert "time was up" not in str(whole)
    with pytest.raises(UserError, match="time was up"):
        case_of(
            lambda _: given.program,
            str(tmp_path / "a.py"),
            "",
            "",
            tests=str(tmp_path / "test_a.py"),
            runner=here,
            until=0.0,
        )  # type: ignore[attr-defined]  # a Case


def test_edits_keep_the_lines_of_a_source_and_parse():
    n = 0
    for source, _ in PROGRAMS.values():
        for line in range(1, source.count("\n") + 1):
            for edit in part("python", "edits")(source, line):
                old, new = source.split("\n"), edit.source.split("\n")
                compile(edit.source, "<edit>", "exec")
                assert [at for at, (a, b) in enumerate(zip(old, new, strict=True), 1) if a != b] == [line]
                n += 1
    assert n > 300


def test_the_slice_leaves_out_lines_that_the_result_does_not_depend_on():
    source = (
        "def f(n):\n    a = n + 1\n    b = n * 2\n    if a > 3:\n        a = 0\n    c = b\n    return a\n"
    )
    program = make_program(source, "f", "5", origin="test")
    assert sorted(slice_of(Run(trace_program(program, Limits()), program))) == [4, 5, 7] or sorted(
        slice_of(Run(trace_program(program, Limits()), program))
    ) == [2, 4, 5, 7]


def test_the_slice_of_a_raising_run_begins_at_the_line_that_raised():
    source = (
        "def g(x):\n    if x > 2:\n        return None\n    return x\n"
        "def h(y):\n    y = g(y)\n    return y + 1\n"
        "def f(n):\n    a = 0\n    return h(n)\n"
    )
    program = make_program(source, "f", "5", origin="test")
    distances = slice_of(Run(trace_program(program, Limits()), program))
    assert distances[7] == 0 and distances[6] == 1 and distances[3] == 2 and 9 not in distances


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("a + b", "(a) * (b)"),
        ("a // b", "(b) // (a)"),
        ("pow(a, b)", "pow(b, a)"),
        ("a * 1", "(a) * (b)"),
        ("xs[a:-1]", "xs[a:]"),
        ("xs[1:b]", "xs[:b]"),
    ],
)
def test_common_slips_are_among_the_edits(wrong: str, right: str):
    source = f"def f(a, b, xs):\n    return {wrong}\n"
    wanted = ast.unparse(ast.parse(f"def f(a, b, xs):\n    return {right}\n"))
    assert wanted in {ast.unparse(ast.parse(edit.source)) for edit in part("python", "edits")(source, 2)}


def test_edits_of_all_lines_are_tried_before_more_of_the_first():
    """With more edits than are run, the line that is the farthest from the result still gets some."""
    lines = [f"x{n} = x{n - 1} + a * {n} - b * {n} + c * {n}" for n in range(1, 41)]
    source = "def f(a, b, c):\n    x0 = a - b\n    " + "\n    ".join(lines) + "\n    return x40\n"
    call = make_program(source, "f", "7, 3, 2", origin="test")
    right = make_program(source.replace("x0 = a - b", "x0 = a + b"), "f", "7, 3, 2", origin="test")
    other = make_program(source, "f", "1, 8, 1", origin="test")
    other_right = make_program(right.source, "f", "1, 8, 1", origin="test")
    wanted, also = (result_of(trace) for trace in here([right, other_right], Limits()))
    answer = explain(call, wanted, others=[(other, also)], runner=here)
    assert 2 in [suspect.line for suspect in answer.suspects], str(answer)


def test_ochiai_is_its_formula():
    source = "def f(n):\n    if n > 2:\n        n = 0\n    return n\n"
    programs = [make_program(source, "f", str(n), origin="test") for n in (5, 1, 7)]
    failing, one, two = here(programs, Limits())
    scores = ochiai(Run(failing, programs[0]), [(one, True), (two, True)])
    assert scores[2] == pytest.approx(1 / 3**0.5) and scores[3] == pytest.approx(1 / 2**0.5)


@pytest.mark.parametrize("ending", ["js", "ts", "c"])
def test_a_file_in_another_language_is_refused_by_its_name(tmp_path: Path, ending: str):
    file = tmp_path / f"a.{ending}"
    file.write_text("function f(n) { return n; }\n", encoding="utf-8")
    with pytest.raises(UserError, match="whose statements explain cannot change"):
        case_of(lambda text: pytest.fail(text), str(file), "f(1)", "2", runner=lambda *_: [])


def test_a_call_that_is_right_or_of_which_nothing_is_known_is_refused():
    program = make_program("def f(n):\n    return n\n", "f", "5", origin="test")
    with pytest.raises(UserError, match="nothing to explain"):
        explain(program, "5", runner=here)
    with pytest.raises(
        UserError, match=r"^f\(5\) gives 5, and nothing says what is right; give it: --expect"
    ):
        explain(program, "", runner=here)
    with pytest.raises(UserError, match="--expect 3 is the right result of one call: name the call, --call"):
        case_of(lambda text: program, "a.py", "", "3", runner=here)


TESTS = """
import a, pytest
def test_a():
    assert f(1) == 2
    assert a.f(3) == 4
    assert f(n) == 5
    assert g(1) == 1
    print(len([1]))
@pytest.mark.parametrize("n", [1, 2])
def test_b(n):
    assert a.f(n).bit_length() == 1
def test_c():
    with pytest.raises(ZeroDivisionError):
        f(0)
class TestC(unittest.TestCase):
    def test_d(self):
        self.assertEqual(f(9), 10)
"""


def test_calls_of_the_tests_that_are_not_read_are_counted_and_said(tmp_path: Path):
    source = (
        'def f(n):\n    """\n    >>> f(1)\n    2\n    """\n    return n + 1\ndef g(n):\n    return f(n)\n'
    )
    with pytest.raises(
        UserError, match=r"^all 2 calls .* 5 calls of the tests were not read: f\(n\), "
    ) as said:
        case(tmp_path, source, TESTS)
    assert "any other call can be named: --call" in str(said.value)
    given = case(tmp_path, source.replace("+ 1", "+ 2"), TESTS)
    assert given.unread == ["f(n)", "f(0)", "f(9)", "g(1)", "f(n).bit_length()"]  # type: ignore[attr-defined]  # a Case
    assert len(given.others) == 1  # type: ignore[attr-defined]  # f(3): f(1) is stated twice
    answer = explain(given.program, "2", unread=given.unread, runner=here)  # type: ignore[attr-defined]
    assert "5 calls of the tests were not read: f(n), f(0), f(9), ..;" in str(answer)
    assert json.loads(answer.to_json())["unread"] == given.unread  # type: ignore[attr-defined]
    named = case(tmp_path, source, TESTS, call="f( 3 )")
    assert (named.expected, named.unread) == ("4", ["f(n)", "f(0)", "f(9)"])  # type: ignore[attr-defined]
    with pytest.raises(UserError, match=r"nothing to explain$"):
        case(tmp_path, source, "assert f(1) == 2\n")


def test_the_file_and_its_tests_are_read_in_the_encoding_that_python_takes(tmp_path: Path):
    for source in (
        b"\xef\xbb\xbfdef f(n):\n    return n\n",
        b"# coding: latin-1\n# \xe4\ndef f(n):\n    return n\n",
    ):
        (tmp_path / "a.py").write_bytes(source)
        (tmp_path / "test_a.py").write_bytes(b"\xef\xbb\xbfassert f(1) == 2\n")
        program = make_program("def f(n):\n    return n\n", "f", "1", origin="test")
        paths = str(tmp_path / "a.py"), str(tmp_path / "test_a.py")
        found = case_of(lambda text, made=program: made, paths[0], "", "", tests=paths[1], runner=here)
        assert (found.program.call, found.expected) == ("f(1)", "2")
    (tmp_path / "a.py").write_bytes(b"x = '\xe4'\n")
    with pytest.raises(UserError, match=r"a\.py cannot be read: it is not text as Python reads it: .*name a"):
        case_of(lambda text: program, paths[0], "", "", runner=here)


def deskcheck(folder: Path, *words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    start = "from deskcheck.cli import main\nmain()"
    code = f"{before}\nimport sys\nsys.argv = ['deskcheck', *{list(words)!r}]\n{start}"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


def test_the_command_answers_in_the_sandbox_and_names_mistakes(tmp_path: Path):
    source, tests, line, _ = BUGS["limit"]
    (tmp_path / "a.py").write_text(source)
    (tmp_path / "test_a.py").write_text(tests)
    done = deskcheck(tmp_path, "explain", "a.py", "test_a.py")
    assert done.returncode == 0 and f"1. line {line}: if x < k:" in done.stdout
    wrong = {
        "explain a.py": "name the failing call",
        "explain": "name the program's file",
        "explain a.py --call f([1],2) --expect g()": "a literal is needed",
        "explain a.py --call f([1],2) --expect 1": "nothing to explain",
    }
    for words, message in list(wrong.items())[:3]:
        done = deskcheck(tmp_path, *words.split())
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1) and message in done.stderr


def test_without_the_sdk_the_server_names_the_extra(tmp_path: Path):
    done = deskcheck(tmp_path, "mcp", before="import sys\nsys.modules['mcp'] = None")
    assert done.returncode == 2 and "[mcp]'" in done.stderr.splitlines()[-1]
