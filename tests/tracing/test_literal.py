"""Answers as exact literal text: what it reads back to is what was returned."""

from __future__ import annotations

import ast
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tracing.telling import traced

from deskcheck.errors import DataError
from deskcheck.records import Limits
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5) | st.binary(max_size=5)
)  # fmt: skip
plain = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=2) | st.integers(), inner, max_size=3)
        | st.sets(st.text(max_size=2) | st.integers(), max_size=3)
    ),
    max_leaves=8,
)


def typed(value: object) -> str:
    """Text of a value in which 1, True and 1.0 differ and the order of sets does not count."""
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__} {sorted(typed(item) for item in value)}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__} {[typed(item) for item in value]}"
    if isinstance(value, dict):
        return f"dict {[(typed(k), typed(v)) for k, v in value.items()]}"
    return repr(value)


@settings(max_examples=100)
@given(plain)
def test_the_text_reads_back_to_the_value(value: object) -> None:
    program = make_program("def f(x):\n    return x\n", "f", repr(value), origin="test")
    text = outcome_text(trace_program(program, Limits()))
    assert typed(ast.literal_eval(text)) == typed(value)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("{'b', 'a', 3, 1.5, 'c', (2, 1)}", "{1.5, 3, 'a', 'b', 'c', (2, 1)}"),
        ("set()", "set()"),
        ("frozenset({2, 1})", "frozenset({1, 2})"),
        ("frozenset()", "frozenset()"),
        ("float('nan')", "nan"),
        ("-float('inf')", "-inf"),
        ("-0.0", "-0.0"),
        ("(1,)", "(1,)"),
        ("10**5000", "1" + "0" * 5000),
        ("-(10**5000)", "-1" + "0" * 5000),
        ("...", "Ellipsis"),
        ("2j", "2j"),
        ("True", "True"),
        ("{1: True, True: 2}", "{1: 2}"),
        ("'\\ud800'", "'\\ud800'"),
    ],
)
def test_odd_values_have_their_text(expression: str, text: str) -> None:
    assert outcome_text(traced(f"def f():\n    return {expression}\n")) == text


def test_an_exception_is_an_answer() -> None:
    assert outcome_text(traced("def f():\n    return {}[1]\n")) == "raises KeyError"


@pytest.mark.parametrize(
    "expression",
    ["object()", "lambda: 1", "iter([1])", "[object()]", "range(3)", "__import__('collections').deque('a')"],
)  # fmt: skip
def test_what_is_not_plain_data_has_no_text(expression: str) -> None:
    trace = traced(f"def f():\n    return {expression}\n")
    assert not is_plain(trace)
    with pytest.raises(DataError, match="no literal text"):
        outcome_text(trace)


def test_a_value_that_contains_itself_has_no_text() -> None:
    assert not is_plain(traced("def f():\n    a = [1]\n    a.append(a)\n    return a\n"))
    shared = traced("def f():\n    a = [1]\n    return [a, a]\n")
    assert outcome_text(shared) == "[[1], [1]]"


def test_a_run_without_an_answer_says_so() -> None:
    with pytest.raises(DataError, match="has no answer"):
        outcome_text(traced("def f():\n    while 1:\n        x = 1\n", limits=Limits(max_steps=9)))
    assert math.isnan(float(outcome_text(traced("def f():\n    return float('nan')\n"))))


@pytest.mark.parametrize("loop", ["a = [a, a]", "a = {0: a, 1: a}"], ids=["list", "dict"])
def test_a_text_without_end_is_no_answer_and_costs_no_endless_time(loop: str):
    source = f"def f(a):\n    for _ in range(40):\n        {loop}\n    return a\n"
    trace = trace_program(make_program(source, "f", "()", origin=""), Limits())
    with pytest.raises(DataError, match="more than 1,000,000 characters"):
        outcome_text(trace)


@pytest.mark.parametrize("outer", ["[a]", "(a,)", "{1: a}", "frozenset([a])"])
def test_a_value_too_deep_for_python_s_parser_has_no_text(outer: str) -> None:
    source = f"def f(n):\n    a = ()\n    for _ in range(n):\n        a = {outer}\n    return a\n"
    nested = traced(source, "f(400)", tracer="auto")
    with pytest.raises(DataError, match=r"200 objects deep|1,000,000 characters"):
        outcome_text(nested)
    assert not is_plain(nested)


def test_a_value_as_deep_as_python_s_parser_reads_has_its_text() -> None:
    nested = traced(
        "def f():\n    a = []\n    for _ in range(199):\n        a = [a]\n    return a\n", tracer="auto"
    )
    assert outcome_text(nested) == "[" * 200 + "]" * 200 and ast.literal_eval(outcome_text(nested))
