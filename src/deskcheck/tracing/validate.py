"""Check a trace that came from a child process: a program can write to its own child's memory.

    check_packed(packed, program, limits, table) -> None    or raises Invalid: the reason

In C where that was built, else reference/check.py, which is also the second opinion.

`table`: what the source says of its functions (lines.py), made before any program ran.

Checked: that it is about this program and these limits, columns of equal length, every handle, object, frame
and name in range, kinds that exist, values that can be read, keys and positions where they belong, frames
that nest (each thread by itself), lines that the function has, steps that count
line events, the last return = the outcome, replay without a failure.
Not checked: that the values are those the program computed: a program that rewrites the tracer's memory
consistently is not found out here. Of other files than the program's own source lines are only numbers.
"""

from __future__ import annotations

from types import ModuleType

from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import (
    Limits,
    Program,
)
from deskcheck.tracing.claims import (
    check_ending,
    check_head,
    flags_of,
    how_of,
    known_lines,
    lines_of_code,
    need,
)

_native: ModuleType | None
try:
    from deskcheck.tracing import _native
except ImportError:  # no compiler when this was installed
    _native = None
if not hasattr(_native, "check"):
    _native = None


def check_packed(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Invalid where it cannot be what a tracer of ours wrote about this program."""
    if _native is None:
        from deskcheck.tracing.reference.check import check  # where there is no compiler

        check(trace_of(packed), program, limits, table)
        return
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
    wrong = _native.check(
        packed.columns, packed.offsets, head.counts, codes, len(head.names), program.source.count("\n") + 1,
        how, value, flags_of(head.fidelity),
    )  # fmt: skip
    need(wrong is None, wrong)
