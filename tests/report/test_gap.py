"""State beside output: paired by program, with the same weight for each, and only where both were asked."""

from __future__ import annotations

import math

from tests.report.test_compare import answered

from deskcheck.report.page import render
from deskcheck.report.shortcuts import shortcut_gaps


def test_the_gap_is_output_minus_state_over_common_programs():
    output = answered([index % 4 != 0 for index in range(40)], per_program=1)
    state = answered([index % 8 == 1 for index in range(80)], per_program=2, task="state", strategy="s")
    (found,) = shortcut_gaps([output, state])
    assert (found.question, found.n_programs) == ("state", 40)
    assert math.isclose(found.output, 0.75) and math.isclose(found.state, 0.125)
    assert math.isclose(found.difference.mean, 0.625)
    assert found.difference.low < 0.625 < found.difference.high
    assert "+62.5 points" in render([output, state])


def test_the_gap_is_between_runs_of_one_strategy_if_both_were_asked():
    """A direct output beside a state of chain of thought would call the strategy's effect a shortcut."""
    direct = answered([True] * 40, strategy="direct")
    cot = answered([index % 2 == 0 for index in range(40)], strategy="cot")
    state = answered([index % 4 == 0 for index in range(40)], task="state", strategy="cot")
    for runs in ([direct, cot, state], [state, cot, direct]):
        (gap,) = shortcut_gaps(runs)
        assert (gap.strategy, gap.output, gap.state) == ("cot", 0.5, 0.25)
        assert math.isclose(gap.difference.mean, 0.25)


def test_a_gap_between_two_strategies_names_both():
    direct, state = (
        answered([True] * 40, strategy="direct"),
        answered([False] * 40, task="state", strategy="cot"),
    )
    (gap,) = shortcut_gaps([direct, state])
    assert (gap.strategy, gap.difference.mean) == ("direct / cot", 1.0)


def test_no_gap_without_a_question_about_states_or_a_common_program():
    output = answered([True] * 10)
    assert shortcut_gaps([output, answered([True] * 10, task="input")]) == []
    assert shortcut_gaps([output, answered([True] * 10, task="state", model="other")]) == []
