"""line-1-full: line-1 as published; the answer is the next state in full instead of its changes.

    head "[line-1-full]" and the numbered code, body "@4 | n=3; s=0", "s += n"
    -> "@3 | n=3; s=3" -> ... -> "<- 6"

Source: Line-1 of Execution Tuning (arXiv 2503.05703, section 3). In `line-1` the answer holds only the
changes. For models trained on this layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.layouts.line_1_full import LAYOUT, body
from deskcheck.records import Answer, NoAnswer
from deskcheck.states.tree import StateTree
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise, landed, plain

EXPERIMENTAL = True
FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "on_error"})
TRAINED = True
CHAIN = "states"


def read(state: StateTree, text: str) -> StateTree | Answer | NoAnswer:
    """Read a reply: the next state, or the answer if it ends the run."""
    return landed(plain(text))


LOOP = Stepwise(LAYOUT, body, read, max_tokens=1024)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
