"""Find the definitions of names in the text of a module, without executing it.

    Module(text).binding("dedent")                      -> the statement that defines the name
    Module(text, "a/b.py", Modules(read)).definition(..) -> module and statements of its definition

If a name is imported from another module of the same package, its definition is taken from there, if
`Modules` can read that module. Imports of C accelerators that would replace a name are ignored, and so is a
`try` around an import of the same package.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from textwrap import dedent
from typing import NamedTuple

from msgspec import Struct, field

# Imports that are followed for one name; modules kept in memory; statements that may bind one name.
_MOST_HOPS, _MOST_MODULES, _MOST_BINDINGS = 8, 256, 8
BUILTINS = frozenset(dir(builtins))
DEFINED = (ast.FunctionDef, ast.ClassDef)
BRANCHES = (ast.Try, ast.If)
DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Unfit(Exception):
    """Raised with the reason why a function makes no program; reasons are counted by their text."""


class Names(NamedTuple):
    """Names that a statement needs from outside of it; for a class, also those that its body binds."""

    free: frozenset[str]
    of_class: frozenset[str]
    """If the statement is a class: names that its body reads, which other parts of the class may bind."""
    bound: frozenset[str]
    """Names that the body of the class binds."""

    @property
    def all(self) -> frozenset[str]:
        """All names that the statement needs."""
        return self.free | self.of_class


class Uses(Struct):
    """Uses of one name in a piece of code."""

    attributes: set[str] = field(default_factory=set)
    """Attributes that are read from the name."""
    n_alone: int = 0
    """Number of uses of the name other than such reads."""


class Module:
    """The text of a module, and the names that its top level binds."""

    def __init__(self, text: str, path: str = "", others: Modules | None = None) -> None:
        """Parse a module, whose path among the `others` is `path`.

        SyntaxError or ValueError if it is not Python of this version.
        """
        self.path, self.others = path, others
        self.text = text
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        self.free: dict[ast.stmt, Names] = {}
        """Statement of the tree -> names that it needs (`library_cut`)."""
        self.heads: dict[ast.stmt, Names] = {}
        """Part of a class -> names that the body of the class needs for it."""
        self.members: dict[ast.stmt, set[str]] = {}
        """Part of a class -> names in it that may be methods."""
        self.uses: dict[ast.AST, dict[str, Uses]] = {}
        """Part of a statement -> the uses of the names in it."""
        self.checked: set[ast.stmt] = set()
        """Statements of the tree that have passed `check_imports`."""

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Yield the functions at the top level of the module, in order."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    @cached_property
    def bound(self) -> dict[str, list[ast.stmt]]:
        """Name -> the statements of the module's body that bind it."""
        by_name: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for part in statement.body if self._is_own_try(statement) else [statement]:  # type: ignore[attr-defined]
                for name in bound_by(part):
                    by_name.setdefault(name, []).append(part)
        return by_name

    def _is_own_try(self, statement: ast.stmt) -> bool:
        """Whether a statement is a `try` around an import of the same package that can be read.

        Then only the body of the `try` counts.
        """
        if not isinstance(statement, ast.Try) or self.others is None:
            return False
        imports = [one for one in statement.body if isinstance(one, ast.ImportFrom)]
        return any(self.others.imported(self.path, one) is not None for one in imports)

    def binding(self, name: str) -> ast.stmt:
        """Return the single statement that defines a name. Unfit if there is no such statement."""
        (one,) = self.bindings(name, whole=False)
        return one

    def bindings(self, name: str, *, whole: bool) -> list[ast.stmt]:
        """Return the single statement that defines a name; a later import in a branch does not count.

        With `whole`, return several definitions and assignments of the name too, several imports such as
        `import os` and `import os.path`, or the branches that bind it. Unfit otherwise.
        """
        all_of_them = self.bound.get(name, [])
        plain = [one for one in all_of_them if not isinstance(one, ast.Try | ast.If | ast.With)]
        if not all_of_them:
            raise Unfit("a name that the module does not bind")
        if len(plain) == 1:
            return plain
        kinds = (*DEFINED, ast.Assign, ast.AnnAssign, ast.AugAssign) if plain else BRANCHES
        found = plain or all_of_them
        if whole and all(isinstance(one, ast.Import) for one in found):
            return found
        if not whole or len(found) > _MOST_BINDINGS or not all(isinstance(one, kinds) for one in found):
            raise Unfit("a name that is bound in a branch or more than once")
        return found

    def definition(self, name: str, *, whole: bool = False) -> tuple[Module, list[ast.stmt] | Module]:
        """Return (module, statements) of the definition of a name, through imports of the same package.

        If the name stands for a module of the same package, that module replaces the statements.
        """
        module = self
        for _ in range(_MOST_HOPS):
            if (definition := module.starred(name)) is not None:
                module = definition
                continue
            statements = module.bindings(name, whole=whole)
            statement = statements[0]
            if len(statements) > 1 or module.others is None:
                break
            if isinstance(statement, ast.Import):
                inner = module.others.named(module.path, statement, name)
                return module, inner if inner is not None else statements
            if not isinstance(statement, ast.ImportFrom):
                break
            other = module.others.imported(module.path, statement)
            alias = next(one for one in statement.names if (one.asname or one.name) == name)
            if other is None or (alias.name not in other.bound and other.starred(alias.name) is None):
                inner = module.others.below(module.path, statement, alias.name)
                if inner is not None:
                    return module, inner
            if other is None or alias.asname not in (None, alias.name):
                break
            if name not in other.bound and other.starred(name) is None:
                raise Unfit("uses a module of its package as an object")
            module = other
        return module, statements

    @cached_property
    def undecorated(self) -> Module | None:
        """The module without decorators of its package, which often prevent a cut; None if it has none."""
        own = [
            one
            for node in ast.walk(self.tree)
            for one in getattr(node, "decorator_list", [])
            if not self._is_standard(one)
        ]
        if not own:
            return None
        lines = list(self.lines)
        for one in own:
            last = one.end_lineno or one.lineno
            lines[one.lineno - 1 : last] = [""] * (last - one.lineno + 1)
        return Module("\n".join(lines), self.path, self.others and self.others.undecorated)

    def _is_standard(self, decorator: ast.expr) -> bool:
        """Whether a decorator is a builtin, a part of a property, or from the standard library."""
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        while isinstance(node, ast.Attribute):
            if node.attr in ("setter", "getter", "deleter"):
                return True
            node = node.value
        bound = self.bound.get(node.id, []) if isinstance(node, ast.Name) else []
        if not bound:
            return isinstance(node, ast.Name) and node.id in BUILTINS
        named = [
            one.names[0].name if isinstance(one, ast.Import) else one.module or "."
            for one in bound
            if isinstance(one, ast.Import | ast.ImportFrom) and not getattr(one, "level", 0)
        ]
        return bool(named) and all(one.partition(".")[0] in sys.stdlib_module_names for one in named)

    def starred(self, name: str) -> Module | None:
        """Return the module from which `from .. import *` takes a name; None if it is not exactly one."""
        if name in self.bound or self.others is None:
            return None
        stars = [s for s in self.tree.body if isinstance(s, ast.ImportFrom) and s.names[0].name == "*"]
        others = [self.others.imported(self.path, star) for star in stars]
        found = [one for one in others if one is not None and one is not self and name in one.bound]
        return found[0] if len(found) == 1 else None

    def piece(self, node: ast.stmt) -> str:
        """Return the text of a statement without docstrings. Unfit if its lines contain other code."""
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        last = node.end_lineno or first
        lines = self.lines[first - 1 : last]
        for inner in sorted(documented_in(node), key=lambda one: -one.lineno):
            text = inner.body[0]
            start, end = text.lineno - first, (text.end_lineno or 0) - first
            alone = [" " * text.col_offset + "pass"] if len(inner.body) == 1 else []
            if end + 1 < len(lines) and not lines[end + 1].strip() and not alone:
                end += 1
            lines[start : end + 1] = alone
        found = "\n".join(line.rstrip() for line in lines)
        found = dedent(found) if node.col_offset else found
        try:
            parsed = ast.parse(found).body
        except (SyntaxError, ValueError):
            parsed = []
        same = len(parsed) == 1 and is_same(parsed[0], node)
        if not same:
            raise Unfit("its lines hold other statements, or text that layout changes")
        return found


