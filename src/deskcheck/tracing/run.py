"""Trace a program's call in this process, with either of the two tracers.

    trace_program(program, limits, granularity=Granularity.LINE, tracer="auto") -> Trace
    packed_program(..) -> Packed            the same as raw columns, as the native tracer writes them
    packed_program(.., sink=send)           a long trace's columns go to send(number, bytes) during the run

`tracer`: "native" (the core in C), "reference" (plain Python, with which tests compare the core), "auto" =
native if the extension was built. The program runs outside the sandbox and can change this process in any
way; `collect` runs it in the sandbox. Module and arguments are made untraced; then the call runs traced. A
failure of the program is the trace's outcome.
"""

from __future__ import annotations

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
    Rejected,
    StepLimit,
    Trace,
)
from deskcheck.records.job import UNEXPLAINED
from deskcheck.sandbox import guard
from deskcheck.tracing import access as ways
from deskcheck.tracing import execution, source_facts
from deskcheck.tracing.access import Access, Numbers, ProgramFile, has_hooks, has_native
from deskcheck.tracing.execution import UNTRACED, Compiled, NothingRan, Stop, ready_program
from deskcheck.tracing.given import NOT_IN_SOURCE
from deskcheck.tracing.readers import canonical
from deskcheck.tracing.shapes import Shapes

Sink = Callable[[int, memoryview], object]
"""Function (i, bytes) that gets the next bytes of column i of `buffers.COLUMNS`.

i = len(COLUMNS) means the offsets of values.data (`packed.OFFSETS`)."""
_NO_COLUMNS: list[Buffer] = [EMPTY] * len(BUFFER_OF)
TRACERS = ("auto", "native", "reference")


def trace_program(
    program: Program,
    limits: Limits,
    *,
    granularity: Granularity = Granularity.LINE,
    tracer: str = "auto",
) -> Trace:
    """Trace the program's call and return its trace.

    UserError if the tracer is unknown or was not built, or if it cannot record this granularity.
    """
    if tracer_named(tracer) == "reference":
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
    folder: str = "",
) -> Packed:
    """Trace the program's call and return raw columns; `compiled` is the result of `compile_program`.

    `folder`: as in `execution.ready_program`. The columns of a long trace go to `sink` by number, piece by
    piece, while the program runs. The Packed that is returned then has a head and no columns (`is_streamed`).
    UserError if the tracer is unknown or was not built, or if it cannot record this granularity.
    """
    if tracer_named(tracer) == "reference":
        need_lines(granularity)
        return packed_of(_in_python(program, limits, compiled))
    try:
        with ready_program(program, compiled, folder=folder) as ready:
            modules = [(0, ready.namespace, ready.names)]
            native = Native(
                ready.program_file,
                modules,
                limits=limits,
                granularity=granularity,
                sink=sink,
                compiled=ready.codes,
            )
            return run_native(native, ready.call, program.id, limits=limits, codes=ready.codes)
    except NothingRan as nothing:
        return finished(
            {},
            program.id,
            limits=limits,
            outcome=nothing.outcome,
            granularity=granularity,
            notes=[nothing.note],
        )


def tracer_named(tracer: str) -> str:
    """Return "native" or "reference". UserError if no tracer has that name, or if it was not built."""
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
    """Return the value of `Fidelity.sees`; only expression traces have source columns."""
    return sorted([*execution.SEES, *(["columns"] if granularity is Granularity.EXPRESSION else [])])


def need_lines(granularity: Granularity) -> None:
    """Raise UserError for a granularity that the Python tracer cannot record."""
    if granularity is not Granularity.LINE:
        raise UserError(
            f"the reference tracer records lines, not {granularity.name.lower()} steps: "
            "they need the C extension (deskcheck doctor says whether it was built)"
        )


