"""What C needs is named where it is missing, and a command line reaches the tracer."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.languages.c.conftest import LIMITS

import deskcheck
from deskcheck.errors import MissingExtra, UserError
from deskcheck.languages.c import literals, source
from deskcheck.languages.c.tracer import run_one
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.viewer.terminal import shown_call

TWICE = "long twice(long n) {\n  return n + n;\n}\n"


def test_a_missing_compiler_or_parser_is_named(monkeypatch: pytest.MonkeyPatch):
    program = make_program(TWICE, "twice", "4", origin="test", language="c")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UserError, match="need gcc"):
        run_one(program, LIMITS)
    monkeypatch.setattr(source.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pycparser.*\[c\]"):
        run_one(program, LIMITS)


def test_a_file_in_c_is_traced_by_its_name(tmp_path: Path):
    file = tmp_path / "twice.c"
    file.write_text(TWICE, encoding="utf-8")
    trace = deskcheck.trace_file(file, call="twice(4)")
    assert trace.result == 8
    assert [step.line for step in trace.steps] == [2]


@pytest.mark.parametrize(("name", "line"), [("sums.c", "./sums 3"), ("sums.js", "node sums.js 3")])
def test_a_script_is_shown_as_its_language_starts_it(name: str, line: str):
    language = {"c": "c", "js": "javascript"}[name.partition(".")[2]]
    assert shown_call(make_program("", SCRIPT, '"3"', origin=f"files:{name}", language=language)) == line


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{1, 2,}", [1, 2]),
        ("(long[]){1, 2}", [1, 2]),
        ("(struct point){.x = 1, .y = {0.5}}", {"x": 1, "y": [0.5]}),
        ("{x: 1}", {"x": 1}),
        ("'a'", literals.Char(97)),
        (r"'\''", literals.Char(39)),
        (r'"a\n" "\x41\101"', "a\nAA"),
        ("0x1fUL", 31),
        ("010", 8),
        ("-1.5e3f", -1500.0),
        ("NULL", None),
        ("true", True),
    ],
)
def test_literals_are_read_as_c_reads_them(text: str, value: object):
    assert literals.read(text, most=100) == value
    again = literals.read(literals.write(value), most=100)
    assert literals.same(again, value, policy="strict", tolerance=0.0)


@pytest.mark.parametrize("text", ["f(3)", "{1, 2", "1 + 2", "{1, .x = 2}", "", "x", '"a', "((((" * 40])
def test_what_is_no_literal_is_refused(text: str):
    with pytest.raises(ValueError, match="not a literal"):
        literals.plain(text)


def test_equality_is_exact_or_by_value():
    pairs = [(1, 1.0), (1, True), (literals.Char(97), 97), (0.0, -0.0)]
    for a, b in pairs:
        assert not literals.same(a, b, policy="strict", tolerance=0.0)
        assert literals.same(a, b, policy="published", tolerance=0.0)
    assert literals.same(None, 0, policy="lenient", tolerance=0.0)
    assert not literals.same("1", 1, policy="lenient", tolerance=0.0)
