"""expression-1: one expression or line for each request, from a state to the next step.

    head "[expression-1]" and the code, body "@4 | s=0; i=2", "s += i + i%10"
    -> "=13-21 4" -> .. -> "@5 | s=4" -> "<- 4"

Source: line-1 of Execution Tuning (arXiv 2503.05703), with the steps within a line that this paper names as
future work. For models trained on this layout; none is shipped.
"""

from __future__ import annotations

from deskcheck.layouts.expression_1 import LAYOUT, body
from deskcheck.records import Granularity
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

EXPERIMENTAL = True
EXPRESSIONS_A_LINE = 3  # estimated requests for one line
FITS = derived.FITS
PARTS = ("expressions", "working")
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "teacher_forcing", "on_error"})
TRAINED = True
FORCED = Granularity.EXPRESSION

LOOP = Stepwise(LAYOUT, body, per_line=EXPRESSIONS_A_LINE, granularity=Granularity.EXPRESSION)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
