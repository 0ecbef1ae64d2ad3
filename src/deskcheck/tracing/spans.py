"""Which instructions of a code object finish an evaluated expression, and where that stands in the source.

    spans = SourceSpans(source)
    spans.steps(code) -> {offset: Span}       `s.strip().split(',')[1]` has three
    Spans(source_of).packed(code) -> bytes    the same for the native tracer, for code of any file

A step is a call, a binary operator, unary `-`, `+` or `~`, a subscript, an attribute or a comparison whose
value is computed when the program runs. Not steps, because the interpreter does not compute them as values
of their own: `not`, `and`, `or`, conditional expressions (control flow), what the compiler folds (`2 * 3`),
the lookup of a method that is called at once (part of the call), the `super()` of `super().x`, calls that the
source does not write (`__exit__`, decorators, comprehensions). Instructions carry code positions (PEP 657);
the syntax tree says what stands there.
"""

from __future__ import annotations

import ast
import dis
import linecache
from array import array
from collections.abc import Callable
from types import CodeType
from typing import NamedTuple

_OPCODES = {
    "call": "CALL CALL_KW CALL_FUNCTION_EX",
    "attribute": "LOAD_ATTR LOAD_SUPER_ATTR",
    "subscript": "BINARY_SUBSCR BINARY_SLICE",
    "comparison": "COMPARE_OP IS_OP CONTAINS_OP",
    "unary": "UNARY_NEGATIVE UNARY_POSITIVE UNARY_INVERT CALL_INTRINSIC_1",
    "binary": "BINARY_OP BUILD_STRING",  # "%s-%s" % (a, b) is compiled to what f"{a}-{b}" is compiled to
}
_WANTED = {
    dis.opmap[name]: kind for kind, names in _OPCODES.items() for name in names.split() if name in dis.opmap
}
_CALL_OP, _LOAD_CONST = dis.opmap["CALL"], dis.opmap["LOAD_CONST"]
# What stands between an instruction and the one before it.
_BESIDE = {dis.opmap[name] for name in ("CACHE", "PRECALL", "KW_NAMES", "EXTENDED_ARG") if name in dis.opmap}


class Span(NamedTuple):
    """Part of the source: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    line: int
    end_line: int
    column: int
    end_column: int


class SourceSpans:
    """The steps of one file."""

    def __init__(self, source: str) -> None:
        self._of: dict[tuple[int | None, ...], tuple[str, Span]] = {}
        self._after_dot: dict[tuple[int, int, str], Span] = {}
        tree = ast.parse(source)
        left_out = _part_of_another(tree)
        for node in ast.walk(tree):
            if node not in left_out:
                self._add(node)

    def _add(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                wanted = "call"
            case ast.Attribute():
                wanted = "attribute"
            case ast.Subscript():
                wanted = "subscript"
            case ast.BinOp() | ast.AugAssign():
                wanted = "binary"
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                wanted = "unary"
            case ast.Compare():
                wanted = "comparison"
            case _:
                return
        span = Span(node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)
        self._of[tuple(span)] = wanted, span
        attribute = node.func if isinstance(node, ast.Call) else node
        if isinstance(attribute, ast.Attribute) and attribute.end_lineno != attribute.lineno:
            # They begin at the name behind the dot: update_start_location_to_match_attr in compile.c.
            end = attribute.end_col_offset or 0
            start = end - len(attribute.attr)  # compile.c counts characters here
            self._after_dot[attribute.end_lineno or 0, start, wanted] = span

    def steps(self, code: CodeType) -> dict[int, Span]:
        """Offset of each instruction that finishes a step -> the step's span."""
        found: dict[int, Span] = {}
        before = load_before = None
        for unit, (op, position) in enumerate(zip(code.co_code[::2], code.co_positions(), strict=True)):
            wanted = _WANTED.get(op)
            if wanted is None:
                if op not in _BESIDE:
                    before, load_before = op, position
                continue
            # An exit from a with block hands three None to __exit__; they stand where the call stands.
            is_exit = op == _CALL_OP and before == _LOAD_CONST and position == load_before
            before = op
            span = self._span(wanted, position)
            if span is not None and not is_exit:
                found[2 * unit] = span
        return found

    def packed(self, code: CodeType) -> bytes:
        """The same as int32 of this machine: code unit, line, end line, column, end column; and the next."""
        rows = ((offset // 2, *span) for offset, span in self.steps(code).items())
        return array("i", [number for row in rows for number in row]).tobytes()

    def _span(self, wanted: str, at: tuple[int | None, ...]) -> Span | None:
        line, _, column, end_column = at
        if line is None or column is None or end_column is None:
            return None
        known = self._of.get(at)
        if known is not None and known[0] == wanted:
            return known[1]
        return self._after_dot.get((line, column, wanted))


class Spans:
    """Steps of the code of several files, whose texts are asked for by name."""

    def __init__(self, source_of: Callable[[str], str | None]) -> None:
        self._source_of = source_of
        self._known: dict[str, SourceSpans | None] = {}
        self.missing: set[str] = set()
        """Files of which there is no text: their expressions cannot be told apart."""

    def packed(self, code: CodeType) -> bytes:
        """As SourceSpans.packed; nothing where there is no text."""
        name = code.co_filename
        if name not in self._known:
            source = self._source_of(name)
            try:
                self._known[name] = None if source is None else SourceSpans(source)
            except (SyntaxError, ValueError, RecursionError):
                self._known[name] = None
            if self._known[name] is None:
                self.missing.add(name)
        spans = self._known[name]
        return b"" if spans is None else spans.packed(code)


def text_of_file(name: str) -> str | None:
    """Text of a file by its name, as tracebacks find it."""
    return "".join(linecache.getlines(name)) or None


def _part_of_another(tree: ast.AST) -> set[ast.AST]:
    """Nodes that are no step of their own: callees' lookups, targets that are only stored to, `super()`."""
    found: set[ast.AST] = set()
    loaded: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            found.add(node.func)
        elif isinstance(node, ast.AugAssign):
            loaded.add(node.target)
        if isinstance(node, ast.Attribute) and _is_bare_super(node.value):
            found.add(node.value)
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            found.add(node)
    return found - loaded


def _is_bare_super(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"
