"""Read the programs of a benchmark as published, each once, for decontamination and its reports.

    published("humaneval", "HumanEval.jsonl") -> Published("HumanEval/0", "from typing ..", "has_.."), ..

All programs of the file are read, including those that give the benchmark no task (9 of HumanEval, 4 of
MBPP).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from deskcheck import plugins
from deskcheck.benchmarks import core
from deskcheck.corpus.definitions import classes_with, functions_defined
from deskcheck.errors import DataError
from deskcheck.programs.generated import HELD_OUT, N_HELD_OUT, traced
from deskcheck.records import TaskDraft

FILES = {
    "humaneval": ["human-eval/HumanEval.jsonl"],
    "mbpp": ["mbpp/mbpp.jsonl"],
    "mbpp-sanitized": ["mbpp/sanitized-mbpp.json"],
    "cruxeval": ["cruxeval/cruxeval.jsonl"],
    "cruxeval-x": ["cruxeval-x/py.jsonl.gz"],
    "livecodebench-exec": ["livecodebench-exec/problems.jsonl"],
    "leetcode": [
        "leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz",
        "leetcode/LeetCodeDataset-v0.3.1-test-half.jsonl.gz",
    ],
    "reval": ["reval/DREval_data.jsonl.gz"],
    "re2-bench": ["re2-bench/problems.jsonl.gz"],
}
"""Benchmark -> its files in the folder of public data (DESKCHECK_DATA). Other benchmarks need no files."""


class Published(NamedTuple):
    """One program of a benchmark."""

    id: str
    source: str
    entry: str
    """Function, "Class.method" or class that the benchmark is about."""


def published(benchmark: str, data: str = "") -> Iterator[Published]:
    """Yield all programs of a benchmark in the order of its source, without repeated texts."""
    seen = set()
    for entry in _RAW[benchmark](Path(data)) if benchmark in _RAW else _of_items(benchmark, data):
        if entry.source not in seen:
            seen.add(entry.source)
            yield entry


def at_hand(benchmark: str, folder: str) -> Iterator[Published]:
    """Yield the programs of a benchmark that ships, or whose files are in the folder of public data."""
    family = benchmark.removeprefix("held-out ")
    if family != benchmark:
        programs = traced(family, seed=HELD_OUT[family], n=N_HELD_OUT)
        yield from (Published(str(n), one.source, one.entry) for n, (one, _) in enumerate(programs))
    elif benchmark not in FILES:
        yield from published(benchmark)
    elif folder:
        for path in FILES[benchmark]:
            if (Path(folder) / path).is_file():
                yield from published(benchmark, str(Path(folder) / path))


def _of_items(benchmark: str, data: str) -> Iterator[Published]:
    for draft in plugins.load("benchmark", benchmark).drafts(data):
        if isinstance(draft, TaskDraft):
            yield Published(draft.id, draft.program.source, draft.program.entry.replace("()", ""))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of JSON lines or of one JSON list, plain or .gz. DataError for any other file."""
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        rows = (
            json.loads(data)
            if data.lstrip()[:1] == b"["
            else [json.loads(line) for line in data.splitlines()]
        )
    except (OSError, ValueError) as error:
        raise DataError(f"{path} holds no rows of a benchmark: {error}") from None
    yield from rows


def _humaneval(path: Path) -> Iterator[Published]:
    for row in _rows(path):
        yield Published(row["task_id"], row["prompt"] + row["canonical_solution"], row["entry_point"])


def _mbpp(path: Path) -> Iterator[Published]:
    for row in _rows(path):
        source, tests = row["code"].replace("\r\n", "\n"), " ".join(row["test_list"])
        defined = functions_defined(source)
        called = [name for name in defined if re.search(rf"\b{re.escape(name)}\(", tests)]
        yield Published(str(row["task_id"]), source, (called or defined or [""])[-1])


def _leetcode(path: Path) -> Iterator[Published]:
    for row in _rows(path):
        yield Published(row["task_id"], row["completion"], row["entry_point"].replace("()", ""))


def _reval(path: Path) -> Iterator[Published]:
    for row in _rows(path):
        yield Published(row["task_id"], row["code"], row["entry_point"])


def _re2_bench(path: Path) -> Iterator[Published]:
    for row in _rows(path):
        of = classes_with(row["code"], row["function"])
        yield Published(row["id"], row["code"], ".".join([*of[:1], row["function"] or "main"]))


def _core(path: Path) -> Iterator[Published]:
    """Yield the programs of every version, also of those whose library is not installed."""
    for problem in core.problems(core.folder_of("" if path == Path() else str(path))):
        for k, (entry, _) in enumerate(problem.calls):
            yield Published(f"{problem.name}:{k}", problem.source, entry.replace("()", ""))


# Benchmarks whose files are read here, because their `drafts` leave programs out.
_RAW: dict[str, Callable[[Path], Iterator[Published]]] = {
    "core": _core,
    "humaneval": _humaneval,
    "mbpp": _mbpp,
    "mbpp-sanitized": _mbpp,
    "leetcode": _leetcode,
    "reval": _reval,
    "re2-bench": _re2_bench,
}
