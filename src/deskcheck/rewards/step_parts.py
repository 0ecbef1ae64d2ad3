"""Split a step into the parts that a reward compares: its changes, and a value returned, raised or yielded.

parts_of(read_step("@3 | s=1; -t"))  -> {"-1.s": "1", "-1.t": ""}     -1 = the running call (`tree.Change`)
is_blind(before, step)               -> whether "nothing changes, next line of the text" is right
"""

from __future__ import annotations

from deskcheck.states.tree import StateTree, Step

HANDED = "<value>"
"""Name of the part for the value of a step that returns, raises or yields."""


def parts_of(step: Step) -> dict[str, str]:
    """Return "frame.name" of each changed variable -> text of its new value; "" = it is deleted.

    A value returned, raised or yielded is a part too (HANDED). Iterators are left out, because their position
    follows from the loop's variable.
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
    """Return whether a step needs no execution: it changes nothing and goes to the next line of text."""
    line = before.frames[-1].line if before.frames else 0
    return step.mark == "@" and not step.changes and step.line == line + 1
