"""The card of a dataset: `README.md` in its folder, as the Hugging Face hub shows it.

    write_card(Path("data/mine"))       what, whence, licenses, counts, drops, coverage, containment, versions

The front matter names the shards, so `load_dataset("data/mine")` reads them as they are. Everything but the
times of the last run follows from the other files; what the hub does not need (`run.jsonl`, `.lock`) stays.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as pq

from deskcheck.dataset.folder import RunEnded, RunStarted, read_config, read_runs
from deskcheck.dataset.shards import summarise
from deskcheck.format.files import replacing
from deskcheck.format.shards import check_shard, read_manifest
from deskcheck.records import EventKind

CARD = "README.md"
WANTED = 300_000
"""Functions that Execution Tuning traced."""
_COLUMNS = ["program.source", "program.entry", "program.licence", "events.kind", "events.line"]


class Coverage(NamedTuple):
    """What the rows of a dataset run through."""

    n_functions: int
    n_paths: int
    """Different sequences of lines, each counted for its function."""
    n_lines: int
    """Different lines that ran, each counted for its function."""
    licences: dict[str, int]
    """License -> rows."""


def write_card(folder: Path) -> Path:
    """Write the card of a dataset folder, or write it anew."""
    path = folder / CARD
    with replacing(path) as out:
        out.write(card(folder).encode("utf-8"))
    return path


def card(folder: Path) -> str:
    """Write the card's text from the other files of a dataset folder."""
    config, entries = read_config(folder), read_manifest(folder)
    counts, coverage = summarise(entries), _coverage(folder)
    source = " ".join(filter(None, (config.source.source, config.source.path, config.source.family)))
    licences = ", ".join(f"{name or 'unknown'} ({n:,})" for name, n in sorted(coverage.licences.items()))
    dropped = "\n".join(
        f"| {reason} | {n:,} |" for reason, n in sorted(counts.dropped.items(), key=lambda one: -one[1])
    )
    a_trace = counts.n_bytes / counts.n_events if counts.n_events else 0.0
    return f"""---
configs:
- config_name: default
  data_files: "traces-*.parquet"
tags: [execution-traces, deskcheck]
---
# Execution traces: {source}

Programs that were run in a sandbox, each with the trace of its run: one row a run. Made by deskcheck
{config.deskcheck}, format {config.format_version}; `deskcheck data DIR --show 1` names one.

| | |
|---|---|
| runs | {counts.n_kept:,} |
| functions | {coverage.n_functions:,} |
| paths, lines run | {coverage.n_paths:,}, {coverage.n_lines:,} |
| steps, events | {counts.n_steps:,}, {counts.n_events:,} |
| bytes an event | {a_trace:.1f} |
| licenses (runs) | {licences} |
| runtime | {config.runtime}, pyarrow {config.pyarrow} |
| containment level | {config.sandbox} |
| limits | {config.limits.max_steps:,} steps, {config.limits.time_s:g} s |
| filters | {", ".join(config.filters) or "none"} |
| seed, limit | {config.source.seed}, {config.source.limit or "none"} |
| benchmarks' fingerprints | {config.decontamination[:12] or "not compared"} |
{_rate(folder, coverage)}
## What became no row

Read {counts.n_read:,}, kept {counts.n_kept:,}. `dropped.jsonl`, `removed.jsonl` and `quarantine.jsonl` name
the others.

| reason | inputs |
|---|---|
{dropped}
"""


def _coverage(folder: Path) -> Coverage:
    lines: dict[int, set[int]] = {}
    paths: set[int] = set()
    licences: Counter[str] = Counter()
    for entry in read_manifest(folder):
        with pq.ParquetFile(check_shard(folder, entry)) as file:
            for batch in file.iter_batches(batch_size=200, columns=_COLUMNS):
                for row in batch.to_pylist():
                    program, events = row["program"], row["events"]
                    function = hash((program["source"], program["entry"]))
                    pairs = zip(events["kind"], events["line"], strict=True)
                    run = tuple(line for kind, line in pairs if kind == EventKind.LINE)
                    lines.setdefault(function, set()).update(run)
                    paths.add(hash((function, run)))
                    licences[program["licence"]] += 1
    return Coverage(len(lines), len(paths), sum(map(len, lines.values())), dict(licences))


def _rate(folder: Path, coverage: Coverage) -> str:
    """Rows of the card on speed; none where a run was interrupted, since its time is not known."""
    runs = read_runs(folder)
    ended = [one for one in runs if isinstance(one, RunEnded)]
    started = [one for one in runs if isinstance(one, RunStarted)]
    if not ended or len(ended) != len(started) or not coverage.n_functions:
        return ""
    wall_s = sum(one.wall_s for one in ended)
    n_run = sum(one.n_programs for one in ended)
    n_tried = sum(one.n_tried for one in ended)
    if wall_s <= 0 or n_run <= 0:
        return ""
    hours = wall_s / coverage.n_functions * WANTED / 3600
    return (
        f"| made in | {wall_s:,.0f} s, {n_run / wall_s:,.1f} runs kept a second"
        f"{f' of {n_tried:,} tried' if n_tried else ''}, {started[-1].workers or 'all'} workers |\n"
        f"| at this rate | {hours:,.1f} hours for {WANTED:,} functions |\n"
    )
