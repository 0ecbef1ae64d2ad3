"""Strategies that ask one question a step: a layout's question about a state, and how its reply is read.

    LOOP = Stepwise("line-1", body)
    opening, run, estimate, refusal = LOOP.opening, LOOP.run, LOOP.estimate, LOOP.refusal

The loop carries the state and nothing else; `chain.py` says what ends it. With teacher_forcing=true every
step starts from the true state before it (`chain.fed`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from deskcheck.records import Attempt, Granularity, Program, Prompt, Task, Trace
from deskcheck.states.steps import first_state, head, steps
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, Read, estimated, fed, nothing_to_check, question, stepped
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.finer import finer
from deskcheck.turns.settings import Ask, Settings


class Stepwise(Struct, frozen=True):
    """One such strategy, by what it differs in from the others."""

    layout: str
    body: Callable[[StateTree, Program], str]
    """The question about a state."""
    read: Read = stepped
    """A reply: the state after it, or the answer if it ends the run."""
    max_tokens: int = 512
    """Room of one reply."""
    per_line: float = 1.0
    """Questions that an executed line takes, about."""
    granularity: Granularity = Granularity.LINE
    """Of the true steps that `inject_states` counts."""
    head: Callable[[str, Program], str] = head
    """The program as every question shows it first."""

    def opening(self, task: Task, settings: Settings) -> Prompt:
        """The question about the state of the call: the frame of the entry with its arguments."""
        return self._question(task, first_state(task.truth), settings)

    async def run(self, task: Task, ask: Ask, settings: Settings) -> Attempt:
        """Ask one question a step, until the run is over in the model's belief."""

        def asked(state: StateTree) -> Prompt:
            return self._question(task, state, settings)

        if settings.teacher_forcing == "true":
            run = [before for before, _, _ in steps(await self._fine(task), granularity=self.granularity)]
            return await fed(run, ask, settings, asked, self.read)
        start = first_state(task.truth)
        chain = Chain(ask, settings, start, await self._planted(task, settings))
        done = await chain.run(asked, self.read)
        return done if task.kind == "output" else derived.from_chain(task, start, done)

    def estimate(self, task: Task, settings: Settings, first: int) -> list[int]:
        """Tokens of every question, taken to be as long as the first."""
        return estimated(task, settings, first, per_line=self.per_line)

    def refusal(self, kind: str, settings: Settings) -> str:
        """Why it cannot ask such a task with these settings; "" where it can."""
        if settings.teacher_forcing == "false" or settings.on_error == "check":
            return nothing_to_check(kind, settings)
        if settings.inject_states != "0":
            return "teacher_forcing=true starts every step from the true state, so none can be injected"
        return "teacher_forcing=true asks single steps of the true run" if kind != "output" else ""

    async def _planted(self, task: Task, settings: Settings) -> list[StateTree]:
        """States after the first true steps; finer ones than lines are traced anew for that."""
        if settings.inject_states == "0":
            return []
        truth = await self._fine(task)
        return injected_states(task, settings.inject_states, truth=truth, granularity=self.granularity)

    async def _fine(self, task: Task) -> Trace:
        """The true run in steps of this layout; finer ones than lines are traced anew."""
        if self.granularity is Granularity.LINE:
            return task.truth
        return await asyncio.to_thread(finer, task, self.granularity)

    def _question(self, task: Task, state: StateTree, settings: Settings) -> Prompt:
        code = self.head(self.layout, task.program)
        body = self.body(state, task.program)
        return question(self.layout, task, body, settings, max_tokens=self.max_tokens, code=code)
