"""Complexities by class: many spellings, one order, and what cannot be read is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.report import breakdown
from deskcheck.report.breakdown import Answered
from deskcheck.report.complexity import CLASSES, UNREAD, complexity_class


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (["O(1)", "$O(1)$", r"O(|\Sigma|)", "O(26)", r"O(\alpha(n))"], "constant"),
        (["O(log n)", "O(log(n))", r"O(\log n)", "(\\log ^2 n)", r"O(\log_2 n)"], "logarithmic"),
        (
            ["O(n)", "O(2 * n)", "O(sqrt(n))", r"O(n \times \alpha(n))", r"O(\frac{n}{2})", "O(n + log n)"],
            "linear",
        ),
        (["O(n log n)", r"O(n\log n)", "O(nlogn)", r"O(n \times \log m)", r"O(n \log^2 n)"], "n log n"),
        (["O(n^2)", "O(n*n)", r"O(n \times \sqrt{n})", r"O(n^{2})", "O(n^2 + n)"], "quadratic"),
        (["O(n^3)", r"O(n^2 \log n)", "O(n^4)"], "cubic and more"),
        (["O(2^n)", "O(n!)", r"O(n \times 2^{n})", r"(m \times 3^{l-1})"], "exponential"),
        (["O(n + m)", "O(n*m)", r"O(m \times n \times \log n)", "O(n * k^2)"], "several variables"),
        (["", "get", r"\textit{set}", r"O(\sum_{w} |w|)", "O(n"], UNREAD),
    ],
)
def test_spellings_of_one_growth_are_one_class(texts: list[str], name: str) -> None:
    assert {text: complexity_class(text) for text in texts} == dict.fromkeys(texts, name)


def test_of_the_spellings_of_doocs_nearly_all_are_read(data: Callable[[str], Path]) -> None:
    rows = map(json.loads, data("leetcode/doocs-leetcode-python-index.jsonl").read_text("utf-8").splitlines())
    said = [row[name] for row in rows for name in ("time_complexity", "space_complexity") if row.get(name)]
    unread = [text for text in said if complexity_class(text) == UNREAD]
    assert (len(said), len(set(said))) == (5967, 644)
    assert len(unread) <= 30 and {complexity_class(text) for text in said} == {*CLASSES, UNREAD}


def tasks(tag: str, values: list[str]) -> list[Answered]:
    return [
        Answered(f"t{n}", f"p{n}", 5, ["right"], "1", [], None, tags={tag: value})
        for n, value in enumerate(values)
    ]


def test_classes_stand_in_their_order_and_the_unread_last() -> None:
    values = ["O(2^n)", "??", "O(n)", "O(1)", "O(n + m)", "O( n )", "O(n^2)"]
    table = breakdown.tag_tables(tasks("time", values))["time"]
    assert [(name, share.n) for name, share in table] == [
        ("constant", 1), ("linear", 2), ("quadratic", 1), ("exponential", 1), ("several variables", 1),
        (UNREAD, 1),
    ]  # fmt: skip
    levels = breakdown.tag_tables(tasks("difficulty", ["Hard", "Easy", "Medium"]))["difficulty"]
    assert [name for name, _ in levels] == ["Easy", "Medium", "Hard"]


def test_many_types_are_the_most_frequent_and_the_rest_and_no_table_is_dropped_unsaid() -> None:
    values = [f"type {n:02}" for n in range(40) for _ in range(40 - n)]
    (table,) = breakdown.tag_tables(tasks("types", values)).values()
    assert [name for name, _ in table] == [*(f"type {n:02}" for n in range(breakdown.MOST_TYPES)), "other"]
    assert sum(share.n for _, share in table) == len(values)
    assert breakdown.left_out(tasks("types", values)) == []
    assert breakdown.left_out(tasks("difficulty", ["Easy"] * 3)) == ["by difficulty: every task is 'Easy'"]
