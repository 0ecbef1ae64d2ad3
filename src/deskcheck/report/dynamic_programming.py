"""Which pattern a program of dynamic programming follows, read off its syntax tree.

    pattern("def f(n): ..") -> "knapsack"; "other" where none is seen

It is for programs that are known to be dynamic programming: others can look like one. A table is a list or
dictionary that a loop fills and reads; rows that trade places (`old = new`) are one table. In this order:

    bitmask     a state is a set of bits: indices made by shifts, loops over 1 << n
    interval    a cell reads one that begins later and ends earlier, or splits between two at a third index
    knapsack    the distance to the cell that is read is no constant: best[room - size]
    grid        two indices or more, or two rows that trade places
    1-d         one index, or a few names that are computed from each other
    memo        a function that calls itself and keeps its results

docs/report.md says how often that is right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

PATTERNS = ("1-d", "grid", "knapsack", "interval", "bitmask", "memo")
OTHER = "other"
_ORDER = ("bitmask", "interval", "knapsack", "grid", "1-d", "memo")
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_CHOICES = {"max", "min"}


class _Cell(Struct, frozen=True):
    """One access to a table; no index where it is appended to, or read by a slice."""

    table: str
    index: tuple[str, ...]


@cache
def pattern(source: str) -> str:
    """Name the pattern of a solution's table by its syntax: one of PATTERNS, or OTHER."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return OTHER
    functions: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]
    found = {kind for one in functions or [tree] for kind in _of_function(one)}
    return next((kind for kind in _ORDER if kind in found), OTHER)


def _of_function(function: ast.AST) -> Iterator[str]:
    sets = _sets_of_bits(function)
    if isinstance(function, _FUNCTIONS) and _is_memo(function):
        yield "bitmask" if sets else "memo"
    rows = _trading_places(function)
    for loop in [node for node in ast.walk(function) if isinstance(node, _LOOPS)]:
        yield from _of_loop(loop, rows, sets)


def _of_loop(loop: ast.AST, rows: dict[str, str], sets: set[str]) -> Iterator[str]:
    written = list(_writes(loop))
    for one in written:
        group = rows.get(one.table, one.table)
        reads = [
            cell
            for cell in _reads(loop)
            if rows.get(cell.table, cell.table) == group
            and cell != one
            and len(cell.index) <= max(1, _width(one))
        ]
        if not reads or any(one.table in part for cell in [one, *reads] for part in cell.index):
            continue
        yield _kind(one, reads, sets, is_rolled=one.table in rows)
    yield from _rolling(loop)


def _width(one: _Cell) -> int:
    return len(one.index)


def _kind(written: _Cell, reads: Sequence[_Cell], sets: set[str], *, is_rolled: bool) -> str:
    if sets and any(_names(part) & sets or "<<" in part for cell in [written, *reads] for part in cell.index):
        return "bitmask"
    if len(written.index) >= 2 and _is_interval(written, reads):
        return "interval"
    if any(_is_far(written, cell) for cell in reads):
        return "knapsack"
    return "grid" if len(written.index) >= 2 or is_rolled else "1-d"


def _is_interval(written: _Cell, reads: Sequence[_Cell]) -> bool:
    """T[i][j] from T[i + 1][j - 1], or from T[i][k] and T[k][j]."""
    first, last = written.index[:2]
    pairs = [cell.index[:2] for cell in reads if len(cell.index) == len(written.index)]
    if any(begin == f"{first} + 1" and end == f"{last} - 1" for begin, end in pairs):
        return True
    begins = {name for begin, end in pairs if end == last for name in _names(begin)}
    ends = {name for begin, end in pairs if begin == first for name in _names(end)}
    return bool((begins & ends) - _names(first) - _names(last))


def _is_far(written: _Cell, read: _Cell) -> bool:
    """Whether an index is another plus or minus something that is no number."""
    own = [*written.index] or [""]
    if len(read.index) != len(own):
        return False
    return any(
        _is_step(two, one) or (one and _is_step(one, two)) for one, two in zip(own, read.index, strict=True)
    )


def _is_step(text: str, base: str) -> bool:
    """`j - w` beside `j`; beside nothing, where a list is appended to, any difference of two names."""
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return False
    if isinstance(node.right, ast.Constant) or isinstance(node.left, ast.Constant):
        return False
    if not base:
        return isinstance(node.op, ast.Sub)
    return ast.unparse(node.left) == base or (
        isinstance(node.op, ast.Add) and ast.unparse(node.right) == base
    )


