"""Cut one function out of a module's text, with the module-level names that it needs and nothing else.

    cut(Module(text), "dedent") -> Cut(source, node), or the reason why it does not stand alone

The pieces keep the module's own text and order; docstrings go (their examples show answers). Imports are
kept where they bring in modules of `ALLOWED`: their functions keep no state, touch nothing and are the same
on every run. Nothing of the module is executed. A name that comes from another module of the same package is
taken from there where `Modules` can read that; of a module that is used as an object, what is read of it
becomes a `SimpleNamespace`. Under `ANY_CODE` a decorator of the package that can't come along is left off.
Not cut out: nested functions, coroutines, generators; under the rules of the pinned ones decorated functions.
`cut_class` cuts out a method with as much of its class as it reaches.
"""

from __future__ import annotations

import ast
import builtins
import re
import symtable
import sys
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from textwrap import dedent
from typing import NamedTuple

from msgspec import Struct

from deskcheck.tracing.collect import PURE, WORDS

ALLOWED = (PURE - {"time", "random", "datetime", "__future__"}) | {"html.entities", "binascii", "stringprep"}
FORBIDDEN = (WORDS - {"getattr", "register", "compile"}) | {
    "id", "hash", "input", "print", "help", "exit", "quit", "breakpoint", "__import__",
    "__name__", "__file__", "__package__", "__doc__", "__builtins__",
}  # fmt: skip
MOST_CHARS, MOST_LINES, MOST_PIECES = 4_000, 100, 12
_MOST_HOPS, _MOST_MODULES, _MOST_BINDINGS = 8, 256, 8
_BUILTINS = frozenset(dir(builtins))
_DEFINED = (ast.FunctionDef, ast.ClassDef)
_BRANCHES = (ast.Try, ast.If)
_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Rules(Struct, frozen=True):
    """What a function may need and how long its program may be."""

    modules: frozenset[str] = ALLOWED
    """Modules whose names it may use, those below them too."""
    words: frozenset[str] = FORBIDDEN
    """Names that it may not use."""
    chars: int = MOST_CHARS
    lines: int = MOST_LINES
    pieces: int = MOST_PIECES
    whole: bool = False
    """Whether decorators come along as what else it needs does, and names that branches bind."""
    attributes: frozenset[str] = FORBIDDEN - {"help", "id", "exit", "open"}
    """Attributes that it may not read."""


PINNED = Rules()
"""Those of the functions in library_pins.json, whose text may never change."""
_MACHINE = frozenset(
    """_thread antigravity asyncio concurrent ctypes curses dbm faulthandler fcntl ftplib gc getpass http
    idlelib imaplib lib2to3 mmap msvcrt multiprocessing nntplib ossaudiodev pdb poplib pty pwd
    readline resource sched secrets select selectors shelve signal smtplib socket socketserver spwd sqlite3
    ssl subprocess syslog telnetlib tempfile termios test this threading tkinter tracemalloc tty turtle
    turtledemo venv webbrowser winreg winsound wsgiref xmlrpc zoneinfo""".split()
)
ANY_CODE = Rules(
    modules=frozenset(sys.stdlib_module_names) - _MACHINE,
    words=frozenset(
        """open exec eval input breakpoint exit quit help id __import__ globals locals settrace
        setprofile modules stdin f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code
        cr_frame ag_frame _getframe __file__ __builtins__""".split()
    ),
    chars=10_000,
    lines=250,
    pieces=30,
    whole=True,
    attributes=frozenset(
        """__globals__ settrace setprofile f_back f_globals f_locals f_builtins f_code tb_frame tb_next
        gi_frame gi_code cr_frame ag_frame _getframe __builtins__""".split()
    ),
)
"""Those of any code that runs contained and is dropped where it is not the same twice."""


_BLANK = re.compile(r"\n\n(?:[ \t]*\n)+(?=[ \t])")


class Unfit(Exception):
    """Why a function is no program; the text is what is counted."""


class Cut(Struct, frozen=True):
    """A function that stands alone."""

    source: str
    node: ast.FunctionDef
    """As it stands in the module, docstring and all."""


