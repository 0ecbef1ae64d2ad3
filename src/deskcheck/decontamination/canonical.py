"""Turn Python code into a canonical tree, equal for copies that are renamed, annotated or rewritten slightly.

    statements(body, scope) -> (("Return", ("Add", (NAME, "x"), "=int")), ..)
    normal_form(source) -> "9f86d081884c7d65"     equal for copies with equal canonical trees
    features_of(trees) -> frozenset of 32-bit integers, the same in every process

Nodes are tuples that begin with their kind; leaves are texts; a name is (NAME, text). Differences in writing
are removed as follows:
- Annotations, docstrings, decorators, imports, `pass` and bare constants are left out. So is an assignment
  of a constant to a name that is never read.
- `x += y` becomes `x = x + y`. Constants become their types. f-strings, `%` and `.format` have one kind.
- If a branch of an `if` leaves the block, the other branch is placed after the `if`.
- A method loses `self`, and `self.helper(x)` becomes `helper(x)`.

A feature is a hash of an expression, of a statement (of a compound statement, its head) or of two consecutive
statements. In features all names are equal and a test equals its negation. The operands of + * | & ^ and of a
comparison with two operands other than `in` have no order.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

NAME = "\0"
"""Kind of the node of a name."""
# The builtins of Python 3.11 to 3.13. A name in only one of them would give different forms.
_KEPT = frozenset(dir(builtins)) | {"PythonFinalizationError", "_IncompleteInputError"}
# Fields of nodes that do not count.
_SKIPPED = frozenset({"ctx", "type_comment", "type_params", "type_ignores", "kind", "simple", "is_async"})
_FIELDS: dict[str, tuple[str, ...]] = {}  # kind of node -> fields that count; filled on demand
_NEGATED = {
    "Eq": "NotEq", "NotEq": "Eq", "Is": "IsNot", "IsNot": "Is", "In": "NotIn", "NotIn": "In",
}  # fmt: skip
_TURNED = ("NotEq", "IsNot", "NotIn", "LtE")
"""Comparisons that are negated, with their branches exchanged, if an `if` has two branches."""
_LEAVES = ("Return", "Raise", "Continue", "Break")
"""Statements that leave their block; the leaves of trees are something else."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Tree = Any
"""A text, or a tuple of a kind and trees; mypy has no recursive tuple types of variable length."""


class Match(NamedTuple):
    """The program of a benchmark that a checked program is too similar to."""

    benchmark: str
    id: str
    """Id of the benchmark's program: "sample_12"."""
    similarity: float
    """Share of the benchmark program's features that `unit` has, by weight; 1 if the forms are equal."""
    same: bool
    """Whether the forms are equal: names, constants and equivalent ways of writing do not count."""
    unit: str
    """Function or method of the checked program; "<module>" = the statements outside of functions."""
    line: int


class Scope(NamedTuple):
    """Names that a piece of code defines and reads."""

    names: frozenset[str]
    """Names that the code binds. They are plain names even if a builtin has the same name."""
    read: frozenset[str]
    attributes: frozenset[str]
    """Attributes that the code sets or defines."""
    methods: frozenset[str]
    """Methods of the class around the code."""
    owner: str
    """Name of a method's object, such as "self"; "" outside of a method."""


def scope_of(nodes: Iterable[ast.AST], *, methods: frozenset[str] = frozenset(), owner: str = "") -> Scope:
    """Collect the scope of these nodes together."""
    names: set[str] = set()
    read: set[str] = set()
    attributes: set[str] = set()
    for root in nodes:
        for node in ast.walk(root):
            kind = type(node)
            if kind is ast.Name:
                (read if type(node.ctx) is ast.Load else names).add(node.id)  # type: ignore[attr-defined]
            elif kind is ast.arg:
                names.add(node.arg)  # type: ignore[attr-defined]
            elif kind is ast.Attribute and type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                attributes.add(node.attr)  # type: ignore[attr-defined]
            elif isinstance(node, FUNCTIONS):
                names.add(node.name)
            elif isinstance(node, ast.ClassDef):
                names.add(node.name)
                attributes |= _of_class(node)
    own = frozenset(name for name in attributes if not _is_special(name))
    return Scope(frozenset(names), frozenset(read), own, methods, owner)


