"""Reinforcement learning end to end: a small model and fresh tasks, by our command and by TRL's example."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")

from tests.training.test_hub_watch import Killed, same_weights
from transformers import TrainerCallback
from typer.testing import CliRunner

from deskcheck.cli import app
from deskcheck.errors import UserError
from deskcheck.rewards import functions
from deskcheck.rewards.tasks import STEP, TaskOptions, dataset, tasks
from deskcheck.training.hub import rl
from deskcheck.training.hub.rl import RlOptions, held_out, rl_options

SMALL = ["steps=2", "tasks=4", "held_out=4", "batch=4", "generations=4", "max_tokens=8", "steps_to=12"]


def test_the_command_trains_and_logs_rewards_beside_held_out_scores(base: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["train", "--model", str(base), "--rl", "grpo", "--out", str(out), "--threads", "1"]
    found = CliRunner().invoke(app, [*words, *(w for s in SMALL for w in ("--set", s))])
    assert found.exit_code == 0, found.output
    assert "no program" in found.output and "held out" in found.output
    log = [json.loads(line) for line in (out / "train.jsonl").read_text().splitlines()]
    assert any("rewards/state/mean" in entry for entry in log)
    exams = [json.loads(line) for line in (out / "evals.jsonl").read_text().splitlines()]
    assert {one["step"] for one in exams} == {0, 1, 2}
    assert {one["reward"] for one in exams} <= set(functions.NAMES)
    state = {one["step"]: one["trained"] for one in exams if one["reward"] == "form"}
    told = {entry["step"]: entry["rewards/form/mean"] for entry in log if "rewards/form/mean" in entry}
    assert state == {0: None, **told}, "each row has the reward of training beside the held-out score"
    record = json.loads((out / "run.json").read_text())
    assert record["baselines"] and record["tasks"]["tasks"] >= 4
    assert (out / "model" / "model.safetensors").is_file()
    again = CliRunner().invoke(app, [*words, "--set", "steps=1"])
    assert isinstance(again.exception, UserError) and "already holds a run" in str(again.exception)
    other = CliRunner().invoke(app, [*words, "--resume", "--set", "steps=1"])
    assert isinstance(other.exception, UserError) and "another steps" in str(other.exception)
    done = CliRunner().invoke(app, [*words, "--resume", *(w for s in SMALL for w in ("--set", s))])
    assert done.exit_code == 0 and "is finished" in done.output
    foreign = CliRunner().invoke(app, [*words[:-4], "--out", str(base)])
    assert isinstance(foreign.exception, UserError) and "holds no run of --rl" in str(foreign.exception)


@pytest.mark.parametrize("kind", [{}, pytest.param({"lora": 4, "accumulate": 2}, marks=pytest.mark.slow)])
def test_a_killed_run_ends_with_the_weights_of_a_whole_one(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: dict[str, Any]
) -> None:
    wanted: dict[str, Any] = {
        "steps": 4, "save_steps": 2, "eval_steps": 1, "tasks": 6, "held_out": 2, "batch": 4, "generations": 4,
        "max_tokens": 6, "steps_to": 12, "learning_rate": 0.01, "threads": 1,
    } | kind  # fmt: skip

    def run(name: str, **more: Any) -> None:
        rl.reinforce(RlOptions(model=str(base), out=str(tmp_path / name), **wanted, **more), say=str)

    made = rl.make_trainer

    def killed(*given: Any) -> Any:
        trainer = made(*given)
        trainer.add_callback(Killed())
        return trainer

    # a reward that a random model earns: without one, no weight would move
    monkeypatch.setattr(
        functions, "ALL", [lambda completions, **_: [float(len(c[0]["content"])) for c in completions]]
    )
    run("whole")
    monkeypatch.setattr(rl, "make_trainer", killed)
    with pytest.raises(SystemError, match="killed"):
        run("cut")
    seen: list[int] = []

    class Seen(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            seen.append(state.global_step)

    def watched(*given: Any) -> Any:
        trainer = made(*given)
        trainer.add_callback(Seen())
        return trainer

    monkeypatch.setattr(rl, "make_trainer", watched)
    half = tmp_path / "cut" / "checkpoint-3"  # as a kill in the middle of writing leaves it
    half.mkdir()
    (half / "trainer_state.json").write_text('{"global_step"')
    run("cut", resume=True)
    assert seen == [3, 4], "it went on from its second step"
    assert same_weights(tmp_path / "cut", tmp_path / "whole")
    log = [json.loads(line) for line in (tmp_path / "whole" / "train.jsonl").read_text().splitlines()]
    assert any(entry.get("grad_norm", 0.0) > 0 for entry in log), "it learned nothing"
    rows = [(tmp_path / name / "evals.jsonl").read_text() for name in ("cut", "whole")]
    assert rows[0] == rows[1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of TRL and transformers about each other
def test_trl_runs_its_own_example_on_our_tasks_and_rewards(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example in GRPOTrainer's docstring, word for word but for the names of model, data and reward."""
    import trl

    lines = re.search(r"```python\n(.*?)```", trl.GRPOTrainer.__doc__, re.DOTALL).group(1).splitlines()  # type: ignore[union-attr]
    code = "\n".join(line.strip()[4:] for line in lines)
    assert "trainer.train()" in code and "reward_funcs=accuracy_reward" in code
    for theirs, ours in {
        "from trl.rewards import accuracy_reward": "accuracy_reward = our_reward",
        "from datasets import load_dataset": "",
        'load_dataset("trl-lib/DeepMath-103K", split="train")': "our_tasks",
        '"Qwen/Qwen2.5-0.5B-Instruct"': "our_model",
    }.items():
        assert theirs in code
        code = code.replace(theirs, ours)
    monkeypatch.chdir(tmp_path)
    _cheap(monkeypatch)
    space = {
        "our_reward": functions.state,
        "our_model": str(_speaking(base, tmp_path)),
        "our_tasks": dataset(TaskOptions(questions=(STEP,), steps=(3, 12), families=("easy",)), 1),
    }
    exec(code, space)
    assert space["trainer"].state.global_step == 3  # type: ignore[attr-defined]  # three epochs of one task


