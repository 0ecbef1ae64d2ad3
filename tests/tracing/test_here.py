"""deskcheck.trace in one's own process."""

from __future__ import annotations

import functools
import signal
import sys

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
