"""Group the expression steps of a run by line; count the lines that one skip may cover (`adaptive.py`)."""

from __future__ import annotations

from typing import NamedTuple

from deskcheck.records import Granularity, Trace
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step, difference


class Line(NamedTuple):
    """One execution of a line, as steps of expression granularity."""

    fine: list[tuple[StateTree, Step, StateTree]]
    """(state before, step, state after): the line's expressions, then the step that leaves the line."""

    @property
    def before(self) -> StateTree:
        return self.fine[0][0]

    @property
    def end(self) -> StateTree | Step:
        _, step, after = self.fine[-1]
        return after if after.frames else step

    @property
    def is_plain(self) -> bool:
        """Whether the line stays in its frame, begins at its first expression and leaves none half done."""
        _, step, after = self.fine[-1]
        whole = not any(half_done(state) for state in (self.before, after))
        return whole and step.mark == "@" and len(after.frames) == len(self.before.frames)

    @property
    def n_operations(self) -> int:
        return len(self.fine) - 1

    @property
    def step(self) -> Step:
        """The whole line as one step."""
        _, last, after = self.fine[-1]
        bare = Step(last.mark, last.line, last.value, (), last.offset, last.span)
        return difference(self.before, after, bare)


def lines_of(trace: Trace) -> list[Line]:
    """Return the expression steps of a run, cut after every step that is no expression."""
    lines: list[Line] = []
    fine: list[tuple[StateTree, Step, StateTree]] = []
    for step in steps(trace, granularity=Granularity.EXPRESSION):
        fine.append(step)
        if step[1].mark != "=":
            lines.append(Line(fine))
            fine = []
    return lines


def skippable(lines: list[Line], *, hard: int, easy: int) -> int:
    """Return the number of these lines that one skip covers.

    Each has fewer than `hard` operations, and all of them together have at most `easy`.
    """
    n_operations = n = 0
    for line in lines:
        n_operations += line.n_operations
        if not line.is_plain or line.n_operations >= hard or n_operations > easy:
            break
        n += 1
    return n


def half_done(state: StateTree) -> bool:
    """Whether a value of an expression is waiting for the rest of its line in the running frame."""
    return bool(state.frames) and any(name.startswith("^") for name in state.frames[-1].entries)