class Modules:
    """Modules of one package, folder or archive, read when one of them imports from another."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        """Set the reader: `read(path)` returns the text of a file in this place, or None if there is none."""
        self._read = read
        self._known: dict[str, Module | None] = {}
        self._is_undecorated = False

    @cached_property
    def undecorated(self) -> Modules:
        """The same modules without the decorators of their package."""
        found = Modules(self._read)
        found._is_undecorated = True
        return self if self._is_undecorated else found

    def imported(self, path: str, statement: ast.ImportFrom) -> Module | None:
        """Return the module that `from .. import ..` in the module at `path` names; None if not found."""
        return self._at(path, statement.module or "", statement.level)

    def below(self, path: str, statement: ast.ImportFrom, name: str) -> Module | None:
        """Return the module `name` of `from .. import name`; None if it is no module of this place."""
        return self._at(path, f"{statement.module}.{name}" if statement.module else name, statement.level)

    def named(self, path: str, statement: ast.Import, name: str) -> Module | None:
        """Return the module of `import name` or `import .. as name`; None if it is not found."""
        one = next(one for one in statement.names if (one.asname or one.name.split(".")[0]) == name)
        return self._at(path, one.name, 0) if one.asname or "." not in one.name else None

    def _at(self, path: str, dotted: str, level: int) -> Module | None:
        folders = path.split("/")[:-1]
        if level > len(folders) + 1:
            return None
        inner = dotted.replace(".", "/")
        if not level and inner.partition("/")[0] in sys.stdlib_module_names:
            return None
        bases = [folders[: len(folders) - level + 1]] if level else self._roots(folders)
        for base in bases:
            stem = "/".join([*base, *([inner] if inner else [])])
            for candidate in (f"{stem}.py", f"{stem}/__init__.py" if stem else "__init__.py"):
                if (module := self._module(candidate)) is not None:
                    return module
        return None

    def _roots(self, folders: list[str]) -> Iterator[list[str]]:
        """Yield the folders in which a top-level package may be: "src" for "src/package/a.py"."""
        yield []
        for n in range(1, len(folders)):
            if self._read("/".join([*folders[:n], "__init__.py"])) is None:
                yield folders[:n]

    def _module(self, path: str) -> Module | None:
        if path not in self._known:
            while len(self._known) >= _MOST_MODULES:
                del self._known[next(iter(self._known))]
            text = self._read(path)
            try:
                made = None if text is None else Module(text, path, self)
                self._known[path] = made.undecorated or made if made and self._is_undecorated else made
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._known[path] = None
        return self._known[path]


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of the module's body binds, except those of `import *`."""
    if isinstance(statement, (*DEFINED, ast.AsyncFunctionDef)):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (one.asname or one.name.split(".")[0] for one in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Delete):
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id
    else:
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from bound_by(child)
            elif isinstance(child, ast.ExceptHandler):
                for inner in child.body:
                    yield from bound_by(inner)
            else:
                for node in ast.walk(child):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        yield node.id


def documented_in(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Yield the functions and classes in a tree that have a docstring."""
    for one in ast.walk(node):
        if isinstance(one, DOCUMENTED) and ast.get_docstring(one, clean=False) is not None:
            yield one


def is_same(value: object, other: object) -> bool:
    """Whether two trees are equal except for positions, docstrings, and `pass` in functions and classes."""
    if type(value) is not type(other):
        return False
    if isinstance(value, ast.AST) and isinstance(other, ast.AST):
        return all(
            is_same(_bare_field(value, field), _bare_field(other, field))
            for field in value._fields
            if field != "kind"
        )
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all(map(is_same, value, other))
    return value == other or value != value  # equal constants, or two NaNs


def _bare_field(node: ast.AST, field: str) -> object:
    value = getattr(node, field, None)
    if field == "body" and isinstance(node, DOCUMENTED) and isinstance(value, list):
        if ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        return [one for one in value if not isinstance(one, ast.Pass)]
    return value
