"""equal: three named policies, each an equivalence, each stricter one within the looser one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from tests.grading.plain_values import values

from deskcheck.errors import UnknownName, UserError
from deskcheck.languages import equal, tolerance_of

NAN = math.nan


@given(values)
def test_a_value_equals_itself_under_strict_and_lenient(value: object) -> None:
    assert equal(value, value, "strict")
    assert equal(value, value, "lenient")
    assert equal(value, value, "lenient:1e-6")


@given(values, values)
def test_equality_is_symmetric_and_strict_implies_lenient(a: object, b: object) -> None:
    for policy in ("strict", "lenient", "lenient:0.1", "published"):
        assert equal(a, b, policy) == equal(b, a, policy)
    assert equal(a, b, "lenient") or not equal(a, b, "strict")
    assert equal(a, b, "lenient:0.1") or not equal(a, b, "lenient")


@pytest.mark.parametrize(
    ("a", "b", "strict", "lenient", "published"),
    [
        (1, True, False, True, True),
        (1, 1.0, False, True, True),
        (0.0, -0.0, False, True, True),
        (complex(0.0, 1), complex(-0.0, 1), False, True, True),
        (NAN, NAN, True, True, True),  # `is` makes Python's list and dict comparison agree, see below
        ([1], (1,), False, True, False),
        ([[1, (2,)]], [(1.0, [True + 1])], False, True, False),
        ({1}, frozenset({1}), False, True, True),
        ({1}, {True}, False, True, True),
        ({1: 2, 3: 4}, {3: 4, 1: 2}, True, True, True),
        ({1: 2}, {1.0: 2}, False, True, True),
        ({1: 2}, {1: 3}, False, False, False),
        ({(1, 2): 3}, {(1.0, True + 1): 3}, False, True, True),
        ("1", 1, False, False, False),
        ("a", b"a", False, False, False),
        (None, False, False, False, False),
        (0, False, False, True, True),
        ([], (), False, True, False),
        ([], {}, False, False, False),
        (set(), {}, False, False, False),
        ([1, 2], [1], False, False, False),
        (10**400, 1e308, False, False, False),
        (..., None, False, False, False),
    ],
)
def test_the_policies_differ_where_they_say(
    a: object, b: object, strict: bool, lenient: bool, published: bool
) -> None:
    assert equal(a, b, "strict") is strict
    assert equal(a, b, "lenient") is lenient
    assert equal([a], [b], "published") is published


def test_nan_is_nan_inside_containers_and_keys() -> None:
    other = float("nan")
    assert equal([NAN, {NAN}, {NAN: 1}], [other, {other}, {other: 1}], "strict")
    assert equal([NAN, {NAN}, {NAN: 1}], [other, {other}, {other: 1}], "lenient")
    assert not equal([NAN], [other], "published")


def test_a_tolerance_is_named_and_holds_for_values_only() -> None:
    assert not equal(0.1 + 0.2, 0.3, "lenient")
    assert equal([0.1 + 0.2], (0.3,), "lenient:1e-9")
    assert equal({1: 0.1 + 0.2}, {1: 0.3}, "lenient:1e-9")
    assert not equal({0.1 + 0.2: 1}, {0.3: 1}, "lenient:1e-9")
    assert not equal(1.0, 1.1, "lenient:1e-9")
    assert not equal("a", "b", "lenient:1e9")
    assert not equal(10**400, 1.5, "lenient:1e-9")
    assert not equal(NAN, 1.0, "lenient:1e9")


def test_an_unknown_policy_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="strict"):
        equal(1, 1, "exact")
    with pytest.raises(UnknownName):
        tolerance_of("strict:1e-9")


@pytest.mark.parametrize("policy", ["lenient:", "lenient:x", "lenient:-1", "lenient:nan", "lenient:inf"])
def test_a_tolerance_that_is_none_is_refused(policy: str) -> None:
    with pytest.raises(UserError, match="tolerance"):
        tolerance_of(policy)
