"""What a model of one layout does with held-out programs: step by step, by part, and whole programs.

    score(model, "sub", held_out) -> LayoutScores(programs=[ProgramScore(..)], steps=[StepScore(..)])

A step's parts: the place it goes to (control flow); which entries it changes; the new values of variables, of
iterators, of the value stack; the outcome, at the end of the run. Layouts with a question a step are asked
about every true state, and apart from that chained from the call by the strategy that `deskcheck eval` runs;
layouts that answer a whole run at once are read line by line beside the true run, so a step's history is the
model's own. Whole program right = it ends, with the true outcome. Not asked: single steps of `cwm` (its
frames name a line by its text) and of `adaptive` (several answers are right).

Source of the parts: table 1 of Execution Tuning (arXiv 2503.05703).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.models.tiny import Request
from deskcheck.records import Answer, Attempt, Completion, Example, Program, Trace
from deskcheck.representations.sub import read_answer
from deskcheck.states.jumps import read_landing
from deskcheck.states.parse import read_step
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, Step, Value, apply_step
from deskcheck.training.data import split_prompt
from deskcheck.training.scores.held_out import chain_settings
from deskcheck.training.scores.loops import attempts, is_right, tasks

MAX_TOKENS = {
    "direct": 64,
    "scratchpad": 1024,
    "compact": 512,
    "line-1": 128,
    "line-1-full": 512,
    "sub": 512,
    "line-n": 512,
    "expression-1": 128,
    "instruction-1": 128,
    "instruction-n": 512,
    "adaptive": 512,
    "debugger": 512,
    "cwm": 2048,
}
"""Of one answer, in every layout that can be compared."""
MAX_STEPS = 64
"""Lines of a chain, where nothing else is said; programs of `easy` take at most 12 steps."""
PARTS = ("line", "names", "values", "iterators", "stack", "outcome", "whole")

End = StateTree | Step
"""Where a step leads: a state, or, where the run is over, the step that ended it."""


class StepScore(Struct, frozen=True):
    """One true step, and what the model made of it; None where the part does not occur."""

    form: str
    line: bool | None
    """The place in every frame; of instructions, the instruction."""
    names: bool | None
    """Exactly the entries that change."""
    values: bool | None
    """Of variables."""
    iterators: bool | None
    stack: bool | None
    """Values on the stack, and of expressions inside the line."""
    outcome: bool | None
    whole: bool


class ProgramScore(Struct, frozen=True):
    """One program from its call."""

    form: str
    id: str
    right: bool
    is_finished: bool
    n_tokens: int
    """Of all answers about it."""


class LayoutScores(Struct, frozen=True):
    """All programs, in the order of the held-out set."""

    layout: str
    programs: list[ProgramScore]
    steps: list[StepScore]
    """None where the layout is not asked about single steps."""
    tokens_per_step: float
    """Of an answer about one step; -1 where an answer is a whole run."""


class HeldOut(NamedTuple):
    """A program to be asked about."""

    program: Program
    trace: Trace
    """As fine as the layout needs."""
    form: str
    """What intervals are clustered by: the program up to names and constants."""


def _lands(read: Callable[[str], Step]) -> Callable[[StateTree, str], End]:
    return lambda before, text: _end(before, read(text))


def _end(before: StateTree, found: StateTree | Step) -> End:
    """Where a step leads; a landing is there already."""
    if isinstance(found, StateTree):
        return found
    after = apply_step(before, found)
    return after if after.frames else found


_LANDING: Callable[[StateTree, str], End] = lambda before, text: read_landing(text)  # noqa: E731
STEPWISE: dict[str, Callable[[StateTree, str], End]] = {
    "line-1": _lands(read_step),
    "sub": _lands(lambda text: read_answer(text)[1]),
    "line-1-full": _LANDING,
    "line-n": _LANDING,
    "expression-1": _lands(read_step),
    "instruction-1": _lands(read_step),
    "instruction-n": _LANDING,
    "debugger": _LANDING,
}
"""Layouts with a question a step, and where an answer leads. ValueError where it cannot be read."""
BY_LINES = {"scratchpad": "line-1-full", "compact": "line-1"}
"""Layouts that answer with a whole run: the layout that their lines are written in."""


def score(
    model: Any, layout: str, held_out: Sequence[HeldOut], *, max_steps: int = MAX_STEPS
) -> LayoutScores:
    """Everything that is asked in one layout; a chain is left after so many lines."""
    whole, done = _whole(model, layout, held_out, max_steps)
    if layout in STEPWISE:
        found, n_tokens = layout_steps(model, layout, held_out)
        return LayoutScores(layout, whole, found, n_tokens)
    return LayoutScores(layout, whole, _read_along(layout, held_out, done), -1.0)


def whole_programs(
    model: Any, layout: str, held_out: Sequence[HeldOut], *, max_steps: int = MAX_STEPS
) -> list[ProgramScore]:
    """Whole programs alone; line traces are enough."""
    return _whole(model, layout, held_out, max_steps)[0]


# -------------------------------------------------------------- by part


def parts(before: StateTree, true: End, said: End | None, form: str) -> StepScore:
    """A step beside the true one."""
    if isinstance(true, Step):
        right = isinstance(said, Step) and str(said) == str(true)
        ends = isinstance(said, Step) and said.mark == true.mark
        return StepScore(form, ends, None, None, None, None, right, right)
    changed = _changed(before, true)
    own = _changed(before, said) if isinstance(said, StateTree) else None

    def group(marks: str) -> bool | None:
        of = {name: value for name, value in changed.items() if _kind(name) == marks}
        if not of:
            return None
        return own is not None and all(own.get(name) == value for name, value in of.items())

    return StepScore(
        form,
        isinstance(said, StateTree) and _places(said) == _places(true),
        (own is not None and own.keys() == changed.keys()) if changed else None,
        group(""),
        group("~"),
        group("^"),
        None,
        isinstance(said, StateTree) and str(said) == str(true),
    )


def _places(state: StateTree) -> list[tuple[str, int, int]]:
    return [(frame.mark, frame.line, frame.offset) for frame in state.frames]


def _kind(name: str) -> str:
    """ "~" an iterator, "^" the stack, "" a variable: an entry's name stands after its frame's depth."""
    mark = name.partition(".")[2][:1]
    return mark if mark in "~^" else ""


def _changed(before: StateTree, after: StateTree) -> dict[str, str]:
    """Entries that are not as they were, by frame and name; "" = gone."""
    old, new = (_entries(state) for state in (before, after))
    return {name: new.get(name, "") for name in [*old, *new] if old.get(name) != new.get(name)}


def _entries(state: StateTree) -> dict[str, str]:
    def of(where: object, entries: dict[str, Value]) -> dict[str, str]:
        return {f"{where}.{name}": str(value) for name, value in entries.items()}

    found = of("*", state.module)
    for depth, frame in enumerate(state.frames):
        found |= of(depth, frame.entries)
    return found


def true_ends(trace: Trace) -> list[tuple[StateTree, End]]:
    """Every state with where its line leads."""
    return [(before, after if after.frames else step) for before, step, after in steps(trace)]


def layout_ends(layout: str, trace: Trace) -> list[tuple[StateTree, End]]:
    """Every state that a layout asks about, with where the true answer leads."""
    kept = plugins.load("representation", layout).keeps(trace)
    return [(row[0], _end(row[0], row[-1])) for row in kept]


def _read(read: Callable[[], End]) -> End | None:
    try:
        return read()
    except ValueError:
        return None


def layout_steps(
    model: Any, layout: str, held_out: Sequence[HeldOut], *, most: int = 0
) -> tuple[list[StepScore], float]:
    """A question about every true state, and the mean length of an answer, in tokens.

    Where there would be more than `most` (0 = any number), every second one, or third .. is asked.
    """
    write = plugins.load("representation", layout)
    asked: list[tuple[Example, StateTree, End, str]] = []
    for one in held_out:
        examples = write.render(one.trace, one.program)
        ends = layout_ends(layout, one.trace)
        asked += [(example, *end, one.form) for example, end in zip(examples, ends, strict=True)]
    asked = asked[:: max(1, -(-len(asked) // most))] if most else asked
    requests = [Request(*split_prompt(example.prompt), MAX_TOKENS[layout]) for example, *_ in asked]
    answers: list[Completion] = model.generate(requests)
    found = []
    for (_, before, true, form), answer in zip(asked, answers, strict=True):
        landed = _read(partial(STEPWISE[layout], before, answer.text)) if _ended(answer) else None
        found.append(parts(before, true, landed, form))
    return found, sum(answer.n_tokens_out for answer in answers) / max(len(answers), 1)


def _ended(answer: Completion) -> bool:
    return answer.finish_reason == "stop"


# -------------------------------------------------------------- whole programs


class _Capped:
    """A model whose answers in one layout may have so many tokens."""

    def __init__(self, model: Any, most: int) -> None:
        self.model, self.most = model, most

    def generate(self, requests: list[Request]) -> list[Completion]:
        shorter = [msgspec.structs.replace(r, max_tokens=min(r.max_tokens, self.most)) for r in requests]
        found: list[Completion] = self.model.generate(shorter)
        return found


def _whole(
    model: Any, layout: str, held_out: Sequence[HeldOut], max_steps: int
) -> tuple[list[ProgramScore], list[Attempt]]:
    asked = tasks([(one.program, one.trace) for one in held_out])
    settings = chain_settings(layout, max_steps)
    done = attempts(_Capped(model, MAX_TOKENS[layout]), layout, asked, settings)
    found = [
        ProgramScore(
            one.form,
            one.program.id,
            is_right(task, attempt),
            isinstance(attempt.answer, Answer),
            sum(completion.n_tokens_out for completion in attempt.completions),
        )
        for one, task, attempt in zip(held_out, asked, done, strict=True)
    ]
    return found, done


def _read_along(layout: str, held_out: Sequence[HeldOut], done: Sequence[Attempt]) -> list[StepScore]:
    """The lines of whole runs beside the true ones; of `direct` the outcome."""
    found = []
    for one, attempt in zip(held_out, done, strict=True):
        answer = attempt.completions[0]
        ends = true_ends(one.trace)
        if layout == "direct":
            found.append(parts(*ends[-1], _last_step(answer), one.form))
        elif layout in BY_LINES:
            lines = answer.text.split("\n")
            for number, (before, true) in enumerate(ends, 1):  # the first line is the state of the call
                text = lines[number] if number < len(lines) else ""
                landed = _read(partial(STEPWISE[BY_LINES[layout]], before, text))
                found.append(parts(before, true, landed, one.form))
    return found


def _last_step(answer: Completion) -> Step | None:
    found = _read(lambda: read_step(answer.text.rsplit("\n", 1)[-1])) if _ended(answer) else None
    return found if isinstance(found, Step) else None
