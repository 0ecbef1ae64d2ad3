"""Every step of a chain beside the true run: how many are right, in what they differ, at what kind of line.

    judged(task, attempt, strategy="line-1", knobs=Knobs()) -> StepCount(n=12, wrong=2, ..), or None

A step is right if the state after it is the true one. With feed=true each starts from the true state, so
wrong steps are errors of their own; else the model goes on from its own states, and most wrong steps follow
from an earlier one. Line layouts are compared state text by state text. Conversations state the variables of
the entry in words: right is a state that gives every plain variable its true value (types count) and no
variable that has none; those without a literal are left out. Steps that a chain did not come to are wrong
("not reached"), up to the budget. The last step, which ends the run, is the answer and not counted here.
"""

from __future__ import annotations

import ast
from collections import Counter
from itertools import zip_longest

from deskcheck.errors import BadSource
from deskcheck.evaluation.annotated import annotated
from deskcheck.evaluation.divergence import Parted, cause
from deskcheck.evaluation.execute import parts_apart
from deskcheck.grading.compare import equal
from deskcheck.grading.literals import parse_literal
from deskcheck.records import Attempt, NoAnswer, Task
from deskcheck.results import StepCount
from deskcheck.states.parse import read_state
from deskcheck.states.prompt import whole_run
from deskcheck.states.steps import run_of
from deskcheck.states.visits import locals_at
from deskcheck.strategies import Knobs, says
from deskcheck.turns.error_injection import entry_lines, how_many


def judged(task: Task, attempt: Attempt, *, strategy: str, knobs: Knobs) -> StepCount | None:
    """None for strategies whose chain is not the run's states one by one, and for runs without a step."""
    if task.kind == "annotation":
        return annotated(task, attempt)
    holds = says(strategy, "CHAIN")
    if holds not in ("states", "words") or not task.truth.events.kind:
        return None
    steps = _of_states(task, attempt, knobs) if holds == "states" else _of_words(task, attempt, knobs)
    steps = steps[: knobs.max_steps]
    if not steps:
        return None
    parts = Counter(name for part, _ in steps if part for name in part.split(", "))
    kinds: dict[str, list[int]] = {}
    for part, line in steps:
        count = kinds.setdefault(cause(task.program.source, line), [0, 0])
        count[0] += 1
        count[1] += part != ""
    after = (_after_plant if holds == "words" else _after_planted_state)(task, attempt, knobs)
    return StepCount(len(steps), sum(part != "" for part, _ in steps), dict(parts), kinds, after)


def parted(task: Task, attempt: Attempt, knobs: Knobs) -> Parted | None:
    """Where a conversation parts from the true run, as `divergence` says it of line layouts."""
    visits = entry_lines(task.truth)
    if not visits or not attempt.chain:
        return None
    steps = _of_words(task, attempt, knobs)[: knobs.max_steps]
    together = next((number for number, (part, _) in enumerate(steps) if part), len(steps))
    part, line = steps[together] if together < len(steps) else ("", visits[-1][1])
    if part in ("", "not reached"):
        if isinstance(attempt.answer, NoAnswer):
            part = "" if attempt.answer.reason == "budget" else "format"
        elif part or attempt.answer.text != task.expected:
            part = "control flow" if part else "outcome"
    named = "format" if part == "format" else cause(task.program.source, line) if part else ""
    return Parted(together, together, part, named)


def _of_states(task: Task, attempt: Attempt, knobs: Knobs) -> list[tuple[str, int]]:
    """(parts that differ or "", line that the step runs) of every step but the last; not of planted ones."""
    start, run = whole_run(task.truth)
    before = [start, *(state for _, state in run[:-1])]
    found = []
    for number, (state, (_, after)) in enumerate(zip(before, run[:-1], strict=False)):
        if number >= len(attempt.chain):
            part = "not reached"
        else:
            belief = attempt.chain[number]
            part = parts_apart(str(after), belief) if belief else "format"
        found.append((part, state.frames[-1].line))
    return found[how_many(knobs.planted, len(before)) :]


def _of_words(task: Task, attempt: Attempt, knobs: Knobs) -> list[tuple[str, int]]:
    """The same of a conversation; states that were planted are not the model's and not counted."""
    visits = entry_lines(task.truth)
    held = locals_at(task.truth, [event for event, _ in visits])
    ever = {name for values in held.values() for name in values}
    n_planted = how_many(knobs.planted, len(visits))
    found = []
    pairs = zip_longest(visits[:-1], visits[1:], attempt.chain[: len(visits) - 1])
    for (_, line), (event, following), belief in list(pairs)[n_planted:]:
        if belief is None:
            part = "not reached"
        else:
            place, _, bindings = belief.partition(" | ")
            wrong = [] if place == f"@{following}" else ["control flow"]
            wrong += [] if _same(bindings, held[event], ever) else ["variables"]
            part = ", ".join(wrong)
        found.append((part, line))
    return found


def _same(text: str, true: dict[str, str], ever: set[str]) -> bool:
    said = bindings_in(text)
    if said is None or any(name in ever and name not in true for name in said):
        return False
    return all(name in said and _equal(said[name], value) for name, value in true.items())


def _equal(said: str, true: str) -> bool:
    try:
        return equal(parse_literal(said), parse_literal(true), "strict")
    except (BadSource, RecursionError):
        return False


def bindings_in(text: str) -> dict[str, str] | None:
    """Name -> value of "n=3; s=[1]"; None where the text is something else."""
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = {}
    for node in nodes:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            return None
        found[node.targets[0].id] = ast.unparse(node.value)
    return found


def _after_plant(task: Task, attempt: Attempt, knobs: Knobs) -> str:
    """What the first state after the planted ones makes of the wrong value."""
    visits = entry_lines(task.truth)
    n = how_many(knobs.planted, len(visits))
    if not n or not knobs.planted.endswith("wrong") or n + 1 >= len(visits):
        return ""
    true = locals_at(task.truth, [visits[n][0], visits[n + 1][0]])
    told = bindings_in(attempt.chain[n - 1].partition(" | ")[2]) or {}
    names = [name for name, text in true[visits[n][0]].items() if not _equal(told.get(name, ""), text)]
    if not names or len(attempt.chain) <= n:
        return ""
    own = bindings_in(attempt.chain[n].partition(" | ")[2]) or {}
    value = own.get(names[0], "")
    if _equal(value, true[visits[n + 1][0]].get(names[0], "")):
        return "corrected"
    return "followed" if _equal(value, told.get(names[0], "")) else "neither"


def _after_planted_state(task: Task, attempt: Attempt, knobs: Knobs) -> str:
    """The same of a loop over states, where the running frame stays."""
    states = [after for _, _, after in run_of(task.truth)[:-1]]
    n = how_many(knobs.planted, len(states) + 1)
    if not n or not knobs.planted.endswith("wrong") or n >= len(states) or len(attempt.chain) <= n:
        return ""
    told, own = (read_state(text).frames[-1].entries for text in attempt.chain[n - 1 : n + 1])
    true = states[n - 1].frames[-1].entries
    names = [name for name, value in true.items() if told.get(name) != value]
    if not names or len(states[n].frames) != len(states[n - 1].frames):
        return ""
    if own.get(names[0]) == states[n].frames[-1].entries.get(names[0]):
        return "corrected"
    return "followed" if own.get(names[0]) == told.get(names[0]) else "neither"
