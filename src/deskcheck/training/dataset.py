"""Programs and runs of a dataset made by `deskcheck build`, for training from scratch.

    runs = runs_of("data/mine", Random(0));  next(runs) -> (program, trace)       endless

Shards are drawn by their number of rows, and the rows of a shard come in random order. The order depends only
on the folder's contents and the random numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from deskcheck.errors import UserError
from deskcheck.format.buffers import trace_of
from deskcheck.format.shards import ManifestEntry, check_shard, read_manifest, read_packed
from deskcheck.records import Granularity, Program, Trace
from deskcheck.training.traces import At

DATA = "data"
"""Group of a stage's families: "data:FOLDER" = runs of that dataset."""


def family_of_folder(folder: str) -> str:
    """Return the family that draws from a dataset. UserError or CorruptShard if it has no runs."""
    _entries(folder)
    return f"{DATA}:{folder}"


def runs_of(folder: str, rng: Random) -> Iterator[tuple[Program, Trace]]:
    """Yield programs with their traces, without end. CorruptShard if a shard is damaged."""
    entries = _entries(folder)
    weights = [entry.n_kept for entry in entries]
    while True:
        (entry,) = rng.choices(entries, weights)
        rows = list(read_packed(check_shard(Path(folder), entry)))
        rng.shuffle(rows)
        for program, packed in rows:
            assert program is not None, "the rows of a build hold their programs"
            yield program, trace_of(packed)


def as_recorded(trace: Trace) -> At:
    """Return a function that gives the trace for its own granularity only; foreign code does not run."""

    def at(wanted: Granularity) -> Trace | None:
        return trace if wanted is trace.granularity else None

    return at


def _entries(folder: str) -> list[ManifestEntry]:
    if not Path(folder).is_dir():
        raise UserError(
            f"--data '{folder}': no folder of `deskcheck build`; with --model, other data can be named"
        )
    found = [entry for entry in read_manifest(Path(folder)) if entry.n_kept]
    if not found:
        raise UserError(f"--data '{folder}' holds no run to train on; see `deskcheck data {folder}`")
    return found
