"""summarise: what a model was asked is counted, whatever it answered; what it was not asked is in no rate."""

from __future__ import annotations

import math

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
    assert set(found.no_answer) == set(REASONS)
    n = len(table) * n_samples
    n_missing = found.no_answer["error"] + found.no_answer["not_asked"]
    assert found.bounds == (found.right / n, (found.right + n_missing) / n)
    if n_missing < n:
        assert found.accuracy == found.right / (n - n_missing)
        assert found.bounds[0] <= found.accuracy <= found.bounds[1]
    else:
        assert math.isnan(found.accuracy)
    if not n_missing:
        assert found.pass_at[1] == pytest.approx(found.accuracy)
        assert set(found.pass_at) == {k for k in (1, 5) if k <= n_samples}


@pytest.mark.parametrize("reason", ["error", "not_asked"])
@given(right=st.integers(0, 60), missing=st.integers(0, 40))
def test_what_was_never_answered_changes_no_rate_and_too_much_of_it_withholds_the_verdict(
    reason: str, right: int, missing: int
) -> None:
    answered = [[("right", "")]] * right + [[("wrong", "")]] * (60 - right)
    clusters = {f"t{task}": f"t{task}" for task in range(60 + missing)}
    alone = summarise(scores_of(answered), dict(list(clusters.items())[:60]), n_samples=1)
    found = summarise(scores_of(answered + [[("no answer", reason)]] * missing), clusters, n_samples=1)
    assert found.accuracy == alone.accuracy
    if missing <= 0.05 * (60 + missing):
        assert found.interval == alone.interval and found.pass_at == alone.pass_at
    else:
        assert math.isnan(found.interval.low) and found.interval.note == "withheld" and not found.pass_at


@pytest.mark.parametrize("reason", ["truncated", "unparsable", "refused", "budget"])
def test_an_answer_that_the_model_failed_to_give_stays_in_the_denominator(reason: str) -> None:
    table = [[("right", "")]] * 3 + [[("no answer", reason)]]
    found = summarise(scores_of(table), {f"t{task}": "p" for task in range(4)}, n_samples=1)
    assert (found.accuracy, found.bounds) == (0.75, (0.75, 0.75))


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
