"""direct: code and call in, the outcome out, without any intermediate state.

    [direct]
    @1 def f(n):
    @2     return n * 2
    call f(4)
    -> <- 8

Source: the "direct output" rows of Execution Tuning (arXiv 2503.05703, section 3).
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.parse import read_step
from deskcheck.states.steps import call_body, example, last_value, whole_run
from deskcheck.states.tree import Value

LAYOUT = "direct"
ANSWER_TOKENS = 128
WHOLE_RUN = True


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example, whose target is the step that ends the run."""
    _, run = whole_run(trace)
    mark, value = last_value(run[-1][0])
    body = call_body(program)
    return [example(LAYOUT, program, trace, body, f"{mark}{' ' if mark == '<-' else ''}{value}")]


def parse(program: Program, examples: list[Example]) -> tuple[str, Value | None]:
    """Read the example back: the mark of the step that ends the run, and its value."""
    return last_value(read_step(examples[0].target))


def keeps(trace: Trace) -> tuple[str, Value | None]:
    """Return the mark and the value of the step that ends the run."""
    return last_value(whole_run(trace)[1][-1][0])
