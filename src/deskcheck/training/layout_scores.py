"""What a model of one layout does with held-out programs: step by step, by part, and whole programs.

    score(model, "sub", held_out) -> LayoutScores(programs=[ProgramScore(..)], steps=[StepScore(..)])

A step's parts: the line it goes to; which variables it changes; their new values; the outcome, at the end of
the run. Layouts with one question a step are asked about every true state, and apart from that chained from
the call on their own states alone; layouts that answer a whole run at once are read line by line beside the
true run, so a step's history is the model's own. Whole program right = it ends, with the true outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec import Struct

from deskcheck import plugins
from deskcheck.models.tiny import Request
from deskcheck.records import Completion, Example, Program, Trace
from deskcheck.representations._jumps import read_landing
from deskcheck.representations._prompt import call_body, head
from deskcheck.representations._reader import read_step
from deskcheck.representations._steps import first_state, steps
from deskcheck.representations._tree import StateTree, Step, Value, apply_step
from deskcheck.representations.sub import read_answer
from deskcheck.training.data import split_prompt

MAX_TOKENS = {"direct": 64, "scratchpad": 1024, "compact": 512, "line-1": 128, "line-1-full": 512, "sub": 512}
MAX_STEPS = 64
"""Questions of a chain, where nothing else is said; programs of `easy` take at most 12 steps."""
PARTS = ("line", "names", "values", "outcome", "whole")

End = StateTree | Step
"""Where a step leads: a state, or, where the run is over, the step that ended it."""


class StepScore(Struct, frozen=True):
    """One true step, and what the model made of it; None where the part does not occur."""

    form: str
    line: bool | None
    names: bool | None
    values: bool | None
    outcome: bool | None
    whole: bool


class ProgramScore(Struct, frozen=True):
    """One program from its call."""

    form: str
    right: bool
    is_finished: bool
    n_tokens: int
    """Of all answers about it."""


class LayoutScores(Struct, frozen=True):
    """All programs, in the order of the held-out set."""

    layout: str
    programs: list[ProgramScore]
    steps: list[StepScore]
    tokens_per_step: float
    """Of an answer about one step; -1 where an answer is a whole run."""


class HeldOut(NamedTuple):
    """A program to be asked about."""

    program: Program
    trace: Trace
    """As fine as any layout needs."""
    form: str


def _lands(read: Callable[[str], Step]) -> Callable[[StateTree, str], End]:
    def lands(before: StateTree, text: str) -> End:
        step = read(text)
        after = apply_step(before, step)
        return after if after.frames else step

    return lands


STEPWISE: dict[str, Callable[[StateTree, str], End]] = {
    "line-1": _lands(read_step),
    "sub": _lands(lambda text: read_answer(text)[1]),
    "line-1-full": lambda before, text: read_landing(text),
}
"""Layouts with a question a step, and where an answer leads. ValueError where it cannot be read."""


def score(
    model: Any, layout: str, held_out: Sequence[HeldOut], *, max_steps: int = MAX_STEPS
) -> LayoutScores:
    """Everything that is asked in one layout; a chain is left after `max_steps` questions."""
    if layout in STEPWISE:
        return _stepwise(model, layout, held_out, max_steps)
    return _at_once(model, layout, held_out)


def chained_or_at_once(
    model: Any, layout: str, held_out: Sequence[HeldOut], *, max_steps: int = MAX_STEPS
) -> list[ProgramScore]:
    """Whole programs alone; line traces are enough."""
    if layout in STEPWISE:
        return _chained(model, layout, held_out, max_steps)
    return _whole(model, layout, held_out)


def parts(before: StateTree, true: End, said: End | None, form: str) -> StepScore:
    """A step beside the true one."""
    if isinstance(true, Step):
        right = isinstance(said, Step) and str(said) == str(true)
        ends = isinstance(said, Step) and said.mark == true.mark
        return StepScore(form, ends, None, None, right, right)
    changed = _changed(before, true)
    if not isinstance(said, StateTree):
        return StepScore(form, False, False if changed else None, False if changed else None, None, False)
    own = _changed(before, said)
    return StepScore(
        form,
        [(f.mark, f.line) for f in said.frames] == [(f.mark, f.line) for f in true.frames],
        own.keys() == changed.keys() if changed else None,
        all(own.get(name) == value for name, value in changed.items()) if changed else None,
        None,
        str(said) == str(true),
    )


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
    """Every state with where its step leads."""
    return [(before, after if after.frames else step) for before, step, after in steps(trace)]


def _read(read: Callable[[], End]) -> End | None:
    try:
        return read()
    except ValueError:
        return None


def _ask(model: Any, layout: str, asked: list[tuple[str, str]]) -> list[Completion]:
    found: list[Completion] = model.generate([Request(*one, MAX_TOKENS[layout]) for one in asked])
    return found


# -------------------------------------------------------------- a question a step


def _stepwise(model: Any, layout: str, held_out: Sequence[HeldOut], max_steps: int) -> LayoutScores:
    write = plugins.load("representation", layout)
    asked: list[Example] = [example for one in held_out for example in write.render(one.trace, one.program)]
    answers = _ask(model, layout, [split_prompt(example.prompt) for example in asked])
    said = iter(answers)
    found = []
    for one in held_out:
        for before, true in true_ends(one.trace):
            answer = next(said)
            landed = _landed(layout, before, answer)
            found.append(parts(before, true, landed, one.form))
    n_tokens = sum(answer.n_tokens_out for answer in answers) / len(answers)
    return LayoutScores(layout, _chained(model, layout, held_out, max_steps), found, n_tokens)


def _landed(layout: str, before: StateTree, answer: Completion) -> End | None:
    if answer.finish_reason != "stop":
        return None
    return _read(lambda: STEPWISE[layout](before, answer.text))


class _Chain:
    """One program, executed from the model's own states."""

    def __init__(self, layout: str, one: HeldOut) -> None:
        self.head = head(layout, one.program)
        self.state = first_state(one.trace)
        self.end: End | None = None
        self.is_over = False
        self.n_steps = self.n_tokens = 0


