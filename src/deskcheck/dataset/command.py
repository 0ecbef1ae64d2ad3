"""Text about a dataset: the output of `deskcheck data` and `deskcheck build`, and the dataset card.

    run_build(options, Path("out"), limits=.., shard_size=1000, workers=0, require="limits", command="..")
    as_text(Path("out"), n_shown=3) -> str      counts, outcomes, and the first traces
    write_card(Path("data/mine"))               source, licenses, counts, drop reasons, coverage, versions

A build prints the containment level if it is not `full`, its progress, and the numbers of inputs kept and
dropped. The card is `README.md` in the folder, which the Hugging Face hub shows. Its front matter names the
shards, so `load_dataset("data/mine")` reads them without further options. The card is made from the other
files of the folder; its rows on speed come from `run.jsonl`.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TextIO

import msgspec
import pyarrow.parquet as pq

from deskcheck.dataset.build import DEFECT, Progress, Summary, admit, build, summarise
from deskcheck.dataset.cluster import on_ray
from deskcheck.dataset.folder import (
    CONFIG,
    QUARANTINE,
    RunEnded,
    RunStarted,
    read_config,
    read_dropped,
    read_quarantine,
    read_runs,
)
from deskcheck.decontamination.near import name_of
from deskcheck.decontamination.removed import REASON, read_removed
from deskcheck.decontamination.removed import as_text as removed_as_text
from deskcheck.errors import UserError
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.format.files import replacing
from deskcheck.format.shards import MANIFEST, check_shard, read_manifest, read_packed
from deskcheck.pace import EVERY_S, left_text
from deskcheck.plugins import SourceOptions, load
from deskcheck.records import EventKind, Limits, Program
from deskcheck.sandbox import containment
from deskcheck.tracers import Asking
from deskcheck.tracing.program import bundle_of
from deskcheck.viewer.terminal import trace_lines

CARD = "README.md"
WANTED = 300_000
"""Number of functions that Execution Tuning traced, for the estimated hours in the card."""
_COLUMNS = [
    "program.source",
    "program.entry",
    "program.origin",
    "program.licence",
    "events.kind",
    "events.line",
]
_OF_CALL = re.compile(r":\d+(\.\w+)*\Z")
"""End of the origin of a function's call; the origin of a function without a call has none."""


class Coverage(NamedTuple):
    """Functions, paths and lines that the runs of a dataset cover."""

    n_functions: int
    n_paths: int
    """Distinct pairs of a function and a sequence of executed lines."""
    n_lines: int
    """Distinct pairs of a function and an executed line."""
    licenses: dict[str, int]
    """License of the program, as its source states it -> number of rows."""
    origins: set[str]
    """Origins of the functions, without the number of the call; empty if they were not wanted."""


def write_card(folder: Path) -> Path:
    """Write the card of a dataset folder, replacing an existing one."""
    path = folder / CARD
    with replacing(path) as out:
        out.write(card(folder).encode("utf-8"))
    return path


def card(folder: Path) -> str:
    """Write the card's text from the other files of a dataset folder."""
    config, entries = read_config(folder), read_manifest(folder)
    tries = config.source.source == "functions"
    counts, coverage = summarise(entries), _coverage(folder, with_origins=tries)
    source = " ".join(filter(None, (config.source.source, config.source.path, config.source.family)))
    licenses = ", ".join(f"{name or 'unknown'} ({n:,})" for name, n in sorted(coverage.licenses.items()))
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
| licenses (runs) | {licenses} |
| runtime | {config.runtime}, pyarrow {config.pyarrow} |
| containment level | {config.sandbox} |
| limits | {config.limits.max_steps:,} steps, {config.limits.time_s:g} s |
| filters | {", ".join(config.filters) or "none"} |
| seed, limit | {config.source.seed}, {config.source.limit or "none"} |
| benchmarks' fingerprints | {config.decontamination[:12] or "not compared"} |
{_rate(folder, coverage)}{_without_rows(folder, coverage) if tries else ""}
## What became no row

Read {counts.n_read:,}, kept {counts.n_kept:,}. `dropped.jsonl`, `removed.jsonl` and `quarantine.jsonl` name
the others.

