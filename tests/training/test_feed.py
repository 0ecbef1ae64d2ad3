"""A feed gives rows in the order of its parts, waits only for the first, and goes on where it stood."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

import msgspec
import numpy as np
from tests.training.toys import examples, toy_preset

from deskcheck.errors import UserError
from deskcheck.training.data import Rows, concatenate, select
from deskcheck.training.feed import Feed, Place
from deskcheck.training.presets import Stage
from deskcheck.training.stream import Counted, PartPlan, make_part, plan_of, read_part


def toy_part(plan: PartPlan):
    return examples(1000 * plan.stage + plan.number, 10), lambda: Counted(10, 0, 0, 10, 0)


def nothing(plan: PartPlan):
    return [], lambda: Counted(plan.candidates, plan.candidates, 0, 0, 0)


def feed(folder: Path, **changes: Any) -> Feed:
    return Feed(toy_preset(), folder, **{"seed": 1, "workers": 0, "make_examples": toy_part, **changes})


def read(source: Feed, n: int, share: float = 0.0) -> Rows:
    return concatenate([source.batch(step, share) for step in range(n)])


def equal(a: Rows, b: Rows) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def test_rows_are_those_of_the_parts_and_nothing_stays_behind(tmp_path: Path):
    with feed(tmp_path / "a") as one, feed(tmp_path / "b", workers=1) as other:
        here = read(one, 9)
        there = [other.batch(0, 0.0)]  # waits for its first part
        assert other.waited_s > 0
        assert equal(concatenate(there), Rows(*(column[: len(there[0].ids)] for column in here)))
        assert one.report.n_candidates == 10 * one.n_parts
        assert one.n_repeated == 0
    assert not list((tmp_path / "a").iterdir())
    assert not list((tmp_path / "b").iterdir())


def test_once_it_has_settled_nothing_is_made_beside(tmp_path: Path):
    with feed(tmp_path, workers=1) as one:
        one.batch(0, 0.0)
        one.settle()
        assert all(future.done() for _, future in one._under_way)
        assert len(one._under_way) == one.ahead
    with feed(tmp_path) as alone:
        alone.settle()


def test_it_goes_on_at_the_part_after_the_one_that_was_being_read(tmp_path: Path):
    with feed(tmp_path / "a") as whole, feed(tmp_path / "b") as again:
        whole.batch(0, 0.0)
        assert whole.place == Place(0, 1)
        again.go_to(whole.place)
        found = again.batch(0, 0.0)
        plan = msgspec.structs.replace(plan_of(toy_preset(), 0, seed=1, candidates=2000), number=1)
        make_part(plan, str(tmp_path / "part.npz"), toy_part)
        rows, _ = read_part(tmp_path / "part.npz")
        assert equal(found, select(rows, slice(0, len(found.ids))))
        assert again.place == Place(0, 2)


def test_while_no_new_part_is_ready_an_older_one_comes_again(tmp_path: Path):
    with feed(tmp_path) as one:
        first = read(one, 1)
        one._under_way.append((tmp_path / "never", Future()))
        many = read(one, 40)
        assert one.n_repeated > 0
        assert one.n_parts == 1
        assert any(np.array_equal(first.ids[0], row) for row in many.ids)
        one._under_way.clear()


def test_the_share_of_the_run_says_which_stage_is_read(tmp_path: Path):
    stages = (Stage(0.25, {"first": 1.0}), Stage(0.75, {"easy": 1.0}))
    preset = msgspec.structs.replace(toy_preset(), stages=stages)
    seen = []

    def noted(plan: PartPlan):
        seen.append((plan.stage, *plan.families))
        return toy_part(plan)

    with Feed(preset, tmp_path, seed=1, workers=0, make_examples=noted) as one:
        for share in (0.0, 0.2, 0.25, 0.9, 1.0):
            one.batch(0, share)
        assert one.place.stage == 1
    assert sorted(set(seen)) == [(0, "first"), (1, "easy")]


def test_a_stage_without_rows_is_an_error_and_no_endless_loop(tmp_path: Path):
    with feed(tmp_path, make_examples=nothing) as one, pytest.raises(UserError, match="gives no rows"):
        one.batch(0, 0.0)
    with pytest.raises(UserError, match="seeds of training"):
        feed(tmp_path, seed=900_001)
