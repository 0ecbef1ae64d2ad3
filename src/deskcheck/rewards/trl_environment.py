"""Offer the tasks as an environment of TRL that owns its reward (`environment_factory`, `get_reward`).

    GRPOTrainer(model=.., environment_factory=ExecutionEnvironment, train_dataset=rows, args=..)

`rows` are those of `tasks.dataset`: TRL passes the columns of a row to `reset`. The model calls the tool
`submit` with its answer, once; `get_reward` is called by TRL at the end of the rollout. The truth is in the
environment alone, in an attribute that no tool shows. No model's text is executed.
"""

from __future__ import annotations

from typing import Any

from deskcheck.rewards import functions


class ExecutionEnvironment:
    """One task; the first answer that the model submits earns the rewards that the task pays, from 0 to 1."""

    def __init__(self) -> None:
        self._kind, self._expected, self._pays = "", "", [""]
        self._submitted: list[str] = []

    def reset(self, **row: Any) -> None:
        """Begin the task of a row; its columns kind, expected and pays hold the truth."""
        self._kind, self._expected = str(row["kind"]), str(row["expected"])
        self._pays = list(row["pays"])
        self._submitted = []

    def submit(self, answer: str) -> str:
        """Submit the final answer. Only the first one counts.

        Args:
            answer: The answer in the form that the question asks for.

        Returns:
            Whether it was taken.
        """
        self._submitted.append(str(answer))
        return "taken" if len(self._submitted) == 1 else "only the first answer counts"

    def get_reward(self) -> float:
        """Return the mean of the rewards that the task pays; 0 without an answer."""
        if not self._submitted:
            return 0.0
        answer = self._submitted[0]
        columns = {"kind": [self._kind], "expected": [self._expected], "pays": [self._pays]}
        paid = [functions.NAMES[name]([answer], **columns)[0] or 0.0 for name in self._pays]
        if not any(paid):  # a bare value is as good as one in marks: the tool is the mark
            bare = f"[ANSWER]{answer}[/ANSWER]"
            paid = [functions.NAMES[name]([bare], **columns)[0] or 0.0 for name in self._pays]
        return sum(paid) / len(paid)
