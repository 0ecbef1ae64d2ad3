"""Programs that nobody would write: random changes to programs that run.

    mutated(source, Random(7)) -> another source that still compiles

What they may not do is reach outside their process, and grow without end: constants stay small.
"""

# ruff: noqa: E501  (lists of what to put in)
from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random

_CONSTANTS = (
    "0", "1", "-1", "2", "255", "10 ** 20", "-2 ** 63", "''", "'é'", "'\\ud800'", "'x' * 40", "b'\\0'", "None", "True",
    "1.5", "float('nan')", "-0.0", "1e308 * 10", "1j", "()", "[]", "{}", "set()", "...", "(1, (2, [3]))", "range(3)",
    "iter([1, 2])", "slice(1, 2)", "object()", "lambda: 1", "len", "int", "bytearray(b'ab')", "NotImplemented",
)  # fmt: skip
_CALLS = (
    "len",
    "repr",
    "list",
    "iter",
    "sorted",
    "str",
    "tuple",
    "bool",
    "set",
    "dict",
    "next",
    "abs",
    "sum",
    "id",
    "type",
)
_STATEMENTS = (
    "import sys; sys.settrace(None)",
    "import sys; sys.settrace(lambda *a: None)",
    "import sys; sys.setprofile(None)",
    "import sys; sys.setrecursionlimit(sys.getrecursionlimit() + 1)",
    "import sys; sys._getframe().f_locals; sys._getframe(1)",
    "import sys; sys.exc_info()",
    "import gc; gc.collect()",
    "import gc; gc.get_objects()[0]",
    "locals()['zz'] = 1",
    "globals()['made'] = NAME",
    "NAME = NAME, NAME",
    "NAME = [NAME, NAME]; NAME.append(NAME)",
    "del NAME",
    "NAME += NAME",
    "NAME *= 2",
    "NAME[0] = NAME",
    "NAME[:] = NAME",
    "NAME.append(NAME)",
    "NAME.clear()",
    "NAME.pop()",
    "NAME.update(NAME)",
    "NAME.__class__ = type('C', (), {})",
    "NAME.__dict__['q'] = NAME",
    "raise ValueError(NAME)",
    "raise KeyError from TypeError(NAME)",
    "assert NAME, NAME",
    "return NAME",
    "yield NAME",
    "NAME = yield",
    "yield from [NAME, NAME]",
    "NAME = [x for x in NAME]",
    "NAME = {x: y for x, y in enumerate(NAME)}",
    "NAME = (x for x in NAME)",
    "NAME = map(lambda q: NAME, [1, 2])",
    "NAME = zip(NAME, NAME)",
    "NAME = (lambda: NAME)()",
    "print(NAME)",
    "exec('NAME = 3')",
    "eval('NAME')",
    "class K:\n    NAME = 3\n    def __del__(self): K.NAME = 4\nNAME = K()",
    "class K(list):\n    def __len__(self): raise KeyError\nNAME = K([NAME])",
    "class K(dict):\n    def __eq__(self, other): raise KeyError\n    __hash__ = None\nNAME = K(a=NAME)",
    "class K:\n    __slots__ = ('a',)\n    def __repr__(self): 1 / 0\nNAME = K(); NAME.a = NAME",
    "class K(int):\n    pass\nNAME = K(3)",
    "try:\n    NAME.x\nfinally:\n    NAME = 1",
    "try:\n    raise KeyError(NAME)\nexcept Exception as NAME:\n    pass",
    "for NAME in [1, NAME, 'a']:\n    pass",
    "while NAME:\n    NAME = None",
    "with NAME as NAME:\n    pass",
    "def NAME(*a, **k):\n    nonlocal_ = a, k\n    return NAME",
    "import threading; T = threading.Thread(target=lambda: NAME); T.start(); T.join()",
    "import weakref; NAME = weakref.ref(NAME)",
    "import collections; NAME = collections.deque([NAME], 3)",
    "import collections; NAME = collections.defaultdict(list, a=NAME)",
    "import itertools; NAME = itertools.chain([NAME], [1])",
    "match NAME:\n    case [a, *b]:\n        pass\n    case {'k': v}:\n        pass\n    case _:\n        NAME = 2",
)


def mutated(source: str, rng: Random) -> str:
    """Up to six changes; the source itself where none of them compiles."""
    for _ in range(8):
        tree = ast.parse(source)
        for _ in range(rng.randint(1, 6)):
            rng.choice(_CHANGES)(tree, rng)
        try:
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            compile(text, "<mutated>", "exec")
        except (SyntaxError, ValueError, RecursionError):
            continue
        return text
    return source


def _names(tree: ast.AST) -> list[str]:
    stored = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return sorted(stored | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}) or ["x"]


def _bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    """Statement lists inside functions."""
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                for field in ("body", "orelse", "finalbody"):
                    body = getattr(node, field, None)
                    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                        found.append(body)
    return found


def _insert(tree: ast.AST, rng: Random) -> None:
    bodies = _bodies(tree)
    if bodies:
        body = rng.choice(bodies)
        text = rng.choice(_STATEMENTS).replace("NAME", rng.choice(_names(tree)))
        at = rng.randint(0, len(body))
        try:
            body[at:at] = ast.parse(text).body
        except SyntaxError:
            return


def _shuffle(tree: ast.AST, rng: Random) -> None:
    bodies = _bodies(tree)
    if bodies:
        body = rng.choice(bodies)
        what = rng.randrange(3)
        if what == 0 and len(body) > 1:
            del body[rng.randrange(len(body))]
        elif what == 1:
            body.insert(rng.randrange(len(body)), rng.choice(body))
        else:
            i, j = rng.randrange(len(body)), rng.randrange(len(body))
            body[i], body[j] = body[j], body[i]


def _replace(tree: ast.AST, rng: Random) -> None:
    """One expression by a constant, a name, or a call around it."""
    places = []
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load):
                places.append((node, field, value))
    if not places:
        return
    node, field, value = rng.choice(places)
    what = rng.randrange(4)
    if what == 0:
        new: ast.expr = ast.parse(rng.choice(_CONSTANTS), mode="eval").body
    elif what == 1:
        new = ast.Name(rng.choice(_names(tree)), ast.Load())
    elif what == 2:
        new = ast.Call(ast.Name(rng.choice(_CALLS), ast.Load()), [value], [])
    else:
        new = ast.IfExp(ast.Name(rng.choice(_names(tree)), ast.Load()), value, ast.Tuple([value], ast.Load()))
    setattr(node, field, new)


def _operate(tree: ast.AST, rng: Random) -> None:
    """Another operator; no powers and shifts, which grow without end."""
    arithmetic = (
        ast.Add,
        ast.Sub,
        ast.Mult,
        ast.FloorDiv,
        ast.Mod,
        ast.Div,
        ast.BitAnd,
        ast.BitOr,
        ast.BitXor,
    )
    relations = (ast.Lt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
    found = [n for n in ast.walk(tree) if isinstance(n, ast.BinOp | ast.AugAssign | ast.Compare)]
    if found:
        node = rng.choice(found)
        if isinstance(node, ast.Compare):
            node.ops[rng.randrange(len(node.ops))] = rng.choice(relations)()
        else:
            node.op = rng.choice(arithmetic)()


_CHANGES: tuple[Callable[[ast.AST, Random], None], ...] = (
    _insert,
    _insert,
    _insert,
    _shuffle,
    _replace,
    _replace,
    _operate,
)
