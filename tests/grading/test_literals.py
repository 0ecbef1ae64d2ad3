"""parse_literal: the inverse of repr on plain values, and a wall against everything else."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from tests.grading.plain_values import values

from deskcheck.errors import BadSource
from deskcheck.languages import MAX_CHARS, equal, is_literal, parse_literal
from deskcheck.languages.python.literals import MAX_DEPTH


@given(values)
def test_a_plain_value_comes_back_from_its_repr_exactly(value: object) -> None:
    assert equal(parse_literal(repr(value)), value, "strict")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 'a', (2,), {3: 4.5}, {6}]", [1, "a", (2,), {3: 4.5}, {6}]),
        ("-3", -3),
        ("+3", 3),
        ("--3", 3),
        ("- 3.5", -3.5),
        ("1e999", float("inf")),
        ("-inf", float("-inf")),
        ("inf", float("inf")),
        ("1+2j", 1 + 2j),
        ("(1-2j)", 1 - 2j),
        ("set()", set()),
        ("set([1])", {1}),
        ("frozenset()", frozenset()),
        ("frozenset({1, 2})", frozenset({1, 2})),
        ("'a' \"b\"\n", "ab"),
        ("('a'\n 'b')", "ab"),
        ("b'a' b'b'", b"ab"),
        ("r'\\d'", "\\d"),
        ("'\\d'", "\\d"),
        ("1_000", 1000),
        ("0x1F", 31),
        ("1, 2", (1, 2)),
        ("()", ()),
        ("{}", {}),
        ("...", ...),
        ("[1] # one", [1]),
        ("  7\n", 7),
    ],
)
def test_every_form_of_a_literal_is_read(text: str, value: object) -> None:
    assert equal(parse_literal(text), value, "strict")


def test_nan_is_read_as_a_float() -> None:
    assert equal(parse_literal("[nan, -nan]"), [float("nan"), float("nan")], "strict")


def test_signs_of_zero_survive_in_complex_numbers() -> None:
    assert repr(parse_literal("(-0-0j)")) == "(-0-0j)"
    assert repr(parse_literal("-2j")) == "-2j"
    assert repr(parse_literal("(nan-infj)")) == "(nan-infj)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "f(3)",
        "x",
        "1 + 2",
        "'a' + 'b'",
        "'a' * 3",
        "[1] * 3",
        "2 ** 8",
        "not True",
        "~1",
        "-True",
        "-'a'",
        "1 == 1",
        "4 or 3",
        "float('inf')",
        "dict(a=1)",
        "set(range(3))",
        "set([1], [2])",
        "frozenset(x={1})",
        "set('ab')",
        "[x for x in []]",
        "{**{}}",
        "[*[1]]",
        "lambda: 1",
        "f'{1}'",
        "(1).real",
        "[1][0]",
        "{[1]}",
        "{[1]: 2}",
        "1 +",
        "[1, 2",
        "1\n2",
        "x = 1",
        "import os",
        "1 + True",
        "True + 1j",
        "1j + 1j",
        "\x00",
        "'\ud800",
        "__import__('os').system('true')",
    ],
)
def test_what_is_no_literal_is_refused(text: str) -> None:
    with pytest.raises(BadSource, match="not a literal"):
        parse_literal(text)
    assert not is_literal(text)


HOSTILE = {
    "a megabyte of digits": "1" * 1_000_000,
    "a megabyte of text": "'" + "a" * 1_000_000 + "'",
    "a million open brackets": "[" * 1_000_000,
    "a million balanced brackets": "[" * 500_000 + "]" * 500_000,
    "brackets within the size": "[" * 40_000 + "]" * 40_000,
    "braces with a fault inside": "{" * 90 + "1 2" + "}" * 90,
    "signs": "-" * 99_000 + "1",
    "a sum": "1" + "+1" * 49_000,
    "a sum of imaginary numbers": "1" + "+1j" * 30_000,
    "attributes": "a" + ".a" * 49_000,
    "calls": "f" + "()" * 49_000,
    "nested calls": "set(" * 15_000 + ")" * 15_000,
    "not not not": "not " * 20_000 + "1",
    "lambdas": "lambda:" * 14_000 + "1",
    "a huge number": "1" * 5000,
    "a power": "9**9**9**9",
    "a long string repeated": "'a'*9999999999",
    "a list with a fault at its end": "[" + "1," * 49_000 + "2 2]",
    "strings and then bytes": "'a' " * 24_000 + "b'a'",
    "commas": "," * 99_000,
    "nulls": "\0" * 99_000,
    "backslashes": "\\" * 99_000,
    "an open string": "'''" + "x" * 99_000,
    "an f-string in an f-string": "f'{f\"{1}\"}'" * 5000,
    "just too deep": "[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(BadSource, match="not a literal"):
        parse_literal(text)


def test_the_message_stays_short_whatever_the_text() -> None:
    for text in HOSTILE.values():
        with pytest.raises(BadSource) as found:
            parse_literal(text)
        assert len(str(found.value)) < 400


def test_text_at_the_limits_is_still_read() -> None:
    assert parse_literal("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None
    assert parse_literal("'" + "a" * (MAX_CHARS - 2) + "'") == "a" * (MAX_CHARS - 2)
    assert parse_literal("[" + "0," * 49_000 + "]") == [0] * 49_000


def test_nothing_is_executed_and_no_name_is_looked_up(tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    for text in (f"open({str(trap)!r}, 'w')", f"[x for x in [open({str(trap)!r}, 'w')]]"):
        with pytest.raises(BadSource):
            parse_literal(text)
    assert not trap.exists()
    assert time is not None  # a name of this module is none of the parser's
    with pytest.raises(BadSource):
        parse_literal("time")
