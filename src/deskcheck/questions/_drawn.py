"""Choose the moments of a run to ask about: all its visits of lines, or a few drawn from them.

draw(draft, "state", asked_visits(draft.program, trace)) -> [Visit(..), Visit(..), Visit(..)]
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from deskcheck.questions import NotAsked
from deskcheck.records import Program, Raised, Refused, TaskDraft, Trace
from deskcheck.states.visits import Visit, visits

N_DRAWN = 3
"""Largest number of questions about one run."""
T = TypeVar("T")


def asked_visits(program: Program, trace: Trace) -> list[Visit]:
    """Return all visits of a run. NotAsked if the call never reached a line of the program."""
    found = visits(program, trace)
    if not found:
        if isinstance(trace.outcome, Raised):
            raise NotAsked(f"raises {trace.outcome.type} before a line is reached")
        if isinstance(trace.outcome, Refused):
            raise NotAsked(f"refused before a line is reached: {trace.outcome.rule}")
        raise NotAsked("no line was reached")
    return found


def draw(draft: TaskDraft, purpose: str, candidates: Sequence[T], n: int = N_DRAWN) -> list[T]:
    """Return `n` of the candidates, in their order; the same ones for the same program and purpose."""
    if len(candidates) <= n:
        return list(candidates)
    random = Random(f"{draft.program.id}:{purpose}")
    return [candidates[index] for index in sorted(random.sample(range(len(candidates)), n))]
