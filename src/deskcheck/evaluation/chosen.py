"""Which tasks are asked: --filter picks by tag or by size, before --limit takes the first ones.

    chosen(tasks, ["family=graphs", "steps<100"], limit=20) -> tasks that fulfil all of them
    parse_filter("steps<=100") -> Filter("steps", "<=", "100")

Names: the tags of the benchmark, and `steps` (executed lines of the true run), `lines` (of the program),
`id`, `cluster`. `=` and `!=` compare text, `<`, `<=`, `>`, `>=` numbers, `~` looks for a part of the text.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.records import Task

_Set = TypeVar("_Set", bound=Any)
_FORM = re.compile(r"([\w-]+)\s*(<=|>=|!=|=|<|>|~)\s*(.*)")
_NUMBERS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Filter(Struct, frozen=True):
    """One condition that tasks have to meet."""

    name: str
    sign: str
    value: str


def parse_filter(text: str) -> Filter:
    """UserError where the text is no condition."""
    found = _FORM.fullmatch(text.strip())
    if found is None or (found[2] in _NUMBERS and not _is_number(found[3])):
        raise UserError(f"--filter '{text}': write NAME=VALUE, NAME!=VALUE, NAME~PART or NAME<NUMBER")
    return Filter(found[1], found[2], found[3].strip())


def chosen(tasks: Sequence[Task], filters: Sequence[str], *, limit: int) -> list[Task]:
    """Tasks that fulfil every filter, at most `limit` (0 = all). UserError for a name that no task has."""
    kept = list(tasks)
    for text in filters:
        one = parse_filter(text)
        known = {name for task in tasks for name in _facts(task)}
        if one.name not in known:
            raise UserError(f"--filter '{text}': no task has '{one.name}'; known: {', '.join(sorted(known))}")
        kept = [task for task in kept if _holds(one, _facts(task).get(one.name, ""))]
    return kept[:limit] if limit else kept


def filtered(found: _Set, filters: Sequence[str]) -> _Set:
    """The same `truth.TaskSet` with only the tasks that fulfil every filter."""
    return msgspec.structs.replace(found, tasks=chosen(found.tasks, filters, limit=0))


def _facts(task: Task) -> dict[str, str]:
    lines = sum(1 for line in task.program.source.split("\n") if line.strip())
    return {
        "steps": str(task.truth.n_steps),
        "lines": str(lines),
        "id": task.id,
        "cluster": task.cluster,
        **task.tags,
    }


def _holds(one: Filter, value: str) -> bool:
    if one.sign in _NUMBERS:
        return _is_number(value) and _NUMBERS[one.sign](float(value), float(one.value))
    if one.sign == "~":
        return one.value in value
    return (value == one.value) == (one.sign == "=")


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+(\.\d+)?", text.strip()) is not None
