"""Check an answer to the question `annotation` against the run: lists of a loop variable's values by round.

    rounds_filled_in(text, program, trace, moments) -> [Judged(claim about "i", is_true=False, ..), ..]

After the last [ANSWER], the answer repeats the program's numbered lines with marks
(`3     for i in xs:## [STATE]i=[0, 8][/STATE]`, see `grading.marks`). A list has several readings. For a
variable of a `for`, it has the values at the beginning of each round; for a name in the condition of a
`while`, those at each check. Both can also have the values at the end of each round. A list that fits no
reading is false at the first round that differs from the best one.
Other expressions, loops of one line, comprehensions, and lists of another shape are not decided.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from deskcheck.grading.marks import as_lists, literal_or_text
from deskcheck.languages import equal
from deskcheck.records import EventKind, Program, Trace
from deskcheck.statements.claims import Claim, Judged

Moment = tuple[int, int, dict[str, Any]]
"""Event, frame, and the plain values of that frame's variables."""
_LINE = re.compile(r"^ *(?P<number>\d+)[ \t](?P<code>.*?)(?:## ?)?\[STATE\].*$", re.M)
_STATE = re.compile(r"\[STATE\](?P<name>.+?)=(?P<values>.+?)\[/STATE\]")
_MISSING = object()


def rounds_filled_in(text: str, program: Program, trace: Trace, moments: Sequence[Moment]) -> list[Judged]:
    """Return verdicts on the filled-in lists that can be compared, in the order of the text.

    `moments` are those of the run (`values.plain_moments`).
    """
    begin = text.rfind("[ANSWER]")
    if begin < 0 or "[STATE]" not in text[begin:]:
        return []
    lines = program.source.split("\n")
    loops = _loops(program.source)
    verdicts = []
    for match in _LINE.finditer(text, begin):
        number = int(match["number"])
        loop = loops.get(number)
        if loop is None or "".join(match["code"].split()) != "".join(lines[number - 1].split()):
            continue
        rounds = _Rounds(loop, trace, moments)
        for state in _STATE.finditer(match[0]):
            start = match.start() + state.start()
            judged = rounds.judged(state["name"].strip(), state["values"].strip(), start, state)
            if judged is not None:
                verdicts.append(replace(judged, is_filled_in=True))
    return verdicts


def windows_of_rounds(program: Program, trace: Trace, moments: Sequence[Moment]) -> list[tuple[int, int]]:
    """Return first event and end of each round of the only loop; [] if a program has none, or several."""
    loops = _loops(program.source)
    if len(loops) != 1:
        return []
    rounds = _Rounds(next(iter(loops.values())), trace, moments)
    return [(first, end) for (_, _, first), end in zip(rounds.begun, rounds.ends, strict=True)]


