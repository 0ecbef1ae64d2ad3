"""Read recorded runs from disk as `deskcheck.Trace` objects.

deskcheck.load("run.parquet") -> Trace               a file that holds one run
for trace in deskcheck.read_traces("data/easy"): ..   a shard, or a dataset folder
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from deskcheck.api.trace import Trace
from deskcheck.errors import DataError


def read_traces(path: str | Path) -> Iterator[Trace]:
    """Yield every run of a shard or of a dataset folder, in order. CorruptShard says what is wrong where."""
    from deskcheck.format.shards import read_rows

    for program, record in read_rows(path):
        yield Trace(program, record)


def load(path: str | Path) -> Trace:
    """Return the run that a file holds. DataError where it holds none, or several."""
    runs = list(islice(read_traces(path), 2))
    if len(runs) != 1:
        held = "no run" if not runs else "several runs"
        raise DataError(f"{path} holds {held}; deskcheck.read_traces({str(path)!r}) goes through all of them")
    return runs[0]
