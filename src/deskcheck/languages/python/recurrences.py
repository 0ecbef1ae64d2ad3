"""Find the recurrences of a function in its syntax tree: a cell, and the cells that it is computed from.

    for i in range(2, n): best[i] = best[i - 1] + best[i - 2]     best: (i) from (i - 1), (i - 2)
    @cache def f(i, room): .. f(i + 1, room - w[i])               f: (i, room) from (i + 1, room - w[i])
    for (a, b), v in old.items(): new[a + 1, b] = v               new: (a + 1, b) from old: (a, b)

A table is a list or dictionary that a loop fills and reads, or a function that keeps its results. Rows that
take turns (`old = new`) are one table, and so are rows with a name (`row = T[i]`). `dynamic_programming.py`
determines the pattern of each recurrence.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from msgspec import Struct

LOOPS = (ast.For, ast.AsyncFor, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Cell(Struct, frozen=True):
    """One access to a table; its index is empty for `append` and for a slice."""

    table: str
    index: tuple[str, ...]


class Recurrence(Struct, frozen=True):
    """One cell and the cells that it is computed from."""

    written: Cell
    reads: tuple[Cell, ...]
    is_rolled: bool = False
    """Whether its rows take turns, so that it has one index more than the source shows."""
    is_called: bool = False
    """Whether the table is a function that keeps its results."""


def names(text: str) -> set[str]:
    return {one.id for one in ast.walk(ast.parse(text, mode="eval")) if isinstance(one, ast.Name)}


def recurrences(function: ast.AST) -> Iterator[Recurrence]:
    """Yield all recurrences of a function or module; inner loops count alone and as part of outer ones."""
    if isinstance(function, FUNCTIONS) and keeps_results(function):
        yield _of_calls(function)
    rows = _Rows(function)
    for loop in [node for node in ast.walk(function) if isinstance(node, LOOPS)]:
        yield from _of_loop(loop, rows)
        yield from _of_whole_rows(loop, rows)
        yield from _of_sums(loop)


class _Rows:
    """Names that stand for rows of a table, lists that take turns, or keys of several parts."""

    def __init__(self, function: ast.AST) -> None:
        assigned = [
            (node.targets[0], node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and len(node.targets) == 1
        ]
        pairs = [pair for one in assigned for pair in _parts(*one)]
        self.keys = {a.id: b for a, b in pairs if isinstance(a, ast.Name) and isinstance(b, ast.Tuple)}
        """Names of tuples: `key = (i, j)`."""
        self.named: dict[str, tuple[str, str]] = {}
        """Name -> table and index: `row = T[i]`."""
        filled = set(_appended(function))
        filled |= {cell.table for cell in writes(function, self)}
        rows = [
            (one.id, ast.unparse(other.value), ast.unparse(other.slice))
            for one, other in pairs
            if isinstance(one, ast.Name)
            and isinstance(other, ast.Subscript)
            and not isinstance(other.slice, ast.Slice)
        ]
        tables = {table for name, table, _ in rows if {name, table} & filled}
        self.named = {name: (table, index) for name, table, index in rows if table in tables}
        self.groups = self._trading_places(pairs, filled)

    def _trading_places(self, pairs: list[tuple[ast.AST, ast.AST]], filled: set[str]) -> dict[str, str]:
        """Map the names of lists that take turns as rows (`old = new`) to the name of their group."""
        found: dict[str, str] = {}
        filled = filled | {
            one.id for one, other in pairs if isinstance(one, ast.Name) and _comprehensions(other)
        }
        for one, other in pairs:
            if isinstance(one, ast.Name) and isinstance(other, ast.Name) and other.id in filled:
                found[one.id] = found[other.id] = found.get(other.id) or found.get(one.id) or other.id
        return found

    def group(self, table: str) -> str:
        return self.groups.get(table, table)


def _parts(target: ast.AST, value: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=False))
    return [(target, value)]


def _comprehensions(node: ast.AST) -> list[ast.ListComp]:
    return [one for one in ast.walk(node) if isinstance(one, ast.ListComp)]


def _appended(node: ast.AST) -> list[str]:
    """Return the lists that are appended to."""
    return [table for table, _ in _appends(node)]


def _appends(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield each list with the expression that is appended to it."""
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "append":
            yield from ((ast.unparse(one.func.value), value) for value in one.args)


