"""The laws of hidden_laws.py, in a process that has one thread.

Under pytest there are threads of its plugins, and where there are several the core compares every object at
every event: neither the guard nor the net would be asked, and each law would hold whatever they did.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing.hidden_run import run_programs

ROOT = Path(__file__).parents[2]
PLAIN = ("-q", "-p", "no:xdist", "-p", "no:rerunfailures", "-p", "no:cacheprovider")


def run_laws(*more: str) -> None:
    command = [sys.executable, "-m", "pytest", *PLAIN, *more, "tests/tracing/hidden_laws.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_code_that_the_interpreter_calls_by_itself_changes_nothing_unseen() -> None:
    run_laws()


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first", "end"), [("hidden", 300, 20_300), ("sibling", 305, 1_305)])
def test_a_fuzzer_finds_no_silent_difference(name: str, first: int, end: int) -> None:
    counts = run_programs(name, first, end)
    assert counts["silently wrong"] == counts["died"] == 0
    assert counts["right"] > counts["refused"]
