"""line-n: one self-contained state and a number of steps in; the state after that many steps out.

    @2 | n=4
    skip 3
    -> @4 | n=4; s=1            or, where the run ends before: <- 8

Source: the dynamic scratchpad "Line-n" of Execution Tuning (arXiv 2503.05703), which says neither how n is
written nor which n it trains on. A step is one of line-1's. Training text goes through LENGTHS in turn, so
that every length is met at every kind of place; asked for, any number may stand there.
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


def body(state: StateTree, skip: int) -> str:
    """Question about a state, with a number of steps."""
    return f"{state}\nskip {skip}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """One example a step, each for one length."""
    return render_jumps(LAYOUT, trace, program, list(steps(trace)), lengths=LENGTHS)


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Every state with a length and what comes that many steps later."""
    return parse_jumps(LAYOUT, program, examples)


def keeps(trace: Trace) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Every state with its length and what comes that many steps later."""
    return [(state, skip, end) for _, state, skip, end in true_jumps(list(steps(trace)), lengths=LENGTHS)]
