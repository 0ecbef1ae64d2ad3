"""Find where a growing value departs from a stated one: for lists, at the first item that differs.

    left_at([1, 2, 3], [(4, [1]), (7, [1, 5])]) -> (7, [1, 5], "item 2")

The values are lists and texts that grow at one end, dictionaries whose entries are set, and lists whose items
are set in place. A returned value is followed back to the variable that collected it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from deskcheck.viewer.values import Told, is_same

Row = tuple[int, Any]
"""Event and value of a variable."""
Left = tuple[int, Any, str]
"""Event, the true value there, and the part of the stated value that differs."""


def collected_in(said: Any, told: Told) -> tuple[int, str, Any, str] | None:
    """Find where the variable that collected the result departs from a false one.

    Returns event, variable, true value and the part that differs.
    """
    if not told.result or not told.moments or type(said) is not type(told.result[0]):
        return None
    result, frame = told.result[0], told.moments[0][1]
    last = next(row[2] for row in reversed(told.moments) if row[1] == frame)
    for name in reversed(last):
        rows = changes_of(name, frame, told)
        is_text = isinstance(result, str) and _is_letters(last[name]) and "".join(last[name]) == result
        if not (is_text and all(len(one) == 1 for one in last[name])) and not is_same(last[name], result):
            continue
        wanted = list(said) if is_text else said
        left = _left_of(wanted, name, rows, frame, told)
        if left is None or (len(rows) == 1 and left[2] == ""):
            left = _after_the_loop(wanted, name, rows, told) or left
        if left:
            return left[0], name, left[1], left[2]
    return None


def _left_of(said: Any, name: str, rows: Sequence[Row], frame: int, told: Told) -> Left | None:
    """Find where the variable that holds the result departs from the stated value."""
    if not isinstance(said, str | list | dict | tuple):
        return None
    is_argument = rows[0][0] == told.moments[0][0]
    if len(rows) == 1:
        made = told.lines[told.ran.get(rows[0][0], 0) - 1]
        is_empty = re.search(r"=\s*(?:\[\]|\{\}|''|\"\"|[a-z]+\(\))\s*$", made)
        return None if is_argument or is_empty else (*rows[0], "")
    held = [after for (_, value), after in pairwise(rows) if is_same(value, said)]
    if held:
        return (*held[-1], "it changed once more")
    left = left_at(said, rows)
    return _passed_over(said, name, rows, left, frame, told) or left


def _after_the_loop(said: Any, name: str, rows: Sequence[Row], told: Told) -> Left | None:
    """Return the end of the last loop that fills a variable, if the stated value only adds items to it."""
    event, final = rows[-1]
    if not isinstance(final, list | str) or len(said) <= len(final) or not is_same(said[: len(final)], final):
        return None
    ends = [told.passed[head][-1] for head in told.fills.get(name, ()) if head in told.passed]
    return (max(ends), final, "the loop is over") if ends and max(ends) > event else None


def _passed_over(
    said: Any, name: str, rows: Sequence[Row], left: Left | None, frame: int, told: Told
) -> Left | None:
    """Find the round in which the run left out an item that the stated value contains.

    Some variable becomes that item in this round. Only rounds before the first false part count.
    """
    final = rows[-1][1]
    known = [row for row in rows if left is None or row[0] < left[0]] or rows[:1]
    if isinstance(said, dict) and isinstance(final, dict):
        written = {
            key
            for (_, a), (_, b) in pairwise(rows)
            for key in b
            if key not in a or not is_same(a[key], b[key])
        }
        pieces = [
            key
            for key in said
            if key not in written and not (key in final and is_same(final[key], said[key]))
        ]
        after = rows[0][0]
    elif isinstance(said, list | str) and len(said) > len(known[-1][1]):
        grows = all(is_same(b[: len(a)], a) for (_, a), (_, b) in pairwise(rows))
        if not grows or not is_same(said[: len(known[-1][1])], known[-1][1]):
            return None
        pieces, after = [said[len(known[-1][1])]], known[-1][0]
    else:
        return None
    before: dict[str, Any] = {}
    for event, one, values in told.moments:
        if one != frame:
            continue
        if left is not None and event >= left[0]:
            return None
        for other, value in values.items():
            is_new = other not in before or not is_same(before[other], value)
            is_it = isinstance(value, str | int) and any(is_same(value, piece) for piece in pieces)
            if event > after and other != name and is_new and is_it:
                held = [row[1] for row in rows if row[0] <= event] or [rows[0][1]]
                part = f"entry {value!r}" if isinstance(said, dict) else f"item {len(known[-1][1]) + 1}"
                return event, held[-1], part
        before = values
    return None


def changes_of(name: str, frame: int, told: Told) -> list[Row]:
    """Return event and value of a variable of one frame, each time that it changed."""
    rows: list[Row] = []
    for event, one, values in told.moments:
        if one == frame and name in values and not (rows and is_same(rows[-1][1], values[name])):
            rows.append((event, values[name]))
    return rows


def left_at(said: Any, rows: Sequence[Row]) -> Left | None:
    """Find the first row whose value is no part of the stated one; None if the rows do not grow."""
    if len(rows) < 2 or any(type(value) is not type(said) for _, value in rows):
        return None
    if isinstance(said, dict):
        return _of_entries(said, rows)
    if not isinstance(said, list | str):
        return None
    pairs = [(one[1], other[1]) for one, other in pairwise(rows)]
    if all(len(b) > len(a) and is_same(b[: len(a)], a) for a, b in pairs):
        return _of_end(said, rows)
    if all(len(b) > len(a) and is_same(b[len(b) - len(a) :], a) for a, b in pairs):
        turned = _of_end(said[::-1], [(event, value[::-1]) for event, value in rows])
        return (turned[0], turned[1][::-1], turned[2]) if turned else None
    if isinstance(said, list) and all(len(a) == len(b) == len(said) for a, b in pairs):
        entries = [(event, dict(enumerate(value))) for event, value in rows]
        left = _of_entries(dict(enumerate(said)), entries)
        return (left[0], list(left[1].values()), _as_item(left[2])) if left else None
    return None


def _as_item(entry: str) -> str:
    return f"item {int(entry.removeprefix('entry ')) + 1}"


def _of_end(said: Any, rows: Sequence[Row]) -> Left | None:
    if not is_same(said[: len(rows[0][1])], rows[0][1]):
        return None
    before = len(rows[0][1])
    for event, value in rows[1:]:
        if not is_same(said[: len(value)], value):
            pairs = zip(value[before:], said[before:], strict=False)
            same = next((k for k, (a, b) in enumerate(pairs) if not is_same(a, b)), len(said) - before)
            return event, value, f"{'character' if isinstance(said, str) else 'item'} {before + same + 1}"
        before = len(value)
    return None


def _of_entries(said: dict[Any, Any], rows: Sequence[Row]) -> Left | None:
    """Find the first entry set to a final value that differs from the stated one, or is not stated."""
    final, before = rows[-1][1], rows[0][1]
    for event, value in rows[1:]:
        for key, item in value.items():
            is_new = key not in before or not is_same(before[key], item)
            is_final = key in final and is_same(final[key], item)
            if is_new and is_final and (key not in said or not is_same(said[key], item)):
                return event, value, f"entry {key!r}"
        before = value
    return None


def _is_letters(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