def _of_loop(loop: ast.AST, rows: _Rows) -> Iterator[Recurrence]:
    appended = _rows_appended(loop)
    read = [*reads(loop, rows), *_states(loop)]
    for target in writes(loop, rows):
        group = appended.get(target.table) or rows.group(target.table)
        used = [
            cell
            for cell in read
            if (appended.get(cell.table) or rows.group(cell.table)) == group
            and cell != target
            and len(cell.index) <= max(1, len(target.index) + (target.table in appended))
        ]
        if not used or any(target.table in part for cell in [target, *used] for part in cell.index):
            continue
        is_rolled = target.table in appended or (
            target.table in rows.groups and not _is_keyed(loop, rows, group)
        )
        yield Recurrence(target, tuple(used), is_rolled or _is_in_place(loop, target))


def _rows_appended(loop: ast.AST) -> dict[str, str]:
    """Map rows to the tables to which a loop appends them whole: `T.append(row)`, read as T[-1][j]."""
    rows = {value.id: table for table, value in _appends(loop) if isinstance(value, ast.Name)}
    return {row: table for row, table in rows.items() if row != table}


def _is_keyed(loop: ast.AST, rows: _Rows, group: str) -> bool:
    """Whether tables that take turns hold states by key, so that the index already has every part."""
    return any(rows.group(cell.table) == group for cell in _states(loop))


def _is_in_place(loop: ast.AST, target: Cell) -> bool:
    """Whether one row is filled repeatedly: an inner loop gives its index, and a neighboring cell is read."""
    if len(target.index) != 1 or not isinstance(loop, ast.For):
        return False
    outer = _bound(loop.target)
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop]
    used = names(target.index[0])
    if used & outer or not any(_bound(node.target) & used for node in inner):
        return False
    return any(cell.table == target.table and _is_beside(target.index[0], cell) for cell in reads(loop, None))


def _is_beside(name: str, cell: Cell) -> bool:
    return len(cell.index) == 1 and cell.index[0] != name and names(cell.index[0]) == names(name) != set()


def _bound(target: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(target) if isinstance(one, ast.Name)}


def _states(loop: ast.AST) -> Iterator[Cell]:
    """Yield the states that loops take from a dictionary: for (a, b), v in front.items()."""
    if not isinstance(loop, ast.For):
        return
    inner = [node for node in ast.walk(loop) if isinstance(node, ast.For)]
    for node in inner:
        source, target = node.iter, node.target
        while isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and len(source.args) == 1:
            source = source.args[0]  # list(..), sorted(..)
        if (
            isinstance(source, ast.Call)
            and isinstance(source.func, ast.Attribute)
            and source.func.attr == "items"
            and isinstance(target, ast.Tuple)
        ):
            key = target.elts[0]
            parts = key.elts if isinstance(key, ast.Tuple) else [key]
            yield Cell(ast.unparse(source.func.value), tuple(map(ast.unparse, parts)))


def _of_whole_rows(loop: ast.AST, rows: _Rows) -> Iterator[Recurrence]:
    """Yield recurrences of whole rows: row = [x + min(p, q) for x, p, q in zip(line, row, row[1:])]."""
    for node in ast.walk(loop):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        for comprehension in _comprehensions(node.value):
            if not isinstance(target, ast.Name):
                continue
            group = rows.group(target.id)
            used = {
                ast.unparse(whole)
                for one in ast.walk(comprehension)
                if isinstance(one, ast.Name) and rows.group(one.id) == group
                for whole in _around(comprehension, one)
            }
            if len(used) > 1:
                yield Recurrence(Cell(target.id, ()), (Cell(target.id, ()),), True)


def _around(tree: ast.AST, name: ast.Name) -> Iterator[ast.AST]:
    """Yield the subscripts of a name, or the name alone if it has none."""
    over = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript) and node.value is name]
    if over:
        yield from over
    else:
        yield name


