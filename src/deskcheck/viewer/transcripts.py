"""States of a model's run out of what it wrote: single steps, changes alone, jumps, and CWM's frames.

    aligned(["@2 | n=3", "@3 | s=0"], true)             -> one text for every true state after the call
    aligned(["@9 | n=3; s=3"], true, form="jumps")      -> SKIPPED for the states that a jump passes
    frames_of(text)                                     -> [("line", {"n": "3"}, ""), ..] of a cwm transcript

A scratchpad begins with the state of the call, which is given; a compact one holds what changed at each step,
from which the states are made. A jump is laid to the first later state that it equals, else to the first that
is at its line in a call as deep, else to the next one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cache

from deskcheck.representations.cwm import FRAME, Shown, read_frames
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.tree import StateTree, apply_step

SKIPPED = "…"
"""Of a state that lies within a jump: the model wrote nothing of it."""
MARKS = "@>*"
FEW = 3  # states


@cache
def tree_of(text: str) -> StateTree | None:
    """The state that a line holds; None where it holds none."""
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
    """Frames of a transcript up to the first one that cannot be read; main's own come first.

    A frame without an observation has the locals `cwm.UNTOLD`.
    """
    found: list[Shown] = []
    with contextlib.suppress(ValueError, RecursionError):
        found.extend(read_frames(text, may_leave_out=True))
    return found


def aligned(chain: Sequence[str], true: Sequence[StateTree], *, form: str = "") -> list[str]:
    """Text of the belief for the true states 1, 2, ..; the first is the call, which the model is given.

    `form` is "states", "changes" or "jumps"; "" = not known: changes where a transcript begins with the call
    and its lines are no whole states from the first steps on.
    """
    texts = [str(state) for state in true]
    lines = list(chain)
    is_whole = bool(lines) and _is_call(lines[0], true)
    if is_whole:
        lines = lines[1:]
    if form == "jumps":
        return _landed(lines, true, texts)
    if form == "changes":
        return _made_of_changes(lines, true[0])
    if form == "" and is_whole and _prefix(lines, texts) < FEW:
        made = _made_of_changes(lines, true[0])
        return made if _prefix(made, texts) > FEW else lines
    return lines


def _is_call(line: str, true: Sequence[StateTree]) -> bool:
    """Whether a transcript begins with the state of the call: no run makes that step again."""
    first = tree_of(line)
    is_nested = len(true) > 1 and len(true[1].frames) > 1
    return first is not None and len(first.frames) == 1 and first.frames[-1].mark == ">" and not is_nested


def _prefix(lines: Sequence[str], texts: Sequence[str]) -> int:
    """Number of right states before the first wrong one."""
    pairs = zip(lines, texts[1:], strict=False)
    return next((at for at, (line, text) in enumerate(pairs) if line != text), len(lines))


def _made_of_changes(lines: Sequence[str], start: StateTree) -> list[str]:
    """States made of one step a line; as far as the steps can be read and fit."""
    state, found = start, []
    for line in lines:
        try:
            state = apply_step(state, read_step(line))
        except (ValueError, RecursionError):
            break
        if not state.frames:
            break
        found.append(str(state))
    return found


def _landed(lines: Sequence[str], true: Sequence[StateTree], texts: list[str]) -> list[str]:
    found: list[str] = []
    for line in lines:
        at = _landing(line, len(found) + 1, true, texts)
        found += [SKIPPED] * (at - len(found) - 1) + [line]
    return found


def _landing(line: str, after: int, true: Sequence[StateTree], texts: list[str]) -> int:
    """Number of the true state that a jump's end belongs to, `after` or later."""
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
