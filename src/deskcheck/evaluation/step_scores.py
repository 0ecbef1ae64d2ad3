"""Compare the states of a rollout with the true run: the first wrong step, and every step.

    divergence(task, rollout, strategy="line-1") -> Parted(together=12, part="variables", cause="arithmetic")
    judged(task, rollout, strategy="line-1", settings=Settings()) -> StepCount(n=12, wrong=2, ..), or None
    annotated(task, rollout) -> StepCount(n=5, wrong=1, parts={"test": 1}, .., contradictions=0)

First wrong step: the model starts at the true state of the call and continues from its own states, so only
the first wrong step is an error; later ones are consequences. A strategy that jumps over steps (line-n,
debugger) is right as long as each of its states is a later state of the true run.

Every step: a step is right if the state after it is the true one. With teacher_forcing=true each step starts
from the true state, so each wrong step is an error of its own. Chains in a line layout are compared as texts
of states. In a conversation the model states the variables of the called function in words. Such a state is
right if it gives every plain variable its true value (types count) and names no variable that has no value;
values without a literal are left out. Steps that a chain did not reach are wrong ("not reached"), up to the
budget. The last step, which ends the run, is the answer and not counted.

Annotation tasks (kind `annotation`): the model fills blanks in the program with lists of values. Each value
is compared; surplus and missing values are wrong. Contradictions within an answer are counted apart from its
errors (CES, arXiv 2510.15079): for example, a branch is taken twice and one of its lines has three values.
Whether a condition fits the values beside it is not checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from itertools import zip_longest

from msgspec import Struct

from deskcheck.cell_files import StepCount
from deskcheck.errors import BadSource
from deskcheck.grading.verdict import answer_language
from deskcheck.languages import MissingPart, equal, parse_literal
from deskcheck.languages import part as part_of
from deskcheck.records import OUT_OF_STEPS, Answer, Granularity, NoAnswer, Rollout, Task
from deskcheck.states.parse import read_state
from deskcheck.states.steps import run_of, steps, whole_run
from deskcheck.states.tree import StateTree
from deskcheck.states.visits import entry_lines, entry_locals
from deskcheck.strategies import Settings, says
from deskcheck.turns.finer import finer
from deskcheck.turns.settings import how_many

# A line that does several things is named by the first of these: the literature's order of difficulty.
CAUSES = (
    "index or slice",
    "string method",
    "container method",
    "arithmetic",
    "comparison or branch",
    "loop bookkeeping",
    "call or return",
    "format",
    "other",
)


class Parted(Struct, frozen=True):
    """Number of right steps of a chain, and the first wrong one."""

    together: int
    """Steps (or jumps) that were right before the first wrong one."""
    steps: int
    """Steps of the true run before the first wrong one, or all of them."""
    part: str
    """"" = no divergence; otherwise the parts that differ: "control flow", "variables, iterators", ..,
    "format"."""
    cause: str
    """One of CAUSES for the true line whose step went wrong; "" = no divergence."""


def divergence(task: Task, rollout: Rollout, *, strategy: str) -> Parted | None:
    """Find the first wrong step of a chain; None for a strategy or run without a chain of states."""
    holds = says(strategy, "CHAIN")
    if holds not in ("states", "jumps") or not rollout.chain:
        return None
    start, run = whole_run(task.truth)
    true = [str(start), *(str(state) for _, state in run[:-1])]
    at = together = 0
    for belief in rollout.chain:
        after = _position(true, at, belief, jumps=holds == "jumps")
        if after < 0:
            wanted = true[at + 1] if at + 1 < len(true) else ""
            if not belief:
                return Parted(together, at, "format", "format")
            return Parted(
                together,
                at,
                parts_apart(wanted, belief),
                cause(task.program.source, _line(true[at]), task.program.language),
            )
        at, together = after, together + 1
    return Parted(together, at, *_ending(task, rollout, true, at))


def _ending(task: Task, rollout: Rollout, true: list[str], at: int) -> tuple[str, str]:
    """Return part and cause for the step after the last state: an outcome, or an unreadable reply."""
    line = _line(true[at])
    if isinstance(rollout.answer, Answer):
        ends_here = at == len(true) - 1
        if ends_here and rollout.answer.text == task.expected:
            return "", ""
        return ("outcome" if ends_here else "control flow"), cause(
            task.program.source, line, task.program.language
        )
    if rollout.answer.reason in OUT_OF_STEPS:
        return "", ""
    return "format", "format"


def _position(true: list[str], at: int, belief: str, *, jumps: bool) -> int:
    """Return the position of a believed state in the true run, after `at`; -1 if there is none."""
    if not jumps:
        return at + 1 if at + 1 < len(true) and true[at + 1] == belief else -1
    try:
        return true.index(belief, at + 1)
    except ValueError:
        return -1


def _line(state: str) -> int:
    frames = read_state(state).frames
    return frames[-1].line if frames else 0


def cause(source: str, line: int, language: str = "python") -> str:
    """Return the first of CAUSES that the statement at a line contains."""
    try:
        named: Set[str] = part_of(language, "causes")(source).get(line, frozenset())
    except MissingPart:
        return "other"
    return next((name for name in CAUSES if name in named), "other")


def annotated(task: Task, rollout: Rollout) -> StepCount | None:
    """Count the positions of an annotation answer; None if there is no answer to count."""
    language = answer_language(task.tags)
    said = _lists(rollout.answer.text, language) if isinstance(rollout.answer, Answer) else None
    if said is None:
        return None
    parts: Counter[str] = Counter()
    kinds: dict[str, list[int]] = {}
    n = 0
    for name, true in (_lists(task.expected, language) or {}).items():
        values = said.get(name, [])
        line, _, what = name.partition(".")
        count = kinds.setdefault(cause(task.program.source, int(line), task.program.language), [0, 0])
        for at in range(max(len(true), len(values))):
            n += 1
            count[0] += 1
            if (
                at >= len(true)
                or at >= len(values)
                or not equal(values[at], true[at], "strict", language=language)
            ):
                count[1] += 1
                parts["test" if what == "test" else "variables"] += 1
    return StepCount(
        n,
        parts.total(),
        dict(parts),
        kinds,
        contradictions=len(part_of(task.program.language, "contradictions")(task.program.source, said)),
    )


def _lists(text: str, language: str) -> dict[str, list[object]] | None:
    """Return the name of each blank -> its values; None for any other value."""
    try:
        value = parse_literal(text, language=language)
    except BadSource:
        return None
    if not isinstance(value, dict):
        return None
    return {str(name): list(one) for name, one in value.items() if isinstance(one, list | tuple)}


def judged(task: Task, rollout: Rollout, *, strategy: str, settings: Settings) -> StepCount | None:
    """Count all steps of a rollout; None if its chain has no state for each step, or its run no step."""
    if task.kind == "annotation":
        return annotated(task, rollout)
    forced = settings.teacher_forcing == "true" and says(strategy, "FORCED")
    holds = "states" if forced else says(strategy, "CHAIN")
    if holds not in ("states", "words") or not task.truth.events.kind:
        return None
    if forced:
        scored = _of_forced(task, rollout, Granularity(int(forced)))
    else:
        scored = (_of_states if holds == "states" else _of_words)(task, rollout, settings)
    scored = scored[: settings.max_steps]
    if not scored:
        return None
    parts = Counter(name for part, _ in scored if part for name in part.split(", "))
    kinds: dict[str, list[int]] = {}
    for part, line in scored:
        count = kinds.setdefault(cause(task.program.source, line, task.program.language), [0, 0])
        count[0] += 1
        count[1] += part != ""
    after = (_after_plant if holds == "words" else _after_injected_state)(task, rollout, settings)
    return StepCount(len(scored), sum(part != "" for part, _ in scored), dict(parts), kinds, after)


def parted(task: Task, rollout: Rollout, settings: Settings) -> Parted | None:
    """Find the first wrong step of a conversation, like `divergence` for line layouts."""
    visits = entry_lines(task.truth)
    if not visits or not rollout.chain:
        return None
    steps = _of_words(task, rollout, settings)[: settings.max_steps]
    together = next((number for number, (part, _) in enumerate(steps) if part), len(steps))
    part, line = steps[together] if together < len(steps) else ("", visits[-1][1])
    if part in ("", "not reached"):
        if isinstance(rollout.answer, NoAnswer):
            part = "" if rollout.answer.reason in OUT_OF_STEPS else "format"
        elif part or rollout.answer.text != task.expected:
            part = "control flow" if part else "outcome"
    named = (
        "format"
        if part == "format"
        else cause(task.program.source, line, task.program.language)
        if part
        else ""
    )
    return Parted(together, together, part, named)


def _of_states(task: Task, rollout: Rollout, settings: Settings) -> list[tuple[str, int]]:
    """Return (parts that differ or "", line of the step) for every step but the last and injected ones."""
    start, run = whole_run(task.truth)
    before = [start, *(state for _, state in run[:-1])]
    verdicts = []
    for number, (state, (_, after)) in enumerate(zip(before, run[:-1], strict=False)):
        if number >= len(rollout.chain):
            part = "not reached"
        else:
            belief = rollout.chain[number]
            part = parts_apart(str(after), belief) if belief else "format"
        verdicts.append((part, state.frames[-1].line))
    return verdicts[how_many(settings.inject_states, len(before)) :]


def _of_forced(task: Task, rollout: Rollout, granularity: Granularity) -> list[tuple[str, int]]:
    """Trace the run again by finer steps; return the same pairs, each step starting from a true state."""
    verdicts = []
    run = list(steps(finer(task, granularity), granularity=granularity))
    for number, (before, _, after) in enumerate(run[:-1]):
        belief = rollout.chain[number] if number < len(rollout.chain) else None
        part = "not reached" if belief is None else parts_apart(str(after), belief) if belief else "format"
        verdicts.append((part, before.frames[-1].line))
    return verdicts


def _of_words(task: Task, rollout: Rollout, settings: Settings) -> list[tuple[str, int]]:
    """Return the same pairs for a conversation; injected states are not the model's and not counted."""
    visits = entry_lines(task.truth)
    held = entry_locals(task.truth)
    ever = {name for values in held.values() for name in values}
    language = answer_language(task.tags)
    n_injected = how_many(settings.inject_states, len(visits))
    verdicts = []
    pairs = zip_longest(visits[:-1], visits[1:], rollout.chain[: len(visits) - 1])
    for (_, line), (event, following), belief in list(pairs)[n_injected:]:
        if belief is None:
            part = "not reached"
        else:
            place, _, bindings = belief.partition(" | ")
            wrong = [] if place == f"@{following}" else ["control flow"]
            wrong += [] if _same(bindings, held[event], ever, language) else ["variables"]
            part = ", ".join(wrong)
        verdicts.append((part, line))
    return verdicts


