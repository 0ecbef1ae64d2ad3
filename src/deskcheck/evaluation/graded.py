"""What `deskcheck grade` shows and writes: the result of grading saved generations as text and as JSON.

    as_text(graded, task_set) -> str                 for people
    as_results(graded, task_set, run, model=..) -> bytes   {"run", "rows", "pass_at", "disagreements", ..}

Lists are cut for people (the number of all is said); the JSON holds everything.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import msgspec

from deskcheck import __version__
from deskcheck.benchmarks._rows import sha256_of
from deskcheck.evaluation.grade import Graded
from deskcheck.evaluation.rows import row_of
from deskcheck.evaluation.truth import TaskSet
from deskcheck.results import write_whole
from deskcheck.sandbox import level

_SHOWN = 20  # entries of a list that people get to see


def as_text(graded: Graded, task_set: TaskSet, *, sandbox: str = "unknown") -> str:
    """A short report; the first line says what was graded, the second what the truth rests on."""
    found = graded.summary
    reasons = ", ".join(f"{reason} {n}" for reason, n in found.no_answer.items() if n) or "none"
    lines = [
        f"{task_set.benchmark}, task {task_set.kind}: {found.n_tasks} tasks x {found.n_samples} samples, "
        f"policy {graded.policy}",
        f"truth: {len(task_set.tasks)} programs executed at sandbox level {sandbox}; {task_set.note}",
        f"right {found.right}, wrong {found.wrong}, no answer {sum(found.no_answer.values())} ({reasons})",
        *(f"pass@{k} {100 * value:.4f}" for k, value in found.pass_at.items()),
        _interval_line(graded),
    ]
    if graded.missing:
        lines.append(f"tasks without a generation, counted as no answer: {_some(graded.missing)}")
    if task_set.dropped:
        counts = ", ".join(f"{reason} {n}" for reason, n in task_set.dropped_by_reason.items())
        lines.append(f"items without a truth, left out: {len(task_set.dropped)} ({counts})")
    if task_set.skipped:
        skipped = Counter(one.reason for one in task_set.skipped).most_common()
        reasons = ", ".join(f"{reason} {n}" for reason, n in skipped)
        lines.append(f"cases of the file that are no items: {len(task_set.skipped)} ({reasons})")
    if task_set.recorded:
        lines.append(f"answers taken from the file because nothing here runs them: {len(task_set.recorded)}")
    lines += _disagreement_lines(task_set)
    if graded.n_stored:
        lines += _difference_lines(graded)
    return "\n".join(lines)


def as_results(graded: Graded, task_set: TaskSet, run: dict[str, str], *, model: str) -> bytes:
    """The JSON file: the row that every run has, and what only grading knows."""
    row, note = row_of(
        (model, task_set.benchmark, "saved"),
        task_set.tasks,
        graded.scores,
        n_samples=graded.summary.n_samples,
        oracle=False,
    )
    results = {
        "run": run,
        "rows": [row],
        "note": note,
        "pass_at": {str(k): value for k, value in graded.summary.pass_at.items()},
        "disagreements": task_set.disagreements,
        "dropped": task_set.dropped,
        "missing": graded.missing,
        "differences": graded.differences,
        "n_stored": graded.n_stored,
    }
    return msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n"


def write_results(graded: Graded, task_set: TaskSet, path: str, *, generations: str, data: str) -> None:
    """Write `as_results` with what it depended on; the file is there completely or not at all."""
    run = {
        "command": "grade",
        "version": __version__,
        "policy": graded.policy,
        "generations_sha256": sha256_of(Path(generations)),
        "data_sha256": sha256_of(Path(data)) if data else "",
        "programs": task_set.note,
        "sandbox": level(),
    }
    content = as_results(graded, task_set, run, model=Path(generations).stem)
    write_whole(Path(path), content)


def _interval_line(graded: Graded) -> str:
    interval = graded.summary.interval
    note = f"; {interval.note}" if interval.note else ""
    if math.isnan(interval.low):
        return f"95 % interval: none ({interval.n_clusters} programs{note})"
    return (
        f"95 % interval of the accuracy {100 * interval.low:.2f} to {100 * interval.high:.2f} "
        f"({interval.method} over {interval.n_clusters} programs{note})"
    )


def _disagreement_lines(task_set: TaskSet) -> list[str]:
    found = task_set.disagreements
    lines = [f"recorded answers that the program contradicts: {len(found)}"]
    lines += [
        f"  {one.id}: recorded {one.recorded[:80]}, executed {one.executed[:80]} ({one.reason})"
        for one in found[:_SHOWN]
    ]
    return lines + _rest(len(found))


def _difference_lines(graded: Graded) -> list[str]:
    found = graded.differences
    kinds = ", ".join(f"{why} {n}" for why, n in Counter(one.why for one in found).most_common())
    lines = [
        f"stored verdicts: {graded.n_stored}; differences {len(found)}" + (f" ({kinds})" if kinds else "")
    ]
    for one in found[:_SHOWN]:
        theirs = "right" if one.stored else "not right"
        lines.append(
            f"  {one.task_id}[{one.sample}] {one.text[:60]!r}: here {one.verdict}, stored {theirs}: {one.why}"
        )
    return lines + _rest(len(found))


def _rest(n: int) -> list[str]:
    return [f"  .. and {n - _SHOWN} more (--json FILE holds all)"] if n > _SHOWN else []


def _some(names: list[str]) -> str:
    return f"{len(names)} ({', '.join(names[:5])}{', ..' if len(names) > 5 else ''})"
