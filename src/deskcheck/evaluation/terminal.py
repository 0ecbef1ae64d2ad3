"""Run `deskcheck eval` at the terminal: progress during the run, then the table and the files.

    run_eval(plan, outputs, build_tasks=.., render=..) -> exit code

A terminal shows a moving bar, a pipe at most one line per minute, and both show the same table at the end.
Progress and messages go to stderr. cli passes in the functions for the truth and the report, because report/
and evaluation/ share nothing but files.

    standings(rows) -> ["livecodebench-exec: m, cot: 61.0 % would be number 3 of 44 ..", ..]

Stored answers of real models (references.toml) give a row its rank. A row is ranked only if it asked every
task and there are at least FEWEST reference results. The references used other prompts and other sampling, so
a rank is an orientation and no test.
"""

from __future__ import annotations

import math
import re
import sys
import time
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct

from deskcheck.cell_files import Row, check_target, read_samples, write_whole
from deskcheck.evaluation import dry_run
from deskcheck.evaluation.plan import Plan, check, need_inspect, need_model
from deskcheck.evaluation.sample_records import as_json
from deskcheck.pace import pace_text
from deskcheck.records import Score
from deskcheck.sandbox import containment
from deskcheck.statistics.summary import (
    WITHHELD,
    bounds_in_words,
    closing,
    levels_in_words,
    reasons_in_words,
    unread_in_words,
)

PLAIN_PAUSE_S = 60.0
"""Seconds between two lines of progress in a pipe: a log of hours stays short, and still shows progress."""
HEADER = [
    "model",
    "benchmark",
    "task",
    "strategy",
    "tasks",
    "samples",
    "right",
    "wrong",
    "no answer",
    "accuracy",
    "95 %",
]


