"""Read what `deskcheck eval` wrote: a log folder, or the JSON of one run that names its folders.

    read_runs("logs") -> [Run(row, samples, ..)], read_runs("out.json") -> the same for that run only

Each run lies in a folder with `cell.json` (its row and what it depended on) and `results.jsonl` (one line per
sample). A folder without `cell.json` was interrupted and is left out; the caller says so.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from deskcheck.errors import DataError, UserError

CELL, RESULTS = "cell.json", "results.jsonl"
_T = TypeVar("_T")


class Sampled(Struct, frozen=True):
    """One sample of one task; what the fields mean stands in docs/evaluation.md."""

    task: str
    sample: int
    cluster: str
    tags: dict[str, str]
    n_steps: int
    source: str
    call: str
    prompt: list[list[str]]
    text: str
    chain: list[str]
    verdict: str
    reason: str
    answer: str
    expected: str
    policy: str
    finish_reason: str
    n_calls: int
    tokens_in: int
    tokens_out: int


class Row(Struct, frozen=True):
    """The table row of a run."""

    model: str
    benchmark: str
    task: str
    strategy: str
    oracle: bool
    n_tasks: int
    n_samples: int
    right: int
    wrong: int
    no_answer: dict[str, int]
    accuracy: float
    interval: list[float | None]

    @property
    def n_answers(self) -> int:
        """The denominator."""
        return self.n_tasks * self.n_samples


class _Cell(Struct, frozen=True):
    row: Row
    note: str
    run: dict[str, Any]


class Run(Struct, frozen=True):
    """One model on one benchmark with one strategy."""

    row: Row
    note: str
    facts: dict[str, Any]
    """Command, configuration, versions, sandbox level."""
    samples: list[Sampled]
    folder: str


def read_runs(place: str) -> list[Run]:
    """All finished runs of a log folder or results file. UserError where there are none."""
    path = Path(place)
    if path.is_dir():
        folders = sorted(file.parent for file in path.glob(f"**/{CELL}"))
        if not folders:
            raise UserError(
                f"no finished evaluation in '{place}'; `deskcheck eval --log-dir {place}` makes one"
            )
        runs = [read_run(folder) for folder in folders]
        return sorted(runs, key=lambda run: (run.facts.get("started_unix_s", 0), run.facts.get("number", 0)))
    if not path.is_file():
        raise UserError(f"no log folder or results file at '{place}'")
    return [read_run(folder) for folder in _folders_of(path)]


def read_run(folder: Path) -> Run:
    """One folder. DataError names the file and line that is not what `deskcheck eval` writes."""
    cell = _decode((folder / CELL).read_bytes(), _Cell, f"{folder / CELL}")
    results = folder / RESULTS
    if not results.is_file():
        raise DataError(
            f"{results} is missing beside {CELL}; run the same `deskcheck eval` again to write it"
        )
    lines = results.read_bytes().split(b"\n")
    samples = [
        _decode(line, Sampled, f"{results}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    if len(samples) != cell.row.n_answers:
        raise DataError(f"{results}: {len(samples)} samples, but {CELL} counts {cell.row.n_answers}")
    return Run(cell.row, cell.note, cell.run, samples, str(folder))


def _folders_of(path: Path) -> list[Path]:
    try:
        run = json.loads(path.read_text(encoding="utf-8"))["run"]
        names = [Path(name) for name in run["cells"]]
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{path}: not the JSON that `deskcheck eval --json` writes (no run.cells)") from None
    # Paths are as they were given to eval: good from the folder it ran in, or beside the file.
    found = [name if (name / CELL).is_file() else path.parent / name for name in names]
    for folder in found:
        if not (folder / CELL).is_file():
            raise UserError(
                f"{path} names the folder '{folder}', which is not there; give the log folder instead"
            )
    return found


def _decode(text: bytes, kind: type[_T], where: str) -> _T:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise DataError(f"{where}: {error}") from None
