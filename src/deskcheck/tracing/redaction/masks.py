"""Find secrets in the text of a program, and write the text without them, at the same lines and columns.

    secrets_in("password = 'ab' + 'cd'", rules) -> [Secret("abcd", [(1, 11, 1, 15), (1, 18, 1, 22)])]
    masked("password = 'ab'  # 'cd'", spans, hide, is_hidden) -> "password = '**'  # 'cd'"

Only strings, numbers and comments are masked, never names, so the masked program parses as before. A secret
may be put together from several literals, by "+", "%", `join`, `format`, an f-string or side by side.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Protocol

from msgspec import Struct

Span = tuple[int, int, int, int]
"""Where a piece of source begins and ends: line and byte of its start, line and byte behind its end.

    Lines count from 1, bytes in a line from 0.
    """
_LITERAL = re.compile(r"([A-Za-z]*)(\"\"\"|'''|\"|')([\s\S]*)\2")
_TEXTS = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))


class SecretRules(Protocol):
    """Rules by which a string is a secret: by the name that holds it, or by its form (`redactor.Rules`)."""

    def is_secret(self, name: str, value: str) -> bool:
        """Whether a string that a name holds is a secret."""

    def has_form(self, text: str) -> bool:
        """Whether a part of a text has the form of a secret."""


class Secret(Struct, frozen=True):
    """A secret in the text of a program, and the literals that it is made of."""

    text: str
    spans: list[Span]


def secrets_in(source: str, rules: SecretRules) -> list[Secret]:
    """Return the texts that a secret's name holds, and those whose form is that of a secret.

    Each text is the value of one literal or of an expression of literals. A single literal whose source
    already has the form is left out, because `hide` of `masked` finds it there. A source that does not parse
    as Python has no secrets.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    lines = source.encode("utf-8", "surrogatepass").split(b"\n")
    secrets = [
        Secret(text, spans)
        for text, spans in _folded(tree)
        if rules.has_form(text) and (len(spans) > 1 or not rules.has_form(_segment(lines, spans[0])))
    ]
    named = (pair for node in ast.walk(tree) for pair in _named(node))
    parts = ((name, *part) for name, value in named for part in _parts(value))
    secrets += [Secret(text, spans) for name, text, spans in parts if spans and rules.is_secret(name, text)]
    return secrets


def _parts(node: ast.expr | None) -> Iterator[tuple[str, list[Span]]]:
    """Yield the texts that an expression can stand for: itself, its branches, or the items that it holds."""
    waiting = [node]  # a sum of 2,000 parts is 2,000 deep
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        text = folded(node)
        if text is not None:
            yield text, _spans(node)
        elif isinstance(node, ast.IfExp):
            waiting += (node.orelse, node.body)
        elif isinstance(node, ast.BoolOp | ast.Dict):
            waiting += reversed(node.values)
        elif isinstance(node, ast.List | ast.Tuple | ast.Set):
            waiting += reversed(node.elts)
        elif isinstance(node, ast.JoinedStr | ast.BinOp):  # parts of it are not known before it runs
            waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)][::-1]


def _folded(tree: ast.AST) -> Iterator[tuple[str, list[Span]]]:
    """Yield the texts of the largest expressions of literals alone."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        text = folded(node) if isinstance(node, ast.BinOp | ast.JoinedStr | ast.Call) else None
        if text is not None:
            yield text, _spans(node)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str | bytes):
                yield _text(node.value), _spans(node)
        else:
            waiting += ast.iter_child_nodes(node)


def _segment(lines: list[bytes], span: Span) -> str:
    """Return the text of a span: literals side by side, with the blanks and comments between them."""
    first, start, last, end = span
    rows = lines[first - 1 : last]
    rows[-1] = rows[-1][:end]
    rows[0] = rows[0][start:]
    return b"\n".join(rows).decode("utf-8", "replace")


def folded(node: ast.AST) -> str | None:
    """Return the text of an expression of literals; None if it has other parts."""
    try:
        return _fold(node)
    except (TypeError, ValueError, KeyError, IndexError, RecursionError):  # "%d" % "x" has no value
        return None


def _fold(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        is_plain = isinstance(node.value, str | bytes | int) and not isinstance(node.value, bool)
        return _text(node.value) if is_plain else None
    if isinstance(node, ast.JoinedStr):
        return _joined("", node.values)
    if isinstance(node, ast.FormattedValue):
        return _fold(node.value) if node.format_spec is None else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _summed(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        left, right = _fold(node.left), ast.literal_eval(node.right)
        return left % right if left is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.keywords:
        head = _fold(node.func.value)
        if head is not None and node.func.attr == "format":
            return head.format(*[ast.literal_eval(each) for each in node.args])
        is_join = node.func.attr == "join" and len(node.args) == 1
        if head is not None and is_join and isinstance(node.args[0], ast.List | ast.Tuple):
            return _joined(head, node.args[0].elts)
    return None


def _summed(node: ast.expr) -> str | None:
    """Return the text of a sum, which may have thousands of parts."""
    parts: list[str] = []
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        text = _fold(node.right)
        if text is None:
            return None
        parts.append(text)
        node = node.left
    first = _fold(node)
    return None if first is None else "".join([first, *reversed(parts)])


def _joined(between: str, nodes: list[ast.expr]) -> str | None:
    texts = []
    for node in nodes:
        text = _fold(node)
        if text is None:
            return None
        texts.append(text)
    return between.join(texts)


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _spans(node: ast.AST) -> list[Span]:
    return [
        (each.lineno, each.col_offset, each.end_lineno or each.lineno, each.end_col_offset or 0)
        for each in ast.walk(node)
        if isinstance(each, ast.Constant)
    ]


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield names and values: of an assignment, a keyword, a default, a dictionary, a comparison, a call."""
    if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from ((name, node.value) for target in targets for name in _name(target))
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg, node.value
    elif isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value
    elif isinstance(node, ast.arguments):
        names = [*node.posonlyargs, *node.args]
        pairs = [*zip(names[len(names) - len(node.defaults) :], node.defaults, strict=True)]
        pairs += [(n, d) for n, d in zip(node.kwonlyargs, node.kw_defaults, strict=True) if d is not None]
        yield from ((argument.arg, default) for argument, default in pairs)
    elif isinstance(node, ast.Compare):
        yield from ((name, right) for name in _name(node.left) for right in node.comparators)
    elif isinstance(node, ast.Call):  # setattr(box, "password", "..")
        for name, value in zip(node.args, node.args[1:], strict=False):
            is_word = isinstance(name, ast.Constant) and isinstance(name.value, str)
            # add_argument("--password", "-p") has names of options alone
            if is_word and isinstance(value, ast.Constant) and not _text(value.value).startswith("-"):
                yield _text(name.value), value  # type: ignore[attr-defined]  # a constant: `is_word`