def _names(text: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(text, mode="eval")) if isinstance(one, ast.Name)}


def _cell(node: ast.AST) -> _Cell | None:
    """T[i], T[i][j] and T[i, j] of a name or an attribute of one."""
    index: list[str] = []
    while isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            return _Cell(ast.unparse(node.value), ()) if not index else None
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        index = [*map(ast.unparse, parts), *index]
        node = node.value
    if not index or not isinstance(node, ast.Name | ast.Attribute):
        return None
    return _Cell(ast.unparse(node), tuple(index))


def _writes(loop: ast.AST) -> Iterator[_Cell]:
    """Cells that are assigned to or appended, but for those that trade places: a[i], a[j] = .."""
    for node in ast.walk(loop):
        target: ast.AST | None = None
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
        elif isinstance(node, ast.AugAssign):
            target = node.target
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".append"):
            yield _Cell(ast.unparse(node.func).removesuffix(".append"), ())
        if target is not None and (one := _cell(target)) is not None:
            yield one


def _reads(loop: ast.AST) -> Iterator[_Cell]:
    inner = {id(node.value) for node in ast.walk(loop) if isinstance(node, ast.Subscript)}
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and id(node) not in inner:
            if (one := _cell(node)) is not None:
                yield one
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            key = node.args[0] if node.args else None
            parts = key.elts if isinstance(key, ast.Tuple) else [key] if key is not None else []
            yield _Cell(ast.unparse(node.func.value), tuple(map(ast.unparse, parts)))


def _sets_of_bits(function: ast.AST) -> set[str]:
    """Names that run over all subsets, or are changed or tested bit by bit."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and _shifts(node.iter):
            found.add(node.target.id)
        elif (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_of_bits(node.value)
        ):
            found.add(node.targets[0].id)
        elif isinstance(node, ast.BinOp) and _is_of_bits(node):
            sides = [node.left, node.right]
            sides += [one.left for one in sides if isinstance(one, ast.BinOp)]
            found |= {one.id for one in sides if isinstance(one, ast.Name)}
    return found


def _shifts(node: ast.AST) -> bool:
    """Whether a part is a bit by its number: 1 << k."""
    return any(
        isinstance(one, ast.BinOp) and isinstance(one.op, ast.LShift) and isinstance(one.left, ast.Constant)
        for one in ast.walk(node)
    )


def _is_of_bits(node: ast.AST) -> bool:
    """`mask | 1 << k`, `mask >> k & 1`; `n & 1` is a test for odd numbers, `n >> 1` a half."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return False
    tested = [one for one in (node.left, node.right) if isinstance(one, ast.BinOp)]
    return _shifts(node) or any(isinstance(one.op, ast.RShift) for one in tested)


def _trading_places(function: ast.AST) -> dict[str, str]:
    """Name -> group, of lists that are each other's next row: `old = new`, `old, new = new, old`."""
    filled = {one.table for one in _writes(function)}
    found: dict[str, str] = {}
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        for one, other in pairs:
            if isinstance(one, ast.Name) and isinstance(other, ast.Name) and other.id in filled:
                found[one.id] = found[other.id] = found.get(other.id) or found.get(one.id) or other.id
    return found


def _rolling(loop: ast.AST) -> Iterator[str]:
    """a, b = b, a + b, and here = max(x, here + x): the last values of a table, without the table."""
    for node in ast.walk(loop):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            names = {one.id for one in target.elts if isinstance(one, ast.Name)}
            if len(names) > 1 and any(len(_names(ast.unparse(one)) & names) > 1 for one in value.elts):
                yield "1-d"
        elif isinstance(target, ast.Name) and isinstance(value, ast.Call) and _is_choice(value):
            kept = any(isinstance(one, ast.Name) and one.id == target.id for one in value.args)
            if not kept and target.id in _names(ast.unparse(value)):
                yield "1-d"


def _is_choice(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _CHOICES


def _is_memo(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function calls itself and keeps what it has computed."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    if not any(ast.unparse(node.func).removeprefix("self.") == function.name for node in calls):
        return False
    for one in function.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        if ast.unparse(called).rpartition(".")[2] in ("cache", "lru_cache"):
            return True
    stored = {one.table for one in _writes(function)}
    tested = {
        name
        for node in ast.walk(function)
        if isinstance(node, ast.If | ast.IfExp | ast.While)
        for name in _names(ast.unparse(node.test))
    }
    returned = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(stored & tested & {one.table for node in returned for one in _reads(node)})