class Module:
    """The text of a module, and what its top level binds."""

    def __init__(self, text: str, path: str = "", others: Modules | None = None) -> None:
        """SyntaxError or ValueError: not Python of this version. `path`: its own among the `others`."""
        self.path, self.others = path, others
        self.text = text
        self.lines = text.split("\n")
        self.tree = ast.parse(text)
        self.free: dict[ast.stmt, frozenset[str]] = {}
        """What `_free` found for statements of the tree."""
        self.checked: set[ast.stmt] = set()
        """Statements of the tree that import nothing and read no attribute that the rules forbid."""

    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Those at the top of the module, in order."""
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node

    @cached_property
    def bound(self) -> dict[str, list[ast.stmt]]:
        """Name -> the statements of the module's body that bind it."""
        found: dict[str, list[ast.stmt]] = {}
        for statement in self.tree.body:
            for one in statement.body if self._is_own_try(statement) else [statement]:  # type: ignore[attr-defined]
                for name in _bound_by(one):
                    found.setdefault(name, []).append(one)
        return found

    def _is_own_try(self, statement: ast.stmt) -> bool:
        """Whether it only guards an import from its package, which is here: then its body is what counts."""
        if not isinstance(statement, ast.Try) or self.others is None:
            return False
        imports = [one for one in statement.body if isinstance(one, ast.ImportFrom)]
        return any(self.others.imported(self.path, one) is not None for one in imports)

    def binding(self, name: str) -> ast.stmt:
        """The one statement that says what a name is. An accelerator that would replace it is left aside."""
        (one,) = self.bindings(name, whole=False)
        return one

    def bindings(self, name: str, *, whole: bool) -> list[ast.stmt]:
        """The same; `whole`: else all definitions and assignments of it, or the branches that bind it."""
        all_of_them = self.bound.get(name, [])
        plain = [one for one in all_of_them if not isinstance(one, ast.Try | ast.If | ast.With)]
        if not all_of_them:
            raise Unfit("a name that the module does not bind")
        if len(plain) == 1:
            return plain
        kinds = (*_DEFINED, ast.Assign, ast.AnnAssign, ast.AugAssign) if plain else _BRANCHES
        found = plain or all_of_them
        if not whole or len(found) > _MOST_BINDINGS or not all(isinstance(one, kinds) for one in found):
            raise Unfit("a name that is bound in a branch or more than once")
        return found

    def definition(self, name: str, *, whole: bool = False) -> tuple[Module, list[ast.stmt] | Module]:
        """Its module, or the one that it is imported from, and the statements there that say what it is.

        A name of a module of the same package: that module.
        """
        module = self
        for _ in range(_MOST_HOPS):
            if (found := module._starred(name)) is not None:
                module = found
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
            if other is None or (alias.name not in other.bound and other._starred(alias.name) is None):
                inner = module.others.below(module.path, statement, alias.name)
                if inner is not None:
                    return module, inner
            if other is None or alias.asname not in (None, alias.name):
                break
            if name not in other.bound and other._starred(name) is None:
                raise Unfit("uses a module of its package as an object")
            module = other
        return module, statements

    @cached_property
    def undecorated(self) -> Module | None:
        """The same without the decorators of its package, which is most of what stands in the way of some."""
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
        """Whether a decorator is a builtin, a part of a property, or of the standard library."""
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        while isinstance(node, ast.Attribute):
            if node.attr in ("setter", "getter", "deleter"):
                return True
            node = node.value
        bound = self.bound.get(node.id, []) if isinstance(node, ast.Name) else []
        if not bound:
            return isinstance(node, ast.Name) and node.id in _BUILTINS
        named = [
            one.names[0].name if isinstance(one, ast.Import) else one.module or "."
            for one in bound
            if isinstance(one, ast.Import | ast.ImportFrom) and not getattr(one, "level", 0)
        ]
        return bool(named) and all(one.partition(".")[0] in sys.stdlib_module_names for one in named)

    def _starred(self, name: str) -> Module | None:
        """The one other module that a `from .. import *` takes this name from."""
        if name in self.bound or self.others is None:
            return None
        stars = [s for s in self.tree.body if isinstance(s, ast.ImportFrom) and s.names[0].name == "*"]
        others = [self.others.imported(self.path, star) for star in stars]
        found = [one for one in others if one is not None and one is not self and name in one.bound]
        return found[0] if len(found) == 1 else None

    def piece(self, node: ast.stmt) -> str:
        """Its own text, without docstrings."""
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
        last = node.end_lineno or first
        lines = self.lines[first - 1 : last]
        for inner in sorted(_documented(node), key=lambda one: -one.lineno):
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
        same = len(parsed) == 1 and _is_same(parsed[0], node)
        if not same:
            raise Unfit("its lines hold other statements, or text that layout changes")
        return found


