"""adaptive: the model picks how far each question goes: an expression, a line, or several lines at once.

    body "@4 | s=0; i=2", "s += i + i%10"
    -> "=13-21 4" -> .. "@3 | s=4" -> "skip 3: @4 | s=4; i=3" -> .. -> "<- 6"

The step loop applies the step that was picked. It does not check the number of lines that a skip claims,
since it has no truth. Only the end of the run is read off the chain, because a skip writes no states in
between.
Source: dynamic granularity, named as future work by Execution Tuning (arXiv 2503.05703). For models trained
on this layout (`deskcheck train --layouts adaptive`); none is shipped.
"""

from __future__ import annotations

from deskcheck.layouts.adaptive import LAYOUT, Skip, body, read_answer
from deskcheck.records import Answer, NoAnswer
from deskcheck.states.parse import outcome
from deskcheck.states.tree import StateTree, Step
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise, after_step, plain

EXPERIMENTAL = True
FITS = derived.ENDS
PARTS = ("expressions", "working")
WHY = "a skip writes no state between its ends, so only the end of the run is read off it"
SETTINGS = frozenset({"max_steps", "on_error"})
TRAINED = True


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply: the state that it leads to, or the answer if it ends the run."""
    picked = read_answer(plain(text))
    if not isinstance(picked, Skip):
        return after_step(state, picked)
    return outcome(picked.end) if isinstance(picked.end, Step) else picked.end


LOOP = Stepwise(LAYOUT, body, read, max_tokens=1024)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
