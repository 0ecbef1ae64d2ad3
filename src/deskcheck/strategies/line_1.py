"""line-1: one executed line for each request, from a state to the next step; the dynamic scratchpad.

    head "[line-1]" and the numbered code, body "@4 | n=3; s=0", "s += n" -> "@3 | s=3" -> ... -> "<- 6"

Source: Line-1 of Execution Tuning (arXiv 2503.05703, section 3). The step loop carries the state and nothing
else: it applies the step that the model wrote. `turns/chain.py` defines the end of the loop. With
teacher_forcing=true every step starts from the true state before it.
For models trained on this layout (`deskcheck train`), or, with the setting `shots`, for chat models.
"""

from __future__ import annotations

from deskcheck.layouts.line_1 import LAYOUT, body
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({"max_steps", "inject_states", "shots", "teacher_forcing", "on_error"})
TRAINED = True
CHAIN = "states"

LOOP = Stepwise(LAYOUT, body)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
