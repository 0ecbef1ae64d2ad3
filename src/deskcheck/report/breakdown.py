"""What goes with being right: shares by property, one regression over all, classes of wrong answers.

    Answered                               one task with all its samples
    shares(tasks, "executed steps")        [(label, Share)] in order
    effects(tasks)                         one logistic regression on length, steps, branching, nesting
    PROPERTIES                             name -> how a task is grouped by it

A cell under 30 answers is exploratory. Intervals are clustered by program.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from deskcheck.errors import BadSource
from deskcheck.grading.difference import CLASSES, difference_class
from deskcheck.programs._measures import CONSTRUCTS, Measures, measures
from deskcheck.report.numbers import Share, step_bin
from deskcheck.report.read import Run
from deskcheck.results import Sampled
from deskcheck.statistics.interval import clustered_interval
from deskcheck.statistics.regression import Effect, logistic

NUMBERS = ("log2 executed steps", "lines of code", "branches", "nesting")


class Answered(Struct, frozen=True):
    """All samples of one task."""

    task: str
    cluster: str
    steps: int
    """Executed line events of the true run."""
    verdicts: list[str]
    """"right", "wrong" or "no answer", one a sample."""
    expected: str
    wrong: list[str]
    """The wrong answers."""
    measures: Measures | None
    """None where the source is not Python."""
    tags: dict[str, str] = field(default_factory=dict)

    family: str = ""

    @property
    def right(self) -> int:
        """Samples that are right."""
        return self.verdicts.count("right")


def of_run(run: Run) -> list[Answered]:
    """The tasks of a finished evaluation, in its order."""
    samples: dict[str, list[Sampled]] = {}
    for one in run.samples:
        samples.setdefault(one.task, []).append(one)
    known: dict[str, Measures | None] = {}
    for own in samples.values():
        if own[0].source not in known:
            known[own[0].source] = measured(own[0].source)
    return [
        Answered(
            task=task,
            cluster=own[0].cluster,
            steps=own[0].n_steps,
            verdicts=[one.verdict for one in own],
            expected=own[0].expected,
            wrong=[one.answer for one in own if one.verdict == "wrong"],
            measures=known[own[0].source],
            tags=own[0].tags,
            family=own[0].tags.get("family", ""),
        )
        for task, own in samples.items()
    ]


def measured(source: str) -> Measures | None:
    """Measures of a source, None where it has none."""
    try:
        return measures(source)
    except BadSource:
        return None


def _bin(value: int, bounds: Sequence[int]) -> tuple[int, str]:
    low = 1
    for number, high in enumerate(bounds):
        if value <= high:
            return number, f"{low}–{high}" if low < high else str(high)
        low = high + 1
    return len(bounds), f"over {bounds[-1]}"


def _steps(task: Answered) -> tuple[int, str]:
    return step_bin(task.steps)


def _of_measures(read: Callable[[Measures], tuple[int, str]]) -> Callable[[Answered], tuple[int, str]]:
    return lambda task: (99, "unknown") if task.measures is None else read(task.measures)


# Name -> order and label of the group that a task belongs to.
PROPERTIES: dict[str, Callable[[Answered], tuple[int, str]]] = {
    "executed steps": _steps,
    "lines of code": _of_measures(lambda found: _bin(found.lines, (5, 10, 15, 20, 30))),
    "branches": _of_measures(lambda found: _bin(found.branches, (1, 2, 4, 6, 9))),
    "nesting": _of_measures(lambda found: (found.nesting, str(found.nesting))),
}


def shares(tasks: Iterable[Answered], name: str) -> list[tuple[str, Share]]:
    """Share right in each group of a property, in order."""
    groups: dict[tuple[int, str], list[Answered]] = {}
    for task in tasks:
        groups.setdefault(PROPERTIES[name](task), []).append(task)
    return [(label, share_of(groups[order, label])) for order, label in sorted(groups)]


def by_construct(tasks: Sequence[Answered]) -> list[tuple[str, Share, Share]]:
    """For each construct the share with it and the share without, where both exist."""
    found = []
    known = [task for task in tasks if task.measures is not None]
    for name in CONSTRUCTS:
        with_it = [task for task in known if task.measures and name in task.measures.constructs]
        without = [task for task in known if task.measures and name not in task.measures.constructs]
        if with_it and without:
            found.append((name, share_of(with_it), share_of(without)))
    return found


def share_of(tasks: Sequence[Answered]) -> Share:
    """Share of right answers over all samples, clustered by program."""
    values = [float(verdict == "right") for task in tasks for verdict in task.verdicts]
    interval = clustered_interval(values, [task.cluster for task in tasks for _ in task.verdicts])
    return Share(
        n=len(values),
        right=int(sum(values)),
        no_answer=sum(task.verdicts.count("no answer") for task in tasks),
        accuracy=interval.mean,
        low=interval.low,
        high=interval.high,
    )


def effects(tasks: Sequence[Answered]) -> list[Effect]:
    """One regression on NUMBERS. UserError where the tasks are too few or too alike."""
    known = [task for task in tasks if task.measures is not None]
    rows = [
        [
            math.log2(max(1, task.steps)),
            float(task.measures.lines),
            float(task.measures.branches),
            float(task.measures.nesting),
        ]
        for task in known
        if task.measures is not None
    ]
    right = [task.right / len(task.verdicts) for task in known]
    return logistic(rows, right, [task.cluster for task in known], names=NUMBERS)


def classes(tasks: Iterable[Answered]) -> Counter[str]:
    """How often wrong answers are wrong in each way; answers that are no literals are "no literal"."""
    found = Counter(dict.fromkeys(CLASSES, 0))
    for task in tasks:
        for answer in task.wrong:
            try:
                found[difference_class(answer, task.expected)] += 1
            except BadSource:
                found["no literal"] += 1
    return found
