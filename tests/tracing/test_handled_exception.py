"""What `sys.exception()` answers in the caller's process is the same after a stopped trace as before it."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from tests.tracing.handled_programs import BLOCKS

import deskcheck
from deskcheck.records import Limits, OutputLimit, StepLimit, Trace
from deskcheck.tracing import access as ways
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.here import run_here
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.reference.tracer import Tracer

# A generator or a thread that dies with a stopped program meets the stop too, where nobody can catch it.
pytestmark = [
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
]
LIMITS = [*(Limits(max_steps=n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 40, 41)), Limits(trace_bytes=3000)]
Tracing = Callable[[Callable[[], None], Limits], Trace]


def by_reference(function: Callable[[], None], limits: Limits, *, native: bool = True) -> Trace:
    access = Access(native=native)
    tracer = Tracer([], function.__globals__, function.__code__.co_filename, limits=limits, access=access)
    return run_traced(tracer, function, "p", limits=limits, codes=[], access=access)


def without_extension(function: Callable[[], None], limits: Limits) -> Trace:
    return by_reference(function, limits, native=False)


def in_process(function: Callable[[], None], limits: Limits) -> Trace:
    return run_here(function, limits=limits)[1]


TRACERS: list[Tracing] = [in_process, by_reference, without_extension]


@pytest.fixture(autouse=True)
def no_words_of_stopped_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)


def stop_in_every_block(tracing: Tracing) -> Iterator[tuple[str, Limits, BaseException | None]]:
    for name, function in BLOCKS.items():
        if tracing is without_extension and name not in ("with", "except", "generator"):
            continue  # a plain trace function that has raised is let go: nothing stops the program again
        for limits in LIMITS:
            outcome = tracing(function, limits).outcome
            assert isinstance(outcome, StepLimit | OutputLimit), (name, limits, outcome)
            yield name, limits, sys.exception()


@pytest.mark.parametrize("tracing", TRACERS)
def test_no_exception_is_handled_after_a_stopped_trace(tracing: Tracing) -> None:
    if tracing is by_reference and not has_native():
        pytest.skip("the C extension is not built")
    left = [(name, limits) for name, limits, handled in stop_in_every_block(tracing) if handled is not None]
    assert left == []


@pytest.mark.parametrize("tracing", TRACERS)
def test_the_exception_that_the_caller_handles_stays_the_one(tracing: Tracing) -> None:
    if tracing is by_reference and not has_native():
        pytest.skip("the C extension is not built")
    mine = KeyError("mine")
    try:
        raise mine
    except KeyError:
        seen = [handled for _, _, handled in stop_in_every_block(tracing)]
        assert sys.exception() is mine
    assert sys.exception() is None
    assert len(seen) >= 3 * len(LIMITS) and all(handled is mine for handled in seen)


def test_a_generator_that_traces_does_not_keep_what_its_caller_handles() -> None:
    def generator() -> Iterator[BaseException | None]:
        deskcheck.trace(BLOCKS["with"], limits=Limits(max_steps=6))
        yield sys.exception()
        yield sys.exception()

    going = generator()
    try:
        raise KeyError("mine")
    except KeyError as mine:
        assert next(going) is mine
    assert next(going) is None


def test_without_the_extension_the_exception_is_restored_too(monkeypatch: pytest.MonkeyPatch) -> None:
    import ctypes

    def by_ctypes(exception: BaseException | None) -> None:
        ctypes.pythonapi.PyErr_SetHandledException(ctypes.py_object(exception))

    monkeypatch.setattr(ways, "_set_handled", by_ctypes)  # what access.py defines where nothing was built
    assert without_extension(BLOCKS["with"], Limits(max_steps=6)).outcome == StepLimit(6)
    assert sys.exception() is None


def test_a_thread_that_begins_after_the_stop_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program ends at its budget while a thread is still on its way: untraced it would run for ever."""
    begin = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]  # what a new thread calls first

    def late(self: threading.Thread) -> None:
        self._started.set()  # type: ignore[attr-defined]
        time.sleep(0.1)
        begin(self)

    monkeypatch.setattr(threading.Thread, "_bootstrap_inner", late)
    before = set(threading.enumerate())
    for n in range(1, 13):
        assert isinstance(in_process(BLOCKS["threads"], Limits(max_steps=n)).outcome, StepLimit)
    time.sleep(0.3)
    assert [thread for thread in threading.enumerate() if thread not in before] == []
