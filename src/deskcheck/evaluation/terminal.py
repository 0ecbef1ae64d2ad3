"""Run `deskcheck eval` at the terminal: progress during the run, then the table, costs, ranks and files.

    run_eval(plan, build_tasks=.., json="", dry_run=False) -> exit code

A terminal shows a moving bar, a pipe at most one line per minute, and both show the same table at the end.
Progress and messages go to stderr. `build_tasks` is the function that makes the tasks; `cli/` passes it in.

    standings(rows) -> ["livecodebench-exec: m, cot: 61.0 % would be number 3 of 44 ..", ..]

The accuracies of other models (references.toml) give a row its rank. A row is ranked only if it asked every
task, its answers were read, it has an interval, and it may be compared with plain rows: it is no oracle and
has no marks. A benchmark needs at least FEWEST reference results. The references used other prompts and other
sampling, so a rank is an orientation, not a significance test.
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

from deskcheck.cell_files import Row, check_target, read_samples, write_whole
from deskcheck.evaluation import dry_run as estimates
from deskcheck.evaluation.plan import Plan, check, need_inspect, need_model, stronger
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
        """Start a cell; an earlier run answered `n_earlier` of its samples.

        Cells may run in parallel: the counts are reset when the first of them begins.
        """
        if not self.n_open:
            self.total, self.done, self.right, self.none = 0, 0, 0, 0
            self._began = time.monotonic()
            self._last_line = (0, self._began)
        self.n_open += 1
        self.total += total
        again = f"; {n_earlier} were answered before and are not asked again" if n_earlier else ""
        self.say(f"{name}: {total} samples{again}")

    def sample(self, score: Score) -> None:
        """Count one more scored answer and redraw."""
        self.done += 1
        self.right += score.verdict == "right"
        self.none += score.verdict == "no answer"
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
    remarks = []
    approximate = sorted({note for note in notes if note and note != WITHHELD})
    if approximate:
        remarks.append(f"* {', '.join(approximate)}: the interval is approximate")
    if any(row.oracle for row in rows):
        remarks.append("(oracle) something in the loop saw the truth: not to be compared with the other rows")
    for mark in dict.fromkeys(mark for row in rows for mark in row.marks):
        remarks.append(f"({mark}) not to be compared with plain rows")
    remarks += [line for row in rows for line in (served_in_words(row), unread_in_words(row)) if line]
    n_truncated = sum(row.no_answer["truncated"] for row in rows)
    if n_truncated:
        answers = "1 answer" if n_truncated == 1 else f"{n_truncated:,} answers"
        remarks.append(f"{answers} without a value at the end of the token budget; --max-tokens raises it")
    return "\n".join([text, *remarks])


def cost_lines(totals: list[dict[str, float]]) -> list[str]:
    """Return a line for each row: its calls, tokens and dollars, and how many answers reported none."""
    lines = []
    for number, total in enumerate(totals, 1):
        hidden = f", {total['tokens_hidden']:,.0f} of them hidden" if total["tokens_hidden"] > 0 else ""
        tokens = f"{total['tokens_in']:,.0f} tokens in, {total['tokens_out']:,.0f} out{hidden}"
        known = tokens if total["tokens_in"] >= 0 and total["tokens_out"] >= 0 else "tokens not reported"
        cost = "cost unknown" if total["cost_usd"] < 0 else f"${total['cost_usd']:.4f}"
        silent = max(total.get(f"unknown_{name}", 0) for name in ("tokens_in", "tokens_out", "cost_usd"))
        is_all_unknown = max(total["tokens_in"], total["cost_usd"]) < 0
        partial = "" if is_all_unknown else _unreported(silent)
        if n_lost := total.get("lost_requests", 0):
            partial += (
                f"; at most ${total['lost_usd']:.4f} more for {n_lost:,.0f} requests without a stored answer "
                "(failed, or under way at a kill)"
            )
        lines.append(f"row {number}: {total['calls']:,.0f} calls, {known}, {cost}{partial}")
    return lines


def _unreported(n: float) -> str:
    return f" (without {n:,.0f} answers that did not report it)" if n else ""


def cells(row: Row, noted: bool) -> list[str]:
    """Render the cells of one row as text; `noted`: the interval is marked with a *."""
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
        _interval_cell(row) + (" *" if noted else ""),
    ]


def _accuracy(row: Row) -> str:
    """Return the share of right answers among the answers that came back, with their number if some did not.

    A reply that is unreadable or a refusal came back, so it counts.
    """
    if row.accuracy is None:
        return "none"
    return f"{100 * row.accuracy:.1f} %" + (f" of {row.n_counted:,}" if row.n_missing else "")


def _interval_cell(row: Row) -> str:
    """Return the interval, and the bounds of the rate of all tasks if answers are missing."""
    if row.is_withheld:
        return f"withheld; within {bounds_in_words(row.bounds)}"
    beside = f"; all within {bounds_in_words(row.bounds)}" if row.n_missing else ""
    if row.is_unread:
        beside += "; see below"
    return interval_text(row.interval) + beside


_VERSION = re.compile(r"(.+?)(-latest|-\d{3,4}|-\d{6}|-\d{8}|-\d{4}-\d\d-\d\d|[@:].*)?")
"""Name of a model, and the version of it that a provider appends: a date, a number, or a tag."""


def is_same_model(asked: str, served: str) -> bool:
    """Return whether the server's name is that of the asked model, or of a version of it.

    If both names have a version, the versions must be equal.
    """
    parts = asked.lower().split("/")
    names = {_versioned("/".join(parts[start:])) for start in range(len(parts))}
    name = served.lower().removeprefix("models/")
    others = {_versioned(name), _versioned(name.rpartition("/")[2])}
    return any(
        base == other and (not version or not answered or version == answered)
        for base, version in names
        for other, answered in others
    )


def _versioned(name: str) -> tuple[str, str]:
    """Return a name without its version, and the version without separators; "" for none or the latest."""
    match = _VERSION.fullmatch(name)
    base, version = (match[1], match[2] or "") if match else (name, "")
    version = re.sub(r"[-@:]", "", version)
    return base, "" if version == "latest" else version


def served_in_words(row: Row) -> str:
    """Return a warning if another model than the one that was asked answered; "" if none did."""
    others = {
        name: n
        for name, n in row.served.items()
        if not all(is_same_model(row.model, answered) for answered in name.split(", "))
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


def levels_of(folder: str) -> list[dict[str, str]]:
    """Return the verdicts by extraction level of one row's replies; [] if its answers come from states.

    Of such a row only the replies without a readable state have levels, and these say nothing about the row.
    """
    read: list[dict[str, str]] = []
    by_states = False
    for sample in read_samples(Path(folder)):
        by_states |= bool(sample.chain)
        read.append(sample.levels)
    return [] if by_states else read


def run_eval(plan: Plan, *, build_tasks: Callable[..., Any], json: str = "", dry_run: bool = False) -> int:
    """Run the plan and print its results; return 1 if an answer is missing, else 0.

    `json` names a file of results besides the log folder. `dry_run` prints prompts and estimate alone.
    """
    if dry_run:
        print(estimates.prompts(plan, build_tasks=build_tasks), end="\n\n")
        print(estimates.estimate(plan, build_tasks=build_tasks))
        return 0
    need_model(plan)
    asked, plan = plan, check(plan)
    check_target(json, "--json")
    need_inspect()
    # Imported here: loading Inspect takes a second or more, and a wrong name should be reported at once.
    from deskcheck.evaluation.run import run_plan

    if advice := stronger(asked, plan):
        print(advice, file=sys.stderr)
    results = run_plan(plan, build_tasks=_with_progress(build_tasks), screen=Progress(sys.stderr))
    print(table(results.rows, results.notes))
    levels = levels_in_words(verdicts for folder in results.folders for verdicts in levels_of(folder))
    print("\n".join(["", *cost_lines(results.totals), "", *standings(results.rows), *levels]))
    print(f"logs: {plan.log_dir}  (inspect view --log-dir {plan.log_dir})")
    if json:
        write_whole(Path(json), as_json(results.run, results.rows))
        print(f"results: {json}")
    if missing := closing(results.rows):
        print(missing)
    return int(bool(missing))


def _with_progress(build_tasks: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which now reports a containment level below full before the first program runs."""
    is_reported = False

    def build(*args: Any, **options: Any) -> Any:
        nonlocal is_reported
        if not is_reported:
            is_reported = True
            description = containment.describe()
            if containment.find().level != "full":
                print(description, file=sys.stderr)
        return build_tasks(*args, **options)

    return build


