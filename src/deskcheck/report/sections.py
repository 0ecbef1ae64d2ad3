"""Render the section of a report on one benchmark: pictures first, then folded tables.

section("easy", 0, runs) -> {"chart": .., "tables": [..], "horizons": [..], ..}      for page.html
"""

from __future__ import annotations

import math
from typing import Any

from markupsafe import Markup

from deskcheck.errors import UserError
from deskcheck.grading.difference import CLASSES
from deskcheck.records import MISSING
from deskcheck.report import breakdown, charts, horizons, numbers, steps, study, tables_of, words
from deskcheck.report.beside import plain
from deskcheck.report.charts import cost_chart
from deskcheck.report.read import Run
from deskcheck.report.shortcuts import Consistency
from deskcheck.statistics.paired import holm
from deskcheck.statistics.summary import reasons_in_words

family_tag = numbers.family_tag


def labels_of(members: list[Run], runs: list[Run]) -> list[str]:
    """Return the shortest names that distinguish `members`, the runs of one benchmark.

    A single member is distinguished from all `runs` of the report.
    """
    return [words.label(run, members) if len(members) > 1 else words.label(run, runs) for run in members]


def section(benchmark: str, number: int, runs: list[Run]) -> dict[str, Any]:
    """Render the section of one benchmark as values for page.html.

    `benchmark` is a name as `words.subject` writes it; `number` is the section's place in the page, from 0.
    """
    own = [run for run in runs if words.subject(run) == benchmark]
    labels = labels_of(own, runs)
    answered = [breakdown.of_run(run) for run in own]
    kept = [
        (label, run, tasks)
        for label, run, tasks in zip(labels, own, answered, strict=True)
        if not run.row.is_withheld
    ]
    measured = {run.folder: horizons.of_run(run, own) for _, run, _ in kept}
    drawn = [
        charts.Curve(plain(label), tasks, found[0].half if (found := measured.get(run.folder)) else None)
        for label, run, tasks in zip(labels, own, answered, strict=True)
    ]
    tables, gone = _tables(labels, own, answered)
    picture = charts.horizon_chart(drawn)
    return {
        "name": benchmark,
        "number": number,
        "labels": labels,
        "marks": [Markup(charts.legend_mark(place)) for place in range(len(own))],  # numbers only
        "chart": Markup(picture),  # labels are escaped there
        "no_chart": "" if picture else _one_length(answered),
        "n_uncharted": max(0, len(own) - charts.MOST),
        "tables": tables,
        "left_out": gone,
        "withheld": [withheld(label, run) for label, run in zip(labels, own, strict=True) if run.missing],
        "horizons": [
            row for label, run, _ in kept for row in tables_of.horizons(label, measured[run.folder])
        ],
        "effects": [line for label, _, tasks in kept for line in effects(label, tasks)],
        "chains": [one for label, run, _ in kept if (one := chains(label, run))],
        "judged": [one for label, run, _ in kept if (one := tables_of.every_step(label, run))],
        # `cost_chart` escapes its labels.
        "tokens": Markup(cost_chart(study.costs(own), "tokens")) if len(own) > 1 else "",
        "unmatched": study.unmatched(own),
        "spent": [tables_of.cost(*pair) for pair in zip(labels, own, strict=True)],
        # Only for outputs: other questions can have several right answers.
        "classes": classes(answered) if all(run.row.task == "output" for run in own) else [],
    }


def _one_length(answered: list[list[breakdown.Answered]]) -> str:
    """Explain why there is no curve."""
    lengths = sorted({task.steps for tasks in answered for task in tasks})
    if not lengths:
        return "No task was asked, so there is no curve."
    return f"All tasks take {lengths[0]:,} executed steps, so there is no curve over lengths."


