"""adaptive: one state in; the model picks how far it goes: an expression, a line, or several lines at once.

    @4 | n=3; s=0; i=2
    s += i + i%10
    -> =13-21 4                              the expression in columns 13 to 21 gives 4 (as in expression-1)
    -> @3 | s=4                              the line is done (as in line-1)
    -> skip 3: @4 | n=3; s=4; i=3            three lines on, the state in full (as in line-n), or how it ends

Any of the three is a legal answer to any state; nothing in the question asks for one. The training text picks
by how much there is to do: lines of HARD operations or more go expression by expression; up to MOST easier
ones, that hold EASY operations together and neither enter nor leave a frame, are skipped; the others go line
by line. Dynamic granularity is named as future work by Execution Tuning (arXiv 2503.05703), which
tried none, so the numbers are ours and untuned. Needs a trace of expression granularity.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.representations._picks import lines_of, skippable
from deskcheck.states.jumps import read_landing
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import example, line_body, state_of
from deskcheck.states.tree import StateTree, Step

LAYOUT = "adaptive"
QUESTIONS_A_LINE = 4
GRANULARITY = Granularity.EXPRESSION
HARD = 2
"""Operations of a line that is taken expression by expression."""
EASY = 2
"""Operations that the lines of one skip hold together, at most."""
MOST = 4
"""Lines of one skip, at most."""
_SKIP = re.compile(r"skip ([1-9]\d*): ")


class Skip(NamedTuple):
    """Jump over several lines at once."""

    n: int
    end: StateTree | Step
    """The state after them, or the step that ended the run."""

    def __str__(self) -> str:
        return f"skip {self.n}: {self.end}"


body = line_body
"""The question: one state, and the line that it is at."""


def read_answer(text: str) -> Step | Skip:
    """What was picked. ValueError where the text is none of the three."""
    found = _SKIP.match(text)
    return Skip(int(found[1]), read_landing(text[found.end() :])) if found else read_step(text)


def render(trace: Trace, program: Program) -> list[Example]:
    """One example a state in which something is picked."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(picked), number)
        for number, (before, picked) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, Step | Skip]]:
    """Every state with what was picked in it."""
    return [(read_state(state_of(one.prompt, program, LAYOUT)), read_answer(one.target)) for one in examples]


def keeps(trace: Trace) -> list[tuple[StateTree, Step | Skip]]:
    """Every state with what is picked in it; states inside a skip too, since a model may come there."""
    lines = lines_of(trace)
    found: list[tuple[StateTree, Step | Skip]] = []
    for number, line in enumerate(lines):
        n_skipped = skippable(lines[number : number + MOST], hard=HARD, easy=EASY)
        if n_skipped > 1:
            found.append((line.before, Skip(n_skipped, lines[number + n_skipped - 1].end)))
        elif line.n_operations >= HARD or not line.is_plain:
            found += [(before, step) for before, step, _ in line.fine]
        else:
            found.append((line.before, line.step))
    return found