def _of_sums(loop: ast.AST) -> Iterator[Recurrence]:
    """Yield recurrences of reachable sums: sums |= {s + x for s in sums}, bits |= bits << x."""
    for node in ast.walk(loop):
        if not isinstance(node, ast.Assign | ast.AugAssign):
            continue
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        if not isinstance(target, ast.Name):
            continue
        for call in ast.walk(node.value):
            far = None
            if isinstance(call, ast.SetComp) and target.id in names(ast.unparse(call.generators[0].iter)):
                far = call.elt
            elif (
                isinstance(call, ast.BinOp)
                and isinstance(call.op, ast.LShift)
                and isinstance(call.left, ast.Name)
                and call.left.id == target.id
            ):
                far = ast.BinOp(call.left, ast.Add(), call.right)
            if isinstance(far, ast.BinOp) and isinstance(far.op, ast.Add | ast.Sub):
                start = ast.unparse(far.left)
                yield Recurrence(Cell(target.id, (ast.unparse(far),)), (Cell(target.id, (start,)),))


def _of_calls(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Recurrence:
    """Return the recurrence of a function that keeps its results.

    Its index has the parameters that calls change, other than to a constant.
    """
    own = [one.arg for one in function.args.args if one.arg != "self"]
    calls = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).removeprefix("self.") == function.name
        and len(node.args) == len(own)
    ]
    moved = [
        place
        for place, name in enumerate(own)
        if any(_is_moved(ast.unparse(call.args[place]), name, call.args[place]) for call in calls)
    ]
    read = (Cell(function.name, tuple(ast.unparse(call.args[place]) for place in moved)) for call in calls)
    return Recurrence(Cell(function.name, tuple(own[place] for place in moved)), tuple(read), is_called=True)


def _is_moved(text: str, name: str, node: ast.AST) -> bool:
    flips = isinstance(node, ast.UnaryOp) or text == f"1 - {name}"
    return text != name and not isinstance(node, ast.Constant) and not flips


def _index(node: ast.AST, rows: _Rows | None) -> list[ast.AST]:
    if isinstance(node, ast.Name) and rows is not None and node.id in rows.keys:
        node = rows.keys[node.id]
    return list(node.elts) if isinstance(node, ast.Tuple) else [node]


def _cell(node: ast.AST, rows: _Rows | None) -> Cell | None:
    """Return the cell of T[i], T[i][j] or T[i, j], or of row[j] if row = T[i]; None for other expressions."""
    index: list[str] = []
    while isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            return Cell(ast.unparse(node.value), ()) if not index else None
        index = [*map(ast.unparse, _index(node.slice, rows)), *index]
        node = node.value
    if not index or not isinstance(node, ast.Name | ast.Attribute):
        return None
    table = ast.unparse(node)
    if rows is not None and table in rows.named:
        table, row = rows.named[table]
        index = [row, *index]
    return Cell(table, tuple(index))


def writes(loop: ast.AST, rows: _Rows | None) -> Iterator[Cell]:
    """Yield the cells that are assigned or appended, except cells that are swapped: a[i], a[j] = .."""
    for node in ast.walk(loop):
        targets: Sequence[ast.AST] = ()
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            targets = [cell for cell, _ in _parts(node.targets[0], node.value)]
            tables = [_cell(cell, rows) for cell in targets]
            if len(targets) > 1 and sum(cell is not None for cell in tables) > 1:
                targets = ()
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
        for target in targets:
            if (cell := _cell(target, rows)) is not None:
                yield cell
    for table in _appended(loop):
        yield Cell(table, ())


def reads(loop: ast.AST, rows: _Rows | None) -> Iterator[Cell]:
    """Yield the cells that are read, by index or by .get(key)."""
    inner = {id(node.value) for node in ast.walk(loop) if isinstance(node, ast.Subscript)}
    for node in ast.walk(loop):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and id(node) not in inner:
            if (cell := _cell(node, rows)) is not None:
                yield cell
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            parts = _index(node.args[0], rows) if node.args else []
            yield Cell(ast.unparse(node.func.value), tuple(map(ast.unparse, parts)))


def keeps_results(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function calls itself and keeps its results."""
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    if not any(ast.unparse(node.func).removeprefix("self.") == function.name for node in calls):
        return False
    for decorator in function.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if ast.unparse(called).rpartition(".")[2] in ("cache", "lru_cache"):
            return True
    stored = {decorator.table for decorator in writes(function, None)}
    tested = {
        name
        for node in ast.walk(function)
        if isinstance(node, ast.If | ast.IfExp | ast.While)
        for name in names(ast.unparse(node.test))
    }
    returned = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(stored & tested & {decorator.table for node in returned for decorator in reads(node, None)})
