"""Facts about the text of a C program, by lines: statements, loops, branches, assigned names.

    facts("long f(long n) {\\n  while (n > 1)\\n    n /= 2;\\n ..").loops    -> [Loop(2, 3, 3, False, "n")]

Statements are those before which `instrument.py` puts a recording call, so facts cover every line of a trace.
Both `for` and `while` have one line event before each test, so the rounds of both are counted alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from deskcheck.errors import BadSource, UserError
from deskcheck.languages import Branch, EntryLines, Facts, Loop, MissingPart, Unit
from deskcheck.languages.c.source import FILE, Refusal, Uncompiled, parse

_SITES = (
    "If", "While", "For", "Switch", "Return", "Break", "Continue", "Assignment", "FuncCall", "UnaryOp",
    "Cast", "BinaryOp", "TernaryOp", "ID", "Constant", "ExprList", "ArrayRef", "StructRef", "CompoundLiteral",
)  # fmt: skip
"""Names of pycparser's nodes that are a statement with a line event of its own."""
LOOPS = ("While", "For", "DoWhile")
_STEPS_ASIDE = {"static", "extern"}
"""Storage classes of declarations that are no step."""


class Statement:
    """One statement of a function, with the statements inside it."""

    __slots__ = ("inside", "kind", "line", "node")

    def __init__(self, node: Any, inside: list[Statement]) -> None:
        self.node = node
        self.kind = type(node).__name__
        self.line = line_of(node)
        self.inside = inside
        """Statements of its body and branches, in the order of the source; each has its own `inside`."""


def line_of(node: Any) -> int:
    """Return the line of a node, 0 if it has none."""
    return int(node.coord.line) if getattr(node, "coord", None) is not None else 0


@lru_cache(maxsize=256)
def tree_of(source: str) -> Any:
    """Return the tree of a source. BadSource if it does not parse, MissingPart without pycparser or gcc."""
    try:
        return parse(source)
    except (Uncompiled, Refusal) as error:
        raise BadSource(str(error)) from None
    except UserError as error:
        raise MissingPart("c", f"compiler: {error}") from None


@lru_cache(maxsize=256)
def functions(source: str) -> dict[str, tuple[Any, list[Statement]]]:
    """Return name -> node and statements of each function, in order."""
    return {
        node.decl.name: (
            node,
            [statement for item in node.body.block_items or [] for statement in statements_of(item)],
        )
        for node in tree_of(source).ext
        if type(node).__name__ == "FuncDef" and node.coord.file == FILE
    }


def statements_of(node: Any) -> list[Statement]:
    """Return a statement with those inside it, in a list; a block gives its statements."""
    if node is None:
        return []
    kind = type(node).__name__
    if kind == "Compound":
        return [inner for item in node.block_items or [] for inner in statements_of(item)]
    if kind in ("Case", "Default"):
        return [inner for item in node.stmts or [] for inner in statements_of(item)]
    parts = (
        [getattr(node, name, None) for name in ("iftrue", "iffalse", "stmt")]
        if kind in ("If", "Switch", *LOOPS)
        else []
    )
    return [Statement(node, [inner for part in parts for inner in statements_of(part)])]


def walk(statements: list[Statement]) -> Iterator[Statement]:
    """Yield statements and those inside them, in the order of the text."""
    for statement in statements:
        yield statement
        yield from walk(statement.inside)


def is_site(statement: Statement) -> bool:
    """Tell whether a statement has a line event of its own."""
    if statement.kind == "Decl":
        is_function = type(statement.node.type).__name__ == "FuncDecl"
        return not is_function and not _STEPS_ASIDE & set(statement.node.storage)
    return statement.kind in _SITES


def site_lines(statement: Statement) -> list[int]:
    """Return the lines of a statement's own events."""
    if statement.kind == "DoWhile":
        return [line_of(statement.node.cond)]
    return [statement.line] if is_site(statement) else []


def last_line(node: Any) -> int:
    """Return the greatest line of a node and of everything in it."""
    return max([line_of(node), *(last_line(child) for _, child in node.children())])


def body_of(statement: Statement) -> tuple[int, int]:
    """Return first and last line of the body that a loop or a true condition runs; (0, 0) if it has none."""
    node = statement.node.iftrue if statement.kind == "If" else statement.node.stmt
    lines = [line for inner in walk(statements_of(node)) for line in site_lines(inner)]
    return (lines[0], max(last_line(node), *lines)) if lines else (0, 0)


def facts(source: str) -> Facts:
    """Return all facts about a source. BadSource if it does not parse."""
    statements = [statement for _, inside in functions(source).values() for statement in walk(inside)]
    lines = [line for statement in statements for line in site_lines(statement)]
    shared = {line for line, n in Counter(lines).items() if n > 1} - _joint(statements)
    loops, branches = _loops(statements, shared), _branches(statements, shared)
    tests = [(loop.line, loop.body, loop.end) for loop in loops or []]
    return Facts(
        counted_once=frozenset(shared),
        first_lines={line: line for line in shared},
        statement_lines=sorted(set(lines)),
        decisions=frozenset(
            line
            for statement in statements
            if statement.kind in ("If", "Switch", *LOOPS)
            for line in site_lines(statement)
        ),
        loops=loops,
        branches=branches,
        conditions=None if branches is None or loops is None else sorted([*branches, *tests]),
        assigned=_assigned(statements, shared),
        definitions=frozenset(line_of(node.decl) for node, _ in functions(source).values()),
        one_line_loops=frozenset(
            statement.line
            for statement in statements
            if statement.kind in LOOPS and body_of(statement)[0] == statement.line
        ),
    )


