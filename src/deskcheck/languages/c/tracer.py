"""Trace programs in C into the project's own format, and refuse programs with undefined behavior.

    for program, packed in trace_packed(programs, Limits()): ..       in input order
    run_one(program, limits) -> Run(packed, output, places)           with its output, and when it was printed

`Program.language` is "c"; the arguments of a call are C expressions, arrays as `(long[]){1, 2}`. A script
has the entry `__main__`: `main` is called. A step is a statement or a test that is about to run. Each program
runs first with gcc's sanitizers; if they report undefined behavior, it is refused. Then it runs twice with
the recorder, which fills memory without a value with another byte each time. If the two traces differ, two
more runs decide (`unassigned.py`). Which parts of C are covered: docs/languages.md.
"""

from __future__ import annotations

import re
import signal
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import Packed, make_packed
from deskcheck.languages.c.compiler import Toolbox
from deskcheck.languages.c.engine import PATTERNS, Engine
from deskcheck.languages.c.source import Refusal, Uncompiled, need_compiler, version
from deskcheck.languages.c.unassigned import DependsOnUnassigned, both_runs, check_course, parts_of
from deskcheck.languages.c.worker import Reply
from deskcheck.records import (
    Code,
    CompileFailure,
    Crashed,
    Determinism,
    Fidelity,
    Granularity,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)
from deskcheck.tracing.packed import pack, unpack

SEES = ["exceptions", "globals", "identity", "values"]
"""Facts that a trace of C has, for `Fidelity`."""
_DIFFERED = "a second run elsewhere gave other bytes"
COLUMNS = (
    "events.kind", "events.frame", "events.line", "events.value", "events.changes_end", "events.step",
    "changes.place", "changes.owner", "changes.key", "changes.index", "changes.op", "changes.value",
    "values.kind", "values.number", "values.real", "values.type", "values.data.offsets", "values.data.bytes",
    "objects.kind", "objects.type", "objects.text", "frames.code", "frames.parent",
)  # fmt: skip
"""Columns in the order in which the recorder writes them; the output and its places follow."""
_HARMLESS = ("stack-overflow", "out-of-memory", "allocation-size-too-big", "deadly signal")
"""Reports of the sanitizers that refuse no program: the run with the recorder gives the outcome."""


class Run(Struct, frozen=True):
    """One traced run with its output."""

    packed: Packed
    output: bytes = b""
    places: list[tuple[int, int]] = []
    """(event, bytes of output at its end) for each event during which the program printed."""


def trace_packed(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    report: Callable[[Any], None] | None = None,
    confirm: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Packed]]:
    """Trace every program in a contained process and yield raw columns, in input order.

    `require`: the weakest containment level that is accepted. `confirm`: trace twice, in other processes, and
    note whether the bytes are equal. `workers` and `report` change nothing. UserError without gcc, and for a
    granularity other than LINE.
    """
    del report, workers  # one program after the other: compiling takes longer than running
    _check(granularity)
    with Toolbox() as tools, Engine(level=_level(require)) as engine:
        for program in programs:
            yield program, _traced(tools, engine, program, limits, require, confirm=confirm).packed


