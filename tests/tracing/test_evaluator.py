"""The second opinion is sound by itself: it computes what Python does, in the steps one counts by hand."""

from __future__ import annotations

import pytest
from tests.tracing.evaluator import evaluate
from tests.tracing.expression_cases import CASES
from tests.tracing.plain_text import text

from deskcheck.programs.generated import traced


def shown(source: str, entry: str, arguments: str) -> list[str]:
    """Source text and value of each step, for expressions on one line."""
    lines = source.split("\n")
    return [
        f"{lines[line - 1].encode()[start:end].decode()} -> {value}"
        for (line, _, start, end), value in evaluate(source, entry, arguments)[0]
    ]


def as_python(source: str, entry: str, arguments: str) -> str:
    names: dict[str, object] = {"__name__": "evaluated"}
    exec(compile(source, "<plain>", "exec"), names)
    try:
        return text(eval(f"{entry}({arguments})", names))
    except Exception as error:
        return f"raises {type(error).__name__}"


@pytest.mark.parametrize("name", CASES)
def test_it_computes_what_python_computes(name: str) -> None:
    assert evaluate(*CASES[name])[1] == as_python(*CASES[name])


def test_it_computes_what_python_computes_on_generated_programs() -> None:
    for program, _ in traced("medium", seed=11, n=20):
        asked = program.source, program.entry, program.arguments
        assert evaluate(*asked)[1] == as_python(*asked)


def test_a_chain_of_methods_and_a_subscript_is_three_steps() -> None:
    assert shown("def f(s):\n    return s.strip().split(',')[1]\n", "f", "' a,b '") == [
        "s.strip() -> str 'a,b'",
        "s.strip().split(',') -> list[str 'a', str 'b']",
        "s.strip().split(',')[1] -> str 'b'",
    ]


def test_what_is_not_evaluated_is_no_step() -> None:
    source = "def f(a):\n    return a > 9 and a.b or 2 * 3 if a < 1 < a / 0 else -a\n"
    assert shown(source, "f", "2") == ["a < 1 < a / 0 -> bool False", "-a -> int -0x2"]
