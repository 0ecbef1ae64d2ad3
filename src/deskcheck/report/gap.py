"""State beside output: how often a model is right about the result, and about the states on the way there.

    shortcut_gaps(runs) -> [Gap(model, benchmark, strategy, output, state, difference, n_programs)]

Output accuracy minus state accuracy over the same programs; large where answers are right without the run
being known. Only programs that were asked both ways count, each with the same weight.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from deskcheck.questions import is_about_states
from deskcheck.report.read import Run
from deskcheck.statistics.summary import Interval, clustered_interval


class Gap(Struct, frozen=True):
    """Output beside one kind of state question, of one model on one benchmark."""

    model: str
    benchmark: str
    strategy: str
    """Of both; "direct / cot" where they differ."""
    question: str
    output: float
    state: float
    difference: Interval
    """Output minus state, clustered by program."""
    n_programs: int


def shortcut_gaps(runs: list[Run]) -> list[Gap]:
    """One for every pair of output and state runs of a model on a benchmark, of one strategy if possible."""
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
            found = _gap(output, state)
            if found is not None:
                yield found


def _gap(output: Run, state: Run) -> Gap | None:
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
    """Program -> share of its answers that are right."""
    found: dict[str, list[bool]] = {}
    for one in run.samples:
        found.setdefault(one.cluster, []).append(one.verdict == "right")
    return {name: sum(right) / len(right) for name, right in found.items()}
