"""Cut one function out of a module's text, with the module-level names that it needs and nothing else.

    cut(Module(text), "dedent") -> Cut(source, node), or the reason why it does not stand alone

The pieces keep the module's own text and order; docstrings go (their examples show answers). Imports are
kept where they bring in modules of `ALLOWED`: their functions keep no state, touch nothing and are the same
on every run. Nothing of the module is executed. A name that comes from another module of the same package is
taken from there where `Modules` can read that. Not cut out: nested functions, coroutines, generators, modules
used as objects; under the rules of the pinned ones decorated functions.
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

from msgspec import Struct

from deskcheck.tracing.collect import PURE, WORDS

ALLOWED = (PURE - {"time", "random", "datetime", "__future__"}) | {"html.entities", "binascii", "stringprep"}
FORBIDDEN = (WORDS - {"getattr", "register", "compile"}) | {
    "id", "hash", "input", "print", "help", "exit", "quit", "breakpoint", "__import__",
    "__name__", "__file__", "__package__", "__doc__", "__builtins__",
}  # fmt: skip
MOST_CHARS, MOST_LINES, MOST_PIECES = 4_000, 100, 12
_MOST_HOPS, _MOST_MODULES = 8, 256
_BUILTINS = frozenset(dir(builtins))
_DEFINED = (ast.FunctionDef, ast.ClassDef)
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
    decorated: bool = False
    """Whether decorators come along as what else it needs does."""


PINNED = Rules()
"""Those of the functions in library_pins.json, whose text may never change."""
_MACHINE = frozenset(
    """_thread antigravity asyncio concurrent ctypes curses dbm faulthandler fcntl ftplib gc getpass http
    idlelib imaplib inspect lib2to3 mmap msvcrt multiprocessing nntplib ossaudiodev pdb poplib pty pwd
    readline resource sched secrets select selectors shelve signal smtplib socket socketserver spwd sqlite3
    ssl subprocess syslog telnetlib tempfile termios test this threading tkinter tracemalloc tty turtle
    turtledemo venv weakref webbrowser winreg winsound wsgiref xmlrpc zoneinfo""".split()
)
ANY_CODE = Rules(
    modules=frozenset(sys.stdlib_module_names) - _MACHINE,
    words=frozenset(
        """open exec eval input breakpoint exit quit help id hash __import__ globals locals settrace
        setprofile modules stdin f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code
        cr_frame ag_frame _getframe __file__ __builtins__""".split()
    ),
    chars=10_000,
    lines=250,
    pieces=30,
    decorated=True,
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
            for name in _bound_by(statement):
                found.setdefault(name, []).append(statement)
        return found

    def binding(self, name: str) -> ast.stmt:
        """The one statement that says what a name is. An accelerator that would replace it is left aside."""
        all_of_them = self.bound.get(name, [])
        plain = [one for one in all_of_them if not isinstance(one, ast.Try | ast.If | ast.With)]
        if not all_of_them:
            raise Unfit("a name that the module does not bind")
        if len(plain) != 1:
            raise Unfit("a name that is bound in a branch or more than once")
        return plain[0]

    def definition(self, name: str) -> tuple[Module, ast.stmt]:
        """Its module, or the one that it is imported from, and the statement there that says what it is."""
        module = self
        for _ in range(_MOST_HOPS):
            if (found := module._starred(name)) is not None:
                module = found
                continue
            statement = module.binding(name)
            if not isinstance(statement, ast.ImportFrom) or module.others is None:
                break
            other = module.others.imported(module.path, statement)
            if other is None or any(one.asname == name != one.name for one in statement.names):
                break
            if name not in other.bound and other._starred(name) is None:
                raise Unfit("uses a module of its package as an object")
            module = other
        return module, statement

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
        try:
            same = ast.dump(_without_docstrings(ast.parse(found))) == ast.dump(
                _without_docstrings(ast.parse(ast.unparse(node)))
            )
        except (SyntaxError, ValueError):
            same = False
        if not same:
            raise Unfit("its lines hold other statements, or text that layout changes")
        return found


class Modules:
    """Modules of one package, folder or archive, read when one of them imports from another."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        """`read`: path within the place -> text, None where it has no such file."""
        self._read = read
        self._known: dict[str, Module | None] = {}

    def imported(self, path: str, statement: ast.ImportFrom) -> Module | None:
        """The module that a `from .. import ..` in the module at `path` names; None where it is not here."""
        folders = path.split("/")[:-1]
        if statement.level > len(folders) + 1:
            return None
        inner = (statement.module or "").replace(".", "/")
        if not statement.level and inner.partition("/")[0] in sys.stdlib_module_names:
            return None
        bases = [folders[: len(folders) - statement.level + 1]] if statement.level else self._roots(folders)
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
                self._known[path] = None if text is None else Module(text, path, self)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._known[path] = None
        return self._known[path]


def cut(module: Module, name: str, rules: Rules = PINNED) -> Cut:
    """The program of a function. Unfit says why there is none."""
    node = module.binding(name)
    if isinstance(node, ast.AsyncFunctionDef):
        raise Unfit("a coroutine")
    if not isinstance(node, ast.FunctionDef):
        raise Unfit("a name that is bound in a branch or more than once")
    if node.decorator_list and not rules.decorated:
        raise Unfit("decorated")
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in _own(node)):
        raise Unfit("a generator")
    return Cut(_needed(module, name, node, rules), node)


def cut_class(module: Module, node: ast.ClassDef, method: ast.FunctionDef, rules: Rules) -> Cut:
    """The program of a method: its class with the methods that it reaches. Unfit says why there is none."""
    if module.binding(node.name) is not node:
        raise Unfit("a name that is bound in a branch or more than once")
    if any(isinstance(one, ast.Yield | ast.YieldFrom) for one in _own(method)):
        raise Unfit("a generator")
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    wanted = {one.name for one in methods if one.name.startswith("__")} | {method.name}
    waiting: list[ast.AST] = [one for one in node.body if one not in methods or one.name in wanted]
    while waiting:
        names = {one.attr for one in ast.walk(waiting.pop()) if isinstance(one, ast.Attribute)}
        new = [one for one in methods if one.name in names - wanted]
        wanted |= {one.name for one in new}
        waiting += new
    left_out = [one for one in methods if one.name not in wanted]
    bound = copy(node)
    bound.body = [one for one in node.body if one not in left_out]
    alone = copy(module)
    alone.lines = _blanked(module.lines, left_out)
    alone.bound = module.bound | {node.name: [bound]}
    return Cut(_BLANK.sub("\n\n", _needed(alone, node.name, bound, rules)), method)


def _blanked(lines: list[str], nodes: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> list[str]:
    """The lines, those of some methods empty: the others keep their numbers."""
    found = list(lines)
    for node in nodes:
        first, last = min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or 0
        found[first - 1 : last] = [""] * (last - first + 1)
    return found


def _needed(module: Module, name: str, node: ast.stmt, rules: Rules) -> str:
    """The text of a definition and of all that it needs of its module."""
    pieces: dict[_Place, tuple[Module, ast.stmt]] = {}
    imports: dict[str, _Place] = {}
    needs: dict[str, list[str]] = {}
    meant: dict[str, object] = {}
    wanted: list[tuple[Module, ast.stmt]] = [(module, module.binding(name))]
    while wanted:
        owner, statement = wanted.pop()
        place = (owner.path, statement.lineno)
        if place in pieces:
            continue
        pieces[place] = owner, statement
        if len(pieces) > rules.pieces:
            raise Unfit("needs more of its module's names than a program may have")
        _check_imports(statement, rules)
        uses: dict[str, object] = dict.fromkeys(_bound_by(statement), owner.path)
        for other in sorted(_free(statement)):
            if other in rules.words:
                raise Unfit("reads files, identities or the interpreter")
            if other in _BUILTINS and other not in owner.bound:
                uses[other] = "a builtin"
                continue
            found, bound = owner.definition(other)
            uses[other] = found.path
            if isinstance(bound, ast.Import | ast.ImportFrom):
                text = _import_of(bound, other, rules)
                uses[other] = f"an import: {text}"
                imports.setdefault(text, (found.path, bound.lineno))
            elif isinstance(bound, (*_DEFINED, ast.Assign, ast.AnnAssign)):
                wanted.append((found, bound))
            else:
                raise Unfit("a name that is bound in a branch or more than once")
            needs.setdefault(owner.path, []).append(found.path)
        if any(meant.setdefault(one, what) != what for one, what in uses.items()):
            raise Unfit("a name that two of its modules use for different things")
    return _assembled(pieces, imports, _in_order(module.path, needs), rules)


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
    pieces: dict[_Place, tuple[Module, ast.stmt]], imports: dict[str, _Place], order: list[str], rules: Rules
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
        if isinstance(one, _DEFINED):
            blocks += ["\n".join(plain)] if plain else []
            plain = []
            blocks.append("\n" + module.piece(one) if blocks else module.piece(one))
        else:
            plain.append(module.piece(one))
    blocks += ["\n".join(plain)] if plain else []
    source = "\n\n".join(blocks).strip("\n") + "\n"
    if len(source) > rules.chars or source.count("\n") > rules.lines:
        raise Unfit(f"longer than {rules.lines} lines or {rules.chars:,} characters")
    return source


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


def _free(statement: ast.stmt) -> set[str]:
    """Names of the module that a piece needs, when it is made or when it runs; annotations need none."""
    text = ast.unparse(_Bare().visit(ast.parse(ast.unparse(statement))))
    top = symtable.symtable(text, "piece", "exec")
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
    return found - own


class _Bare(ast.NodeTransformer):
    """Takes annotations off."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(0)
        self.generic_visit(node)
        return node


def _check_imports(statement: ast.stmt, rules: Rules) -> None:
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for one in node.names:
                _allowed(one.name, 0, rules)
        elif isinstance(node, ast.ImportFrom):
            _allowed(node.module or "", node.level, rules)
        elif isinstance(node, ast.Attribute) and node.attr in rules.words - {"help", "id", "exit", "open"}:
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


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for one in _documented(tree):
        one.body[:1] = [] if len(one.body) > 1 else [ast.Pass()]
    return tree


def _is_annotated(node: ast.AST) -> bool:
    for one in ast.walk(node):
        annotations = (
            [one.annotation] if isinstance(one, ast.arg | ast.AnnAssign) else
            [one.returns] if isinstance(one, ast.FunctionDef) else []
        )  # fmt: skip
        if any(a is not None and not (isinstance(a, ast.Name) and a.id in _BUILTINS) for a in annotations):
            return True
    return False
