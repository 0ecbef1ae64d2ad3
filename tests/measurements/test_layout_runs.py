"""Layouts are compared at equal compute, on programs that no run has seen, and what was not run says so."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

import msgspec

from deskcheck import plugins
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import program_copy
from deskcheck.errors import UserError
from deskcheck.models.tiny import Request
from deskcheck.records import Completion, Granularity
from deskcheck.states.jumps import landing
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import steps
from deskcheck.tracing.access import has_native
from deskcheck.training import stream
from deskcheck.training.data import split_prompt
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.scores.held_out import chain_settings
from deskcheck.training.stream import PartPlan
from deskcheck.training.tokenizer import PLAIN_SIZE, WIDE_SIZE
from layout_study import digits
from layout_study import inputs as layout_inputs
from layout_study import plan as layout_plan
from layout_study import programs as layout_programs
from layout_study import runs as layouts
from layout_study import sets as layout_sets
from layout_study import tables as layout_table
from layout_study.baselines import commonest_outcome
from layout_study.plan import (
    Comparison,
    Machine,
    operations,
    preset_of,
    read_plan,
    row_operations,
    rows_for,
    shape_of,
)
from layout_study.programs import (
    HELD_OUT_SEED,
    Examples,
    TrainingPrograms,
    fine,
    programs_of,
    scored_on,
)
from layout_study.runs import Result
from layout_study.scores import (
    MAX_TOKENS,
    STEPWISE,
    HeldOut,
    LayoutScores,
    ProgramScore,
    layout_ends,
    layout_steps,
    parts,
    score,
    true_ends,
    whole_programs,
)
from layout_study.set_tables import input_text
from layout_study.tables import baselines, differences, rows, text

FINE = ("sub", "expression-1", "instruction-1", "instruction-n", "adaptive")
LAYOUTS = [name for name in MAX_TOKENS if has_native() or name not in FINE]
SMALL = Comparison(
    layouts=("direct", "line-1"), seeds=(0, 1), flops=2e8, rates=(0.004,), n_held_out=8, hidden=16
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of few programs; the forms of shipped evaluations have tests of their own."""
    monkeypatch.setattr(stream, "CANDIDATES_PER_PART", 60)
    monkeypatch.setattr(layout_programs, "program_copy", lambda program: None)


class Gold:
    """Knows the text of every question about some programs, but for the steps in `wrong`."""

    def __init__(self, layout: str, held_out: Any, wrong: dict[int, str] | None = None) -> None:
        write = plugins.load("representation", layout)
        self.texts: dict[str, str] = {}
        for one in held_out:
            for number, (body, target) in enumerate(jumps(layout, one)):
                head = split_prompt(write.render(one.trace, one.program)[0].prompt)[0]
                self.texts[head + body] = (wrong or {}).get(number, target)
            for e in write.render(one.trace, one.program):
                self.texts[e.prompt] = (wrong or {}).get(e.step, e.target)

    def generate(self, requests: list[Request]) -> list[Completion]:
        texts = [self.texts.get(one.head + one.body, "?") for one in requests]
        return [Completion(one, "stop", n_tokens_out=len(one)) for one in texts]


def jumps(layout: str, one: Any) -> list[tuple[str, str]]:
    """The questions that a chain of a layout with jumps asks, from every state, and their answers."""
    write = plugins.load("representation", layout)
    if layout in ("line-n", "instruction-n"):
        skip = int(chain_settings(layout, 1).skip)
        run = list(steps(one.trace, granularity=fine(layout)))
        return [
            (write.body(state, skip), str(landing(run, number, skip)))
            for number, (state, _, _) in enumerate(run)
        ]
    if layout == "debugger":
        run = list(steps(one.trace))
        return [
            (write.body(state, "over"), str(write.stop(run, number, "over")))
            for number, (state, _, _) in enumerate(run)
        ]
    return []


def some(n: int, layout: str = "line-1") -> tuple[HeldOut, ...]:
    return programs_of("digits", 900_100, n, fine(layout))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_model_without_mistakes_is_right_in_every_part(layout: str):
    held_out = some(12, layout)
    found = score(Gold(layout, held_out), layout, held_out)
    assert all(one.right and one.is_finished for one in found.programs)
    assert [one.id for one in found.programs] == [one.program.id for one in held_out]
    for step in found.steps:
        assert step.whole
        assert False not in (step.line, step.names, step.values, step.iterators, step.stack, step.outcome)
    if layout in ("adaptive", "cwm"):
        assert found.steps == []
    elif layout == "direct":
        assert len(found.steps) == 12
    elif layout in STEPWISE:
        n = sum(len(plugins.load("representation", layout).keeps(one.trace)) for one in held_out)
        assert len(found.steps) == n
    else:
        assert len(found.steps) == sum(len(true_ends(one.trace)) for one in held_out)


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout in STEPWISE])
def test_one_wrong_step_breaks_the_chain_and_costs_one_step(layout: str):
    held_out = some(12, layout)
    first = 0 if layout in ("line-n", "instruction-n") else 1  # the chain is asked about its first jump
    found = score(Gold(layout, held_out, {first: "@2 | q=7"}), layout, held_out)
    assert not any(one.right for one in found.programs)
    assert sum(not step.whole for step in found.steps) == 12


