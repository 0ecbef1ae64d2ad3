"""What was done of the shard that was being filled when Ctrl-C came: kept aside, taken up by the next run.

    keep(folder, rows)             on Ctrl-C: the programs with their traces go to `unfinished.parquet`
    take_up(folder, trace)         a tracer that knows them and runs only the rest

The file is no part of the dataset: no manifest names it, and a run that takes it up removes it. A kill that
cannot be caught loses the open shard's work, which is run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path

from deskcheck.errors import CorruptShard
from deskcheck.format.buffers import Packed
from deskcheck.format.shards import read_packed, write_packed
from deskcheck.records import Limits, Program

UNFINISHED = "unfinished.parquet"
Tracing = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Packed]]]


def keep(folder: Path, rows: list[tuple[Program, Packed]]) -> int:
    """Write the rows aside; how many there were."""
    if rows:
        write_packed(folder / UNFINISHED, rows)
    return len(rows)


def take_up(folder: Path, trace: Tracing) -> Tracing:
    """`trace`, but for the programs at the beginning whose traces were kept."""
    kept = _read(folder / UNFINISHED)

    def run(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
        waiting = iter(programs)
        for program in waiting:
            if program.id not in kept:
                yield from trace(chain([program], waiting), limits)
                return
            yield program, kept.pop(program.id)

    return run


def _read(path: Path) -> dict[str, Packed]:
    if not path.exists():
        return {}
    try:
        kept = {program.id: packed for program, packed in read_packed(path) if program is not None}
    except CorruptShard:
        kept = {}  # it only saves work: what it held is run again
    path.unlink()
    return kept
