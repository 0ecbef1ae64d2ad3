"""A signal that comes while the tracer works is handled by the program, not in the tracer's own code."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

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


def interrupted(n: int) -> tuple[int, int]:
    """What is shown of a decimal number is made by code in Python, so most signals come while that runs."""
    caught, last = 0, 0
    for i in range(n):
        try:
            half = Decimal(i) / 2
            third = Decimal(i) / 3
            last = i
        except Tick:
            caught += 1
    return caught, last + int(half + third)


@pytest.fixture
def ticking() -> Iterator[list[str]]:
    """Files whose code the handler interrupts while the program runs; in two lines of it, it raises Tick."""
    seen: list[str] = []

    def tick(_number: int, frame: Any) -> None:
        code, below = frame.f_code, frame
        while below is not None and below.f_code is not interrupted.__code__:
            below = below.f_back
        if below is not None:
            seen.append(code.co_filename)
        if code is interrupted.__code__ and frame.f_lineno - code.co_firstlineno in (5, 6):
            raise Tick

    tick.__code__ = tick.__code__.replace(co_filename="<handler>")  # no part of the program
    before = signal.signal(signal.SIGPROF, tick)
    signal.setitimer(signal.ITIMER_PROF, EVERY_S, EVERY_S)
    try:
        yield seen
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def by_core(call: Callable[[], object]) -> object:
    return run_here(call, limits=Limits())[1].outcome


def by_reference(call: Callable[[], object]) -> object:
    access = Access(native=True)
    tracer = Tracer([], globals(), __file__, limits=Limits(), access=access)
    return run_traced(tracer, call, "p", limits=Limits(), codes=[], access=access).outcome


@needs_timer
@pytest.mark.skipif(not has_native(), reason="without the C extension signals come in the tracer's code")
@pytest.mark.parametrize(("traced", "n"), [(by_core, 12_000), (by_reference, 2_000)])
def test_signals_interrupt_the_program_and_not_the_tracer(
    traced: Callable[[Callable[[], object]], object], n: int, ticking: list[str]
) -> None:
    outcome = traced(lambda: interrupted(n))
    signal.setitimer(signal.ITIMER_PROF, 0)
    assert isinstance(outcome, Returned)
    assert __file__ in ticking
    assert [name for name in ticking if name.endswith(("shapes.py", "readers.py"))] == []
