"""Check a trace that came from a child process: a program can write to its own child's memory.

    check_native(packed, program, limits, table) -> None      or raises Invalid: the reason
    check_head(..), check_ending(..)         what the head may claim; shared with reference/check.py

In C where that was built, else reference/check.py, which is also the second opinion (`collect.check_packed`).

`table`: what the source says of its functions (source_facts.py), made before any program ran.

Checked: that it is about this program and these limits, columns of equal length, every handle, object, frame
and name in range, kinds that exist, values that can be read, keys and positions where they belong, frames
that nest (each thread by itself), lines that the function has, steps that count
line events, the last return = the outcome, replay without a failure.
Not checked: that the values are those the program computed: a program that rewrites the tracer's memory
consistently is not found out here. Of other files than the program's own source lines are only numbers.
"""

from __future__ import annotations

from deskcheck.errors import DataError
from deskcheck.format.buffers import Packed
from deskcheck.records import (
    FORMAT_VERSION,
    CompileFailure,
    Crashed,
    Determinism,
    Fidelity,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)
from deskcheck.tracing.execution import CHANGED, MADE_ELSEWHERE, PUT_OUT
from deskcheck.tracing.source_facts import Table, read_table


class Invalid(DataError):
    """A trace that contradicts itself or its program."""


# ------------------------------------------------------------------ the head


def check_head(
    version: int, language: str, own: Limits, determinism: Determinism, *, program: Program, limits: Limits
) -> None:
    need(version == FORMAT_VERSION, f"format version {version}")
    need(language == program.language, f"language {language[:32]!r}")
    need(own == limits, "limits are not those of the request")
    need(not determinism.confirmed, "a run that says itself that another one confirmed it")


def check_ending(outcome: Outcome, limits: Limits, *, n_steps: int, n_events: int) -> None:
    """That a tracer can have written this outcome: the others are what its parent sees."""
    tag = str(outcome.__struct_config__.tag)
    need(not isinstance(outcome, TimeLimit | Crashed | Rejected), f"a run that says itself: {tag}")
    if isinstance(outcome, StepLimit):
        need(n_steps == outcome.limit == limits.max_steps, "step limit without its steps")
    elif isinstance(outcome, MemoryLimit):
        need(outcome.limit_bytes == limits.memory_bytes, "memory limit that is not that of the request")
    elif isinstance(outcome, OutputLimit):
        allowed = {"trace": limits.trace_bytes, "output": limits.output_bytes}
        need(outcome.limit_bytes == allowed.get(outcome.what), "output limit that is not that of the request")
    elif isinstance(outcome, CompileFailure):
        need(not n_events, "events of a source that did not compile")


def how_of(outcome: Outcome) -> tuple[int, int]:
    """What check.c calls OTHER, RETURNED and RAISED; and the value."""
    if isinstance(outcome, Returned):
        return 1, outcome.value
    return (2, outcome.value) if isinstance(outcome, Raised) else (0, -1)


def flags_of(fidelity: Fidelity) -> int:
    """What check.c calls MADE_ELSEWHERE, PUT_OUT and CHANGED_CODE."""
    notes = fidelity.notes
    return (MADE_ELSEWHERE in notes) + 2 * (PUT_OUT in notes) + 4 * (CHANGED in notes)


def known_lines(program: Program, table: bytes) -> Table | None:
    """Lines of the program's functions; None for a language that is not compiled here."""
    if program.language != "python":
        return None
    need(bool(table), "events of a source that does not compile")
    return read_table(table)


def lines_of_code(known: Table | None, name: str, first_line: int) -> tuple[bytes | None, bytes]:
    """Its lines, and the pairs of them that can follow each other."""
    if known is None:
        return None, b""
    lines = known.lines(name, first_line)
    need(lines is not None, f"the source has no {name[:64]!r} on line {first_line}")
    return lines, known.flow(name, first_line)


# ------------------------------------------------------------------ the columns, one by one


def need(holds: bool, what: str) -> None:
    if not holds:
        raise Invalid(what)


try:
    from deskcheck.tracing import _native

    _check = getattr(_native, "check", None)
except ImportError:  # no compiler when this was installed
    _check = None
HAS_NATIVE_CHECK = _check is not None


def check_native(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Invalid where it cannot be what a tracer of ours wrote about this program; only HAS_NATIVE_CHECK."""
    assert _check is not None
    head = packed.head
    n_events, outcome = packed.n_events, packed.outcome
    need(packed.program_id == program.id, f"program id {head.program_id[:32]!r}, expected {program.id}")
    check_head(
        head.format_version, head.language, head.limits, head.determinism, program=program, limits=limits
    )
    check_ending(outcome, limits, n_steps=packed.n_steps, n_events=n_events)
    how, value = how_of(outcome)
    known = known_lines(program, table) if n_events else None
    codes = [
        (file, *(lines_of_code(known, name, line) if not file and n_events else (None, b"")))
        for name, file, line, _ in head.codes
    ]
    wrong = _check(
        packed.columns, packed.offsets, head.counts, codes, len(head.names), program.source.count("\n") + 1,
        how, value, flags_of(head.fidelity),
    )  # fmt: skip
    need(wrong is None, wrong)
