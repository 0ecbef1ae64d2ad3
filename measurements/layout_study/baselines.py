"""What needs no model, beside the layouts: the driver alone, the commonest answer, copying an argument.

    without_model(held_out, "<- 0") -> {"driver alone": LayoutScores(..), ..}

The driver alone is what a step loop does with empty answers: nothing changes, the next line of the text comes
next, and after the last one None is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deskcheck.records import Program
from deskcheck.states.parse import read_step
from deskcheck.states.tree import StateTree, Step, apply_step
from layout_study.scores import (
    MAX_STEPS,
    End,
    HeldOut,
    LayoutScores,
    ProgramScore,
    parts,
    true_ends,
)

ALONE, MAJORITY, COPY = "driver alone", "majority answer", "copies the first argument"
WITHOUT_MODEL = (ALONE, MAJORITY, COPY)


def without_model(held_out: Sequence[HeldOut], majority: str) -> dict[str, LayoutScores]:
    """All three; `majority` is the commonest outcome of training programs (`commonest_outcome`)."""
    return {
        ALONE: _alone(held_out),
        MAJORITY: _constant(MAJORITY, held_out, lambda one: majority),
        COPY: _constant(COPY, held_out, _first_argument),
    }


def commonest_outcome(training: Sequence[HeldOut]) -> str:
    """How most runs end."""
    outcomes = [str(true_ends(one.trace)[-1][1]) for one in training]
    return max(sorted(set(outcomes)), key=outcomes.count)


def _first_argument(one: HeldOut) -> str:
    entries = list(true_ends(one.trace)[0][0].frames[-1].entries.values())
    return f"<- {entries[0]}" if entries else "<- None"


def _constant(name: str, held_out: Sequence[HeldOut], outcome: Callable[[HeldOut], str]) -> LayoutScores:
    right = [outcome(one) == str(true_ends(one.trace)[-1][1]) for one in held_out]
    programs = [
        ProgramScore(one.form, one.program.id, ok, True, 0) for one, ok in zip(held_out, right, strict=True)
    ]
    return LayoutScores(name, programs, [], 0.0)


def _alone(held_out: Sequence[HeldOut]) -> LayoutScores:
    programs, steps = [], []
    for one in held_out:
        ends = true_ends(one.trace)
        for before, true in ends:
            steps.append(parts(before, true, _next(before, one.program), one.form))
        state: End = ends[0][0]
        for _ in range(MAX_STEPS):  # no right one takes longer
            if isinstance(state, StateTree):
                state = _next(state, one.program)
        right = str(state) == str(ends[-1][1])
        programs.append(ProgramScore(one.form, one.program.id, right, True, 0))
    return LayoutScores(ALONE, programs, steps, 0.0)


def _next(state: StateTree, program: Program) -> End:
    line = state.frames[-1].line + 1
    n_lines = len(program.source.rstrip("\n").split("\n"))
    step = Step("@", line) if line <= n_lines else read_step("<- None")
    after = apply_step(state, step)
    return after if after.frames else step
