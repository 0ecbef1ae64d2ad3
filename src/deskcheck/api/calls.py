"""Record code that runs in this process, without the sandbox: a call, the calls in a block or of a function.

    t = deskcheck.trace(f, 3)
    with deskcheck.record() as recording: f(3); g(4)      recording.traces -> [Trace, Trace]
    @deskcheck.record                                     f(3) runs as usual; f.recording.traces -> [Trace]
    def f(n): ...

A trace steps into code of the recorded file (or package). Any other code runs within the step that calls it.
Tracing that was active before (coverage, a debugger) is restored afterwards.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import TracebackType
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from deskcheck.api.trace import Trace
from deskcheck.errors import UnknownName, UserError
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import Granularity, Limits, Program
from deskcheck.tracing.calls import CallRecorder, package_files
from deskcheck.tracing.here import DEFAULT_LIMITS, files_of_module, run_here

P = ParamSpec("P")
R = TypeVar("R")
Step = Callable[[], AbstractContextManager[None]]
"""Function that returns the context of one step of a generator or coroutine."""


def trace(
    function: Callable[..., object],
    /,
    *args: object,
    limits: Limits = DEFAULT_LIMITS,
    granularity: str = "line",
    **kwargs: object,
) -> Trace:
    """Run `function(*args, **kwargs)` in this process and return the trace of its run.

    Arguments:

    - `function`, `*args`, `**kwargs`: a function that is written in Python, and its arguments.
    - `limits`: budgets in steps and bytes (`deskcheck.Limits`); those of time and memory have no effect here.
    - `granularity`: what a step is: "line", "expression" or "instruction".

    Errors: UserError if `function` is not written in Python, UnknownName for another granularity. An
    exception that the function raises is the outcome of the run (`Trace.raised`).

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


class _Held:
    """Traces, counts and settings of one `Recording`, which keeps none of them itself (see `_HELD`)."""

    def __init__(self, files: Callable[[str], str | None], limits: Limits, max_calls: int) -> None:
        self.traces: list[Trace] = []
        self.dropped: dict[str, int] = {}
        self.files, self.limits, self.max_calls = files, limits, max_calls
        self.running: tuple[CallRecorder, AbstractContextManager[None]] | None = None


# A recorded program can reach its recording, as `f.recording`, so the recording is among the objects of a
# trace. If it had attributes, each trace would hold all earlier ones.
_HELD: WeakKeyDictionary[Recording, _Held] = WeakKeyDictionary()


