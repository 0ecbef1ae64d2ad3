"""pass@k: unbiased, and only where there are k samples."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.errors import UserError
from deskcheck.statistics.summary import mean_pass_at_k, pass_at_k


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_it_is_the_share_of_choices_of_k_samples_that_hold_a_right_one(
    case: tuple[int, int, int],
) -> None:
    n, n_right, k = case
    samples = [True] * n_right + [False] * (n - n_right)
    choices = list(combinations(samples, k))
    assert pass_at_k(n, n_right, k) == pytest.approx(sum(map(any, choices)) / len(choices))


def test_pass_at_1_is_the_mean() -> None:
    assert pass_at_k(10, 3, 1) == pytest.approx(0.3)
    assert mean_pass_at_k([3, 10], 10, 1) == pytest.approx(0.65)


@pytest.mark.parametrize(("n", "n_right", "k"), [(4, 2, 5), (0, 0, 1), (5, 2, 0), (5, 6, 1), (5, -1, 1)])
def test_what_cannot_be_is_refused(n: int, n_right: int, k: int) -> None:
    with pytest.raises(UserError):
        pass_at_k(n, n_right, k)


def test_no_tasks_have_no_mean() -> None:
    with pytest.raises(UserError, match="no tasks"):
        mean_pass_at_k([], 10, 1)
