"""compact: the whole run in one answer, with only the changes at each step; earlier steps stay visible.

    call f(2)
    -> >1 | n=2
       @2
       @3 | s=4
       <- 4

Source: NExT (arXiv 2404.14662) and the "compact scratchpad" rows of Execution Tuning.
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import call_body, example, whole_run
from deskcheck.states.tree import StateTree, Step, apply_step

LAYOUT = "compact"
WHOLE_RUN = True
NOTATION = (
    "[compact]: write the state of the call, then one step per line, and at last the step that "
    "ends the call (<- value, or !!Exception)."
)
"""The layout in words, for chat models that were never trained on it."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example: the state of the call, then a line for every step."""
    start, run = whole_run(trace)
    lines = [str(start), *(str(step) for step, _ in run)]
    return [example(LAYOUT, program, trace, call_body(program), "\n".join(lines))]


def parse(program: Program, examples: list[Example]) -> tuple[list[StateTree], Step]:
    """Read the example back: all states, rebuilt from the changes, and the last step."""
    first, *rest = examples[0].target.split("\n")
    states = [read_state(first)]
    for line in rest[:-1]:
        states.append(apply_step(states[-1], read_step(line)))
    return states, read_step(rest[-1])


def keeps(trace: Trace) -> tuple[list[StateTree], Step]:
    """Return all states of the trace, and the step that ends the run."""
    start, run = whole_run(trace)
    return [start, *(state for _, state in run[:-1])], run[-1][0]
