"""Write the output of `deskcheck grade`: graded runs as text and as JSON.

    as_text(graded, task_set) -> str        one run, as text; long lists are cut, with their full length
    as_lines(runs) -> [str, ..]             several runs, a line each
    as_results(runs, run) -> bytes          {"run", "rows", "runs", "answers" | "answers_file"}

The JSON holds all facts, with one verdict per answer. If the rows are in a Parquet file, it names that file.
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from deskcheck import __version__
from deskcheck.cell_files import Row, write_whole
from deskcheck.evaluation.grade import Graded
from deskcheck.evaluation.grade_runs import GradedRun
from deskcheck.evaluation.grade_unread import lines_of
from deskcheck.evaluation.sample_records import row_of
from deskcheck.evaluation.truth import TaskSet
from deskcheck.format.files import sha256_of
from deskcheck.records import MISSING
from deskcheck.result_rows import VERSION
from deskcheck.sandbox import containment
from deskcheck.statistics.summary import WITHHELD, bounds_in_words, exit_of, levels_in_words, reasons_in_words

UNREAD_EXIT: dict[str, int | str] = {"code": 1, "name": "not read"}
"""Exit of the command if too many replies of a run could not be read (`Unread.failed`)."""
_SHOWN = 20  # entries of a list that are printed


def as_text(graded: Graded, task_set: TaskSet, *, sandbox: str = "unknown") -> str:
    """Return a short report: what was graded, the basis of its truth, counts and lists.

    If too many replies could not be read, it begins with lines that say so.
    """
    found = graded.summary
    reasons = reasons_in_words(found.no_answer) or "none"
    n_run = len(task_set.tasks) - len(task_set.recorded)
    lines = [
        *(lines_of(graded.unread) if graded.unread.failed else []),
        f"{task_set.benchmark}, task {task_set.kind}: {found.n_tasks} tasks x {found.n_samples} samples, "
        f"policy {graded.policy}",
        f"truth: {n_run} programs executed at containment level {sandbox}; {task_set.note}",
        f"right {found.right}, wrong {found.wrong}, no answer {sum(found.no_answer.values())} ({reasons})",
        *(f"pass@{k} {100 * value:.4f}" for k, value in found.pass_at.items() if not graded.unread.failed),
        *(["pass@k: withheld"] if found.interval.note == WITHHELD or graded.unread.failed else []),
        _interval_line(graded),
        f"answers read at extraction level {graded.extraction}",
        *levels_in_words(graded.levels.values()),
        *_marks_lines(graded),
        *([] if graded.unread.failed else lines_of(graded.unread)),
    ]
    lines += graded.more
    if graded.missing:
        lines.append(f"tasks without a generation, in no rate: {_some(graded.missing)}")
    if graded.n_left_out:
        lines.append(f"answers to rows of the benchmark that are no tasks, left out: {graded.n_left_out}")
    if task_set.dropped:
        counts = ", ".join(f"{reason} {n}" for reason, n in task_set.dropped_by_reason.items())
        lines.append(f"tasks without a truth, left out: {len(task_set.dropped)} ({counts})")
    if task_set.skipped:
        reasons = ", ".join(f"{reason} {n}" for reason, n in task_set.skipped_by_reason.items())
        lines.append(f"cases of the file that are no tasks: {len(task_set.skipped)} ({reasons})")
    if task_set.recorded:
        lines.append(f"answers taken from the file because nothing here runs them: {len(task_set.recorded)}")
    lines += _disagreement_lines(task_set)
    if graded.n_stored:
        lines += _difference_lines(graded)
    return "\n".join(lines)


def as_lines(runs: list[GradedRun]) -> list[str]:
    """Return a line for each run: name, right of the answers that came, accuracy, interval, no answer.

    Before them stands a title, after them remarks on how replies were read.
    """
    width = max(len(run.name) for run in runs)
    lines = [f"{len(runs)} runs; accuracy in percent, 95 % interval clustered by program"]
    for run in runs:
        if run.graded is None:
            n_verdicts = sum(len(verdicts) for verdicts in run.saved.stored.values())
            lines.append(f"{run.name:{width}}  {n_verdicts} verdicts of the source, no answers to read")
            continue
        summary, stored = run.graded.summary, ""
        low, high = summary.interval.low, summary.interval.high
        bounds = "[no interval]" if math.isnan(low) else f"[{100 * low:.1f}, {100 * high:.1f}]"
        if summary.interval.note == WITHHELD:
            bounds = f"[withheld; all within {bounds_in_words(summary.bounds)}]"
        if run.graded.unread.failed:
            bounds = f"[not read; all within {bounds_in_words(unread_bounds(run.graded))}]"
        if run.graded.n_stored:
            stored = f", differs from {len(run.graded.differences)} of {run.graded.n_stored} stored"
        n_answers = summary.n_tasks * summary.n_samples
        n_missing = sum(summary.no_answer[reason] for reason in MISSING)
        share = "none" if n_missing == n_answers else f"{100 * summary.accuracy:.1f}"
        reasons = f" ({missing})" if (missing := reasons_in_words(summary.no_answer)) else ""
        if run.task_set.tasks[0].grading == "witness":
            bounds = f"[all within {bounds_in_words(summary.bounds)}]"
            lines.append(
                f"{run.name:{width}}  {summary.right} of {n_answers} equal the recorded answer; "
                f"{summary.no_answer['not_asked']} others could only be run elsewhere {bounds}{stored}"
                f"{_left_out(run)}"
            )
            continue
        lines.append(
            f"{run.name:{width}}  {summary.right} of {n_answers - n_missing}, {share} {bounds}, "
            f"no answer {sum(summary.no_answer.values())}{reasons}{stored}{_left_out(run)}"
        )
    read = (verdicts for run in runs if run.graded is not None for verdicts in run.graded.levels.values())
    lines += levels_in_words(read)
    for run in runs:
        if run.graded is not None:
            lines += [*run.graded.more, *_marks_lines(run.graded), *lines_of(run.graded.unread, run.name)]
    return lines


def _left_out(run: GradedRun) -> str:
    parts = []
    if run.graded is not None and run.graded.n_left_out:
        parts.append(f"{run.graded.n_left_out} answers to rows without a task")
    if run.saved.dropped:
        parts.append(f"{len(run.saved.dropped)} odd rows dropped")
    return f"; {', '.join(parts)}" if parts else ""


def dropped_lines(runs: list[GradedRun]) -> list[str]:
    """Return the odd rows of the files, with place and reason."""
    odd = [(one.saved.path, row) for one in runs for row in one.saved.dropped]
    if not odd:
        return []
    lines = [f"odd rows, dropped: {len(odd)}"]
    return (
        lines + [f"  {path}, {row.where}: {row.reason}"[:200] for path, row in odd[:_SHOWN]] + _rest(len(odd))
    )


def any_unread(runs: list[GradedRun]) -> bool:
    """Return whether so many replies of a run are unread that it has no accuracy."""
    return any(one.graded is not None and one.graded.unread.failed for one in runs)


def as_results(runs: list[GradedRun], run: dict[str, Any], *, answers_file: str = "") -> bytes:
    """Return the JSON file: the row of every run, the details of its grading, and one verdict per answer."""
    graded = [one for one in runs if one.graded is not None]
    rows = [row_of_run(one) for one in graded]
    results: dict[str, Any] = {
        "exit": UNREAD_EXIT if any_unread(runs) else exit_of([row for row, _ in rows]),
        "run": run,
        "rows": [row for row, _ in rows],
        "runs": [_details(one, note) for one, (_, note) in zip(graded, rows, strict=True)],
    }
    if answers_file:
        results["answers_file"] = answers_file
    else:
        results["answers"] = [row for one in runs for row in one.rows]
    return msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n"


def row_of_run(run: GradedRun) -> tuple[Row, str]:
    """Return the row of a run in the results, and a note on its interval."""
    assert run.graded is not None
    names = (run.saved.model, run.task_set.benchmark, run.saved.strategy)
    row, note = row_of(
        names, run.task_set.tasks, run.graded.scores, n_samples=run.graded.summary.n_samples, oracle=False
    )
    if not run.graded.unread.failed:
        return row, note
    unread = run.graded.unread
    marks = [*row.marks, f"{unread.n} of {unread.n_replies} replies not read"]
    bounds = [round(bound, 6) for bound in unread_bounds(run.graded)]
    return structs.replace(row, interval=[None, None], marks=marks, bounds=bounds), "not read"


def unread_bounds(graded: Graded) -> tuple[float, float]:
    """Return the share right of all answers if every unread or missing one were wrong, and if right."""
    low, high = graded.summary.bounds
    n_all = graded.summary.n_tasks * graded.summary.n_samples
    return low, high + graded.unread.n / n_all if n_all else 1.0


def _marks_lines(graded: Graded) -> list[str]:
    found = graded.marks
    if found is None:
        return []
    return [
        f"marks found around the answers of {found.n_read} of {found.n_replies} unread replies, and read at "
        f"generous: '{found.opening}' and '{found.closing or 'the end'}'; {found.option} reads them at every "
        "level"
    ]


def _details(run: GradedRun, note: str) -> dict[str, Any]:
    graded = run.graded
    assert graded is not None
    return {
        "name": run.name,
        "path": run.saved.path,
        "importer": run.saved.layout,
        "policy": graded.policy,
        "extraction": graded.extraction,
        "note": note,
        "pass_at": {str(k): value for k, value in graded.summary.pass_at.items()},
        "disagreements": run.task_set.disagreements,
        "dropped": run.task_set.dropped,
        "odd_rows": run.saved.dropped,
        "left_out": graded.n_left_out,
        "missing": graded.missing,
        "differences": graded.differences,
        "n_stored": graded.n_stored,
        "unread": graded.unread,
        "found_marks": graded.marks,
    }


def write_json(runs: list[GradedRun], path: str, *, data: str, answers_file: str = "") -> None:
    """Write `as_results` with the facts that it depended on; the file is written completely or not at all."""
    places = [Path(one.saved.path) for one in runs]
    run = {
        "command": "grade",
        "version": __version__,
        "schema": VERSION,
        "generations_sha256": {str(place): sha256_of(place) for place in places if place.is_file()},
        "data_sha256": sha256_of(Path(data)) if data and Path(data).is_file() else "",
        "programs": runs[0].task_set.note,
        "sandbox": containment.find().level,
    }
    write_whole(Path(path), as_results(runs, run, answers_file=answers_file))


def _interval_line(graded: Graded) -> str:
    interval = graded.summary.interval
    if graded.unread.failed and interval.note != WITHHELD:
        return (
            f"95 % interval: none, because {graded.unread.n:,} replies were not read; over all tasks within "
            f"{bounds_in_words(unread_bounds(graded))}"
        )
    if interval.note == WITHHELD:
        return f"95 % interval: withheld; over all tasks within {bounds_in_words(graded.summary.bounds)}"
    note = f"; {interval.note}" if interval.note else ""
    if math.isnan(interval.low):
        return f"95 % interval: none ({interval.n_clusters} programs{note})"
    return (
        f"95 % interval of the accuracy {100 * interval.low:.2f} to {100 * interval.high:.2f} "
        f"({interval.method} over {interval.n_clusters} programs{note})"
    )


def _disagreement_lines(task_set: TaskSet) -> list[str]:
    found = task_set.disagreements
    if task_set.recorded and len(task_set.recorded) >= len(task_set.tasks):
        return []  # nothing was executed, so nothing could contradict
    lines = [f"recorded answers that the program contradicts: {len(found)}"]
    lines += [
        f"  {one.id}: recorded {one.recorded[:80]}, executed {one.executed[:80]} ({one.reason})"
        for one in found[:_SHOWN]
    ]
    return lines + _rest(len(found))


def _difference_lines(graded: Graded) -> list[str]:
    found = graded.differences
    kinds = ", ".join(f"{why} {n}" for why, n in Counter(row.why for row in found).most_common())
    lines = [
        f"stored verdicts: {graded.n_stored}; differences {len(found)}" + (f" ({kinds})" if kinds else "")
    ]
    for row in found[:_SHOWN]:
        theirs = "right" if row.stored else "not right"
        lines.append(
            f"  {row.task_id}[{row.sample}] {row.text[:60]!r}: here {row.verdict}, stored {theirs}: {row.why}"
        )
    return lines + _rest(len(found))


def _rest(n: int) -> list[str]:
    return [f"  .. and {n - _SHOWN} more (--json FILE holds all)"] if n > _SHOWN else []


def _some(names: list[str]) -> str:
    return f"{len(names)} ({', '.join(names[:5])}{', ..' if len(names) > 5 else ''})"
