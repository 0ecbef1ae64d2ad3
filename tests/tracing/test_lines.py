"""Tables of lines: made in C as in Python, read strictly, and the same as the interpreter says."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.errors import DataError
from deskcheck.tracing.access import has_native
from deskcheck.tracing.codes import code_objects
from deskcheck.tracing.program import make_program
from deskcheck.tracing.source_facts import (
    _uses_any,
    all_names,
    global_names,
    global_names_here,
    made_here,
    read_table,
    table_of,
    table_of_code,
    uses_any_here,
)

needs_native = pytest.mark.skipif(not has_native(), reason="needs the C extension")
FILES = sorted(Path(__file__).parents[2].glob("src/deskcheck/*/*.py"))[::9]
# Source of an entry `f` -> how it is defined: first line, parameters; None = it can mean something else.
DEFINITIONS = {
    "def f(n): pass": (1, ["n"], [], "", ""),
    "x = 1\ndef f(a, b=2, /, c=3, *rest, d, **more): pass": (2, ["a", "b", "c"], ["d"], "rest", "more"),
    "def f(a):\n    return lambda: a": (1, ["a"], [], "", ""),  # a parameter that is a cell
    "def f(n: int = 3) -> 'str': yield": (1, ["n"], [], "", ""),
    "async def f(): pass": (1, [], [], "", ""),
    "\n".join(f"a{i} = {i}" for i in range(300)) + "\ndef f(n): pass": (301, ["n"], [], "", ""),
    "def f(n): pass\nf = 3": None,
    "def f(n): pass\ndef f(m): pass": None,
    "def g():\n    global f\n    f = 1\ndef f(): pass": None,
    "def g():\n    def h():\n        global f\n        del f\ndef f(): pass": None,
    "def f(n): pass\ndel f": None,
    "@staticmethod\ndef f(n): pass": None,
    "class f: pass": None,
    "f = lambda n: n": (1, ["n"], [], "", ""),
    "g = f = lambda: 1": None,
    "from math import *\ndef f(n): pass": None,
    "import f": None,
    "def g(): pass": None,
}  # fmt: skip


def compiled(source: str) -> CodeType:
    return compile(source, "<program>", "exec", dont_inherit=True)


@needs_native
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_table_made_in_c_is_the_one_made_in_python(path: Path):
    code = compiled(path.read_text("utf-8"))
    for entry in (None, "run", *code.co_names[:40]):
        assert table_of_code(code, "", entry or "not a name") == made_here(code, entry)


@needs_native
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_names_of_the_module_found_in_c_are_those_found_in_python(path: Path):
    for code in code_objects(compiled(path.read_text("utf-8"))):
        assert global_names(code) == global_names_here(code)
        names = sorted(all_names(code))
        for wanted in (frozenset(), frozenset({"no such name"}), frozenset(names[-1:]), frozenset(names[:3])):
            assert _uses_any(code, wanted) == uses_any_here(code, wanted)


@needs_native
def test_a_name_behind_more_than_256_others_is_found_in_both_ways():
    many = "def f():\n" + "".join(f"    name_{i}\n" for i in range(700)) + "class C:\n    x = name_699\n"
    code = compiled(many)
    assert global_names(code) == global_names_here(code)
    assert {"name_0", "name_300", "name_699", "x"} <= set(global_names(code))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_function_has_the_lines_that_the_interpreter_says(path: Path):
    source = path.read_text("utf-8")
    code = compiled(source)
    table = read_table(table_of_code(code, source, "run"))
    expected: dict[tuple[str, int], set[int]] = {}
    for inner in code_objects(code):
        own = {line for _, _, line in inner.co_lines() if line is not None}
        expected.setdefault((inner.co_qualname, inner.co_firstlineno), set()).update(own)
    for (name, first), own in expected.items():
        bits = table.lines(name, first)
        assert bits is not None and {line for line, bit in enumerate(bits) if bit} == own
    assert table.lines("run", 9999) is None and table.lines("no such name", 1) is None


def test_two_lambdas_on_one_line_have_the_lines_of_both():
    table = read_table(table_of(make_program("a = lambda: 1; b = lambda: (\n2)\n", "f", "", origin="test")))
    assert table.lines("<lambda>", 1) == (b"\0\1\1" if sys.version_info < (3, 15) else None)


@pytest.mark.parametrize("source", DEFINITIONS, ids=range(len(DEFINITIONS)))
def test_an_entry_is_known_where_the_module_defines_it_once(source: str):
    for make in (table_of_code, lambda code, text, entry: made_here(code, None if "*\n" in text else entry)):
        found = read_table(make(compiled(source), source, "f")).definition
        expected = DEFINITIONS[source]
        if expected is None:
            assert found is None
            continue
        assert found is not None
        assert (
            found.first_line,
            found.positional,
            found.keyword_only,
            found.rest,
            found.keywords,
        ) == expected
        assert found.is_lazy == ("yield" in source or "async" in source)


@given(st.binary(max_size=60), st.integers(0, 200), st.integers(1, 255))
def test_other_bytes_are_another_table_or_refused(data: bytes, where: int, by: int):
    table = bytearray(table_of(make_program("def f(n):\n    return n\n", "f", "1", origin="test")))
    table[where % len(table)] ^= by
    for one in (data, bytes(table), bytes(table) + data):
        try:
            found = read_table(one)
        except DataError:
            continue
        found.lines("f", 1)


def test_what_does_not_compile_has_no_table():
    assert table_of(make_program("def f(:\n", "f", "", origin="test")) == b""
