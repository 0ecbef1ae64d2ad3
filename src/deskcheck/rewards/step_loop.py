"""Reward one run as a conversation: the model gets a state, writes the step, and gets the next state.

    loop = StepLoop(next(runs(TaskOptions(steps=(5, 40)))))
    loop.messages                 the notation, the program, the first state
    loop.reply("@3 | s=1")        -> Reply(reward=0.25, done=False, body="@3 | n=2; s=1\\n..")

A right step is paid if it needs execution (not `step_parts.is_blind`); all paid steps of a run earn 1
together. The first wrong step, or a reply that is no step, ends the run. So the total reward is the share of
paid steps that come before the model's first mistake. A run is stored with its states and steps, so no
program is executed during the conversation. Source: the dynamic scratchpad of Execution Tuning (arXiv
2503.05703), with one step per turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from deskcheck.layouts import line_1
from deskcheck.rewards.functions import step_of
from deskcheck.rewards.step_parts import is_blind
from deskcheck.rewards.tasks import STEP, Counts, TaskOptions, fresh_runs
from deskcheck.states.steps import head, run_of
from deskcheck.states.tree import Step
from deskcheck.turns.worked_examples import rules


class Turn(Struct, frozen=True):
    """One step of a run: the state that is shown, and the right step."""

    body: str
    """The state, and the text of its line."""
    expected: str
    """The step in the notation of the layout."""
    paid: bool
    """Whether a right answer needs execution."""


class RunTask(Struct, frozen=True):
    """One run that the model executes step by step."""

    task_id: str
    system: str
    """The notation in words, and the numbered program."""
    turns: list[Turn]
    steps: int
    """Executed lines; turns also count calls and returns."""
    family: str

    @property
    def prompt(self) -> list[dict[str, str]]:
        """The messages before the model's first step."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.turns[0].body},
        ]


class Reply(Struct, frozen=True):
    """Reward of a step, and the state that is shown next."""

    reward: float
    done: bool
    body: str
    """The next state; "" at the end."""


def runs(options: TaskOptions, counts: Counts | None = None) -> Iterator[RunTask]:
    """Yield runs without end, each with at least one paid step. UserError as in `tasks`."""
    counts = Counts() if counts is None else counts
    for program, trace, family in fresh_runs(options, counts):
        turns = [
            Turn(line_1.body(before, program), str(step), not is_blind(before, step))
            for before, step, _ in run_of(trace)
        ]
        if not any(turn.paid for turn in turns):
            counts.dropped["blind"] += 1
            continue
        counts.tasks += 1
        yield RunTask(program.id, rules(STEP) + "\n" + head(STEP, program), turns, trace.n_steps, family)


class StepLoop:
    """The state of one conversation about one run."""

    def __init__(self, run: RunTask) -> None:
        self.run = run
        self.at = 0
        """Number of right replies so far."""
        self.total = 0.0
        """Sum of the rewards so far."""
        self.done = False
        self._share = 1 / sum(turn.paid for turn in run.turns)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The messages before the first step."""
        return self.run.prompt

    def reply(self, text: str) -> Reply:
        """Take the model's step and return its reward and the next state. ValueError if the run is over."""
        if self.done:
            raise ValueError(f"the run {self.run.task_id} is over; begin another one")
        turn = self.run.turns[self.at]
        if not is_right(text, turn.expected):
            self.done = True
            return Reply(0.0, True, "")
        self.at += 1
        self.done = self.at == len(self.run.turns)
        reward = self._share if turn.paid else 0.0
        self.total += reward
        return Reply(reward, self.done, "" if self.done else self.run.turns[self.at].body)


def is_right(text: str, expected: str) -> bool:
    """Return whether a reply is the one expected step; the order of its changes does not count."""
    step, truth = step_of(text), step_of(expected)
    return step is not None and truth is not None and _form(step) == _form(truth)


def _form(step: Step) -> tuple[str, int, str, list[str]]:
    return step.mark, step.line, str(step.value), sorted(map(str, step.changes))
