"""What `deskcheck view` is asked to show, told apart by its content, as a View.

view_of_program(TraceRequest("a.py", call="f(3)"), granularity="auto") -> View
view_of_traces("shard.parquet", which="3") -> View
kind_of("a.py") -> "program"
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.format.buffers import trace_of
from deskcheck.records import Program
from deskcheck.tracing.access import has_native
from deskcheck.tracing.request import Recorded, TraceRequest, run_request
from deskcheck.viewer.document import View

KINDS = ("program", "trace", "dataset")
_MOST_EXPRESSION_STEPS, _MOST_INSTRUCTION_STEPS = 20_000, 5_000


def kind_of(path: str, wanted: str = "") -> str:
    """Kind of a file or folder by what it holds. UserError where it is none that can be shown."""
    if wanted:
        if wanted not in KINDS:
            raise UnknownName("kind", wanted, list(KINDS))
        return wanted
    place = Path(path)
    if not place.exists():
        raise UserError(f"no such file or folder: {path}")
    if place.is_dir():
        if (place / "manifest.jsonl").exists():
            return "dataset"
        raise UserError(
            f"{path} is a folder without a manifest.jsonl: name a program's file, a saved trace or a dataset"
        )
    with open(place, "rb") as file:
        return "trace" if file.read(4) == b"PAR1" else "program"


def view_of_program(
    request: TraceRequest, *, granularity: str, program_of: Callable[[TraceRequest], Program]
) -> View:
    """Run a program in the sandbox; `auto` records as finely as a page of moderate size holds."""
    if granularity != "auto":
        names = [name.strip() for name in granularity.split(",")]
        recorded = [run_request(replace(request, granularity=name), program_of=program_of) for name in names]
        return _view(recorded)
    first = run_request(request, program_of=program_of)
    steps = first.packed.n_steps
    if not has_native() or not 0 < steps <= _MOST_EXPRESSION_STEPS:
        return _view([first])
    finer = ["expression", *(["instruction"] if steps <= _MOST_INSTRUCTION_STEPS else [])]
    recorded = [run_request(replace(request, granularity=name), program_of=program_of) for name in finer]
    same = [each for each in recorded if _is_same(each, first)]
    return _view(same or [first])


def _is_same(recorded: Recorded, first: Recorded) -> bool:
    """Whether a second run did what the first one did: a program may read the clock."""
    mine, other = recorded.packed, first.packed
    return mine.n_steps == other.n_steps and type(mine.outcome) is type(other.outcome)


def _view(recorded: list[Recorded]) -> View:
    first = recorded[0]
    return View(first.program, [each.in_memory() for each in recorded], first.output)


def view_of_traces(path: str, which: str) -> View:
    """One trace of a shard or a dataset folder: by its number, from 0, or by its program's id."""
    from deskcheck.format.shards import read_packed

    n_rows = 0
    for number, (program, packed) in enumerate(read_packed(path)):
        n_rows += 1
        if which in ("", str(number), packed.program_id):
            if not which and Path(path).is_dir():
                break
            return View(program or _unknown(packed.program_id), [trace_of(packed)], notes=_notes(program))
    if not n_rows:
        raise DataError(f"{path} holds no trace")
    if not which:
        raise UserError(f"{path} is a dataset: name one program: --program NUMBER (from 0) or its id")
    raise UserError(f"{path} has no program {which!r}; it holds at least {n_rows}, numbered from 0")


def _notes(program: Program | None) -> list[str]:
    return [] if program else ["This trace was saved without its program: its source cannot be shown."]


def _unknown(program_id: str) -> Program:
    return Program(program_id, "python", "", "?", "", "", "unknown")
