"""Skip several steps at once, for the layouts line-n, line-1-full, instruction-n, adaptive and debugger.

landing(run, 3, 4) -> the state 4 steps after the state before step 3, or the step that ended the run by then
read_landing("@4 | s=1"), read_landing("<- 8") -> StateTree or Step
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deskcheck.records import Example, Program, Trace
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import body_of, example
from deskcheck.states.tree import StateTree, Step

Run = Sequence[tuple[StateTree, Step, StateTree]]
"""Every step of a run with the state before and after it (`steps.steps`)."""


def landing(run: Run, start: int, skip: int) -> StateTree | Step:
    """Return the state `skip` steps after the state before step `start`, or the step that ended the run."""
    last = min(start + skip, len(run)) - 1
    _, step, after = run[last]
    return after if after.frames else step


def true_jumps(run: Run, *, lengths: Sequence[int]) -> Iterator[tuple[int, StateTree, int, StateTree | Step]]:
    """Yield (number of the step, state before it, length of the jump, landing) for every step of a run.

    The lengths take turns.
    """
    for number, (before, _, _) in enumerate(run):
        skip = lengths[number % len(lengths)]
        yield number, before, skip, landing(run, number, skip)


def render_jumps(
    layout: str, trace: Trace, program: Program, run: Run, *, lengths: Sequence[int]
) -> list[Example]:
    """Write one example for each jump."""
    return [
        example(layout, program, trace, f"{state}\nskip {skip}\n", str(end), number)
        for number, state, skip, end in true_jumps(run, lengths=lengths)
    ]


def parse_jumps(
    layout: str, program: Program, examples: list[Example]
) -> list[tuple[StateTree, int, StateTree | Step]]:
    """Read the examples of `render_jumps` back. ValueError if one is malformed."""
    return [read_jump(body_of(one.prompt, program, layout), one.target) for one in examples]


def read_jump(body: str, target: str) -> tuple[StateTree, int, StateTree | Step]:
    """Read state, length and landing of one example. ValueError if it is malformed."""
    state, skip = body.rstrip("\n").split("\n")
    return read_state(state), int(skip.removeprefix("skip ")), read_landing(target)


def read_landing(text: str) -> StateTree | Step:
    """Read a state, or the step that ended the run. ValueError for any other text."""
    return read_state(text) if text[:1] in ("@", ">", "*") else read_step(text)