def _tables(
    labels: list[str], runs: list[Run], answered: list[list[breakdown.Answered]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return tables of shares by every property with more than one group, and reasons for those left out."""
    tables = [tables_of.groups("executed steps", labels, [numbers.by_steps(run) for run in runs])]
    tables += [
        tables_of.groups(name, labels, [breakdown.shares(tasks, name) for tasks in answered])
        for name in breakdown.PROPERTIES
        if name != "executed steps"
    ]
    by_tag = [breakdown.tag_tables(tasks) for tasks in answered]
    tags = dict.fromkeys(name for one in by_tag for name in one)
    tables += [tables_of.groups(name, labels, [one.get(name, []) for one in by_tag]) for name in tags]
    tables.append(tables_of.constructs(labels, [breakdown.by_construct(tasks) for tasks in answered]))
    gone = [f"by {one['name']}: one group alone" for one in tables if len(one["rows"]) == 1]
    gone += dict.fromkeys(line for tasks in answered for line in breakdown.left_out(tasks))
    return [one for one in tables if len(one["rows"]) > 1], gone


def withheld(label: str, run: Run) -> str:
    """Say how many answers of a run are missing, and which figures of the section lack them."""
    row = run.row
    gone = {name: row.no_answer.get(name, 0) for name in sorted(MISSING)}
    said = f"{label}: {row.n_missing} of {row.n_answers} answers are missing ({reasons_in_words(gone)})"
    if not row.is_withheld:
        return f"{said} and in no share, horizon or effect."
    return f"{said}: its horizons, effects and steps are withheld; shares are of the answers that came."


def effects(label: str, tasks: list[breakdown.Answered]) -> list[dict[str, str]]:
    """Render the effects of program properties on a run's answers, from a regression (`breakdown.effects`).

    [] if the data allow no regression.
    """
    try:
        found = breakdown.effects(tasks)
    except UserError:
        return []
    adjusted = holm([one.p for one in found])
    return [
        {
            "label": label,
            "name": one.name,
            "spread": f"{one.spread:.2f}",
            "odds": f"{one.odds:.2f}, {one.low:.2f} to {one.high:.2f}",
            "p": words.p_value(p),
        }
        for one, p in zip(found, adjusted, strict=True)
    ]


def consistent(consistency: Consistency) -> dict[str, str]:
    """Render REval's consistency of one model."""
    low, high = consistency.interval.low, consistency.interval.high
    known = not math.isnan(low)
    return {
        "model": consistency.model,
        "strategy": consistency.strategy,
        "benchmark": consistency.benchmark,
        "score": f"{100 * consistency.interval.mean:.1f}",
        "interval": f"{100 * low:.1f} to {100 * high:.1f}" if known else "too few programs",
        "n": f"{consistency.n_items:,} items, {consistency.n_left_out:,} not asked in all four kinds",
    }


def chains(label: str, run: Run) -> dict[str, Any] | None:
    """Render the step counts of one run; None if its strategy has no chain of states."""
    found = steps.of_run(run)
    if found is None:
        return None
    known = not math.isnan(found.low)
    bounds = f"{100 * found.low:.2f} to {100 * found.high:.2f} %" if known else "too few programs"
    return {
        "label": label,
        "error": f"{100 * found.error:.2f} % ({found.n_wrong:,} of {found.n_steps:,}), {bounds}",
        "survival": [f"{words.percent(chance)} after {k:,} (n = {n:,})" for k, n, chance in found.survival],
        "parts": [f"{name} {count:,}" for name, count in found.parts],
        "causes": [f"{name} {count:,}" for name, count, _ in found.causes],
        "wrong_path": f"{found.wrong_path:,} of {found.right:,}",
        "n": f"{found.n_chains:,}",
    }


def classes(answered: list[list[breakdown.Answered]]) -> list[dict[str, Any]]:
    """Count the wrong answers of each class of error (`grading.difference.CLASSES`), one number per run."""
    counts = [breakdown.classes(tasks) for tasks in answered]
    names = [name for name in (*CLASSES, "no literal") if any(count[name] for count in counts)]
    return [{"name": name, "counts": [count[name] for count in counts]} for name in names]
