"""Facts about the text of a JavaScript or TypeScript program, from the parser acorn in a sandboxed process.

    facts("for (const x of xs) {\\n  s += x;\\n}", "javascript").loops -> [Loop(1, 2, 2, True, "x")]

A source is parsed once: `engine/facts.js` makes all its tables, and they are cached. The process starts at
the first source. Without the extra `javascript`, every function here raises MissingPart.
"""

from __future__ import annotations

import atexit
import json
import re
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from deskcheck.errors import BadSource, MissingExtra
from deskcheck.languages import EntryLines, Facts, Loop, Measures, MissingPart, Unit
from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.worker import Reply, Request
from deskcheck.records import Limits

TIME_S = 20.0  # seconds for the tables of one source
_lock = threading.Lock()
_engines: list[Engine] = []


@lru_cache(maxsize=512)
def tables(source: str, language: str) -> dict[str, Any]:
    """Return every table about a source. BadSource if it does not parse, MissingPart without the engine."""
    try:
        with _lock:
            reply = _engine().run(_request(source, language), time_s=TIME_S)
    except MissingExtra as error:
        raise MissingPart(language, f"engine: {error}") from None
    if not isinstance(reply, Reply):
        raise BadSource(f"the parser of {language} gave up: {type(reply).__name__}")
    if reply.failure:
        raise BadSource(f"line {reply.line}: {reply.failure}")
    made: dict[str, Any] = json.loads(reply.report)
    return made


def _engine() -> Engine:
    from deskcheck.sandbox import containment

    if not _engines:
        _engines.append(Engine(level=containment.find().level, limits=Limits()))
        atexit.register(_engines[0].close)
    return _engines[0]


def _request(source: str, language: str) -> Request:
    return Request(source, language == "typescript", None, [], 0, 0, 0, 0, 0, 0, is_text=True)


def _lines(table: Mapping[str, Any]) -> dict[int, Any]:
    """Return a table with integers as keys; JSON has the lines as texts."""
    return {int(line): row for line, row in table.items()}


def facts(source: str, language: str = "javascript") -> Facts:
    """Return all facts about a source. BadSource if it does not parse."""
    table = tables(source, language)["facts"]
    loops, branches, conditions = table["loops"], table["branches"], table["conditions"]
    return Facts(
        first_lines=_lines(table["first_lines"]),
        counted_once=frozenset(table["counted_once"]),
        statement_lines=table["statement_lines"],
        decisions=frozenset(table["decisions"]),
        loops=None if loops is None else [Loop(*row) for row in loops],
        branches=None if branches is None else [_branch(row) for row in branches],
        conditions=None if conditions is None else [_branch(row) for row in conditions],
        assigned=_lines(table["assigned"]),
        may_break_off=table["may_break_off"],
        definitions=frozenset(table["definitions"]),
        inline=frozenset(table["inline"]),
        inline_names=("<arrow>",),
        handlers=frozenset(table["handlers"]),
        one_line_loops=frozenset(table["one_line_loops"]),
    )


def _branch(row: Sequence[int]) -> tuple[int, int, int]:
    line, first, last = row
    return line, first, last


def entry(source: str, name: str, language: str = "javascript") -> EntryLines:
    """Return the lines of the function with this name, or of the module if there is none."""
    table = tables(source, language)
    wanted = re.sub(r"\bnew\s+|\(.*?\)|\s", "", name)
    functions = [each for each in table["functions"] if each["name"] == wanted and each["around"] >= 0]
    lines = source.split("\n")
    spans: list[Sequence[int]] = table["module"]["spans"]
    if not functions:
        module = table["module"]
        reached = frozenset(module["statements"])
        return EntryLines([_unit(span, lines) for span in spans], module["first"], reached, reached, [])
    function = functions[-1]
    at = function["around"]
    header = (spans[at][0], max(spans[at][0], function["bodyLine"] - 1))
    body = function["spans"] if function["bodyLine"] > function["line"] else []
    units = [*spans[:at], header, *body, *spans[at + 1 :]]
    reached = frozenset(function["statements"])
    return EntryLines(
        units=[_unit(span, lines) for span in units],
        first=function["first"],
        statements=reached,
        runnable=reached,
        returns=sorted(function["returns"]),
    )