def _chained(model: Any, layout: str, held_out: Sequence[HeldOut], max_steps: int) -> list[ProgramScore]:
    body = plugins.load("representation", layout).body
    chains = [_Chain(layout, one) for one in held_out]
    while live := [chain for chain in chains if not chain.is_over]:
        answers = _ask(model, layout, [(chain.head, body(chain.state)) for chain in live])
        for chain, answer in zip(live, answers, strict=True):
            chain.n_tokens += answer.n_tokens_out
            chain.n_steps += 1
            landed = _landed(layout, chain.state, answer)
            if isinstance(landed, StateTree):
                chain.state = landed
                chain.is_over = chain.n_steps >= max_steps
            else:
                chain.end, chain.is_over = landed, True
    return [
        ProgramScore(
            one.form,
            chain.end is not None and str(chain.end) == str(true_ends(one.trace)[-1][1]),
            chain.end is not None,
            chain.n_tokens,
        )
        for one, chain in zip(held_out, chains, strict=True)
    ]


# -------------------------------------------------------------- a whole run at once


def _at_once(model: Any, layout: str, held_out: Sequence[HeldOut]) -> LayoutScores:
    answers = _ask(model, layout, [(head(layout, one.program), call_body(one.program)) for one in held_out])
    found = []
    for one, answer in zip(held_out, answers, strict=True):
        ends = true_ends(one.trace)
        lines = answer.text.split("\n")
        if layout == "direct":
            found.append(parts(*ends[-1], _last_step(answer), one.form))
            continue
        for number, (before, true) in enumerate(ends, 1):  # the first line is the state of the call
            text = lines[number] if number < len(lines) else ""
            read = partial(STEPWISE["line-1" if layout == "compact" else "line-1-full"], before, text)
            found.append(parts(before, true, _read(read), one.form))
    return LayoutScores(layout, _judged(held_out, answers), found, -1.0)


def _whole(model: Any, layout: str, held_out: Sequence[HeldOut]) -> list[ProgramScore]:
    asked = [(head(layout, one.program), call_body(one.program)) for one in held_out]
    return _judged(held_out, _ask(model, layout, asked))


def _judged(held_out: Sequence[HeldOut], answers: Sequence[Completion]) -> list[ProgramScore]:
    found = []
    for one, answer in zip(held_out, answers, strict=True):
        last = _last_step(answer)
        right = str(last) == str(true_ends(one.trace)[-1][1])
        found.append(ProgramScore(one.form, right, last is not None, answer.n_tokens_out))
    return found


def _last_step(answer: Completion) -> Step | None:
    if answer.finish_reason != "stop":
        return None
    found = _read(lambda: read_step(answer.text.rsplit("\n", 1)[-1]))
    return found if isinstance(found, Step) else None