def _joint(statements: list[Statement]) -> set[int]:
    """Return the lines on which only declarations stand; those of one line are one step together."""
    kinds: dict[int, set[str]] = {}
    for statement in statements:
        for line in site_lines(statement):
            kinds.setdefault(line, set()).add(statement.kind)
    return {line for line, found in kinds.items() if found == {"Decl"}}


def _loops(statements: list[Statement], shared: set[int]) -> list[Loop] | None:
    loops = []
    for statement in statements:
        if statement.kind not in LOOPS:
            continue
        first, last = body_of(statement)
        if statement.kind == "DoWhile" or first in (0, statement.line) or {statement.line, first} & shared:
            return None
        loops.append(Loop(statement.line, first, last, False, _variable(statement)))
    return sorted(loops, key=lambda loop: loop.line)


def _variable(loop: Statement) -> str:
    """Return the first name in a loop's test that the loop sets; "" if there is none."""
    tested = names_in(loop.node.cond) if loop.node.cond is not None else []
    parts = [getattr(loop.node, "next", None), loop.node.stmt]
    stored = {name for part in parts if part is not None for name in targets_in(part)}
    return next((name for name in tested if name in stored), "")


def _branches(statements: list[Statement], shared: set[int]) -> list[Branch] | None:
    branches = []
    for statement in statements:
        if statement.kind == "If":
            first, last = body_of(statement)
            if (
                first in (0, statement.line)
                or {statement.line, first} & shared
                or type(statement.node.cond).__name__ == "Constant"
            ):
                return None
            branches.append((statement.line, first, last))
    return sorted(branches)


def _assigned(statements: list[Statement], shared: set[int]) -> dict[int, list[str]]:
    """Return line -> names that its statement assigns; names that get a constant are left out as too easy."""
    assigned: dict[int, list[str]] = {}
    for statement in statements:
        if statement.line in shared or statement.kind not in ("Decl", "Assignment", "UnaryOp", "ExprList"):
            continue
        if statement.kind == "Decl":
            is_plain = statement.node.init is None or type(statement.node.init).__name__ in (
                "Constant",
                "InitList",
            )
            names = [] if is_plain or not is_site(statement) else [statement.node.name]
        else:
            is_plain = (
                statement.kind == "Assignment"
                and statement.node.op == "="
                and type(statement.node.rvalue).__name__ == "Constant"
            )
            names = [] if is_plain else targets_in(statement.node)
        if names:
            assigned.setdefault(statement.line, []).extend(dict.fromkeys(names))
    return assigned


def targets_in(node: Any) -> list[str]:
    """Return the names that an expression or a statement assigns, in order."""
    names = []
    kind = type(node).__name__
    is_count = kind == "UnaryOp" and node.op in ("++", "--", "p++", "p--")
    target = node.lvalue if kind == "Assignment" else node.expr if is_count else None
    if isinstance(getattr(target, "name", None), str):
        names.append(str(getattr(target, "name", "")))
    return [*names, *(name for _, child in node.children() for name in targets_in(child))]


def names_in(node: Any) -> list[str]:
    """Return the variables that an expression reads or assigns, in order; no functions that it calls."""
    if type(node).__name__ == "ID":
        return [str(node.name)]
    kept = [
        child for name, child in node.children() if not (type(node).__name__ == "FuncCall" and name == "name")
    ]
    return list(dict.fromkeys(name for child in kept for name in names_in(child)))


# ------------------------------------------------------------------ the lines of a call


def entry(source: str, name: str) -> EntryLines:
    """Return the lines of the function with this name, or else of `main`, or else of the whole file."""
    known = functions(source)
    wanted = name if name in known else "main" if "main" in known else ""
    lines = source.split("\n")
    starts = sorted(
        {line_of(node) for node in tree_of(source).ext if node.coord is not None and node.coord.file == FILE}
    )
    if not wanted:
        return EntryLines(_units(starts, len(lines), lines), 0, frozenset(), frozenset(), [])
    node, inside = known[wanted]
    own = sorted({line for statement in walk(inside) for line in site_lines(statement)})
    header = line_of(node.decl)
    after = next((start for start in starts if start > header), len(lines) + 1)
    units = [unit for unit in _units(starts, len(lines), lines) if unit.first != header]
    bodies = sorted({statement.line for statement in inside if statement.line > header})
    within = [
        _unit(header, max(header, bodies[0] - 1) if bodies else header, lines),
        *_units(bodies, after - 1, lines),
    ]
    reached = frozenset(own)
    returns = sorted({statement.line for statement in walk(inside) if statement.kind == "Return"})
    return EntryLines(
        sorted([*units, *within], key=lambda unit: unit.first),
        own[0] if own else 0,
        reached,
        reached,
        returns,
    )


def _units(starts: list[int], last: int, lines: list[str]) -> list[Unit]:
    ends = [*(start - 1 for start in starts[1:]), last]
    return [_unit(first, max(first, end), lines) for first, end in zip(starts, ends, strict=True)]


def _unit(first: int, last: int, lines: list[str]) -> Unit:
    while last > first and not lines[last - 1].strip():
        last -= 1
    return Unit(first, last, "\n".join(line for line in lines[first - 1 : last] if line.strip()))
