"""Find the event of a run that a false statement is about: its line's next run, or the most similar value.

    place_of(claim, history, at, facts) -> (event, true value)

In this file `at` is the event of the last true statement, and `history` has event and value of each change.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from typing import Any

from deskcheck.statements.claims import Claim
from deskcheck.statements.expressions import Unknown, evaluated
from deskcheck.statements.values import RunFacts, is_same, likeness, method_of, normal_source

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ROUND = re.compile(
    rf"\b(?:(?P<word>{'|'.join(_ORDINALS)})\s+(?:iteration|round|pass|number|character|char|letter|element|item|word|digit|key)|"
    r"iteration\s+(?:#\s*)?(?P<number>\d{1,3}))\b",
    re.I,
)
_EARLIER = re.compile(
    r"\b(?:start|beginning|initial\w*|before|previous\w*|so far|final\w*|loop ends)\b", re.I
)
_ROUND_HEAD = re.compile(r"(?:\b(?:for|in|after|during)\s+(?:the\s+)?|^[\s\d.*#:-]*)$", re.I)


def round_named(text: str, start: int) -> int:
    """Return the number of the loop's round that a statement is about, from 1; 0 = none is named.

    The round is named on the statement's line, or on a line above with less indentation.
    """
    lines = text[max(0, start - 600) : start].split("\n")
    if _EARLIER.search(lines[-1]):
        return 0
    indent = _indent(lines[-1])
    for line in reversed(lines):
        if line is not lines[-1]:
            if not line.strip() or _indent(line) >= indent:
                continue
            indent = _indent(line)
        named = list(_ROUND.finditer(line))
        if named and _ROUND_HEAD.search(line[: named[-1].start()]):
            word = named[-1]["word"]
            return _ORDINALS.index(word.lower()) + 1 if word else int(named[-1]["number"])
        if named:
            return 0
    return 0


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def place_of(claim: Claim, history: list[tuple[int, Any]], at: int, facts: RunFacts) -> tuple[int, Any]:
    """Return event and true value for a false statement about a variable or an expression.

    It is the last value for a statement about the end, else a value made by the line that the text quotes
    before the statement, else the next or most similar value. If the quoted line names the variable but makes
    no value of it, the value is the one at the line's next run. If no later value exists, the event is the
    end of the variable's loop, or of its call.
    """
    if claim.is_last:
        return history[-1]
    line = _quoted_line(claim, facts.lines)
    made = [row for row in history if line and row[0] >= at and facts.ran.get(row[0]) == line]
    if made:
        return made[0] if len(made) == 1 else value_instead(made, at, claim.value)
    event, value = value_instead(history, at, claim.value)
    if (
        line
        and claim.about in facts.lines[line - 1]
        and (after := [one for one in facts.passed.get(line, ()) if one >= at])
    ):
        known = [row for row in history if row[0] <= after[0]]
        return after[0], (known or history)[-1][1]
    if 0 < event <= at and event == history[-1][0]:
        after = facts.passed.get(facts.heads.get(claim.about, 0), [])
        return (after[-1] if after and after[-1] > event else facts.ends.get(event, event)), value
    return event, value


def _quoted_line(claim: Claim, lines: list[str]) -> int:
    """Return the number of the program's line that the text quotes last, from 1; 0 = none.

    A quotation is a whole line, or a part of one in backticks; lines that occur twice do not count. Without a
    quotation, a method that the text names gives the line.
    """
    places = [(claim.before.rfind(line), number) for number, line in enumerate(lines, 1) if len(line) > 5]
    place, number = max(places, default=(-1, 0))
    number = number if place >= 0 and lines.count(lines[number - 1]) == 1 else 0
    for code in re.finditer(r"`([^`\n]{6,80})`", claim.before):
        holding = [at for at, line in enumerate(lines, 1) if code[1] in line]
        if code.start() > place and len(holding) == 1:
            place, number = code.start(), holding[0]
    return number or _line_of_verb(claim.before, lines)


def _line_of_verb(before: str, lines: list[str]) -> int:
    """Return the line whose method the last two sentences name ("we extend it"); 0 = none, or several."""
    own = [one for one in re.split(r"[.\n](?=\s)|\n", before) if one.strip()][-2:]
    places = []
    for number, line in enumerate(lines, 1):
        for method in re.findall(r"\.(extend|append|insert|reverse|sort|pop|remove|clear|update)\(", line):
            stem = method.rstrip("e")
            words = [match.start() for match in re.finditer(rf"\b{stem}\w*", " ".join(own), re.I)]
            if words:
                places.append((words[-1], number, method))
    if not places:
        return 0
    _, number, method = max(places)
    return number if sum(f".{method}(" in line for line in lines) == 1 else 0


def of_same_form(about: str, fact: Any, facts: RunFacts, at: int) -> Iterator[tuple[int, str]]:
    """Yield event and source of the program's expressions that match a statement about constants.

    They are calls of the same method (or `len`) with the same result, or comparisons of the same two values.
    """
    tree = ast.parse(normal_source(about), mode="eval").body
    for source, rows in facts.expressions.items():
        other = ast.parse(source, mode="eval").body
        if isinstance(tree, ast.Compare) and isinstance(other, ast.Compare) and len(other.ops) == 1:
            wanted = [evaluated(one, {}) for one in (tree.left, tree.comparators[0])]
            for event, _ in rows:
                at_hand = max(
                    (row for row in facts.moments if row[0] <= event), default=None, key=lambda r: r[0]
                )
                try:
                    has = (
                        [evaluated(one, at_hand[2]) for one in (other.left, other.comparators[0])]
                        if at_hand
                        else []
                    )
                except Unknown:
                    continue
                has = [_as_text(one) for one in has]
                if event >= at and (is_same(has, wanted) or is_same(has, wanted[::-1])):
                    yield event, source if type(other.ops[0]) is type(tree.ops[0]) else about
        elif isinstance(tree, ast.Call) and isinstance(other, ast.Call):
            names = [
                one.func.attr if isinstance(one.func, ast.Attribute) else ast.unparse(one.func)
                for one in (tree, other)
            ]
            if names[0] == names[1]:
                same = [row for row in rows if row[0] >= at and is_same(row[1], fact)]
                of_it = [row for row in same if _is_of_same(tree, other, row[0], facts)]
                yield from ((event, source) for event, _ in of_it or same)


def _as_text(value: Any) -> Any:
    """Join a list of single characters into a string; return any other value unchanged."""
    is_letters = isinstance(value, list) and all(isinstance(one, str) and len(one) == 1 for one in value)
    return "".join(value) if is_letters and value else value


def _is_of_same(tree: ast.Call, other: ast.Call, event: int, facts: RunFacts) -> bool:
    """Whether the program calls the method on the same string as the statement, at this event."""
    if not isinstance(tree.func, ast.Attribute) or not isinstance(other.func, ast.Attribute):
        return False
    held = next((row[2] for row in reversed(facts.moments) if row[0] <= event), {})
    try:
        return is_same(evaluated(other.func.value, held), evaluated(tree.func.value, {}))
    except Unknown:
        return False


def calls_of(source: str, facts: RunFacts) -> list[tuple[int, str, Any]]:
    """Return event, source and value of the program's calls of the same method on the same variable."""
    wanted, owner = method_of(normal_source(source) or "0"), source.partition(".")[0]
    return sorted(
        (
            (event, own, value)
            for own, rows in facts.expressions.items()
            if wanted and method_of(own) == wanted and own.partition(".")[0] == owner
            for event, value in rows
        ),
        key=lambda row: row[0],
    )