class Progress:
    """Counter of finished samples, which reports them without flooding a pipe."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.total, self.n_open = 0, 0
        self.done, self.right, self.none = 0, 0, 0
        self._last_line = (0, 0.0)
        self._began = 0.0

    def say(self, line: str) -> None:
        """Print one line, above the bar if there is one."""
        self._clear()
        print(line, file=self.stream, flush=True)

    def begin(self, name: str, total: int, n_earlier: int) -> None:
        """Start a cell, beside others or alone; an earlier run answered `n_earlier` of its samples."""
        if not self.n_open:
            self.total, self.done, self.right, self.none = 0, 0, 0, 0
            self._began = time.monotonic()
            self._last_line = (0, self._began)
        self.n_open += 1
        self.total += total
        again = f"; {n_earlier} were answered before and are not asked again" if n_earlier else ""
        self.say(f"{name}: {total} samples{again}")

    def sample(self, verdict: Score) -> None:
        """Count one more scored answer and redraw."""
        self.done += 1
        self.right += verdict.verdict == "right"
        self.none += verdict.verdict == "no answer"
        now = time.monotonic()
        if self.stream.isatty():
            if self.done == self.total or now - self._last_line[1] > 0.1:
                self._last_line = (self.done, now)
                filled = 30 * self.done // self.total
                print(
                    f"\r  [{'#' * filled}{'.' * (30 - filled)}] {self._counts()}",
                    end="",
                    file=self.stream,
                    flush=True,
                )
        elif now - self._last_line[1] > PLAIN_PAUSE_S and self.done < self.total:
            self._last_line = (self.done, now)
            print(f"  {self._counts()}", file=self.stream, flush=True)

    def end(self) -> None:
        """End a cell that is finished or interrupted; after the last of parallel ones, print the counts."""
        self.n_open -= 1
        if not self.n_open:
            self.say(f"  {self._counts()}")

    def _counts(self) -> str:
        counts = f"{self.done} of {self.total} samples, {self.right} right, {self.none} without an answer"
        pace = pace_text(self.done, self.total, time.monotonic() - self._began)
        return f"{counts}, {pace}" if pace and self.done < self.total else counts

    def _clear(self) -> None:
        if self.stream.isatty():
            print("\r\x1b[2K", end="", file=self.stream)


def table(rows: list[Row], notes: list[str]) -> str:
    """Return the rows as aligned text, followed by the remarks on them."""
    lines = [HEADER, *(cells(row, note not in ("", WITHHELD)) for row, note in zip(rows, notes, strict=True))]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    text = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    said = []
    rough = sorted({note for note in notes if note and note != WITHHELD})
    if rough:
        said.append(f"* {', '.join(rough)}: the interval is approximate")
    if any(row.oracle for row in rows):
        said.append("(oracle) something in the loop saw the truth: not to be compared with the other rows")
    for mark in dict.fromkeys(mark for row in rows for mark in row.marks):
        said.append(f"({mark}) not to be compared with plain rows")
    said += [line for row in rows for line in (served_in_words(row), unread_in_words(row)) if line]
    cut = sum(row.no_answer["truncated"] for row in rows)
    if cut:
        said.append(f"{cut} answers were cut by their budget and are not wrong ones: --max-tokens gives more")
    return "\n".join([text, *said])


def costs(totals: list[dict[str, float]]) -> list[str]:
    """Return one line per row: calls, tokens, dollars, and the number of answers that are not counted."""
    lines = []
    for number, total in enumerate(totals, 1):
        hidden = f", {total['tokens_hidden']:,.0f} of them hidden" if total["tokens_hidden"] > 0 else ""
        tokens = f"{total['tokens_in']:,.0f} tokens in, {total['tokens_out']:,.0f} out{hidden}"
        known = tokens if total["tokens_in"] >= 0 and total["tokens_out"] >= 0 else "tokens not reported"
        cost = "cost unknown" if total["cost_usd"] < 0 else f"${total['cost_usd']:.4f}"
        silent = max(total.get(f"unknown_{name}", 0) for name in ("tokens_in", "tokens_out", "cost_usd"))
        partial = "" if max(total["tokens_in"], total["cost_usd"]) < 0 else _unknown(silent)
        if n_lost := total.get("lost_requests", 0):
            partial += (
                f"; at most ${total['lost_usd']:.4f} more for {n_lost:,.0f} requests without a stored answer "
                "(failed, or under way at a kill)"
            )
        lines.append(f"row {number}: {total['calls']:,.0f} calls, {known}, {cost}{partial}")
    return ["", *lines, ""]


def _unknown(n: float) -> str:
    return f" (without {n:,.0f} answers that did not report it)" if n else ""


def cells(row: Row, noted: bool) -> list[str]:
    """Render the cells of one row as text."""
    reasons = reasons_in_words(row.no_answer)
    none = sum(row.no_answer.values())
    return [
        row.model,
        row.benchmark,
        row.task,
        row.strategy + row.aside,
        str(row.n_tasks),
        str(row.n_tasks * row.n_samples),
        str(row.right),
        str(row.wrong),
        f"{none} ({reasons})" if none else "0",
        _accuracy(row),
        _ends(row) + (" *" if noted else ""),
    ]


def _accuracy(row: Row) -> str:
    """Return the share of right answers among those given; with their number if some are missing."""
    if row.accuracy is None:
        return "none"
    return f"{100 * row.accuracy:.1f} %" + (f" of {row.n_counted:,}" if row.n_missing else "")


def _ends(row: Row) -> str:
    """Return the interval, and the bounds of the rate of all tasks if answers are missing."""
    if row.is_withheld:
        return f"withheld; within {bounds_in_words(row.bounds)}"
    beside = f"; all within {bounds_in_words(row.bounds)}" if row.n_missing else ""
    if row.is_unread:
        beside += "; see below"
    return interval_text(row.interval) + beside


_VERSION = re.compile(r"(.+?)(-latest|-\d{3,4}|-\d{6}|-\d{8}|-\d{4}-\d\d-\d\d|[@:].*)?")
"""Name of a model, and the version of it that a provider appends."""


def is_asked(model: str, served: str) -> bool:
    """Return whether a server that was asked for `model` answered by it, or by a dated version of it."""
    parts = model.lower().split("/")
    asked = {"/".join(parts[start:]) for start in range(len(parts))}
    name = served.lower().removeprefix("models/")
    return bool({_base(one) for one in asked} & {_base(name), _base(name.rpartition("/")[2])})


def _base(name: str) -> str:
    match = _VERSION.fullmatch(name)
    return match[1] if match else name


def served_in_words(row: Row) -> str:
    """Return a warning if another model than the one that was asked answered; "" if none did."""
    others = {
        name: n
        for name, n in row.served.items()
        if not all(is_asked(row.model, one) for one in name.split(", "))
    }
    if not others:
        return ""
    counts = ", ".join(f"{n:,} by {name}" for name, n in others.items())
    return (
        f"warning: {row.model} was asked, and its server names another model in {sum(others.values()):,} of "
        f"{row.n_counted:,} answers: {counts}; --json has the name in each row"
    )


def interval_text(bounds: list[float | None]) -> str:
    """Return "41.2 to 48.0", or "unknown"."""
    low, high = bounds
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return "unknown"
    return f"{100 * low:.1f} to {100 * high:.1f}"


class Outputs(Struct, frozen=True):
    """Destinations of results besides the log folder; "" = none."""

    json: str = ""
    dry_run: bool = False


def run_eval(
    plan: Plan,
    outputs: Outputs,
    *,
    build_tasks: Callable[..., Any],
) -> int:
    """Run the plan and print its results; return 1 if an answer is missing, else 0."""
    if outputs.dry_run:
        print(dry_run.prompts(plan, build_tasks=build_tasks), end="\n\n")
        print(dry_run.estimate(plan, build_tasks=build_tasks))
        return 0
    need_model(plan)
    plan = check(plan)
    check_target(outputs.json, "--json")
    need_inspect()
    # Imported here: loading Inspect takes a second or more, and a wrong name should be reported at once.
    from deskcheck.evaluation.run import run_plan

    results = run_plan(plan, build_tasks=_with_progress(build_tasks), screen=Progress(sys.stderr))
    print(table(results.rows, results.notes))
    print("\n".join(costs(results.totals)), end="")
    samples = (one for folder in results.folders for one in read_samples(Path(folder)))
    for line in standings(results.rows):
        print(f"\n{line}", end="")
    for line in levels_in_words(one.levels for one in samples):
        print(f"\n{line}", end="")
    print(f"\nlogs: {plan.log_dir}  (inspect view --log-dir {plan.log_dir})")
    if outputs.json:
        write_whole(Path(outputs.json), as_json(results.run, results.rows))
        print(f"results: {outputs.json}")
    if missing := closing(results.rows):
        print(missing)
    return int(bool(missing))


def _with_progress(build_tasks: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which now reports a containment level below full before the first program runs."""
    told: list[str] = []

    def build(*args: Any, **options: Any) -> Any:
        if not told:
            told.append(containment.describe())
            if containment.level() != "full":
                print(told[0], file=sys.stderr)
        return build_tasks(*args, **options)

    return build


