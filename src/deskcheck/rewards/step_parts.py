"""The parts of a step that a reward looks at: what it changes, what it hands over, where it goes.

parts_of(read_step("@3 | s=1; -t"))  -> {"s": "1", "t": ""}
is_blind(before, step)               -> whether "nothing changes, next line of the text" is right
"""

from __future__ import annotations

from deskcheck.states.tree import StateTree, Step

HANDED = "<value>"
"""The part of a step that returns, raises or yields."""


def parts_of(step: Step) -> dict[str, str]:
    """Place -> text of its new value, "" where it is deleted; a value that is handed over is a part too.

    Iterators are left out: how far one has come follows from the loop's variable.
    """
    parts = {
        f"{change.frame}.{change.name}": "" if change.value is None else str(change.value)
        for change in step.changes
        if not change.name.startswith("~")
    }
    if step.value is not None:
        parts[HANDED] = f"{step.mark}{step.value}"
    return parts


def is_blind(before: StateTree, step: Step) -> bool:
    """Whether the step needs no execution: it changes nothing and goes to the next line of the text."""
    line = before.frames[-1].line if before.frames else 0
    return step.mark == "@" and not step.changes and step.line == line + 1
