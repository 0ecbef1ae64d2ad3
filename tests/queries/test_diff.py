"""The first step at which two runs part is that of brute force over a recorder of the test's own."""

from __future__ import annotations

import json

import pytest
from tests.queries.programs import Moment, moments, pairs, run_of

from deskcheck.queries.diff import diff, line_pairs
from deskcheck.queries.same import _common

N = 200


def parted(a: list[Moment], b: list[Moment], lines: dict[int, int]) -> tuple[object, object]:
    """(first pair with other values, first pair on other lines), as numbers of steps of A and B."""
    back = set(lines.values())
    left = [(at, m) for at, m in enumerate(a, start=1) if m.line in lines]
    right = [(at, m) for at, m in enumerate(b, start=1) if m.line in back]
    values = None
    for k in range(max(len(left), len(right))):
        if k >= len(left) or k >= len(right):
            return values, (left[k][0] if k < len(left) else None, right[k][0] if k < len(right) else None)
        (at, mine), (to, other) = left[k], right[k]
        if lines[mine.line] != other.line or mine.depth != other.depth:
            return values, (at, to)
        if values is None and not mine.same(other):
            values = (at, to)
    return values, None


def steps(parting: object) -> tuple[int | None, int | None] | None:
    if parting is None:
        return None
    return tuple(at.step if at else None for at in (parting.a, parting.b))  # type: ignore[attr-defined, return-value]  # a Parting


def test_the_first_parting_step_is_that_of_brute_force():
    kinds = {"values": 0, "path": 0, "same": 0}
    for a, b, lines in pairs(48, N):
        answer = diff(run_of(*a), run_of(*b))
        values, path = parted(moments(*a), moments(*b), lines)
        assert (steps(answer.values), steps(answer.path)) == (values, path), (a, b, str(answer))
        kinds["values"] += values is not None
        kinds["path"] += path is not None
        kinds["same"] += values is None and path is None
    assert min(kinds.values()) >= 20, kinds


def test_the_comparison_notices_a_shared_object_where_the_other_run_has_two():
    source = "def f(flag):\n    a = [1]\n    b = a if flag > 1 else [1]\n    return b\n"
    answer = diff(run_of(source, "2"), run_of(source, "3"))
    assert [each.name for each in answer.values.names] == ["flag"]  # type: ignore[union-attr]  # it parts
    one, two = source.replace("flag > 1", "flag"), source.replace("flag > 1", "not flag")
    answer = diff(run_of(one, "True"), run_of(two, "True"))
    assert [each.name for each in answer.values.names] == ["b"]  # type: ignore[union-attr]  # it parts
    assert answer.values.a.line == 4 and answer.path is None  # type: ignore[union-attr]  # likewise


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ("x\ny\nz", "x\ny\nz", {1: 1, 2: 2, 3: 3}),
        ("x\ny\nz", "x\nq\nz", {1: 1, 2: 2, 3: 3}),
        ("x\ny\nz", "x\nq\nr\nz", {1: 1, 3: 4}),
        ("x\ny\nz", "x\nz", {1: 1, 3: 2}),
        ("x\nz", "x\ny\nz", {1: 1, 2: 3}),
    ],
)
def test_lines_correspond_if_they_are_equal_or_replaced_one_by_one(a: str, b: str, pairs: dict[int, int]):
    assert line_pairs(a, b) == pairs


def test_programs_without_a_common_line_are_not_said_to_be_the_same():
    answer = diff(run_of("def f(n):\n    m = n\n    return m\n", "1"), run_of("def f(k): return k\n", "1"))
    assert (answer.n_common, answer.is_same) == (0, False)
    assert "nothing to compare: no step of A is on a line that corresponds" in str(answer)
    assert "do not part" not in str(answer)


def test_an_answer_is_plain_data():
    source = "def f(n):\n    m = n + 1\n    return m\n"
    answer = diff(run_of(source, "1"), run_of(source, "2"))
    assert json.loads(answer.to_json()) == answer.to_dict()
    assert answer.to_dict()["values"]["names"] == [{"name": "n", "a": "1", "b": "2"}]


@pytest.mark.parametrize(
    ("a", "b", "n"), [("", "", 0), ("a", "", 0), ("abc", "abd", 2), ("ab", "abc", 2), ("abc", "abc", 3)]
)
def test_equal_rows_are_counted_up_to_the_first_that_differs(a: str, b: str, n: int):
    assert _common(iter(a), iter(b)) == n
