"""Make the tables of "Large Language Models as Code Executors" (arXiv 2410.06667) from finished runs.

    code_executors(runs) -> [Table, ..]     models x prompts x languages; gains; accuracy by property
    iip_forms(runs)                         every form of iterative instruction prompting against vanilla
    sizes(runs)                             gains of iterative prompting, models sorted by vanilla accuracy

Gains are those of the paper's iterative instruction prompting (IIP, the strategies iip-*) over a baseline.

We could not obtain the paper's data or its full tables, so only the figures of its abstract stand beside
ours. The abstract does not say whether its improvements are points or percent.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from deskcheck.report import breakdown
from deskcheck.report.compare import Comparison
from deskcheck.report.numbers import Share
from deskcheck.report.read import Run, bare, facts
from deskcheck.report.study import StrategyEffect, effects
from deskcheck.strategies import says
from deskcheck.tables.published import PUBLISHED
from deskcheck.tables.results import INTERVALS, slug, subject, subject_title
from deskcheck.tables.table import (
    NOT_RUN,
    Cell,
    Table,
    difference_cell,
    number_cell,
    row_cell,
    share_cell,
    words,
)

PROMPTS: dict[str, str] = PUBLISHED["code_executors"]["prompts"]
"""Strategy -> its name in the paper, without the forms of iterative prompting."""
GAINS: dict[str, list[float]] = PUBLISHED["code_executors"]["gain"]
"""Baseline -> mean and largest gain of IIP in the abstract, in percent as it writes them."""
BASELINE = next(iter(PROMPTS))
PROPERTIES = ("lines of code", "executed steps")
TAGS = ("types", "type", "time", "difficulty", "rating", "acceptance", "family")
"""Tags of benchmarks for coding type, complexity class, difficulty and rate of human solutions."""
DIFFERENCES = "Points, paired by task; * = significant after Holm's correction over the whole study."


def code_executors(runs: Sequence[Run]) -> list[Table]:
    """Return the paper's tables that these runs allow; notes name the prompts and tags that are missing."""
    tables = []
    for benchmark, task in dict.fromkeys(map(subject, runs)):
        members = [run for run in runs if subject(run) == (benchmark, task)]
        tables.append(_by_prompt(benchmark, task, members))
        tables += [gained for baseline in PROMPTS if (gained := _gained(benchmark, task, members, baseline))]
        tables += _by_property(benchmark, task, members)
    return tables


def _by_prompt(benchmark: str, task: str, runs: Sequence[Run]) -> Table:
    """Make the table of accuracies, with a row per model and a column per prompt and language."""
    columns = list(dict.fromkeys(map(prompt_of, runs)))
    cells = {(run.row.model, prompt_of(run)): row_cell(run.row) for run in runs}
    rows = [
        [Cell(model), *(cells.get((model, column), Cell(NOT_RUN)) for column in columns)]
        for model in dict.fromkeys(run.row.model for run in runs)
    ]
    title = f"{subject_title(benchmark, task)}: models by prompt and language"
    return Table(
        slug("prompts", benchmark, task), title, ["model", *columns], rows, [INTERVALS, *_absent(runs)]
    )


def prompt_of(run: Run) -> str:
    """Return the column of a run: the paper's name of the prompt, with language and settings: "VP, en"."""
    known, name = facts(run), bare(run.row.strategy)
    statement_language = known.get("statement_language") or "en"
    statement = known.get("statement", "none")
    about = (
        statement_language
        if statement in ("none", statement_language)
        else f"{statement_language} with statement in {statement}"
    )
    rest = run.row.strategy[len(name) :].strip("()").split(", ")
    rest = [part for part in rest if part and not part.startswith(("statement_language=", "language="))]
    return ", ".join([PROMPTS.get(name, name), about, *rest]) + run.row.aside


def is_iterative(strategy: str) -> bool:
    """Whether a strategy's file declares it as a form of iterative instruction prompting."""
    return bool(says(strategy, "ITERATIVE"))


def _absent(runs: Sequence[Run]) -> list[str]:
    """Return [a note that names the paper's prompts and languages that no run has], or []."""
    names = {bare(run.row.strategy) for run in runs}
    absent = [paper for name, paper in PROMPTS.items() if name not in names]
    absent += [] if any(map(is_iterative, names)) else ["IIP"]
    statement_languages = {facts(run).get("statement_language") or "en" for run in runs}
    absent += [
        word for code, word in {"en": "English", "zh": "Chinese"}.items() if code not in statement_languages
    ]
    return [f"Not among these runs: {', '.join(absent)}."] if absent else []


def _gained(benchmark: str, task: str, runs: Sequence[Run], baseline: str) -> Table | None:
    """Make the table of gains of iterative prompting over a prompt, by model; None if no model has both."""
    gains = [
        (effect, name)
        for effect, name in effects_by_language(runs, baseline)
        if is_iterative(bare(effect.strategy))
    ]
    if not gains:
        return None
    columns = [name for _, name in gains]
    of_models = [{c.a.model: c for c in effect.models} for effect, _ in gains]
    models = dict.fromkeys(name for column in of_models for name in column)
    rows = [[Cell(model), *(difference_cell(column.get(model)) for column in of_models)] for model in models]
    known = [_known(column.values()) for column in of_models]
    rows.append([Cell("mean of the models"), *(number_cell(_mean(k), "{:+z.1f}", n=len(k)) for k in known)])
    rows.append(
        [Cell("largest"), *(number_cell(max(k, default=math.nan), "{:+z.1f}", n=len(k)) for k in known)]
    )
    mean, most = GAINS[baseline]
    rows.append([Cell("published mean, largest"), *words(*[f"{mean:+.2f}, {most:+.2f}"] * len(gains))])
    title = f"{subject_title(benchmark, task)}: iterative prompting minus {PROMPTS[baseline]}"
    note = "The published figures are of other models, other tasks and one data set that is not public."
    return Table(
        slug("iip-over", baseline, benchmark, task), title, ["model", *columns], rows, [DIFFERENCES, note]
    )


