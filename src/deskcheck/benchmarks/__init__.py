"""Benchmarks: one file each, found by its name.

A file holds `HUB` (repository, commit, file ..; None where nothing is fetched), optionally `PINNED` (sha256
of files whose programs are known), `LIMITS` (fields of `records.Limits` that its runs need) and
`KNOWN_BY_HEART` (families whose answers need no execution), and
`def items(data: str, *, option: int = 3, ..) -> Iterator[Item | Skipped]`: `data` = path of its file, "" =
the hub's or what ships; options are what `-T option=5` sets. Truth is never taken from the file:
`evaluation.truth` executes every program. "Add a benchmark in 40 lines": docs/benchmarks/README.md.
"""

from __future__ import annotations

from deskcheck import plugins
from deskcheck.errors import UnknownName


def known_by_heart(benchmark: str) -> frozenset[str]:
    """Families that a model can answer from memory; none where the benchmark is not installed."""
    try:
        found: frozenset[str] = getattr(plugins.load("benchmark", benchmark), "KNOWN_BY_HEART", frozenset())
    except UnknownName:
        return frozenset()
    return found
