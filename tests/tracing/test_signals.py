"""A signal that comes while the tracer works is handled by the program, not in the tracer's own code."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from deskcheck.records import Limits, Returned
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.here import run_here
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.reference.tracer import Tracer

EVERY_S = 0.01
"""Of processor time: more than a handler takes."""
needs_timer = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no such timer")


class Tick(Exception):
    pass


class Worker(threading.Thread):
    """What is shown of a thread is read by code in Python, so most signals come while that runs."""


def interrupted(n: int) -> tuple[int, int]:
    worker, caught, last = Worker(), 0, 0
    for i in range(n):
        try:
            worker.daemon = bool(i % 2)
            worker.name = str(i)
            last = i
        except Tick:
            caught += 1
    return caught, last


def tick_from_now() -> None:
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)


@pytest.fixture
def ticking() -> Iterator[list[str]]:
    """Files whose code the handler has interrupted; it raises Tick in the two lines that expect one.

    `tick_from_now` starts the timer.
    """
    seen: list[str] = []

    def tick(_number: int, frame: object) -> None:
        code = frame.f_code  # type: ignore[attr-defined]  # a frame
        seen.append(code.co_filename)
        if code is interrupted.__code__ and frame.f_lineno - code.co_firstlineno in (4, 5):  # type: ignore[attr-defined]  # a frame
            raise Tick

    tick.__code__ = tick.__code__.replace(co_filename="<handler>")  # no part of the program
    before = signal.signal(signal.SIGPROF, tick)
    try:
        yield seen
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def by_core(call: Callable[[], object]) -> object:
    tick_from_now()
    return run_here(call, limits=Limits())[1].outcome


def by_reference(call: Callable[[], object]) -> object:
    access = Access(native=True)
    tracer = Tracer([], globals(), __file__, limits=Limits(), access=access)
    tick_from_now()  # the tables of readers are made: a signal that comes in `Access` interrupts no tracing
    return run_traced(tracer, call, "p", limits=Limits(), codes=[], access=access).outcome


@needs_timer
@pytest.mark.skipif(not has_native(), reason="without the C extension signals come in the tracer's code")
@pytest.mark.parametrize(("traced", "n"), [(by_core, 3_000), (by_reference, 200)])
def test_signals_interrupt_the_program_and_not_the_tracer(
    traced: Callable[[Callable[[], object]], object], n: int, ticking: list[str]
) -> None:
    outcome = traced(lambda: interrupted(n))
    signal.setitimer(signal.ITIMER_PROF, 0)
    assert isinstance(outcome, Returned)
    assert __file__ in ticking
    assert [name for name in ticking if name.endswith(("shapes.py", "readers.py"))] == []