def effects_by_language(runs: Sequence[Run], baseline: str) -> list[tuple[StrategyEffect, str]]:
    """Return the effects against a baseline, each with the name of its column.

    The baseline was asked in the same statement language and with the same statement.
    """
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        known = facts(run)
        groups.setdefault(
            (known.get("statement_language") or "en", known.get("statement", "none")), []
        ).append(run)
    results = []
    for (statement_language, statement), members in groups.items():
        about = (
            statement_language
            if statement in ("none", statement_language)
            else f"{statement_language}, statement {statement}"
        )
        for effect in effects(members, baselines=[baseline]):
            results.append((effect, f"{effect.strategy}, {about}" if len(groups) > 1 else effect.strategy))
    return results


def _known(comparisons: Iterable[Comparison]) -> list[float]:
    return [100 * c.difference for c in comparisons if not c.is_withheld and not math.isnan(c.difference)]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _by_property(benchmark: str, task: str, runs: Sequence[Run]) -> list[Table]:
    """Make a table for each property, with a row per group and a column per model and prompt."""
    tasks = {run.folder: breakdown.of_run(run) for run in runs}
    tables = []
    for name in PROPERTIES:
        read = _reader(name)
        by_folder = {folder: read(answered) for folder, answered in tasks.items()}
        tables.append(_grouped(benchmark, task, name, runs, by_folder))
    tagged = {folder: breakdown.tag_tables(own) for folder, own in tasks.items()}
    for tag in TAGS:
        shares = {folder: dict(known[tag]) for folder, known in tagged.items() if tag in known}
        if shares:
            tables.append(_grouped(benchmark, task, tag, runs, shares))
    absent = [tag for tag in TAGS if not any(tag in known for known in tagged.values())]
    if tables and absent:
        why = sorted({text for own in tasks.values() for text in breakdown.left_out(own)})
        title = subject_title(benchmark, task)
        reason = f"No table by {', '.join(absent)}: all tasks of {title} have the same value, or none"
        tables[-1].notes.append(f"{reason}{' (' + '; '.join(why) + ')' if why else ''}.")
    return tables


def _reader(name: str) -> Callable[[list[breakdown.Answered]], dict[str, Share]]:
    return lambda tasks: dict(breakdown.shares(tasks, name))


def _grouped(
    benchmark: str, task: str, name: str, runs: Sequence[Run], by_folder: dict[str, dict[str, Share]]
) -> Table:
    """Make one table by a property or a tag."""
    groups = list(dict.fromkeys(group for known in by_folder.values() for group in known))
    if name == "executed steps":
        groups.sort(key=lambda label: int(label.replace("over ", "").split("–")[0]))
    columns = [f"{run.row.model}, {prompt_of(run)}" for run in runs if run.folder in by_folder]
    shares = [by_folder[run.folder] for run in runs if run.folder in by_folder]
    rows = [[Cell(group), *(share_cell(known.get(group)) for known in shares)] for group in groups]
    title = f"{subject_title(benchmark, task)}: by {name}"
    note = "A cell of fewer than 30 answers shows nothing by itself."
    return Table(slug("by", name, benchmark, task), title, [name, *columns], rows, [note])


# ------------------------------------------------------------------ iterative prompting by itself


def iip_forms(runs: Sequence[Run]) -> list[Table]:
    """Make a table per benchmark that compares every form of iterative prompting with vanilla."""
    tables = []
    for effect, name in effects_by_language(runs, BASELINE):
        rows = [
            [Cell(c.a.model), _percent(c.b.accuracy), _percent(c.a.accuracy), difference_cell(c)]
            for c in effect.models
        ]
        tables.append((effect, name, rows))
    forms = []
    for kind in dict.fromkeys((effect.benchmark, effect.task) for effect, _, _ in tables):
        rows = [
            [Cell(name), *row]
            for effect, name, own in tables
            if (effect.benchmark, effect.task) == kind
            for row in own
        ]
        title = f"{subject_title(*kind)}: forms of iterative prompting against vanilla"
        columns = ["form", "model", BASELINE, "this form", "difference"]
        forms.append(Table(slug("iip-forms", *kind), title, columns, rows, [DIFFERENCES]))
    return forms


def sizes(runs: Sequence[Run]) -> list[Table]:
    """Make tables of the gain by model, in the order of vanilla accuracy, so that a ceiling shows."""
    tables = []
    for effect, name in effects_by_language(runs, BASELINE):
        if not is_iterative(bare(effect.strategy)):
            continue
        order = sorted(effect.models, key=lambda c: (math.isnan(c.b.accuracy), c.b.accuracy))
        rows = [[Cell(c.a.model), _percent(c.b.accuracy), difference_cell(c)] for c in order]
        title = f"{subject_title(effect.benchmark, effect.task)}: {name} minus vanilla, by vanilla accuracy"
        notes = [
            DIFFERENCES,
            "A model near 100 % cannot gain much; one near 0 % cannot lose much. "
            "The difference holds the vanilla accuracy itself, so noise alone lets it fall along the rows.",
        ]
        columns = ["model", BASELINE, "gain"]
        tables.append(Table(slug("sizes", effect.benchmark, name), title, columns, rows, notes))
    return tables


def _percent(share: float) -> Cell:
    return number_cell(100 * share, "{:.1f}")
