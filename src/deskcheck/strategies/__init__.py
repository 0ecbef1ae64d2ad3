"""Ways to ask: one file turns a task into prompts and what comes back into an attempt.

    await vanilla.run(task, ask, max_steps=1000) -> Attempt

A strategy file states

- `FITS`: the kinds of task it can ask ("output"); another pair is refused with the reason,
- `TRAINED`: True if only a model trained on its layout can be expected to follow it,
- `opening(task) -> Prompt`: the first prompt; `--show-prompt` prints it, its hash is in the log,
- `async run(task, ask, *, max_steps) -> Attempt`: the questions, in order.

`ask` is given by whoever runs the strategy. It raises when the model failed, so that no strategy has to look
for that; the attempt then has no answer, with reason "error". No request ever carries a tool.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from deskcheck.errors import UserError
from deskcheck.records import Attempt, Completion, Prompt, Task

Ask = Callable[[Prompt], Awaitable[Completion]]


class Strategy(Protocol):
    """What a strategy file (a module) offers."""

    FITS: frozenset[str]
    TRAINED: bool

    def opening(self, task: Task) -> Prompt:
        """The first prompt."""
        ...

    async def run(self, task: Task, ask: Ask, *, max_steps: int) -> Attempt:
        """Ask, and read the answer."""
        ...


def check_fit(name: str, strategy: Strategy, *, kind: str) -> None:
    """Refuse a strategy that cannot ask this kind of task; the message says what it fits."""
    if kind not in strategy.FITS:
        fits = ", ".join(sorted(strategy.FITS))
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks; it fits: {fits}")
