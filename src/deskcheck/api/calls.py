"""Record running code in this process, uncontained: one call, the calls of a block, or those of a function.

    t = deskcheck.trace(f, 3)
    with deskcheck.record() as recording: f(3); g(4)      recording.traces -> [Trace, Trace]
    @deskcheck.record                                     f(3) runs as usual; f.recording.traces -> [Trace]
    def f(n): ...

A trace steps into code of the recorded file (or package); a call of any other code is one step. Tracing that
was active before (coverage, a debugger) is restored afterwards.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import ParamSpec, TypeVar

from deskcheck.api.trace import Trace
from deskcheck.errors import UnknownName, UserError
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import Granularity, Limits, Program
from deskcheck.tracing.calls import CallRecorder, package_files
from deskcheck.tracing.here import DEFAULT_LIMITS, files_of_module, run_here

P = ParamSpec("P")
R = TypeVar("R")


def trace(
    function: Callable[..., object],
    /,
    *args: object,
    limits: Limits = DEFAULT_LIMITS,
    granularity: str = "line",
    **kwargs: object,
) -> Trace:
    """Run `function(*args, **kwargs)` in this process and return the trace of its run.

    `limits`: budgets of steps, recorded bytes and nesting (`deskcheck.Limits`); time and memory are not
    limited here. `granularity`: "line", "expression" or "instruction". An exception that the function raises
    is the outcome of the run (`Trace.raised`). UserError if `function` is not written in Python.

    >>> def total(xs):
    ...     result = 0
    ...     for x in xs:
    ...         result += x
    ...     return result
    >>> t = deskcheck.trace(total, [2, 3])
    >>> t.result, len(t), t.steps[3].text, t.at(4).locals["result"]
    (5, 7, 'for x in xs:', 2)
    """
    names = [known.name.lower() for known in Granularity]
    if granularity not in names:
        raise UnknownName("granularity", granularity, names)
    chosen = Granularity[granularity.upper()]
    return Trace(*run_here(function, args, kwargs, limits=limits, granularity=chosen))


class Recording:
    """Context manager and decorator that collects recorded calls, in the order in which they ended."""

    def __init__(self, files: Callable[[str], str | None], limits: Limits, max_calls: int) -> None:
        self.traces: list[Trace] = []
        """One trace for each outermost call into the recorded code."""
        self.dropped: dict[str, int] = {}
        """Reason -> number of calls that were seen but not recorded."""
        self._files, self._limits, self._max_calls = files, limits, max_calls
        self._running: tuple[CallRecorder, AbstractContextManager[None]] | None = None

    def __enter__(self) -> Recording:
        if self._running is not None:
            raise UserError("this recording is already running; make another with deskcheck.record()")
        recorder = CallRecorder(self._files, self._keep, limits=self._limits, max_calls=self._max_calls)
        block = recorder.recording(where="block")
        self._running = recorder, block
        block.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        assert self._running is not None
        (recorder, block), self._running = self._running, None
        block.__exit__(kind, error, at)
        recorder.close()
        for reason, n in recorder.counts.dropped.items():
            self.dropped[reason] = self.dropped.get(reason, 0) + n

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return the function recorded at every call; `function.recording.traces` holds the traces."""

        @functools.wraps(function)
        def recorded(*args: P.args, **kwargs: P.kwargs) -> R:
            if self._running is not None:  # a recursive call: the outermost one is being recorded
                return function(*args, **kwargs)
            with self:
                return function(*args, **kwargs)

        recorded.recording = self  # type: ignore[attr-defined]  # where its user finds the traces
        return recorded

    def _keep(self, program: Program, packed: Packed) -> bool:
        self.traces.append(Trace(program, trace_of(packed)))
        return True

    def __repr__(self) -> str:
        lines = [repr(trace) for trace in self.traces]
        lines += [f"{n} not recorded: {reason}" for reason, n in sorted(self.dropped.items())]
        return "\n".join(lines) or "<no calls recorded>"


def record(
    scope: str | Callable[P, R] = "", /, *, limits: Limits = DEFAULT_LIMITS, max_calls: int = 100
) -> Recording | Callable[P, R]:
    """Record the outermost calls into a package, into the calling module, or of one function.

    `with deskcheck.record("package") as recording:` records the calls of the block into that package, or into
    the calling module if no name is given. `@deskcheck.record` records a function whenever it is called.
    `max_calls`: largest number of calls that are kept per function.

    >>> @deskcheck.record
    ... def factorial(n):
    ...     return 1 if n < 2 else n * factorial(n - 1)
    >>> factorial(4)
    24
    >>> factorial.recording.traces[0].result
    24
    """
    if callable(scope):
        code = getattr(scope, "__code__", None)
        if code is None:
            raise UserError(f"@deskcheck.record needs a function written in Python, not {scope!r}")
        own = code.co_filename
        recording = Recording({own: own.rpartition("/")[2]}.get, limits, max_calls)
        return recording(scope)
    files = package_files(scope) if scope else files_of_module(sys._getframe(1).f_globals).get
    return Recording(files, limits, max_calls)
