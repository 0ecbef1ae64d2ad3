"""What was asked for is checked before anything runs, and secrets are never written down."""

from __future__ import annotations

from pathlib import Path

import pytest

from deskcheck import strategies
from deskcheck.errors import UnknownName, UserError
from deskcheck.evaluation.plan import (
    Plan,
    check,
    data_paths,
    generation,
    model_name,
    need_model,
    parse_model_args,
    stronger,
    thinking_warning,
)
from deskcheck.evaluation.prepare import public_command, run_info, shared_files, without_secrets


def test_our_own_models_go_by_their_name_and_others_by_provider_and_model():
    assert model_name("tiny") == "deskcheck/tiny"
    assert model_name("openai/gpt-4o") == "openai/gpt-4o"
    with pytest.raises(UserError, match=r"replay, scripted, tiny.*provider/model"):
        model_name("gpt-4o")
    with pytest.raises(UnknownName, match="tiny"):
        model_name("deskcheck/huge")


def test_there_is_no_silent_model():
    with pytest.raises(UserError, match="no model named; use --model"):
        need_model(Plan(models=[]))


def test_defaults_are_core_and_what_the_model_can_follow():
    assert check(Plan(models=["tiny"])).strategies == ["direct"]
    plan = check(Plan(models=["openai/x"]))
    assert (plan.strategies, plan.benchmarks) == (["vanilla"], ["core"])


def test_a_strategy_that_is_right_more_often_is_named_where_none_was_asked_for():
    plan = Plan(models=["tiny"])
    assert "--strategy sub asks step by step" in stronger(plan, check(plan))
    for other in (
        Plan(models=["tiny"], strategies=["direct"]),
        Plan(models=["openai/x"]),
        Plan(models=["tiny"], model_args={"path": "mine"}),
    ):
        assert stronger(other, check(other)) == ""


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (Plan(models=["tiny"], benchmarks=["cruxeval_o"]), "no benchmark called 'cruxeval_o'; known: "),
        (Plan(models=["tiny"], strategies=["vanila"]), "did you mean 'vanilla'"),
        (Plan(models=["tiny"], policy="kind"), "kind"),
        (Plan(models=["tiny"], n_samples=0), "--samples 0"),
        (Plan(models=["tiny"], settings={"max_steps": 0}), "setting max_steps=0"),
        (Plan(models=["tiny"], settings={"speed": "high"}), "no setting called 'speed'; known: "),
        (
            Plan(models=["tiny"], settings={"votes": "3"}),
            "setting 'votes' belongs to none of the strategies direct",
        ),
        (
            Plan(models=["a/b"], strategies=["iip-static"], settings={"history": "some"}),
            "setting history=some",
        ),
        (
            Plan(models=["a/b"], strategies=["few-shot"], settings={"statement_language": "zh"}),
            "belongs to none",
        ),
        (Plan(models=["a/b"], tasks=["outptu"]), "did you mean 'output'"),
        (Plan(models=["a/b"], strategies=["iip-single"], tasks=["input"]), "cannot ask for 'input' tasks"),
        (Plan(models=["a/b"], filters=["steps"]), "--filter 'steps'"),
        (Plan(models=["a/b"], filters=["steps<many"]), "--filter 'steps<many'"),
        (Plan(models=["a/b"], generation=generation(effort="huge")), "-G reasoning_effort=huge"),
        (Plan(models=["a/b"], max_cost=-1), "--max-cost -1"),
        (Plan(models=["tiny"], limit=-1), "--limit -1"),
        (Plan(models=["tiny"], data={"core": "nowhere.jsonl"}), "nowhere.jsonl"),
        (
            Plan(models=["tiny"], benchmarks=["easy"], options={"foo": "1"}),
            "benchmark 'easy' has no option 'foo'; it takes: language, perturb",
        ),
        (Plan(models=["tiny"], options={"perturb": "renam"}), "no perturbation called 'renam'"),
        (
            Plan(models=["a/b"], strategies=["few-shot"], settings={"shots": "0"}),
            "setting shots=0: strategy 'few-shot' shows at least one worked example",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_what_was_asked(plan: Plan, said: str):
    with pytest.raises(UserError) as error:
        check(plan)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_data_belongs_to_the_one_benchmark_or_says_to_which():
    assert data_paths(["a=b.jsonl"], ["core"]) == {"core": "a=b.jsonl"}
    assert data_paths(["long=x", "core=y"], ["core", "long"]) == {"long": "x", "core": "y"}
    with pytest.raises(UserError, match="NAME=PATH"):
        data_paths(["x"], ["core", "long"])


def test_model_arguments_are_json_where_they_can_be():
    assert parse_model_args(["n=3", 'answers=["a"]', "path=a.json"]) == {
        "n": 3,
        "answers": ["a"],
        "path": "a.json",
    }
    with pytest.raises(UserError, match="key=value"):
        parse_model_args(["x"])


def test_secrets_are_not_written_down(tmp_path: Path):
    assert without_secrets({"api_key": "s3cret", "n": 1}) == {"api_key": "(secret)", "n": "1"}
    command = "deskcheck eval -M api_key=s3cret -M max_tokens=5"
    assert public_command(command) == "deskcheck eval -M api_key=(secret) -M max_tokens=5"
    info = run_info(Plan(models=["a/b"], model_args={"token": "s3cret"}, command=command))
    assert "s3cret" not in str(info)


def test_answers_depend_on_the_files_that_a_strategy_uses_and_on_no_others():
    def used(strategy: str) -> set[str]:
        path = Path(strategies.__file__).parent / f"{strategy}.py"
        return {f"{file.parent.name}/{file.stem}" for file in shared_files(path)}

    assert used("vanilla") == {"strategies/vanilla", "turns/question"}
    shared = {f"turns/{name}" for name in "dialogue bindings lines question error_injection".split()}
    iip = {f"strategies/{name}" for name in ("iip_dynamic", "_iip", "_walk")}
    assert shared | iip <= used("iip_dynamic")
    assert "layouts/line_1" not in used("iip_dynamic")
    assert {"layouts/line_1", "turns/chain", "states/steps", "states/tree"} <= used("line_1")
    assert "turns/settings" not in used("line_1")


@pytest.mark.parametrize(
    ("model", "effort", "thinks", "budget", "advised"),
    [
        ("openai/o3-mini", "", 0, 1024, "--max-tokens 16000"),  # told by its name
        ("openai/gpt-5-mini", "", 0, 4095, "--max-tokens 16000"),
        ("openai/gpt-5-mini", "", 0, 4096, ""),  # there is room
        ("openai/gpt-5-mini", "none", 0, 1024, ""),  # told not to think
        ("openai/gpt-4o", "", 0, 1024, ""),  # no thinker
        ("openai/gpt-4o", "high", 0, 1024, "--max-tokens 16000"),  # told to think
        ("anthropic/claude", "", 20_000, 16_000, "--max-tokens 40000"),  # less than its thinking may take
        ("anthropic/claude", "", 20_000, 20_001, ""),
    ],
)
def test_a_model_that_thinks_out_of_sight_needs_room(
    model: str, effort: str, thinks: int, budget: int, advised: str
):
    told = generation(0, None, effort=effort, reasoning_tokens=thinks)
    warning = thinking_warning(model, told, budget)
    assert bool(warning) == bool(advised) and advised in warning
    assert not warning or (warning.startswith(f"warning: {model} ") and f"{budget:,} tokens" in warning)
