"""Patterns of dynamic programming: each alone, and the problems of `core` as a reader has them."""

from __future__ import annotations

import pytest
from tests.report.dynamic_programs import PROGRAMS

from deskcheck.benchmarks.core import folder_of, problems
from deskcheck.languages import NO_PATTERN
from deskcheck.languages.python.dynamic_programming import pattern

EXAMPLES = {
    "1-d": "for i in range(2, n):\n    best[i] = max(best[i - 1], best[i - 2] + xs[i])",
    "1-d, appended": "for i in range(n):\n    ways.append(ways[i] + ways[i - 1])",
    "1-d, rolling": "for i in range(n):\n    a, b = b, a + b",
    "1-d, one name": "for x in xs:\n    here = max(x, here + x)",
    "grid": "for i in r:\n  for j in c:\n    T[i][j] = min(T[i - 1][j], T[i][j - 1]) + m[i][j]",
    "grid, rows": "for x in a:\n  new = [0]\n  for j in b:\n    new.append(row[j] + new[-1])\n  row = new",
    "knapsack": "for w in ws:\n  for j in range(n, w - 1, -1):\n    best[j] = max(best[j], best[j - w] + 1)",
    "knapsack, forward": "for w in ws:\n  for j in range(n):\n    ways[j + w] += ways[j]",
    "interval": "for i in r:\n  for j in c:\n    T[i][j] = max(T[i + 1][j - 1] + 2, T[i + 1][j])",
    "interval, split": "for i in r:\n for j in c:\n  for k in s:\n   T[i][j] = T[i][k] + T[k + 1][j]",
    "bitmask": "for mask in range(1 << n):\n  for k in r:\n    T[mask | 1 << k] = min(T[mask] + c[k], 9)",
    "memo": "@cache\ndef f(i):\n    return i if i < 2 else f(i - 1) + f(i - 2)",
    "memo, by hand": "def f(i):\n  if i in m:\n    return m[i]\n  m[i] = f(i - 1) + f(i - 2)\n  return m[i]",
    "bitmask, memo": "@cache\ndef f(s):\n    return max(f(s | 1 << k) for k in r if not s >> k & 1)",
}
CORE = {
    "01": "knapsack", "02": "grid", "03": "1-d", "04": "bitmask", "61": "knapsack", "62": "1-d", "63": "grid",
    "64": "1-d", "65": "knapsack", "66": "grid", "67": "1-d",
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_pattern_is_seen_alone(name: str) -> None:
    assert pattern(EXAMPLES[name]) == name.split(",")[0]


@pytest.mark.parametrize("name", PROGRAMS)
def test_each_pattern_is_seen_in_other_styles(name: str) -> None:
    assert pattern(PROGRAMS[name]) == name.split(",")[0]


@pytest.mark.parametrize(
    "source",
    [
        "for x in xs:\n    total += x",
        "for x in xs:\n    most = max(most, x)",
        "for i in r:\n    a[i], a[j] = a[j], a[i]",
        "for i in r:\n    mid = (low + high) >> 1",
        "int main() {",
    ],
)
def test_what_is_none_of_them_is_other(source: str) -> None:
    assert pattern(source) == NO_PATTERN


def test_the_problems_of_core_have_the_pattern_that_a_reader_sees() -> None:
    found = {
        problem.name.split("-")[0]: pattern(problem.source)
        for problem in problems(folder_of(""))
        if problem.about["family"] == "dynamic programming" and not problem.pattern  # version 3 names its own
    }
    assert found == CORE


def test_most_of_the_problems_that_name_their_pattern_show_it() -> None:
    """What is missed is said in docs/report.md; "take or skip" has one index or a distance."""
    meant = {"two sequences": {"grid"}, "subset": {"bitmask"}, "take or skip": {"knapsack", "1-d"}}
    named = [problem for problem in problems(folder_of("")) if problem.pattern]
    seen = [one for one in named if pattern(one.source) in meant.get(one.pattern, {one.pattern})]
    assert len(named) == 40
    assert len(seen) >= 33
