"""Trace a program's call in this process: the front door to both tracers.

    trace_program(program, limits, granularity=Granularity.LINE, tracer="auto") -> Trace
    packed_program(..) -> Packed            the same as raw columns; what the native tracer gives, as it is
    packed_program(.., sink=send)           a long trace's columns go to send(number, bytes) while it is made

`tracer`: "native" (the core in C), "reference" (plain Python, the second opinion), "auto" = native where the
extension was built. Not contained: the program can do to this process what it likes; `collect` runs it in the
sandbox. Module and arguments are made untraced; then the call runs traced. What the program does wrong is the
trace's outcome.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from opcode import opname
from threading import gettrace as hook_of_threads  # bound here: a program may replace them
from threading import settrace as hook_into_threads
from types import CodeType

from deskcheck.errors import UserError
from deskcheck.format.buffers import (
    BUFFER_GROUPS,
    BUFFER_OF,
    BUFFER_WIDTHS,
    EMPTY,
    Buffer,
    Gathered,
    Packed,
    gathered,
    make_packed,
    packed_of,
    trace_of,
)
from deskcheck.records import (
    Code,
    Determinism,
    Fidelity,
    Granularity,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    StepLimit,
    Trace,
)
from deskcheck.sandbox import guard
from deskcheck.tracing import access as ways
from deskcheck.tracing import execution, source_facts
from deskcheck.tracing.access import Access, Numbers, Own, has_native
from deskcheck.tracing.execution import Compiled, NothingRan, Stop, ready_program
from deskcheck.tracing.readers import canonical
from deskcheck.tracing.shapes import Shapes

Sink = Callable[[int, memoryview], object]
"""Takes the next bytes of column i of `buffers.COLUMNS`; i = their number: offsets of the texts."""
_NO_COLUMNS: list[Buffer] = [EMPTY] * len(BUFFER_OF)
TRACERS = ("auto", "native", "reference")


def trace_program(
    program: Program,
    limits: Limits,
    *,
    granularity: Granularity = Granularity.LINE,
    tracer: str = "auto",
) -> Trace:
    """Everything the program's call does."""
    if chosen(tracer) == "reference":
        need_lines(granularity)
        return _in_python(program, limits)
    return trace_of(packed_program(program, limits, granularity=granularity, tracer=tracer))


def _in_python(program: Program, limits: Limits, compiled: Compiled | None = None) -> Trace:
    from deskcheck.tracing import (
        reference,  # only where it is used: CONTRIBUTING.md names the second opinions
    )

    return reference.trace_program(program, limits, compiled=compiled)


def packed_program(
    program: Program,
    limits: Limits,
    *,
    granularity: Granularity = Granularity.LINE,
    tracer: str = "auto",
    sink: Sink | None = None,
    compiled: Compiled | None = None,
) -> Packed:
    """The same as raw columns; `compiled` is what `compile_program` has made of the program.

    `sink` is given those of a long trace, by number and piece by piece, while the program runs; the Packed
    that comes back has a head and no columns then (`is_streamed`).
    """
    if chosen(tracer) == "reference":
        need_lines(granularity)
        return packed_of(_in_python(program, limits, compiled))
    try:
        with ready_program(program, compiled) as ready:
            modules = [(0, ready.namespace, ready.names)]
            native = Native(ready.own, modules, limits=limits, granularity=granularity, sink=sink)
            return run_native(native, ready.call, program.id, limits=limits, codes=ready.codes)
    except NothingRan as nothing:
        return finished({}, program.id, limits=limits, outcome=nothing.outcome, granularity=granularity)


def chosen(tracer: str) -> str:
    """ "native" or "reference". UserError where it is neither, or was not built."""
    if tracer not in TRACERS:
        raise UserError(f"no tracer is called {tracer!r}; known: {', '.join(TRACERS)}")
    if tracer == "native" and not has_native():
        raise UserError(
            "the native tracer needs the C extension, which was not built: "
            "install a C compiler and deskcheck again"
        )
    if tracer == "auto":
        return "native" if has_native() else "reference"
    return tracer


@cache
def _sees(granularity: Granularity) -> list[str]:
    """What the trace can hold; columns of the source are known to expressions."""
    return sorted([*execution.SEES, *(["columns"] if granularity is Granularity.EXPRESSION else [])])


def need_lines(granularity: Granularity) -> None:
    """UserError for what the Python tracer cannot record."""
    if granularity is not Granularity.LINE:
        raise UserError(
            f"the reference tracer records lines, not {granularity.name.lower()} steps: "
            "they need the C extension (deskcheck doctor says whether it was built)"
        )


