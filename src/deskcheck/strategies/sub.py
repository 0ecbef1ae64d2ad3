"""sub: line-1 with the operations of a line written out before its step, innermost first.

    head "[sub]" and the numbered code, body "@4 | a=3; b=9", "s = (a + b) % 10"
    -> "3 + 9 -> 12 | 12 % 10 -> 2 | @5 | s=2" -> ..

Source: Line-1 of Execution Tuning (arXiv 2503.05703) with sub-steps in the answer (ET-CoT, Eguchi and Akiba).
The step loop applies the step at the end of the answer; the values before the step are the model's and are
not corrected.
With teacher_forcing=true every step starts from the true state before it. For models trained on this layout,
such as the one that ships.
"""

from __future__ import annotations

from deskcheck.layouts.sub import LAYOUT, body, read_answer
from deskcheck.records import Answer, NoAnswer
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise, after_step, plain

FITS = derived.FITS
PARTS = ("expressions", "working")
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "teacher_forcing", "on_error"})
TRAINED = True
CHAIN = "states"


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply: the state after its step, or the answer if that ends the run."""
    _, step = read_answer(plain(text))
    return after_step(state, step)


LOOP = Stepwise(LAYOUT, body, read)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