def _unit(span: Sequence[int], lines: list[str]) -> Unit:
    first, last = span
    return Unit(first, last, "\n".join(line for line in lines[first - 1 : last] if line.strip()))


def page_facts(source: str, language: str = "javascript") -> dict[str, Any]:
    """Return tokens, loops, branches, reads, copies and functions by lines; empty if it does not parse."""
    try:
        table: dict[str, Any] = tables(source, language)["page"]
    except BadSource:
        return {"tokens": [], "loops": [], "arms": {}, "reads": {}, "copies": {}, "functions": []}
    return {**table, **{name: _lines(table[name]) for name in ("arms", "reads", "copies")}}


def causes(source: str, language: str = "javascript") -> dict[int, frozenset[str]]:
    """Return line -> kinds of operation in its statement; empty if the source does not parse."""
    try:
        table = tables(source, language)["causes"]
    except BadSource:
        return {}
    return {line: frozenset(row) for line, row in _lines(table).items()}


def branching(source: str, language: str = "javascript") -> dict[int, str]:
    """Return line -> "If", "While" or "For", for lines after which a run can continue in two ways."""
    return _lines(tables(source, language)["branching"])


def constructs(source: str, language: str = "javascript") -> set[str]:
    """Return the names of the constructs in a source. BadSource if it does not parse."""
    return set(tables(source, language)["constructs"])


def contents(source: str, language: str = "javascript") -> frozenset[str]:
    """Return the kinds of a source's statements: "definition", "import", "statement"."""
    try:
        return frozenset(tables(source, language)["contents"])
    except BadSource:
        return frozenset()


def has_comment(source: str, language: str = "javascript") -> bool:
    """Return whether a program has a comment."""
    try:
        return bool(tables(source, language)["comment"])
    except BadSource:
        return "//" in source or "/*" in source


def names_read(source: str, line: int, language: str = "javascript") -> list[str]:
    """Return the names that the statement on a line reads, in textual order; none if it does not parse."""
    try:
        table = tables(source, language)
    except BadSource:
        return []
    firsts = [first for first, last in table["spans"] if first <= line <= last]
    names: list[str] = table["page"]["reads"].get(str(max(firsts, default=0)), [])
    return names


def method_calls(source: str, language: str = "javascript") -> list[tuple[int, str]]:
    """Return line and last two parts of the name of each call through an object: (3, "Date.now")."""
    try:
        return [(line, name) for line, name in tables(source, language)["calls"]]
    except BadSource:
        return []


def measures(source: str, language: str = "javascript") -> Measures:
    """Return the measures of a source. BadSource if it does not parse."""
    table = tables(source, language)["measures"]
    return Measures(**{**table, "constructs": frozenset(table["constructs"])})


def contradictions(
    source: str, lists: Mapping[str, Sequence[object]], language: str = "javascript"
) -> list[str]:
    """List messages on blanks with too many or too few values for their branch or loop in the same answer.

    `lists`: name of a blank, "LINE.NAME" or "LINE.test" -> its values in the answer.
    """
    messages = []
    for line, name, case, rows in tables(source, language)["blocks"]:
        values = lists.get(f"{line}.{name}")
        if values is None:
            continue
        n = len(values) if case is None else sum(value is case for value in values)
        for blank, count in _counts(rows, lists):
            if count != n:
                messages.append(f"values of {blank}: {count}; times that its block is entered: {n}")
    return messages


def _counts(
    rows: list[tuple[int, str, bool]], lists: Mapping[str, Sequence[object]]
) -> list[tuple[str, int]]:
    """Return (blank, number of its values) for the lines that run each time that their block is entered."""
    counts: list[tuple[str, int]] = []
    for line, what, leaves in rows:
        names = [f"{line}.test"] if what == "test" else [n for n in lists if n.partition(".")[0] == str(line)]
        counts += [(name, len(lists[name])) for name in names if what and name in lists]
        if leaves:
            break
    return counts
