"""Measures of a source: counted by hand on small programs."""

from __future__ import annotations

import pytest

from deskcheck.errors import BadSource
from deskcheck.languages import CONSTRUCTS
from deskcheck.languages.python.measures import measures

SOURCE = '''
"""Docstring."""
import math

# a comment
def f(xs):
    """What it does."""
    total = 0
    for x in xs:
        if x > 3 and x < 9:
            total += x
        elif x == 3:
            while total & 1:
                total >>= 1
        else:
            total -= 1
    return {
        "total": total,
    }
'''


def test_a_program_counted_by_hand() -> None:
    found = measures(SOURCE)
    assert found.lines == 13  # every line that a statement stands on; `else:` is none
    assert found.branches == 1 + 5  # for, if, and, elif, while
    assert found.nesting == 3  # for, elif, while: the elif is no deeper than its if
    assert found.functions == 1
    assert found.constructs == {
        "loop", "nested loop", "while", "branch", "bit operation", "dictionary", "imported module",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("source", "construct"),
    [
        ("def f(n):\n return n and f(n - 1)", "recursion"),
        ("class Solution:\n def g(self, n):\n  return self.g(n - 1)", "recursion"),
        ("x = [y for y in z]", "comprehension"),
        ("x = y.strip()", "string method"),
        ("x = y[1:]", "slice"),
        ("y.sort()", "sorting"),
        ("x = {1}", "set"),
        ("try:\n pass\nexcept KeyError:\n pass", "exception"),
        ("x = lambda: 1", "lambda or inner function"),
        ("class Node:\n pass", "class"),
    ],
)
def test_each_construct_is_seen_alone(source: str, construct: str) -> None:
    assert construct in measures(source).constructs
    assert measures(source).constructs <= set(CONSTRUCTS)


def test_list_methods_are_no_string_methods_and_solution_is_no_class() -> None:
    assert measures("class Solution:\n def f(self, x):\n  x.append(1); x.index(2)").constructs == set()


def test_what_is_not_python_has_no_measures() -> None:
    with pytest.raises(BadSource, match="not Python"):
        measures("int main() {")


def test_classes_are_counted_without_solution() -> None:
    found = measures("class Solution:\n def f(self):\n  pass\nclass Node:\n def g(self):\n  pass")
    assert (found.functions, found.classes) == (2, 1)
