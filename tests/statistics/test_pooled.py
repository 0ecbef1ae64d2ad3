"""Pooled effects of several models: the noise alone, and a spread beyond it."""

from __future__ import annotations

import math

import pytest

from deskcheck.statistics.pooled import pool


def test_models_that_agree_better_than_noise_are_weighted_by_their_noise_alone() -> None:
    """Q is below n - 1 here, where DerSimonian and Laird's tau2 is below 0 before it is cut."""
    effects, errors = [0.10, 0.11, 0.12], [0.05, 0.20, 0.10]
    weights = [1 / error**2 for error in errors]
    mean = math.fsum(w * e for w, e in zip(weights, effects, strict=True)) / math.fsum(weights)
    found = pool(effects, errors)
    assert found.between == 0.0
    assert found.effect == pytest.approx(mean)
    assert (found.high - found.low) / 2 == pytest.approx(4.302653 / math.sqrt(math.fsum(weights)), rel=1e-5)
