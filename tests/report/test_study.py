"""A study: effects per model and pooled, costs beside them; its file is checked before anything runs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.report.test_compare import answered

from deskcheck.errors import UserError
from deskcheck.evaluation.study import read_study
from deskcheck.report.charts import cost_chart
from deskcheck.report.read import Run, told_apart
from deskcheck.report.study import as_lines, costs, effects


def run(
    model: str, strategy: str, right: int, *, tokens: int = 15, settings: dict[str, object] | None = None
) -> Run:
    made = answered([index < right for index in range(60)], model=model, strategy=strategy)
    samples = [msgspec.structs.replace(one, tokens_out=tokens - 10) for one in made.samples]
    folder = f"{model}/{strategy}/{settings}"
    return msgspec.structs.replace(made, samples=samples, folder=folder, cell={"knobs": settings or {}})


RUNS = [
    run("x", "vanilla", 20), run("y", "vanilla", 30), run("z", "vanilla", 10),
    run("x", "cot", 35, tokens=200), run("y", "cot", 45, tokens=210), run("z", "cot", 26, tokens=190),
    run("x", "iip-dynamic", 30, tokens=205), run("y", "iip-dynamic", 31, tokens=900),
]  # fmt: skip


def test_each_strategy_is_set_against_the_baseline_within_each_model() -> None:
    cot, iip = effects(RUNS, baselines=["vanilla"])
    assert [one.a.model for one in cot.models] == ["x", "y", "z"]
    assert [round(60 * one.difference) for one in cot.models] == [15, 15, 16]
    assert cot.pooled is None
    assert any(
        "mean of these 3 models +25.6 points, largest +26.7 (z); not pooled: 3 models; 5 with an" in line
        for line in as_lines(RUNS, baselines=["vanilla"])
    )
    assert [one.a.model for one in iip.models] == ["x", "y"]


def test_an_effect_is_pooled_over_five_models() -> None:
    rights = ((20, 35), (30, 45), (10, 26), (22, 30), (25, 38))
    runs = [
        run(name, strategy, right)
        for name, pair in zip("vwxyz", rights, strict=True)
        for strategy, right in zip(("vanilla", "cot"), pair, strict=True)
    ]
    (cot,) = effects(runs, baselines=["vanilla"])
    assert cot.pooled is not None and cot.pooled.n == 5
    assert cot.pooled.low < 13.4 / 60 < cot.pooled.high
    lines = "\n".join(as_lines(runs, baselines=["vanilla"]))
    assert "pooled over 5 models" in lines and "largest +26.7 (x)" in lines
    (four,) = effects(runs[2:], baselines=["vanilla"])
    assert four.pooled is None


def test_each_run_is_compared_with_the_baseline_of_its_own_effort_and_options() -> None:
    def cell(strategy: str, right: int, effort: str, statement: str) -> Run:
        made = run("x", strategy, right)
        said = {"options": {"statement": statement}, "generation": {"effort": effort}}
        return msgspec.structs.replace(made, cell=said, folder=f"{strategy}/{effort}/{statement}")

    sides = [("low", "en", 10), ("high", "en", 20), ("low", "zh", 5), ("high", "zh", 7)]
    runs = [cell(s, right + 5 * (s == "cot"), *place) for s in ("vanilla", "cot") for *place, right in sides]
    found = [one for one in effects(runs, baselines=["vanilla"]) if one.strategy.startswith("cot")]
    assert [round(60 * one.models[0].difference) for one in found] == [5, 5, 5, 5]
    assert [(one.strategy[4:], one.baseline[8:]) for one in found] == [
        (f"effort={e}, statement={s})", f"effort={e}, statement={s})") for e, s, _ in sides
    ]


def test_with_several_baselines_each_pair_is_compared_once() -> None:
    found = effects(RUNS, baselines=["vanilla", "cot"])
    assert [(one.strategy, one.baseline) for one in found] == [
        ("cot", "vanilla"),
        ("iip-dynamic", "vanilla"),
        ("iip-dynamic", "cot"),
    ]


def test_a_model_with_other_arguments_is_another_model() -> None:
    """Each is set against its own baseline."""

    def asked(path: str, strategy: str, right: int) -> Run:
        made = run("x", strategy, right)
        return msgspec.structs.replace(
            made, cell={"model_args": {"path": path}, "knobs": {}}, folder=f"{path}/{strategy}"
        )

    runs = [
        asked(path, strategy, right)
        for path, strategy, right in (
            ("a", "vanilla", 20), ("a", "cot", 30), ("b", "vanilla", 40), ("b", "cot", 45),
        )
    ]  # fmt: skip
    (cot,) = effects(runs, baselines=["vanilla"])
    assert [(one.a.model, round(60 * one.difference)) for one in cot.models] == [
        ("x(path=a)", 10),
        ("x(path=b)", 5),
    ]
    assert cot.strategy == "cot"
    assert {cost.model for cost in costs(runs)} == {"x(path=a)", "x(path=b)"}


def test_of_two_baselines_the_first_counts_and_is_named() -> None:
    runs = [
        run("x", "few-shot", 20, settings={"shots": 1}),
        run("x", "few-shot", 25, settings={"shots": 3}),
        run("x", "cot", 40),
    ]
    three, cot = effects(runs, baselines=["few-shot"])
    assert (three.strategy, three.baseline) == ("few-shot(shots=3)", "few-shot(shots=1)")
    assert [round(60 * one.difference) for one in cot.models] == [20]
    assert any("cot minus few-shot(shots=1)" in line for line in as_lines(runs, baselines=["few-shot"]))


def test_p_values_of_a_study_are_corrected_over_all_that_it_prints() -> None:
    models = [one for effect in effects(RUNS, baselines=["vanilla"]) for one in effect.models]
    assert {one.n_tests for one in models} == {5}
    assert all(one.p_holm >= one.p for one in models)
    assert min(one.p_holm for one in models) == pytest.approx(5 * min(one.p for one in models))
    assert "after Holm over 5" in "\n".join(as_lines(RUNS, baselines=["vanilla"]))


def test_one_model_alone_is_not_pooled() -> None:
    (cot,) = effects(RUNS[0:1] + RUNS[3:4], baselines=["vanilla"])
    assert cot.pooled is None


def test_an_iterative_row_says_whether_a_fair_one_costs_as_much() -> None:
    found = {(cost.model, cost.strategy): cost for cost in costs(RUNS)}
    assert found["x", "iip-dynamic"].alike == ["cot"]
    assert found["y", "iip-dynamic"].alike == []
    lines = "\n".join(as_lines(RUNS, baselines=["vanilla"]))
    assert "at the same cost: cot" in lines
    assert "no cot or self-consistency within 10 % of its tokens" in lines


def test_unreported_tokens_are_unknown_and_never_zero() -> None:
    odd = run("x", "vanilla", 20)
    odd.samples[3] = msgspec.structs.replace(odd.samples[3], tokens_in=-1)
    (cost,) = costs([odd])
    assert cost.tokens == 15, "the mean is of those that reported theirs"
    odd.samples[:] = [msgspec.structs.replace(one, tokens_in=-1) for one in odd.samples]
    (cost,) = costs([odd])
    assert cost.tokens == -1
    assert cost_chart([cost], "tokens") == ""


def test_two_runs_of_one_strategy_are_told_apart_by_their_settings() -> None:
    pair = [run("x", "line-1", 3, settings={"max_steps": n}) for n in (5, 20)]
    assert list(told_apart(pair).values()) == ["line-1(max_steps=5)", "line-1(max_steps=20)"]


def test_two_runs_that_differ_in_anything_else_are_told_apart_by_it() -> None:
    def cell(number: int, **more: object) -> Run:
        cell = {"generation": {"temperature": 0.5 if number else -1.0}, "model_args": {"path": "a"}, **more}
        return msgspec.structs.replace(run("x", "cot", 3), cell=cell, folder=f"logs/{number}")

    names = told_apart([cell(0), cell(1)])
    assert list(names.values()) == ["cot(temperature=-1)", "cot(temperature=0.5)"]
    assert list(told_apart([cell(0), msgspec.structs.replace(cell(0), folder="logs/7")]).values()) == [
        "cot(folder=0)", "cot(folder=7)",
    ]  # fmt: skip
    newer = msgspec.structs.replace(cell(1, version="2"), folder="logs/8")
    assert list(told_apart([cell(1, version="1"), newer]).values()) == ["cot(version=1)", "cot(version=2)"]
    assert told_apart([cell(0), run("y", "cot", 3)])["logs/0"] == "cot"


def test_the_picture_holds_every_run_and_no_markup_of_a_name() -> None:
    found = costs([*RUNS, run("<b>", "vanilla", 5)])
    picture = cost_chart(found, "tokens")
    assert picture.count("<circle") == len(found) + 4  # one each, and a legend of four models
    assert "<b>" not in picture


def write(folder: Path, text: str) -> str:
    path = folder / "study.toml"
    path.write_text(text)
    return str(path)


def test_a_study_file_becomes_one_plan_per_model_and_combination(tmp_path: Path) -> None:
    text = """