def _loops(source: str) -> dict[int, ast.For | ast.While]:
    """Return the loops whose body begins below their head, by the line of the head."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    loops = [one for one in ast.walk(tree) if isinstance(one, ast.For | ast.While)]
    return {
        one.lineno: one
        for one in loops
        if one.body[0].lineno > (one.test if isinstance(one, ast.While) else one.iter).lineno
    }


class _Rounds:
    """Rounds of one loop over the whole run."""

    def __init__(self, loop: ast.For | ast.While, trace: Trace, moments: Sequence[Moment]) -> None:
        columns = trace.events
        self._loop = loop
        self._values: dict[int, list[Moment]] = {}
        for moment in moments:
            self._values.setdefault(moment[1], []).append(moment)
        last = max(one.end_lineno or one.lineno for one in loop.body)
        body = range(loop.body[0].lineno, last + 1)
        lines: dict[int, list[int]] = {}
        for event, kind in enumerate(columns.kind):
            if kind in (EventKind.LINE, EventKind.RETURN, EventKind.UNWIND):
                lines.setdefault(columns.frame[event], []).append(event)
        self.checks: list[tuple[int, int]] = []
        """Frame and event of every arrival at the head of the loop."""
        self.begun: list[tuple[int, int, int]] = []
        """Frame, arrival at the head and first event in the body, of every round."""
        self.ends: list[int] = []
        """Event at which each round is over."""
        for frame, passed in lines.items():
            for at, event in enumerate(passed[:-1]):
                if columns.line[event] != loop.lineno or columns.kind[event] != EventKind.LINE:
                    continue
                self.checks.append((frame, event))
                if columns.kind[passed[at + 1]] == EventKind.LINE and columns.line[passed[at + 1]] in body:
                    self.begun.append((frame, event, passed[at + 1]))
                    inside = takewhile(
                        lambda one: columns.kind[one] == EventKind.LINE and columns.line[one] in body,
                        passed[at + 1 :],
                    )
                    after = at + 1 + sum(1 for _ in inside)
                    self.ends.append(passed[min(after, len(passed) - 1)])
        order = sorted(range(len(self.begun)), key=lambda at: self.begun[at][2])
        self.begun, self.ends = [self.begun[at] for at in order], [self.ends[at] for at in order]
        self.checks.sort(key=lambda row: row[1])
        self._left_early = bool(self.begun) and columns.line[self.ends[-1]] != loop.lineno

    def _value(self, frame: int, event: int, name: str) -> Any:
        rows = self._values.get(frame, [])
        at = bisect_right(rows, event, key=lambda row: row[0]) - 1
        return as_lists(rows[at][2].get(name, _MISSING)) if at >= 0 else _MISSING

    def _readings(self, name: str) -> Iterator[list[tuple[int, Any]]]:
        """Yield each reading of a list, the simplest first: event and value of every round."""
        ends = [
            (end, self._value(frame, end, name))
            for (frame, _, _), end in zip(self.begun, self.ends, strict=True)
        ]
        if isinstance(self._loop, ast.For):
            begun = [(first, self._value(frame, first, name)) for frame, _, first in self.begun]
            yield begun
            if self._left_early:
                yield begun[:-1]
        else:
            yield [(check, self._value(frame, check, name)) for frame, check, _ in self.begun]
            yield [(check, self._value(frame, check, name)) for frame, check in self.checks]
        yield ends

    def judged(self, name: str, values: str, start: int, match: re.Match[str]) -> Judged | None:
        """Check one filled-in list; None if its shape does not fit, or its name is no loop variable."""
        if name not in self._names() or not self.begun:
            return None
        said = as_lists(literal_or_text(values))
        readings = [rows for rows in self._readings(name) if all(value is not _MISSING for _, value in rows)]
        if not isinstance(said, list) or not said or not readings or not readings[0]:
            return None
        claim = Claim(start, start + len(match[0]), name, said, values)
        true = [value for _, value in readings[0]]
        if all(isinstance(one, list) for one in said) and not any(isinstance(one, list) for one in true):
            flat = [one for part in said for one in part]
            fits = any(_prefix(flat, rows) == len(flat) == len(rows) for rows in readings)
            return Judged(claim, True, readings[0][0][0], name) if fits else None
        is_cut = Ellipsis in said
        said = said[: said.index(Ellipsis)] if is_cut else said
        best = max(readings, key=lambda rows: _prefix(said, rows))
        at = _prefix(said, best)
        if any(_prefix(said, rows) == len(said) and (is_cut or len(said) == len(rows)) for rows in readings):
            return Judged(claim, True, best[0][0], name)
        if _is_of_another_shape(said, [value for _, value in readings[0]], at):
            return None
        word = f"round {at + 1}"
        if at >= len(best):
            true_text = (
                f"not set again: the loop is over after {len(self.begun)} round{'s' * (len(self.begun) != 1)}"
            )
            return Judged(_part(claim, values, at, match), False, self.ends[-1], name, true_text, word)
        event, value = best[at]
        if at >= len(said):
            claim = Claim(claim.start, claim.end, name, said, f"nothing: {at} round{'s' * (at != 1)}")
            return Judged(claim, False, event, name, repr(value), word)
        return Judged(_part(claim, values, at, match), False, event, name, repr(value), word)

    def _names(self) -> set[str]:
        part: ast.AST = self._loop.target if isinstance(self._loop, ast.For) else self._loop
        return {one.id for one in ast.walk(part) if isinstance(one, ast.Name)}


def _is_of_another_shape(stated: list[Any], true: list[Any], at: int) -> bool:
    """Whether a list's shape does not fit: items of another type, in brackets, or once per inner round."""
    if at < min(len(stated), len(true)) and type(stated[at]) is not type(true[at]):
        return True
    if all(isinstance(one, list) and len(one) == 1 for one in stated):
        return bool(equal([one[0] for one in stated], true, "lenient:1e-9"))
    once = [one for number, one in enumerate(stated) if number == 0 or one != stated[number - 1]]
    return len(once) < len(stated) and bool(equal(once, true, "lenient:1e-9"))


def _prefix(stated: list[Any], rows: Sequence[tuple[int, Any]]) -> int:
    pairs = zip(stated, rows, strict=False)
    return sum(1 for _ in takewhile(lambda pair: equal(pair[1][1], pair[0], "lenient:1e-9"), pairs))


def _part(claim: Claim, values: str, at: int, match: re.Match[str]) -> Claim:
    """Return the claim reduced to one item of its list."""
    tree = ast.parse(values, mode="eval").body
    item = tree.elts[at] if isinstance(tree, ast.List | ast.Tuple) and values.isascii() else None
    if item is None or item.end_col_offset is None or "\n" in values:
        return Claim(claim.start, claim.end, claim.about, claim.value[at], repr(claim.value[at]))
    begin = claim.start + match[0].index(values)
    said = values[item.col_offset : item.end_col_offset]
    return Claim(begin + item.col_offset, begin + item.end_col_offset, claim.about, claim.value[at], said)
