"""Measure whether a model's outputs are right without knowledge of the run: shortcut gap and consistency.

    shortcut_gaps(runs) -> [Gap(model, benchmark, strategy, output, state, difference, n_programs)]
    consistency(runs) -> [Consistency(model, strategy, benchmark, interval, ..)]

The gap is output accuracy minus state accuracy over the same programs. Only programs with both questions
count, each with the same weight.
For consistency, four kinds of question about one call build on each other: is a line reached, what is a
variable's value after it, which line comes next, what is the output. A kind is right if all its questions
about the call are. The call scores 1 if all four are right, .5 if only the output is wrong, .25 if the first
two are right, .125 if only the first is, else 0. Source: REval (Chen et al., arXiv 2403.16437, section 3.4).
A model that guesses outputs has a large gap and a low consistency.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from deskcheck.questions import is_about_states
from deskcheck.report.read import Run
from deskcheck.statistics.summary import Interval, clustered_interval

KINDS = ("reached", "state", "next-line", "output")
SCORES = (0.0, 0.125, 0.25, 0.5, 1.0)
"""Score by the number of kinds that are right before the first wrong one."""


class Gap(Struct, frozen=True):
    """Accuracy on outputs and on one kind of state question, of one model on one benchmark."""

    model: str
    benchmark: str
    strategy: str
    """Strategy of both runs; "direct / cot" if they differ."""
    question: str
    output: float
    state: float
    difference: Interval
    """Output minus state, clustered by program."""
    n_programs: int


def shortcut_gaps(runs: list[Run]) -> list[Gap]:
    """Return the gaps between each run on states and the runs on outputs of the same model and benchmark.

    The runs on outputs are those with the same strategy; if there is none, the first run of another strategy.
    Runs whose verdict is withheld are left out.
    """
    return list(_gaps([run for run in runs if not run.row.is_withheld]))


def _gaps(runs: list[Run]) -> Iterator[Gap]:
    for state in (run for run in runs if is_about_states(run.row.task)):
        row = state.row
        outputs = [
            run
            for run in runs
            if (run.row.model, run.row.benchmark, run.row.task) == (row.model, row.benchmark, "output")
        ]
        same = [run for run in outputs if run.row.strategy == row.strategy]
        for output in same or outputs[:1]:
            gap = _gap(output, state)
            if gap is not None:
                yield gap


def _gap(output: Run, state: Run) -> Gap | None:
    """Compare two runs on their common programs; None if there are none."""
    left, right = _by_program(output), _by_program(state)
    common = [name for name in left if name in right]
    if not common:
        return None
    differences = [left[name] - right[name] for name in common]
    names = dict.fromkeys([output.row.strategy, state.row.strategy])
    return Gap(
        model=state.row.model,
        benchmark=state.row.benchmark,
        strategy=" / ".join(names),
        question=state.row.task,
        output=sum(left[name] for name in common) / len(common),
        state=sum(right[name] for name in common) / len(common),
        difference=clustered_interval(differences, common, bounds=(-1.0, 1.0)),
        n_programs=len(common),
    )


def _by_program(run: Run) -> dict[str, float]:
    """Return for each program the share of its answers that are right."""
    found: dict[str, list[bool]] = {}
    for one in run.samples:
        found.setdefault(one.cluster, []).append(one.verdict == "right")
    return {name: sum(right) / len(right) for name, right in found.items()}


class Consistency(Struct, frozen=True):
    """Consistency of one model and strategy that answered all four kinds on a benchmark."""

    model: str
    strategy: str
    benchmark: str
    interval: Interval
    """Mean score over calls and samples, clustered by program."""
    n_items: int
    """Number of calls that count: all four kinds asked about them, and no answer is missing."""
    n_left_out: int
    """Number of other calls, which only some of the four kinds asked about or whose answers are partly
    missing."""
    steps: tuple[int, int, int, int, int]
    """Number of calls (x samples) with 0, 1, 2, 3, 4 right kinds before the first wrong one."""


def consistency(runs: Sequence[Run]) -> list[Consistency]:
    """Return the consistency of every model, strategy and benchmark with runs of all four kinds."""
    groups: dict[tuple[str, str, str], dict[str, Run]] = {}
    for run in runs:
        row = run.row
        groups.setdefault((row.model, row.strategy, row.benchmark), {})[row.task] = run
    rows = []
    for (model, strategy, benchmark), by_kind in groups.items():
        if all(kind in by_kind for kind in KINDS):
            shares = _of([by_kind[kind] for kind in KINDS])
            if shares is not None:
                rows.append(Consistency(model, strategy, benchmark, *shares))
    return rows


def _of(runs: list[Run]) -> tuple[Interval, int, int, tuple[int, int, int, int, int]] | None:
    """Return the last four fields of a Consistency; None if all four kinds asked about no common call."""
    tables: list[dict[tuple[str, int], bool]] = []
    clusters: dict[str, str] = {}
    for run in runs:
        table: dict[tuple[str, int], bool] = {}
        for answer in run.samples:
            item = answer.task.partition("@")[0]
            clusters[item] = answer.cluster
            table[item, answer.sample] = table.get((item, answer.sample), True) and answer.verdict == "right"
        for answer in run.missing:  # a call counts only if all of its questions were asked
            table.pop((answer.task.partition("@")[0], answer.sample), None)
        tables.append(table)
    common = sorted(set(tables[0]).intersection(*tables[1:]))
    if not common:
        return None
    depths = [_depth([table[key] for table in tables]) for key in common]
    interval = clustered_interval([SCORES[d] for d in depths], [clusters[item] for item, _ in common])
    n_items = len({item for item, _ in common})
    every = {item for table in tables for item, _ in table}
    counts = tuple(depths.count(d) for d in range(5))
    return interval, n_items, len(every) - n_items, counts  # type: ignore[return-value]  # five


def _depth(right: list[bool]) -> int:
    return next((number for number, one in enumerate(right) if not one), len(right))