@pytest.mark.skipif(not has_native(), reason="the tracer in C is not built")
def test_the_value_stack_and_the_instruction_are_parts_of_their_own():
    (one,) = some(1, "instruction-1")
    ends = layout_ends("instruction-1", one.trace)
    number = next(n for n, (_, true) in enumerate(ends) if "^1=" in str(true))
    before, true = ends[number]
    right = parts(before, true, true, "form")
    assert (right.line, right.stack, right.values, right.whole) == (True, True, None, True)
    text = str(true)
    other = read_state(text.replace("^1=", "^1=7"))
    assert parts(before, true, other, "form").stack is False
    moved = read_state(f"@{text[1:].split('.')[0]}.9998 |{text.split('|', 1)[1]}")
    assert parts(before, true, moved, "form").line is False
    assert parts(before, true, moved, "form").stack is True


def test_the_parts_of_a_step_are_told_apart():
    before = read_state("@2 | a=3; b=9")

    def of(said: str) -> tuple[object, ...]:
        found = parts(before, read_state("@3 | a=3; b=2"), STEPWISE["line-1"](before, said), "form")
        return found.line, found.names, found.values, found.whole

    assert of("@3 | b=2") == (True, True, True, True)
    assert of("@4 | b=2") == (False, True, True, False)
    assert of("@3 | b=1") == (True, True, False, False)
    assert of("@3 | a=2") == (True, False, False, False)
    assert of("<- 2") == (False, False, False, False)
    last = parts(before, read_step("<- 9"), read_step("<- 3"), "form")
    assert (last.line, last.names, last.outcome) == (True, None, False)


def test_every_layout_gets_the_same_compute_and_fewer_programs_where_it_writes_more(tmp_path: Path):
    small = msgspec.structs.replace(SMALL, flops=5e8, row_length=256)
    shape = shape_of(small)
    programs = {}
    for layout in ("direct", "compact", "line-1"):
        found, programs[layout] = rows_for(small, layout, 0, tmp_path, say=print)
        spent = operations(found, shape).sum()
        assert small.flops - 4.2 * operations(found, shape).max() < spent <= small.flops
        assert len(found.ids) % small.rows_per_step == 0
    assert programs["direct"] > programs["compact"] > programs["line-1"]
    with pytest.raises(UserError, match="less than one step"):
        rows_for(msgspec.structs.replace(small, flops=1e6), "direct", 0, tmp_path / "none", say=print)


def test_rows_that_are_too_short_are_said_once(tmp_path: Path):
    said: list[str] = []
    short = msgspec.structs.replace(SMALL, row_length=128, layouts=("scratchpad",))
    for _ in range(2):
        rows_for(short, "scratchpad", 0, tmp_path, say=said.append)
    assert len(said) == 1
    assert said[0].startswith("scratchpad, seed 0: ")


def test_operations_are_those_of_matrices_attention_and_scores():
    shape = shape_of(SMALL)
    matrices = 3 * (4 * 16 * 16 + 3 * 16 * 40)
    assert row_operations(shape) == 6 * matrices * 160 + 3 * (2 * 2 * 160 * 160 * 16 * 3)


def test_no_training_program_has_the_form_of_a_held_out_one(monkeypatch: pytest.MonkeyPatch):
    held_out = programs_of("digits", HELD_OUT_SEED, 8, Granularity.LINE)
    assert {one.form for one in held_out} <= layout_programs.kept_out("digits", (HELD_OUT_SEED,), 8)
    forms = frozenset(normal_form(digits.candidate(seed=0, number=n).source) for n in range(5))
    monkeypatch.setattr(layout_programs, "kept_out", lambda source, seeds, n: forms)
    preset = preset_of(SMALL, "direct", 0.0)
    plan = PartPlan(0, 0, {"digits": 1.0}, preset.mix, 0, 128, candidates=20)
    examples, counts = Examples(SMALL)(plan)
    n_made = len(list(examples))
    assert counts()[0] == 20
    assert counts()[2] >= 5
    assert n_made == counts()[3] == 20 - counts()[2]


