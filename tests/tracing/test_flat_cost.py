"""What the core compares for a step does not grow with what is alive: counted, so that no load disturbs it.

In a process that has one thread, as flat_cost.py says.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run_alone(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_a_step_compares_as_much_with_a_thousand_objects_alive_as_with_ten() -> None:
    out = run_alone("tests.tracing.flat_cost", "1000")
    assert out.splitlines()[-1] == "growing:", out


def test_short_cuts_say_what_comparing_everything_says() -> None:
    assert "all agree" in run_alone("tests.tracing.flat_fuzz", "0", "150")


@pytest.mark.slow
def test_they_say_the_same_of_five_thousand_programs() -> None:
    assert "all agree" in run_alone("tests.tracing.flat_fuzz", "1000", "5000")
