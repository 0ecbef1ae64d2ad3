"""Examine declared types in pycparser's trees, and make copies that declare other names."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast


def defines(kind: Any) -> bool:
    """Tell whether a declaration also defines a structure or an enumeration."""
    while kind is not None and not isinstance(kind, c_ast.Struct | c_ast.Union | c_ast.Enum):
        kind = getattr(kind, "type", None)
    if isinstance(kind, c_ast.Enum):
        return kind.values is not None
    return kind is not None and kind.decls is not None


def rename(kind: Any, name: str) -> None:
    """Write a name into the innermost part of a declared type, in place."""
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name


def renamed(kind: Any, name: str) -> Any:
    """Return a copy of a type that declares this name, without `const` at its outermost level."""
    if isinstance(kind, c_ast.TypeDecl):
        return c_ast.TypeDecl(name, [], kind.align, kind.type)
    if isinstance(kind, c_ast.PtrDecl):
        return c_ast.PtrDecl(
            [],
            renamed(kind.type, name)
            if not isinstance(kind.type, c_ast.TypeDecl)
            else c_ast.TypeDecl(name, kind.type.quals, kind.type.align, kind.type.type),
        )
    if isinstance(kind, c_ast.ArrayDecl):
        return c_ast.ArrayDecl(renamed(kind.type, name), kind.dim, kind.dim_quals)
    return c_ast.FuncDecl(kind.args, renamed(kind.type, name))
