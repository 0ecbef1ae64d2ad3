"""Which instructions of a code object finish an evaluated expression, and where that stands in the source.

    spans = SourceSpans(source)
    spans.steps(code) -> {offset: Span}       `s.strip().split(',')[1]` has three

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
from types import CodeType
from typing import NamedTuple

_CALL = frozenset({"CALL", "CALL_KW", "CALL_FUNCTION_EX"})
_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_SUPER_ATTR"})
_SUBSCRIPT = frozenset({"BINARY_SUBSCR", "BINARY_SLICE"})
_COMPARE = frozenset({"COMPARE_OP", "IS_OP", "CONTAINS_OP"})
_UNARY = frozenset({"UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "CALL_INTRINSIC_1"})
# "%s-%s" % (a, b) is compiled to what f"{a}-{b}" is compiled to.
_BINARY = frozenset({"BINARY_OP", "BUILD_STRING"})
_BESIDE = frozenset(
    {"CACHE", "PRECALL", "KW_NAMES", "EXTENDED_ARG"}
)  # stand between an instruction and the one before


class Span(NamedTuple):
    """Part of the source: lines from 1, columns from 0 in UTF-8 bytes, the end exclusive."""

    line: int
    end_line: int
    column: int
    end_column: int


class SourceSpans:
    """The steps of one file."""

    def __init__(self, source: str) -> None:
        self._of: dict[tuple[int, int, int, int], tuple[frozenset[str], Span]] = {}
        self._after_dot: dict[tuple[int, int, str], Span] = {}
        tree = ast.parse(source)
        left_out = _part_of_another(tree)
        for node in ast.walk(tree):
            if node not in left_out:
                self._add(node)

    def _add(self, node: ast.AST) -> None:
        match node:
            case ast.Call():
                wanted = _CALL
            case ast.Attribute():
                wanted = _ATTRIBUTE
            case ast.Subscript():
                wanted = _SUBSCRIPT
            case ast.BinOp() | ast.AugAssign():
                wanted = _BINARY
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                wanted = _UNARY
            case ast.Compare():
                wanted = _COMPARE
            case _:
                return
        span = Span(node.lineno, node.end_lineno or 0, node.col_offset, node.end_col_offset or 0)
        self._of[span] = wanted, span
        attribute = node.func if isinstance(node, ast.Call) else node
        if isinstance(attribute, ast.Attribute) and attribute.end_lineno != attribute.lineno:
            # They begin at the name behind the dot: update_start_location_to_match_attr in compile.c.
            end = attribute.end_col_offset or 0
            start = end - len(attribute.attr)  # compile.c counts characters here
            self._after_dot[
                attribute.end_lineno or 0, start, "call" if isinstance(node, ast.Call) else ""
            ] = span

    def steps(self, code: CodeType) -> dict[int, Span]:
        """Offset of each instruction that finishes a step -> the step's span."""
        found: dict[int, Span] = {}
        before: dis.Instruction | None = None
        for instruction in dis.get_instructions(code):
            name = instruction.opname
            if name in _BESIDE:
                continue
            span = self._span(instruction)
            if span is not None and not (name == "CALL" and _is_exit(instruction, before)):
                found[instruction.offset] = span
            before = instruction
        return found

    def _span(self, instruction: dis.Instruction) -> Span | None:
        at = instruction.positions
        name = instruction.opname
        if at is None or at.lineno is None or at.col_offset is None:
            return None
        if at.end_lineno is None or at.end_col_offset is None:
            return None
        known = self._of.get((at.lineno, at.end_lineno, at.col_offset, at.end_col_offset))
        if known is not None and name in known[0]:
            return known[1]
        if name in _CALL or name in _ATTRIBUTE:
            return self._after_dot.get((at.lineno, at.col_offset, "call" if name in _CALL else ""))
        return None


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


def _is_exit(call: dis.Instruction, before: dis.Instruction | None) -> bool:
    """Whether a call hands three None to the __exit__ of a with block: they stand where the call stands."""
    return before is not None and before.opname == "LOAD_CONST" and before.positions == call.positions
