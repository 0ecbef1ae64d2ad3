"""One HTML file out of finished runs: opens by double click, offline, readable without script.

    write_report("logs", "report.html"), render_cells([folder, ..]) -> str

Everything untrusted (programs, calls, model text, names) goes through the template's escaping; the page's own
style and script are allowed by their hashes, everything else is forbidden by its content security policy.
"""

from __future__ import annotations

import base64
import hashlib
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from deskcheck import __version__
from deskcheck.errors import UserError
from deskcheck.grading.difference import CLASSES
from deskcheck.records import MISSING
from deskcheck.report import breakdown, chart, numbers, steps, study, tables_of, words
from deskcheck.report.coherence import coherence
from deskcheck.report.consistency import Consistency, consistency
from deskcheck.report.names import told_apart
from deskcheck.report.read import Run, read_run, read_runs
from deskcheck.report.tasks import task_rows
from deskcheck.report.tokens_chart import tokens_chart
from deskcheck.results import Row, check_target, write_whole
from deskcheck.statistics.holm import holm
from deskcheck.statistics.missing import bounds_in_words, closing, reasons_in_words


def write_report(place: str, out: str) -> tuple[Path, list[Row]]:
    """Read a log folder or results file, write the page, give its path and the rows that it shows."""
    check_target(out, "--out")
    runs = read_runs(place)
    write_whole(Path(out), render(runs).encode("utf-8"))
    return Path(out), [run.row for run in runs]


def render_cells(folders: list[Path]) -> str:
    """The page of the runs in these folders."""
    return render([read_run(folder) for folder in folders])


def render(runs: list[Run]) -> str:
    """The page of these runs."""
    style, script = _asset("style.css"), _asset("script.js")
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(_asset("page.html"))
    kept = [run for run in runs if not run.row.is_withheld]
    return template.render(
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=Markup(style),  # our own file
        script=Markup(script),  # our own file
        version=__version__,
        title=words.title(runs),
        sentences=words.headline(runs),
        n_answers=sum(run.row.n_answers for run in runs),
        matrix=matrix(runs),
        missing=closing([run.row for run in runs], again="the command that asked goes on with them"),
        consistent=[consistent(one) for one in consistency(kept)],
        coherent=[tables_of.coherent(one) for one in coherence(kept)],
        sections=[section(benchmark, runs) for benchmark in benchmarks(runs)],
        methods=methods(runs),
    )


def benchmarks(runs: list[Run]) -> list[str]:
    """What was asked, in the order of the runs: benchmarks, each kind of task apart."""
    return list(dict.fromkeys(map(words.subject, runs)))


def matrix(runs: list[Run]) -> dict[str, Any]:
    """Model x strategy down, benchmarks across; a pair that was not run stays empty."""
    columns = benchmarks(runs)
    rows: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = {}
    strategies = told_apart(runs)
    for run in runs:
        name = strategies[run.folder] + run.row.aside
        rows.setdefault((run.row.model, name), {}).setdefault(words.subject(run), []).append(cell(run))
    lines = [
        {"model": model, "strategy": strategy, "cells": [found.get(column, []) for column in columns]}
        for (model, strategy), found in rows.items()
    ]
    return {"columns": columns, "lines": lines}


def cell(run: Run) -> dict[str, Any]:
    """One run's numbers as text, and its bar."""
    row = run.row
    none = sum(row.no_answer.values())
    low, high = row.interval
    return {
        "accuracy": words.percent(row.accuracy),
        "interval": words.interval(row.interval)
        if not row.is_withheld
        else f"withheld, within {bounds_in_words(row.bounds)}",
        "n": f"{row.n_tasks} tasks" + (f" x {row.n_samples}" if row.n_samples > 1 else ""),
        "none": f"{100 * none / row.n_answers:.1f} % no answer" if none else "all answered",
        "reasons": reasons_in_words(row.no_answer),
        "note": "" if row.is_withheld else run.note,
        "width": round(100 * (row.accuracy or 0.0), 2),
        "low": None if low is None else round(100 * low, 2),
        "span": None if low is None or high is None else round(100 * (high - low), 2),
    }


