"""Benchmarks: one file each, named after its benchmark.

A file defines
    HUB               (repository on the Hugging Face hub, commit, file ..); None if nothing is downloaded
    drafts(data: str, *, option: int = 3, ..) -> Iterator[TaskDraft | Skipped]
                      `data` is the path of a file, or "" for the hub's file or the shipped programs;
                      `-T option=5` sets an option; an option `kind` gets the kind of question instead
and optionally
    PINNED            sha256 of the data files whose programs may run at every containment level
    LIMITS            fields of `records.Limits` that the runs need
    KNOWN_BY_HEART    families whose answers a model can know without execution
    RECORDED          kind of question -> (question, form of the answer, grading), for programs that no tracer
                      here runs

`evaluation.truth` executes every program that a tracer here runs, and takes the truth from that run. For any
other program it takes the recorded answer, and tags the task "recorded, not re-executed".
How to add a benchmark: docs/benchmarks/README.md.
"""

from __future__ import annotations

from deskcheck import plugins
from deskcheck.errors import UnknownName


def known_by_heart(benchmark: str) -> frozenset[str]:
    """Return the families that a model can answer from memory; none if the benchmark is not installed."""
    try:
        found: frozenset[str] = getattr(plugins.load("benchmark", benchmark), "KNOWN_BY_HEART", frozenset())
    except UnknownName:
        return frozenset()
    return found
