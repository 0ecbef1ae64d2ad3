"""Offer the tasks through the interface of OpenEnv: reset shows a task, step takes the model's text.

    environment = deskcheck.create_environment(questions=["run"], steps=[5, 40])
    shown = environment.reset(seed=7)                       # shown.messages
    shown = environment.step(environment.action(text="@3 | s=1"))  # .reward, .done, .messages

The seed of `reset` is the number of the task in the stream; without a seed, tasks follow one another. To
serve the environment: `openenv.core.env_server.create_fastapi_app(create_environment, ..)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from deskcheck.rewards import functions
from deskcheck.rewards.environment import DEFAULT_FAMILIES, DEFAULT_QUESTIONS, RUN, options_of
from deskcheck.rewards.libraries import need
from deskcheck.rewards.step_loop import RunTask, StepLoop, runs
from deskcheck.rewards.tasks import RewardTask, tasks


class Episodes:
    """Sequence of tasks, independent of the library; OpenEnv's class only passes calls on to this one."""

    def __init__(self, questions: Sequence[str], steps: Sequence[int], families: Sequence[str], seed: int):
        options = options_of(questions, steps, families, seed=seed)
        self._stream: Iterator[RewardTask | RunTask] = runs(options) if RUN in questions else tasks(options)
        self._tasks: list[RewardTask | RunTask] = []
        self._number = -1
        self._loop: StepLoop | None = None
        self.steps = 0
        """Number of replies taken in this episode."""
        self.done = True

    def begin(self, number: int | None = None) -> list[dict[str, str]]:
        """Return the messages of a task: the one with this number, or the next."""
        self._number = self._number + 1 if number is None else number
        while len(self._tasks) <= self._number:
            self._tasks.append(next(self._stream))
        task = self._tasks[self._number]
        self._loop = StepLoop(task) if isinstance(task, RunTask) else None
        self.steps, self.done = 0, False
        return task.prompt

    def reply(self, text: str) -> tuple[float, list[dict[str, str]]]:
        """Return the reward of a reply, and the messages that follow. ValueError if the episode is over.

        For a question, the reward is the mean of the rewards that the task pays, minus 1 if the reply has not
        exactly one readable answer. For a step of a run, it is the reward of `StepLoop.reply`.
        """
        if self.done:
            raise ValueError("the episode is over; call reset")
        self.steps += 1
        if self._loop is not None:
            reply = self._loop.reply(text)
            self.done = reply.done
            return reply.reward, [] if reply.done else [{"role": "user", "content": reply.body}]
        self.done = True
        task = self._tasks[self._number]
        assert isinstance(task, RewardTask)
        columns = {"kind": [task.kind], "expected": [task.expected], "pays": [task.pays]}
        paid = [functions.NAMES[name]([text], **columns)[0] or 0.0 for name in task.pays]
        return sum(paid) / len(paid) + (functions.form([text], [task.kind])[0] or 0.0), []


def create_environment(
    questions: Sequence[str] = DEFAULT_QUESTIONS,
    steps: Sequence[int] = (5, 200),
    families: Sequence[str] = DEFAULT_FAMILIES,
    seed: int = 0,
) -> Any:
    """Make an environment of OpenEnv: `reset` shows a task, `step` takes the model's text.

    Arguments:

    - `questions`: kinds of question, or ["run"], the step loop; `families`: families of generated programs.
    - `steps`: smallest and largest number of executed lines of a program's run.
    - `seed`: the same seed gives the same tasks.

    Errors: UserError for options that no program fits; MissingExtra without the library openenv-core.

    >>> environment = deskcheck.create_environment(["output"], (3, 25), ["easy"])
    >>> environment.reset(seed=0).done
    False
    """
    interfaces, types = need("openenv.core.env_server.interfaces"), need("openenv.core.env_server.types")

    class StepAction(types.Action):  # type: ignore[misc,name-defined]  # the library is optional
        """The text that the model wrote."""

        text: str

    class StepObservation(types.Observation):  # type: ignore[misc,name-defined]
        """The new messages that the model is shown."""

        messages: list[dict[str, str]]

    class DeskcheckEnvironment(interfaces.Environment):  # type: ignore[misc,name-defined]
        """Episodes of deskcheck behind reset and step."""

        action = StepAction

        def __init__(self) -> None:
            super().__init__()
            self._episodes = Episodes(questions, steps, families, seed)
            self._id = ""

        def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
            """Begin an episode; a seed is the number of its task."""
            self._id = episode_id or uuid4().hex
            return StepObservation(messages=self._episodes.begin(seed))

        def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
            """Take the text that the model wrote, and return reward and messages."""
            reward, messages = self._episodes.reply(action.text)
            return StepObservation(messages=messages, reward=reward, done=self._episodes.done)

        @property
        def state(self) -> Any:
            """The id of the episode and the number of replies in it."""
            return types.State(episode_id=self._id, step_count=self._episodes.steps)

    return DeskcheckEnvironment()
