"""A traced program meets the limit of recursion at the depth at which plain Python meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing.telling import traced

import deskcheck
from deskcheck.programs.files import program_of
from deskcheck.records import Limits, Raised
from deskcheck.tracing.collect import TraceRequest, run_request, trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

# Each function returns the depth of its deepest frame, and some the text of the exception.
SOURCE = """\
import sys

def plain(n=1):
    try:
        return plain(n + 1)
    except RecursionError as error:
        return n, error

def told(n=1):
    found, error = plain()
    return found, str(error)

def limited(limit):
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(limit)
    found = told()
    sys.setrecursionlimit(before)
    return found, sys.getrecursionlimit()

def left_low():
    sys.setrecursionlimit(60)
    return told()

def too_low():
    try:
        sys.setrecursionlimit(2)
    except RecursionError as error:
        return str(error)

class Node:
    def __init__(self):
        self.n = 0
    def walk(self):
        self.n += 1
        self.walk()

def methods():
    node = Node()
    try:
        node.walk()
    except RecursionError as error:
        return node.n, str(error)

def mutual():
    def even(n):
        try:
            return odd(n + 1)
        except RecursionError as error:
            return n, error
    def odd(n):
        return even(n + 1)
    found, error = even(1)
    return found, str(error)

def generators():
    deepest = []
    def up(n):
        deepest.append(n)
        yield next(up(n + 1))
    try:
        next(up(0))
    except RecursionError as error:
        return len(deepest), str(error)
"""
CALLS = [
    "told()", "limited(64)", "limited(300)", "limited(3000)", "left_low()", "too_low()", "methods()",
    "mutual()",
    *(["generators()"] if sys.version_info >= (3, 13) else []),
]  # fmt: skip
# 3.12 counts nested calls of C code apart, of which some of ours are under the program's.
# On 3.11 a traced call of C code takes one level, and a specialized instruction of plain Python none.


@pytest.fixture(scope="module")
def truths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What plain Python returns for each call, each in a process of its own."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "depths.py").write_text(SOURCE)
    found = {}
    for call in CALLS:
        command = [sys.executable, "-c", f"import depths\nprint(repr(depths.{call}))"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        found[call] = done.stdout.strip()
    assert all("998" in found[call] or "999" in found[call] for call in ("told()", "methods()"))
    return found


def test_calls_in_the_sandbox_have_the_depth_of_plain_python(truths: dict[str, str]) -> None:
    made = [make_program(SOURCE, *call[:-1].split("("), origin="test") for call in CALLS]
    found = {p.call: outcome_text(trace) for p, trace in trace_programs(made, Limits())}
    assert found == truths


def test_trusted_calls_and_scripts_have_the_depth_of_plain_python(
    tmp_path: Path, truths: dict[str, str]
) -> None:
    for call in ("told()", "limited(64)", "left_low()"):
        (tmp_path / "a.py").write_text(
            f"{SOURCE}if __name__ == '__main__':\n    RESULT = {call}\n    print(RESULT)\n"
        )
        trusted = TraceRequest(str(tmp_path / "a.py"), call=call, is_trusted=True)
        assert outcome_text(run_request(trusted, program_of=program_of).in_memory()) == truths[call]
        boxed = run_request(TraceRequest(str(tmp_path / "a.py")), program_of=program_of)
        assert boxed.output.decode().strip() == truths[call]


def test_a_call_in_this_process_has_the_depth_of_an_untraced_call(tmp_path: Path) -> None:
    (tmp_path / "depths.py").write_text(SOURCE)
    program = (
        "import json, sys, deskcheck, depths\n"
        "def both(f, *args):\n    return [f(*args), list(deskcheck.trace(f, *args).result)]\n"
        "def deeper(n):\n    return both(depths.told) if n == 0 else deeper(n - 1)\n"
        "before = sys.getrecursionlimit()\n"
        "found = [both(depths.told), both(depths.methods), deeper(100), deeper(10)]\n"
        "print(json.dumps([found, [before, sys.getrecursionlimit()]]))\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found, limits = json.loads(done.stdout)
    assert all(plain == traced for plain, traced in found) and limits[0] == limits[1]
    assert found[2][0][0] + 90 == found[3][0][0]


def test_a_limit_that_the_program_leaves_low_is_no_trouble_for_this_process() -> None:
    def lowered() -> int:
        sys.setrecursionlimit(sys.getrecursionlimit() // 2 + 100)
        return 1

    before = sys.getrecursionlimit()
    assert deskcheck.trace(lowered).result == 1
    sys.setrecursionlimit(before)


@pytest.mark.parametrize(("grown", "n"), [("(e,)", 990), ("(e, e)", 60)])
def test_the_text_of_an_exception_ends_however_deep_and_shared_its_arguments_are(grown: str, n: int) -> None:
    source = f"def f():\n    e = ()\n    for _ in range({n}):\n        e = {grown}\n    raise ValueError(e)\n"
    outcome = traced(source).outcome
    assert isinstance(outcome, Raised)
    assert outcome.message.startswith("((((") and "<tuple>" in outcome.message
    assert len(outcome.message) < 20_000
