"""compare: pairs what can be paired, says its detectable difference, and never calls noise a difference."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import msgspec
import pytest

from deskcheck.cell_files import CELL, RESULTS, CellFile, Row, Sampled
from deskcheck.errors import DataError, UserError
from deskcheck.report.compare import (
    _bounds,
    _points,
    as_lines,
    compare,
    select,
    together,
    unpaired,
    verdict,
    write_json,
)
from deskcheck.report.read import Run, told_apart
from deskcheck.result_rows import rows_at


def answered(right: list[bool], *, per_program: int = 1, **row: object) -> Run:
    samples = [
        Sampled(
            task=f"t{index}", sample=0, cluster=f"p{index // per_program}", tags={}, n_steps=5, source="",
            call="f()", prompt=[], text="", chain=[], verdict="right" if ok else "wrong", reason="",
            answer="1", expected="1", policy="strict", finish_reason="stop", n_calls=1, tokens_in=10,
            tokens_out=5,
        )
        for index, ok in enumerate(right)
    ]  # fmt: skip
    named = {"model": "m", "benchmark": "b", "task": "output", "strategy": "s", **row}
    counts = {"right": sum(right), "wrong": len(right) - sum(right), "no_answer": {}}
    shares = {"accuracy": sum(right) / len(right), "interval": [None, None]}
    made = Row(oracle=False, n_tasks=len(right), n_samples=1, **named, **counts, **shares)
    return Run(
        made, "", {}, samples, folder=f"logs/{named['model']}-{named['strategy']}-{named['benchmark']}"
    )


def stored(folder: Path, run: Run) -> Run:
    """Write a run as a finished cell, and return it with its folder."""
    folder.mkdir(parents=True)
    (folder / CELL).write_bytes(msgspec.json.encode(CellFile(run.row, "", run.cell)))
    (folder / RESULTS).write_bytes(b"\n".join(map(msgspec.json.encode, run.samples)) + b"\n")
    return msgspec.structs.replace(run, folder=str(folder))


def test_a_clear_difference_is_called_one_and_noise_is_not() -> None:
    draw = random.Random(3)
    weak = [draw.random() < 0.4 for _ in range(200)]
    strong = [ok or draw.random() < 0.4 for ok in weak]
    (clear,) = compare([answered(strong, model="x")], [answered(weak, model="y")])
    assert clear.is_shown
    assert clear.difference > clear.detectable_difference
    assert verdict(clear).startswith("A is better by")
    (same,) = compare([answered(weak, model="x")], [answered(weak, model="y")])
    assert not same.is_shown
    assert "no difference is shown" in verdict(same)
    assert 0 < same.detectable_difference < 0.05


def test_a_difference_below_the_last_digit_is_plain_zero() -> None:
    assert _bounds(-1e-9, 1e-9) == "[0.0, 0.0]"
    assert _points(-1e-9) == "+0.0"


def test_inputs_of_one_program_are_not_independent_evidence() -> None:
    better = [index % 60 < 12 for index in range(60)]
    (alone,) = compare([answered(better, model="x")], [answered([False] * 60, model="y")])
    (together,) = compare(
        [answered(better, model="x", per_program=3)], [answered([False] * 60, model="y", per_program=3)]
    )
    assert together.p > alone.p
    assert together.high - together.low > alone.high - alone.low


def test_tasks_that_only_one_answered_are_left_out_and_counted() -> None:
    (found,) = compare([answered([True] * 50, model="x")], [answered([True] * 40, model="y")])
    assert (found.n_tasks, found.only_in_a, found.only_in_b) == (40, 10, 0)
    assert any("10 tasks that only A was asked" in line for line in as_lines([found]))


def test_several_comparisons_are_corrected_together() -> None:
    sides = [
        [answered([True] * n + [False] * (60 - n), model=model, benchmark=f"b{k}") for k in range(3)]
        for model, n in (("x", 38), ("y", 30))
    ]
    found = compare(*sides)
    assert [one.benchmark for one in found] == ["b0", "b1", "b2"]
    assert all(one.p_holm == pytest.approx(min(1, 3 * one.p)) for one in found[:1])


def test_two_strategies_are_paired_within_each_model() -> None:
    a = [answered([True] * 30, model=model, strategy="cot") for model in ("x", "y")]
    b = [answered([False] * 30, model=model, strategy="vanilla") for model in ("x", "y")]
    assert [(one.a.model, one.b.model) for one in compare(a, b)] == [("x", "x"), ("y", "y")]


def test_what_cannot_be_paired_is_refused_with_what_there_is() -> None:
    runs = [
        answered([True] * 5, model=model, strategy=s) for model, s in (("x", "1"), ("x", "2"), ("y", "1"))
    ]
    with pytest.raises(UserError, match="model=x,strategy=2"):
        compare(runs, [answered([True] * 5, model="z", strategy="3")])
    with pytest.raises(UserError, match="nothing to pair"):
        compare([answered([True], benchmark="b")], [answered([True], benchmark="c")])
    with pytest.raises(UserError, match="same run"):
        compare(runs[:1], runs[:1])


def test_answers_graded_against_different_truths_are_refused() -> None:
    other = answered([True] * 5, model="y")
    other.samples[3] = msgspec.structs.replace(other.samples[3], expected="2")
    with pytest.raises(DataError, match="different truths"):
        compare([answered([True] * 5, model="x")], [other])


def test_under_five_programs_nothing_is_decided(tmp_path: Path) -> None:
    found = compare([answered([True] * 4, model="x")], [answered([False] * 4, model="y")])
    assert math.isnan(found[0].detectable_difference)
    assert verdict(found[0]).startswith("undecided")
    write_json(found, tmp_path / "c.json")
    assert json.loads((tmp_path / "c.json").read_text())["comparisons"][0]["detectable_difference"] is None


def test_so_few_programs_that_no_signs_could_differ_are_said() -> None:
    # Of five programs the least p there can be is 2 / 2**5, of six 2 / 2**6, three times that for three.
    (alone,) = compare([answered([True] * 5, model="x")], [answered([False] * 5, model="y")])
    assert alone.p == pytest.approx(0.0625) and math.isinf(alone.detectable_difference)
    assert "5 programs are too few to show any difference" in verdict(alone)
    (six,) = compare([answered([True] * 6, model="x")], [answered([False] * 6, model="y")])
    assert six.is_shown and math.isfinite(six.detectable_difference)
    assert "among 3 comparisons" in verdict(together([six] * 3)[0])


def test_looking_at_more_raises_what_can_be_seen() -> None:
    right = [index % 3 == 0 for index in range(60)]
    (one,) = compare([answered(right, model="x")], [answered([False] * 60, model="y")])
    assert together([one] * 4)[0].detectable_difference > 1.1 * one.detectable_difference


def test_a_p_value_that_the_interval_does_not_bear_out_is_said() -> None:
    (one,) = compare([answered([True] * 30, model="x")], [answered([False] * 30, model="y")])
    torn = msgspec.structs.replace(one, low=-0.01)
    assert "the interval reaches 0" in verdict(torn)
    assert "clustered by program" in as_lines([one])[-1]


def test_a_place_is_narrowed_by_what_follows_the_colon(tmp_path: Path) -> None:
    for strategy in ("cot", "vanilla"):
        stored(tmp_path / strategy, answered([True] * 5, strategy=strategy))
    assert [run.row.strategy for run in select(f"{tmp_path}:strategy=cot")] == ["cot"]
    assert len(select(str(tmp_path))) == 2
    with pytest.raises(UserError, match="there are:"):
        select(f"{tmp_path}:strategy=iip")
    assert [run.row.strategy for run in select(f"{tmp_path}:policy=strict,strategy=cot")] == ["cot"]
    with pytest.raises(UserError, match="known: benchmark, folder, model"):
        select(f"{tmp_path}:colour=red")
    with pytest.raises(UserError, match="set apart by commas"):
        select(f"{tmp_path}:strategy=cot:policy=strict")


def test_every_printed_label_selects_its_run(tmp_path: Path) -> None:
    options = ({}, {"perturb": "rename"}, {"perturb": "rename"})
    for at, chosen in enumerate(options):
        run = answered([True] * 5, strategy="line-1(max_steps=60)")
        cell = {"options": chosen, "version": str(at)}
        stored(tmp_path / f"l{at}", msgspec.structs.replace(run, cell=cell))
    for folder, label in told_apart(select(str(tmp_path))).items():
        assert [run.folder for run in select(f"{tmp_path}:strategy={label}")] == [folder], label
    assert len(select(f"{tmp_path}:perturb=as it comes")) == 1
    assert len(select(f"{tmp_path}:folder=l1")) == 1
    with pytest.raises(UserError, match="there are:"):
        select(f"{tmp_path}:strategy=line-1(perturb=rename)")  # without the run's own setting


def test_answers_that_a_folder_holds_twice_count_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, fewer = answered([True, False, True, True]), answered([True, False])
    stored(tmp_path / "one", run)
    stored(tmp_path / "study/one", fewer)
    stored(tmp_path / "again/one", run)
    assert [run.folder for run in select(str(tmp_path))] == [str(tmp_path / "one")]
    assert len(rows_at(tmp_path)) == 4
    said = capsys.readouterr().err
    assert said.count("count once") == 2 and f"{tmp_path / 'study/one'} holds answers" in said
    stored(tmp_path / "other/one", answered([False] * 4))  # other answers
    stored(tmp_path / "elsewhere/one", answered([True, False], model="n"))
    assert len(select(str(tmp_path))) == 3
    labels = told_apart(select(f"{tmp_path}:model=m"))
    assert len(set(labels.values())) == 2
    assert all(select(f"{tmp_path}:strategy={label}")[0].folder == folder for folder, label in labels.items())


def test_what_is_unequal_about_two_sides_is_said() -> None:
    one, other = answered([True] * 40, model="x"), answered([False] * 40, model="y")
    one = msgspec.structs.replace(one, facts={"versions": {"deskcheck": "1"}})
    (same,) = compare([one], [other])  # the versions of the other are not known
    assert same.unequal == [] and not any("graded by" in line for line in as_lines([same]))
    lenient = [msgspec.structs.replace(sample, policy="lenient") for sample in other.samples]
    twice = msgspec.structs.replace(other.row, n_samples=2)
    other = msgspec.structs.replace(other, samples=lenient, row=twice, facts={"versions": {"deskcheck": "0"}})
    (found,) = compare([one], [other])
    assert found.unequal == [
        "graded by strict and by lenient",
        "1 and 2 samples a task",
        "run by different versions (see the run.versions of both)",
    ]
    assert all(any(reason in line for line in as_lines([found])) for reason in found.unequal)


def test_a_run_without_a_partner_is_named() -> None:
    one, other = answered([True] * 40, strategy="cot"), answered([False] * 40, strategy="cot", model="y")
    alone = answered([True] * 40, strategy="line-1")
    elsewhere = answered([True] * 40, strategy="cot", benchmark="c", model="y")
    assert unpaired([one], [other]) == ""
    assert unpaired([one, alone], [other, elsewhere]) == (
        "  model=m,strategy=line-1,benchmark=b,task=output\n  model=y,strategy=cot,benchmark=c,task=output"
    )