class Native:
    """One run of the core in C, with the Python objects that it needs."""

    def __init__(
        self,
        program_file: ProgramFile,
        modules: list[tuple[int, dict[str, object], list[str]]],
        *,
        limits: Limits,
        granularity: Granularity = Granularity.LINE,
        sink: Sink | None = None,
        compiled: Sequence[CodeType] | None = None,
    ) -> None:
        """Prepare the core.

        `modules`: (number of the file, its namespace, names to record) for each module that is known before
        the run; the first is the program's source. `compiled`: code of all files of the program. Other code
        with the same file names is then not stepped into.
        """
        assert ways._native is not None
        self.granularity = granularity
        self.shapes = Shapes(_access(), str(modules[0][1].get("__name__", "")))
        self._limits = limits
        self.core = ways._native.NativeTracer(
            program_file,
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
        if compiled is not None:
            self.core.compiled = tuple(compiled)
        self._hook_before: object = None

    def start(self) -> None:
        """Trace this thread from now on, and the threads that `threading` starts."""
        if has_hooks():  # set by the body of the module; a hook can change any object
            self.core.brute = 1
        self._hook_before = hook_of_threads()
        hook_into_threads(self.core.enter_thread)
        self.core.start()

    def stop(self) -> bool:
        """End the trace; return False if the program had installed another tracer."""
        was_active = self.core.stop()
        hook_into_threads(self._hook_before)  # type: ignore[arg-type]  # None too, as gettrace() gives it
        return was_active

    @property
    def last_raise(self) -> int:
        """Handle of the exception that was raised last."""
        return self.core.last_raise

    @property
    def failure(self) -> StepLimit | OutputLimit | MemoryLimit | Rejected | None:
        """Budget or check that ended the run, if one did."""
        if self.core.out_of_memory:
            return MemoryLimit(self._limits.memory_bytes)
        if self.core.failure == 0:
            return None
        if self.core.failure == 1:
            return StepLimit(self._limits.max_steps)
        if self.core.unexplained is not None:
            return Rejected(UNEXPLAINED + self.core.unexplained[:100])
        return OutputLimit(self._limits.trace_bytes, what="trace")


def _access() -> Access:
    return Access(native=True)


class Helpers:
    """Python functions that the core calls."""

    @staticmethod
    def in_order(members: list[object]) -> list[object]:
        """Return set members in canonical order."""
        return sorted(members, key=canonical)

    @staticmethod
    def stopped(_: None) -> None:
        """Tell the sandbox's guard that the program has used up a budget."""
        guard.stopped()
        execution.silence.begin()

    @staticmethod
    def module_names(code: CodeType, namespace: dict[str, object]) -> list[str]:
        """Return the module-level names that a code object uses."""
        return source_facts.own_names(source_facts.module_names(code), [code], namespace)

    @staticmethod
    def all_module_names(code: CodeType, namespace: dict[str, object]) -> list[str]:
        """Return the module-level names used by a code object and by its module's functions so far."""
        codes = [code, *source_facts.codes_in(namespace, code.co_filename)]
        names = dict.fromkeys(name for one in codes for name in source_facts.module_names(one))
        return source_facts.own_names(names, codes, namespace)


def run_native(
    native: Native,
    call: Callable[[], object],
    program_id: str,
    *,
    limits: Limits,
    codes: Sequence[CodeType],
    depth: int = execution.CALL_DEPTH,
) -> Packed:
    """Run the call under the core and return its trace; `codes` are the program's code objects to scan.

    `depth`: as in `execution.outcome_of`.
    """
    core = native.core
    notes, reads = source_facts.says(codes)
    outcome = execution.outcome_of(native, core, call, notes, depth=depth)
    columns = core.finish()
    if core.had_untraced_threads:
        notes.append(UNTRACED)
    if core.ran_unknown:
        notes.append(NOT_IN_SOURCE)
    if core.was_cut:
        notes.append("values truncated")
    notes = list(dict.fromkeys(notes))
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
    """Make the trace of a run of the core from its columns.

    `streamed`: counts of columns that went to a sink, as the core returns them.
    """
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
    """Gather the columns in C; if something does not fit, `gathered` names it in its error."""
    assert ways._native is not None
    return ways._native.gather(columns, BUFFER_OF, BUFFER_WIDTHS, BUFFER_GROUPS) or gathered(columns)