def _same(text: str, true: dict[str, str], ever: set[str], language: str) -> bool:
    said = bindings_in(text, language)
    if said is None or any(name in ever and name not in true for name in said):
        return False
    return all(name in said and _equal(said[name], value, language) for name, value in true.items())


def _equal(text: str, true: str, language: str) -> bool:
    try:
        return equal(
            parse_literal(text, language=language), parse_literal(true, language=language), "strict",
            language=language,
        )  # fmt: skip
    except (BadSource, RecursionError):
        return False


def bindings_in(text: str, language: str = "python") -> dict[str, str] | None:
    """Return name -> value of "n=3; s=[1]"; None if the text has another form."""
    try:
        return dict(part_of(language, "bindings")(text, chained=True))
    except ValueError:
        return None


def _after_plant(task: Task, rollout: Rollout, settings: Settings) -> str:
    """Return what the model's first own state did with an injected wrong value.

    The result is "corrected", "followed" or "neither"; "" if no wrong state was injected, or if no state of
    the model follows.
    """
    visits = entry_lines(task.truth)
    n = how_many(settings.inject_states, len(visits))
    if not n or not settings.inject_states.endswith("wrong") or n + 1 >= len(visits):
        return ""
    true = entry_locals(task.truth)
    language = answer_language(task.tags)
    told = bindings_in(rollout.chain[n - 1].partition(" | ")[2], language) or {}
    names = [
        name for name, text in true[visits[n][0]].items() if not _equal(told.get(name, ""), text, language)
    ]
    if not names or len(rollout.chain) <= n:
        return ""
    own = bindings_in(rollout.chain[n].partition(" | ")[2], language) or {}
    value = own.get(names[0], "")
    if _equal(value, true[visits[n + 1][0]].get(names[0], ""), language):
        return "corrected"
    return "followed" if _equal(value, told.get(names[0], ""), language) else "neither"


