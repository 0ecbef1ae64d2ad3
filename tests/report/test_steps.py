"""Steps of chains: only the first wrong one is an error; a chain that ended right is no longer at risk."""

from __future__ import annotations

import msgspec
import pytest
from tests.report.test_compare import answered

from deskcheck.report.read import Run
from deskcheck.report.steps import of_run


def chains(*each: tuple[int, str, bool]) -> Run:
    run = answered([right for _, _, right in each])
    samples = [
        msgspec.structs.replace(one, together=together, part=part, cause="arithmetic" if part else "")
        for one, (together, part, _) in zip(run.samples, each, strict=True)
    ]
    return msgspec.structs.replace(run, samples=samples)


def test_a_chain_counts_up_to_its_first_wrong_step() -> None:
    found = of_run(
        chains((10, "", True), (4, "variables", False), (0, "format", False), (2, "variables", True))
    )
    assert found is not None
    assert (found.n_steps, found.n_wrong) == (10 + 5 + 1 + 3, 3)
    assert found.parts == [("variables", 2), ("format", 1)]
    assert (found.wrong_path, found.right) == (1, 2)
    assert found.low != found.low  # four programs: no interval


def test_survival_is_that_of_kaplan_and_meier() -> None:
    # Wrong at step 1 and at step 3; one ends right after 2 steps, two after 10.
    found = of_run(chains((0, "x", False), (2, "x", False), (2, "", True), (10, "", True), (10, "", True)))
    assert found is not None
    after = {k: (n, chance) for k, n, chance in found.survival}
    assert after[1] == (5, pytest.approx(4 / 5))
    assert after[2] == (4, pytest.approx(4 / 5))
    assert after[5] == (2, pytest.approx(4 / 5 * 2 / 3))
    assert after[10] == (2, pytest.approx(4 / 5 * 2 / 3))
    assert 20 not in after


def test_the_error_has_an_interval_clustered_by_program() -> None:
    found = of_run(chains(*[(9, "x" if i % 2 else "", False) for i in range(40)]))
    assert found is not None
    assert found.low < found.error < found.high


def test_runs_without_chains_have_no_steps() -> None:
    assert of_run(answered([True] * 5)) is None
