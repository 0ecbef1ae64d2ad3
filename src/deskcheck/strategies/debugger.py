"""debugger: jumps with a debugger's commands, each from a state to the state at the next stop.

    head "[debugger]" and the numbered code, body "@4 | n=3; s=0 / over" -> "@5 | n=3; s=3" -> ... -> "<- 6"

The setting `jump` is the command. `over` goes through the entry line by line and never into its calls.
`return` asks for the end of the call at once. `breakpoint` stops at the entry's first return line (by line
number) and goes `over` from there. Steps inside of calls are not written, so only the end of the run is read
off the chain. Source: "Towards a Neural Debugger for Python" (arXiv 2603.09951). For models trained on this
layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.layouts.debugger import LAYOUT, body
from deskcheck.records import Program, Prompt, Rollout, Task
from deskcheck.states.steps import first_state
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Ask, Settings
from deskcheck.turns import derived
from deskcheck.turns.chain import Chain, nothing_to_check, question
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.lines import return_lines
from deskcheck.turns.skips import read

EXPERIMENTAL = True
MAX_TOKENS = 1024
FITS = derived.ENDS
WHY = "the steps inside calls are not written, so only the end of the run is read off it"
SETTINGS = frozenset({"max_steps", "jump", "inject_states", "on_error"})
TRAINED = True
CHAIN = "jumps"
refusal = nothing_to_check


def opening(task: Task, settings: Settings) -> Prompt:
    """Return the first command, in the state of the call."""
    return _question(task, first_state(task.truth), settings)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask for the state after each command."""
    start = first_state(task.truth)
    before = injected_states(task, settings.inject_states, entry_only=True)
    done = await Chain(ask, settings, start, before).run(lambda state: _question(task, state, settings), read)
    return derived.from_chain(task, start, done)


def _question(task: Task, state: StateTree, settings: Settings) -> Prompt:
    command = command_in(state, task.program, settings)
    return question(LAYOUT, task, body(state, command), settings, max_tokens=MAX_TOKENS)


def command_in(state: StateTree, program: Program, settings: Settings) -> str:
    """Return the command that is given in a state."""
    if settings.jump != "breakpoint":
        return settings.jump
    returns = return_lines(program)
    first = state.frames[0]
    stands = len(state.frames) == 1 and first.mark == "@" and first.line in returns
    return "over" if stands or not returns else f"breakpoint {returns[0]}"