def place_of_number(
    claim: Claim, true: Any, rows: list[tuple[int, str, Any]], at: int
) -> tuple[int, str, Any] | None:
    """Find where a run yields a position: in a search that returns it, else in a variable.

    The variable becomes that number, or is a list that gets it as its last item. A variable that the sentence
    names is preferred; otherwise the first one counts.
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
    """Return the source texts of the constants in an expression."""
    return [
        ast.unparse(one) for one in ast.walk(ast.parse(about, mode="eval")) if isinstance(one, ast.Constant)
    ]


def value_instead(history: list[tuple[int, Any]], at: int, stated: Any) -> tuple[int, Any]:
    """Return the true value in place of a false one: the next one, or the last if there is no next one.

    For lists, texts and dictionaries it is the most similar of the later values.
    """
    later = [row for row in history if row[0] > at]
    alike = [row for row in later if type(row[1]) is type(stated) and isinstance(stated, list | str | dict)]
    if alike:
        return max(alike, key=lambda row: (likeness(row[1], stated), -row[0]))
    return later[0] if later else history[-1]


def at_hand(line: int, source: str, facts: RunFacts) -> Iterator[tuple[int, str, Any]]:
    """Yield event, source and value of an expression: as recorded, else each time that its line runs."""
    if rows := facts.expressions.get(source):
        yield from ((event, source, value) for event, value in rows)
        return
    tree = ast.parse(source, mode="eval").body
    for event in facts.passed.get(line, ()):
        values = next((row[2] for row in reversed(facts.moments) if row[0] <= event), {})
        with contextlib.suppress(Unknown):
            yield event, source, evaluated(tree, values)
