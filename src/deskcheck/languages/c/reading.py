"""Facts about a C program's text for pages, warnings and rewards: colors, branches, names that lines read.

page_facts(source)     -> {"tokens": [[0, 4, "k", ..], ..], "loops": [[3, 4, 6]], ..}
names_read(source, 4)  -> ["x", "n"]
"""

from __future__ import annotations

import re
from typing import Any

from deskcheck.errors import BadSource
from deskcheck.languages import MissingPart
from deskcheck.languages.c.colors import colors
from deskcheck.languages.c.facts import (
    LOOPS,
    Statement,
    body_of,
    functions,
    last_line,
    line_of,
    names_in,
    site_lines,
    statements_of,
    walk,
)


def branching(source: str) -> dict[int, str]:
    """Return line -> "If", "While" or "For", for lines after which a run can continue in two ways.

    `switch` counts as "If" and `do` as "While". BadSource if the source does not parse.
    """
    statements = (statement for _, inside in functions(source).values() for statement in walk(inside))
    names = {"If": "If", "Switch": "If", "While": "While", "DoWhile": "While", "For": "For"}
    return {
        line: names[statement.kind]
        for statement in statements
        if statement.kind in names
        for line in site_lines(statement)
    }


def has_comment(source: str) -> bool:
    """Return whether a program has a comment."""
    return re.search(r"//|/\*", re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', source)) is not None


def contents(source: str) -> frozenset[str]:
    """Return {"definition"} for a source that defines a function, else an empty set."""
    try:
        return frozenset({"definition"} if functions(source) else set())
    except BadSource:
        return frozenset()


def names_read(source: str, line: int) -> list[str]:
    """Return the names that the statement on a line reads, in textual order; none if C cannot parse it."""
    try:
        return reads(source).get(line, [])
    except BadSource:
        return []


def reads(source: str) -> dict[int, list[str]]:
    """Return line of a statement -> names that it reads itself, without the statements inside it."""
    table: dict[int, list[str]] = {}
    for _, inside in functions(source).values():
        for statement in walk(inside):
            for part in _own_parts(statement):
                is_set = (
                    type(part).__name__ == "Assignment"
                    and part.op == "="
                    and type(part.lvalue).__name__ == "ID"
                )
                names = names_in(part.rvalue) if is_set else names_in(part)
                row = table.setdefault((site_lines(statement) or [statement.line])[0], [])
                row += [name for name in names if name not in row]
    return {line: names for line, names in table.items() if names}


def _own_parts(statement: Statement) -> list[Any]:
    node = statement.node
    if statement.kind == "Decl":
        return [node.init] if node.init is not None else []
    if statement.kind in ("If", "Switch", *LOOPS):
        return [part for part in (node.cond, getattr(node, "next", None)) if part is not None]
    return [node]


def page_facts(source: str) -> dict[str, Any]:
    """Return tokens, loops, branches, reads and functions by lines; only tokens if it does not parse."""
    tokens = [[part for token in colors(line) for part in token] for line in source.split("\n")]
    table: dict[str, Any] = {
        "tokens": tokens,
        "loops": [],
        "arms": {},
        "reads": {},
        "copies": {},
        "functions": [],
    }
    try:
        known = functions(source)
    except (BadSource, MissingPart):
        return table
    statements = [statement for _, inside in known.values() for statement in walk(inside)]
    bodies = [(statement.line, *body_of(statement)) for statement in statements if statement.kind in LOOPS]
    table["loops"] = [list(row) for row in bodies if row[1]]
    table["reads"] = reads(source)
    for name, (node, inside) in known.items():
        head = line_of(node.decl)
        table["functions"].append([name, head, inside[0].line if inside else head, last_line(node)])
        _arms(inside, head, "called", table["arms"])
    return table


def _arms(statements: list[Statement], decider: int, arm: str, table: dict[int, list[Any]]) -> None:
    """Write line -> [deciding line, its case, line] for each statement into `table`.

    The case is "true", "false", "item", "matched", or "called" for the statements of a function.
    """
    for statement in statements:
        table[statement.line] = [decider, arm, statement.line]
        if statement.kind == "If":
            _arms(statements_of(statement.node.iftrue), statement.line, "true", table)
            _arms(statements_of(statement.node.iffalse), statement.line, "false", table)
        elif statement.kind in LOOPS:
            _arms(statement.inside, statement.line, "item" if statement.kind == "For" else "true", table)
        else:
            _arms(statement.inside, statement.line, "matched", table)
