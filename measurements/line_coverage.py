"""Which lines of real functions have nothing that training data lacks? Counted on pinned library functions.

    python measurements/line_coverage.py [--side train] [--candidates 1500] [--families easy,real-1,states-1]

A line is a statement without the lines inside it. Its vocabulary is its kind of statement, its operators, its
kinds of expression and of constant, its methods, built-ins with their number of arguments, and forms of
slices. A line is covered where generated programs, as training has them, and redexes have all of these
somewhere. Lines that need a module (`re`, `math`) are counted apart too: no state can hold a match. No
benchmark is read; what is added to the generator follows the missing words.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

from deskcheck.plugins import SourceOptions
from deskcheck.programs import real
from deskcheck.programs.generated import family_of, write_candidate
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.natural import annotated
from deskcheck.training.redexes.operation import Operation
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.redexes.values import Drawer

FAMILIES = "easy,medium,hard,real-1,states-1"
DRAWS = 12
"""Redexes drawn of each operation, to learn which words they have."""
BUILTINS = frozenset(dir(builtins))
MODULE = "a module's function, or a value of it"
_LEFT_OUT = (ast.expr_context, ast.Name, ast.arguments, ast.arg, ast.keyword, ast.alias, ast.Load)
_BODIES = ("body", "orelse", "finalbody", "handlers", "cases", "decorator_list", "returns", "args")


def lines_of(source: str, modules: frozenset[str] = frozenset()) -> Iterator[frozenset[str]]:
    """The vocabulary of each line of a program's functions; MODULE where a line needs one of these names."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for statement in _statements(function.body):
                words = set(_words(statement))
                names = {node.id for node in _own_nodes(statement) if isinstance(node, ast.Name)}
                yield frozenset(words | ({MODULE} if names & modules else set()))


def modules_of(source: str) -> frozenset[str]:
    """Names that imports bind, and names that are assigned from these: compiled patterns, matches."""
    tree = ast.parse(source)
    found = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for _ in range(3):  # from a module to a pattern to a match
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.NamedExpr | ast.For):
                value = node.iter if isinstance(node, ast.For) else node.value
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if {n.id for n in ast.walk(value) if isinstance(n, ast.Name)} & found:
                    found |= {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
    return frozenset(found)


def _own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without those of the lines inside it."""
    for name, value in ast.iter_fields(statement):
        if name not in _BODIES:
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, ast.AST):
                    yield from ast.walk(node)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        is_docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not is_docstring and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield statement
        for name in ("body", "orelse", "finalbody"):
            if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield from _statements(getattr(statement, name, []))
        for handler in getattr(statement, "handlers", []):
            yield from _statements(handler.body)


def _words(statement: ast.stmt) -> Iterator[str]:
    yield f"statement {type(statement).__name__}"
    for name, value in ast.iter_fields(statement):
        if name not in _BODIES:
            for node in value if isinstance(value, list) else [value]:
                if isinstance(node, ast.AST):
                    yield from _of(node)


def _of(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Lambda):
        yield "Lambda"
        yield from _of(node.body)
        return
    yield from _own(node)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _LEFT_OUT) or isinstance(child, ast.keyword):
            yield from _of(child)


def _own(node: ast.AST) -> Iterator[str]:
    """The syntax words of one node, without those of its children."""
    if isinstance(node, ast.Constant):
        yield f"constant {type(node.value).__name__}"
    elif isinstance(node, ast.Call):
        known = node.func.id if isinstance(node.func, ast.Name) else ""
        if isinstance(node.func, ast.Attribute):
            yield f"method {node.func.attr}"
        elif known in BUILTINS:
            yield f"builtin {known} of {len(node.args)}"
        else:
            yield "call of a function"
        yield from (f"keyword {word.arg}" for word in node.keywords if known in BUILTINS and word.arg)
    elif isinstance(node, ast.Slice):
        yield f"slice {'i' if node.lower else ''}:{'j' if node.upper else ''}{':k' if node.step else ''}"
    elif isinstance(node, ast.Subscript | ast.List | ast.Tuple | ast.Attribute):
        name = type(node).__name__
        yield f"{name} assigned" if isinstance(node.ctx, ast.Store | ast.Del) else name
    elif not isinstance(node, _LEFT_OUT):
        yield type(node).__name__


def known_words(families: Iterable[str], candidates: int) -> Counter[str]:
    """How often generated programs and redexes have each word."""
    found: Counter[str] = Counter()
    for family in families:
        for number in range(candidates):
            source = write_candidate(family_of(family), 0, number)[0].source
            for words in lines_of(annotated(source, Random(source))):
                found.update(words)
    for operation in OPERATIONS.values():
        for text in _drawn(operation):
            found.update(_words(ast.parse(text.replace("$", "v")).body[0]))
    return found


def _drawn(operation: Operation) -> Iterator[str]:
    rng = Random(operation.name)
    for _ in range(DRAWS):
        drawer = Drawer(rng)
        yield operation.draw(drawer)


def main() -> int:
    """Print the share of covered lines, and the words that most other lines lack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--side", default="train", choices=("train", "held-out"))
    parser.add_argument("--candidates", type=int, default=1500)
    parser.add_argument("--families", default=FAMILIES)
    parser.add_argument("--fewest", type=int, default=2, help="a word is known from so many occurrences on")
    given = parser.parse_args()
    known = known_words(given.families.split(","), given.candidates)
    words = {word for word, n in known.items() if n >= given.fewest}
    sources = {p.source for p in real.programs(SourceOptions(source="real", family=given.side))}
    covered, needs_module, function, lacking = [], [], [], Counter[str]()
    alone: Counter[str] = Counter()
    for number, source in enumerate(sorted(sources)):
        modules = modules_of(source)
        for line in lines_of(source, modules):
            missing = line - words - {MODULE}
            covered.append(float(not missing))
            needs_module.append(MODULE in line)
            function.append(number)
            lacking.update(missing)
            if len(missing) == 1:
                alone.update(missing)
    bounds = clustered_interval(covered, function)
    plain = [n for n, needed in enumerate(needs_module) if not needed]
    without = clustered_interval([covered[n] for n in plain], [function[n] for n in plain])
    print(real.note(SourceOptions(source="real", family=given.side)))
    print(
        f"{given.side}: lines of {len(sources):,} functions "
        f"that {given.families} and {len(OPERATIONS)} redexes cover"
    )
    for name, n, part in (("all", len(covered), bounds), ("need no module", len(plain), without)):
        print(f"  {name}: {100 * part.mean:.1f} % {percent_ends(part.low, part.high)} of {n:,}")
    print("\n| word | lines that lack it | and nothing else |\n|---|---|---|")
    for word, n in lacking.most_common(40):
        print(f"| {word} | {n} | {alone[word]} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