class Recording:
    """Context manager and decorator that collects recorded calls, in the order in which they ended.

    Made by `deskcheck.record`. A block that raises ends the recording like any other. Entering a recording
    that is already running raises UserError.

    >>> def double(n):
    ...     return n + n
    >>> with deskcheck.record() as recording:
    ...     twice = double(double(2))
    >>> recording.dropped
    {}
    """

    __slots__ = ("__weakref__",)

    def __init__(self, files: Callable[[str], str | None], limits: Limits, max_calls: int) -> None:
        _HELD[self] = _Held(files, limits, max_calls)

    @property
    def traces(self) -> list[Trace]:
        """One trace for each outermost call into the recorded code."""
        return _HELD[self].traces

    @property
    def dropped(self) -> dict[str, int]:
        """Reason -> number of calls that were seen but not recorded."""
        return _HELD[self].dropped

    def __enter__(self) -> Recording:
        held = _HELD[self]
        if held.running is not None:
            raise UserError("this recording is already running; make another with deskcheck.record()")
        recorder = self._recorder()
        block = recorder.recording(where="block")
        held.running = recorder, block
        block.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        held = _HELD[self]
        assert held.running is not None
        (recorder, block), held.running = held.running, None
        block.__exit__(kind, error, at)
        self._count(recorder)

    def _recorder(self) -> CallRecorder:
        held = _HELD[self]
        return CallRecorder(held.files, self._keep, limits=held.limits, max_calls=held.max_calls)

    def _count(self, recorder: CallRecorder) -> None:
        recorder.close()
        for reason, n in recorder.counts.dropped.items():
            self.dropped[reason] = self.dropped.get(reason, 0) + n

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        """Return the function recorded at every call; `function.recording.traces` holds the traces.

        A generator or coroutine is recorded while it runs, from its first step to its last.
        """
        made: Any
        if inspect.isgeneratorfunction(function):
            made = self._of_generator(function)
        elif inspect.iscoroutinefunction(function):
            made = self._of_coroutine(function)
        elif inspect.isasyncgenfunction(function):
            made = self._of_async_generator(function)
        else:
            made = self._of_function(function)
        recorded: Callable[P, R] = functools.wraps(function)(made)
        recorded.recording = self  # type: ignore[attr-defined]  # where its user finds the traces
        return recorded

    def _of_function(self, function: Callable[P, R]) -> Callable[P, R]:
        def recorded(*args: P.args, **kwargs: P.kwargs) -> R:
            if _HELD[self].running is not None:  # a recursive call: the outermost one is being recorded
                return function(*args, **kwargs)
            with self:
                return function(*args, **kwargs)

        return recorded

    def _of_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            with self._in_steps() as step:
                return (yield from _driven(function(*args, **kwargs), step))

        return recorded

    def _of_coroutine(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def recorded(*args: Any, **kwargs: Any) -> Any:
            with self._in_steps() as step:
                return await _Steps(function(*args, **kwargs), step)

        return recorded

    def _of_async_generator(self, function: Callable[..., Any]) -> Callable[..., Any]:
        async def recorded(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
            target = function(*args, **kwargs)
            following = target.asend(None)
            with self._in_steps() as step:
                while True:
                    try:
                        item = await _Steps(following, step)
                    except StopAsyncIteration:
                        return
                    try:
                        following = target.asend((yield item))
                    except GeneratorExit:
                        await _Steps(target.aclose(), step)
                        raise
                    except BaseException as error:
                        following = target.athrow(error)

        return recorded

    @contextmanager
    def _in_steps(self) -> Iterator[Step]:
        """Yield the context for each step of one generator or coroutine; at the end count dropped calls."""
        held = _HELD[self]
        if held.running is not None:  # inside a recorded step: its trace holds this call
            yield nullcontext
            return
        recorder = self._recorder()

        @contextmanager
        def step() -> Iterator[None]:
            if held.running is not None:  # the trace of another call of the function holds this step
                recorder.lose_paused()
                yield
                return
            block = recorder.recording(where="block")
            held.running = recorder, block
            try:
                with block:
                    yield
            finally:
                held.running = None

        try:
            yield step
        finally:
            self._count(recorder)

    def _keep(self, program: Program, packed: Packed) -> bool:
        self.traces.append(Trace(program, trace_of(packed)))
        return True

    def __repr__(self) -> str:
        lines = [repr(trace) for trace in self.traces]
        lines += [f"{n} not recorded: {reason}" for reason, n in sorted(self.dropped.items())]
        return "\n".join(lines) or "<no calls recorded>"


def _driven(target: Any, step: Step) -> Generator[Any, Any, Any]:
    """Run a generator, coroutine or step of an asynchronous generator; each of its steps runs in `step()`."""
    resume = functools.partial(target.send, None)
    while True:
        try:
            with step():
                item = resume()
        except StopIteration as stop:
            return stop.value
        try:
            resume = functools.partial(target.send, (yield item))
        except GeneratorExit:
            with step():
                target.close()
            raise
        except BaseException as error:
            resume = functools.partial(target.throw, error)


class _Steps:
    """Awaitable that runs another awaitable and puts each of its steps into the context `step()`."""

    def __init__(self, target: Any, step: Step) -> None:
        self._target, self._step = target, step

    def __await__(self) -> Generator[Any, Any, Any]:
        return _driven(self._target, self._step)


def record(
    scope: str | Callable[P, R] = "", /, *, limits: Limits = DEFAULT_LIMITS, max_calls: int = 100
) -> Recording | Callable[P, R]:
    """Record the outermost calls into a package, into the calling module, or of one function.

    `with deskcheck.record("package") as recording:` records the calls of the block into that package, or into
    the calling module if no name is given. `@deskcheck.record` records a function whenever it is called.

    Arguments:

    - `scope`: name of an imported package, "" = the calling module; or the function to record.
    - `limits`: budgets of each call in steps and bytes (`deskcheck.Limits`).
    - `max_calls`: largest number of calls of each function that are kept.

    Errors: UserError if the package is not imported or is not written in Python.

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
