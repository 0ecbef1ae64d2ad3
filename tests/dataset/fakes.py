"""A source of programs and a tracer that need neither sandbox nor interpreter: functions of numbers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator

from deskcheck.format.buffers import Packed, packed_of
from deskcheck.plugins import SourceOptions
from deskcheck.records import (
    ChangeColumns,
    Crashed,
    Determinism,
    EventColumns,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    MemoryLimit,
    ObjectColumns,
    Outcome,
    Program,
    Returned,
    TimeLimit,
    Trace,
    ValueColumns,
)
from deskcheck.sandbox.wire import Report


def program(number: int) -> Program:
    digest = hashlib.sha256(str(number).encode()).hexdigest()[:16]
    return Program(
        digest, "python", f"def f(x): return x + {number}\n", "f", str(number), f"fake:{number}", "MIT"
    )


class FakeSource:
    """Stands in for the module of a source; `odd` numbers are given twice."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self.numbers = list(numbers)

    def programs(self, options: SourceOptions) -> Iterator[Program]:
        return map(program, self.numbers)


def outcome_of(number: int) -> Outcome:
    if number % 10 == 3:
        return TimeLimit(1.0)
    if number % 10 == 6:
        return MemoryLimit(1 << 20)
    return Crashed("SIGSEGV \ud800") if number % 50 == 49 else Returned(0)


class FakeTracer:
    """Stands in for `trace_packed`; pulls a few programs ahead, as the sandbox does."""

    def __init__(self, *, delay_s: float = 0.0, ahead: int = 7) -> None:
        self.delay_s = delay_s
        self.ahead = ahead
        self.traced: list[str] = []

    def __call__(
        self,
        programs: Iterable[Program],
        limits: Limits,
        *,
        workers: int = 0,
        require: str = "limits",
        confirm: bool = False,
        report: Callable[[Report], None] | None = None,
    ) -> Iterator[tuple[Program, Packed]]:
        waiting: list[Program] = []
        for one in programs:
            waiting.append(one)
            if len(waiting) > self.ahead:
                yield self.trace(waiting.pop(0), limits)
        for one in waiting:
            yield self.trace(one, limits)
        if report is not None:
            report(Report(n_jobs=len(self.traced)))

    def trace(self, one: Program, limits: Limits) -> tuple[Program, Packed]:
        time.sleep(self.delay_s)
        self.traced.append(one.id)
        number = int(one.arguments)
        n = number % 5 + 1
        trace = Trace(
            format_version=1,
            program_id=one.id,
            language="python",
            runtime="CPython 3.11",
            granularity=Granularity.LINE,
            fidelity=Fidelity("fake", ["values"]),
            limits=limits,
            determinism=Determinism(),
            outcome=outcome_of(number),
            codes=[],
            frames=FrameColumns([0], [-1]),
            events=EventColumns([1] * n, list(range(1, n + 1)), [0] * n, [1] * n, [-1] * n, [0] * n),
            changes=ChangeColumns([], [], [], [], [], []),
            values=ValueColumns([2], [number], [0.0], [b""], [0]),
            objects=ObjectColumns([], [], []),
            names=["int"],
        )
        return one, packed_of(trace)
