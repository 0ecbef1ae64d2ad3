"""deskcheck.record: calls of running code, by block and by decorator."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from typing import Any

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


def test_traces_of_a_recursive_function_do_not_hold_each_other() -> None:
    """Each trace had all earlier ones among its objects, through `grown.recording`: eight times as many."""

    @deskcheck.record
    def grown(n: int) -> int:
        return 1 if n < 2 else n * grown(n - 1)

    for _ in range(6):
        grown(3)
    assert len({len(trace._record.values.kind) for trace in grown.recording.traces}) == 1  # type: ignore[attr-defined]


def counted(n: int) -> Generator[int, int | None, int]:
    total = 0
    for i in range(n):
        total += (yield i) or 0
    return total


async def slept(n: int) -> int:
    total = 0
    for i in range(n):
        await asyncio.sleep(0)
        total += i
    return total


async def awaited(n: int) -> AsyncGenerator[int, None]:
    for i in range(n):
        await asyncio.sleep(0)
        yield i


def to_the_end(make: Callable[[int], Any]) -> list[object]:
    generator, seen = make(3), []
    with contextlib.suppress(StopIteration):
        seen.append(next(generator))
        while True:
            seen.append(generator.send(5))
    return seen


def closed(make: Callable[[int], Any]) -> list[object]:
    generator = make(3)
    seen = [next(generator)]
    generator.close()
    return seen


def thrown_into(make: Callable[[int], Any]) -> list[object]:
    generator = make(3)
    seen = [next(generator)]
    with pytest.raises(KeyError):
        generator.throw(KeyError("x"))
    return seen


def side_by_side(make: Callable[[int], Any]) -> list[object]:
    return [*zip(make(2), make(2), strict=True)]


@pytest.mark.parametrize("use", [to_the_end, closed, thrown_into, side_by_side])
def test_a_decorated_generator_is_recorded_from_its_first_step_to_its_last(
    use: Callable[[Callable[[int], Any]], list[object]],
) -> None:
    recorded: Any = deskcheck.record(counted)
    assert use(recorded) == use(counted) and inspect.isgeneratorfunction(recorded)
    if use is closed and sys.version_info >= (3, 13):  # it clears the frame without running it
        assert recorded.recording.dropped == {"a generator that was not driven to its end": 1}
        return
    n_calls = 2 if use is side_by_side else 1
    assert len(recorded.recording.traces) == n_calls and recorded.recording.dropped == {}
    ends = {trace.outcome for trace in recorded.recording.traces}
    assert ends == {"returned"} if use in (to_the_end, side_by_side) else ends == {"raised"}
    steps = [len(trace) for trace in recorded.recording.traces]
    assert steps == {to_the_end: [9], closed: [3], thrown_into: [3], side_by_side: [7, 7]}[use]


def test_decorated_coroutines_and_asynchronous_generators_are_recorded() -> None:
    task, items = deskcheck.record(slept), deskcheck.record(awaited)

    async def both(task: Any, items: Any) -> list[object]:
        return [
            await asyncio.gather(task(3), task(2)),
            [i async for i in items(3)],
            [i async for i in items(0)],
        ]

    found: Any = asyncio.run(both(task, items))
    assert found == asyncio.run(both(slept, awaited)) == [[3, 1], [0, 1, 2], []]
    assert inspect.iscoroutinefunction(task) and inspect.isasyncgenfunction(items)
    recordings: list[Any] = [task.recording, items.recording]  # type: ignore[attr-defined]
    assert [[trace.call for trace in one.traces] for one in recordings] == [
        ["slept(2)", "slept(3)"],
        ["awaited(3)", "awaited(0)"],
    ]
    assert [trace.result for trace in recordings[0].traces] == [1, 3]
    assert all(one.dropped == {} for one in recordings)


def test_a_decorated_recursive_generator_is_one_call() -> None:
    @deskcheck.record
    def tree(n: int) -> Iterator[int]:
        if n:
            yield from tree(n - 1)
        yield n

    assert list(tree(3)) == [0, 1, 2, 3]
    recording: Any = tree.recording  # type: ignore[attr-defined]
    assert [trace.call for trace in recording.traces] == [
        "test_a_decorated_recursive_generator_is_one_call.<locals>.tree(3)"
    ]
    assert recording.dropped == {}


def test_a_generator_that_goes_on_inside_another_recorded_call_is_dropped() -> None:
    @deskcheck.record
    def through(other: Iterator[int], n: int) -> Iterator[int]:
        for i in range(n):
            yield next(other, -1) + i

    first = through(iter([1, 2, 3, 4]), 4)
    assert next(first) == 1
    assert list(through(first, 2)) == [3, 6]
    assert list(first) == [7]
    recording: Any = through.recording  # type: ignore[attr-defined]
    assert len(recording.traces) == 1
    assert recording.dropped == {"a generator that went on inside another recorded call": 1}


def test_the_trace_of_a_generator_says_that_it_ran_no_step() -> None:
    trace = deskcheck.trace(counted, 3)
    assert len(trace) == 0 and any("ran none of its steps" in note for note in trace.notes)
