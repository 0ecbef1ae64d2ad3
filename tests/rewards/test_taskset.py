"""The tasks as a taskset of verifiers, played by verifiers' own code with a model on loopback.

Skipped without verifiers 0.4.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.evaluation.http_model import Served
from tests.rewards.attacks import ATTACKS

import deskcheck
from deskcheck.errors import UserError
from deskcheck.rewards import functions
from deskcheck.rewards.baselines import scored, written
from deskcheck.rewards.step_loop import StepLoop, runs
from deskcheck.rewards.tasks import QUESTIONS, RewardTask, TaskOptions, tasks

PLUG_INS = ["DeskcheckTaskset", "DeskcheckEnv", "DeskcheckHarness"]
DIALS: dict[str, Any] = {"steps": [3, 25], "families": ["easy"], "seed": 4}
OPTIONS = TaskOptions(questions=QUESTIONS, steps=(3, 25), families=("easy",), seed=4)
OUTPUT = TaskOptions(questions=("output",), steps=(3, 25), families=("easy",), seed=4)
Answer = Callable[[int, list[dict[str, str]]], str]


@pytest.fixture
def vf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The library, which keeps the folders of its runs in ours."""
    library = pytest.importorskip("verifiers.v1", reason="needs the extra 'rl'", exc_type=ImportError)
    if not hasattr(library, "Interaction"):
        pytest.skip("this version has no tasksets as in 0.4")
    monkeypatch.setattr(import_module("verifiers.v1.runtimes.subprocess"), "CACHE_DIR", tmp_path)
    return library


def environment(vf: Any, *, agent: dict[str, Any] | None = None, **dials: Any) -> Any:
    taskset = {"id": "deskcheck", **DIALS, **dials}
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset, "agent": agent or {}}))


def played(vf: Any, env: Any, asked: Sequence[Any], answer: Answer) -> list[Any]:
    """A trace of each task; `answer(n, messages)` is the model's reply to the n-th."""

    async def play(url: str) -> list[Any]:
        few = asyncio.Semaphore(8)

        async def one(n: int, task: Any) -> Any:
            client = vf.EvalClientConfig(base_url=url)
            context = vf.ModelContext(client=client, model=str(n), sampling=vf.SamplingConfig())
            (slot,) = env.slots(task, 1)
            return (await env.run_slot(slot, context, few)).traces[0]

        async with env.serving():
            return await asyncio.gather(*(one(n, task) for n, task in enumerate(asked)))

    with Served(lambda request: answer(int(request["model"]), request["messages"])) as server:
        return asyncio.run(play(server.url))


def scores(trace: Any) -> dict[str, float]:
    return {name: reward.score for name, reward in trace.rewards.items()}


def expected(task: RewardTask, text: str) -> dict[str, float]:
    """The rewards of our functions that apply."""
    paid = {name: scored(function, [task], [text])[0] for name, function in functions.NAMES.items()}
    return {name: value for name, value in paid.items() if value is not None}


# ------------------------------------------------------------------ without the library


def test_the_classes_are_public_names_only_beside_a_verifiers_that_has_tasksets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def named(library: object) -> list[str]:
        monkeypatch.setitem(sys.modules, "verifiers.v1", library)
        return [name for name in deskcheck.__all__ if name in PLUG_INS]

    assert named(SimpleNamespace(Interaction=int)) == PLUG_INS
    assert named(SimpleNamespace()) == []
    monkeypatch.delitem(sys.modules, "verifiers.v1")
    assert not set(PLUG_INS) & {*deskcheck.__all__, *dir(deskcheck)}


# ------------------------------------------------------------------ with it


def test_verifiers_finds_the_taskset_the_environment_and_the_harness_by_the_name_of_the_package(
    vf: Any,
) -> None:
    env = environment(vf)
    assert [type(env).__name__, type(env.taskset).__name__] == ["DeskcheckEnv", "DeskcheckTaskset"]
    assert vf.default_harness_id("deskcheck") == "deskcheck"
    assert vf.task_type("deskcheck").__name__ == "DeskcheckTask"
    assert env.taskset.INFINITE


