"""The verdict on an answer, whatever its task: what must be executed first is executed first.

    verdict = await judge(task, answer, sample=0, policy="strict")      Judge()
    judge_all([(task, 0, answer), ..], policy="strict") -> [Score, ..]

`grading` compares and runs nothing; this is where the sandbox comes in. Answers that arrive together from
many samples wait a moment for each other and are run as one batch, in a thread, so that no model waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from deskcheck.grading.verdict import score
from deskcheck.records import Answer, Executed, NoAnswer, Score, Task
from deskcheck.solutions.answers import Pair, execute

PAUSE_S = 0.05
"""How long the first answer of a batch waits for more: starting the sandbox costs more than that."""

Execute = Callable[[Sequence[Pair]], list[Executed]]


def needs_running(task: Task, answer: Answer | NoAnswer) -> bool:
    """Whether there is an answer that cannot be graded as it stands."""
    return task.grading == "executed" and isinstance(answer, Answer)


def judge_all(
    answered: Sequence[tuple[Task, int, Answer | NoAnswer]], *, policy: str, run: Execute = execute
) -> list[Score]:
    """Verdicts in order; (task, sample, answer)."""
    waiting = [
        (task, answer)
        for task, _, answer in answered
        if isinstance(answer, Answer) and needs_running(task, answer)
    ]
    executed = iter(run(waiting) if waiting else [])
    return [
        score(task, next(executed) if needs_running(task, answer) else answer, sample=sample, policy=policy)
        for task, sample, answer in answered
    ]


class Judge:
    """Verdicts one by one, for samples that finish at their own time in one event loop."""

    def __init__(self, run: Execute = execute) -> None:
        self._run = run
        self._waiting: list[tuple[Pair, asyncio.Future[Executed]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def __call__(self, task: Task, answer: Answer | NoAnswer, *, sample: int, policy: str) -> Score:
        """The verdict on one sample."""
        if not isinstance(answer, Answer) or not needs_running(task, answer):
            return score(task, answer, sample=sample, policy=policy)
        future: asyncio.Future[Executed] = asyncio.get_running_loop().create_future()
        self._waiting.append(((task, answer), future))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        return score(task, await future, sample=sample, policy=policy)

    async def _flush(self) -> None:
        await asyncio.sleep(PAUSE_S)
        waiting, self._waiting, self._flushing = self._waiting, [], None
        try:
            done = await asyncio.to_thread(self._run, [pair for pair, _ in waiting])
        except BaseException as error:  # whoever waits gets it, a cancellation too; then it goes on
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)
            raise
        for (_, future), executed in zip(waiting, done, strict=True):
            if not future.done():  # a cancelled sample no longer waits
                future.set_result(executed)
