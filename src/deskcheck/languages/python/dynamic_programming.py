"""Determine the pattern of a program of dynamic programming from its syntax tree.

    pattern("def f(n): ..") -> "knapsack"; "other" if none is found

Only programs that are known to be dynamic programming should be classified: others can look like it. The
pattern is the first in this order that fits a recurrence of the program (`recurrences.py`: tables in loops,
and functions that keep their results):

    bitmask     a state is a set: indices made by shifts, loops over 1 << n or over combinations, frozen sets
    interval    a cell reads one that begins later and ends earlier, or splits between two at a third index
    knapsack    the distance to the cell that is read is no constant: best[room - size]
    grid        two indices or more, two rows that take turns, or one row that is filled repeatedly
    1-d         one index, or a few names that are computed from each other
    memo        a function that keeps its results, with one index

docs/report.md has the accuracy of this classification.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from deskcheck.languages import NO_PATTERN
from deskcheck.languages.python.recurrences import FUNCTIONS, LOOPS, Cell, Recurrence, names, recurrences

_ORDER = ("bitmask", "interval", "knapsack", "grid", "1-d", "memo")
_CHOICES = {"max", "min"}


@cache
def pattern(source: str) -> str:
    """Return the pattern of a solution: one of `languages.PATTERNS`, or NO_PATTERN."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return NO_PATTERN
    functions: list[ast.AST] = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    found = {kind for one in functions or [tree] for kind in _of_function(one)}
    return next((kind for kind in _ORDER if kind in found), NO_PATTERN)


def _of_function(function: ast.AST) -> Iterator[str]:
    sets = _sets(function)
    steps = _steps(function)
    for one in recurrences(function):
        yield _kind(one, sets, steps, function)
    for loop in [node for node in ast.walk(function) if isinstance(node, LOOPS)]:
        yield from _rolling(loop)


def _kind(recurrence: Recurrence, sets: set[str], steps: set[str], function: ast.AST) -> str:
    written, reads = recurrence.written, recurrence.reads
    if any(_is_of_sets(part, sets) for cell in [written, *reads] for part in cell.index):
        return "bitmask"
    if recurrence.is_called and sets and _is_of_bits_inside(function):
        return "bitmask"
    if _is_interval(recurrence, function):
        return "interval"
    if recurrence.is_called and len(written.index) < 2:
        return "memo"
    if any(_is_far(written, cell, steps, function) for cell in reads):
        return "knapsack"
    return "grid" if len(written.index) >= 2 or recurrence.is_rolled else "1-d"


def _is_of_sets(part: str, sets: set[str]) -> bool:
    """Whether an index is a set: a set of bits, a frozen set, or a set joined with others."""
    node = ast.parse(part, mode="eval").body
    if sets and (names(part) & sets or "<<" in part):
        return True
    return _is_joined(node, is_shifted=False) or part.startswith("frozenset(")


def _is_of_bits_inside(function: ast.AST) -> bool:
    return any(_is_of_bits(node, set()) for node in ast.walk(function))


def _is_interval(recurrence: Recurrence, function: ast.AST) -> bool:
    """Whether T[i][j] reads T[i + 1][j - 1], or T[i + 1][j] and T[i][j - 1], or T[i][k] and T[k][j]."""
    written, reads = recurrence.written, recurrence.reads
    if len(written.index) == 1:  # a string that loses characters at its ends
        own, parts = written.index[0], {cell.index for cell in reads}
        ends = {(f"{own}[1:]",), (f"{own}[:-1]",)}
        return (f"{own}[1:-1]",) in parts or ends <= parts
    if len(written.index) < 2:
        return False
    first, last = written.index[:2]
    pairs = [cell.index[:2] for cell in reads if len(cell.index) == len(written.index)]
    later, earlier = f"{first} + 1", f"{last} - 1"
    if (later, f"{last} + 1") not in pairs:  # such a read belongs to a path in a grid
        if {(later, last), (first, earlier)} <= {*pairs}:
            return True
        # a function must make this call alone: f(day + 1, deals - 1) among others is no interval
        if (later, earlier) in pairs and (not recurrence.is_called or {*pairs} == {(later, earlier)}):
            return True
    begins = {name for begin, end in pairs if end == last for name in names(begin)}
    ends_at = {name for begin, end in pairs if begin == first for name in names(end)}
    own_names = names(first) | names(last)
    lengths = {f"{recurrence} - {name}" for recurrence in (first, last) for name in begins & ends_at}
    if lengths & {part for pair in pairs for part in pair}:  # cut into two lengths, not at an index
        return False
    return any(_is_between(name, own_names, function) for name in (begins & ends_at) - own_names)


def _is_between(name: str, ends: set[str], function: ast.AST) -> bool:
    """Whether a loop over `name` has no loop over the ends inside it, unlike all-pairs shortest paths."""
    for loop in ast.walk(function):
        if isinstance(loop, ast.comprehension) and name in names(ast.unparse(loop.target)):
            return True
        if isinstance(loop, ast.For) and name in names(ast.unparse(loop.target)):
            held = [node for node in ast.walk(loop) if isinstance(node, ast.For) and node is not loop]
            return not any(names(ast.unparse(node.target)) & ends for node in held)
    return False