| reason | inputs |
|---|---|
{dropped}
"""


def _coverage(folder: Path, *, with_origins: bool) -> Coverage:
    lines: dict[int, int] = {}  # function -> bits of its executed lines
    paths: set[int] = set()
    licenses: Counter[str] = Counter()
    origins: set[str] = set()
    for entry in read_manifest(folder):
        with pq.ParquetFile(check_shard(folder, entry)) as file:
            for batch in file.iter_batches(batch_size=200, columns=_COLUMNS):
                for row in batch.to_pylist():
                    program, events = row["program"], row["events"]
                    function = hash((program["source"], name_of(program["entry"])))
                    pairs = zip(events["kind"], events["line"], strict=True)
                    run = tuple(line for kind, line in pairs if kind == EventKind.LINE)
                    lines[function] = lines.get(function, 0) | _bits(run)
                    paths.add(hash((function, run)))
                    licenses[program["licence"]] += 1
                    if with_origins:
                        origins.add(_OF_CALL.sub("", program["origin"]))
    n_lines = sum(map(int.bit_count, lines.values()))
    return Coverage(len(lines), len(paths), n_lines, dict(licenses), origins)


def _bits(run: tuple[int, ...]) -> int:
    found = 0
    for line in set(run):
        found |= 1 << max(line, 0)
    return found


def _without_rows(folder: Path, coverage: Coverage) -> str:
    """Write how many of the found functions have a row, and how many have none, by drop reason.

    If the calls of a function were dropped for several reasons, the commonest counts. A file that could not
    be read counts as one function.
    """
    reasons: dict[str, Counter[str]] = {}
    for drop in read_dropped(folder):
        origin = _OF_CALL.sub("", drop.origin)
        if origin not in coverage.origins:
            reasons.setdefault(origin, Counter())[drop.reason] += 1
    n_found = len(coverage.origins) + len(reasons)
    if not n_found:
        return ""
    counts = Counter(of_one.most_common(1)[0][0] for of_one in reasons.values())
    rows = "\n".join(
        f"| {reason} | {n:,} | {100 * n / n_found:.1f} % |" for reason, n in counts.most_common()
    )
    n_executed = len(coverage.origins)
    return f"""
## Functions

Of {n_found:,} functions and methods found, {n_executed:,} ({100 * n_executed / n_found:.1f} %) have a row.
The others:

