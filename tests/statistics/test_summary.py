"""summarise: the denominator is tasks x samples, whatever the models answered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.errors import DataError, UserError
from deskcheck.records import Score
from deskcheck.statistics.summary import REASONS, summarise

verdicts = st.sampled_from([("right", ""), ("wrong", ""), *(("no answer", reason) for reason in REASONS)])


def scores_of(table: list[list[tuple[str, str]]]) -> list[Score]:
    """One row per task, one verdict per sample."""
    return [
        Score(f"t{task}", sample, verdict, reason, "strict", "", "")  # type: ignore[arg-type]
        for task, row in enumerate(table)
        for sample, (verdict, reason) in enumerate(row)
    ]


@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(verdicts, min_size=n, max_size=n), min_size=1, max_size=8)
    )
)
def test_every_score_is_counted_once_and_the_denominator_is_exact(table: list[list[tuple[str, str]]]) -> None:
    n_samples = len(table[0])
    clusters = {f"t{task}": f"t{task}" for task in range(len(table))}
    found = summarise(scores_of(table), clusters, n_samples=n_samples)
    assert found.right + found.wrong + sum(found.no_answer.values()) == len(table) * n_samples
    assert found.right == sum(verdict == "right" for row in table for verdict, _ in row)
    assert found.accuracy == found.right / (len(table) * n_samples)
    assert found.pass_at[1] == pytest.approx(found.accuracy)
    assert set(found.pass_at) == {k for k in (1, 5) if k <= n_samples}
    assert set(found.no_answer) == set(REASONS)


def test_a_missing_a_double_and_a_foreign_score_are_errors() -> None:
    whole = scores_of([[("right", ""), ("wrong", "")], [("right", ""), ("wrong", "")]])
    clusters = {"t0": "a", "t1": "a"}
    summarise(whole, clusters, n_samples=2)
    for broken in (whole[:-1], [*whole[:-1], whole[0]], [*whole, whole[0]]):
        with pytest.raises(DataError, match="2 tasks x 2 samples"):
            summarise(broken, clusters, n_samples=2)
    with pytest.raises(DataError):
        summarise(whole, {"t0": "a", "t2": "a"}, n_samples=2)
    with pytest.raises(DataError):
        summarise(whole, clusters, n_samples=1)


def test_an_empty_run_is_an_error() -> None:
    with pytest.raises(UserError, match="nothing to count"):
        summarise([], {}, n_samples=1)
    with pytest.raises(UserError):
        summarise([], {"t0": "a"}, n_samples=0)
