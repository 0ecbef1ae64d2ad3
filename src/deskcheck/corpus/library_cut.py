"""Cut one function out of a module's text, together with the module-level names that it needs.

    cut(Module(text), "dedent") -> Cut(source, node); Unfit with the reason if no program can be made

The program consists of statements of the module, with their text and in their order. Docstrings are removed,
because their examples show answers. Imports are kept if the rules allow them (`library_rules.py`: PINNED or
ANY_CODE). If the function uses another module as an object, a `SimpleNamespace` of the used names replaces
that module. Under ANY_CODE, decorators of the package are removed if the function cannot be cut out with
them. Nested functions, coroutines and decorated generators are not cut out; nor are generators and decorated
functions under PINNED. `cut_class` cuts out a method with the parts of its class that it reaches.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

from msgspec import Struct

from deskcheck.corpus.library_module import (
    BRANCHES,
    BUILTINS,
    DEFINED,
    DOCUMENTED,
    Module,
    Names,
    Unfit,
    Uses,
    bound_by,
)
from deskcheck.corpus.library_rules import PINNED, Rules, check_imports, imports_of, too_long

_BLANK = re.compile(r"\n\n(?:[ \t]*\n)+(?=[ \t])")


class Cut(Struct, frozen=True):
    """A function that has been cut out, as a program."""

    source: str
    node: ast.FunctionDef
    """The function in the tree of its module, with its docstring."""


def cut(module: Module, name: str, rules: Rules = PINNED) -> Cut:
    """Make the program of a function. Unfit gives the reason if that is impossible."""
    node = module.bindings(name, whole=rules.whole)[-1]
    if isinstance(node, ast.AsyncFunctionDef):
        raise Unfit("a coroutine")
    if not isinstance(node, ast.FunctionDef):
        raise Unfit("a name that is bound in a branch or more than once")
    if node.decorator_list and not rules.whole:
        raise Unfit("decorated")
    if is_generator(node) and (node.decorator_list or not rules.whole):
        raise Unfit("a generator")
    try:
        return Cut(_needed(module, name, node, rules), node)
    except Unfit:
        plain = module.undecorated if rules.whole else None
        if plain is None:
            raise
        return Cut(_needed(plain, name, plain.bindings(name, whole=True)[-1], rules), node)


def cut_class(module: Module, node: ast.ClassDef, method: ast.FunctionDef, rules: Rules) -> Cut:
    """Make the program of a method: its class with the methods that it reaches. Unfit if impossible."""
    if module.binding(node.name) is not node:
        raise Unfit("a name that is bound in a branch or more than once")
    if is_generator(method) and method.decorator_list:
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
    methods = [needed for needed in node.body if isinstance(needed, ast.FunctionDef | ast.AsyncFunctionDef)]
    wanted = {needed.name for needed in methods if needed.name.startswith("__")} | {name}
    waiting: list[ast.stmt] = [
        needed
        for needed in node.body
        if not isinstance(needed, ast.FunctionDef | ast.AsyncFunctionDef) or needed.name in wanted
    ]
    while waiting:
        needed = waiting.pop()
        if needed not in module.members:
            module.members[needed] = _reads_of_class(needed)
        names = module.members[needed]
        new = [needed for needed in methods if needed.name in names and needed.name not in wanted]
        wanted |= {needed.name for needed in new}
        waiting += new
    left_out = [needed for needed in methods if needed.name not in wanted]
    bound = copy(node)
    bound.body = [needed for needed in node.body if needed not in left_out]
    alone = copy(module)
    alone.lines = _blanked(module.lines, left_out)
    alone.bound = module.bound | {node.name: [bound]}
    return _BLANK.sub("\n\n", _needed(alone, node.name, bound, rules))


def _reads_of_class(node: ast.stmt) -> set[str]:
    """Return names that may be methods: all attributes, and names that the class body reads directly."""
    found = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    outside: list[ast.AST] = [node]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        outside = [*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)]
    return found | {one.id for part in outside for one in ast.walk(part) if isinstance(one, ast.Name)}


def _blanked(lines: list[str], nodes: list[ast.FunctionDef | ast.AsyncFunctionDef]) -> list[str]:
    """Return the lines with those of some methods emptied, so that the others keep their numbers."""
    found = list(lines)
    for node in nodes:
        first, last = min([node.lineno, *(d.lineno for d in node.decorator_list)]), node.end_lineno or 0
        found[first - 1 : last] = [""] * (last - first + 1)
    return found


def _needed(module: Module, name: str, node: ast.stmt, rules: Rules) -> str:
    """Write the text of a definition and of everything that it needs from its module."""
    needs = _Needs(module, name, rules)
    while needs.wanted:
        needs.take(*needs.wanted.pop())
    return needs.assembled()


class _Needs:
    """Statements and imports that a definition needs, collected step by step."""

    def __init__(self, module: Module, name: str, rules: Rules) -> None:
        self._path, self._rules, self._n_lines = module.path, rules, 0
        self.wanted = [(module, one) for one in module.bindings(name, whole=rules.whole)]
        self._pieces: dict[_Place, tuple[Module, ast.stmt]] = {}
        self._imports: dict[str, _Place] = {}
        self._needs: dict[str, list[str]] = {}
        """Path of a module -> paths of the modules that its statements need."""
        self._meant: dict[str, object] = {}
        """Name -> what it stands for in the program; it may stand for one thing only."""
        self._spaces: dict[str, _Space] = {}
        """Name of a module that is used as an object -> what is read from it, and by which modules."""

    def take(self, owner: Module, statement: ast.stmt) -> None:
        """Add a statement, and queue the definitions that it needs."""
        place = (owner.path, statement.lineno)
        if place in self._pieces:
            return
        self._pieces[place] = owner, statement
        if len(self._pieces) > self._rules.pieces:
            raise Unfit("needs more of its module's names than a program may have")
        self._n_lines += _n_lines(statement)
        if self._n_lines > self._rules.lines:
            raise too_long(self._rules)
        for part in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if part not in owner.checked:
                check_imports(part, self._rules)
                owner.checked.add(part)
        for name in bound_by(statement):
            self._mean(name, owner.path)
        for name in sorted(_free(statement, owner)):
            self._want(owner, name, owner, statement)

    def _want(self, owner: Module, name: str, where: Module, statement: ast.stmt) -> None:
        """Queue the definition of a name of `owner`, for a statement of the module `where`."""
        if name in self._rules.words:
            raise Unfit("reads files, identities or the interpreter")
        if name in BUILTINS and name not in owner.bound:
            self._mean(name, "a builtin")
            return
        found, bound = owner.definition(name, whole=self._rules.whole)
        if isinstance(bound, Module):
            if not self._rules.whole:
                raise Unfit("uses a module of its package as an object")
            self._want_of(bound, name, where, statement)
            return
        if isinstance(bound[0], ast.Import | ast.ImportFrom):
            for bound_statement in bound:
                assert isinstance(bound_statement, ast.Import | ast.ImportFrom), "bindings are of one kind"
                for text in imports_of(bound_statement, name, self._rules):
                    # `import a.b` binds the package `a`, as `import a.c` does.
                    is_plain = text.startswith("import ") and " as " not in text
                    self._mean(name, f"an import: {f'import {name}' if is_plain else text}")
                    self._imports.setdefault(text, (found.path, bound_statement.lineno))
        elif isinstance(bound[0], (*DEFINED, ast.Assign, ast.AnnAssign, *BRANCHES)):
            self._mean(name, found.path)
            self.wanted += [(found, bound_statement) for bound_statement in bound]
        else:
            raise Unfit("a name that is bound in a branch or more than once")
        self._needs.setdefault(where.path, []).append(found.path)

    def _want_of(self, inner: Module, name: str, owner: Module, statement: ast.stmt) -> None:
        """Queue the names that a statement of `owner` reads from a module that it uses as an object."""
        found = [_uses(part, owner).get(name, Uses()) for part in _parts(statement)]
        if sum(one.n_alone for one in found):
            raise Unfit("uses a module of its package as an object")
        read = {attribute for one in found for attribute in one.attributes}
        self._mean(name, f"a module: {inner.path}")
        space = self._spaces.setdefault(name, _Space(set(), []))
        space.users.append(owner.path)
        for attribute in sorted(read - space.names):
            space.names.add(attribute)
            if attribute not in inner.bound and inner.starred(attribute) is None:
                raise Unfit("uses a module of its package as an object")
            self._want(inner, attribute, owner, statement)

    def _mean(self, name: str, what: object) -> None:
        if self._meant.setdefault(name, what) != what:
            raise Unfit("a name that two of its modules use for different things")

    def assembled(self) -> str:
        """Write the program, with the text of each module after those that it needs."""
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
    """A module that is used as an object, with the names that are read from it."""

    names: set[str]
    users: list[str]
    """Paths of the modules that use it."""


_Place = tuple[str, int]
"""(path of a module, line number)."""


def _in_order(path: str, needs: dict[str, list[str]]) -> list[str]:
    """Sort paths of modules so that each follows those that it needs; cycles are cut at some place."""
    order: dict[str, None] = {}
    waiting = [(path, False)]
    entered: set[str] = set()
    while waiting:
        name, is_done = waiting.pop()
        if is_done:
            order[name] = None
        elif name not in entered:
            entered.add(name)
            waiting.append((name, True))
            waiting += [(other, False) for other in reversed(needs.get(name, []))]
    return list(order)


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
    if any(_is_annotated(statement) for _, statement in statements):
        head.insert(0, "from __future__ import annotations")
    blocks = ["\n".join(head)] if head else []
    plain: list[str] = []
    for module, statement in statements:
        plain += spaces.pop(module.path, [])
        if isinstance(statement, DEFINED):
            blocks += ["\n".join(plain)] if plain else []
            plain = []
            blocks.append("\n" + module.piece(statement) if blocks else module.piece(statement))
        else:
            plain.append(module.piece(statement))
    plain += [text for texts in spaces.values() for text in texts]
    blocks += ["\n".join(plain)] if plain else []
    source = "\n\n".join(blocks).strip("\n") + "\n"
    if len(source) > rules.chars or source.count("\n") > rules.lines:
        raise too_long(rules)
    return source


def _n_lines(node: ast.stmt) -> int:
    """Return a lower bound on the number of lines of a statement without its docstrings."""
    if isinstance(node, DOCUMENTED):
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        return 1 + sum(map(_n_lines, body))
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _parts(statement: ast.stmt) -> list[ast.AST]:
    """Return a statement, or the parts of a class, which its copies with fewer methods share."""
    if isinstance(statement, ast.ClassDef):
        return [*statement.decorator_list, *statement.bases, *statement.keywords, *statement.body]
    return [statement]


def _uses(part: ast.AST, module: Module) -> dict[str, Uses]:
    """Return name -> its uses in a part of a statement."""
    if part not in module.uses:
        by_name: dict[str, Uses] = {}
        for node in ast.walk(part):
            if isinstance(node, ast.Name):
                by_name.setdefault(node.id, Uses()).n_alone += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                uses = by_name.setdefault(node.value.id, Uses())
                uses.n_alone -= isinstance(node.ctx, ast.Load)
                uses.attributes.add(node.attr)
        module.uses[part] = by_name
    return module.uses[part]


def _free(statement: ast.stmt, module: Module) -> frozenset[str]:
    """Return the names of the module that a statement needs, in its definition or its runs.

    Names in annotations do not count.
    """

    def names_in(piece: ast.stmt, key: ast.stmt) -> Names:
        if key not in module.free:
            module.free[key] = _names(piece)
        return module.free[key]

    if not isinstance(statement, ast.ClassDef):
        return names_in(statement, statement).all
    # Part by part, because most programs omit other methods.
    shell = copy(statement)
    shell.body = [ast.Pass()]
    names_used = set(_names(shell).all)
    read: set[str] = set()
    bound: set[str] = set()
    for inner_statement in statement.body:
        head: ast.stmt = inner_statement
        if isinstance(inner_statement, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = copy(inner_statement)
            inner.name, inner.decorator_list, inner.args = "a_method", [], copy(inner_statement.args)
            inner.args.defaults, inner.args.kw_defaults = [], [None] * len(inner_statement.args.kwonlyargs)
            names_used |= names_in(inner, inner_statement).all - {"__class__"}
            head = _head_of(inner_statement)
        names = module.heads.get(inner_statement)
        if names is None:
            names = module.heads[inner_statement] = _names(_alone_in_class(head, statement.name))
        names_used |= names.free
        read |= names.of_class
        bound |= names.bound
    return frozenset((names_used | (read - bound)) - {statement.name})


def _head_of(method: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """Return the parts of a method that the class body runs: decorators and defaults."""
    found = copy(method)
    found.body = [ast.Pass()]
    return found


def _alone_in_class(statement: ast.stmt, name: str) -> ast.stmt:
    return ast.ClassDef(name, [], [], [statement], [])


def _names(statement: ast.stmt) -> Names:
    top = symtable.symtable(_unannotated(statement), "piece", "exec")
    own = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_namespace()}
    free: set[str] = set()
    of_class: set[str] = set()
    bound: set[str] = set()
    tables = [(top, 0)]
    while tables:
        table, depth = tables.pop()
        tables += [(one, depth + 1) for one in table.get_children()]
        in_class = table.get_type() == "class"
        for symbol in table.get_symbols():
            name = symbol.get_name()
            if table is top:
                if symbol.is_referenced() and name not in own:
                    free.add(name)
            elif in_class and depth == 1:
                if symbol.is_declared_global():
                    free.add(name)
                elif symbol.is_assigned():
                    bound.add(name)
                elif symbol.is_referenced():
                    of_class.add(name)
            elif symbol.is_global() or (in_class and symbol.is_referenced() and not symbol.is_assigned()):
                free.add(name)
    return Names(frozenset(free - own), frozenset(of_class), frozenset(bound))


def _unannotated(statement: ast.stmt) -> str:
    """Return the text of a statement without annotations; the tree is restored afterwards."""
    held: list[tuple[ast.AST, str, ast.expr]] = []
    for node in ast.walk(statement):
        field = "returns" if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else "annotation"
        if (value := getattr(node, field, None)) is not None:
            held.append((node, field, value))
            setattr(node, field, ast.Constant(0) if isinstance(node, ast.AnnAssign) else None)
    try:
        return ast.unparse(statement)
    finally:
        for node, field, value in held:
            setattr(node, field, value)


def is_generator(node: ast.FunctionDef) -> bool:
    """Whether a call of the function returns a generator."""
    return any(isinstance(one, ast.Yield | ast.YieldFrom) for one in _own_nodes(node))


def _own_nodes(node: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, except those of inner functions and classes."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, (*DOCUMENTED, ast.Lambda)):
            waiting += ast.iter_child_nodes(inner)


def _is_annotated(node: ast.AST) -> bool:
    for inner in ast.walk(node):
        annotations = (
            [inner.annotation] if isinstance(inner, ast.arg | ast.AnnAssign) else
            [inner.returns] if isinstance(inner, ast.FunctionDef) else []
        )  # fmt: skip
        if any(a is not None and not (isinstance(a, ast.Name) and a.id in BUILTINS) for a in annotations):
            return True
    return False