class Modules:
    """Modules of one package, folder or archive, read when one of them imports from another."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        """`read`: path within the place -> text, None where it has no such file."""
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
        """The module that a `from .. import ..` in the module at `path` names; None where it is not here."""
        return self._at(path, statement.module or "", statement.level)

    def below(self, path: str, statement: ast.ImportFrom, name: str) -> Module | None:
        """The module `name` that a `from .. import name` brings in; None where it is no module of here."""
        return self._at(path, f"{statement.module}.{name}" if statement.module else name, statement.level)

    def named(self, path: str, statement: ast.Import, name: str) -> Module | None:
        """The module that `import name` or `import .. as name` brings in; None where it is not here."""
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
                if (found := self._module(candidate)) is not None:
                    return found
        return None

    def _roots(self, folders: list[str]) -> Iterator[list[str]]:
        """Folders from which `import package.module` may start: "src" of "src/package/a.py"."""
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


def cut(module: Module, name: str, rules: Rules = PINNED) -> Cut:
    """The program of a function. Unfit says why there is none."""
    node = module.bindings(name, whole=rules.whole)[-1]
    if isinstance(node, ast.AsyncFunctionDef):
        raise Unfit("a coroutine")
    if not isinstance(node, ast.FunctionDef):
        raise Unfit("a name that is bound in a branch or more than once")
    if node.decorator_list and not rules.whole:
        raise Unfit("decorated")
    if _is_generator(node):
        raise Unfit("a generator")
    try:
        return Cut(_needed(module, name, node, rules), node)
    except Unfit:
        plain = module.undecorated if rules.whole else None
        if plain is None:
            raise
        return Cut(_needed(plain, name, plain.bindings(name, whole=True)[-1], rules), node)


def cut_class(module: Module, node: ast.ClassDef, method: ast.FunctionDef, rules: Rules) -> Cut:
    """The program of a method: its class with the methods that it reaches. Unfit says why there is none."""
    if module.binding(node.name) is not node:
        raise Unfit("a name that is bound in a branch or more than once")
    if _is_generator(method):
        raise Unfit("a generator")
    try:
        return Cut(_class_needed(module, node, method.name, rules), method)
    except Unfit:
        plain = module.undecorated
        twin = plain.binding(node.name) if plain else None
        if plain is None or not isinstance(twin, ast.ClassDef):
            raise
        return Cut(_class_needed(plain, twin, method.name, rules), method)


def _class_needed(module: Module, node: ast.ClassDef, name: str, rules: Rules) -> str:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    wanted = {one.name for one in methods if one.name.startswith("__")} | {name}
    waiting: list[ast.AST] = [one for one in node.body if one not in methods or one.name in wanted]
    while waiting:
        names = _reads_of_class(waiting.pop())
        new = [one for one in methods if one.name in names - wanted]
        wanted |= {one.name for one in new}
        waiting += new
    left_out = [one for one in methods if one.name not in wanted]
    bound = copy(node)
    bound.body = [one for one in node.body if one not in left_out]
    alone = copy(module)
    alone.lines = _blanked(module.lines, left_out)
    alone.bound = module.bound | {node.name: [bound]}
    return _BLANK.sub("\n\n", _needed(alone, node.name, bound, rules))


def _reads_of_class(node: ast.AST) -> set[str]:
    """Names that may be methods: attributes anywhere, and names that the class body itself reads."""
    found = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    outside: list[ast.AST] = [node]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        outside = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    return found | {one.id for part in outside for one in ast.walk(part) if isinstance(one, ast.Name)}


def _blanked(lines: list[str], nodes: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> list[str]:
    """The lines, those of some methods empty: the others keep their numbers."""
    found = list(lines)
    for node in nodes:
        first, last = min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or 0
        found[first - 1 : last] = [""] * (last - first + 1)
    return found


def _needed(module: Module, name: str, node: ast.stmt, rules: Rules) -> str:
    """The text of a definition and of all that it needs of its module."""
    needs = _Needs(module, name, rules)
    while needs.wanted:
        needs.take(*needs.wanted.pop())
    return needs.assembled()


class _Needs:
    """What a definition needs, as it is found."""

    def __init__(self, module: Module, name: str, rules: Rules) -> None:
        self._path, self._rules, self._n_lines = module.path, rules, 0
        self.wanted = [(module, one) for one in module.bindings(name, whole=rules.whole)]
        self._pieces: dict[_Place, tuple[Module, ast.stmt]] = {}
        self._imports: dict[str, _Place] = {}
        self._needs: dict[str, list[str]] = {}
        self._meant: dict[str, object] = {}
        self._spaces: dict[str, _Space] = {}
        """Name of a module that is used as an object -> what is read of it."""

    def take(self, owner: Module, statement: ast.stmt) -> None:
        """Note a statement, and want what it needs."""
        place = (owner.path, statement.lineno)
        if place in self._pieces:
            return
        self._pieces[place] = owner, statement
        if len(self._pieces) > self._rules.pieces:
            raise Unfit("needs more of its module's names than a program may have")
        self._n_lines += _n_lines(statement)
        if self._n_lines > self._rules.lines:
            raise _too_long(self._rules)
        for part in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if part not in owner.checked:
                _check_imports(part, self._rules)
                owner.checked.add(part)
        for name in _bound_by(statement):
            self._mean(name, owner.path)
        for name in sorted(_free(statement, owner)):
            self._want(owner, name, owner, statement)

    def _want(self, owner: Module, name: str, where: Module, statement: ast.stmt) -> None:
        """A name that `owner` binds or imports, for a statement of the module `where`."""
        if name in self._rules.words:
            raise Unfit("reads files, identities or the interpreter")
        if name in _BUILTINS and name not in owner.bound:
            self._mean(name, "a builtin")
            return
        found, bound = owner.definition(name, whole=self._rules.whole)
        if isinstance(bound, Module):
            if not self._rules.whole:
                raise Unfit("uses a module of its package as an object")
            self._want_of(bound, name, where, statement)
            return
        if isinstance(bound[0], ast.Import | ast.ImportFrom):
            text = _import_of(bound[0], name, self._rules)
            self._mean(name, f"an import: {text}")
            self._imports.setdefault(text, (found.path, bound[0].lineno))
        elif isinstance(bound[0], (*_DEFINED, ast.Assign, ast.AnnAssign, *_BRANCHES)):
            self._mean(name, found.path)
            self.wanted += [(found, one) for one in bound]
        else:
            raise Unfit("a name that is bound in a branch or more than once")
        self._needs.setdefault(where.path, []).append(found.path)

    def _want_of(self, inner: Module, name: str, owner: Module, statement: ast.stmt) -> None:
        """What a statement reads of a module that it uses as an object."""
        read: set[str] = set()
        n_alone = 0
        for one in ast.walk(statement):
            n_alone += isinstance(one, ast.Name) and one.id == name
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == name:
                n_alone -= isinstance(one.ctx, ast.Load)
                read.add(one.attr)
        if n_alone:
            raise Unfit("uses a module of its package as an object")
        self._mean(name, f"a module: {inner.path}")
        space = self._spaces.setdefault(name, _Space(set(), []))
        space.users.append(owner.path)
        for attribute in sorted(read - space.names):
            space.names.add(attribute)
            if attribute not in inner.bound and inner._starred(attribute) is None:
                raise Unfit("uses a module of its package as an object")
            self._want(inner, attribute, owner, statement)

    def _mean(self, name: str, what: object) -> None:
        if self._meant.setdefault(name, what) != what:
            raise Unfit("a name that two of its modules use for different things")

    def assembled(self) -> str:
        """The text, each module behind those that it needs."""
        order = _in_order(self._path, self._needs)
        spaces: dict[str, list[str]] = {}
        for name, space in sorted(self._spaces.items()):
            parts = ", ".join(f"{one}={one}" for one in sorted(space.names))
            first = min(space.users, key=order.index)
            spaces.setdefault(first, []).append(f"{name} = SimpleNamespace({parts})")
        if spaces:
            self._mean("SimpleNamespace", "an import: from types import SimpleNamespace")
            self._imports["from types import SimpleNamespace"] = (order[0], 0)
        return _assembled(self._pieces, self._imports, order, spaces, self._rules)


class _Space(NamedTuple):
    """A module that is used as an object."""

    names: set[str]
    users: list[str]
    """Paths of the modules that use it."""


_Place = tuple[str, int]
"""Path of a module, line."""


def _in_order(path: str, needs: dict[str, list[str]]) -> list[str]:
    """Paths of modules, each behind those that it needs, as far as they do not need each other."""
    found: dict[str, None] = {}
    waiting = [(path, False)]
    entered: set[str] = set()
    while waiting:
        one, is_done = waiting.pop()
        if is_done:
            found[one] = None
        elif one not in entered:
            entered.add(one)
            waiting.append((one, True))
            waiting += [(other, False) for other in reversed(needs.get(one, []))]
    return list(found)


def _assembled(
    pieces: dict[_Place, tuple[Module, ast.stmt]],
    imports: dict[str, _Place],
    order: list[str],
    spaces: dict[str, list[str]],
    rules: Rules,
) -> str:
    def at(place: _Place) -> tuple[int, int]:
        return order.index(place[0]), place[1]

    statements = [pieces[place] for place in sorted(pieces, key=at)]
    head = sorted(imports, key=lambda text: (at(imports[text]), text))
    if any(_is_annotated(one) for _, one in statements):
        head.insert(0, "from __future__ import annotations")
    blocks = ["\n".join(head)] if head else []
    plain: list[str] = []
    for module, one in statements:
        plain += spaces.pop(module.path, [])
        if isinstance(one, _DEFINED):
            blocks += ["\n".join(plain)] if plain else []
            plain = []
            blocks.append("\n" + module.piece(one) if blocks else module.piece(one))
        else:
            plain.append(module.piece(one))
    plain += [text for texts in spaces.values() for text in texts]
    blocks += ["\n".join(plain)] if plain else []
    source = "\n\n".join(blocks).strip("\n") + "\n"
    if len(source) > rules.chars or source.count("\n") > rules.lines:
        raise _too_long(rules)
    return source


def _too_long(rules: Rules) -> Unfit:
    return Unfit(f"longer than {rules.lines} lines or {rules.chars:,} characters")


def _n_lines(node: ast.stmt) -> int:
    """At least so many lines does a statement have without its docstrings."""
    if isinstance(node, _DOCUMENTED):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        return 1 + sum(map(_n_lines, body))
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _bound_by(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement of the module's body binds; a star brings in what nobody can name here."""
    if isinstance(statement, (*_DEFINED, ast.AsyncFunctionDef)):
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
                yield from _bound_by(child)
            elif isinstance(child, ast.ExceptHandler):
                for inner in child.body:
                    yield from _bound_by(inner)
            else:
                for node in ast.walk(child):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        yield node.id