def methods_of(node: ast.ClassDef) -> frozenset[str]:
    """Return the names of the functions in the body of a class."""
    return frozenset(one.name for one in node.body if isinstance(one, FUNCTIONS))


def owner_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the name of a method's object, such as "self"; "" for a static method."""
    if any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in node.decorator_list):
        return ""
    first = [*node.args.posonlyargs, *node.args.args][:1]
    return first[0].arg if first else ""


def _of_class(node: ast.ClassDef) -> set[str]:
    names = set(methods_of(node))
    for member in node.body:
        if isinstance(member, ast.Assign | ast.AnnAssign):
            targets = member.targets if isinstance(member, ast.Assign) else [member.target]
            names.update(target.id for target in targets if isinstance(target, ast.Name))
    return names


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def function(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Tree:
    """Write a function with its parameters and its body in canonical form."""
    return ("def", (NAME, node.name), _parameters(node.args, scope), *statements(node.body, scope))


def statements(body: list[ast.stmt], scope: Scope) -> tuple[Tree, ...]:
    """Write a block in canonical form, without statements that do nothing."""
    return joined([tree for node in body for tree in _statement(node, scope)])


def joined(block: Sequence[Tree]) -> tuple[Tree, ...]:
    """Join the statements of a block: the form of branches and returned names depends on what comes next."""
    trees: list[Tree] = []
    for tree in reversed(block):
        if tree[0] == "Assign" and trees and trees[0] == ("Return", tree[2]):
            trees[0] = ("Return", tree[1])
        elif tree[0] == "If":
            trees = _branch(tree, trees)
        else:
            trees.insert(0, tree)
    return tuple(trees)


def _leaves(block: Sequence[Tree]) -> bool:
    return bool(block) and block[-1][0] in _LEAVES


def _branch(node: Tree, after: list[Tree]) -> list[Tree]:
    """Write an `if` and the statements after it.

    An `else` remains only if neither branch leaves the block. Then the test is not a negation.
    """
    test, body = node[1], list(node[2][1:])
    other = list(node[3][1:]) if len(node) > 3 else []
    if not other and _leaves(body) and _leaves(after):
        other, after = after, []
    if other and (test[0] == "Not" or (test[0] == "Compare" and len(test) == 4 and test[2] in _TURNED)):
        test, body, other = negation(test), other, body
    if other and _leaves(body):
        return [("If", test, ("body", *body)), *other, *after]
    if other and _leaves(other):
        return [("If", negation(test), ("body", *other)), *body, *after]
    return [("If", test, ("body", *body), *([("else", *other)] if other else [])), *after]


def _statement(node: Any, scope: Scope) -> tuple[Tree, ...]:
    kind = type(node).__name__
    if kind in ("Import", "ImportFrom", "Pass", "Global", "Nonlocal"):
        return ()
    if kind == "Expr":
        value = expression(node.value, scope)
        return () if type(value) is str else (("Expr", value),)
    if kind in ("Assign", "AugAssign", "AnnAssign"):
        return _assigned(node, kind, scope)
    if kind == "Return":
        value = "=NoneType" if node.value is None else expression(node.value, scope)
        return (("Return", value),)
    if kind == "If":
        return _branches(node, scope)
    if kind in ("Try", "TryStar"):
        return _tried(node, kind, scope)
    if kind in ("FunctionDef", "AsyncFunctionDef"):
        return (function(node, scope),)
    if kind == "ClassDef":
        return (_class(node, scope),)
    if kind in ("For", "AsyncFor"):
        head = ("For", expression(node.target, scope), expression(node.iter, scope))
        return ((*head, ("body", *statements(node.body, scope)), *_else(node.orelse, scope)),)
    if kind == "While":
        body = ("body", *statements(node.body, scope))
        return (("While", expression(node.test, scope), body, *_else(node.orelse, scope)),)
    return (_any(node, kind, scope),)


def _else(body: list[ast.stmt], scope: Scope) -> tuple[Tree, ...]:
    return (("else", *statements(body, scope)),) if body else ()


def _assigned(node: Any, kind: str, scope: Scope) -> tuple[Tree, ...]:
    if node.value is None:
        return ()
    value = expression(node.value, scope)
    if kind == "AugAssign":
        target = expression(node.target, scope)
        return (("Assign", (type(node.op).__name__, target, value), target),)
    targets = node.targets if kind == "Assign" else [node.target]
    if type(value) is str and all(type(one) is ast.Name and one.id not in scope.read for one in targets):
        return ()
    return (("Assign", value, *(expression(one, scope) for one in targets)),)


def _branches(node: ast.If, scope: Scope) -> tuple[Tree, ...]:
    body, other = statements(node.body, scope), statements(node.orelse, scope)
    return (("If", expression(node.test, scope), ("body", *body), *((("else", *other),) if other else ())),)


def _tried(node: Any, kind: str, scope: Scope) -> tuple[Tree, ...]:
    """Write a `try`; only its body if every handler does nothing or raises the exception again.

    A `try` with an `else` or a `finally` stays whole.
    """
    handled = [one for handler in node.handlers for one in statements(handler.body, scope)]
    if node.finalbody or node.orelse or any(one != ("Raise",) for one in handled):
        return (_any(node, kind, scope),)
    return statements(node.body, scope)


def _class(node: ast.ClassDef, scope: Scope) -> Tree:
    methods = methods_of(node)
    body: list[Tree] = []
    for member in node.body:
        inner = scope
        if isinstance(member, FUNCTIONS):
            inner = scope._replace(methods=methods, owner=owner_of(member))
        body += _statement(member, inner)
    return ("class", (NAME, node.name), ("bases", *(expression(base, scope) for base in node.bases)), *body)


def _parameters(node: ast.arguments, scope: Scope) -> Tree:
    plain = [*node.posonlyargs, *node.args]
    if plain and scope.owner and plain[0].arg == scope.owner:
        plain = plain[1:]
    found: list[Tree] = [(NAME, one.arg) for one in plain]
    found += [("default", expression(one, scope)) for one in node.defaults]
    found += [("*", (NAME, node.vararg.arg))] if node.vararg else []
    for one, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
        found.append(("key", (NAME, one.arg), *([expression(default, scope)] if default else [])))
    found += [("**", (NAME, node.kwarg.arg))] if node.kwarg else []
    return ("parameters", *found)


def expression(node: Any, scope: Scope) -> Tree:
    """Write one expression in canonical form."""
    kind = type(node).__name__
    if kind == "Name":
        name = node.id
        return name if name not in scope.names and (name in _KEPT or _is_special(name)) else (NAME, name)
    if kind == "Constant":
        return f"={type(node.value).__name__}"
    if kind == "Attribute":
        return _attribute(node, scope)
    if kind == "BinOp":
        if type(node.op) is ast.Mod and (type(node.left) is ast.JoinedStr or _is_text(node.left)):
            right = node.right.elts if type(node.right) is ast.Tuple else [node.right]
            return ("format", *(expression(one, scope) for one in right))
        return (type(node.op).__name__, expression(node.left, scope), expression(node.right, scope))
    if kind == "UnaryOp":
        return _unary(node, scope)
    if kind == "Compare":
        return _compared(node, scope)
    if kind == "Call":
        return _call(node, scope)
    if kind == "JoinedStr":
        return ("format", *(expression(one, scope) for one in node.values if type(one) is not ast.Constant))
    if kind == "FormattedValue":
        value = expression(node.value, scope)
        return value if node.conversion in (-1, 115) else ("conversion", chr(node.conversion), value)
    if kind == "Lambda":
        return ("Lambda", _parameters(node.args, scope), expression(node.body, scope))
    return _any(node, kind, scope)


def _compared(node: ast.Compare, scope: Scope) -> Tree:
    """Write a comparison; with two operands, > and >= become < and <=."""
    found = [expression(node.left, scope)]
    for op, right in zip(node.ops, node.comparators, strict=True):
        found += [type(op).__name__, expression(right, scope)]
    if len(found) == 3 and found[1] in ("Gt", "GtE"):
        return ("Compare", found[2], "Lt" if found[1] == "Gt" else "LtE", found[0])
    return ("Compare", *found)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _attribute(node: ast.Attribute, scope: Scope) -> Tree:
    if type(node.value) is ast.Name and node.value.id == scope.owner and node.attr in scope.methods:
        return (NAME, node.attr)
    value = expression(node.value, scope)
    own = node.attr in scope.attributes
    return ("Attribute", value, (NAME, f".{node.attr}") if own else f".{node.attr}")


def _unary(node: ast.UnaryOp, scope: Scope) -> Tree:
    value = expression(node.operand, scope)
    kind = type(node.op).__name__
    if kind == "Not":
        return negation(value)
    if kind in ("USub", "UAdd") and isinstance(node.operand, ast.Constant):
        return value
    return (kind, value)


def negation(value: Tree) -> Tree:
    """Write the negation of a test in canonical form."""
    if value[0] == "Not":
        return value[1]
    if value[0] == "Compare" and len(value) == 4:
        left, op, right = value[1:]
        if op in ("Lt", "LtE"):
            return ("Compare", right, "LtE" if op == "Lt" else "Lt", left)
        return ("Compare", left, _NEGATED[op], right)
    return ("Not", value)


def _call(node: ast.Call, scope: Scope) -> Tree:
    arguments = [expression(keyword, scope) for keyword in node.args]
    function = node.func
    if type(function) is ast.Attribute and function.attr == "format" and _is_text(function.value):
        return ("format", *arguments, *(expression(keyword.value, scope) for keyword in node.keywords))
    for keyword in node.keywords:
        value = expression(keyword.value, scope)
        name = keyword.arg or "**"
        arguments.append(("key", (NAME, name) if name in scope.names else name, value))
    return ("Call", expression(function, scope), *arguments)


def _any(node: Any, kind: str, scope: Scope) -> Tree:
    """Write a node without a rule of its own, field by field."""
    fields = _FIELDS.get(kind)
    if fields is None:
        fields = _FIELDS[kind] = tuple(field for field in node._fields if field not in _SKIPPED)
    trees: list[Tree] = [kind]
    for field in fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            if value and isinstance(value[0], ast.stmt):
                trees.append((field, *statements(value, scope)))
            elif value:
                trees.append((field, *(_leaf(one, scope) for one in value)))
        elif value is not None:
            trees.append(_leaf(value, scope))
    return tuple(trees)


def _leaf(value: Any, scope: Scope) -> Tree:
    if isinstance(value, ast.expr):
        return expression(value, scope)
    if isinstance(value, ast.AST):
        return _any(value, type(value).__name__, scope)
    return (NAME, value) if isinstance(value, str) else repr(value)


# ------------------------------------------------------------------ forms and features

BITS = 0xFFFF_FFFF  # a feature is the lower 32 bits of a hash
_HASHES: dict[str, int] = {}  # hashes of texts (`_word`)
# Operators whose operands have no order in features.
_COMMUTE = frozenset({"Add", "Mult", "BitOr", "BitAnd", "BitXor"})
_SAME = 1  # hash of every name
_POLE = {"Eq": "Eq", "NotEq": "Eq", "Is": "Is", "IsNot": "Is", "Lt": "Lt", "LtE": "Lt"}
"""Comparison -> kind in features, equal for a test and its negation."""


def features_of(trees: tuple[Tree, ...]) -> frozenset[int]:
    """Hash all statements, expressions and pairs of consecutive statements."""
    reader = _Features()
    for tree in trees:
        reader.statement(tree)
    heads = reader.heads
    # The 7 is an arbitrary mark: a pair never has the form of another feature.
    pairs = (hash((7, a, b)) & BITS for a, b in pairwise(heads))
    return frozenset(reader.hashes).union(pairs)


def _word(text: str) -> int:
    found = _HASHES.get(text)
    if found is None:
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest()
        found = int.from_bytes(digest, "big")
        if len(_HASHES) < 100_000:
            _HASHES[text] = found
    return found


# Kinds of nodes that hold statements, and kinds that are statements or parts of one with a body.
_BLOCKS = frozenset({"body", "else", "handlers", "finalbody", "orelse", "cases"})
_STATEMENTS = frozenset({
    "Expr", "Assign", "Return", "If", "For", "While", "def", "class", "Try", "TryStar", "With", "AsyncWith",
    "Raise", "Assert", "Delete", "Match", "match_case", "ExceptHandler", "Continue", "Break", "TypeAlias",
})  # fmt: skip


class _Features:
    """Features of trees, hashed from the leaves up. Hashes of integer tuples are equal in every process."""

    def __init__(self) -> None:
        self.hashes: set[int] = set()
        self.heads: list[int] = []
        """One hash for each statement, in the order of the text; for a compound statement, of its head."""

    def statement(self, tree: Tree) -> None:
        """Add the features of a statement: of its head, its expressions and its body."""
        kind = tree[0]
        blocks = []
        parts = [_word(kind)]
        for part in tree[1:]:
            if type(part) is tuple and (part[0] in _BLOCKS or part[0] in _STATEMENTS):
                blocks.append(part)
            elif kind not in ("def", "class"):
                parts.append(self.value(part))
        if len(parts) > 1:
            head = hash(tuple(parts))
            self.hashes.add(head & BITS)
            self.heads.append(head)
        for block in blocks:
            if block[0] in _STATEMENTS:
                self.statement(block)
            else:
                for inner in block[1:]:
                    self.statement(inner)

    def value(self, tree: Tree) -> int:
        """Add the features of an expression; return its hash."""
        if type(tree) is str:
            return _word(tree)
        kind = tree[0]
        if kind == NAME:
            return _SAME
        parts = [self.value(part) for part in tree[1:]]
        if kind in _COMMUTE:
            parts.sort()
        elif kind == "Not":
            return parts[0]
        elif kind == "Compare" and len(tree) == 4 and tree[2] not in ("In", "NotIn"):
            parts = [_word(_POLE[tree[2]]), *sorted((parts[0], parts[2]))]
        elif kind == "Compare" and len(tree) == 4:
            parts[1] = _word("In")
        found = hash((_word(kind), *parts))
        self.hashes.add(found & BITS)
        if kind == "comprehension":
            self.hashes.add(hash((_word("For"), parts[0], parts[1])) & BITS)
            for test in parts[2:]:
                self.hashes.add(hash((_word("If"), test)) & BITS)
        elif kind == "ListComp":  # also the features of a loop that appends the elements
            append = hash((_word("Attribute"), _SAME, _word(".append")))
            call = hash((_word("Call"), append, parts[0]))
            self.hashes.update((call & BITS, hash((_word("Expr"), call)) & BITS))
        elif kind == "IfExp":
            self.hashes.add(hash((_word("If"), parts[0])) & BITS)
        return found


def normal_form(source: str) -> str:
    """Return 16 hex digits, equal for programs with equal canonical trees. SyntaxError: not Python."""
    tree = ast.parse(source)
    return form_of(statements(tree.body, scope_of([tree])))


def form_of(trees: tuple[Tree, ...]) -> str:
    """Hash trees with their names numbered in order of appearance, as 16 hex digits."""
    numbers: dict[str, str] = {}
    words: list[str] = []
    _write(trees, words, numbers)
    return hashlib.sha256(" ".join(words).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _write(trees: tuple[Tree, ...], words: list[str], numbers: dict[str, str]) -> None:
    for tree in trees:
        if type(tree) is str:
            words.append(tree)
        elif tree[0] == NAME:
            words.append(numbers.setdefault(tree[1], f"v{len(numbers)}"))
        else:
            words.append("(")
            _write(tree, words, numbers)
            words.append(")")


def size_of(tree: Tree) -> int:
    """Count the nodes and leaves of a tree."""
    if type(tree) is str or tree[0] == NAME:
        return 1
    return 1 + sum(map(size_of, tree[1:]))
