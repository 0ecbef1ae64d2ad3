"""Compute rewards: functions from completions, and the columns of their tasks, to one number each.

    outcome(completions=["[ANSWER]6[/ANSWER]"], kind=["output"], expected=["6"], pays=[["outcome"]]) -> [1.0]

The convention is that of TRL's `reward_funcs`: one keyword per column of the dataset. `tasks.RewardTask`
describes kind, expected and pays. A completion is a text or a list of messages. None means that the reward
does not apply to a task. Rewards:

outcome    1 if the answer is the true value, types included, else 0
next_line  1 if the line after a branching line is the true one, else 0
state      share of right parts among the parts that the true step has or the completion names (`step_parts`)
form       0 for exactly one readable answer, -1 for none or several; so form alone is never paid

An answer is read only if it has the requested form and is the only one. No text of a model is executed. A
text of more than MOST_CHARS characters is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from deskcheck.errors import BadSource
from deskcheck.grading.extraction import extract
from deskcheck.grading.places import tags
from deskcheck.grading.verdict import Raises, answer_value, value_in
from deskcheck.languages import equal
from deskcheck.records import Answer, Completion
from deskcheck.rewards.step_parts import parts_of
from deskcheck.rewards.tasks import NEXT_LINE, OUTCOME, STATE, STEP
from deskcheck.states.parse import read_step
from deskcheck.states.tree import Step

MOST_CHARS = 20_000
RewardFunction = Callable[..., list[float | None]]


def outcome(
    completions: Sequence[Any],
    kind: Sequence[str],
    expected: Sequence[str],
    pays: Sequence[Sequence[str]],
    **_: Any,
) -> list[float | None]:
    """Return 1 for the true value, types included, else 0; None for tasks about a line or a step."""
    return _each(_outcome, OUTCOME, completions, kind, expected, pays)


def next_line(
    completions: Sequence[Any],
    kind: Sequence[str],
    expected: Sequence[str],
    pays: Sequence[Sequence[str]],
    **_: Any,
) -> list[float | None]:
    """Return 1 if the line after a branching line is the true one, else 0; None for tasks without one."""
    return _each(_next_line, NEXT_LINE, completions, kind, expected, pays)


def state(
    completions: Sequence[Any],
    kind: Sequence[str],
    expected: Sequence[str],
    pays: Sequence[Sequence[str]],
    **_: Any,
) -> list[float | None]:
    """Return the share of right parts of a step; None for steps that change nothing, and other tasks."""
    return _each(_state, STATE, completions, kind, expected, pays)


def form(completions: Sequence[Any], kind: Sequence[str], **_: Any) -> list[float | None]:
    """Return 0 if exactly one answer can be read, -1 if none or several can; it applies to every task."""
    pairs = zip(completions, kind, strict=True)
    return [0.0 if read(text_of(one), of) is not None else -1.0 for one, of in pairs]


ALL: list[RewardFunction] = [outcome, next_line, state, form]
NAMES = {function.__name__: function for function in ALL}


def _each(
    pay: Callable[[str, str, str], float],
    name: str,
    completions: Sequence[Any],
    kind: Sequence[str],
    expected: Sequence[str],
    pays: Sequence[Sequence[str]],
) -> list[float | None]:
    """Apply one reward to every row: `pay` if the task pays the reward `name`, else None."""
    rows = zip(completions, kind, expected, pays, strict=True)
    return [pay(text_of(one), of, truth) if name in paid else None for one, of, truth, paid in rows]


def text_of(completion: Any) -> str:
    """Return the text of a completion: itself, or the last message of the assistant."""
    if isinstance(completion, str):
        return completion
    for message in reversed(completion or []):
        if not hasattr(message, "get"):  # verifiers' messages are objects
            message = vars(message)
        if message.get("role", "assistant") == "assistant":
            content = message.get("content")
            return content if isinstance(content, str) else ""
    return ""


def read(text: str, kind: str) -> str | None:
    """Return the only answer of a completion, as text; None if there is none or more than one."""
    if len(text) > MOST_CHARS:
        return None
    if kind == STEP:
        return text.strip("\n") if step_of(text) is not None else None
    if len(tags(text)) > 1:
        return None
    found = extract(Completion(text=text, finish_reason="stop"), "exact", value_in)
    return found.text if isinstance(found, Answer) else None


def step_of(text: str) -> Step | None:
    """Parse a text that is one step, without blank lines around it; None if it is none."""
    if len(text) > MOST_CHARS:
        return None
    try:
        return read_step(text.strip("\n"))
    except (ValueError, RecursionError):
        return None


def _outcome(text: str, kind: str, expected: str) -> float:
    answer = read(text, kind)
    if answer is None:
        return 0.0
    try:
        value, truth = answer_value(answer), _truth(expected)
    except BadSource:
        return 0.0
    if isinstance(value, Raises) or isinstance(truth, Raises):
        return float(isinstance(value, Raises) and isinstance(truth, Raises) and value.type == truth.type)
    return float(equal(value, truth, "strict"))


def _next_line(text: str, kind: str, expected: str) -> float:
    if kind != STEP:
        return _outcome(text, kind, expected)
    answer = read(text, kind)
    if answer is None:
        return 0.0
    step, truth = read_step(answer), _true_step(expected)
    return float((step.mark, step.line) == (truth.mark, truth.line))


def _state(text: str, kind: str, expected: str) -> float:
    answer = read(text, kind)
    if answer is None:
        return 0.0
    step, truth = read_step(answer), _true_parts(expected)
    if len({(change.frame, change.name) for change in step.changes}) < len(step.changes):
        return 0.0  # two values for one variable
    parts = parts_of(step)
    right = sum(parts.get(place) == value for place, value in truth.items())
    return right / len(truth.keys() | parts.keys())


@lru_cache(maxsize=1 << 16)  # every completion of a group is compared with the same truth
def _truth(expected: str) -> object:
    return answer_value(expected)


@lru_cache(maxsize=1 << 16)
def _true_step(expected: str) -> Step:
    return read_step(expected)


@lru_cache(maxsize=1 << 16)
def _true_parts(expected: str) -> dict[str, str]:
    return parts_of(_true_step(expected))
