"""The adapters: OpenEnv and reasoning-gym run our tasks by the code of their own documentation.

test_taskset.py has the tests that run with verifiers.
"""

from __future__ import annotations

import sys
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest

import deskcheck
from deskcheck.errors import MissingExtra, UserError
from deskcheck.rewards import procedural
from deskcheck.rewards.baselines import written
from deskcheck.rewards.libraries import need
from deskcheck.rewards.openenv import Episodes
from deskcheck.rewards.step_loop import StepLoop, runs
from deskcheck.rewards.tasks import TaskOptions, tasks

DIALS: dict[str, Any] = {"steps": (3, 25), "families": ["easy"]}
SHORT = TaskOptions(questions=("output",), steps=(3, 25), families=("easy",), seed=4)


def optional(name: str) -> Any:
    """A library that few have; the interface itself is tested without it as well."""
    return pytest.importorskip(name, reason="needs the extra 'rl'", exc_type=ImportError)


# ------------------------------------------------------------------ without any library


def test_the_step_loop_pays_a_true_run_one_and_stops_at_the_first_mistake() -> None:
    for run in islice(runs(SHORT), 5):
        loop = StepLoop(run)
        rewards = [loop.reply(turn.expected).reward for turn in run.turns]
        assert loop.done and sum(rewards) == pytest.approx(1.0)
        wrong = StepLoop(run)
        reply = wrong.reply("@999 | x=1")
        assert (reply.reward, reply.done, reply.body, wrong.total) == (0.0, True, "", 0.0)
        with pytest.raises(ValueError, match="is over"):
            wrong.reply(run.turns[0].expected)


def test_going_straight_through_a_run_without_executing_earns_next_to_nothing() -> None:
    totals = []
    for run in islice(runs(SHORT), 20):
        loop = StepLoop(run)
        while not loop.done:
            line = int("".join(c for c in run.turns[loop.at].body.partition(" ")[0] if c.isdigit()) or 0)
            loop.reply(f"@{line + 1}")
        totals.append(loop.total)
    assert max(totals) == 0.0


def test_a_mixture_of_one_turn_and_many_is_refused_with_what_to_do() -> None:
    with pytest.raises(UserError, match="EnvGroup"):
        Episodes(["run", "output"], (3, 25), ["easy"], 0)
    with pytest.raises(UserError, match="two numbers"):
        Episodes(["output"], (3,), ["easy"], 0)


def test_episodes_pay_the_truth_and_begin_anew() -> None:
    episodes = Episodes(["output"], (3, 25), ["easy"], 4)
    truth = list(islice(tasks(SHORT), 2))
    assert episodes.begin() == truth[0].prompt
    assert episodes.reply(written(truth[0], truth[0].expected)) == (1.0, [])
    assert episodes.done
    assert episodes.begin() == truth[1].prompt
    assert episodes.reply("no idea") == (-1.0, [])  # its form is no answer
    assert episodes.begin(0) == truth[0].prompt


def test_an_entry_scores_its_answer_and_no_other() -> None:
    first, second = (procedural.entry_of(task, n) for n, task in enumerate(islice(tasks(SHORT), 2)))
    assert procedural.score(first["answer"], first) == 1.0
    assert procedural.score(second["answer"], first) == 0.0
    assert procedural.score(None, first) == 0.0


def test_options_out_of_range_are_refused_when_they_are_validated() -> None:
    procedural.DeskcheckConfig(questions=["output"], min_steps=3, max_steps=25, families=["easy"]).validate()
    for wrong in ({"questions": ["nonsense"]}, {"min_steps": 50, "max_steps": 5}):
        with pytest.raises(UserError):
            procedural.DeskcheckConfig(**wrong).validate()


def test_a_missing_library_is_named_with_its_install_line() -> None:
    with pytest.raises(MissingExtra, match=r"pip install .*\[rl\]"):
        need("a_library_that_nobody_has")


# ------------------------------------------------------------------ verifiers


@pytest.mark.parametrize("v1", [None, {}, {"Taskset": int}])
def test_a_version_with_another_interface_is_named(monkeypatch: pytest.MonkeyPatch, v1: Any) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", SimpleNamespace(__version__="0.5.0"))
    monkeypatch.setitem(sys.modules, "verifiers.v1", None if v1 is None else SimpleNamespace(**v1))
    with pytest.raises(UserError, match=r"verifiers 0\.5\.0 has no v1\.Interaction.*<0\.5"):
        deskcheck.load_environment(questions=["output"], n=1, **DIALS)


# ------------------------------------------------------------------ reasoning-gym, OpenEnv


def test_reasoning_gym_makes_our_dataset_by_name() -> None:
    gym = optional("reasoning_gym")
    deskcheck.register_dataset()
    deskcheck.register_dataset()
    data = gym.create_dataset(
        "deskcheck", size=5, seed=42, questions=["output"], min_steps=3, max_steps=25, families=["easy"]
    )
    for i, x in enumerate(data):  # the first example of reasoning-gym's README
        assert f'{i}: q="{x["question"]}", a="{x["answer"]}"'
        assert x["metadata"]
        assert data.score_answer(answer=x["answer"], entry=x) == 1.0
    assert len(data) == 5
    again = gym.create_dataset(
        "deskcheck", size=5, seed=42, questions=["output"], min_steps=3, max_steps=25, families=["easy"]
    )
    assert again[4] == data[4]


def test_openenv_resets_and_steps() -> None:
    optional("openenv")
    optional("openenv.core.env_server.interfaces")
    from deskcheck.rewards.openenv import create_environment

    environment = create_environment(questions=["run"], **{**DIALS, "seed": 4})
    run = next(runs(SHORT))
    shown = environment.reset(seed=0)
    assert shown.messages == run.prompt and not shown.done
    for turn in run.turns:
        shown = environment.step(environment.action(text=turn.expected))
    assert shown.done and environment.state.step_count == len(run.turns)


def test_the_environment_is_a_public_name() -> None:
    assert deskcheck.load_environment.__module__ == "deskcheck.rewards.environment"
