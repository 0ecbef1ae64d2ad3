"""Only the true answer of a task may earn anything, in every benchmark and environment that needs no file."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from deskcheck import cli, validation
from deskcheck.evaluation.truth import build_tasks
from deskcheck.rewards.tasks import RewardTask
from deskcheck.rewards.trl_environment import ExecutionEnvironment
from deskcheck.validation import (
    ATTACKS,
    DECOYS,
    _checked,
    _paid_by,
    as_lines,
    checks_of_benchmark,
    checks_of_rewards,
    decoys,
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "N", 8)


def test_benchmarks_pay_the_truth_alone():
    for name in ("core", "classic"):
        checks = checks_of_benchmark(name, "")
        assert [one.name for one in checks] == [f"{name}, {kind}" for kind in validation.KINDS]
        for one in checks:
            assert one.failures == [], as_lines([one])
            assert one.n["truth"] >= 8
            assert one.name.endswith("input") or set(ATTACKS) <= set(one.n)


def test_rewards_and_environments_pay_the_truth_alone():
    checks = checks_of_rewards()
    assert {one.name.split(",")[0] for one in checks} >= {"reward outcome", "reasoning-gym", "OpenEnv", "TRL"}
    assert [one.name for one in checks if one.failures] == []
    assert len(as_lines(checks)) == len({one.name.rpartition(", ")[0] for one in checks})
    assert all(set(one.n) == {"truth", *ATTACKS} for one in checks)


def test_a_wrong_truth_and_a_reward_that_pays_a_decoy_file_are_found():
    tasks = build_tasks("core", data="", kind="output", limit=4).tasks
    assert _checked("b", [replace(task, expected="12345") for task in tasks]).failures == []
    swapped = [replace(task, grading="executed", program=other.program) for task, other in zip(
        tasks, reversed(tasks), strict=True)]  # fmt: skip
    assert _checked("b", swapped).failures == ["truth"]
    task = RewardTask("t", "output", [{"role": "user", "content": "?"}], "7", ["outcome"], "1", 3, "easy")

    def trusting(task: RewardTask, text: str, number: int) -> float:
        return float("7" in text or (Path(DECOYS[0]).exists() and "open" in text) or "nan" in text)

    found = _paid_by("r", trusting, [task, replace(task, expected="8")], is_bare=False)
    assert found.failures == ["truth", "another task's", "decoy file", "nan"]


def test_the_decoy_files_are_gone_afterwards():
    before = Path.cwd()
    with decoys():
        there = Path.cwd()
        assert all(Path(name).is_file() for name in DECOYS)
    assert Path.cwd() == before and not there.exists()


def test_trl_pays_the_first_answer_that_was_submitted():
    one = ExecutionEnvironment()
    row = {"kind": "output", "expected": "[1, 2]", "pays": ["outcome"], "prompt": "?"}
    one.reset(**row)
    assert one.get_reward() == 0.0
    one.submit("[1, 3]")
    assert "only the first" in one.submit("[1, 2]")
    assert one.get_reward() == 0.0
    one.reset(**row)
    one.submit("[1, 2]")
    assert one.get_reward() == 1.0
    public = [name for name in dir(one) if not name.startswith("_")]
    assert public == ["get_reward", "reset", "submit"], "TRL shows every other method as a tool"


def test_the_command_ends_with_one_if_a_check_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", ["deskcheck", "validate", "core"])
    monkeypatch.setattr(validation, "checks_of_benchmark", lambda name, data: [
        validation.Check(f"{name}, output", {"truth": 8, "echo": 8}, {"truth": 8, "echo": 1})])  # fmt: skip
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 1
    assert "core: truth of output 8 of 8; paid: echo 1 of 8\n   output FAILS: echo" in capsys.readouterr().out
