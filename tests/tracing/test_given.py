"""Arguments read from text are those that the interpreter makes of it: values, types, objects, sizes."""

from __future__ import annotations

import ast
import sys
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.tracing.given import read_arguments

READ = [
    '', '4', '-4', '+ 4', '0', '00', '0x1F, 0o17, 0b101', '1_000, 1000, 0x3e8',
    '1.5, 1., .5, 1e3, 1_0.0_1e-2', '1e400, -0.0, 0.0, 0.0', '2j, 1+2j, -1.5-2.5j',
    'True, False, None, ...', '\'a\', "b", \'a\' \'b\', \'ab\'',
    "'it\\'s', 'a\\nb', '\\x41\\101\\0', '\\u00e9\\U0001F600', 'é'", "r'\\d', b'a\\xff', rb'\\d', u'x'",
    '\'\'\'a\nb\'\'\', """c\'d"""', "'a b', 'a b', 'ab', b'ab', b'ab'",
    '[], [1], [1, 2], [1, 2, 3], [[1], 2, 3]', '(), (1,), (1), (1, 2), ((1, 2), (1, 2)), (1, [2])',
    '[(1, 2), (1, 2)], (1, 2)', 'n=1, m=[2]', '1, n=(2,)', '1,', '[1,],', '# one\n1, # two\n2',
    '1000, 1000, [1000, 2, 3]', "[1, 2.0, 'x', b'y', None, (1, 'z')]", str(list(range(40))),
    str([[i] for i in range(40)]), "'a'", '-1, - 1', "''", "''''''", '1 , 2\t,3', "'\ud7ff'",
]  # fmt: skip
ONLY_VALUES = [
    '{}', "{1: [2], 'a': {3}}", '{1, 2, 3}', '{1, 1.0, True}', '{1: 2, 1.0: 3,}', "[{'k': (1,)}]",
]  # fmt: skip
NOT_READ = [
    'x', 'f(1)', '1 + 1', '1 if 2 else 3', "[1 for i in 'a']", '*[1]', '**{}', 'n=1, 2', 'n=1, n=2',
    '1 2', '1)(2', "'a' b'b'", "f'x'", 'lambda: 1', '1, , 2', ',', '[1', '(1]', '{1: 2, 3}', '{1, 2: 3}',
    "'\\d'", "'\\N{DASH}'", "'a", '0777', '1__0', '1_', '0x', '1.real', '1if 2else 3', '--1', '- -1',
    '~1', 'not 1', '1j+2', '1+2', '\r1', "'\x00'", '{[1]: 2}', '\\\n1', "b'é'", "'a\nb'", "ur'x'",
    'None=1', '1\x0c', "9" * 5000, "(" * 70 + ")" * 70, 'x.y', "'\\777'", '...x', '1 .real', '{**{}}',
    '{*[1]}', '[*[1]]', '１', 'print', 'set()',
]  # fmt: skip


def made(text: str) -> tuple[tuple[object, ...], dict[str, object]]:
    def f(*positional: object, **keywords: object) -> tuple[tuple[object, ...], dict[str, object]]:
        return positional, keywords

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return eval(compile(f"f({text}\n)", "<call>", "eval"), {"f": f})  # type: ignore[no-any-return]


def shape(value: object, numbers: dict[int, int], *, exact: bool) -> object:
    """Value, type and size of it and all in it, and which are one object."""
    number = numbers.setdefault(id(value), len(numbers)) if exact else 0
    size = sys.getsizeof(value) if exact else 0
    if isinstance(value, list | tuple):
        return type(value), number, size, [shape(item, numbers, exact=exact) for item in value]
    if isinstance(value, dict):
        pairs = [(shape(k, numbers, exact=exact), shape(v, numbers, exact=exact)) for k, v in value.items()]
        return dict, pairs
    return type(value), number, repr(value)


def compare(text: str, *, exact: bool) -> None:
    found = read_arguments(text, exact=exact)
    assert found is not None
    expected = made(text)
    assert shape(found[0], {}, exact=False) == shape(expected[0], {}, exact=False)
    ours: dict[int, int] = {}
    theirs: dict[int, int] = {}
    for one, other in zip(
        (*found[0], *found[1].values()), (*expected[0], *expected[1].values()), strict=True
    ):
        assert shape(one, ours, exact=exact) == shape(other, theirs, exact=exact)
    assert [*found[1]] == [*expected[1]]


@pytest.mark.parametrize("text", READ)
def test_what_is_read_is_what_the_interpreter_makes_of_it(text: str):
    compare(text, exact=True)
    compare(text, exact=False)


@pytest.mark.parametrize("text", ONLY_VALUES)
def test_dictionaries_and_sets_are_read_by_value_only(text: str):
    compare(text, exact=False)
    assert read_arguments(text, exact=True) is None


@pytest.mark.parametrize("text", NOT_READ)
def test_what_is_no_literal_or_written_in_another_way_is_not_read(text: str):
    assert read_arguments(text) is None and read_arguments(text, exact=True) is None


def test_a_word_is_the_one_that_the_program_has():
    found = read_arguments("'some_word', 'two words'", exact=True)
    assert found is not None and found.positional[0] is sys.intern("some_word")


atoms = st.one_of(
    st.integers(), st.floats(), st.text(), st.binary(), st.booleans(), st.none(), st.complex_numbers()
)
values = st.recursive(
    atoms, lambda inner: st.lists(inner, max_size=5) | st.lists(inner, max_size=4).map(tuple)
)


@settings(max_examples=150)
@given(st.lists(values, max_size=4))
def test_values_as_they_are_written_are_read(drawn: list[object]):
    text = ", ".join(map(repr, drawn))
    try:
        ast.literal_eval(f"[{text}]")
    except (ValueError, SyntaxError):  # nan and inf are names
        assert read_arguments(text) is None
        return
    if read_arguments(text) is not None:  # else an escape of a surrogate, or so
        compare(text, exact=True)


@settings(max_examples=300)
@given(st.text(alphabet="0123456789_.eEjJxXob'\"\\rbu[](){},:=+- \n\tTNn#", max_size=12))
def test_whatever_is_read_the_interpreter_reads_in_the_same_way(text: str):
    if read_arguments(text) is not None:
        compare(text, exact=False)
    if read_arguments(text, exact=True) is not None:
        compare(text, exact=True)