| reason | functions | of all found |
|---|---|---|
{rows}
"""


def _rate(folder: Path, coverage: Coverage) -> str:
    """Write the rows of the card on speed; "" if a run was killed, because its time is not known."""
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


def as_text(path: Path, *, n_shown: int = 0) -> str:
    """Check every shard of a dataset; write its summary, then the first `n_shown` runs step by step.

    UserError if there is no such folder or shard; CorruptShard for a damaged shard.
    """
    if not path.exists():
        raise UserError(f"no such folder: {path}")
    if path.suffix == ".deskcheck":
        raise UserError(f"{path} is one saved run, not a dataset; deskcheck view {path} shows it")
    manifest = read_manifest(path) if path.is_dir() else []
    lines: list[str] = []
    if (path / CONFIG).exists():
        config = read_config(path)
        source = {k: v for k, v in _set_fields(config.source).items() if k != "source"}
        lines += [
            f"{path}: {config.source.source} {' '.join(f'{k}={v}' for k, v in source.items())}".rstrip(),
            f"format {config.format_version}, deskcheck {config.deskcheck}, {config.runtime}, "
            f"containment level {config.sandbox}",
        ]
    outcomes: Counter[str] = Counter()
    shown: list[str] = []
    for number, (program, packed) in enumerate(read_packed(path)):
        outcomes[str(packed.head.outcome.__struct_config__.tag)] += 1
        if number < n_shown:
            shown += run_lines(program, packed, f"deskcheck view {path} --task {number}")
    if path.is_dir():
        lines.append(summary_text(summarise(manifest)))
    lines.append("outcomes: " + (", ".join(f"{n} {name}" for name, n in outcomes.most_common()) or "none"))
    if path.is_dir() and (path / MANIFEST).exists():
        quarantined = read_quarantine(path)
        lines += [f"in {QUARANTINE}: {len(quarantined)}"] if quarantined else []
        lines += [
            f"  {q.program.call} of {q.program.origin}: {q.outcome.__struct_config__.tag}"
            for q in islice(quarantined, n_shown)
        ]
    return "\n".join(lines + shown)


def summary_text(summary: Summary) -> str:
    """Write the counts of a dataset in one line."""
    dropped = ", ".join(f"{n} {reason}" for reason, n in summary.dropped.items())
    return (
        f"read {summary.n_read}, kept {summary.n_kept}, "
        f"dropped {summary.n_read - summary.n_kept}{f' ({dropped})' if dropped else ''}; "
        f"{_count(summary.n_shards, 'shard')}, {_count(summary.n_steps, 'step')}, "
        f"{_count(summary.n_events, 'event')}, {_size(summary.n_bytes)}"
    )


SHOWN_STEPS = 160
"""Steps of the longest run that `deskcheck data --show` prints."""


def run_lines(program: Program | None, packed: Packed, view: str) -> list[str]:
    """Write one run like `deskcheck trace`; for a long run, its length and the command that shows it."""
    trace = trace_of(packed)
    if program is None:
        return ["", f"{trace.program_id}: {_count(trace.n_steps, 'step')}; its program is not stored"]
    lines = ["", f"{program.origin}, {_count(trace.n_steps, 'step')}"]
    if trace.n_steps > SHOWN_STEPS:
        return [*lines, f"{program.call}: too long to print; {view} shows it"]
    bundle = bundle_of(program)
    files = bundle.files if bundle else {}
    return [*lines, *trace_lines(trace, program.source, call=program.call, whole=True, files=files)]


def _size(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.1f} MB" if n_bytes >= 1e6 else f"{n_bytes / 1e3:.1f} kB"


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _set_fields(options: msgspec.Struct) -> dict[str, object]:
    fields: tuple[str, ...] = options.__struct_fields__
    unset: tuple[object, ...] = (None, "", 0, [], {}, "unknown")
    return {name: value for name in fields if (value := getattr(options, name)) not in unset}


def removed_text(path: Path) -> str:
    """List the programs left out as too similar to a benchmark, each beside the benchmark's program.

    The folder is that of a dataset or a training run. The benchmark's text is read from this package or from
    the folder of public data in DESKCHECK_DATA.
    """
    if not path.is_dir():
        raise UserError(f"no such folder: {path}")
    removed = read_removed(path)
    if not removed:
        return f"{path}: nothing was too near to a benchmark"
    texts = {name: _texts(name) for name in {one.benchmark for one in removed}}
    parts = [removed_as_text(one, texts[one.benchmark].get(one.id, "")) for one in removed]
    counts = Counter((one.benchmark, "the same" if one.same else "near") for one in removed)
    table = [f"{n:6,} {how} {benchmark}" for (benchmark, how), n in sorted(counts.items())]
    return "\n".join([*parts, f"{path}: {len(removed):,} left out", *table])


def _texts(benchmark: str) -> dict[str, str]:
    """Return the available programs of a benchmark by id."""
    from deskcheck.dataset.published import at_hand

    found = {one.id: one.source for one in at_hand(benchmark, os.environ.get("DESKCHECK_DATA", ""))}
    return found


def run_build(
    options: SourceOptions,
    out: Path,
    *,
    source: ModuleType | None = None,
    limits: Limits,
    shard_size: int,
    workers: int,
    require: str,
    command: str,
    confirm: bool = False,
    decontaminate: bool = True,
    filters: list[str] | None = None,
    ray: str = "",
    ask: Asking | None = None,
) -> int:
    """Build a dataset and print its counts.

    Return 1 if a program ran differently in a shared process and alone, else 0. After Ctrl-C, print how much
    of the work is kept, then raise KeyboardInterrupt again.
    """
    source = source or load("program source", options.source)
    contained = admit(source, options.source)
    if containment.find().level != "full":
        print(contained, file=sys.stderr)
    note = getattr(source, "note", None)
    if note is not None:
        print(note(options))
    line = ProgressLine(
        sys.stderr, total=min(filter(None, (options.n * (options.calls_each or 1), options.limit)), default=0)
    )
    try:
        summary = build(
            options,
            out,
            limits=limits,
            shard_size=shard_size,
            workers=workers,
            require=require,
            confirm=confirm,
            decontaminate=decontaminate,
            filters=filters,
            trace=on_ray(ray) if ray else None,
            ask=ask,
            progress=line.show,
            command=command,
            source=source,
        )
    except KeyboardInterrupt:
        line.end()
        print(f"{out}: {line.kept_text()}", file=sys.stderr)
        raise
    line.end()
    write_card(out)
    print(f"{out}: {summary_text(summary)}")
    if n := summary.dropped.get(REASON):
        print(f"  {n} {REASON}: deskcheck data {out}/removed.jsonl shows both texts")
    if text := compared_text(read_runs(out)):
        print(f"  {text}")
    for one in read_quarantine(out)[:3]:
        tag = one.outcome.__struct_config__.tag
        print(f"  in {QUARANTINE}: {one.program.call} of {one.program.origin}: {tag}")
    n_defects = summary.dropped.get(DEFECT, 0)
    if n_defects:
        print(
            f"  a defect of deskcheck's sandbox: {n_defects} programs shared a process with one whose result "
            f"was another one there than alone; none of them is kept. Please report this with "
            f"{out / QUARANTINE}, which holds both results"
        )
    return int(n_defects > 0)


def compared_text(runs: list[RunStarted | RunEnded]) -> str:
    """Write how many programs that ran a second time, in a fresh process, gave the same bytes.

    The text is about the last run of the build; "" if no program ran a second time.
    """
    last = runs[-1] if runs else None
    report = last.sandbox if isinstance(last, RunEnded) else None
    if report is None or not report.n_audited:
        return ""
    n_other = report.n_mismatched
    again = f"{report.n_audited} that ran again in a fresh process"
    text = f"{report.n_audited - n_other} of {again} gave the same bytes"
    unsteady = f"; {report.n_unsteady} differ from run to run by themselves" if report.n_unsteady else ""
    named = f"; others: programs {', '.join(report.mismatched)}" if report.mismatched else ""
    return f"{text}{named}{unsteady}"


def progress_text(progress: Progress, passed_s: float, total: int) -> str:
    """Write the progress of a build: "588 of 1,000 programs, 29/s, 0:14 left, 0 shards"."""
    rate = progress.n_run / passed_s if passed_s > 0 else 0.0
    whole = f" of {total:,}" if total else ""
    left_s = -1.0
    if total and rate:
        left_s = (total - progress.n_read) / rate
    elif progress.share > 0:
        left_s = passed_s * (1 - progress.share) / progress.share
        whole = f" from {progress.share:.0%} of the source"
    left = f", {left_text(left_s)}" if left_s >= 0 else ""
    shards = f"{progress.n_shards:,} shard{'' if progress.n_shards == 1 else 's'}"
    return f"{progress.n_read:,}{whole} programs, {rate:,.0f}/s{left}, {shards}"


class ProgressLine:
    """Line of progress that is rewritten in place; written only to a terminal.

    `total`: number of programs of the source; 0 = not known.
    """

    def __init__(self, stream: TextIO, *, total: int = 0) -> None:
        self._stream, self._total = stream, total
        self._terminal = stream.isatty()
        self._started = self._shown = time.monotonic()
        self._last: Progress | None = None

    def show(self, progress: Progress) -> None:
        """Rewrite the line at most a few times a second; called for every program."""
        self._last = progress
        now = time.monotonic()
        if not self._terminal or now - self._shown < EVERY_S:
            return
        self._shown = now
        self._stream.write(f"\r\x1b[K{progress_text(progress, now - self._started, self._total)}")
        self._stream.flush()

    def end(self) -> None:
        """Clear the line, so that other output can follow."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def kept_text(self) -> str:
        """Write how many shards and programs of an interrupted build are kept."""
        if self._last is None:
            return "nothing was lost"
        return (
            f"{self._last.n_shards} finished shards are kept; "
            f"{self._last.n_open} programs of the one being filled wait for the next run"
        )