def _name(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Attribute):
        yield target.attr
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        yield str(target.slice.value)


# ------------------------------------------------------------------ masks


def masked(
    source: str, spans: list[Span], hide: Callable[[str], str], is_hidden: Callable[[str], bool]
) -> str | None:
    """Return the program with a star for each byte of a secret; None if Python cannot tokenize it.

    Masked are all literals within the spans, and those for whose value `is_hidden` is true. A masked number
    becomes underscores. `hide` rewrites the other strings and the comments, each at the same length in bytes.
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    lines = source.split("\n")
    places = [_characters(lines, span) for span in spans]
    for token in reversed(tokens):
        text = token.string
        if token.type == tokenize.COMMENT:
            text = hide(text)
        elif token.type in _TEXTS:
            is_whole = _is_within(token, places)
            text = _literal(text, stars if is_whole else hide, is_hidden)
        elif token.type == tokenize.NUMBER and (_is_within(token, places) or is_hidden(text)):
            text = "_" * len(text)  # a name: stars would not parse
        if text != token.string:
            _put(lines, token, text)
    return "\n".join(lines)


def stars(text: str) -> str:
    """Return a star for each byte; the ends of lines stay, also those behind a backslash."""
    return re.sub(
        r"\\?\n|([\s\S])",
        lambda match: "*" * _n_bytes(match[1]) if match[1] else match[0],
        text,
    )


def _n_bytes(character: str) -> int:
    try:
        return len(character.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:  # half a character, which no file holds
        return len(character.encode("utf-8", "surrogatepass"))


def _literal(text: str, hide: Callable[[str], str], is_hidden: Callable[[str], bool]) -> str:
    match = _LITERAL.fullmatch(text)
    if match is None:  # the middle of an f-string
        return stars(text) if is_hidden(text) else hide(text)
    value: object = match[3]
    if "\\" in match[3]:
        with suppress(ValueError, SyntaxError):
            value = ast.literal_eval(text)
    inner = stars(match[3]) if isinstance(value, str | bytes) and is_hidden(_text(value)) else hide(match[3])
    return f"{match[1]}{match[2]}{inner}{match[2]}"


def _characters(lines: list[str], span: Span) -> Span:
    """Return a span with its bytes counted as characters, as tokens are."""
    first, start, last, end = span
    return first, _column(lines[first - 1], start), last, _column(lines[last - 1], end)


def _column(line: str, n_bytes: int) -> int:
    return (
        n_bytes
        if line.isascii()
        else len(line.encode("utf-8", "surrogatepass")[:n_bytes].decode("utf-8", "ignore"))
    )


def _is_within(token: tokenize.TokenInfo, places: list[Span]) -> bool:
    return any(
        (first, start) <= token.start and token.end <= (last, end) for first, start, last, end in places
    )


def _put(lines: list[str], token: tokenize.TokenInfo, text: str) -> None:
    """Write a text, which may have several lines, in the place of a token."""
    (first, start), (last, end) = token.start, token.end
    for row, part in enumerate(text.split("\n"), start=first):
        line = lines[row - 1]
        before, after = line[: start * (row == first)], line[end:] if row == last else ""
        lines[row - 1] = before + part + after
