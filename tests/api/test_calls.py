"""deskcheck.record: calls of running code, by block and by decorator."""

from __future__ import annotations

import sys

import pytest

import deskcheck
from deskcheck.errors import UserError
from deskcheck.records import Limits
from deskcheck.tracing.access import has_native

pytestmark = pytest.mark.skipif(
    not has_native(), reason="calls are recorded by the C extension, which is not built"
)
shared = [1]


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


def fail(n: int) -> int:
    raise KeyError(n)


@deskcheck.record
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


def test_a_block_records_the_calls_of_this_modules_functions() -> None:
    del shared[1:]
    with deskcheck.record() as recording:
        grow(2, by=5)
        Account(1).add(2)
        with pytest.raises(KeyError):
            fail(1)
    assert [trace.call for trace in recording.traces] == [
        "grow(2, by=5)",
        "Account.__init__(<#0 Account()>, 1)",
        "Account.add(<#0 Account(balance=1)>, 2)",
        "fail(1)",
    ]
    assert repr(recording).splitlines()[0] == "<trace of grow(2, by=5): 6 steps, returned [1, 5, 5]>"
    assert recording.dropped == {} and sys.getprofile() is None


def test_a_decorated_function_runs_as_always_and_its_outermost_calls_are_recorded() -> None:
    recording = factorial.recording  # type: ignore[attr-defined]
    before = len(recording.traces)
    assert factorial(5) == 120 and factorial(2) == 2
    first, second = recording.traces[before:]
    assert (first.result, second.result) == (120, 2)
    assert len(first) == 5 and first.at(5).frames[-1].locals == {"n": 1}
    assert factorial.__name__ == "factorial"


def test_a_decorated_function_that_raises_still_raises() -> None:
    recorded = deskcheck.record(fail)
    with pytest.raises(KeyError):
        recorded(3)
    assert recorded.recording.traces[0].raised.type == "KeyError"


def test_a_decorator_takes_limits_and_what_is_no_function_is_refused() -> None:
    limited = deskcheck.record("", limits=Limits(max_steps=3))(grow)
    del shared[1:]
    assert limited(9) == [1] * 10
    with pytest.raises(UserError, match="needs a function written in Python, not <built-in function len>"):
        deskcheck.record(len)


def test_a_recording_cannot_be_entered_twice_at_once() -> None:
    recording = deskcheck.record()
    with recording, pytest.raises(UserError, match="already running"):
        recording.__enter__()