models = ["tiny", { name = "replay", args = { path = "a.jsonl" } }]
benchmarks = ["easy"]
baselines = ["direct"]
strategies = ["direct", { name = "line-1", settings = { max_steps = [5, 20] } }]
"""
    study = read_study(write(tmp_path, text))
    assert [(p.models[0], p.strategies[0], p.settings["max_steps"]) for p in study.plans] == [
        (model, strategy, steps)
        for model in ("deskcheck/tiny", "deskcheck/replay")
        for strategy, steps in (("direct", 1000), ("line-1", 5), ("line-1", 20))
    ]
    assert study.plans[-1].model_args == {"path": "a.jsonl"}


def test_blocks_of_cells_are_products_of_their_own_and_lists_are_swept(tmp_path: Path) -> None:
    text = """
baselines = ["vanilla"]
benchmarks = ["core"]
max_cost = 2.5
effort = ["low", "high"]
[options]
statement = ["none", "en"]
[[cells]]
models = ["openai/a", "openai/b"]
strategies = ["vanilla"]
[[cells]]
models = ["tiny"]
strategies = ["line-1"]
effort = ""
max_tokens = [64, 128]
[cells.options]
"""
    study = read_study(write(tmp_path, text))
    assert (study.max_cost, study.baselines) == (2.5, ["vanilla"])
    assert [(p.models[0], p.options.get("statement"), p.generation.effort) for p in study.plans[:8]] == [
        (model, statement, effort)
        for model in ("openai/a", "openai/b")
        for statement in ("none", "en")
        for effort in ("low", "high")
    ]
    own = study.plans[8:]
    assert [(p.strategies, p.options, p.generation.max_tokens) for p in own] == [
        (["line-1"], {}, 64), (["line-1"], {}, 128),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("models = [", "study.toml"),
        ("", "study.toml': the file is empty; such a file looks like this:"),
        ('models = ["tiny"]\nbaselines = ["direct"]', "it lacks `strategies`"),
        ('models = ["tiny"]\nbaselines = ["direct"]\nstrategies = ["direct"]\nsamples = "x"', r"\$.samples"),
        (
            'models=["tiny"]\nbaselines=["line-1"]\nstrategies=[{name="line-1", settings={max_steps=["a"]}}]',
            "study.toml', tiny with line-1: setting max_steps=a",
        ),
        (
            'models = ["tiny"]\nbaselines = ["line-1"]\nstrategies = [{name="line-1", knobs={max_steps=[]}}]',
            "max_steps of 'line-1' has no value",
        ),
        ('models = []\nbaselines = ["direct"]\nstrategies = ["direct"]', "names no model"),
        ('models = ["tiny"]\nbaselines = ["cot"]\nstrategies = ["direct"]', "baseline 'cot'"),
        ('models = ["tiny"]\nbaselines = ["dirct"]\nstrategies = ["dirct"]', "dirct"),
        ('models = ["tiny"]\nbaselines = ["direct"]\nstrategies = ["direct"]\nlmit = 3', "lmit"),
    ],
)
def test_a_wrong_file_is_refused_before_anything_runs(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        read_study(write(tmp_path, text))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(UserError, match="nowhere"):
        read_study("nowhere.toml")
