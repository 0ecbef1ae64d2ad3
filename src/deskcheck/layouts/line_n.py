"""line-n: one self-contained state and a number of steps in; the state after that many steps out.

    @2 | n=4
    skip 3
    -> @4 | n=4; s=1            or, if the run ends before that: <- 8

A step is a step of line-1. The training text uses LENGTHS in turn, so that every length occurs at every kind
of state. A prompt may ask for any number of steps. Source: the dynamic scratchpad "Line-n" of Execution
Tuning (arXiv 2503.05703), which publishes neither the notation of n nor the values of n in its training.
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.jumps import parse_jumps, render_jumps, true_jumps
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step

LAYOUT = "line-n"
NOTATION = (
    "[line-n]: you are given one state and a number of steps; write the state after that many "
    "steps, or, if the call ends before, the step that ends it (<- value, or !!Exception)."
)
"""The layout in words, for chat models that were never trained on it."""
LENGTHS = (1, 2, 4, 8)
"""Numbers of steps in the jumps of the training text, in turn."""


def body(state: StateTree, skip: int) -> str:
    """Write the prompt after the head: a state and the number of steps to skip."""
    return f"{state}\nskip {skip}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each step; LENGTHS take turns."""
    return render_jumps(LAYOUT, trace, program, list(steps(trace)), lengths=LENGTHS)


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Read each example back: its state, its jump, and the state or end after the jump."""
    return parse_jumps(LAYOUT, program, examples)


def keeps(trace: Trace) -> list[tuple[StateTree, int, StateTree | Step]]:
    """List each state of the trace, its jump, and the state or end after the jump."""
    return [(state, skip, end) for _, state, skip, end in true_jumps(list(steps(trace)), lengths=LENGTHS)]
