"""For the layout `adaptive`: group the expression steps of a run by line, and count lines to skip at once."""

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
        """The state before the line."""
        return self.fine[0][0]

    @property
    def end(self) -> StateTree | Step:
        """The state after the line, or the step that ends the run."""
        _, step, after = self.fine[-1]
        return after if after.frames else step

    @property
    def is_plain(self) -> bool:
        """Whether the line stays in its frame and neither begins nor ends in the middle of an expression."""
        _, step, after = self.fine[-1]
        whole = not any(half_done(state) for state in (self.before, after))
        return whole and step.mark == "@" and len(after.frames) == len(self.before.frames)

    @property
    def n_operations(self) -> int:
        """Number of expressions in the line."""
        return len(self.fine) - 1

    @property
    def step(self) -> Step:
        """The whole line as one step."""
        _, last, after = self.fine[-1]
        bare = Step(last.mark, last.line, last.value, (), last.offset, last.span)
        return difference(self.before, after, bare)


def lines_of(trace: Trace) -> list[Line]:
    """Return the expression steps of a run, one Line for each execution of a line."""
    lines: list[Line] = []
    fine: list[tuple[StateTree, Step, StateTree]] = []
    for step in steps(trace, granularity=Granularity.EXPRESSION):
        fine.append(step)
        if step[1].mark != "=":
            lines.append(Line(fine))
            fine = []
    return lines


def skippable(lines: list[Line], *, hard: int, easy: int) -> int:
    """Return how many lines, from the first one on, one skip covers.

    Each covered line is plain and has fewer than `hard` operations; together they have at most `easy`.
    """
    n_operations = n = 0
    for line in lines:
        n_operations += line.n_operations
        if not line.is_plain or line.n_operations >= hard or n_operations > easy:
            break
        n += 1
    return n


def half_done(state: StateTree) -> bool:
    """Whether the running frame holds the value of an expression for the rest of its line."""
    return bool(state.frames) and any(name.startswith("^") for name in state.frames[-1].entries)