def test_the_log_holds_the_horizon_of_held_out_outcomes() -> None:
    wanted = TaskOptions(questions=("output",), families=("easy", "medium"), steps=(3, 60))
    held = list(islice(tasks(wanted), 80))
    reach = rl.reach_of(held, [float(task.steps < 20) for task in held])
    assert reach.low <= reach.steps <= (reach.high or 60) and 12 < reach.steps < 28 and not reach.bound
    assert rl.reach_of(held, [1.0] * 80).bound == ">" and rl.reach_of(held, [0.0] * 80).bound == "<"
    with pytest.raises(ValueError):
        rl.reach_of(held, [1.0] * 79)


def test_held_out_tasks_are_fixed_and_none_of_them_is_trained_on() -> None:
    options = RlOptions(model="m", out="o", held_out=20, tasks=40, steps_to=20)
    held = held_out(options)
    assert held == held_out(msgspec.structs.replace(options, steps=7, learning_rate=0.1))
    asked = list(islice(tasks(TaskOptions(questions=(STEP,), families=("easy",), steps=(3, 20))), 40))
    assert not {task.prompt[0]["content"] for task in held} & {task.prompt[0]["content"] for task in asked}


@pytest.mark.parametrize("setting", ["generations=3", "tasks=0", "colour=red", "questions=riddle"])
def test_settings_that_cannot_be_are_refused(setting: str, base: Path, tmp_path: Path) -> None:
    from deskcheck.training.hub.rl import reinforce

    with pytest.raises(UserError):
        reinforce(rl_options({"model": str(base), "out": str(tmp_path / "x")}, [setting]), say=print)


def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """TRL's own default settings, but for short completions and no bf16, which this processor emulates."""
    import trl

    plain = trl.GRPOConfig.__post_init__

    def short(config: trl.GRPOConfig) -> None:
        config.max_completion_length, config.bf16, config.use_cpu = 8, False, True
        config.report_to, config.save_strategy = "none", "no"
        plain(config)

    monkeypatch.setattr(trl.GRPOConfig, "__post_init__", short)


def _speaking(base: Path, tmp_path: Path) -> Path:
    """The base model with the chat template that `deskcheck train` gives it."""
    from transformers import AutoModelForCausalLM

    from deskcheck.training.hub.model import open_tokenizer

    folder = tmp_path / "speaking"
    AutoModelForCausalLM.from_pretrained(base).save_pretrained(folder)
    open_tokenizer(str(base), "main").save_pretrained(folder)
    return folder