def section(benchmark: str, runs: list[Run]) -> dict[str, Any]:
    """Render everything about one benchmark as a section."""
    own = [run for run in runs if words.subject(run) == benchmark]
    labels = [words.label(run, own) if len(own) > 1 else words.label(run, runs) for run in own]
    lengths = [(label, numbers.by_steps(run)) for label, run in zip(labels, own, strict=True)]
    tag = numbers.family_tag(own)
    tables = [tables_of.groups("executed steps", labels, [points for _, points in lengths])]
    answered = [breakdown.of_run(run) for run in own]
    kept = [
        (label, run, tasks)
        for label, run, tasks in zip(labels, own, answered, strict=True)
        if not run.row.is_withheld
    ]
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
    tables = [one for one in tables if len(one["rows"]) > 1]
    return {
        "name": benchmark,
        "labels": labels,
        "marks": [Markup(chart.legend_mark(number)) for number in range(len(own))],  # numbers only
        "chart": Markup(chart.steps_chart(lengths)),  # labels are escaped there
        "n_uncharted": max(0, len(own) - chart.MOST),
        "tables": tables,
        "left_out": gone,
        "withheld": [withheld(label, run) for label, run in zip(labels, own, strict=True) if run.missing],
        "horizons": [row for label, run, _ in kept for row in tables_of.horizons(label, run, own)],
        "effects": [line for label, _, tasks in kept for line in effects(label, tasks)],
        "chains": [one for label, run, _ in kept if (one := chains(label, run))],
        "judged": [one for label, run, _ in kept if (one := tables_of.every_step(label, run))],
        # Its labels are escaped where it is drawn.
        "tokens": Markup(tokens_chart(study.costs(own))) if len(own) > 1 else "",
        "unmatched": study.unmatched(own),
        "spent": [tables_of.cost(*pair) for pair in zip(labels, own, strict=True)],
        # Only outputs: elsewhere the expected answer is one of several.
        "classes": classes(answered) if all(run.row.task == "output" for run in own) else [],
        "tag": tag,
        "tasks": task_rows(own, labels, tag=tag),
    }


def withheld(label: str, run: Run) -> str:
    """What is missing of a run, and what that takes from this section."""
    row = run.row
    gone = {name: row.no_answer.get(name, 0) for name in sorted(MISSING)}
    said = f"{label}: {row.n_missing} of {row.n_answers} answers are missing ({reasons_in_words(gone)})"
    if not row.is_withheld:
        return f"{said} and in no share, horizon or effect."
    return f"{said}: its horizons, effects and steps are withheld; shares are of the answers that came."


def effects(label: str, tasks: list[breakdown.Answered]) -> list[dict[str, str]]:
    """One regression of one run; none where the data cannot carry it."""
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


def consistent(found: Consistency) -> dict[str, str]:
    """REval's consistency of one model in words."""
    low, high = found.interval.low, found.interval.high
    known = not math.isnan(low)
    return {
        "model": found.model,
        "strategy": found.strategy,
        "benchmark": found.benchmark,
        "score": f"{100 * found.interval.mean:.1f}",
        "interval": f"{100 * low:.1f} to {100 * high:.1f}" if known else "too few programs",
        "n": f"{found.n_items:,} items, {found.n_left_out:,} not asked in all four kinds",
    }


def chains(label: str, run: Run) -> dict[str, Any] | None:
    """The steps of one run in words; None where its strategy has no chain of states."""
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
    """Classes of wrong answers down, runs across."""
    counts = [breakdown.classes(tasks) for tasks in answered]
    names = [name for name in (*CLASSES, "no literal") if any(count[name] for count in counts)]
    return [{"name": name, "counts": [count[name] for count in counts]} for name in names]


def methods(runs: list[Run]) -> list[dict[str, Any]]:
    """How each command can be repeated, once per command."""
    seen: dict[str, dict[str, Any]] = {}
    for run in runs:
        command = str(run.facts.get("command", "unknown"))
        versions = run.facts.get("versions", {})
        seen.setdefault(
            command,
            {
                "command": command,
                "commit": run.facts.get("commit", "unknown"),
                "sandbox": run.facts.get("sandbox", "unknown"),
                "versions": ", ".join(f"{name} {number}" for name, number in sorted(versions.items())),
                "config": {name: text for name, text in run.facts.get("config", {}).items() if text},
                "folders": [],
            },
        )["folders"].append(run.folder)
    return list(seen.values())


def _asset(name: str) -> str:
    return files("deskcheck.report").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