REFERENCES: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("references.toml").read_text(encoding="utf-8")
)
"""Benchmark -> kind of question -> n (its tasks), source, models {name: percent}."""
FEWEST = 5
"""Smallest number of reference results with which a row is ranked."""


def standings(rows: Sequence[Row]) -> list[str]:
    """Return a line for each row that can be ranked, and the sources of the references."""
    lines, sources = [], []
    for row in rows:
        known = REFERENCES.get(row.benchmark, {}).get(row.task)
        if not known or len(known["models"]) < FEWEST or row.n_tasks != known["n"]:
            continue
        if row.oracle or row.marks or row.is_unread:
            continue
        if row.accuracy is None or row.interval[0] is None or row.interval[1] is None:
            continue
        lines.append(_standing(row, known["models"]))
        sources.append(
            f"reference results: {known['source']}; they used other prompts, so the rank is an orientation, "
            "not a significance test"
        )
    return lines + list(dict.fromkeys(sources))


def _standing(row: Row, models: dict[str, float]) -> str:
    better, low, high = (
        sum(share > 100 * end for share in models.values())
        for end in (row.accuracy or 0.0, row.interval[0] or 0.0, row.interval[1] or 0.0)
    )
    above = {name: share for name, share in models.items() if share > 100 * (row.accuracy or 0.0)}
    next_above = min(above, key=above.__getitem__, default="")
    after = f", after {next_above} ({above[next_above]} %)" if above else ""
    return (
        f"{row.benchmark}: {row.model}, {row.strategy}: {100 * (row.accuracy or 0.0):.1f} % would be number "
        f"{better + 1} of {len(models) + 1}{after}; its interval spans places {high + 1} to {low + 1}"
    )
