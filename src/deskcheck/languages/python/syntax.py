"""Collect facts about a Python source for the page of a run: colors, loops, branches, names that lines read.

    page_facts(source) -> {"tokens": [[0, 3, "k", ..], ..], "loops": [[3, 4, 6]], ..}

A text that does not parse has no loops and no branches, and the colors of the tokens before the fault.
Offsets count UTF-16 units, as the page does. Classes of tokens: k keyword, d defined name, b built-in name,
s string, n number or constant, c comment.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import tokenize
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from deskcheck.languages.python.parsing import parse_module

_BUILTINS = frozenset(dir(builtins))
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_MAX_CHARS = 1 << 21  # characters of a source; a longer one gets no facts
_LITERALS = frozenset({"True", "False", "None"})


def page_facts(source: str) -> dict[str, Any]:
    """Return tokens, loops, branches, reads, copies and functions, all by line numbers from 1."""
    lines = source.split("\n")
    if len(source) > _MAX_CHARS:
        return {"tokens": [], "loops": [], "arms": {}, "reads": {}, "copies": {}, "functions": []}
    try:
        tree = parse_module(source)
    except SyntaxError:
        tree = ast.Module([], [])
    return {
        "tokens": _tokens(source, lines),
        "loops": [
            [node.lineno, node.body[0].lineno, node.body[-1].end_lineno or node.lineno]
            for node in ast.walk(tree)
            if isinstance(node, _LOOPS)
        ],
        "arms": _arms(tree),
        "reads": _reads(tree),
        "copies": _copies(tree),
        "functions": [
            [node.name, node.lineno, node.body[0].lineno, node.end_lineno]
            for node in ast.walk(tree)
            if isinstance(node, _FUNCTIONS)
        ],
    }


# ------------------------------------------------------------------ colors


def _tokens(source: str, lines: list[str]) -> list[list[Any]]:
    """Return for each line a flat list of its tokens: start, length, class, start, .."""
    table: list[list[Any]] = [[] for _ in lines]
    after = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            name = _class(token, after)
            after = token.string
            if name:
                _mark(table, lines, token, name)
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass
    return table


@lru_cache(maxsize=4096)
def colors(line: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, length, class) of the tokens of a single line, as far as it can be read alone."""
    (found,) = _tokens(line, [line])
    return tuple(zip(found[::3], found[1::3], found[2::3], strict=True))


def _class(token: tokenize.TokenInfo, after: str) -> str:
    """Return the letter of a token's class, or "" for none. `after`: text of the token before it."""
    if token.type == tokenize.NAME:
        if token.string in _LITERALS:
            return "n"
        if keyword.iskeyword(token.string):
            return "k"
        if after in ("def", "class"):
            return "d"
        return "b" if token.string in _BUILTINS and after != "." else ""
    return {tokenize.STRING: "s", tokenize.NUMBER: "n", tokenize.COMMENT: "c"}.get(
        token.type, "s" if tokenize.tok_name[token.type].startswith("FSTRING") else ""
    )


def _mark(table: list[list[Any]], lines: list[str], token: tokenize.TokenInfo, name: str) -> None:
    (first, start), (last, end) = token.start, token.end
    for number in range(first, last + 1):
        if not 0 < number <= len(lines):
            continue
        text = lines[number - 1]
        begin, stop = start if number == first else 0, end if number == last else len(text)
        if stop > begin:
            table[number - 1] += [_units(text, begin), _units(text[begin:], stop - begin), name]


def _units(text: str, n: int) -> int:
    """Count the UTF-16 units of the first n characters."""
    return n if text.isascii() else n + sum(character > "\uffff" for character in text[:n])


# ------------------------------------------------------------------ branches and reads


def _arms(tree: ast.AST) -> dict[int, list[Any]]:
    """Map the lines of a statement to [line that decides whether it runs, deciding case, its first line].

    The case is "true", "false", "item", "over", "caught", "matched", "called", or "" in the module.
    """
    table: dict[int, list[Any]] = {}

    def visit(body: list[ast.stmt], decider: int, arm: str) -> None:
        for node in body:
            for line in range(node.lineno, _header_end(node) + 1):
                table[line] = [decider, arm, node.lineno]
            for inner, head, name in _bodies(node, decider, arm):
                visit(inner, head, name)

    visit(getattr(tree, "body", []), 0, "")
    return table


def _bodies(node: ast.stmt, decider: int, arm: str) -> Iterator[tuple[list[ast.stmt], int, str]]:
    line = node.lineno
    match node:
        case ast.If() | ast.While():
            yield node.body, line, "true"
            yield node.orelse, line, "false" if isinstance(node, ast.If) else "over"
        case ast.For() | ast.AsyncFor():
            yield node.body, line, "item"
            yield node.orelse, line, "over"
        case ast.Try():
            yield node.body, decider, arm
            yield node.orelse, decider, arm
            yield node.finalbody, decider, arm
            for handler in node.handlers:
                yield handler.body, handler.lineno, "caught"
        case ast.Match():
            for case in node.cases:
                yield case.body, line, "matched"
        case ast.With() | ast.AsyncWith():
            yield node.body, decider, arm
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield node.body, line, "called"
        case ast.ClassDef():
            yield node.body, decider, arm


def _header_end(node: ast.stmt) -> int:
    body = getattr(node, "body", None)
    if isinstance(body, list) and body:
        return max(node.lineno, int(body[0].lineno) - 1)
    return node.end_lineno or node.lineno


def _reads(tree: ast.AST) -> dict[int, list[str]]:
    """Map the line of a statement to the names that it reads without its inner statements, in order."""
    table: dict[int, list[str]] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.stmt) or isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            continue
        names = table.setdefault(node.lineno, [])
        waiting: list[ast.AST] = [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt)]
        while waiting:
            inner = waiting.pop(0)
            is_read = isinstance(node, ast.AugAssign) or isinstance(getattr(inner, "ctx", None), ast.Load)
            if isinstance(inner, ast.Name) and is_read and inner.id not in {*names, *_BUILTINS}:
                names.append(inner.id)
            waiting += [n for n in ast.iter_child_nodes(inner) if not isinstance(n, ast.stmt)]
    return {line: names for line, names in table.items() if names}


def _copies(tree: ast.AST) -> dict[int, list[list[str]]]:
    """Map the line of an assignment to [target, source] for each name, item or attribute that it copies."""
    table: dict[int, list[list[str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [pair for target in node.targets for pair in _pairs(target, node.value)]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = list(_pairs(node.target, node.value))
        else:
            continue
        for target, source in pairs:
            table.setdefault(node.lineno, []).append([ast.unparse(target), ast.unparse(source)])
    return table


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        parts = [*target.elts, *value.elts]
        if len(target.elts) == len(value.elts) and not any(isinstance(one, ast.Starred) for one in parts):
            for inner, source in zip(target.elts, value.elts, strict=True):
                yield from _pairs(inner, source)
    elif _is_place(target) and _is_place(value):
        yield target, value


def _is_place(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return isinstance(node, ast.Name)