def result(layout: str, seed: int, n_right: int, earlier: int = 0) -> Result:
    held_out = some(40)
    found = score(Gold(layout, held_out[:n_right]), layout, held_out)
    before = score(Gold(layout, held_out[:earlier]), layout, held_out)
    return Result(layout, seed, 0.004, 1e9, 10_000, 900, 100, 9, found, layouts.Half(500, before), 1.0)


def test_the_tables_pool_seeds_pair_programs_and_say_what_was_not_run():
    comparison = msgspec.structs.replace(SMALL, layouts=("direct", "line-1", "compact"), seeds=(0, 1, 2))
    results = [result("direct", 0, 10, 4), result("direct", 1, 14, 4), result("line-1", 0, 30, 20)]
    direct, _, compact = rows(results, comparison)
    assert direct.whole is not None
    assert (direct.whole.mean, direct.by_seed) == (0.3, {0: 0.25, 1: 0.35})
    assert direct.equal_programs is not None
    assert direct.equal_programs.mean == 0.1
    assert compact.whole is None
    (found,) = differences(results, comparison)
    assert (found.first, found.second, found.points.mean, found.n_seeds) == ("line-1", "direct", 0.5, 1)
    held_out = some(40)
    written = text(results, comparison, baselines(held_out, commonest_outcome(held_out)))
    assert "| direct | 30.0 | " in written
    assert "25.0, 35.0, not run" in written
    assert "| compact | not run |" in written
    assert "line-1 minus direct: +50.0 points [" in written
    assert "| majority answer |" in written
    assert "| driver alone | true state |" in written


def test_a_finished_run_is_read_and_another_plan_is_refused(tmp_path: Path):
    layouts.begin(SMALL, tmp_path)
    assert read_plan(tmp_path) == SMALL
    with pytest.raises(UserError, match="another run"):
        layouts.begin(msgspec.structs.replace(SMALL, flops=1e9), tmp_path)
    with pytest.raises(UserError, match="layout 'diff' cannot be compared; known: direct"):
        layouts.begin(msgspec.structs.replace(SMALL, layouts=("diff",)), tmp_path / "other")
    done = result("direct", 0, 10)
    (tmp_path / "direct-seed-0").mkdir()
    (tmp_path / "direct-seed-0" / layouts.RESULT).write_bytes(msgspec.json.encode(done))
    assert layouts.run_one(SMALL, "direct", 0, tmp_path, rate=1.0, machine=Machine(), say=print) == done
    assert layouts.run_all(SMALL, tmp_path, until=0.0) == [done]


@pytest.mark.slow
def test_two_layouts_from_programs_to_tables(tmp_path: Path):
    pytest.importorskip("torch", reason="needs the extra 'train'")
    small = msgspec.structs.replace(SMALL, rates=(0.002, 0.004), seeds=(0,), points=(0.5,), flops=2e9)
    found = layouts.run_all(small, tmp_path)
    assert [one.layout for one in found] == ["direct", "line-1"]
    assert all(one.flops <= small.flops for one in found)
    assert found[0].equal_programs is not None
    assert found[1].equal_programs is None
    assert {path.name for path in tmp_path.glob("tuned-*")} == {"tuned-direct.json", "tuned-line-1.json"}
    for one in found:
        (point,) = one.points
        assert 0.4 < point.flops / one.flops < 0.6
        assert len(point.programs) == small.n_held_out
    assert layouts.before(small, tmp_path) == {}
    assert [one.name for one in layouts.models(small, tmp_path)] == ["direct", "line-1"]


@pytest.mark.slow
def test_an_interrupted_run_goes_on_to_the_same_weights(tmp_path: Path):
    pytest.importorskip("torch", reason="needs the extra 'train'")
    from deskcheck.training import trainer

    small = msgspec.structs.replace(SMALL, layouts=("direct",), seeds=(0,), flops=2e9)
    found = [layouts.run_all(small, tmp_path / "whole")]
    rows, _ = rows_for(small, "direct", 0, tmp_path / "cut", say=print)
    folder = tmp_path / "cut" / "direct-seed-0"
    folder.mkdir()
    preset = preset_of(small, "direct", small.rates[0])
    stopped = trainer.run(preset, rows, folder, seed=0, threads=1, save_steps=10**9, stop_after=4)
    assert stopped.interrupted
    found.append(layouts.run_all(small, tmp_path / "cut"))
    whole, cut = (
        read_weights(str(layouts.last_weights(one[0], tmp_path / name)))
        for one, name in zip(found, ("whole", "cut"), strict=True)
    )
    assert all((whole[name] == cut[name]).all() for name in whole)
    steps_logged = [json.loads(line)["step"] for line in (folder / "train.jsonl").read_text().splitlines()]
    assert steps_logged[-1] == found[1][0].n_steps


