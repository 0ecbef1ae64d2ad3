"""Find statements, loops, branches and assigned names in the syntax tree of a Python source.

    facts("for x in xs:\\n    s += x\\n").loops    -> [Loop(1, 2, 2, False, "x")]
    facts("x = y\\nz = 1\\n").assigned             -> {1: ["x"]}

Executed lines do not show the iterations of a loop or the outcomes of a branch if the body is on the line of
the header. Nor do they show the iterations of a `while True` whose body begins with a compound statement,
because its header is not reached again. A source with such a loop has no `loops` (None), a source with such a
branch no `branches`.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence

from deskcheck.languages import Branch, Facts, Loop
from deskcheck.languages.python.parsing import parse_module

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)
_BREAKS_OFF = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith, ast.Yield, ast.YieldFrom, ast.Await)
_INLINE = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

Nodes = Sequence[ast.AST]


def facts(source: str) -> Facts:
    """Return all facts about a source. SyntaxError if it does not parse."""
    nodes = list(ast.walk(parse_module(source)))
    first_lines, counted_once = _statements(nodes)
    loops, branches = _loops(nodes), _branches(nodes)
    definitions, inline, handlers, one_line_loops = _lines_of(nodes)
    return Facts(
        first_lines=first_lines,
        counted_once=frozenset(counted_once),
        statement_lines=_statement_lines(nodes),
        decisions=frozenset(n.lineno for n in nodes if isinstance(n, ast.If | ast.While | ast.For)),
        loops=loops,
        branches=branches,
        conditions=_conditions(source, loops, branches),
        assigned=_assigned(nodes, counted_once),
        may_break_off=any(isinstance(node, _BREAKS_OFF) for node in nodes),
        definitions=frozenset(definitions),
        inline=frozenset(inline),
        inline_names=("comp>", "expr>", "<lambda>"),
        handlers=frozenset(handlers),
        one_line_loops=frozenset(one_line_loops),
    )


def _statements(nodes: Nodes) -> tuple[dict[int, int], set[int]]:
    """Return {line: first line of its statement or header}, and the first lines that are counted once.

    Both cover statements with several lines or a comprehension.
    """
    first_of: dict[int, int] = {}
    once: set[int] = set()
    for node in nodes:
        if not isinstance(node, ast.stmt) or isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(node, ast.Try):
            continue  # the header is one line
        first, last = node.lineno, node.end_lineno or node.lineno
        if isinstance(body, list) and body:
            if body[0].lineno == first:  # "while x: x -= 1" is reached again for each round
                continue
            last = body[0].lineno - 1
            header: list[ast.AST] = [
                part
                for name in ("test", "iter", "items", "subject")
                for part in _as_list(getattr(node, name, []))
            ]
        else:
            header = [node]
        loops = any(isinstance(inner, _COMPREHENSIONS) for part in header for inner in ast.walk(part))
        if last > first or loops:
            once.add(first)
            first_of |= dict.fromkeys(range(first, last + 1), first)
    return first_of, once


def _as_list(value: object) -> list[ast.AST]:
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, ast.AST)]


def _loops(nodes: Nodes) -> list[Loop] | None:
    """Return all loop statements by line; None if the iterations of one loop cannot be counted."""
    loops = []
    for node in nodes:
        if isinstance(node, ast.AsyncFor):
            return None
        if not isinstance(node, ast.For | ast.While):
            continue
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        first = node.body[0]
        if first.lineno == node.lineno or (endless and isinstance(first, _COMPOUND)):
            return None
        end = node.body[-1].end_lineno or node.body[-1].lineno
        loops.append(Loop(node.lineno, first.lineno, end, endless, _variable(node)))
    return sorted(loops, key=lambda loop: loop.line)


def _variable(node: ast.For | ast.While) -> str:
    if isinstance(node, ast.For):
        return node.target.id if isinstance(node.target, ast.Name) else ""
    stored = {
        inner.id
        for part in node.body
        for inner in ast.walk(part)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
    }
    names = [inner.id for inner in ast.walk(node.test) if isinstance(inner, ast.Name)]
    return next((name for name in names if name in stored), "")


def _branches(nodes: Nodes) -> list[Branch] | None:
    """Return (line, first and last line of its body) of each `if`.

    None if one of them stands on a single line or tests a constant.
    """
    branches = []
    for node in nodes:
        if isinstance(node, ast.If):
            if node.body[0].lineno == node.lineno or isinstance(node.test, ast.Constant):
                return None
            end = node.body[-1].end_lineno or node.body[-1].lineno
            branches.append((node.lineno, node.body[0].lineno, end))
    return sorted(branches)


def _conditions(source: str, loops: list[Loop] | None, branches: list[Branch] | None) -> list[Branch] | None:
    """Return the branches of each `if`, `elif` and `while`; None if lines do not show all of them."""
    if branches is None or loops is None:
        return None
    starts = [line.lstrip() for line in source.split("\n")]
    whiles = [loop for loop in loops if not loop.endless and starts[loop.line - 1].startswith("while")]
    return [*branches, *((loop.line, loop.body, loop.end) for loop in whiles)]


def _assigned(nodes: Nodes, counted_once: set[int]) -> dict[int, list[str]]:
    """Return line -> names that its statement assigns; names that get a constant are left out as too easy."""
    assigned: dict[int, list[str]] = {}
    # "if d: t = 1" reaches the line without the assignment.
    shared = Counter(node.lineno for node in nodes if isinstance(node, ast.stmt))
    skipped = counted_once | {line for line, n in shared.items() if n > 1}
    for node in nodes:
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign) or node.lineno in skipped:
            continue
        if not isinstance(node, ast.AugAssign) and isinstance(node.value, ast.Constant | None):
            continue
        if any(isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await) for inner in ast.walk(node)):
            continue  # its execution is suspended in the middle
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = [
            inner.id
            for target in targets
            for inner in ast.walk(target)
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)
        ]
        if names:
            assigned.setdefault(node.lineno, []).extend(dict.fromkeys(names))
    return assigned


def _statement_lines(nodes: Nodes) -> list[int]:
    """Return the lines inside functions that a run can reach: first lines of their statements."""
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    return sorted(
        {
            inner.lineno
            for function in functions
            for part in function.body
            for inner in ast.walk(part)
            if isinstance(inner, ast.stmt) and not _makes_no_event(inner)
        }
    )


def _makes_no_event(node: ast.stmt) -> bool:
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Global | ast.Nonlocal)


def _lines_of(nodes: Nodes) -> tuple[set[int], set[int], set[int], set[int]]:
    """Return the lines of definitions, of lambdas and comprehensions, of handlers, of loops on one line."""
    definitions: set[int] = set()
    inline: set[int] = set()
    handlers: set[int] = set()
    loops: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            definitions.add(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]))
        elif isinstance(node, _INLINE):
            inline.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.ExceptHandler | ast.With | ast.AsyncWith):
            handlers.add(node.lineno)
        elif isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            handlers.add(node.finalbody[0].lineno)
        elif isinstance(node, ast.For | ast.While) and node.body[0].lineno == node.lineno:
            loops.add(node.lineno)
    return definitions, inline, handlers, loops
