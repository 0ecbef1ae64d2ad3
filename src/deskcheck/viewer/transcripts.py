"""Read the states of a model's run from its text: whole states, changes, jumps, or frames.

    aligned(["@2 | n=3", "@3 | n=3; s=0"], true)        -> the texts of states 1, 2, .., as far as they go
    aligned(["@4 | n=3; s=3"], true, form="jumps")      -> ["…", "…", "@4 | n=3; s=3"]     "…": SKIPPED
    frames_of(text)                                     -> [("line", {"n": "3"}, ""), ..] of a cwm transcript

Frames are the form in which Meta's Code World Model (CWM) writes a run (`layouts/cwm.py`).
A scratchpad begins with the state of the call, which the prompt gives. A compact transcript lists the changes
of each step, from which the states are rebuilt. The state after a jump is matched with the first later true
state that equals it, else with the first true state at the same line and call depth, else with the next.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cache

from deskcheck.layouts.cwm import FRAME, Shown, read_frames
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.tree import StateTree, apply_step

SKIPPED = "…"
"""Text in place of a state that a jump passes, about which the model wrote nothing."""
MARKS = "@>*"
FEW = 3
"""Number of right states by which changes are told from whole states in a transcript of unknown form."""


@cache
def tree_of(text: str) -> StateTree | None:
    """Parse the state on a line; None if the line holds no state."""
    if not text or text[0] not in MARKS:
        return None
    try:
        return read_state(text)
    except (ValueError, RecursionError):
        return None


def is_framed(text: str) -> bool:
    """Whether a reply is a transcript of frames."""
    return FRAME in text


def frames_of(text: str) -> list[Shown]:
    """Return the frames of a transcript, in its order, up to the first one that cannot be read.

    A frame without an observation has the locals `cwm.UNTOLD`.
    """
    found: list[Shown] = []
    with contextlib.suppress(ValueError, RecursionError):
        found.extend(read_frames(text, may_leave_out=True))
    return found


def aligned(chain: Sequence[str], true: Sequence[StateTree], *, form: str = "") -> list[str]:
    """Return the text of the belief for the true states 1, 2, ..; state 0 is the call, which is given.

    `form` is "states", "changes" or "jumps"; "" = not known. An unknown form is read as changes if the
    transcript begins with the call, fewer than FEW of its first lines are right as whole states, and more
    than FEW are right as changes.
    """
    texts = [str(state) for state in true]
    lines = list(chain)
    has_call = bool(lines) and _is_call(lines[0], true)
    if has_call:
        lines = lines[1:]
    if form == "jumps":
        return _landed(lines, true, texts)
    if form == "changes":
        return _made_of_changes(lines, true[0])
    if form == "" and has_call and _prefix(lines, texts) < FEW:
        made = _made_of_changes(lines, true[0])
        return made if _prefix(made, texts) > FEW else lines
    return lines


def _is_call(line: str, true: Sequence[StateTree]) -> bool:
    """Whether the first line of a transcript is the state of the call, not of a call inside the run."""
    first = tree_of(line)
    is_nested = len(true) > 1 and len(true[1].frames) > 1
    return first is not None and len(first.frames) == 1 and first.frames[-1].mark == ">" and not is_nested


def _prefix(lines: Sequence[str], texts: Sequence[str]) -> int:
    """Count the right states before the first wrong one."""
    pairs = zip(lines, texts[1:], strict=False)
    return next((at for at, (line, text) in enumerate(pairs) if line != text), len(lines))


def _made_of_changes(lines: Sequence[str], start: StateTree) -> list[str]:
    """Rebuild the states from one step per line, up to the first step that cannot be read or applied."""
    state, states = start, []
    for line in lines:
        try:
            state = apply_step(state, read_step(line))
        except (ValueError, RecursionError):
            break
        if not state.frames:
            break
        states.append(str(state))
    return states


def _landed(lines: Sequence[str], true: Sequence[StateTree], texts: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        at = _landing(line, len(found) + 1, true, texts)
        found += [SKIPPED] * (at - len(found) - 1) + [line]
    return found


def _landing(line: str, after: int, true: Sequence[StateTree], texts: list[str]) -> int:
    """Return the number of the true state that matches the end of a jump, `after` or later."""
    for at in range(after, len(texts)):
        if texts[at] == line:
            return at
    belief = tree_of(line)
    if belief is not None:
        top, depth = belief.frames[-1], len(belief.frames)
        for at in range(after, len(true)):
            frames = true[at].frames
            if len(frames) == depth and (frames[-1].mark, frames[-1].line) == (top.mark, top.line):
                return at
    return after