REFERENCES: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("references.toml").read_text(encoding="utf-8")
)
"""Benchmark -> kind of question -> n (its tasks), source, models {name: percent}."""
FEWEST = 5


def standings(rows: Sequence[Row]) -> list[str]:
    """Return a line for each row that can be ranked, and the sources of the references."""
    lines, sources = [], []
    for row in rows:
        known = REFERENCES.get(row.benchmark, {}).get(row.task)
        if not known or len(known["models"]) < FEWEST or row.n_tasks != known["n"] or row.oracle:
            continue
        if row.accuracy is None or row.interval[0] is None or row.interval[1] is None or row.is_unread:
            continue
        lines.append(_standing(row, known["models"]))
        sources.append(f"reference results: {known['source']}; other prompts, so a place is no test")
    return lines + list(dict.fromkeys(sources))


def _standing(row: Row, models: dict[str, float]) -> str:
    better, low, high = (
        sum(share > 100 * end for share in models.values())
        for end in (row.accuracy or 0.0, row.interval[0] or 0.0, row.interval[1] or 0.0)
    )
    above = [name for name, share in models.items() if share > 100 * (row.accuracy or 0.0)]
    after = f", after {above[-1]} ({models[above[-1]]} %)" if above else ""
    return (
        f"{row.benchmark}: {row.model}, {row.strategy}: {100 * (row.accuracy or 0.0):.1f} % would be number "
        f"{better + 1} of {len(models) + 1}{after}; its interval spans places {high + 1} to {low + 1}"
    )
