"""What the head of a trace may claim, and what the source says of its codes: for both checks.

check_head(..), check_ending(..)     Invalid where no tracer of ours has written it
"""

from __future__ import annotations

from deskcheck.errors import DataError
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
from deskcheck.tracing.lines import Table, read_table


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
