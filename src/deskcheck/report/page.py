"""Write a report of finished runs as one HTML file, which opens offline and is readable without script.

    write_report("logs", "report.html")

Everything untrusted (programs, calls, model text, names) is escaped by the template, or is packed and shown
only as text. The content security policy allows the page's style and scripts, and those of the step viewer in
its frame, by their hashes. It forbids everything else.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from deskcheck import __version__
from deskcheck.cell_files import Row, check_target, write_whole
from deskcheck.pace import counted
from deskcheck.report import answers, doubts, sections, tables_of, walks, words
from deskcheck.report.beside import plain, shown, write_beside
from deskcheck.report.coherence import coherence
from deskcheck.report.read import Run, read_runs, told_apart
from deskcheck.report.shortcuts import consistency, shortcut_gaps
from deskcheck.statistics.summary import (
    bounds_in_words,
    closing,
    reasons_in_words,
    t_quantile,
    unread_in_words,
)
from deskcheck.viewer.document import PLACE, frame_page, policy_hashes

_SCRIPTS = ("figures", "table", "task", "start")
MOST_SENTENCES = 2
"""Number of findings above the results; the others are folded."""
STATIC_TASKS = 20
"""Number of wrong tasks that are shown without script."""
N_QUANTILES = 300
"""Largest number of degrees of freedom whose quantile of Student's t is in the page. Beyond it the page's
script uses an expansion around the normal quantile."""


def write_report(place: str, out: str) -> tuple[Path, list[Row]]:
    """Read a log folder or results file, write the page, and return its path and the rows that it shows.

    Answers beyond the page's budget of bytes (`answers.BUDGET_BYTES`) go to the folder `<name>_answers`
    beside it.
    """
    check_target(out, "--out", ending=".html")
    runs = read_runs(place)
    target = Path(out)
    folder = target.with_name(f"{target.stem}_answers")
    text, details, beside = _rendered(runs, walks.MOST, folder.name)
    write_beside(folder, details, beside)
    write_whole(target, text.encode("utf-8"))
    return target, [run.row for run in runs]


def render(runs: list[Run], *, n_walks: int = 0) -> str:
    """Return the page of these runs as HTML, with up to `n_walks` traced programs to walk through.

    Answers beyond the page's budget of bytes are only in the folders of the runs.
    """
    return _rendered(runs, n_walks, "")[0]


def _rendered(runs: list[Run], n_walks: int, folder: str) -> tuple[str, answers.Details, list[int]]:
    """Return the page, the details of all tasks, and the numbers of those that did not fit into it."""
    places = benchmarks(runs)
    groups = [[run for run in runs if words.subject(run) == place] for place in places]
    labels = [sections.labels_of(own, runs) for own in groups]
    indexes = [
        answers.index_of(place, own, some, tag=sections.family_tag(own))
        for place, own, some in zip(places, groups, labels, strict=True)
    ]
    details = answers.Details(zip(groups, labels, strict=True))
    packed = answers.packed(details, _by_turns(indexes))
    _place(indexes, packed.places)
    walked = _walks(runs, indexes, n_walks)
    frames: list[str] = []
    for index, some in zip(indexes, walked, strict=True):
        numbers = {task: len(frames) + at for at, task in enumerate(some)}
        frames += [walk.data for walk in some.values()]
        index["walks"] = [numbers.get(task, -1) for task in index["ids"]]
        for place, run in enumerate(index["runs"]):
            run["where"] = {index["ids"].index(task): walk.parted[place] for task, walk in some.items()}
    data = {
        "sections": indexes,
        "quantiles": [t_quantile(freedom) for freedom in range(1, N_QUANTILES + 1)],
        "folder": folder if packed.beside else "",
        "beside": len(packed.beside),
        "place": PLACE,
    }
    static = (
        [] if not indexes else [details[number] for number in answers.wrong_first(indexes[0])[:STATIC_TASKS]]
    )
    text = _filled(
        runs,
        sections=[
            sections.section(place, number, runs)
            for number, place in enumerate(counted(places, "benchmarks compared"))
        ],
        data=answers.encoded(data),
        blocks=packed.blocks,
        frames=frames,
        n_walked=len(frames),
        shell=answers.encoded(frame_page()) if frames else "",
        static=static,
    )
    return text, details, packed.beside


def _by_turns(indexes: list[dict[str, Any]]) -> list[int]:
    """Return the numbers of all tasks, wrong ones first, with blocks of the benchmarks in turn."""
    starts, start = [], 0
    for index in indexes:
        starts.append(start)
        start += len(index["ids"])
    orders = [
        [first + number for number in answers.wrong_first(index)]
        for first, index in zip(starts, indexes, strict=True)
    ]
    longest = max(map(len, orders), default=0)
    chunk = answers.TASKS_A_BLOCK
    return [
        number for at in range(0, longest, chunk) for order in orders for number in order[at : at + chunk]
    ]


def _place(indexes: list[dict[str, Any]], places: list[list[int]]) -> None:
    """Store in each index where the packed texts of its tasks are: (block, place in it)."""
    start = 0
    for index in indexes:
        end = start + len(index["ids"])
        index["places"] = places[start:end]
        start = end


def _walks(runs: list[Run], indexes: list[dict[str, Any]], n_walks: int) -> list[dict[str, walks.Walk]]:
    """Return the walks of each benchmark; what one leaves of tasks and bytes goes to the next ones."""
    entries = []
    n_left, budget = n_walks, walks.BUDGET_BYTES
    for at, index in enumerate(indexes):
        members = [run for run in runs if words.subject(run) == index["name"]]
        share = n_left // (len(indexes) - at)
        order = [index["ids"][number] for number in answers.wrong_first(index)]
        some = walks.walks_of(
            members, index["labels"], order, most=share, budget=budget // (len(indexes) - at)
        )
        budget -= sum(len(walk.data) for walk in some.values())
        n_left -= len(some)
        entries.append(some)
    return entries


def _filled(runs: list[Run], **values: Any) -> str:
    """Fill in the template: `values` are its parts for single benchmarks; the rest is computed here."""
    style, script = _asset("style.css"), _script()
    loaders, viewer_style = policy_hashes()
    allowed = " ".join([f"'{_hash(script)}'", *(f"'sha256-{one}'" for one in loaders)])
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: shown(value) if isinstance(value, str) else value,
    )
    template = environment.from_string(_asset("page.html"))
    kept = [run for run in runs if not run.row.is_withheld]
    found = words.findings(runs)
    # Comparisons come first, because the table of results has only single runs.
    found = sorted(found, key=lambda one: not one[1])
    sentences = [sentence for sentence, _ in found]
    said = doubts.doubts(runs)
    return template.render(
        policy=f"default-src 'none'; style-src '{_hash(style)}' 'sha256-{viewer_style}'; "
        f"script-src {allowed}; base-uri 'none'; form-action 'none'",
        style=Markup(style),  # our own file
        script=Markup(script),  # our own files
        version=__version__,
        title=plain(words.title(runs)),
        first=sentences[:MOST_SENTENCES],
        others=sentences[MOST_SENTENCES:],
        doubt=said[0] if said else "",
        doubts=said[1:],
        more=_more(len(sentences) - MOST_SENTENCES, len(said) - 1),
        n_answers=sum(run.row.n_answers for run in runs),
        results=results(runs),
        rough=any(run.note and not run.row.is_withheld for run in runs),
        missing=closing([run.row for run in runs], again="the command that asked for them goes on"),
        gaps=[tables_of.gap(one) for one in shortcut_gaps(kept)],
        consistent=[sections.consistent(one) for one in consistency(kept)],
        coherent=[tables_of.coherent(one) for one in coherence(kept)],
        methods=methods(runs),
        **values,
    )


def _more(n_findings: int, n_doubts: int) -> str:
    """Write the numbers of folded sentences: "5 more findings and 1 more doubt"."""
    counts = [(n_findings, "finding"), (n_doubts, "doubt")]
    return " and ".join(f"{n} more {what}{'' if n == 1 else 's'}" for n, what in counts if n > 0)


def benchmarks(runs: list[Run]) -> list[str]:
    """Return the benchmarks of the runs in order, each with its kind of question."""
    return list(dict.fromkeys(map(words.subject, runs)))


def results(runs: list[Run]) -> list[dict[str, Any]]:
    """Render a group of rows for each benchmark: model, strategy, accuracy with interval, n, no answers."""
    strategies = told_apart(runs)
    groups = []
    for place in benchmarks(runs):
        members = [run for run in runs if words.subject(run) == place]
        rows = [result(run, strategies[run.folder]) for run in members]
        groups.append({"name": place, "rows": rows})
    return groups


def result(run: Run, strategy: str) -> dict[str, Any]:
    """Render one run's numbers, and the positions of its dot and its interval on an axis from 0 to 100."""
    row = run.row
    none = sum(row.no_answer.values())
    low, high = row.interval
    return {
        "model": row.model.removeprefix("deskcheck/"),
        "strategy": strategy + row.aside,
        "accuracy": words.percent(row.accuracy),
        "interval": words.interval(row.interval) + (f"; {unread}" if (unread := unread_in_words(row)) else "")
        if not row.is_withheld
        else f"withheld, within {bounds_in_words(row.bounds)}",
        "n": f"{row.n_tasks:,} tasks" + (f" x {row.n_samples}" if row.n_samples > 1 else ""),
        "none": f"{100 * none / row.n_answers:.1f} % no answer" if none else "all answered",
        "reasons": reasons_in_words(row.no_answer),
        "note": "" if row.is_withheld else run.note,
        "at": None if row.accuracy is None else round(100 * row.accuracy, 2),
        "low": None if low is None else round(100 * low, 2),
        "span": None if low is None or high is None else round(100 * (high - low), 2),
    }


def methods(runs: list[Run]) -> list[dict[str, Any]]:
    """Return a dict for each command: the values that are needed to repeat it, and its runs' folders."""
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


@cache
def _script() -> str:
    shared = (files("deskcheck.viewer") / "page" / "text.js").read_text(encoding="utf-8")
    own = "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)
    return f'(() => {{\n"use strict";\n{shared}\n{own}}})();\n'


@cache
def _asset(name: str) -> str:
    return files("deskcheck.report").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode()
