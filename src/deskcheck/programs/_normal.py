"""A program up to renaming and constants: what "the same" means when evaluation is kept out of training.

    normal_form("def f(n): return n + 1") == normal_form("def g(k): return k + 7")

Names of variables and functions become numbers in order of appearance, constants become their type,
docstrings and annotations go; names of built-ins, attributes and keywords stay. The result is a hash.
"""

from __future__ import annotations

import ast
import builtins
import hashlib

_KEPT = frozenset(dir(builtins))


class _Renamer(ast.NodeTransformer):
    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def name(self, name: str) -> str:
        return name if name in _KEPT else self.names.setdefault(name, f"v{len(self.names)}")

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.name(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.name(node.arg))

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Constant(type(node.value).__name__)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return self.visit_Constant(node.operand)  # -3 is a constant as 3 is
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.name(node.name)
        node.returns = None
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self.name(node.name)
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.Pass()
        return self.generic_visit(ast.Assign([node.target], node.value))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        if node.name:
            node.name = self.name(node.name)
        return self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        return ast.Global([self.name(n) for n in node.names])

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        return ast.Nonlocal([self.name(n) for n in node.names])


def normal_form(source: str) -> str:
    """16 hex digits, equal for programs that differ in names and constants alone."""
    tree = _Renamer().visit(ast.parse(source))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]
