"""Find where a value that grows during a run departs from the value that a model's text states.

    left_at([1, 2, 3], [(4, [1]), (7, [1, 5])]) -> (7, [1, 5], "item 2")     the stated value; the true rows

A row is the event at which a variable got a value, and the value.
The values are lists and texts that grow at one end, dictionaries whose entries are set, and lists whose items
are set in place. A returned value is followed back to the variable that collected it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from deskcheck.statements.decisions import Place, check_in, never_changed, returned_by
from deskcheck.statements.expressions import Unknown, evaluated
from deskcheck.statements.values import RunFacts, is_same

Row = tuple[int, Any]
"""Event and value of a variable."""
_GONE = ("no such entry", ...)  # in place of the value of a key that a dictionary does not have
Left = tuple[int, Any, str]
"""Event, the true value there, and the part of the stated value that differs; "" = all of it."""


def collected_in(stated: Any, facts: RunFacts) -> Place | None:
    """Find where the variable behind a false result departs from it, or the check that left it unchanged."""
    if not facts.result or not facts.moments:
        return None
    frame = facts.moments[0][1]
    last = next(row[2] for row in reversed(facts.moments) if row[1] == frame)
    for name, wanted in _feeding(stated, last, facts):
        rows = changes_of(name, frame, facts)
        if not rows:
            continue
        place = _passed_over(wanted, name, rows, frame, facts)
        left = None if place else _left_of(wanted, name, rows, frame, facts)
        if place is None and len(rows) == 1 and (left is None or left[2] == ""):
            left = _after_the_loop(wanted, name, rows, facts) or left
            is_kept = left is None or (left[2] == "" and len(wanted) == len(rows[0][1]))
            place = never_changed(name, rows[0][1], facts) if is_kept else None
        elif place is None:
            left = _after_the_loop(wanted, name, rows, facts) or left
        if place is None and left:
            place = Place(left[0], name, repr(left[1]), left[2])
        if place:
            return place
    return None


def _feeding(stated: Any, last: dict[str, Any], facts: RunFacts) -> Iterator[tuple[str, Any]]:
    """Yield each variable that holds the result or a part of it, with its value by the false result."""
    result = facts.result[0]
    if type(stated) is not type(result):
        return
    given = returned_by(facts)
    if isinstance(given, ast.Tuple) and isinstance(stated, tuple) and len(stated) == len(result):
        for part, yours, mine in zip(given.elts, stated, result, strict=False):
            if isinstance(part, ast.Name) and part.id in last and not is_same(yours, mine):
                yield part.id, yours
        return
    for name in reversed(last):
        if is_same(last[name], result):
            yield name, stated
        elif isinstance(result, str) and _is_letters(last[name]) and "".join(last[name]) == result:
            pieces = list(stated) if all(len(one) == 1 for one in last[name]) else None
            yield name, pieces if pieces is not None else _cut(stated, last[name], "")
    if isinstance(given, ast.Call) and isinstance(given.func, ast.Attribute) and given.func.attr == "join":
        sep, name = given.func.value, ast.unparse(given.args[0]) if given.args else ""
        if isinstance(sep, ast.Constant) and sep.value and _is_letters(last.get(name)):
            yield name, _cut(stated, last[name], str(sep.value))
    if isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Slice) and given.slice.lower is None:
        name = ast.unparse(given.value)
        whole = last.get(name)
        is_whole = isinstance(whole, str | list) and type(whole) is type(stated)
        if is_whole and whole is not None and stated and given.slice.step is None:
            yield name, stated + whole[len(result) :]


def _cut(stated: str, pieces: list[str], sep: str) -> list[str]:
    """Cut a stated text like the true list of pieces, up to the first difference; the rest is one piece."""
    parts: list[str] = []
    at = 0
    for number, piece in enumerate(pieces):
        whole = (sep if number else "") + piece
        if stated[at : at + len(whole)] != whole:
            return [*parts, stated[at:]]
        parts.append(piece)
        at += len(whole)
    return [*parts, stated[at:]] if at < len(stated) else parts


def _left_of(stated: Any, name: str, rows: Sequence[Row], frame: int, facts: RunFacts) -> Left | None:
    """Find where the variable that holds the result departs from the stated value."""
    if not isinstance(stated, str | list | dict | tuple):
        return None
    is_argument = rows[0][0] == facts.moments[0][0]
    if len(rows) == 1:
        made = facts.lines[facts.ran.get(rows[0][0], 0) - 1]
        is_empty = re.search(r"=\s*(?:\[\]|\{\}|''|\"\"|[a-z]+\(\))\s*$", made)
        return None if is_argument or is_empty else (*rows[0], "")
    held = [after for (_, value), after in pairwise(rows) if is_same(value, stated)]
    if held:
        return (*held[-1], "it changed once more")
    return left_at(stated, rows) or settled_at(stated, rows, is_given=_is_given(rows[0][1], facts))


def _is_given(value: Any, facts: RunFacts) -> bool:
    """Whether a value is an argument, or a list of one: then a false piece of it was changed on the way."""
    arguments = facts.moments[0][2].values()
    return any(
        is_same(one, value) or (isinstance(one, str | tuple) and is_same(list(one), value))
        for one in arguments
    )


def settled_at(stated: Any, rows: Sequence[Row], *, is_given: bool = False) -> Left | None:
    """Find the row at which a part got its last value, if the stated value has another part there.

    With `is_given`, the first row is an argument of the call, so its parts count only once they changed.
    """
    final = rows[-1][1]
    if (
        len(rows) < 2
        or type(final) is not type(stated)
        or any(type(value) is not type(stated) for _, value in rows)
    ):
        return None
    if isinstance(stated, dict):
        return _of_kept(stated, rows)
    if not isinstance(stated, list | str):
        return None
    if len(stated) == len(final) and all(len(value) == len(final) for _, value in rows):
        wrong = [k for k, item in enumerate(final) if not is_same(item, stated[k])]
        since = {k: _since(k, rows) for k in wrong}
        first = min(wrong, key=lambda k: (is_given and not since[k], since[k], k), default=None)
        return None if first is None else (*rows[since[first]], _piece(stated, first))
    longest, fixed = len(final), []
    for (_, value), (_, after) in zip(rows[-2::-1], rows[:0:-1], strict=True):
        fixed.append(longest)
        same = (k for k, (a, b) in enumerate(zip(value, after, strict=False)) if not is_same(a, b))
        longest = min(longest, next(same, min(len(value), len(after))))
    for number, (row, n) in enumerate(zip(rows, [longest, *reversed(fixed)], strict=True)):
        if is_given and not number:
            continue
        part = next((k for k in range(n) if k >= len(stated) or not is_same(row[1][k], stated[k])), None)
        if part is not None:
            return (*row, _piece(stated, part))
    return (*rows[-1], _piece(stated, len(final))) if len(stated) > len(final) else None


def _since(key: Any, rows: Sequence[Row]) -> int:
    """Return the number of the row from which on an item or entry has its last value, or is gone."""
    at, last = len(rows) - 1, _part(rows[-1][1], key)
    while at and is_same(_part(rows[at - 1][1], key), last):
        at -= 1
    return at


def _part(value: Any, key: Any) -> Any:
    return value.get(key, _GONE) if isinstance(value, dict) else value[key]


def _piece(stated: Any, at: int) -> str:
    return f"{'character' if isinstance(stated, str) else 'item'} {at + 1}"


def _of_kept(stated: dict[Any, Any], rows: Sequence[Row]) -> Left | None:
    """Among the entries that are stated wrong, find the one that got its last value first, and the row."""
    final = rows[-1][1]
    keys = [key for key in {**stated, **final} if not is_same(_part(stated, key), _part(final, key))]
    since = [(_since(key, rows), key) for key in keys]
    moved = [one for one in since if one[0] > 0]
    if not moved:
        return None
    at, key = min(moved, key=lambda one: one[0])
    return (*rows[at], f"entry {key!r}")


def _after_the_loop(stated: Any, name: str, rows: Sequence[Row], facts: RunFacts) -> Left | None:
    """Return the end of the last loop that fills a variable, if the stated value only adds items to it."""
    event, final = rows[-1]
    if (
        not isinstance(final, list | str)
        or len(stated) <= len(final)
        or not is_same(stated[: len(final)], final)
    ):
        return None
    ends = [facts.passed[head][-1] for head in facts.fills.get(name, ()) if head in facts.passed]
    return (max(ends), final, "the loop is over") if ends and max(ends) > event else None


def _passed_over(stated: Any, name: str, rows: Sequence[Row], frame: int, facts: RunFacts) -> Place | None:
    """Find the round in which the run left out an item of the stated value, and the check that left it out.

    Only rounds before the first false part count. If the check is not known, the place is the variable with
    the value that it keeps.
    """
    final, left = rows[-1][1], left_at(stated, rows)
    known = [row for row in rows if left is None or row[0] < left[0]] or rows[:1]
    if isinstance(stated, dict) and isinstance(final, dict):
        written = {
            key
            for (_, a), (_, b) in pairwise(rows)
            for key in b
            if key not in a or not is_same(a[key], b[key])
        }
        pieces = [
            key
            for key in stated
            if key not in written and not (key in final and is_same(final[key], stated[key]))
        ]
        after = rows[0][0]
    elif isinstance(stated, list | str) and isinstance(final, list | str) and len(stated) > len(known[-1][1]):
        grows = all(is_same(b[: len(a)], a) for (_, a), (_, b) in pairwise(rows))
        if not grows or not is_same(stated[: len(known[-1][1])], known[-1][1]):
            return None
        pieces, after = [stated[len(known[-1][1])]], known[-1][0]
    else:
        return None
    before: dict[str, Any] = {}
    added = [] if isinstance(stated, dict) else _items_of(name, facts)
    for event, moment, values in facts.moments:
        if moment != frame:
            continue
        if left is not None and event >= left[0]:
            return None
        for other, value in values.items():
            is_new = other not in before or not is_same(before[other], value)
            is_it = isinstance(value, str | int) and any(is_same(value, piece) for piece in pieces)
            if event <= after or other == name or not is_new:
                continue
            if not is_it and not any(
                other in names and _is_one_of(item, values, pieces) for item, names in added
            ):
                continue
            end = _end_of_round(event, other, value, frame, facts)
            if not any(event < row[0] <= end for row in rows):
                if check := check_in(name, (event, end), facts):
                    return check
                held = [row[1] for row in rows if row[0] <= event] or [rows[0][1]]
                part = f"entry {value!r}" if isinstance(stated, dict) else f"item {len(known[-1][1]) + 1}"
                return Place(event, name, repr(held[-1]), part)
        before = values
    return None


def passed_by(stated: Any, name: str, facts: RunFacts) -> Place | None:
    """Find the round that left out an item which the stated value of a growing variable has."""
    if not facts.moments:
        return None
    rows = changes_of(name, facts.moments[0][1], facts)
    return _passed_over(stated, name, rows, facts.moments[0][1], facts) if len(rows) > 1 else None


def _items_of(name: str, facts: RunFacts) -> list[tuple[ast.expr, set[str]]]:
    """Return the expressions that are appended to a variable, other than plain names, and their names."""
    calls = []
    for node in ast.walk(facts.tree) if facts.tree else ():
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "append"
            and ast.unparse(node.func.value) == name
            and len(node.args) == 1
            and not isinstance(node.args[0], ast.Name)
        ):
            names = {one.id for one in ast.walk(node.args[0]) if isinstance(one, ast.Name)}
            calls.append((node.args[0], names))
    return calls


def _is_one_of(item: ast.expr, values: dict[str, Any], pieces: list[Any]) -> bool:
    """Whether an expression has the value of one of the pieces."""
    try:
        value = evaluated(item, values)
    except Unknown:
        return False
    return any(is_same(value, piece) for piece in pieces)


def _end_of_round(event: int, name: str, value: Any, frame: int, facts: RunFacts) -> int:
    """Return the last event before a variable changes again, or the line of its loop runs again."""
    head = facts.heads.get(name, 0)
    again = next((one - 1 for one in facts.passed.get(head, ()) if one > event), facts.n_events)
    rows = (
        at
        for at, one, values in facts.moments
        if at > event and one == frame and not is_same(values.get(name), value)
    )
    return min(again, next(rows, facts.n_events))


def changes_of(name: str, frame: int, facts: RunFacts) -> list[Row]:
    """Return event and value of a variable of one frame, for each line that changed it."""
    rows: list[Row] = []
    for event, moment, values in facts.moments:
        if moment != frame or name not in values:
            continue
        if rows and is_same(rows[-1][1], values[name]):
            continue
        if (
            rows
            and facts.step
            and facts.step[rows[-1][0]] == facts.step[event]
            and facts.ran.get(rows[-1][0])
        ):
            rows.pop()  # one line that changes it twice
        rows.append((event, values[name]))
    return rows


def left_at(stated: Any, rows: Sequence[Row]) -> Left | None:
    """Find the first row whose value is no part of the stated one; None if the rows do not grow."""
    if len(rows) < 2 or any(type(value) is not type(stated) for _, value in rows):
        return None
    if isinstance(stated, dict):
        return _of_entries(stated, rows)
    if not isinstance(stated, list | str):
        return None
    pairs = [(one[1], other[1]) for one, other in pairwise(rows)]
    if all(len(b) > len(a) and is_same(b[: len(a)], a) for a, b in pairs):
        return _of_end(stated, rows)
    if all(len(b) > len(a) and is_same(b[len(b) - len(a) :], a) for a, b in pairs):
        turned = _of_end(stated[::-1], [(event, value[::-1]) for event, value in rows])
        return (turned[0], turned[1][::-1], turned[2]) if turned else None
    if isinstance(stated, list) and all(len(a) == len(b) == len(stated) for a, b in pairs):
        entries = [(event, dict(enumerate(value))) for event, value in rows]
        left = _of_entries(dict(enumerate(stated)), entries)
        return (left[0], list(left[1].values()), _as_item(left[2])) if left else None
    return None


def _as_item(entry: str) -> str:
    return f"item {int(entry.removeprefix('entry ')) + 1}"


def _of_end(stated: Any, rows: Sequence[Row]) -> Left | None:
    """Find the first row that is no beginning of the stated value, for values that grow at their end."""
    if not is_same(stated[: len(rows[0][1])], rows[0][1]):
        return None
    before = len(rows[0][1])
    for event, value in rows[1:]:
        if not is_same(stated[: len(value)], value):
            pairs = zip(value[before:], stated[before:], strict=False)
            same = next((k for k, (a, b) in enumerate(pairs) if not is_same(a, b)), len(stated) - before)
            return event, value, f"{'character' if isinstance(stated, str) else 'item'} {before + same + 1}"
        before = len(value)
    return None


def _of_entries(stated: dict[Any, Any], rows: Sequence[Row]) -> Left | None:
    """Find the first entry set to a final value that differs from the stated one, or is not stated."""
    final, before = rows[-1][1], rows[0][1]
    for event, value in rows[1:]:
        for key, item in value.items():
            is_new = key not in before or not is_same(before[key], item)
            is_final = key in final and is_same(final[key], item)
            if is_new and is_final and (key not in stated or not is_same(stated[key], item)):
                return event, value, f"entry {key!r}"
        before = value
    return None


def _is_letters(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