def _free(statement: ast.stmt, module: Module) -> frozenset[str]:
    """Names of the module that a piece needs, when it is made or when it runs; annotations need none."""
    if isinstance(statement, ast.ClassDef):  # method by method: most programs leave other methods out
        methods = [one for one in statement.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        shell = copy(statement)
        shell.body = [_head_of(one) if one in methods else one for one in statement.body]
        found = set(_free_of(shell))
        for one in methods:
            if one not in module.free:
                inner = copy(one)
                inner.name, inner.decorator_list, inner.args = "a_method", [], copy(one.args)
                inner.args.defaults, inner.args.kw_defaults = [], [None] * len(one.args.kwonlyargs)
                module.free[one] = _free_of(inner)
            found |= module.free[one] - {"__class__"}
        return frozenset(found - {statement.name})
    if statement not in module.free:
        module.free[statement] = _free_of(statement)
    return module.free[statement]


def _head_of(method: ast.stmt) -> ast.stmt:
    """What a class body itself runs of a method: decorators and defaults."""
    found = copy(method)
    found.body = [ast.Pass()]  # type: ignore[attr-defined]  # a function
    return found


def _free_of(statement: ast.stmt) -> frozenset[str]:
    top = symtable.symtable(_unannotated(statement), "piece", "exec")
    own = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_namespace()}
    found: set[str] = set()
    tables = [top]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        in_class = table.get_type() == "class"
        for symbol in table.get_symbols():
            if table is top:
                if symbol.is_referenced() and symbol.get_name() not in own:
                    found.add(symbol.get_name())
            elif symbol.is_global() or (in_class and symbol.is_referenced() and not symbol.is_assigned()):
                found.add(symbol.get_name())
    return frozenset(found - own)


