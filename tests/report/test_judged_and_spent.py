"""All steps of a run, over steps and over programs; what it took, and what is not known of that."""

from __future__ import annotations

import msgspec
from tests.report.test_compare import answered

from deskcheck.cell_files import StepCount
from deskcheck.report import judged, spent
from deskcheck.report.read import Run
from deskcheck.report.tables_of import cost, every_step


def with_steps(*counts: StepCount, **cell: object) -> Run:
    run = answered([True] * len(counts))
    samples = [
        msgspec.structs.replace(one, steps=count) for one, count in zip(run.samples, counts, strict=True)
    ]
    return msgspec.structs.replace(run, samples=samples, cell={"knobs": cell})


LONG = StepCount(90, 45, {"variables": 45}, {"arithmetic": [50, 45], "loop bookkeeping": [40, 0]}, "followed")
SHORT = StepCount(10, 0, {}, {"call or return": [10, 0]}, "corrected")


def test_a_long_program_weighs_more_over_steps_than_over_programs() -> None:
    found = judged.of_run(with_steps(LONG, SHORT, teacher_forcing="true"))
    assert found is not None
    assert (found.n, found.steps.mean, found.programs.mean) == (100, 0.55, 0.75)
    assert found.source == "the true state"
    assert found.hard is not None and found.easy is not None
    assert (found.hard[0].mean, found.hard[1], found.easy[0].mean, found.easy[1]) == (0.1, 50, 1.0, 50)
    assert (found.parts, found.kinds[0]) == ([("variables", 45)], ("arithmetic", 45, 50))
    assert dict(found.after_plant) == {"followed": 1, "corrected": 1}
    many = judged.of_run(with_steps(*[LONG, SHORT] * 20))
    assert many is not None and many.source == "its own state"
    assert many.steps.low < 0.55 < many.steps.high and many.programs.low < 0.75 < many.programs.high
    assert many.hard is not None and many.hard[0].low < 0.1 < many.hard[0].high and many.hard[1] == 1000
    assert many.easy is not None and many.hard[0].high < many.easy[0].low
    row = every_step("x", with_steps(LONG, SHORT))
    assert row is not None and row["steps"] == "55.0 % (too few programs for an interval)"
    assert judged.of_run(answered([True])) is None


def test_what_is_not_known_is_said_and_never_nothing() -> None:
    run = answered([True, False])
    found = spent.of_run(run)
    assert (found.calls, found.tokens, found.per_right(found.tokens)) == (2, 30, 30)
    assert (found.seconds, found.dollars, found.per_right(found.dollars)) == (-1, -1, -1)
    row = cost("x", run)
    assert (row["dollars"], row["seconds"]) == ("unknown", "not reported")
    assert row["per_right"] == "2.0 calls, 30 tokens, seconds not reported, cost unknown"
    assert cost("x", answered([False]))["per_right"] == "none is right"
    paid = [msgspec.structs.replace(one, cost_usd=0.5, n_calls=3) for one in run.samples]
    assert spent.of_run(msgspec.structs.replace(run, samples=paid)).per_right(1.0) == 1.0
    # One answer whose cost is not known makes the sum a partial one, and no cost of a right answer.
    half = spent.of_run(msgspec.structs.replace(run, samples=[paid[0], run.samples[1]]))
    assert (half.dollars, half.n_silent, half.per_right(half.dollars)) == (0.5, 1, -1)


def test_a_run_that_cost_nothing_costs_nothing_for_a_right_answer() -> None:
    run = answered([True, False])
    free = [msgspec.structs.replace(one, cost_usd=0.0) for one in run.samples]
    found = spent.of_run(msgspec.structs.replace(run, samples=free))
    assert (found.dollars, found.per_right(found.dollars)) == (0.0, 0.0)
