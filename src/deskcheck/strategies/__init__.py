"""Ways to ask: one file turns a task into prompts and what comes back into an attempt.

    await vanilla.run(task, ask, Settings()) -> Attempt

A strategy file states

- `FITS`: the kinds of task it can ask: ANY, or a set of names; `WHY`: the reason why another one is refused,
- `SETTINGS`: the fields of `Settings` that it reads; `LANGUAGES` where it can ask in more than English,
- `refusal(kind, settings) -> str`, if it has one: why it cannot ask such a task with these settings,
- `TRAINED`: True if only a model trained on its layout can be expected to follow it,
- `ORACLE`: True where the truth is in the loop; such rows are marked everywhere,
- `CHAIN`: what `Attempt.chain` holds, if it is to be compared with the run: "states" (the state after every
  step), "jumps" (states some steps apart) or "words" (`@line | bindings` after every line of the entry),
- `AT_ONCE`: True where one short request is all there is, so that a row is fair beside any other;
  `AT_COST`: True where a row is a fair neighbour of an iterative one that spends as much;
  `CONTROL`: True where the program is not shown,
- `ITERATIVE`: True for a form of iterative instruction prompting (the tables of arXiv 2410.06667),
- `FORCED`: granularity of the steps that teacher_forcing asks, where it is finer than lines,
- `opening(task, settings) -> Prompt`: the first prompt; `--show-prompt` prints it, its hash is in the log,
- `async run(task, ask, settings) -> Attempt`: the questions, in order.

`ask` is given by whoever runs the strategy. It raises when the model failed, so that no strategy has to look
for that; the attempt then has no answer, with reason "error". No request ever carries a tool.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import Attempt, Prompt, Task
from deskcheck.turns.settings import ANY as ANY
from deskcheck.turns.settings import Ask as Ask
from deskcheck.turns.settings import Settings as Settings
from deskcheck.turns.wording import title


class Strategy(Protocol):
    """What a strategy file (a module) offers."""

    FITS: frozenset[str]
    SETTINGS: frozenset[str]
    TRAINED: bool

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """Make the first prompt of a rollout."""
        ...

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Attempt:
        """Ask, and read the answer."""
        ...


def check_fit(name: str, strategy: Strategy, *, kind: str, settings: Settings | None = None) -> None:
    """Refuse a strategy that cannot ask this kind of task with these settings; the message says why."""
    if strategy.FITS and kind not in strategy.FITS:
        fits = ", ".join(sorted(strategy.FITS))
        why = f"; {strategy.WHY}" if hasattr(strategy, "WHY") else ""
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks; it fits: {fits}{why}")
    why = strategy.refusal(kind, settings) if settings and hasattr(strategy, "refusal") else ""
    if why:
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks so: {why}")


def check_program(name: str, strategy: Strategy, task: Task) -> None:
    """Refuse a task whose program the strategy cannot read."""
    if reads_python(strategy) and task.program.language != "python":
        raise UserError(
            f"strategy '{name}' reads Python; task {task.id} of '{task.benchmark}' "
            f"is in {task.program.language}"
        )


def reads_python(strategy: Strategy) -> bool:
    """Only programs in Python? Those that fit any kind put any text into their prompt."""
    return bool(strategy.FITS) or bool(getattr(strategy, "PYTHON", False))


def says(name: str, what: str) -> str:
    """What a strategy's file states under that name, as text; "" for nothing, and where it is not installed.

    Stored rows may come from a strategy of another installation.
    """
    try:
        found = getattr(plugins.load("strategy", name), what, "")
    except UnknownName:
        return ""
    return str(found) if found else ""


def settings_of(name: str, strategy: Strategy, settings: Settings) -> Settings:
    """Only what this strategy reads; the rest as it comes. UserError for a language it cannot ask in."""
    known = {setting: getattr(settings, setting) for setting in strategy.SETTINGS}
    if "language" in known and settings.language not in getattr(strategy, "LANGUAGES", ("en",)):
        raise UserError(f"strategy '{name}' asks in {', '.join(getattr(strategy, 'LANGUAGES', ('en',)))}")
    return Settings(**known)


def label(name: str, settings: Settings) -> str:
    """The name with the settings that are not as they come: "iip-dynamic(history=state)"."""
    turned = msgspec.to_builtins(settings)
    if settings.prompt:
        turned["prompt"] = title(settings.prompt)
    return (
        f"{name}({', '.join(f'{setting}={value}' for setting, value in turned.items())})" if turned else name
    )


def is_oracle(strategy: Strategy, settings: Settings) -> bool:
    """Does anything in the loop see the truth?"""
    turned = settings.skip == "search" or settings.teacher_forcing == "true" or settings.inject_states != "0"
    return turned or bool(getattr(strategy, "ORACLE", False))
