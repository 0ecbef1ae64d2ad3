"""Layouts against each other: one model for each, of the same size, tokens, optimiser and seeds.

    python -m deskcheck.training.compare_layouts --out runs/layouts --tokens 6000000 --seeds 0,1,2

Runs are made one after another and each can be interrupted; the same command goes on. What has not been run
stands in the table as "not run". Equal tokens are equal compute, not equal programs: a layout that writes
more sees fewer programs, and the table says how many. Intervals pool the seeds and are clustered by the form
of the program; beside them stands each seed's own figure, since seeds differ too.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.statistics.interval import clustered_interval
from deskcheck.training import record
from deskcheck.training.evaluate import LayoutScore, read_scores
from deskcheck.training.stream import Say
from deskcheck.training.train import SCORES, TrainOptions, train

COMPARED = (("direct", "whole run"), ("line-1", "chained"))
"""The pair whose difference is printed: both answer a whole program from its call."""


class Comparison(Struct, frozen=True, kw_only=True):
    """What is compared."""

    out: str
    preset: str = "tiny"
    layouts: tuple[str, ...] = ("direct", "line-1")
    seeds: tuple[int, ...] = (0, 1, 2)
    tokens: int = 6_000_000
    threads: int = 2
    n_held_out: int = 500


def folder(comparison: Comparison, layout: str, seed: int) -> Path:
    """Where one run lies."""
    return Path(comparison.out) / f"{layout}-seed-{seed}"


def run_all(comparison: Comparison, *, say: Say = print) -> None:
    """Every run that is not finished."""
    for seed in comparison.seeds:  # seed by seed, so that what is there is comparable at any time
        for layout in comparison.layouts:
            out = folder(comparison, layout, seed)
            if (out / SCORES).is_file():
                continue
            say(f"--- {layout}, seed {seed}")
            train(
                TrainOptions(
                    preset=comparison.preset,
                    out=str(out),
                    tokens=comparison.tokens,
                    layouts=[layout],
                    seed=seed,
                    threads=comparison.threads,
                    resume=record.read(out) is not None,
                    n_held_out=comparison.n_held_out,
                ),
                say=say,
            )


def table(comparison: Comparison) -> str:
    """All finished runs as a Markdown table, and the difference of `COMPARED`."""
    head = "| layout | question | right | 95 % interval | by seed | n | tokens an answer | programs seen |"
    lines = [head, "|---" * 8 + "|"]
    pooled: dict[tuple[str, str], dict[int, LayoutScore]] = {}
    for layout in comparison.layouts:
        paths = {seed: folder(comparison, layout, seed) / SCORES for seed in comparison.seeds}
        found = {seed: read_scores(path) for seed, path in paths.items() if path.is_file()}
        if not found:
            lines.append(f"| {layout} | not run |" + " |" * 6)
            continue
        runs = [record.read(folder(comparison, layout, seed)) for seed in found]
        programs = sum(run.data.n_programs for run in runs if run) // len(runs)
        for number, first in enumerate(next(iter(found.values()))):
            rows = {seed: scores[number] for seed, scores in found.items()}
            pooled[(layout, first.question)] = rows
            lines.append(_line(rows, comparison, programs))
    return "\n".join([*lines, "", _difference(pooled)])


def _line(rows: dict[int, LayoutScore], comparison: Comparison, programs: int) -> str:
    first = next(iter(rows.values()))
    values = [float(v) for row in rows.values() for v in row.verdicts]
    interval = clustered_interval(values, [c for row in rows.values() for c in row.clusters])
    by_seed = [f"{100 * rows[s].right / rows[s].n:.1f}" if s in rows else "not run" for s in comparison.seeds]
    tokens = sum(row.tokens_per_answer for row in rows.values()) / len(rows)
    return (
        f"| {first.layout} | {first.question} | {100 * interval.mean:.1f} % | {100 * interval.low:.1f} to "
        f"{100 * interval.high:.1f} | {', '.join(by_seed)} | {first.n} x {len(rows)} | {tokens:.1f} | "
        f"{programs:,} |"
    )


def _difference(pooled: dict[tuple[str, str], dict[int, LayoutScore]]) -> str:
    left, right = (pooled.get(name, {}) for name in COMPARED)
    seeds = sorted(set(left) & set(right))
    if not seeds:
        return "difference: not run"
    pairs = [
        (float(b) - float(a), cluster)
        for seed in seeds
        for a, b, cluster in zip(left[seed].verdicts, right[seed].verdicts, left[seed].clusters, strict=True)
    ]
    found = clustered_interval([d for d, _ in pairs], [c for _, c in pairs], bounds=(-1.0, 1.0))
    ends = "" if math.isnan(found.low) else f" [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    return (
        f"{' '.join(COMPARED[1])} minus {' '.join(COMPARED[0])}: {100 * found.mean:+.1f} points{ends}, "
        f"paired by program, {len(seeds)} seeds"
    )


def main(
    out: Annotated[str, typer.Option(help="Folder of the runs.")],
    preset: Annotated[str, typer.Option(help="Size and optimiser.")] = "tiny",
    layouts: Annotated[str, typer.Option(help="Separated by commas.")] = "direct,line-1",
    seeds: Annotated[str, typer.Option(help="Separated by commas.")] = "0,1,2",
    tokens: Annotated[int, typer.Option(help="Of each run, padding included.")] = 6_000_000,
    threads: Annotated[int, typer.Option(help="Processor threads.")] = 2,
    held_out: Annotated[int, typer.Option(help="Held-out programs.")] = 500,
    only_table: Annotated[bool, typer.Option("--table", help="Print the table of what is there.")] = False,
) -> None:
    """Train one model a layout and seed, then print the table."""
    if not all(seed.strip().isdigit() for seed in seeds.split(",")):
        raise UserError(f"--seeds '{seeds}' is no list of numbers; write for example --seeds 0,1,2")
    comparison = Comparison(
        out=out,
        preset=preset,
        layouts=tuple(layouts.split(",")),
        seeds=tuple(int(seed) for seed in seeds.split(",")),
        tokens=tokens,
        threads=threads,
        n_held_out=held_out,
    )
    if not only_table:
        run_all(comparison)
    text = table(comparison)
    Path(out).mkdir(parents=True, exist_ok=True)
    (Path(out) / "table.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    typer.run(main)
