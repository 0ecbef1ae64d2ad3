"""How far a small model executes textbook programs without a fault: every step compared with the true run.

    python measurements/classic_runs.py --rows FILE [--model DIR] [--layout sub] [--programs queens,sieve]

The 300 runs of the benchmark `classic`: thirty programs that no training data of ours contains, with ten
inputs of growing length each. A run goes on from the model's own states and is left at its first wrong step.
So a run counts as right only if all of its states and its outcome are right; `deskcheck eval --benchmark
classic` asks for the outcome alone, and takes several times as long. Run it on the Python of the model's
card: others execute comprehensions differently, and each step in one would count as wrong. Rows are stored
program by program, and what is stored for these weights and this Python is not asked again. Prints a row for
each program, the total with an interval clustered by program, and the longest right run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.benchmarks import classic
from deskcheck.errors import UnknownName
from deskcheck.inference.engine import files_digest
from deskcheck.models.tiny import SHIPPED, load
from deskcheck.records import Limits
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.tracers import trace_programs
from deskcheck.training.scores.long_chains import run_chains

MAX_STEPS = 10_000
"""No run of the benchmark is as long."""


class ClassicRow(Struct, frozen=True):
    """What a model made of the ten runs of one program."""

    weights: str
    """Digest of the model's files."""
    python: str
    """Version that made the true runs: "3.12"."""
    layout: str
    program: str
    n_true: list[int]
    """Model steps of each true run: its lines, calls and returns."""
    n_right: list[int]
    """Right steps of each run before its first wrong one."""
    right: list[bool]
    """Whether all steps and the outcome are right."""
    why: list[str]
    """First wrong step of each run, or why it had no answer."""


def rows_of(path: Path, folder: Path, layout: str, names: list[str]) -> Iterator[ClassicRow]:
    """Yield a row for each program; those that are not stored yet are asked and stored."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = path.read_bytes().splitlines() if path.exists() else []
    rows = [msgspec.json.decode(line, type=ClassicRow) for line in lines]
    model = load("" if folder == SHIPPED else str(folder), threads=1)
    weights = files_digest(model)
    key = (weights, ".".join(map(str, sys.version_info[:2])), layout)
    known = {row.program: row for row in rows if (row.weights, row.python, row.layout) == key}
    for name in names:
        if name not in known:
            programs = [draft.program for draft in classic.drafts("", programs=name)]
            runs = list(trace_programs(programs, Limits()))
            scores = run_chains(model, runs, layout=layout, max_steps=MAX_STEPS, stop_when_wrong=True)
            known[name] = ClassicRow(
                *key,
                name,
                [score.n_true for score in scores],
                [score.n_right for score in scores],
                [score.right and score.n_right == score.n_true for score in scores],
                [score.why for score in scores],
            )
            with path.open("ab") as file:
                file.write(msgspec.json.encode(known[name]) + b"\n")
        yield known[name]


def table(rows: list[ClassicRow]) -> Iterator[str]:
    """Yield the lines of the table, and what they come to."""
    yield "| program | model steps | runs right of 10 | longest right run | most right steps of a wrong run |"
    yield "|---|---|---|---|---|"
    for row in rows:
        pairs = list(zip(row.n_right, row.right, strict=True))
        longest = max((n for n, right in pairs if right), default=0)
        most = max((n for n, right in pairs if not right), default=0)
        steps = f"{min(row.n_true):,} to {max(row.n_true):,}"
        yield f"| {row.program} | {steps} | {sum(row.right)} | {longest or ''} | {most or ''} |"
    right = [float(one) for row in rows for one in row.right]
    clusters = [row.program for row in rows for _ in row.right]
    ends = clustered_interval(right, clusters)
    runs = [run for row in rows for run in zip(row.n_right, row.right, strict=True)]
    yield ""
    yield (
        f"{sum(map(int, right))} of {len(right)} runs right from call to outcome, "
        f"{sum(right) / len(right):.1%} [{percent_ends(ends.low, ends.high)}], clustered by program; "
        f"longest right run {max((n for n, right in runs if right), default=0):,} steps, "
        f"most right steps in a row {max(n for n, _ in runs):,}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=Path, help="file that keeps the rows")
    parser.add_argument(
        "--model", type=Path, default=SHIPPED, help="folder of the model; default: the shipped one"
    )
    parser.add_argument("--layout", default="sub")
    parser.add_argument("--programs", default="", help="names, comma-separated; default: all thirty")
    options = parser.parse_args()
    if options.rows is None:
        print("not run: --rows FILE says where rows are kept; the whole table takes ten minutes of one core")
        return
    names = options.programs.split(",") if options.programs else list(classic.program_texts())
    for name in names:
        if name not in classic.program_texts():
            raise UnknownName("program of benchmark 'classic'", name, list(classic.program_texts()))
    rows = []
    for row in rows_of(options.rows, options.model, options.layout, names):
        rows.append(row)
        print(f"{row.program}: {sum(row.right)} of {len(row.right)}", flush=True)
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
