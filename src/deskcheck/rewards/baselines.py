"""Compute the reward that answers without execution earn: the baseline for every mean reward.

    print(table(baselines(tasks)))

copy        the call's first argument, the next line of the text, or a step without changes
majority    the most frequent true answer to a kind of question, given to all its tasks
no program  the true answer to some task of the kind, drawn at random without reading the program
coin        one of the two lines that can follow a branching line; only for rewards about lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from msgspec import Struct

from deskcheck.rewards import functions
from deskcheck.rewards.tasks import NEXT_LINE, STEP, RewardTask

COIN = 0.5


class Baseline(Struct, frozen=True):
    """Mean reward that answers without execution earn, for one reward function."""

    reward: str
    n: int
    """Number of tasks that the reward applies to."""
    copy: float
    majority: float
    no_program: float
    """Expected value over all pairs of a task and an answer."""
    coin: float | None
    """Expected reward of a guessed line; None for rewards that are not about lines."""

    @property
    def bar(self) -> float:
        """The higher reward of the two kinds of guess: a drawn answer, and a coin."""
        return max(self.no_program, self.coin or 0.0)


def baselines(tasks: Sequence[RewardTask]) -> list[Baseline]:
    """Return a row for every reward that some of the tasks pay."""
    rows = []
    for name, function in functions.NAMES.items():
        paid_tasks = [task for task in tasks if name in task.pays]
        if not paid_tasks:
            continue
        answers = {
            kind: Counter(t.expected for t in paid_tasks if t.kind == kind)
            for kind in {t.kind for t in paid_tasks}
        }
        commonest = {kind: counted.most_common(1)[0][0] for kind, counted in answers.items()}
        rows.append(
            Baseline(
                name,
                len(paid_tasks),
                paid(function, paid_tasks, lambda task: task.copy),
                paid(function, paid_tasks, partial(_of_its_kind, commonest)),
                _drawn(function, paid_tasks, answers),
                COIN if name == NEXT_LINE else None,
            )
        )
    return rows


def _of_its_kind(answers: Mapping[str, str], task: RewardTask) -> str:
    return answers[task.kind]


def paid(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], answer: Callable[[RewardTask], str]
) -> float:
    """Return the mean reward of one answer per task, over the tasks that the reward applies to, or 0."""
    scores = [
        one for one in scored(function, tasks, [written(t, answer(t)) for t in tasks]) if one is not None
    ]
    return sum(scores) / len(scores) if scores else 0.0


def scored(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], completions: Sequence[str]
) -> list[float | None]:
    """Call a reward function as a trainer does, with a list for every column."""
    return function(
        completions=list(completions),
        kind=[task.kind for task in tasks],
        expected=[task.expected for task in tasks],
        pays=[task.pays for task in tasks],
    )


def written(task: RewardTask, answer: str) -> str:
    """Write an answer in the form that its task asks for."""
    return answer if task.kind == STEP else f"[ANSWER]{answer}[/ANSWER]"


def _drawn(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], answers: dict[str, Counter[str]]
) -> float:
    """Return the mean reward over all pairs of a task and a true answer to a task of its kind."""
    total = 0.0
    for kind, counted in answers.items():
        mine = [task for task in tasks if task.kind == kind]
        for answer, times in counted.items():
            scores = scored(function, mine, [written(task, answer) for task in mine])
            total += sum(one or 0.0 for one in scores) * times / sum(counted.values())
    return total / len(tasks)


def table(rows: Sequence[Baseline]) -> str:
    """Return the baselines as lines of text, one reward each."""
    lines = [f"{'reward':<11}{'tasks':>6}{'copy':>8}{'majority':>10}{'no program':>12}{'coin':>6}"]
    for row in rows:
        coin = "" if row.coin is None else f"{row.coin:.2f}"
        lines.append(
            f"{row.reward:<11}{row.n:>6}{row.copy:>8.3f}{row.majority:>10.3f}{row.no_program:>12.3f}{coin:>6}"
        )
    return "\n".join(lines)
