"""Read rows of HumanEval+ and MBPP+ (EvalPlus), which have many more inputs for the same problems.

    plus_cases({"test": "inputs = [[[1, 2], 3]]\\nresults = [4]\\n.."})  -> [Case("[1, 2], 3", "4")]
    plus_cases({"base_input": [[1]], "plus_input": [[2], [3]]})         -> three cases, no recorded answers
    plus_cases({"test": "def check(candidate): ..", ..})                -> None: another format

Source: Liu et al., arXiv 2305.01210. The hub's files (evalplus/humanevalplus, evalplus/mbppplus) have a list
`inputs` in the field `test`. They also have a list `results`, unless a reference solution computes these.
The JSON lines of github.com/evalplus/evalplus have base_input and plus_input. Those of MBPP+ have lost the
types of tuples and sets, and `_mbpp.py` refuses them.
"""

from __future__ import annotations

import ast

from msgspec import Struct

from deskcheck.errors import BadSource
from deskcheck.languages import is_literal
from deskcheck.languages.python.parsing import parse_module


class Case(Struct, frozen=True):
    """One call of a problem, or the reason why there is none."""

    arguments: str
    """Text of the arguments; "" if there is a `why`."""
    recorded: str = ""
    """Recorded answer as a literal; "" if none is recorded or it is no literal."""
    why: str = ""
    """Reason why the case gives no call; "" if it gives one."""


def plus_cases(row: dict[str, object]) -> list[Case] | None:
    """Return the cases of a row; None if it has neither format.

    BadSource for a test that does not parse, or one with different numbers of inputs and results.
    """
    given = [row.get(name) for name in ("base_input", "plus_input")]
    if all(isinstance(one, list) for one in given):
        return [_of_values(arguments) for one in given for arguments in _list(one)]
    try:
        tree = parse_module(str(row.get("test") or ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadSource(f"its 'test' does not parse: {error}") from None
    lists = {
        target.id: node.value.elts
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in ("inputs", "results")
    }
    if "inputs" not in lists:
        return None
    results = lists.get("results", [])
    if results and len(results) != len(lists["inputs"]):
        raise BadSource(f"its 'test' has {len(lists['inputs'])} inputs and {len(results)} results")
    answers = [ast.unparse(one) for one in results] or [""] * len(lists["inputs"])
    return [_of_nodes(one, answer) for one, answer in zip(lists["inputs"], answers, strict=True)]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _of_values(arguments: object) -> Case:
    if not isinstance(arguments, list):
        return Case("", why="an input that is no list of arguments")
    text = ", ".join(map(repr, arguments))
    return (
        Case(text)
        if is_literal(f"({text},)" if text else "()")
        else Case("", why="an input that is no literal")
    )


def _of_nodes(arguments: ast.expr, answer: str) -> Case:
    if not isinstance(arguments, ast.List | ast.Tuple):
        return Case("", why="an input that is no list of arguments")
    texts = [ast.unparse(one) for one in arguments.elts]
    if not all(map(is_literal, texts)):
        return Case("", why="an input that is no literal")
    return Case(", ".join(texts), answer if is_literal(answer) else "")
