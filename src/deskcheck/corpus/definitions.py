"""Find the functions, classes and names that a text of Python defines at its top level; nothing is executed.

functions_defined("def f(x):\\n    return x")     -> ["f"]
names_bound("import os.path\\nx: int = 1")        -> {"os", "x"}
names_read("def f(x):\\n    return g(x)")         -> {"g"}
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

from deskcheck.errors import DataError
from deskcheck.languages.python.parsing import parse_module


def functions_defined(source: str) -> list[str]:
    """Return the functions at the top level, in order. SyntaxError if the source does not parse."""
    return [node.name for node in parse_module(source).body if isinstance(node, ast.FunctionDef)]


def classes_with(source: str, function: str) -> list[str]:
    """Return the classes that define a method of this name; none if the source does not parse."""
    return [
        node.name
        for node in _parsed(source).body
        if isinstance(node, ast.ClassDef) and _defines(node, function)
    ]


def _defines(node: ast.ClassDef, name: str) -> bool:
    return any(
        isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name == name for one in node.body
    )


def called_by_tests(solution: str, tests: list[str], *, where: str) -> str:
    """Return the function of the reference solution that the tests call; MBPP has no field for its name.

    DataError, which begins with `where`, if a text does not parse or the tests call no such function.
    """
    try:
        defined = {
            one.name for one in ast.parse(solution).body if isinstance(one, ast.FunctionDef | ast.ClassDef)
        }
        used = [node.id for test in tests for node in ast.walk(ast.parse(test)) if isinstance(node, ast.Name)]
    except SyntaxError as error:
        raise DataError(f"{where}: does not parse: {error}") from None
    found = next((name for name in used if name in defined), None)
    if found is None:
        raise DataError(f"{where}: its tests call nothing that its 'code' defines")
    return found


def names_read(source: str) -> set[str]:
    """Return the names that a text reads as globals or built-ins, in any scope; it may bind them too."""
    return {
        one.get_name()
        for table in _tables(source)
        for one in table.get_symbols()
        if one.is_referenced() and (one.is_global() or table.get_type() == "module")
    }


def names_bound(source: str) -> set[str]:
    """Return the globals that a text binds in any way; none if it does not parse."""
    return {
        one.get_name()
        for table in _tables(source)
        for one in table.get_symbols()
        if (one.is_assigned() or one.is_imported())
        and (table.get_type() == "module" or one.is_declared_global())
    }


def _tables(source: str) -> Iterator[symtable.SymbolTable]:
    """Yield the scopes of a text, as CPython's compiler finds them; none if it does not parse."""
    try:
        waiting = [symtable.symtable(source, "", "exec")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while waiting:
        table = waiting.pop()
        yield table
        waiting += table.get_children()


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])