def test_the_command_of_verifiers_own_readme_evaluates_us(vf: Any, tmp_path: Path) -> None:
    """`vf-eval NAME -n 3` of the README that verifiers writes for a new taskset."""
    init = import_module("verifiers.v1.cli.init")
    made = init.scaffold(init.InitConfig(name="deskcheck", path=str(tmp_path)))
    (command,) = re.findall(r"^uv run (\S+ deskcheck -n 3)\b", (made / "README.md").read_text(), re.M)
    script, *arguments = command.split()
    truths = {
        task.prompt[-1]["content"]: written(task, task.expected) for task in islice(tasks(TaskOptions()), 3)
    }
    with Served(lambda request: truths[request["messages"][-1]["content"]]) as server:
        done = subprocess.run(
            [Path(sys.executable).with_name(script), *arguments],
            env={
                "HOME": str(tmp_path),
                "PATH": os.environ["PATH"],
                "PYTHONPATH": str(Path(deskcheck.__file__).parents[1]),
                "PRIME_INFERENCE_URL": server.url,
            },
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    paid = [trace["rewards"] for episode in episodes for trace in episode["traces"]]
    assert [sum(one["score"] for one in rewards.values()) for rewards in paid] == [1.0] * 3


def test_rewards_are_those_of_our_functions_answer_for_answer(vf: Any) -> None:
    """Over HTTP for right, wrong, padded and unreadable answers, then for every attack on the same traces."""
    env = environment(vf, questions=QUESTIONS)
    asked, ours = list(islice(env.taskset, 12)), list(islice(tasks(OPTIONS), 12))
    assert {task.kind for task in ours} == set(QUESTIONS)
    rows = []
    for n, (task, own) in enumerate(zip(asked, ours, strict=True)):
        right, other = written(own, own.expected), ours[n - 1]
        texts = [right, f" {right} ", f"{right}\n{right}", written(own, other.expected), "no idea", ""]
        rows += [(task, own, text) for text in texts]
    traces = played(vf, env, [task for task, *_ in rows], lambda n, _: rows[n][2])
    assert [scores(trace) for trace in traces] == [expected(own, text) for _, own, text in rows]
    assert {sum(scores(trace).values()) for trace in traces} >= {-1.0, 0.0, 1.0}
    asyncio.run(_attacked(rows, traces, ours))


async def _attacked(rows: list[Any], traces: list[Any], ours: list[RewardTask]) -> None:
    for (task, own, _), trace in list(zip(rows, traces, strict=True))[::6]:
        for name, write in ATTACKS.items():
            text = write(own, [one for one in ours if one is not own])
            trace.nodes[-1].message.content = text
            trace.rewards.clear()
            await task.score(trace)
            assert scores(trace) == expected(own, text), name


def test_the_step_loop_goes_on_until_the_first_mistake(vf: Any) -> None:
    env = environment(vf, questions=["run"])
    found = list(islice(runs(OPTIONS), 3))
    wrong_at = [len(run.turns) // 2 for run in found]
    cases = [(run, at) for run, at in zip(found, wrong_at, strict=True)] + [(run, -1) for run in found]

    def answer(n: int, messages: list[dict[str, str]]) -> str:
        run, at = cases[n]
        number = (len(messages) - 2) // 2
        assert [m["content"] for m in messages if m["role"] == "user"][-1] == run.turns[number].body
        return "@999 | x=1" if number == at else run.turns[number].expected

    asked = list(islice(env.taskset, 3))
    traces = played(vf, env, asked * 2, answer)
    for trace, (run, at) in zip(traces, cases, strict=True):
        loop = StepLoop(run)
        for number, turn in enumerate(run.turns[: at if at >= 0 else None]):
            loop.reply(turn.expected)
            assert loop.at == number + 1
        assert scores(trace) == {"executed": pytest.approx(loop.total)}
        assert trace.metrics["turns_right"] == loop.at
        assert trace.num_turns == (len(run.turns) if at < 0 else at + 1)
    assert [sum(scores(trace).values()) for trace in traces[3:]] == pytest.approx([1.0] * 3)
    assert 0 < sum(sum(scores(trace).values()) for trace in traces[:3]) < 3


def test_a_text_after_the_first_mistake_is_not_played(vf: Any) -> None:
    """Another harness may send on; the run of the reward ends all the same."""
    env = environment(vf, questions=["run"])
    (task,), run = list(islice(env.taskset, 1)), next(runs(OPTIONS))
    (trace,) = played(vf, env, [task], lambda n, messages: run.turns[(len(messages) - 2) // 2].expected)
    trace.nodes[2].message.content = "@999 | x=1"
    trace.rewards.clear()
    asyncio.run(task.score(trace))
    assert scores(trace) == {"executed": 0.0}


def test_a_limit_ends_a_run_and_a_broken_provider_is_an_error_without_reward(vf: Any) -> None:
    env = environment(vf, questions=["run"], agent={"max_turns": 2})
    run = next(runs(OPTIONS))
    asked = list(islice(env.taskset, 1))
    (trace,) = played(vf, env, asked, lambda n, messages: run.turns[(len(messages) - 2) // 2].expected)
    assert (trace.ok, trace.stop_condition, trace.metrics["turns_right"]) == (True, "max_turns", 2.0)

    def nothing(n: int, messages: list[dict[str, str]]) -> Any:
        return {"no": "message"}

    (trace,) = played(vf, environment(vf, questions=["output"]), asked[:1], nothing)
    assert (trace.ok, trace.rewards) == (False, {})


def test_the_evaluation_split_has_other_programs(vf: Any) -> None:
    def first(**dials: Any) -> Iterator[str]:
        return (task.data.prompt_text for task in islice(environment(vf, **dials).taskset, 20))

    assert not set(first()) & set(first(split="eval"))
    assert list(first(split="eval")) == list(first(split="eval"))


def test_options_that_no_program_fits_are_refused(vf: Any) -> None:
    with pytest.raises(UserError, match="two numbers"):
        next(iter(environment(vf, steps=[3]).taskset))
    with pytest.raises(UserError, match="question with a reward"):
        next(iter(environment(vf, questions=["outptu"]).taskset))


def test_load_environment_gives_what_verifiers_0_4_plays(vf: Any) -> None:
    env = deskcheck.load_environment(questions=["output"], n=3, **DIALS)
    asked, ours = list(env.taskset), list(islice(tasks(OUTPUT), 3))
    assert [task.data.id for task in asked] == [task.task_id for task in ours]
    traces = played(vf, env, asked, lambda n, _: written(ours[n], ours[n].expected))
    assert [trace.reward for trace in traces] == [1.0] * 3
    with pytest.raises(UserError, match="question with a reward"):
        deskcheck.load_environment(questions=["outptu"], n=3, **DIALS)
