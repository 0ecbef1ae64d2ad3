"""scratchpad: the whole run in one answer, with every state in full; earlier states stay visible.

    call f(2)
    -> >1 | n=2
       @2 | n=2
       <- 4

Source: Nye et al. 2021 (arXiv 2112.00114) and the "scratchpad" rows of Execution Tuning.
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import call_body, example, whole_run
from deskcheck.states.tree import StateTree, Step, texts

LAYOUT = "scratchpad"
ANSWER_TOKENS = 1024
WHOLE_RUN = True
NOTATION = (
    "[scratchpad]: write the state of the call, then every state of the run in full, one per "
    "line, and at last the step that ends the call (<- value, or !!Exception)."
)
"""The layout in words, for chat models that were never trained on it."""


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example: a line for every state, then the step that ends the run."""
    start, run = whole_run(trace)
    lines = [*texts([start, *(state for _, state in run[:-1])]), str(run[-1][0])]
    return [example(LAYOUT, program, trace, call_body(program), "\n".join(lines))]


def parse(program: Program, examples: list[Example]) -> tuple[list[StateTree], Step]:
    """Read the example back: all states, and the last step."""
    lines = examples[0].target.split("\n")
    return [read_state(line) for line in lines[:-1]], read_step(lines[-1])


def keeps(trace: Trace) -> tuple[list[StateTree], Step]:
    """Return all states of the trace, and the step that ends the run."""
    start, run = whole_run(trace)
    return [start, *(state for _, state in run[:-1])], run[-1][0]
