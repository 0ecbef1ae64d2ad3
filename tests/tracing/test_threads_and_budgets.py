"""Threads that meet a budget end as any program does, and never take the process with them."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from deskcheck.records import Limits
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.access import has_native
from deskcheck.tracing.packed import pack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import packed_program

pytestmark = pytest.mark.skipif(not has_native(), reason="the C extension is not built")
GOING_ON = """
import threading, time
def work(k):
    for i in range(40):
        time.sleep(0.0002)
        kept = {"k": [k, i]}
def f(n):
    for k in range(n):
        threading.Thread(target=work, args=(k,)).start()
    return n
"""
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


def test_a_thread_that_outlives_its_trace_writes_nothing_into_the_next_one() -> None:
    plain = make_program(
        "def f(n):\n    xs = []\n    for i in range(300):\n        xs.append(i)\n    return xs\n",
        "f",
        "3",
        origin="t",
    )
    going_on = make_program(GOING_ON, "f", "8", origin="t")
    alone = pack(packed_program(plain, Limits()))
    behind = []
    for _ in range(5):
        packed_program(going_on, Limits())
        behind.append(pack(packed_program(plain, Limits())))
    assert behind == [alone] * 5


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--sandbox"]], ids=["in process", "in the sandbox"])
def test_a_thousand_runs_of_threads_under_budgets(options: list[str]) -> None:
    check(1000, *options)
