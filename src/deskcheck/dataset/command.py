"""What `deskcheck build` prints: containment level, progress, at the end what was read, kept and dropped.

run_build(options, Path("out"), limits=.., shard_size=1000, workers=0, require="limits", command="..")
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TextIO

from deskcheck.dataset.build import admit, build
from deskcheck.dataset.card import write_card
from deskcheck.dataset.cluster import on_ray
from deskcheck.dataset.folder import QUARANTINE, RunEnded, RunStarted, read_quarantine, read_runs
from deskcheck.dataset.shards import DEFECT, Progress
from deskcheck.dataset.show import summary_text
from deskcheck.decontamination.removed import REASON
from deskcheck.options import SourceOptions
from deskcheck.plugins import load
from deskcheck.records import Limits

EVERY_S = 0.2


def run_build(
    options: SourceOptions,
    out: Path,
    *,
    limits: Limits,
    shard_size: int,
    workers: int,
    require: str,
    command: str,
    confirm: bool = False,
    decontaminate: bool = True,
    filters: list[str] | None = None,
    ray: str = "",
) -> int:
    """Build, and say so; 1 where programs were not the same in company as alone, else 0.

    Ctrl-C says what is kept before it goes on its way.
    """
    print(admit(options.source))
    note = getattr(load("program source", options.source), "note", None)
    if note is not None:
        print(note(options))
    line = ProgressLine(sys.stderr, total=min(filter(None, (options.n, options.limit)), default=0))
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
            progress=line.show,
            command=command,
        )
    except KeyboardInterrupt:
        line.end()
        print(f"{out}: {line.kept_text()}", file=sys.stderr)
        raise
    line.end()
    write_card(out)
    print(f"{out}: {summary_text(summary)}")
    if n := summary.dropped.get(REASON):
        print(f"  {n} programs are {REASON}: deskcheck data {out} --removed shows both texts")
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
    """What came of the programs that the last run ran once more, in a fresh process; "" of none."""
    last = runs[-1] if runs else None
    report = last.sandbox if isinstance(last, RunEnded) else None
    if report is None or not report.n_audited:
        return ""
    n_other = report.n_mismatched
    text = f"{report.n_audited} run again in a fresh process, {n_other} of them with another result"
    unsteady = f"; {report.n_unsteady} differ from run to run by themselves" if report.n_unsteady else ""
    named = f": programs {', '.join(report.mismatched)}" if report.mismatched else ""
    return f"{text}{named}{unsteady}"


def progress_text(progress: Progress, passed_s: float, total: int) -> str:
    """How far a build is: "588 of 1,000 programs, 29/s, 0:14 left, 0 shards"."""
    rate = progress.n_run / passed_s if passed_s > 0 else 0.0
    whole = f" of {total:,}" if total else ""
    left_s = -1.0
    if total and rate:
        left_s = (total - progress.n_read) / rate
    elif progress.share > 0:
        left_s = passed_s * (1 - progress.share) / progress.share
        whole = f" from {progress.share:.0%} of the source"
    left = f", {left_s // 60:.0f}:{left_s % 60:02.0f} left" if left_s >= 0 else ""
    shards = f"{progress.n_shards:,} shard{'' if progress.n_shards == 1 else 's'}"
    return f"{progress.n_read:,}{whole} programs, {rate:,.0f}/s{left}, {shards}"


class ProgressLine:
    """One line that is written over on a terminal; a pipe and a file are left alone.

    `total`: programs that the source will give; 0 = not known.
    """

    def __init__(self, stream: TextIO, *, total: int = 0) -> None:
        self._stream, self._total = stream, total
        self._terminal = stream.isatty()
        self._started = self._shown = time.monotonic()
        self._last: Progress | None = None

    def show(self, progress: Progress) -> None:
        """Called for every program; writes a few times a second."""
        self._last = progress
        now = time.monotonic()
        if not self._terminal or now - self._shown < EVERY_S:
            return
        self._shown = now
        self._stream.write(f"\r\x1b[K{progress_text(progress, now - self._started, self._total)}")
        self._stream.flush()

    def end(self) -> None:
        """Leave the line of progress for what follows."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()

    def kept_text(self) -> str:
        """How much of the work an interrupted build has behind it."""
        if self._last is None:
            return "nothing was lost"
        return (
            f"{self._last.n_shards} finished shards are kept; "
            f"{self._last.n_open} programs of the one being filled wait for the next run"
        )
