"""Run a strategy on many programs at once, with a model trained from scratch and without a whole evaluation.

    rollouts(model, "line-n", tasks(runs), Settings(skip="likely")) -> [Rollout, ..] in the order of the tasks

The scores of chains and jumps on a card thus come from the code that `deskcheck eval` runs. The loops run
concurrently, and their pending questions go to the model as one batch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from deskcheck import plugins
from deskcheck.decontamination.canonical import normal_form
from deskcheck.models.tiny import Request
from deskcheck.records import Answer, Completion, Program, Prompt, Rollout, Task, Trace
from deskcheck.states.parse import outcome
from deskcheck.states.steps import run_of
from deskcheck.strategies import Settings

Run = tuple[Program, Trace]


def tasks(runs: Sequence[Run]) -> list[Task]:
    """Make an output task from each run."""
    result = []
    for program, trace in runs:
        truth = outcome(run_of(trace)[-1][1])
        text = truth.text if isinstance(truth, Answer) else ""  # an outcome without a literal is never right
        form = normal_form(program.source)
        result.append(Task(program.id, program.origin, "output", program, text, trace, form))
    return result


def is_right(task: Task, rollout: Rollout) -> bool:
    """Whether the answer is the true outcome letter by letter, including the message of an exception."""
    if not isinstance(rollout.answer, Answer) or rollout.answer.text != task.expected:
        return False
    raised = task.expected.startswith("raises ")
    return not raised or rollout.completions[-1].text.endswith(str(run_of(task.truth)[-1][1]))


def rollouts(model: Any, strategy: str, asked: Sequence[Task], settings: Settings) -> list[Rollout]:
    """Run the strategy on every task; answers are greedy unless the strategy asks for a temperature."""
    return asyncio.run(_attempts(model, plugins.load("strategy", strategy), asked, settings))


async def _attempts(model: Any, strategy: Any, asked: Sequence[Task], settings: Settings) -> list[Rollout]:
    waiting: list[tuple[Request, asyncio.Future[Completion]]] = []
    drawn: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        future: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        waiting.append((request_of(prompt, len(drawn)), future))
        if prompt.temperature > 0:
            drawn.append(prompt)
        return await future

    loops = [asyncio.ensure_future(strategy.run(task, ask, settings)) for task in asked]
    while True:
        await asyncio.sleep(0)  # each loop that can continue asks its next question
        if not waiting:
            break
        batch, waiting[:] = list(waiting), []
        completions = model.generate([request for request, _ in batch])
        for (_, future), completion in zip(batch, completions, strict=True):
            future.set_result(completion)
    return [await loop for loop in loops]


def request_of(prompt: Prompt, seed: int = 0) -> Request:
    """Turn a prompt into a request to our models, with the system message as its head.

    `seed` decides a sampled answer; it has no effect on a greedy one.
    """
    head = "".join(message.text for message in prompt.messages if message.role == "system")
    body = "".join(message.text for message in prompt.messages if message.role != "system")
    temperature = max(0.0, prompt.temperature)  # -1 = the model's default, greedy
    return Request(
        head, body, prompt.max_tokens, logprobs=prompt.logprobs, temperature=temperature, seed=seed
    )