def run_one(
    program: Program,
    limits: Limits,
    *,
    require: str = "limits",
    confirm: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Run:
    """Trace one program in processes of its own; arguments and errors as in `trace_packed`."""
    _check(granularity)
    with Toolbox() as tools, Engine(level=_level(require)) as engine:
        return _traced(tools, engine, program, limits, require, confirm=confirm)


def _traced(
    tools: Toolbox, engine: Engine, program: Program, limits: Limits, require: str, *, confirm: bool
) -> Run:
    first = trace_in(tools, engine, program, limits)
    if not confirm:
        return first
    with Engine(level=_level(require)) as elsewhere:
        second = trace_in(tools, elsewhere, program, limits)
    return replace(first, packed=_compared(first.packed, second.packed))


def _level(require: str) -> str:
    from deskcheck.sandbox import containment

    need_compiler()
    containment.check(require)
    return containment.find().level


def _check(granularity: Granularity) -> None:
    if granularity is not Granularity.LINE:
        raise UserError("C is traced by line alone: leave out --granularity")


def _compared(packed: Packed, second: Packed) -> Packed:
    head = packed.head
    if packed.same(second):
        head = replace(head, determinism=replace(head.determinism, confirmed=True))
    else:
        head = replace(head, fidelity=replace(head.fidelity, notes=sorted([*head.fidelity.notes, _DIFFERED])))
    return Packed(head, packed.columns, packed.offsets)


# ------------------------------------------------------------------ one run


def trace_in(tools: Toolbox, engine: Engine, program: Program, limits: Limits) -> Run:
    """Trace one program, in workers that may have run other programs before."""
    from deskcheck.languages.c.instrument import instrument  # needs pycparser

    try:
        written = instrument(program)
        checked = engine.run(tools.build(written.text, is_check=True), limits, is_check=True)
        if isinstance(checked, TimeLimit):
            return Run(_packed({}, program, limits, outcome=checked))
        if said := undefined(checked):
            return Run(_packed({}, program, limits, outcome=Refused(said)))
        path = tools.build(written.text, is_check=False)
        reply = engine.run(path, limits, is_check=False)
        if isinstance(reply, Reply) and not reply.status:

            def again(number: int) -> Reply | TimeLimit:
                return engine.run(path, limits, is_check=False, pattern=PATTERNS[number])

            reply = both_runs(reply, again)
            check_course(checked, reply)
    except Uncompiled as error:
        return Run(_packed({}, program, limits, outcome=CompileFailure(str(error), error.line)))
    except DependsOnUnassigned as error:
        return Run(_packed({}, program, limits, outcome=Refused(f"{error}")))
    except Refusal as error:
        return Run(_packed({}, program, limits, outcome=Refused(f"C that is not traced: {error}")))
    if isinstance(reply, TimeLimit):
        return Run(_packed({}, program, limits, outcome=reply))
    if reply.status:
        known = {one.value: one.name for one in signal.Signals}
        crashed = Crashed(known.get(-reply.status, f"exit {reply.status}"))
        return Run(_packed({}, program, limits, outcome=crashed))
    try:
        texts, columns = _parts(reply.data)
        run = Run(
            _packed(
                columns,
                program,
                limits,
                outcome=_outcome(texts, limits),
                codes=written.codes,
                names=written.names,
            ),
            *_printed(columns),
        )
        _validate(run.packed, program, limits)
    except (DataError, ValueError, IndexError) as error:  # a program can overwrite the recorder's memory
        return Run(_packed({}, program, limits, outcome=Rejected(f"{error}"[:200])))
    return run


def undefined(reply: Reply) -> str:
    """Return the undefined behavior that a sanitizer reports, with its line; "" if none is reported.

    Reports in _HARMLESS do not count.
    """
    text = reply.data.decode("utf-8", "replace")
    match = re.search(r"runtime error: (.*)|ERROR: AddressSanitizer: ([\w-]+)", text)
    if match is None or any(word in match[0] for word in _HARMLESS):
        return ""
    line = re.search(r"^deskcheck: line (\d+)$|^program\.c:(\d+):\d+: runtime error", text, re.MULTILINE)
    what = re.sub(r"0x[0-9a-f]{6,}", "an address", match[1] or match[2].replace("-", " "))
    return f"undefined behavior{f' in line {line[1] or line[2]}' if line else ''}: {what}"


def _parts(data: bytes) -> tuple[list[str], dict[str, bytes]]:
    """Return the texts and the columns that the recorder wrote."""
    parts = parts_of(data)
    if not parts:
        raise DataError("its process left without a result")
    names = (*COLUMNS, "output", "places")
    return parts[0].decode("utf-8", "replace").split("\n"), dict(zip(names, parts[1:], strict=True))


def _printed(columns: dict[str, bytes]) -> tuple[bytes, list[tuple[int, int]]]:
    """Return what was printed, and the last event before each print with the end of what was printed."""
    numbers = array("q", columns.pop("places"))
    output = columns.pop("output")
    return output, [(max(event - 1, 0), end) for event, end in zip(numbers[::2], numbers[1::2], strict=True)]


def _outcome(texts: list[str], limits: Limits) -> Outcome:
    stopped, handle, exit_code, line = (int(text) for text in texts[:4])
    match stopped:
        case 1:
            return StepLimit(limits.max_steps)
        case 2:
            return OutputLimit(limits.trace_bytes, what="trace")
        case 3:
            return OutputLimit(limits.output_bytes)
        case 4:
            return MemoryLimit(limits.memory_bytes)
        case 5:
            return OutputLimit(limits.trace_bytes, what="trace")
    if texts[4]:
        is_exit = exit_code >= 0
        return Raised(
            "SystemExit" if is_exit else "abort", str(exit_code) if is_exit else texts[4], line, handle
        )
    return Returned(handle)


def _packed(
    columns: dict[str, bytes],
    program: Program,
    limits: Limits,
    *,
    outcome: Outcome,
    codes: list[Code] | None = None,
    names: list[str] | None = None,
) -> Packed:
    shown = {name: data for name, data in columns.items() if name not in ("output", "places")}
    return make_packed(
        shown,
        program_id=program.id,
        runtime=version(),
        granularity=Granularity.LINE,
        fidelity=Fidelity("probes", SEES, []),
        limits=limits,
        determinism=Determinism(["identity"] if "%p" in program.source else []),
        outcome=outcome,
        codes=codes or [],
        names=names or [],
        language=program.language,
    )


def _validate(packed: Packed, program: Program, limits: Limits) -> None:
    from deskcheck.tracing.collect import check_packed

    # A program shares its memory with the recorder, so its columns are read as strictly as any other bytes.
    check_packed(unpack(pack(packed)), program, limits, b"")
