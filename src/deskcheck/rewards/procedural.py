"""Offer the tasks as a dataset of reasoning-gym: question, answer, metadata, and a score for an answer.

    deskcheck.register_dataset()
    data = reasoning_gym.create_dataset("deskcheck", size=100, seed=3, questions=["output"])
    data.score_answer(answer, data[0])

reasoning-gym asks for answers between marks of its own and passes on the text between them. So the questions
here ask for the answer without marks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from deskcheck.rewards import functions
from deskcheck.rewards.environment import DEFAULT_FAMILIES, DEFAULT_QUESTIONS, options_of
from deskcheck.rewards.libraries import need
from deskcheck.rewards.tasks import FIRST_HELD_OUT, RewardTask, tasks

NAME = "deskcheck"


@dataclass
class DeskcheckConfig:
    """Options of the dataset, in the form that reasoning-gym requires."""

    size: int = 500
    seed: int | None = None
    questions: Sequence[str] = DEFAULT_QUESTIONS
    min_steps: int = 5
    max_steps: int = 200
    families: Sequence[str] = DEFAULT_FAMILIES

    def validate(self) -> None:
        """Raise UserError, which names an option out of range."""
        next(self.stream())  # the options are checked with the first task

    def stream(self) -> Iterator[RewardTask]:
        """Yield tasks without end; a seed of FIRST_HELD_OUT or more wraps around.

        UserError comes with the first task if an option is out of range.
        """
        steps = (self.min_steps, self.max_steps)
        seed = (self.seed or 0) % FIRST_HELD_OUT
        return tasks(options_of(self.questions, steps, self.families, seed=seed), tags=False)


def entry_of(task: RewardTask, index: int) -> dict[str, Any]:
    """Convert a task to reasoning-gym's entry: question, answer, metadata."""
    question = "\n".join(message["content"] for message in task.prompt)
    metadata = {
        "source_dataset": NAME,
        "source_index": index,
        **{name: getattr(task, name) for name in ("task_id", "kind", "pays", "steps", "family")},
        "difficulty": {"steps": task.steps},
    }
    return {"question": question, "answer": task.expected, "metadata": metadata}


def score(answer: str | None, entry: dict[str, Any]) -> float:
    """Return the mean of the rewards that the entry's task pays, from 0 to 1; 0 without an answer."""
    metadata = entry["metadata"]
    if not isinstance(answer, str):
        return 0.0
    columns = {"kind": [metadata["kind"]], "expected": [entry["answer"]], "pays": [metadata["pays"]]}
    paid = [functions.NAMES[name]([answer], **columns)[0] or 0.0 for name in metadata["pays"]]
    return sum(paid) / len(paid)


def register_dataset() -> None:
    """Make the dataset "deskcheck" known to reasoning-gym; a second call changes nothing.

    Errors: MissingExtra without reasoning-gym, which the extra `rl` brings.

    >>> deskcheck.register_dataset()
    >>> import reasoning_gym
    >>> data = reasoning_gym.create_dataset("deskcheck", size=2, seed=1, questions=["output"])
    >>> len(data)
    2
    """
    library, factory = need("reasoning_gym.dataset"), need("reasoning_gym.factory")
    if NAME in factory.DATASETS:
        return

    class DeskcheckDataset(library.ProceduralDataset):  # type: ignore[misc,name-defined]  # optional library
        """Entries that are made when they are first needed, and then stored."""

        def __init__(self, config: DeskcheckConfig) -> None:
            super().__init__(config=config, seed=config.seed, size=config.size)
            self._stream = config.stream()
            self._tasks: list[RewardTask] = []

        def __getitem__(self, idx: int) -> dict[str, Any]:
            if not 0 <= idx < self.size:
                raise IndexError(idx)
            self._tasks += islice(self._stream, max(0, idx + 1 - len(self._tasks)))
            return entry_of(self._tasks[idx], idx)

        def score_answer(self, answer: str | None, entry: dict[str, Any]) -> float:
            """Score a bare answer by the rewards of its task."""
            return score(answer, entry)

    factory.register_dataset(NAME, DeskcheckDataset, DeskcheckConfig)
