"""What each reward pays to answers that execute nothing: the bar that a reward has to be read against.

    print(table(baselines(tasks)))

copy        no execution: the first argument, the next line of the text, a step without changes
majority    the commonest true answer of these tasks, given to all
no program  a true answer of one of these tasks, drawn at random: what can be had without reading the program
coin        one of the two ways that a branching line can go on; only where a reward is about lines
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from msgspec import Struct

from deskcheck.rewards import functions
from deskcheck.rewards.tasks import NEXT_LINE, STEP, RewardTask

COIN = 0.5


class Baseline(Struct, frozen=True):
    """Mean pay of one reward for answers that execute nothing."""

    reward: str
    n: int
    """Tasks that it applies to."""
    copy: float
    majority: float
    no_program: float
    """Expected value over all pairs of a task and an answer."""
    coin: float | None
    """None for rewards that are not about lines."""

    @property
    def bar(self) -> float:
        """What a random answer earns."""
        return max(self.no_program, self.coin or 0.0)


def baselines(tasks: Sequence[RewardTask]) -> list[Baseline]:
    """A row for every reward that some of the tasks pay."""
    found = []
    for name, function in functions.NAMES.items():
        mine = [task for task in tasks if name in task.pays]
        if not mine:
            continue
        answers = {
            kind: Counter(t.expected for t in mine if t.kind == kind) for kind in {t.kind for t in mine}
        }
        commonest = {kind: counted.most_common(1)[0][0] for kind, counted in answers.items()}
        found.append(
            Baseline(
                name,
                len(mine),
                paid(function, mine, lambda task: task.copy),
                paid(function, mine, lambda task, best=commonest: best[task.kind]),  # type: ignore[misc]
                _drawn(function, mine, answers),
                COIN if name == NEXT_LINE else None,
            )
        )
    return found


def paid(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], answer: Callable[[RewardTask], str]
) -> float:
    """Mean reward of one answer a task, over the tasks that it applies to; 0 where there are none."""
    scores = [
        one for one in scored(function, tasks, [written(t, answer(t)) for t in tasks]) if one is not None
    ]
    return sum(scores) / len(scores) if scores else 0.0


def scored(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], completions: Sequence[str]
) -> list[float | None]:
    """Call a reward as a trainer does: a list for every column."""
    return function(
        completions=list(completions),
        kind=[task.kind for task in tasks],
        expected=[task.expected for task in tasks],
        pays=[task.pays for task in tasks],
    )


def written(task: RewardTask, answer: str) -> str:
    """An answer in the form that its task asks for."""
    return answer if task.kind == STEP else f"[ANSWER]{answer}[/ANSWER]"


def _drawn(
    function: functions.RewardFunction, tasks: Sequence[RewardTask], answers: dict[str, Counter[str]]
) -> float:
    total = 0.0
    for kind, counted in answers.items():
        mine = [task for task in tasks if task.kind == kind]
        for answer, times in counted.items():
            scores = scored(function, mine, [written(task, answer) for task in mine])
            total += sum(one or 0.0 for one in scores) * times / sum(counted.values())
    return total / len(tasks)


def table(found: Sequence[Baseline]) -> str:
    """The baselines as lines of text, a reward each."""
    lines = [f"{'reward':<11}{'tasks':>6}{'copy':>8}{'majority':>10}{'no program':>12}{'coin':>6}"]
    for one in found:
        coin = "" if one.coin is None else f"{one.coin:.2f}"
        lines.append(
            f"{one.reward:<11}{one.n:>6}{one.copy:>8.3f}{one.majority:>10.3f}{one.no_program:>12.3f}{coin:>6}"
        )
    return "\n".join(lines)