@pytest.mark.slow
def test_runs_from_trained_weights_are_asked_about_everything(tmp_path: Path):
    pytest.importorskip("torch", reason="needs the extra 'train'")
    small = Comparison(
        layouts=("direct", "line-1", "line-1+plain"), seeds=(0,), flops=5e10, rates=(1e-9,), programs="easy",
        n_held_out=5, row_length=256, rows_per_step=1, start_from="tiny",
        weights_sha256=layout_plan.digest_of("tiny"), max_chain=20,
    )  # fmt: skip
    found = layouts.run_all(small, tmp_path)
    before = layouts.before(small, tmp_path)
    assert list(before) == ["direct", "line-1"]  # nothing was asked in words that the weights do not know
    for one in found[:2]:  # at a rate of nothing the weights are what they were, but for fp16
        assert [p.right for p in one.scores.programs] == [p.right for p in before[one.layout].programs]
    asked = layouts.models(small, tmp_path)
    names = ["before tuning, direct", "before tuning, line-1", "direct", "line-1", "line-1+plain"]
    assert [one.name for one in asked] == names
    real = layout_sets.ask(asked, "real", tmp_path, n=4, majority="<- 0")
    assert [one.name for one in real][:5] == names
    assert real[0].scores.programs == real[2].scores.programs
    inputs = layout_inputs.ask_inputs(small, layouts.starts(small, tmp_path), tmp_path)
    assert [one.name for one in inputs] == ["before tuning", "direct", "line-1", "line-1+plain"]
    assert "| before tuning |" in input_text(inputs, 0.1, [])


def test_a_share_of_the_training_candidates_can_be_drills():
    half = msgspec.structs.replace(SMALL, programs="easy", drills=0.5)
    counts: Counter[str] = Counter()
    preset = preset_of(half, "line-1", 0.1)
    plan = stream.plan_of(preset, 0, seed=0, candidates=60)
    fit = TrainingPrograms(half).of_part(plan, Granularity.EXPRESSION, counts)
    origins = [program.origin for _, program, _ in fit]
    assert 10 < origins.count("generated:drill") < 45
    assert counts.total() == 60
    assert all(held.program.origin != "generated:drill" for held in scored_on(half, Granularity.LINE))


def test_runs_go_on_from_trained_weights_whose_size_and_words_they_have():
    pytest.importorskip("onnx", reason="needs the extra 'train'")
    tuned = msgspec.structs.replace(SMALL, programs="easy", start_from="tiny", row_length=96)
    base = read_shape("tiny")
    assert shape_of(tuned) == msgspec.structs.replace(base, trained_length=96)
    wider = msgspec.structs.replace(tuned, layouts=("direct", "sub"))
    assert shape_of(wider).vocabulary == max(WIDE_SIZE, base.vocabulary)
    assert preset_of(tuned, "direct", 0.1).shape.last_digit_first is base.last_digit_first


def test_other_weights_under_the_same_name_are_another_comparison(tmp_path: Path):
    pytest.importorskip("onnx", reason="needs the extra 'train'")
    found = layout_plan.digest_of("tiny")
    assert len(found) == 16
    tuned = msgspec.structs.replace(SMALL, programs="easy", start_from="tiny", weights_sha256=found)
    layouts.begin(tuned, tmp_path)
    with pytest.raises(UserError, match="are not those that the runs began with"):
        layouts.begin(msgspec.structs.replace(tuned, weights_sha256="0" * 16), tmp_path / "other")


def test_trained_weights_are_scored_on_forms_that_no_training_of_ours_has():
    tuned = msgspec.structs.replace(SMALL, programs="easy", start_from="tiny")
    assert all(program_copy(one.program) for one in scored_on(tuned, Granularity.LINE))
    assert not any(program_copy(one.program) for one in scored_on(SMALL, Granularity.LINE))


