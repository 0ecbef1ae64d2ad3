"""adaptive: one state in, one step out, whose length the model chooses: an expression, a line, several lines.

    @4 | n=3; s=0; i=2
    s += i + i%10
    -> =13-21 4                              the expression in columns 13 to 21 gives 4 (as in expression-1)
    -> @3 | s=4                              the line is done (as in line-1)
    -> skip 3: @4 | n=3; s=4; i=3            the state three lines later, or the end of the run (line-n)

Any of the three is a legal answer to any state; the prompt does not ask for one of them. The training text
chooses by the number of operations. A line with HARD or more is written expression by expression. 2 to MOST
lines are skipped if they have at most EASY operations together and neither enter nor leave a frame. All other
lines are one step each. Execution Tuning (arXiv 2503.05703) names dynamic granularity as future work and did
not try it, so the three numbers are ours and untuned. The trace must have expression granularity.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from deskcheck.layouts._picks import lines_of, skippable
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.jumps import read_landing
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import example, line_body, state_of
from deskcheck.states.tree import StateTree, Step

EXPERIMENTAL = True
LAYOUT = "adaptive"
QUESTIONS_A_LINE = 4
GRANULARITY = Granularity.EXPRESSION
HARD = 2
"""Smallest number of operations for which a line is written expression by expression."""
EASY = 2
"""Maximum number of operations in all lines of one skip together."""
MOST = 4
"""Maximum number of lines in one skip."""
_SKIP = re.compile(r"skip ([1-9]\d*): ")


class Skip(NamedTuple):
    """A jump over several lines at once."""

    n: int
    end: StateTree | Step
    """The state after these lines, or the step that ended the run."""

    def __str__(self) -> str:
        return f"skip {self.n}: {self.end}"


body = line_body
"""Write the prompt after the head: one state, and the text of its line."""


def read_answer(text: str) -> Step | Skip:
    """Read the answer: a step of an expression or a line, or a skip. ValueError for any other text."""
    found = _SKIP.match(text)
    return Skip(int(found[1]), read_landing(text[found.end() :])) if found else read_step(text)


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each step or skip."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(picked), number)
        for number, (before, picked) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step | Skip]]:
    """Read each example back: its state, and the step or skip from there."""
    return [(read_state(state_of(one.prompt, program, LAYOUT)), read_answer(one.target)) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, Step | Skip]]:
    """List each state with the step or skip from there.

    States inside a skip are included, because a model may reach them.
    """
    lines = lines_of(trace)
    pairs: list[tuple[StateTree, Step | Skip]] = []
    for number, line in enumerate(lines):
        n_skipped = skippable(lines[number : number + MOST], hard=HARD, easy=EASY)
        if n_skipped > 1:
            pairs.append((line.before, Skip(n_skipped, lines[number + n_skipped - 1].end)))
        elif line.n_operations >= HARD or not line.is_plain:
            pairs += [(before, step) for before, step, _ in line.fine]
        else:
            pairs.append((line.before, line.step))
    return pairs