class Native:
    """One run of the core in C, and what it needs of Python."""

    def __init__(
        self,
        own: Own,
        modules: list[tuple[int, dict[str, object], list[str]]],
        *,
        limits: Limits,
        granularity: Granularity = Granularity.LINE,
        sink: Sink | None = None,
    ) -> None:
        assert ways._native is not None
        self.granularity = granularity
        self.shapes = Shapes(_access(), str(modules[0][1].get("__name__", "")))
        self._limits = limits
        self.core = ways._native.NativeTracer(
            own,
            str(modules[0][1].get("__name__", "")),
            modules,
            self.shapes.of,
            Helpers,
            Stop,
            Numbers(),
            (limits.max_steps, limits.trace_bytes, limits.value_bytes, limits.depth, limits.nodes),
            granularity,
            opname,
        )
        if sink is not None:
            self.core.sink = sink
        self._hook_before: object = None

    def start(self) -> None:
        """Trace this thread, and those that `threading` starts, from here on."""
        self._hook_before = hook_of_threads()
        hook_into_threads(self.core.enter_thread)
        self.core.start()

    def stop(self) -> bool:
        """End the trace; False where the program had put in another tracer."""
        was_active = self.core.stop()
        hook_into_threads(self._hook_before)  # type: ignore[arg-type]  # None too, as gettrace() gives it
        return was_active

    @property
    def last_raise(self) -> int:
        """Handle of the exception that was raised last."""
        return self.core.last_raise

    @property
    def failure(self) -> StepLimit | OutputLimit | MemoryLimit | None:
        """The budget that has ended the run."""
        if self.core.out_of_memory:
            return MemoryLimit(self._limits.memory_bytes)
        if self.core.failure == 0:
            return None
        if self.core.failure == 1:
            return StepLimit(self._limits.max_steps)
        return OutputLimit(self._limits.trace_bytes, what="trace")


def _access() -> Access:
    return Access(native=True)


class Helpers:
    """What the core asks Python for."""

    @staticmethod
    def in_order(members: list[object]) -> list[object]:
        """Set members in canonical order."""
        return sorted(members, key=canonical)

    @staticmethod
    def stopped(_: None) -> None:
        """The program has met a budget."""
        guard.stopped()

    @staticmethod
    def module_names(code: CodeType, _namespace: dict[str, object]) -> list[str]:
        """Names of its module that a code object uses."""
        return [name for name in source_facts.module_names(code) if not hasattr(builtins, name)]

    @staticmethod
    def all_module_names(code: CodeType, namespace: dict[str, object]) -> list[str]:
        """Those that its module's functions use, as far as they are known by now."""
        codes = [code, *source_facts.codes_in(namespace, code.co_filename)]
        names = dict.fromkeys(name for one in codes for name in source_facts.module_names(one))
        return [name for name in names if not hasattr(builtins, name)]


def run_native(
    native: Native,
    call: Callable[[], object],
    program_id: str,
    *,
    limits: Limits,
    codes: Sequence[CodeType],
) -> Packed:
    """Run the call under the core and finish the record; `codes` are what can be scanned of the program."""
    core = native.core
    notes, reads = source_facts.says(codes)
    outcome = execution.outcome_of(native, core, call, notes)
    columns = core.finish()
    if core.was_cut:
        notes.append("values truncated")
    return finished(
        columns,
        program_id,
        limits=limits,
        outcome=outcome,
        granularity=native.granularity,
        notes=sorted(notes),
        reads=reads,
        codes=[Code(*code) for code in core.codes],
        names=core.names,
        streamed=core.streamed,
    )


def finished(
    columns: dict[str, bytes],
    program_id: str,
    *,
    limits: Limits,
    outcome: Outcome,
    granularity: Granularity,
    notes: Sequence[str] = (),
    reads: Sequence[str] = (),
    codes: Sequence[Code] = (),
    names: Sequence[str] = (),
    streamed: tuple[tuple[int, ...], int] | None = None,
) -> Packed:
    """The record of a run of the core, from its columns; of those that went elsewhere `streamed` knows."""
    return make_packed(
        columns,
        program_id=program_id,
        runtime=execution.runtime_name(),
        granularity=granularity,
        fidelity=Fidelity("native", _sees(granularity), list(notes)),
        limits=limits,
        determinism=Determinism(list(reads)),
        outcome=outcome,
        codes=codes,
        names=names,
        gather=_gather if streamed is None else lambda _: (_NO_COLUMNS, *streamed),
    )


def _gather(columns: Mapping[str, Buffer]) -> Gathered:
    """As `gathered`, in C where everything fits; else that says what does not."""
    assert ways._native is not None
    return ways._native.gather(columns, BUFFER_OF, BUFFER_WIDTHS, BUFFER_GROUPS) or gathered(columns)
