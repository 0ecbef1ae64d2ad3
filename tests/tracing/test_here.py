"""deskcheck.trace in one's own process."""

from __future__ import annotations

import functools
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing.telling import moments

import deskcheck
from deskcheck.errors import UserError
from deskcheck.records import Limits, Raised, StepLimit, Trace
from deskcheck.tracing.here import run_here
from deskcheck.tracing.literal import outcome_text

shared = [1]


def traced(function: object, *args: object, **kwargs: object) -> Trace:
    return run_here(function, args, kwargs)[1]


def grow(n: int, *, by: int = 1) -> list[int]:
    for _ in range(n):
        shared.append(by)
    return shared


class Account:
    def __init__(self, start: int) -> None:
        self.balance = start

    def add(self, n: int) -> int:
        self.balance += n
        return self.balance

    def __call__(self, n: int) -> int:
        return self.add(n)


def fail(n: int) -> int:
    if n:
        raise KeyError(n)
    while True:
        n += 1


def test_a_function_of_ones_own_is_traced_with_its_module_names() -> None:
    del shared[1:]
    trace = traced(grow, 2, by=5)
    assert outcome_text(trace) == "[1, 5, 5]"
    assert trace.n_steps == 6
    assert moments(trace)[0].module["shared"] == "#0[1]"
    assert moments(trace)[-1].module["shared"] == "#0[1, 5, 5]"


def test_methods_partials_callables_and_classes_are_functions_too() -> None:
    account = Account(5)
    assert outcome_text(traced(account.add, 3)) == "8"
    assert outcome_text(traced(functools.partial(account.add, 1))) == "9"
    assert outcome_text(traced(account, 1)) == "10"
    assert traced(Account, 3).n_steps == 1


def test_exceptions_and_limits_are_outcomes_here_too() -> None:
    assert isinstance(traced(fail, 1).outcome, Raised)
    assert run_here(fail, (0,), limits=Limits(max_steps=20))[1].outcome == StepLimit(20)


def test_what_is_not_a_python_function_is_refused() -> None:
    with pytest.raises(UserError, match="not written in Python"):
        deskcheck.trace(len, [1])
    with pytest.raises(UserError, match="needs a function"):
        deskcheck.trace(3)


def test_the_tracer_that_was_there_before_is_put_back() -> None:
    def other(frame: object, event: str, argument: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(other)
    try:
        deskcheck.trace(grow, 0)
        assert sys.gettrace() is other
    finally:
        sys.settrace(before)


def test_ctrl_c_is_no_outcome_of_the_function() -> None:
    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        deskcheck.trace(interrupted)
    assert sys.gettrace() is None


STOPPED = """
import asyncio, sys, threading, weakref, _thread, time
from concurrent.futures import ThreadPoolExecutor
import deskcheck
from deskcheck.records import Limits

def work():
    for i in range(400):
        x = i

def threads():
    running = [threading.Thread(target=work) for _ in range(8)]
    for one in running:
        one.start()
    for one in running:
        one.join()

def generators():
    def endless():
        try:
            while True:
                yield 1
        finally:
            x = 1
            y = 2
    running = [endless() for _ in range(5)]
    while True:
        for one in running:
            next(one)

class Dying:
    def __del__(self):
        x = 1
        y = 2

def finalizers():
    some = [Dying() for _ in range(3)]
    while True:
        pass

def callbacks():
    one = Dying()
    seen = weakref.ref(one, lambda _: [i for i in range(10)])
    work()

def tasks():
    async def one():
        while True:
            await asyncio.sleep(0)
    async def all_of_them():
        await asyncio.gather(*(one() for _ in range(4)))
    asyncio.run(all_of_them())

def pool():
    with ThreadPoolExecutor(4) as workers:
        return list(workers.map(lambda n: [work() for _ in range(3)], range(8)))

def low_level():
    for _ in range(3):
        _thread.start_new_thread(work, ())
    time.sleep(0.05)
    work()

hooks = sys.unraisablehook, threading.excepthook
for run in (threads, generators, finalizers, callbacks, tasks, pool, low_level):
    assert deskcheck.trace(run, limits=Limits(max_steps=300)).outcome == "step limit", run
    assert (sys.unraisablehook, threading.excepthook) == hooks

class Loud:
    def __del__(self):
        raise KeyError("own")

def others():
    Loud()
    bad = threading.Thread(target=lambda: {}["own"])
    bad.start()
    bad.join()
    work()

deskcheck.trace(others, limits=Limits(max_steps=300))
"""


def test_a_budget_prints_nothing_on_the_standard_error_of_this_process(tmp_path: Path) -> None:
    """A Stop in threads, generators, finalizers and callbacks is ours; what the program raises is not."""
    (tmp_path / "stopped.py").write_text(STOPPED)
    command = [sys.executable, "stopped.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Stop" not in done.stderr
    assert done.stderr.count("KeyError: 'own'") == 2
    assert done.stderr.count("Traceback") == 2 and "generator" not in done.stderr
