"""This project's tracers as the benchmark calls them, and the floor: a callback in C that does nothing.

What is timed is making the tracer, start, call, stop; handing the columns over is not timed. `checked`
replays the very trace that the timed call recorded, through every check that a contained child's trace meets.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from deskcheck.format.buffers import Packed, make_packed, packed_of, trace_of
from deskcheck.records import (
    Code,
    Determinism,
    EventKind,
    Fidelity,
    Granularity,
    Limits,
    Program,
    Returned,
    Trace,
)
from deskcheck.tracing import _native, run, source_facts
from deskcheck.tracing.access import Access
from deskcheck.tracing.execution import runtime_name
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.packed import pack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.reference.tracer import Tracer
from deskcheck.tracing.source_facts import table_of
from workloads import programs

_FILE = programs.__file__
_SOURCE = Path(_FILE).read_text(encoding="utf-8")
_NAMES = [
    name for name in source_facts.global_names(compile(_SOURCE, _FILE, "exec")) if name in vars(programs)
]
LIMITS = Limits(max_steps=1 << 40, trace_bytes=1 << 34, time_s=1e6, memory_bytes=1 << 40)


def program_of(name: str, argument: int) -> Program:
    """The call of one workload as a program."""
    return make_program(_SOURCE, name, str(argument), origin="benchmark")


class Floor:
    """PyEval_SetTrace with a callback that takes no file for the program's: nothing is read or kept."""

    name = "empty C callback"
    records = "nothing"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        _native.start(None, "\0")
        try:
            return function(argument)
        finally:
            _native.stop()

    def n_bytes(self) -> int:
        return 0


class Reference:
    """The tracer in Python."""

    name = "deskcheck, reference"
    records = "everything"
    kind = EventKind.LINE

    def __init__(self) -> None:
        self._tracer: Any = None
        self._result: Any = None
        self._asked = ("", 0)

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        tracer = Tracer(_NAMES, vars(programs), _FILE, limits=LIMITS, access=Access(native=True))
        self._asked = function.__name__, argument
        tracer.start()
        try:
            self._result = function(argument)
        finally:
            tracer.stop()
        self._tracer = tracer
        return self._result

    def trace(self) -> Trace:
        """The record of the last call."""
        tracer = self._tracer
        name, argument = self._asked
        return tracer.columns.make_trace(  # type: ignore[no-any-return]
            program_of(name, argument).id,
            runtime_name(),
            limits=LIMITS,
            outcome=Returned(tracer.final_value(self._result)),
            fidelity=Fidelity("reference", []),
            determinism=Determinism(),
        )

    def n_bytes(self) -> int:
        return len(pack(packed_of(self.trace())))


class Native:
    """The core in C, at one granularity."""

    records = "everything"
    granularity = Granularity.LINE
    kind = EventKind.LINE
    name = "deskcheck, native line"

    def __init__(self) -> None:
        self._native: Any = None
        self._result: Any = None
        self._asked = ("", 0)

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        modules = [(0, vars(programs), _NAMES)]
        native = run.Native(_FILE, modules, limits=LIMITS, granularity=self.granularity)
        self._asked = function.__name__, argument
        native.start()
        try:
            self._result = function(argument)
        finally:
            native.stop()
        self._native = native
        return self._result

    def packed(self) -> Packed:
        """The record of the last call."""
        core = self._native.core
        name, argument = self._asked
        outcome = Returned(core.final_value(self._result))
        return make_packed(
            core.finish(),
            program_id=program_of(name, argument).id,
            runtime=runtime_name(),
            granularity=self.granularity,
            fidelity=Fidelity("native", []),
            limits=LIMITS,
            determinism=Determinism(),
            outcome=outcome,
            codes=[Code(*code) for code in core.codes],
            names=core.names,
        )

    def trace(self) -> Trace:
        return trace_of(self.packed())

    def n_bytes(self) -> int:
        return len(pack(self.packed()))


class NativeInstruction(Native):
    granularity = Granularity.INSTRUCTION
    kind = EventKind.INSTRUCTION
    name = "deskcheck, native instruction"


class NativeExpression(Native):
    granularity = Granularity.EXPRESSION
    kind = EventKind.EXPRESSION
    name = "deskcheck, native expression"


def checked(trace: Trace, name: str, argument: int, expected: object) -> int:
    """Number of events of a trace that replays to the result of the call; AssertionError where it doesn't."""
    program = program_of(name, argument)
    check(trace, program, LIMITS, table_of(program))
    assert outcome_text(trace) == repr(expected)
    return len(trace.events.kind)


def known() -> list[tuple[str, Callable[[], Any]]]:
    """The floor and our tracers."""
    return [(kind.name, kind) for kind in (Floor, Native, NativeExpression, NativeInstruction, Reference)]
