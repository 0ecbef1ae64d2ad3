"""Let a model execute a program step by step, and compare its states with the true ones.

    await execute(task, ask, max_steps=200) -> Execution(steps, answer)
    run_execute(program, trace, model="tiny", ..)  the same with the name of a model

The model starts from the true state of the call; every later prompt holds the model's own last state. It is
asked in the named strategy, else in the first layout on its card that goes from state to state. A model
without a card is asked in line-1. If a reply cannot be read, the model is asked again (ON_ERROR), and
`n_again` counts these questions. Every state is compared with the true state of the same number. `apart`
names the parts that differ, so the first step with a non-empty `apart` is the divergence.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.step_scores import parts_apart
from deskcheck.inference.engine import Card
from deskcheck.languages import part
from deskcheck.layouts.line_1 import LAYOUT as LINE_1
from deskcheck.records import (
    OUT_OF_STEPS,
    Answer,
    BeliefStep,
    Completion,
    NoAnswer,
    Program,
    Prompt,
    Raised,
    Returned,
    Rollout,
    Task,
    Trace,
)
from deskcheck.states.parse import read_state
from deskcheck.states.steps import whole_run
from deskcheck.strategies import Ask, Settings, says
from deskcheck.tracing.literal import is_plain, outcome_text

ON_ERROR = "reask"
"""Reaction to a reply that cannot be read: ask the same question again."""


class Execution(Struct, frozen=True):
    """All steps of model and truth, and the model's answer."""

    steps: list[BeliefStep]
    answer: Answer | NoAnswer
    expected: str
    """The true outcome as an answer."""
    n_questions: int = 0
    """Number of prompts that the model was asked."""
    n_again: int = 0
    """Number of these prompts that repeat an earlier one, because its reply could not be read."""
    strategy: str = LINE_1
    """Strategy in which the model was asked."""
    note: str = ""
    """What a reader must know to judge the model's steps on this program; "" = nothing."""


def version_note(card: Card, program: Program) -> str:
    """Explain why a right model can differ from the true steps, having learned those of another Python."""
    if program.language != "python" or not card.comprehensions:
        return ""
    if not part("python", "is_inlined")(program.source):
        return ""
    return f"{card.comprehensions} So the model's steps differ there. Its answer can be right."


async def execute(task: Task, ask: Ask, *, max_steps: int, strategy: str = LINE_1) -> Execution:
    """Run the model until it ends its run, or to `max_steps`, and compare its states with the true ones."""
    rollout = await plugins.load("strategy", strategy).run(task, ask, _settings(max_steps))
    return beside(task, rollout, strategy)


def chain_of(layouts: list[str]) -> str:
    """Return the first of a card's layouts whose strategy goes from state to state, or else line-1."""
    return next((name for name in layouts if says(name, "CHAIN") == "states"), LINE_1)


def check_strategy(name: str) -> str:
    """Return the name of a strategy that goes from state to state. UserError for any other."""
    if says(name, "CHAIN") != "states":
        known = [one for one in plugins.listed("strategy") if says(one, "CHAIN") == "states"]
        raise UserError(
            f"strategy '{name}': a run is executed by one that goes from state to state: {', '.join(known)}"
        )
    return name


def _settings(max_steps: int) -> Settings:
    return Settings(max_steps=max_steps, on_error=ON_ERROR)


def beside(task: Task, rollout: Rollout, strategy: str = LINE_1) -> Execution:
    """Pair the states of a rollout, which this strategy asked for, with the true ones."""
    start, run = whole_run(task.truth)
    true = [str(start), *(str(state) for _, state in run[:-1]), f"{run[-1][0]}"]
    believed = [str(start), *(text for text in rollout.chain if text)]
    if isinstance(rollout.answer, Answer):
        counts = getattr(plugins.load("layout", strategy), "scored", str)
        believed.append(counts(rollout.completions[-1].text.strip("\n")))
    rows = []
    for number, (truth, belief) in enumerate(zip_longest(true, believed, fillvalue="")):
        line = _line(truth)
        rows.append(BeliefStep(number, line, truth, belief, parts_apart(truth, belief)))
    # A readable reply is one more state, or the answer that ends the run; any other was asked for again.
    n_read = len(rollout.chain) + isinstance(rollout.answer, Answer)
    n_questions = len(rollout.completions)
    gave_up = isinstance(rollout.answer, NoAnswer) and rollout.answer.reason not in OUT_OF_STEPS
    n_again = max(0, n_questions - n_read - gave_up)
    return Execution(rows, rollout.answer, task.expected, n_questions, n_again, strategy)


def run_execute(
    program: Program,
    trace: Trace,
    *,
    model: str,
    max_steps: int,
    model_args: list[str],
    strategy: str = "",
    after_step: Callable[[int], None] = lambda number: None,
) -> Execution:
    """Let a model, named as in `deskcheck eval`, execute one traced program; UserError if it cannot.

    `strategy`: "" = the first one of its card. `after_step` gets the number of each reply, from 1.
    """
    from deskcheck.evaluation.plan import Plan, model_name, need_inspect, need_model, parse_model_args

    strategy = strategy and check_strategy(strategy)
    need_model(Plan(models=[model] if model else []))
    need_inspect()
    if not isinstance(trace.outcome, Returned | Raised):
        raise UserError(
            f"{program.call} does not come to an end ({trace.outcome}); there is no truth to show"
        )
    if not trace.events.step:
        how = (
            f"raised {trace.outcome.type}: {trace.outcome.message}, before its first line"
            if isinstance(trace.outcome, Raised)
            else "runs no line of the file"
        )
        raise UserError(f"{program.call} {how}; write a call that runs a function of the file: 'f(3)'")
    # Inspect is loaded only here, so that the errors above do not need it.
    from deskcheck.evaluation.client import Asker, Channel, probe, roll_out
    from deskcheck.evaluation.prepare import card_of, open_model

    expected = outcome_text(trace) if is_plain(trace) else "a value that no literal denotes"
    task = Task(program.id, "", "output", program, expected, trace, program.id)
    plan = Plan(models=[model_name(model)], model_args=parse_model_args(model_args))

    class Counted(Asker):
        """Asker that reports the number of replies."""

        async def __call__(self, prompt: Prompt) -> Completion:
            completion = await super().__call__(prompt)
            after_step(len(self.completions))
            return completion

    opened = open_model(plan.models[0], plan)
    probe(opened, say=lambda line: print(line, file=sys.stderr, flush=True))
    card = card_of(opened)
    strategy = strategy or chain_of(card.layouts)
    module = plugins.load("strategy", strategy)
    asker = Counted(opened, (task.id, 0), Channel())

    async def asked() -> Rollout:
        return await roll_out(module, task, asker, _settings(max_steps))

    note = version_note(card, program)
    return replace(beside(task, asyncio.run(asked()), strategy), note=note)


def _line(text: str) -> int:
    """Return the line at which a state stands; 0 for any other text, such as an outcome."""
    if not text or text[0] not in "@>*":
        return 0
    return read_state(text).frames[-1].line
