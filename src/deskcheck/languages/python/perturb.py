"""Rewrite Python programs so that their results stay the same: other names, layout, comments, dead code.

    PERTURBATIONS["rename"](program) -> another source

rename             every local name becomes v0, v1, ..
misleading-names   the local names of the file are exchanged
reformat           printed again: other spacing, no comments, a blank line before every block and return
dead-code          branches that are never taken and values that are never read
misleading-comment comments that claim something false

Names that other code may look up are not changed: functions, classes, attributes, keyword arguments, names
declared `global`, and every name that a prelude, a built-in or the call also uses. A source that reads its
own names (locals, eval, ..) is not renamed. An evaluation executes both programs and drops a pair whose
results differ. Source of the idea: CodeCrash (arXiv 2504.14119); EquiBench (arXiv 2502.12466).
"""

from __future__ import annotations

import ast
import builtins
import random
from collections.abc import Callable

from deskcheck.records import Program

_REFLECTIVE = frozenset({"locals", "globals", "vars", "eval", "exec", "dir", "getattr", "setattr"})
_LIES = (
    "returns its argument unchanged",
    "the order does not matter from here on",
    "this branch is never taken",
    "counts down to zero",
    "always an empty list",
    "skips the first element",
)


# ------------------------------------------------------------------ names


def _rename(program: Program) -> str:
    tree = ast.parse(program.source)
    taken = _identifiers(tree) | _identifiers(ast.parse(program.prelude))
    fresh = (name for number in range(10**6) if (name := f"v{number}") not in taken)
    return _renamed(tree, {name: next(fresh) for name in _own_names(tree, program)}, program)


def _swap_names(program: Program) -> str:
    tree = ast.parse(program.source)
    names = _own_names(tree, program)
    if len(names) < 2:
        return program.source
    return _renamed(tree, dict(zip(names, [*names[1:], names[0]], strict=True)), program)


def _renamed(tree: ast.Module, names: dict[str, str], program: Program) -> str:
    if not names:
        return program.source
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                node.id = names.get(name, name)
            case ast.arg(arg=name):
                node.arg = names.get(name, name)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                node.name = names.get(name, name)
            case ast.MatchMapping(rest=str(name)):
                node.rest = names.get(name, name)
            case ast.Nonlocal():
                node.names = [names.get(name, name) for name in node.names]
    return ast.unparse(tree) + "\n"


def _own_names(tree: ast.Module, program: Program) -> list[str]:
    """Return names used only as variables of this file's functions, in order of appearance."""
    if any(isinstance(node, ast.Name) and node.id in _REFLECTIVE for node in ast.walk(tree)):
        return []
    fixed = set(dir(builtins)) | _identifiers(ast.parse(program.prelude))
    fixed |= _identifiers(ast.parse(f"{program.entry}({program.arguments})"))
    bound: dict[str, None] = {}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                fixed.add(name)
            case ast.ClassDef(name=name, body=body):
                fixed.add(name)
                # Names bound in a class body are attributes, which other code may use.
                fixed |= {
                    n.id
                    for stmt in body
                    for n in ast.walk(stmt)
                    if isinstance(n, ast.Name) and _is_class_level(stmt)
                }
            case ast.keyword(arg=str(name)):
                fixed.add(name)
            case ast.Global(names=names):
                fixed.update(names)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                fixed |= {(alias.asname or alias.name).partition(".")[0] for alias in aliases}
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound.setdefault(name)
            case ast.arg(arg=name):
                bound.setdefault(name)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                bound.setdefault(name)
    return [
        name
        for name in bound
        if name not in fixed and not name.startswith("__") and name not in ("self", "cls")
    ]


def _is_class_level(statement: ast.stmt) -> bool:
    return not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _identifiers(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=other):
                names.add((other or name).partition(".")[0])
    return names


# ------------------------------------------------------------------ layout


def _reformat(program: Program) -> str:
    text = ast.unparse(ast.parse(program.source))
    blocks = {
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.For | ast.While | ast.If | ast.With | ast.Try | ast.Return)
    }
    lines = text.split("\n")
    out = []
    for number, line in enumerate(lines, 1):
        if number in blocks and number > 1 and not line.lstrip().startswith("elif"):
            out.append("")
        out.append(line)
    return "\n".join(out) + "\n"


def _dead_code(program: Program) -> str:
    tree = ast.parse(program.source)
    taken = _identifiers(tree) | _identifiers(ast.parse(program.prelude))
    fresh = (name for number in range(10**6) if (name := f"spare_{number}") not in taken)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = next(fresh)
            first = int(ast.get_docstring(node, clean=False) is not None)
            added = ast.parse(
                f"{name} = [3, 1, 2]\nif len({name}) > 3:\n    {name}.sort()\n    return None"
            ).body
            if _is_generator(node):
                added = ast.parse(f"{name} = [3, 1, 2]\nif len({name}) > 3:\n    {name}.sort()").body
            node.body[first:first] = added
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _is_generator(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))


def _misleading_comment(program: Program) -> str:
    """Add a false comment above every block and return, chosen by the program's id."""
    draw = random.Random(program.id)
    tree = ast.parse(program.source)
    starts = {
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.If | ast.Return)
        and not getattr(node, "decorator_list", None)
    }
    out = []
    for number, line in enumerate(program.source.split("\n"), 1):
        stripped = line.lstrip()
        # The statement has to begin its line: it stands after no semicolon and is no elif.
        begins = stripped.startswith(("def ", "for ", "while ", "if ", "return"))
        if number in starts and begins:
            out.append(f"{line[: len(line) - len(stripped)]}# {draw.choice(_LIES)}")
        out.append(line)
    return "\n".join(out)


PERTURBATIONS: dict[str, Callable[[Program], str]] = {
    "rename": _rename,
    "misleading-names": _swap_names,
    "reformat": _reformat,
    "dead-code": _dead_code,
    "misleading-comment": _misleading_comment,
}
