"""Programs for questions, a recorder independent of deskcheck's, and small changes of the sources."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from random import Random
from types import FrameType

from deskcheck.queries.run import Run
from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

PROGRAMS: dict[str, tuple[str, list[str]]] = {
    "sums": (
        """
def f(xs, limit):
    total = 0
    seen = []
    for x in xs:
        if x < limit:
            total += x
            seen.append(total)
        else:
            total = total - 1
    return total, seen
""",
        ["[3, 9, 4], 5", "[1, 2, 3, 4, 8], 4", "[], 1", "[7, 1, 7, 2], 7", "[-1, 0, 5, 5, 2], 3"],
    ),
    "counts": (
        """
def f(text, n):
    table = {}
    for word in text.split():
        table.setdefault(len(word), []).append(word)
    best = None
    for size in sorted(table):
        if len(table[size]) >= n and size > 1:
            best = size
    return best, table.get(best)
""",
        ["'a bb cc ddd', 2", "'one two six', 1", "'', 1", "'x yy z ww q', 2", "'aa bb aa', 3"],
    ),
    "calls": (
        """
def half(n):
    if n % 2:
        return n - 1
    m = n // 2
    return m


def f(n, k):
    path = [n]
    while n > 1 and k > 0:
        n = half(n)
        path.append(n)
        k -= 1
    return path, k
""",
        ["20, 9", "7, 3", "1, 1", "33, 4", "12, 2"],
    ),
    "aliases": (
        """
def f(n, flag):
    a = [0]
    b = a if flag else [0]
    rows = [a, b]
    for i in range(n):
        rows[i % 2].append(i)
        if len(b) > 2:
            b = b[1:]
    a.extend(b)
    return a, b, rows
""",
        ["4, True", "4, False", "1, True", "0, False", "6, True"],
    ),
    "nodes": (
        """
class Node:
    def __init__(self, value, below):
        self.value = value
        self.below = below


def f(xs, k):
    top = None
    for x in xs:
        top = Node(x, top)
        if x > k:
            top.value = k
    total = 0
    while top is not None:
        total = total * 2 + top.value
        top = top.below
    return total
""",
        ["[1, 5, 2], 3", "[9, 9], 4", "[], 1", "[2, 3, 4, 5], 4", "[0, 1], 0"],
    ),
    "errors": (
        """
def f(keys, table):
    missing = 0
    total = 0
    for key in keys:
        try:
            total += table[key]
        except KeyError:
            missing += 1
        if missing > 1:
            raise ValueError(key)
    return total, missing
