"""debugger: one state and a debugger's command in, the state at which the debugger stops as the answer.

    @3 | n=4                 @3 | n=4                 @3 | n=4
    over                     return                   breakpoint 7
    -> @4 | n=4; s=1         -> <- 8                  -> @7 | n=4; s=3

`over` runs to the next line of the running frame, calls included, or to its end; `return` to the end of the
frame; `breakpoint L` to the next time that line L is about to run in any frame, or to the end of the run.
At the end of the first frame, the answer is the step that ends the run; at the end of an inner frame, it is
the caller's state. Source: "Towards a Neural Debugger for Python" (arXiv 2603.09951).
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.jumps import Run, landing, read_landing
from deskcheck.states.parse import read_state
from deskcheck.states.steps import body_of, example, steps
from deskcheck.states.tree import StateTree, Step

EXPERIMENTAL = True
LAYOUT = "debugger"


def body(state: StateTree, command: str) -> str:
    """Write the prompt after the head: a state and a debugger's command."""
    return f"{state}\n{command}\n"


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each step; the three commands take turns."""
    return [
        example(LAYOUT, program, trace, body(state, command), str(end), number)
        for number, (state, command, end) in enumerate(keeps(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, str, StateTree | Step]]:
    """Read each example back: its state, its command, and the state or end where the command stops."""
    found = []
    for one in examples:
        state, command = body_of(one.prompt, program, LAYOUT).rstrip("\n").split("\n")
        found.append((read_state(state), command, read_landing(one.target)))
    return found


def keeps(trace: Trace) -> list[tuple[StateTree, str, StateTree | Step]]:
    """List each state of the trace with one command, and the state or end where the command stops."""
    run = list(steps(trace))
    return [(before, *_drawn(run, number)) for number, (before, _, _) in enumerate(run)]


def _drawn(run: Run, number: int) -> tuple[str, StateTree | Step]:
    lines = sorted({before.frames[-1].line for before, _, _ in run if before.frames[-1].mark == "@"})
    command = ("over", "return", f"breakpoint {lines[number % len(lines)]}")[number % 3] if lines else "over"
    return command, stop(run, number, command)


def stop(run: Run, start: int, command: str) -> StateTree | Step:
    """Return the state or end where a command given before step `start` stops.

    ValueError for an unknown command.
    """
    depth = len(run[start][0].frames)
    word, _, line = command.partition(" ")
    if word not in ("over", "return", "breakpoint"):
        raise ValueError(f"'{command}' is no command; known: over, return, breakpoint LINE")
    for number in range(start, len(run)):
        step, after = run[number][1], run[number][2]
        if not after.frames:
            return step
        at_line = after.frames[-1].mark == "@" and step.mark == "@"
        ended = len(after.frames) < depth
        if word == "breakpoint":
            if at_line and after.frames[-1].line == int(line):
                return after
        elif ended or (word == "over" and at_line and len(after.frames) == depth):
            return after
    return landing(run, start, len(run) - start)
