"""Ways to ask: one file turns a task into prompts and what comes back into an attempt.

    await vanilla.run(task, ask, Knobs()) -> Attempt

A strategy file states

- `FITS`: the kinds of task it can ask: ANY, or a set of names; `WHY`: the reason why another one is refused,
- `KNOBS`: the fields of `Knobs` that it reads; `LANGUAGES` where it can ask in more than English,
- `refusal(kind, knobs) -> str`, if it has one: why it cannot ask such a task with these knobs,
- `TRAINED`: True if only a model trained on its layout can be expected to follow it,
- `ORACLE`: True where the truth is in the loop; such rows are marked everywhere,
- `CHAIN`: what `Attempt.chain` holds, if it is to be compared with the run: "states" (the state after every
  step), "jumps" (states some steps apart) or "words" (`@line | bindings` after every line of the entry),
- `AT_ONCE`: True where one short request is all there is, so that a row is fair beside any other;
  `AT_COST`: True where a row is a fair neighbour of an iterative one that spends as much;
  `CONTROL`: True where the program is not shown,
- `opening(task, knobs) -> Prompt`: the first prompt; `--show-prompt` prints it, its hash is in the log,
- `async run(task, ask, knobs) -> Attempt`: the questions, in order.

`ask` is given by whoever runs the strategy. It raises when the model failed, so that no strategy has to look
for that; the attempt then has no answer, with reason "error". No request ever carries a tool.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import Attempt, Completion, Prompt, Task

Ask = Callable[[Prompt], Awaitable[Completion]]
ANY: frozenset[str] = frozenset()
"""FITS of a strategy that puts the task's own question into its prompt: every kind."""


class Knobs(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """What can be turned at a strategy; each reads those that it names in KNOBS."""

    max_steps: int = 1000
    """Budget of a step loop, in questions; never derived from the truth."""
    language: str = "en"
    """Of the prompt: en, zh."""
    history: str = "full"
    """How much of the conversation a request shows: full, last-K exchanges, or the last state alone."""
    on_error: str = "stop"
    """A reply that cannot be read: stop; reask it; check, which not every strategy has: iterative prompting
    asks again and lets the model check every state, line-n and instruction-n check every jump by single
    steps."""
    passes: int = 1
    """How often the program is gone through; a later pass sees the answer of the one before."""
    votes: int = 5
    """Answers of which the most frequent one counts."""
    shots: int = 0
    """Worked examples before the question; 0 for models trained on a layout."""
    skip: str = "4"
    """How far one question jumps: a number of steps, likely (the model's own confidence decides), or search
    (every length is tried against the truth: an upper bound, marked as oracle)."""
    sure: float = 0.9
    """skip=likely takes a jump whose answer has at least this probability."""
    jump: str = "over"
    """debugger: over (next line of this frame), return (end of this frame), breakpoint (its return lines)."""
    feed: str = "own"
    """Which state a step starts from: the model's own, or the true one (accuracy per step; an oracle)."""
    planted: str = "0"
    """States said in the model's place at the start: 3wrong, 3true (the control); 0 = none. An oracle."""


# What a value looks like, and the same in words.
CHECKS = {
    "max_steps": (r"[1-9]\d*", "a number from 1 on"),
    "language": ("en|zh", "en or zh"),
    "history": (r"full|state|last-[1-9]\d*", "full, state or last-K, for example last-3"),
    "on_error": ("stop|reask|check", "stop, reask or check"),
    "passes": (r"[1-9]\d?", "a number from 1 to 99"),
    "votes": (r"[1-9]\d*", "a number from 1 on"),
    "shots": (r"\d", "a number from 0 to 9"),
    "skip": (r"[1-9]\d*|likely|search", "a number of steps, likely or search"),
    "sure": (r"0?\.\d+|1\.0|0\.0", "a probability, for example 0.9"),
    "jump": ("over|return|breakpoint", "over, return or breakpoint"),
    "feed": ("own|true", "own or true"),
    "planted": (r"0|[1-9]\d?(wrong|true)", "0, Nwrong or Ntrue, for example 3wrong"),
}


class Strategy(Protocol):
    """What a strategy file (a module) offers."""

    FITS: frozenset[str]
    KNOBS: frozenset[str]
    TRAINED: bool

    def opening(self, task: Task, knobs: Knobs) -> Prompt:
        """The first prompt."""
        ...

    async def run(self, task: Task, ask: Ask, knobs: Knobs) -> Attempt:
        """Ask, and read the answer."""
        ...


def check_fit(name: str, strategy: Strategy, *, kind: str, knobs: Knobs | None = None) -> None:
    """Refuse a strategy that cannot ask this kind of task, or not with these knobs; the message says why."""
    if strategy.FITS and kind not in strategy.FITS:
        fits = ", ".join(sorted(strategy.FITS))
        why = f"; {strategy.WHY}" if hasattr(strategy, "WHY") else ""
        raise UserError(f"strategy '{name}' cannot ask for '{kind}' tasks; it fits: {fits}{why}")
    why = strategy.refusal(kind, knobs) if knobs and hasattr(strategy, "refusal") else ""
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


def make_knobs(values: dict[str, object]) -> Knobs:
    """Knobs from names and values (text or not). UserError names what cannot be."""
    for name, value in values.items():
        if name not in CHECKS:
            raise UnknownName("knob", name, list(CHECKS))
        form, words = CHECKS[name]
        if not re.fullmatch(form, str(value)):
            raise UserError(f"knob {name}={value}: expected {words}")
    return msgspec.convert({name: str(value) for name, value in values.items()}, Knobs, strict=False)


def knobs_of(name: str, strategy: Strategy, knobs: Knobs) -> Knobs:
    """Only what this strategy reads; the rest as it comes. UserError for a language it cannot ask in."""
    known = {knob: getattr(knobs, knob) for knob in strategy.KNOBS}
    if "language" in known and knobs.language not in getattr(strategy, "LANGUAGES", ("en",)):
        raise UserError(f"strategy '{name}' asks in {', '.join(getattr(strategy, 'LANGUAGES', ('en',)))}")
    return Knobs(**known)


def label(name: str, knobs: Knobs) -> str:
    """The name with the knobs that are not as they come: "iip-dynamic(history=state)"."""
    turned = msgspec.to_builtins(knobs)
    return f"{name}({', '.join(f'{knob}={value}' for knob, value in turned.items())})" if turned else name


def is_oracle(strategy: Strategy, knobs: Knobs) -> bool:
    """Does anything in the loop see the truth?"""
    turned = knobs.skip == "search" or knobs.feed == "true" or knobs.planted != "0"
    return turned or bool(getattr(strategy, "ORACLE", False))
