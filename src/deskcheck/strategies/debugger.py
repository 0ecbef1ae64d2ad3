"""debugger: jumps by meaning; a state and a debugger's command in, the state where it stops out.

    head "[debugger]" and the numbered code, body "@4 | n=3; s=0 / over" -> "@5 | n=3; s=3" -> ... -> "<- 6"

The knob `jump` is the command: `over` goes through the entry line by line and never into its calls, `return`
asks for the end of the call at once, `breakpoint` stops at the entry's next return line (the lowest one first
where there are several) and goes `over` from there. What runs inside of calls is not written,
so only the end of the run is read off it. Source: "Towards a Neural Debugger for Python" (arXiv
2603.09951). For models trained on this layout; none is shipped.
"""

from __future__ import annotations

import ast

from deskcheck.records import Attempt, Program, Prompt, Task
from deskcheck.representations.debugger import LAYOUT, body
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Knobs
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, nothing_to_check
from deskcheck.turns.error_injection import planted_states
from deskcheck.turns.layout import question
from deskcheck.turns.lines import statements
from deskcheck.turns.skips import read

MAX_TOKENS = 1024
FITS = derived.ENDS
WHY = "what runs inside of calls is not written, so only the end of the run is read off it"
KNOBS = frozenset({"max_steps", "jump", "planted", "on_error"})
TRAINED = True
CHAIN = "jumps"
refusal = nothing_to_check


def opening(task: Task, knobs: Knobs) -> Prompt:
    """The first command in the state of the call."""
    return _question(task, first_state(task.truth), knobs)


async def run(task: Task, ask: Ask, knobs: Knobs) -> Attempt:
    """Ask one question for each command."""
    start = first_state(task.truth)
    before = planted_states(task, knobs.planted, entry_only=True)
    done = await Chain(ask, knobs, start, before).run(lambda state: _question(task, state, knobs), read)
    return derived.from_chain(task, start, done)


def _question(task: Task, state: StateTree, knobs: Knobs) -> Prompt:
    command = command_in(state, task.program, knobs)
    return question(LAYOUT, task, body(state, command), knobs, max_tokens=MAX_TOKENS)


def command_in(state: StateTree, program: Program, knobs: Knobs) -> str:
    """The command that is given in a state."""
    if knobs.jump != "breakpoint":
        return knobs.jump
    returns = return_lines(program)
    first = state.frames[0]
    stands = len(state.frames) == 1 and first.mark == "@" and first.line in returns
    return "over" if stands or not returns else f"breakpoint {returns[0]}"


def return_lines(program: Program) -> list[int]:
    """Lines of the entry on which a return statement begins."""
    lines = statements(program)
    nodes = ast.walk(ast.parse(program.source))
    return sorted(node.lineno for node in nodes if isinstance(node, ast.Return) and node.lineno in lines)
