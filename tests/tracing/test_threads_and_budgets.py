"""Threads that meet a budget end as any program does, and never take the process with them."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.access import has_native

pytestmark = pytest.mark.skipif(not has_native(), reason="the C extension is not built")
ENDS = {"StepLimit", "OutputLimit", "Returned", "Raised"}
"""Raised: a pool whose threads are stopped raises in the thread that waits for it."""


def outcomes_of(n: int, *options: str) -> dict[str, int]:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.tracing.thread_stress", str(n), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, int] = ast.literal_eval(done.stdout)
    return found


def check(n: int, *options: str) -> None:
    found = outcomes_of(n, *options)
    assert sum(found.values()) == n and set(found) <= ENDS, found
    assert found["StepLimit"] > n / 5 and found["OutputLimit"] > n / 20, found


def test_threads_under_budgets_end_as_they_should_in_process() -> None:
    check(90)


@pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
def test_threads_under_budgets_end_as_they_should_in_the_sandbox() -> None:
    check(60, "--sandbox")


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--sandbox"]], ids=["in process", "in the sandbox"])
def test_a_thousand_runs_of_threads_under_budgets(options: list[str]) -> None:
    check(1000, *options)
