"""Make the tables of Execution Tuning (arXiv 2503.05703) from runs that answered its questions.

    execution_tuning(runs) -> [Table, ..]   single steps by part; outputs by layout; long executions

A published figure stands beside a row of the same layout. It is of Llama 3.1 8B tuned on 1.5 million
executions, so other models should only be compared with each other. The published rows with search saw the
truth, so they are upper bounds. Two published rows could not be assigned to a layout and are left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from deskcheck.report import judged
from deskcheck.report.numbers import share
from deskcheck.report.read import Run, bare, told_apart
from deskcheck.statistics.summary import FEWEST_CLUSTERS, Interval, share_bounds
from deskcheck.tables.published import PUBLISHED
from deskcheck.tables.results import INTERVALS, slug
from deskcheck.tables.table import NOT_RUN, Cell, Table, interval_cell, row_cell, share_cell, words

PARTS = ("control flow", "variables", "iterators", "stack")
SINGLE_STEPS: dict[str, str] = PUBLISHED["execution_tuning"]["single_steps"]
"""Layout -> published percent of single steps that are right in every part; "benchmark" -> its name."""
OUTPUTS: dict[str, dict[str, str]] = PUBLISHED["execution_tuning"]["outputs"]
"""Benchmark -> layout -> published percent of right outputs (n = 800 and 93)."""
BY_POSITION: dict[str, list[str]] = PUBLISHED["execution_tuning"]["by_position"]
"""Benchmark -> layouts whose published figure is known only from its place in a quoted row."""
LONGEST: dict[str, str] = PUBLISHED["execution_tuning"]["longest"]
"""Family -> longest published run that Line-1 executed without an error; "benchmark" -> its name."""


def execution_tuning(runs: Sequence[Run]) -> list[Table]:
    """Return the paper's tables that these runs allow; a note names the others with their reasons."""
    outputs = [run for run in runs if run.row.task == "output"]
    tables = [table for benchmark in OUTPUTS if (table := _outputs(benchmark, outputs))]
    steps = _single_steps(runs)
    long = _long_runs([run for run in outputs if run.row.benchmark == LONGEST["benchmark"]])
    tables = [*([steps] if steps else []), *tables, *([long] if long else [])]
    absent = [
        *([] if steps else ["single steps (no run by a layout of steps)"]),
        *(f"{OUTPUTS[name]['title']} (no run on {name})" for name in OUTPUTS if not _on(name, outputs)),
        *([] if long else [f"long runs (no run on {LONGEST['benchmark']})"]),
        "downstream (no answers to executions: `deskcheck downstream BEFORE AFTER` compares two models)",
    ]
    if not tables:
        return [
            Table(
                "execution-tuning",
                "Execution Tuning",
                ["table", "why it is not here"],
                [words("all", one) for one in absent],
            )
        ]
    tables[-1].notes.append(f"Not here: {'; '.join(absent)}.")
    return tables


def _on(benchmark: str, runs: Sequence[Run]) -> list[Run]:
    return [run for run in runs if run.row.benchmark == benchmark]


def _outputs(benchmark: str, runs: Sequence[Run]) -> Table | None:
    """Make a table with a row per model and layout: accuracy on outputs, and the paper's figure."""
    own = _on(benchmark, runs)
    if not own:
        return None
    title = told_apart(own)
    rows = [
        [
            Cell(f"{run.row.model}, {title[run.folder]}{run.row.aside}"),
            row_cell(run.row),
            Cell(_published(benchmark, bare(run.row.strategy))),
        ]
        for run in own
    ]
    columns = ["model and layout", "output", "published for the layout"]
    name = f"{OUTPUTS[benchmark]['title']}: output by layout"
    notes = [INTERVALS, "§ known only from its place in a quoted row of the paper."]
    return Table(slug("outputs", benchmark), name, columns, rows, notes)


def _published(benchmark: str, layout: str) -> str:
    figure = OUTPUTS[benchmark].get(layout, "none")
    return f"{figure} §" if layout in BY_POSITION[benchmark] else figure


def _single_steps(runs: Sequence[Run]) -> Table | None:
    """Make the table of right steps by part, from the true state or the model's own state."""
    title = told_apart(runs)
    rows = []
    for run in runs:
        steps = judged.of_run(run)
        if steps is None or run.row.task == "annotation":
            continue
        true = steps.source == "the true state" and run.row.benchmark == SINGLE_STEPS["benchmark"]
        published = SINGLE_STEPS.get(bare(run.row.strategy), "none") if true else "none"
        rows.append(
            [
                Cell(f"{run.row.model}, {title[run.folder]} on {run.row.benchmark}"),
                Cell(steps.source),
                interval_cell(steps.steps, steps.n),
                *(interval_cell(part_of(run, part), steps.n) for part in PARTS),
                Cell(published),
            ]
        )
    columns = ["model and layout", "each step from", "all parts", *PARTS, "published, all parts"]
    notes = [
        "Percent of steps, clustered by program. A step from the model's own state follows its own mistakes.",
        "The published figures are single steps from the true state on CRUXEval.",
    ]
    return Table("single-steps", "single steps: right by part", columns, rows, notes) if rows else None


def part_of(run: Run, part: str) -> Interval:
    """Return the share of steps whose `part` is right, clustered by program."""
    import numpy as np

    right: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for answer in run.samples:
        if answer.steps is not None:
            right[answer.cluster] += answer.steps.n - answer.steps.parts.get(part, 0)
            sizes[answer.cluster] += answer.steps.n
    total = sizes.total()
    if not total:
        return Interval(math.nan, math.nan, math.nan, "none", 0, "")
    mean = right.total() / total
    if len(sizes) < FEWEST_CLUSTERS:
        return Interval(mean, math.nan, math.nan, "none", len(sizes), "too few clusters")
    names = list(sizes)
    sums = np.array([[float(right[name]) for name in names]])
    low, high = share_bounds(sums, np.array([float(sizes[name]) for name in names]))
    return Interval(mean, float(low[0]), float(high[0]), "clustered wilson", len(sizes), "")


def _long_runs(runs: Sequence[Run]) -> Table | None:
    """Make the table of right runs out of all, with the longest right one, by family."""
    if not runs:
        return None
    title = told_apart(runs)
    families = list(dict.fromkeys(one.tags.get("family", "") for run in runs for one in run.every))
    rows = []
    for run in runs:
        cells = []
        for family in families:
            answers = [one for one in run.every if one.tags.get("family", "") == family]
            right = [one.n_steps for one in answers if one.verdict == "right"]
            cell = share_cell(share(answers)) if answers else Cell(NOT_RUN)
            longest = f", longest right {max(right):,} steps" if right else ", none right" if answers else ""
            cells.append(
                Cell(f"{len(right)} of {len(answers)}{longest}" if answers else NOT_RUN, cell.value, n=cell.n)
            )
        rows.append([Cell(f"{run.row.model}, {title[run.folder]}{run.row.aside}"), *cells])
    rows.append(
        [
            Cell("published, longest run by Line-1"),
            *(Cell(LONGEST.get(family, "none")) for family in families),
        ]
    )
    notes = [
        "Whole runs; too few programs for an interval.",
        "The paper's runs have 9 inputs a program (Fibonacci 5), n from 1 to 20 and from 20 to 4,000.",
    ]
    return Table("long-runs", "long executions: runs right", ["model and layout", *families], rows, notes)