def _after_injected_state(task: Task, rollout: Rollout, settings: Settings) -> str:
    """Return the same as `_after_plant` for a chain of states; "" also if the call stack changes there."""
    states = [after for _, _, after in run_of(task.truth)[:-1]]
    n = how_many(settings.inject_states, len(states) + 1)
    if not n or not settings.inject_states.endswith("wrong") or n >= len(states) or len(rollout.chain) <= n:
        return ""
    told, own = (read_state(text).frames[-1].entries for text in rollout.chain[n - 1 : n + 1])
    true = states[n - 1].frames[-1].entries
    names = [name for name, value in true.items() if told.get(name) != value]
    if not names or len(states[n].frames) != len(states[n - 1].frames):
        return ""
    if own.get(names[0]) == states[n].frames[-1].entries.get(names[0]):
        return "corrected"
    return "followed" if own.get(names[0]) == told.get(names[0]) else "neither"


def parts_apart(true: str, believed: str) -> str:
    """Return the names of the parts in which two state texts differ; "" if they are equal."""
    if true == believed:
        return ""
    # The text of a state begins with the mark of its first frame; any other text is an outcome.
    if not (true and believed and true[0] in "@>*" and believed[0] in "@>*"):
        return "control flow"
    return ", ".join(_differing(read_state(true), read_state(believed))) or "variables"


def _differing(true: StateTree, believed: StateTree) -> list[str]:
    """Return the parts of Execution Tuning's per-step score in which two states differ."""

    def where(state: StateTree) -> object:
        return [(f.mark, f.line, f.pending) for f in state.frames]

    def named(state: StateTree, first: str) -> object:
        return [
            {n: str(v) for n, v in f.entries.items() if (n[0] if n[0] in "~^" else "") == first}
            for f in state.frames
        ]

    found = [] if where(true) == where(believed) else ["control flow"]
    for part, first in (("variables", ""), ("iterators", "~"), ("stack", "^")):
        if named(true, first) != named(believed, first):
            found.append(part)
    return found