def test_the_way_of_the_runs_pairs_programs_share_by_share():
    held_out = programs_of("digits", 900_100, 10, Granularity.LINE)

    def right(n: int) -> list[ProgramScore]:
        return [
            ProgramScore(one.form, one.program.id, number < n, True, 1) for number, one in enumerate(held_out)
        ]

    def run(layout: str, n: int, earlier: int) -> Result:
        found = LayoutScores(layout, right(n), [], 0.0)
        points = [layouts.Point(0.5, 5e7, 400, right(earlier))]
        return Result(layout, 0, 0.004, 1e8, 10, 90, 800, 9, found, None, 1.0, points)

    results = [run("direct", 4, 3), run("line-1", 9, 5)]
    before = {layout: LayoutScores(layout, right(2), [], 0.0) for layout in SMALL.layouts}
    way = layout_table.on_the_way(results, SMALL, before)
    assert [one.share for one in way] == [0.0, 0.5, 1.0]
    assert [round(one.differences[0].points.mean, 9) for one in way] == [0.0, 0.2, 0.5]
    assert [one.by_layout["line-1"].mean for one in way] == [0.2, 0.5, 0.9]
    assert [one.tokens["direct"] for one in way] == [0, 400, 800]
    written = text(results, SMALL, [], before)
    assert "| before tuning, line-1 | 20.0 |" in written
    assert "| 5e+07 | 400 | 30.0 | 50.0 | +20.0 [" in written


def test_a_run_with_larger_literals_is_the_same_layout_in_other_tokens(tmp_path: Path):
    pytest.importorskip("onnx", reason="needs the extra 'train'")
    both = msgspec.structs.replace(SMALL, layouts=("line-1", "line-1+plain"), row_length=200, flops=4e9)
    layout_plan.begin(both, tmp_path)
    assert shape_of(both, "line-1+plain").vocabulary == PLAIN_SIZE > shape_of(both, "line-1").vocabulary
    spelled, n_spelled = rows_for(both, "line-1", 0, tmp_path, say=print)
    plain, n_plain = rows_for(both, "line-1+plain", 0, tmp_path, say=print)
    for variant, found in (("line-1", spelled), ("line-1+plain", plain)):
        spent = operations(found, shape_of(both, variant))
        assert spent.sum() <= both.flops < spent.sum() + 4.2 * spent.max()
    assert int(spelled.ids.max()) < WIDE_SIZE
    assert n_plain < n_spelled  # more scores a token: fewer programs for the same compute
    tuned = msgspec.structs.replace(both, programs="easy", start_from="tiny")
    assert shape_of(tuned, "line-1+plain").last_digit_first is False


class Forever:
    """Stays where it is, and keeps the questions."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def generate(self, requests: list[Request]) -> list[Completion]:
        self.asked += requests
        return [Completion("@2", "stop", n_tokens_out=2) for _ in requests]


@pytest.mark.parametrize(("layout", "per_line"), [("line-1", 1), ("expression-1", 4)])
def test_a_chain_that_does_not_end_is_left_and_wrong(layout: str, per_line: int):
    model = Forever()
    found = whole_programs(model, layout, some(3), max_steps=5)
    assert len(model.asked) == 3 * 5 * per_line
    assert {one.max_tokens for one in model.asked} == {MAX_TOKENS[layout]}
    assert [(one.right, one.is_finished, one.n_tokens) for one in found] == 3 * [
        (False, False, 10 * per_line)
    ]


def test_of_very_many_steps_every_so_many_is_asked():
    model = Forever()
    held_out = some(6)
    n = sum(len(layout_ends("line-1", one.trace)) for one in held_out)
    found, _ = layout_steps(model, "line-1", held_out, most=n // 2)
    assert n // 4 < len(found) == len(model.asked) <= n // 2


def test_programs_are_paired_by_what_they_are_not_by_their_place():
    def programs(right: dict[str, bool]) -> list[ProgramScore]:
        return [ProgramScore(f"form-{name}", name, ok, True, 1) for name, ok in right.items()]

    first = programs({"a": True, "b": True, "c": False})
    second = programs({"c": True, "a": False})  # one could not be had as finely
    assert layout_table.paired(first, second) == [(1.0, 0.0, "form-a"), (0.0, 1.0, "form-c")]


def test_every_layout_that_can_be_trained_can_be_compared():
    assert set(MAX_TOKENS) == set(plugins.names("representation"))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_every_layout_are_made_for_the_compute(layout: str, tmp_path: Path):
    one = msgspec.structs.replace(
        SMALL, layouts=(layout,), row_length=1200, rows_per_step=1, flops=1.5e9, layers=1, max_steps=2
    )
    layout_plan.begin(one, tmp_path)
    found, n_programs = rows_for(one, layout, 0, tmp_path, say=print)
    spent = operations(found, shape_of(one))
    assert spent.sum() <= one.flops < spent.sum() + spent.max()
    assert n_programs > 0
    assert found.loss.any()
