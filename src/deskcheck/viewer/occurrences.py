"""Which moment of a run a statement means: where its line ran again, where a value is most alike.

place_of(claim, history, at, told) -> (event, true value)
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from deskcheck.viewer.claims import Claim
from deskcheck.viewer.expressions import Unknown, evaluated
from deskcheck.viewer.values import Told, is_same, likeness, method_of, normal_source


def place_of(claim: Claim, history: list[tuple[int, Any]], at: int, told: Told) -> tuple[int, Any]:
    """Event and true value that a false statement about a variable or an expression stands for.

    What the line made that the text quotes before it; the last value, of a statement about the end; else the
    next or most similar value. Where a loop was left instead of another round, the end of its call.
    """
    if claim.is_last:
        return history[-1]
    line = _quoted_line(claim, told.lines)
    made = [row for row in history if line and row[0] >= at and told.ran.get(row[0]) == line]
    if made:
        return made[0] if len(made) == 1 else value_instead(made, at, claim.value)
    event, value = value_instead(history, at, claim.value)
    if (
        line
        and claim.about in told.lines[line - 1]
        and (after := [one for one in told.passed.get(line, ()) if one >= at])
    ):
        known = [row for row in history if row[0] <= after[0]]
        return after[0], (known or history)[-1][1]
    if 0 < event <= at and event == history[-1][0]:
        return told.ends.get(event, event), value
    return event, value


def _quoted_line(claim: Claim, lines: list[str]) -> int:
    """Number of the program's line that a text quotes last, from 1; 0 = none, or one that is there twice.

    A whole line, or a piece of one in backticks.
    """
    places = [(claim.before.rfind(line), number) for number, line in enumerate(lines, 1) if len(line) > 5]
    place, number = max(places, default=(-1, 0))
    number = number if place >= 0 and lines.count(lines[number - 1]) == 1 else 0
    for code in re.finditer(r"`([^`\n]{6,80})`", claim.before):
        holding = [at for at, line in enumerate(lines, 1) if code[1] in line]
        if code.start() > place and len(holding) == 1:
            place, number = code.start(), holding[0]
    return number


def of_same_form(about: str, fact: Any, told: Told, at: int) -> Iterator[tuple[int, str]]:
    """Event and source of the program's own expressions that ask what a statement about constants asks.

    The same method or `len` with the same value, or a comparison of the same two values.
    """
    tree = ast.parse(normal_source(about), mode="eval").body
    for source, rows in told.expressions.items():
        other = ast.parse(source, mode="eval").body
        if isinstance(tree, ast.Compare) and isinstance(other, ast.Compare) and len(other.ops) == 1:
            wanted = [evaluated(one, {}) for one in (tree.left, tree.comparators[0])]
            for event, _ in rows:
                at_hand = max(
                    (row for row in told.moments if row[0] <= event), default=None, key=lambda r: r[0]
                )
                try:
                    has = (
                        [evaluated(one, at_hand[2]) for one in (other.left, other.comparators[0])]
                        if at_hand
                        else []
                    )
                except Unknown:
                    continue
                if event >= at and (is_same(has, wanted) or is_same(has, wanted[::-1])):
                    yield event, source
        elif isinstance(tree, ast.Call) and isinstance(other, ast.Call):
            names = [
                one.func.attr if isinstance(one.func, ast.Attribute) else ast.unparse(one.func)
                for one in (tree, other)
            ]
            if names[0] == names[1]:
                yield from ((event, source) for event, value in rows if event >= at and is_same(value, fact))


def calls_of(source: str, told: Told) -> list[tuple[int, str, Any]]:
    """Event, source and value of the program's calls of the same method of the same thing, in order."""
    wanted, owner = method_of(normal_source(source) or "0"), source.partition(".")[0]
    return sorted(
        (
            (event, own, value)
            for own, rows in told.expressions.items()
            if wanted and method_of(own) == wanted and own.partition(".")[0] == owner
            for event, value in rows
        ),
        key=lambda row: row[0],
    )


def place_of_number(
    claim: Claim, true: Any, rows: list[tuple[int, str, Any]], at: int
) -> tuple[int, str, Any] | None:
    """Where a run has a position: a search that gives it, else a variable that the sentence speaks of.

    A variable becomes it, or a list gets it as its last item; the first of the others where none is named.
    """
    last: dict[str, Any] = {}
    places = []
    for event, about, value in rows:
        is_new = about not in last or not is_same(last[about], value)
        last[about] = value
        is_it = value[-1:] == [true] if isinstance(value, list) else type(value) is int and value == true
        if is_it and is_new and event > at:
            places.append((event, about, value))
    if called := [row for row in places if not row[1].isidentifier()]:
        return min(called, key=lambda row: row[0])
    words = {word.rstrip("s") for word in re.findall(r"[a-z]+", claim.before.rpartition(".")[2].lower())}
    words |= {"index", "indice", "position", "pos", "idx"}
    named = [row for row in places if row[1].lower().rstrip("s").removesuffix("e") in words]
    return min(named or places, key=lambda row: row[0], default=None)


def literals_of(about: str) -> list[str]:
    return [
        ast.unparse(one) for one in ast.walk(ast.parse(about, mode="eval")) if isinstance(one, ast.Constant)
    ]


def value_instead(history: list[tuple[int, Any]], at: int, said: Any) -> tuple[int, Any]:
    """The true value that a false one stands for: the next one, the last where there is none."""
    later = [row for row in history if row[0] > at]
    alike = [row for row in later if type(row[1]) is type(said) and isinstance(said, list | str | dict)]
    if alike:
        return max(alike, key=lambda row: (likeness(row[1], said), -row[0]))
    return later[0] if later else history[-1]


def at_hand(line: int, source: str, told: Told) -> Iterator[tuple[int, str, Any]]:
    """Values of an expression each time that its line has run."""
    if rows := told.expressions.get(source):
        yield from ((event, source, value) for event, value in rows)
        return
    tree = ast.parse(source, mode="eval").body
    for event in told.passed.get(line, ()):
        values = next((row[2] for row in reversed(told.moments) if row[0] <= event), {})
        with contextlib.suppress(Unknown):
            yield event, source, evaluated(tree, values)
