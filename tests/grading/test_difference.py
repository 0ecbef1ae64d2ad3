"""Classes of wrong answers: each has its example, and every pair of values has a class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.errors import BadSource
from deskcheck.grading.difference import CLASSES, difference_class

EXAMPLES = [
    ("1", "True", "same value, other type"),
    ("(1, 2)", "[1, 2]", "same value, other type"),
    ("'Ab c'", "'abc'", "letter case or spaces"),
    ("4", "5", "off by one"),
    ("4", "7", "other number"),
    ("1.5", "2.5", "off by one"),
    ("True", "False", "true for false"),
    ("[1, 3, 2]", "[1, 2, 3]", "other order"),
    ("'abd'", "'dab'", "other order"),
    ("[1, 9, 3]", "[1, 2, 3]", "one element wrong"),
    ("[7, 9, 3]", "[1, 2, 3]", "several elements wrong"),
    ("{'a': 1}", "{'a': 2}", "one element wrong"),
    ("{1, 2}", "{1, 3}", "one element wrong"),
    ("{'b': 2, 'a': 9}", "{'a': 1, 'b': 2}", "one element wrong"),
    ("{'a': 2, 'b': 1}", "{'a': 1, 'b': 2}", "several elements wrong"),
    ("1" + "0" * 400, "1.5", "other number"),
    ("'hell'", "'hello'", "one too many or too few"),
    ("[1, 3]", "[1, 2, 3]", "one too many or too few"),
    ("[1, 2, 3, 4]", "[1, 2]", "other length"),
    ("None", "3", "nothing for something"),
    ("[]", "[1]", "nothing for something"),
    ("3", "raises KeyError", "exception or value"),
    ("'3'", "3", "other type"),
]


@pytest.mark.parametrize(("answer", "expected", "name"), EXAMPLES)
def test_each_class_has_its_example(answer: str, expected: str, name: str) -> None:
    assert difference_class(answer, expected) == name


def test_every_class_is_reached_by_an_example() -> None:
    assert {name for _, _, name in EXAMPLES} == set(CLASSES)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text("aB ", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.integers(0, 3), inner, max_size=3),
    max_leaves=5,
)


@given(values, values)
def test_every_pair_has_a_class_and_it_is_the_same_both_ways(a: object, b: object) -> None:
    found = difference_class(repr(a), repr(b))
    assert found in CLASSES
    assert difference_class(repr(b), repr(a)) == found


def test_no_literal_is_an_error() -> None:
    with pytest.raises(BadSource):
        difference_class("f(3)", "3")
