"""A run of expressions cut into lines: what each holds, and which of them a skip may take (`adaptive.py`)."""

from __future__ import annotations

from typing import NamedTuple

from deskcheck.records import Granularity, Trace
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step, difference


class Line(NamedTuple):
    """One line's share of the fine run."""

    fine: list[tuple[StateTree, Step, StateTree]]
    """Its expressions, then the step that leaves it."""

    @property
    def before(self) -> StateTree:
        return self.fine[0][0]

    @property
    def end(self) -> StateTree | Step:
        _, step, after = self.fine[-1]
        return after if after.frames else step

    @property
    def is_plain(self) -> bool:
        """It stays in its frame, begins at its beginning and leaves nothing half done."""
        _, step, after = self.fine[-1]
        whole = not any(half_done(state) for state in (self.before, after))
        return whole and step.mark == "@" and len(after.frames) == len(self.before.frames)

    @property
    def n_operations(self) -> int:
        return len(self.fine) - 1

    @property
    def step(self) -> Step:
        """All of it as one step."""
        _, last, after = self.fine[-1]
        bare = Step(last.mark, last.line, last.value, (), last.offset, last.span)
        return difference(self.before, after, bare)


def lines_of(trace: Trace) -> list[Line]:
    """The fine run cut after every step that is no expression."""
    lines: list[Line] = []
    fine: list[tuple[StateTree, Step, StateTree]] = []
    for one in steps(trace, granularity=Granularity.EXPRESSION):
        fine.append(one)
        if one[1].mark != "=":
            lines.append(Line(fine))
            fine = []
    return lines


def skippable(lines: list[Line], *, hard: int, easy: int) -> int:
    """How many of these lines one skip takes: none of `hard` operations, `easy` of all of them at most."""
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