def _is_far(written: Cell, read: Cell, steps: set[str], function: ast.AST) -> bool:
    """Whether an index that is read is a written one plus or minus a value that is no constant."""
    own = [*written.index] or [""]
    if len(read.index) != len(own):
        return False
    known = steps if len(own) > 1 else set()
    texts = {text: [text, *_said_otherwise(text, function)] for text in read.index}
    return any(
        any(_is_step(text, one, known) for text in texts[two]) or (one and _is_step(one, two, known))
        for one, two in zip(own, read.index, strict=True)
    )


def _said_otherwise(text: str, function: ast.AST) -> list[str]:
    """Return the expression behind a name that is assigned only once: `amount - coin` for `rest`."""
    if not text.isidentifier():
        return []
    values = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == text for target in node.targets)
    ]
    return [ast.unparse(values[0])] if len(values) == 1 and isinstance(values[0], ast.BinOp) else []


def _is_step(text: str, base: str, steps: set[str]) -> bool:
    """Whether a text such as `j - w` is a step from `base`; for appended lists, any difference is one."""
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return False
    if isinstance(node.right, ast.Constant) or isinstance(node.left, ast.Constant):
        return False
    if isinstance(node.right, ast.Name) and node.right.id in steps:
        return False
    if isinstance(node.right, ast.IfExp | ast.Compare):  # one number or another
        return False
    if not base:
        return isinstance(node.op, ast.Sub)
    return ast.unparse(node.left) == base or (
        isinstance(node.op, ast.Add) and ast.unparse(node.right) == base
    )


def _steps(function: ast.AST) -> set[str]:
    """Return the names of moves in a grid: variables of loops over range(..) or over literal pairs."""
    moves: set[str] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.For | ast.comprehension):
            continue
        source = ast.unparse(node.iter)
        pairs = isinstance(node.iter, ast.Tuple | ast.List) and isinstance(node.target, ast.Tuple)
        if source.startswith("range(") or pairs:
            moves |= names(ast.unparse(node.target))
    return moves


def _sets(function: ast.AST) -> set[str]:
    """Return the names that run over all subsets or combinations, or whose bits are changed or tested."""
    assigned = [
        (node.targets[0].id, node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    ]
    bits = {name for name, value in assigned if _shifts(value) and not _is_of_bits(value, set())}
    sizes = bits | {name for name, value in assigned if _is_power(value)}
    indices: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            ranges = names(ast.unparse(node.iter))
            if _shifts(node.iter) or _is_power(node.iter) or ranges & sizes or "combinations" in ranges:
                indices.add(node.target.id)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if _is_of_bits(node.value, bits):
                indices.add(node.targets[0].id)
        elif isinstance(node, ast.BinOp) and _is_of_bits(node, bits):
            sides = [node.left, node.right]
            sides += [one.left for one in sides if isinstance(one, ast.BinOp)]
            indices |= {one.id for one in sides if isinstance(one, ast.Name)}
    joined = {name for name, value in assigned if _is_joined(value, is_shifted=_shifts(function))}
    return indices | joined


def _is_joined(node: ast.AST, *, is_shifted: bool) -> bool:
    """Whether sets are joined: `done | {job}`, `left - {job}`; `have | row` if the function has shifts."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitOr | ast.Sub | ast.BitXor):
        return False
    sides = (node.left, node.right)
    if any(isinstance(one, ast.Set) for one in sides):
        return True
    return is_shifted and isinstance(node.op, ast.BitOr) and all(isinstance(one, ast.Name) for one in sides)


def _shifts(node: ast.AST) -> bool:
    """Whether an expression contains a shifted constant: 1 << k."""
    return any(
        isinstance(one, ast.BinOp) and isinstance(one.op, ast.LShift) and isinstance(one.left, ast.Constant)
        for one in ast.walk(node)
    )


def _is_power(node: ast.AST) -> bool:
    """Whether an expression contains 2 to a power that is no constant: 2 ** n."""
    return any(
        isinstance(one, ast.BinOp)
        and isinstance(one.op, ast.Pow)
        and isinstance(one.left, ast.Constant)
        and one.left.value == 2
        and not isinstance(one.right, ast.Constant)
        for one in ast.walk(node)
    )


def _is_of_bits(node: ast.AST, bits: set[str]) -> bool:
    """Whether bits of a set are used: `mask | 1 << k`, `mask >> k & 1`, `(part - 1) & mask`; not `n & 1`."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return False
    sides = (node.left, node.right)
    tested = [one for one in sides if isinstance(one, ast.BinOp)]
    if any(isinstance(one, ast.Name) and one.id in bits for one in sides):
        return True
    below = any(isinstance(one.op, ast.Sub) and ast.unparse(one.right) == "1" for one in tested)
    return _shifts(node) or below or any(isinstance(one.op, ast.RShift) for one in tested)


def _rolling(loop: ast.AST) -> Iterator[str]:
    """Yield "1-d" for tables reduced to their last values: a, b = b, a + b; here = max(x, here + x)."""
    for node in ast.walk(loop):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            held = {one.id for one in target.elts if isinstance(one, ast.Name)}
            if len(held) > 1 and any(len(names(ast.unparse(one)) & held) > 1 for one in value.elts):
                yield "1-d"
        elif isinstance(target, ast.Name) and isinstance(value, ast.Call) and _is_choice(value):
            survives = any(isinstance(one, ast.Name) and one.id == target.id for one in value.args)
            if not survives and target.id in names(ast.unparse(value)):
                yield "1-d"


def _is_choice(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _CHOICES