def _unannotated(statement: ast.stmt) -> str:
    """Its text without annotations; the tree is as before when this returns."""
    held: list[tuple[ast.AST, str, ast.expr]] = []
    for one in ast.walk(statement):
        field = "returns" if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) else "annotation"
        if (value := getattr(one, field, None)) is not None:
            held.append((one, field, value))
            setattr(one, field, ast.Constant(0) if isinstance(one, ast.AnnAssign) else None)
    try:
        return ast.unparse(statement)
    finally:
        for one, field, value in held:
            setattr(one, field, value)


def _check_imports(statement: ast.stmt, rules: Rules) -> None:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for one in node.names:
                _allowed(one.name, 0, rules)
        elif isinstance(node, ast.ImportFrom):
            _allowed(node.module or "", node.level, rules)
        elif isinstance(node, ast.Attribute) and node.attr in rules.attributes:
            raise Unfit("reads files, identities or the interpreter")


def _import_of(statement: ast.Import | ast.ImportFrom, name: str, rules: Rules) -> str:
    """The import of this one name alone."""
    if isinstance(statement, ast.Import):
        (one,) = (one for one in statement.names if (one.asname or one.name.split(".")[0]) == name)
        _allowed(one.name, 0, rules)
        return f"import {one.name}" + (f" as {one.asname}" if one.asname else "")
    one = next(one for one in statement.names if (one.asname or one.name) == name)
    _allowed(statement.module or "", statement.level, rules)
    return f"from {statement.module} import {one.name}" + (f" as {one.asname}" if one.asname else "")


