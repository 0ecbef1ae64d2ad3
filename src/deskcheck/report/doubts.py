"""Give reasons to distrust the numbers of a report, the worst first.

    doubts(runs) -> ["56 of 180 answers of core, line-1 hold no answer (..)", ..]

A row is the result of one run. Each kind of doubt gives one sentence, about the row where it is worst, with
the number of other rows that have it. A run with answers always gives a doubt: at least the width of its
interval.
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.benchmarks import known_by_heart
from deskcheck.report import words
from deskcheck.report.read import Run
from deskcheck.statistics.summary import ENOUGH_CLUSTERS, bounds_in_words, reasons_in_words

UNREAD = 0.1
"""Share of replies without an answer from which on they are a doubt."""

Doubt = tuple[float, str, str]
"""(weight, kind, sentence); the doubt with the greatest weight comes first."""


def doubts(runs: list[Run]) -> list[str]:
    """Return the sentences, the most serious doubt first; [] without a run."""
    found: dict[str, list[Doubt]] = {}
    for run in runs:
        for doubt in _of_run(run, runs):
            found.setdefault(doubt[1], []).append(doubt)
    heaviest = [(max(kind), len(kind)) for kind in found.values()]
    return [_doubt_text(doubt, n) for doubt, n in sorted(heaviest, key=lambda one: -one[0][0])]


def _doubt_text(doubt: Doubt, n: int) -> str:
    more = f" The same holds for {n - 1} more row{'s' if n > 2 else ''}." if n > 1 else ""
    return doubt[2] + more


def _of_run(run: Run, runs: list[Run]) -> Iterator[Doubt]:
    row, name = run.row, f"{words.subject(run)}, {words.label(run, runs)}"
    n = row.n_counted
    if row.is_withheld:
        share = row.n_missing / row.n_answers
        ends = bounds_in_words(row.bounds)
        yield (
            200 + share,
            "missing",
            f"{name}: {row.n_missing:,} of {row.n_answers:,} answers are missing, "
            f"so the accuracy lies anywhere within {ends}.",
        )
        return
    if not n:
        yield 300.0, "empty", f"{name}: no task was asked, so there is nothing to report."
        return
    if row.oracle:
        yield 90.0, "oracle", f"{name} saw the truth: a bound, no fair result."
    for mark in row.marks:
        yield 80.0, mark, f"{name} is no plain row: {mark}."
    unread = sum(row.no_answer.values()) - row.n_missing
    if unread >= UNREAD * n:
        reasons = reasons_in_words(
            {k: v for k, v in row.no_answer.items() if k not in ("not_asked", "error")}
        )
        yield (
            70 + unread / n,
            "unread",
            f"{name}: {unread:,} of {n:,} replies hold no answer ({reasons}) and count as not right; "
            f"of those that do, {words.percent(row.right / max(1, n - unread))} are right.",
        )
    programs = len({one.cluster for one in run.samples})
    if programs < ENOUGH_CLUSTERS:
        yield (
            60 - programs / 100,
            "few",
            f"{name}: {programs} program{'' if programs == 1 else 's'} only, so the interval is rough"
            f"{'' if row.interval[0] is not None else ' or missing'}.",
        )
    if row.right in (0, n) and n >= 5:
        what = "right" if row.right else "wrong"
        yield (
            65.0,
            "edge",
            f"{name}: every answer is {what}, so these tasks cannot show where the limit lies.",
        )
    known = sorted({one.tags.get("family", "") for one in run.samples} & set(known_by_heart(row.benchmark)))
    if known:
        yield 40.0, "known", f"{name}: models know the outputs of {', '.join(known)} by heart."
    low, high = row.interval
    if low is not None and high is not None:
        points = 50 * (high - low)
        yield (
            points / 100,
            "width",
            f"{name}: {words.percent(row.accuracy)} give or take {points:.0f} points.",
        )