""",
        ["['a', 'b'], {'a': 1}", "['a'], {'a': 4}", "['x', 'y', 'z'], {}", "[], {}", "['b', 'q'], {'b': 2}"],
    ),
}


def run_of(source: str, arguments: str, entry: str = "f") -> Run:
    """The run of a call, recorded in this process."""
    program = make_program(source, entry, arguments, origin="test")
    return Run(trace_program(program, Limits()), program)


class Moment:
    """What the plain recorder saw before a line: line, depth, texts of the variables."""

    def __init__(self, line: int, depth: int, values: dict[str, object]) -> None:
        self.line, self.depth, self.names = line, depth, written(values)
        self.alone = {name: written({name: value})[name] for name, value in values.items()}
        """Each variable by itself: what it shares with others is not told."""

    def same(self, other: Moment) -> bool:
        return self.names == other.names


def moments(source: str, arguments: str) -> list[Moment]:
    """Every executed line of a call by `sys.settrace`, with the variables before it written out."""
    space: dict[str, object] = {}
    code = compile(source, "<plain>", "exec")
    exec(code, space)
    rows: list[Moment] = []
    depths: dict[int, int] = {}

    def local(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        if event == "line":
            rows.append(Moment(frame.f_lineno, depths[id(frame)], dict(frame.f_locals)))
        return local

    def on_call(frame: FrameType, event: str, argument: object) -> Callable[..., object] | None:
        if frame.f_code.co_filename != "<plain>":
            return None
        back = frame.f_back
        depths[id(frame)] = depths.get(id(back), 0) + 1 if back else 1
        return local

    call = eval(f"lambda: f({arguments})", space)
    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        call()
    except (ValueError, KeyError, TypeError, ZeroDivisionError, IndexError, AttributeError):
        pass
    finally:
        sys.settrace(before)
    return [row for row in rows if row.depth > 1 or row.line]


def written(names: dict[str, object]) -> dict[str, str]:
    """Each variable as text, in which an object that was met before is its number in order of meeting."""
    met: dict[int, int] = {}
    keep = list(names.values())
    texts = {name: "".join(pieces(value, met)) for name, value in names.items()}
    assert len(keep) == len(texts)
    return texts


def pieces(value: object, met: dict[int, int]) -> Iterator[str]:
    """The text of a value, piece by piece."""
    if not isinstance(value, list | tuple | dict | set) and not hasattr(value, "__dict__"):
        yield f"{type(value).__name__}:{value!r}"
        return
    if isinstance(value, type) or callable(value):
        yield value.__name__  # type: ignore[union-attr]  # functions and classes
        return
    if isinstance(value, tuple):
        yield "("
        for item in value:
            yield from (*pieces(item, met), ",")
        yield ")"
        return
    if id(value) in met:
        yield f"#{met[id(value)]}"
        return
    met[id(value)] = len(met)
    yield f"{type(value).__name__}<"
    inner = value if isinstance(value, dict) else vars(value) if hasattr(value, "__dict__") else None
    parts = [x for pair in inner.items() for x in pair] if inner is not None else list(value)  # type: ignore[call-overload]  # a list or set
    for part in parts:
        yield from (*pieces(part, met), ",")
    yield ">"


_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.LtE: ast.Lt, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.And: ast.Or, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
}  # fmt: skip


def mutants(source: str) -> Iterator[tuple[str, dict[int, int]]]:
    """Sources with one small change, and which line of the original is which line of the new one.

    An operator or a constant of one line is replaced, or a line that does nothing is put in.
    """
    tree = ast.parse(source)
    lines = source.split("\n")
    places = [node for node in ast.walk(tree) if isinstance(node, ast.Constant | ast.BinOp | ast.Compare)]
    same = {number: number for number in range(1, len(lines) + 1)}
    for at in range(len(places)):
        fresh = ast.parse(source)
        node = [n for n in ast.walk(fresh) if isinstance(n, ast.Constant | ast.BinOp | ast.Compare)][at]
        if isinstance(node, ast.Constant):
            if not isinstance(node.value, int) or isinstance(node.value, bool):
                continue
            node.value += 1
        else:
            sign = node.op if isinstance(node, ast.BinOp) else node.ops[0]
            if type(sign) not in _SWAPS:
                continue
            other = _SWAPS[type(sign)]()
            if isinstance(node, ast.BinOp):
                node.op = other  # type: ignore[assignment]  # an operator for an operator
            else:
                node.ops[0] = other  # type: ignore[assignment]  # likewise
        yield with_line(lines, fresh, node.lineno), same
    for at in range(2, len(lines)):
        text = lines[at - 1]
        if text.strip() and text.startswith("    ") and not text.strip().startswith(("else", "except")):
            indent = text[: len(text) - len(text.lstrip())]
            added = [*lines[: at - 1], f"{indent}extra = {at}", *lines[at - 1 :]]
            yield "\n".join(added), {n: n + (n >= at) for n in range(1, len(lines) + 1)}


def with_line(lines: list[str], tree: ast.AST, number: int) -> str:
    """The source with one line as a changed tree has it; the others stay as they are written."""
    statement = max(
        (n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno == number),
        key=lambda n: n.col_offset,
    )
    head = ast.unparse(statement).split("\n")[0]
    old = lines[number - 1]
    indent = old[: len(old) - len(old.lstrip())]
    if old.strip().startswith("elif"):
        head = f"el{head}"
    return "\n".join([*lines[: number - 1], indent + head, *lines[number:]])


def pairs(seed: int, n: int) -> list[tuple[tuple[str, str], tuple[str, str], dict[int, int]]]:
    """Pairs of (source, arguments): a program and a mutant on one call, or one program on two calls."""
    random = Random(seed)
    every = []
    for source, calls in PROGRAMS.values():
        same = {number: number for number in range(1, source.count("\n") + 2)}
        every += [((source, a), (source, b), same) for a in calls for b in calls if a != b]
        every += [((source, a), (changed, a), lines) for changed, lines in mutants(source) for a in calls[:3]]
    random.shuffle(every)
    return every[:n]