def _allowed(module: str, level: int, rules: Rules) -> None:
    if level:
        raise Unfit("needs another module of its package")
    if module not in rules.modules and module.partition(".")[0] not in rules.modules:
        raise Unfit("needs a module that acts on the machine, or a package")


def _is_generator(node: ast.FunctionDef) -> bool:
    """Whether a call of it gives a generator."""
    return any(isinstance(one, ast.Yield | ast.YieldFrom) for one in _own(node))


def _own(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """What stands in a function's body and not in a function inside it."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        one = waiting.pop()
        yield one
        if not isinstance(one, (*_DOCUMENTED, ast.Lambda)):
            waiting += ast.iter_child_nodes(one)


def _documented(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    for one in ast.walk(node):
        if isinstance(one, _DOCUMENTED) and ast.get_docstring(one, clean=False) is not None:
            yield one


def _is_same(one: object, other: object) -> bool:
    """Whether two trees are the same but for places and docstrings."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return all(
            _is_same(_bare_field(one, field), _bare_field(other, field))
            for field in one._fields
            if field != "kind"
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one == other or one != one  # NaN cannot be written as a constant, 1e999 - 1e999 can


def _bare_field(node: ast.AST, field: str) -> object:
    value = getattr(node, field, None)
    if field == "body" and isinstance(node, _DOCUMENTED) and isinstance(value, list):
        if ast.get_docstring(node, clean=False) is not None:
            value = value[1:]
        return [one for one in value if not isinstance(one, ast.Pass)]
    return value


def _is_annotated(node: ast.AST) -> bool:
    for one in ast.walk(node):
        annotations = (
            [one.annotation] if isinstance(one, ast.arg | ast.AnnAssign) else
            [one.returns] if isinstance(one, ast.FunctionDef) else []
        )  # fmt: skip
        if any(a is not None and not (isinstance(a, ast.Name) and a.id in _BUILTINS) for a in annotations):
            return True
    return False
