"""The whole run: asked through Inspect, counted exactly, kept, gone on with, logged as Inspect reads it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import tenacity
from inspect_ai import eval as inspect_eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import GenerateConfig, ModelAPI, modelapi
from tests.evaluation.fakes import trace_of
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401

from deskcheck.cell_files import CELL, RESULTS, Sampled
from deskcheck.errors import DataError, UserError
from deskcheck.evaluation import run
from deskcheck.evaluation.client import ModelGone, roll_out
from deskcheck.evaluation.plan import Plan, generation
from deskcheck.evaluation.run import Results, run_plan
from deskcheck.evaluation.sample_records import as_json
from deskcheck.evaluation.stores import FILE
from deskcheck.evaluation.terminal import Progress
from deskcheck.evaluation.truth import TaskSet
from deskcheck.models import Question
from deskcheck.records import Completion, NoAnswer, Program, Task
from deskcheck.states.steps import largest_int
from deskcheck.strategies import Settings

pytestmark = MARKS


def task(number: int) -> Task:
    program = Program(f"{number:016x}", "python", f"def f():\n    return {number}\n", "f", "", "test", "MIT")
    name, tags = f"t_{number}", {"family": "a"}
    return Task(name, "core", "output", program, str(number), trace_of(number), name, tags)


def build(benchmark: str, *, data: str, ids: Sequence[str], limit: int) -> TaskSet:
    tasks = [task(number) for number in range(12)][: limit or None]
    return TaskSet(benchmark, tasks, [], [], [task.id for task in tasks], True, "test")


def gold(question: Question) -> Completion:
    return Completion(f"[ANSWER]{question.task_id[2:]}[/ANSWER]", "stop", 5, 3)


class Silent(Progress):
    """Remembers what was said."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., Results]:
    """A function: what the scripted model says -> results; all calls share a log folder."""

    def go(speak: Callable[[Question], Completion], **changes: Any) -> Results:
        fields = {
            "models": ["scripted"],
            "strategies": ["vanilla"],
            "model_args": {"answers": speak},
            "log_dir": str(tmp_path / "logs"),
        }
        return run_plan(Plan(**{**fields, **changes}), build_tasks=build, screen=Silent())

    return go


def same_script(*speaks: Callable[[Question], Completion]) -> None:
    """Make functions count as one model: what one of them answered is kept for the others."""
    for speak in speaks:
        speak.__qualname__ = "script"


def sampled(results: Results) -> list[Sampled]:
    path = Path(results.folders[0]) / RESULTS
    return [msgspec.json.decode(line, type=Sampled) for line in path.read_bytes().splitlines()]


def test_every_outcome_is_counted_by_its_reason_and_a_failed_request_is_in_no_rate(
    evaluate: Callable[..., Results],
):
    def speak(question: Question) -> Completion:
        number = int(question.task_id[2:])
        if number == 0:
            return Completion("it broke", "error")
        if number == 1:
            return Completion("first, x is", "length")
        if number == 2:
            return Completion("I cannot", "content_filter")
        if number == 3:
            return Completion("the number three, I think", "stop")
        if number == 4 and question.sample == 1:
            return Completion("[ANSWER]40[/ANSWER]", "stop")
        return gold(question)

    results = evaluate(speak, n_samples=2)
    (row,) = results.rows
    assert (row.n_tasks, row.n_samples, row.right, row.wrong) == (12, 2, 15, 1)
    assert row.no_answer == {
        "truncated": 2, "unparsable": 2, "refused": 2, "budget": 0, "endless": 0, "error": 2, "not_asked": 0,
    }  # fmt: skip
    assert row.right + row.wrong + sum(row.no_answer.values()) == row.n_tasks * row.n_samples
    assert row.accuracy == 15 / 22
    assert row.bounds == [round(15 / 24, 6), round(17 / 24, 6)]
    assert row.is_withheld and row.interval == [None, None]
    assert [(one.task, one.sample) for one in sampled(results)] == [
        (f"t_{number}", sample) for number in range(12) for sample in range(2)
    ]


def test_the_json_has_the_form_that_the_documentation_gives(evaluate: Callable[..., Results]):
    results = evaluate(gold, limit=2)
    written = json.loads(as_json(results.run, results.rows))
    assert list(written) == ["exit", "run", "rows"]
    (row,) = written["rows"]
    counts = "n_tasks n_samples right wrong no_answer accuracy interval marks bounds served"
    assert list(row) == f"model benchmark task strategy oracle {counts}".split()
    assert (row["model"], row["task"], row["oracle"]) == ("deskcheck/scripted", "output", False)
    assert " ".join(row["no_answer"]) == "truncated unparsable refused budget endless error not_asked"
    assert len(row["interval"]) == 2
    assert written["run"]["sandbox"] in {"full", "kernel", "seccomp", "limits"}


def test_after_ctrl_c_only_what_is_missing_is_asked(evaluate: Callable[..., Results], tmp_path: Path):
    asked: list[str] = []

    def interrupted(question: Question) -> Completion:
        if question.task_id == "t_7":
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(3.0)  # the main thread now unwinds
        return gold(question)

    def again(question: Question) -> Completion:
        asked.append(question.task_id)
        return gold(question)

    same_script(interrupted, again)
    with pytest.raises(KeyboardInterrupt):
        evaluate(interrupted)
    (folder,) = (tmp_path / "logs").iterdir()
    n_kept = len((folder / FILE).read_bytes().splitlines())
    assert not (folder / CELL).exists()
    results = evaluate(again)
    assert 0 < n_kept < 12
    assert len(asked) == 12 - n_kept
    assert "t_7" in asked
    assert results.rows[0].right == 12
    assert [read_eval_log(log, header_only=True).status for log in list_eval_logs(str(folder))] == ["success"]


def test_the_same_run_again_asks_nothing_and_writes_no_second_log(evaluate: Callable[..., Results]):
    def never(question: Question) -> Completion:
        raise AssertionError("it was asked again")

    same_script(gold, never)
    first = evaluate(gold)
    second = evaluate(never)
    assert first.rows == second.rows
    assert len(list_eval_logs(second.folders[0])) == 1


def test_a_larger_run_goes_on_from_a_smaller_one(evaluate: Callable[..., Results]):
    asked: list[tuple[str, int]] = []

    def more(question: Question) -> Completion:
        asked.append((question.task_id, question.sample))
        return gold(question)

    same_script(gold, more)
    evaluate(gold, limit=3)
    results = evaluate(more, limit=4, n_samples=2)
    assert sorted(asked) == [("t_0", 1), ("t_1", 1), ("t_2", 1), ("t_3", 0), ("t_3", 1)]
    assert results.rows[0].right == 8


def test_an_error_of_the_model_is_asked_again(evaluate: Callable[..., Results]):
    def broken(question: Question) -> Completion:
        return Completion("no", "error") if question.task_id == "t_5" else gold(question)

    same_script(broken, gold)
    assert evaluate(broken).rows[0].no_answer["error"] == 1
    assert evaluate(gold).rows[0].right == 12


def test_another_setting_that_can_change_answers_is_another_folder(evaluate: Callable[..., Results]):
    one = evaluate(gold, limit=1)
    hotter = evaluate(gold, limit=1, generation=generation(temperature=0.7))
    lenient = evaluate(gold, limit=1, policy="lenient")
    assert one.folders != hotter.folders
    assert one.folders == lenient.folders


def test_the_log_opens_in_inspect_and_holds_the_same_verdicts(evaluate: Callable[..., Results]):
    def speak(question: Question) -> Completion:
        if question.task_id == "t_3":
            return Completion("first, x is", "length", 5, 100)
        return gold(question)

    results = evaluate(speak, n_samples=2)
    (info,) = list_eval_logs(results.folders[0])
    log = read_eval_log(info)
    assert log.eval.task_args["strategy"] and log.eval.task_args["task"] == "output"
    assert (log.status, log.eval.task, log.eval.model) == ("success", "core", "deskcheck/scripted")
    assert log.eval.metadata["tasks_sha256"] == results.run["config"]["tasks_sha256:core"]
    mine = {(one.task, one.sample): (one.verdict, one.reason) for one in sampled(results)}
    theirs = {}
    for sample in log.samples:
        (score,) = sample.scores.values()
        theirs[sample.id, sample.epoch - 1] = (score.metadata["verdict"], score.metadata["reason"])
        assert sample.metadata["tag_family"] == "a"
    assert theirs == mine
    accuracy = log.results.scores[0].metrics["accuracy"].value
    assert accuracy == pytest.approx(results.rows[0].accuracy)


def test_no_request_carries_a_tool_and_a_dead_server_stops_the_run(
    monkeypatch: pytest.MonkeyPatch, evaluate: Callable[..., Results]
):
    tools_seen: list[list[Any]] = []

    @modelapi(name="dead")
    class Dead(ModelAPI):
        async def generate(
            self, input: Any, tools: list[Any], tool_choice: Any, config: GenerateConfig
        ) -> Any:
            tools_seen.append(tools)
            raise ConnectionError("refused")

    monkeypatch.setattr("deskcheck.evaluation.client.FAILURES_IN_A_ROW", 5)
    monkeypatch.setattr("deskcheck.evaluation.client.WAIT", tenacity.wait_fixed(0.01))
    with pytest.raises(ModelGone, match=r"times in a row.*refused"):
        evaluate(gold, models=["dead/server"], model_args={})
    assert tools_seen
    assert all(tools == [] for tools in tools_seen)


def test_a_provider_that_cannot_be_set_up_is_one_line(evaluate: Callable[..., Results]):
    with pytest.raises(UserError, match="cannot use model 'nosuchprovider/x'") as error:
        evaluate(gold, models=["nosuchprovider/x"], model_args={})
    assert "\n" not in str(error.value)


def test_a_benchmark_without_tasks_is_refused_before_anything_is_written(tmp_path: Path):
    def empty(benchmark: str, **options: Any) -> TaskSet:
        return TaskSet(benchmark, [], [], [], [], True, "test")

    plan = Plan(models=["scripted"], model_args={"answers": gold}, log_dir=str(tmp_path / "logs"))
    with pytest.raises(UserError, match="benchmark 'core' has no tasks"):
        run_plan(plan, build_tasks=empty, screen=Silent())
    assert list(tmp_path.iterdir()) == []


def test_a_lost_sample_is_an_error_and_not_a_smaller_denominator(
    monkeypatch: pytest.MonkeyPatch, evaluate: Callable[..., Results], tmp_path: Path
):
    real = run.Memory

    def forgetful(kept: Any, on_sample: Callable[..., None]) -> Any:
        return real(
            kept,
            lambda task, sample, done, verdict: task.id != "t_2" and on_sample(task, sample, done, verdict),
        )

    monkeypatch.setattr(run, "Memory", forgetful)
    with pytest.raises(DataError, match="11 scores for 12 tasks x 1 samples"):
        evaluate(gold)
    (folder,) = (tmp_path / "logs").iterdir()
    assert not (folder / CELL).exists()


def test_every_benchmark_is_an_inspect_task_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("deskcheck.evaluation.truth.build_tasks", build)
    (log,) = inspect_eval(
        "deskcheck/core",
        model="deskcheck/scripted",
        model_args={"fault": "truncate"},
        task_args={"strategy": "cot"},
        limit=2,
        log_dir=str(tmp_path),
        display="none",
    )
    assert (log.status, log.eval.metadata["strategy"]) == ("success", "cot")
    assert [sample.scores["deskcheck_verdict"].value for sample in log.samples] == ["N", "N"]


def test_a_text_too_deep_to_be_read_is_the_model_s_failure_and_not_the_end_of_the_run():
    class Deep:
        async def run(self, task: Task, ask: Any, settings: Settings) -> Any:
            return await self.run(task, ask, settings)

    asker: Any = SimpleNamespace(completions=[Completion("[[[", "stop")])
    done = asyncio.run(roll_out(Deep(), task(0), asker, Settings()))  # type: ignore[arg-type]
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.reason == "unparsable"
    assert done.completions == asker.completions


@pytest.mark.parametrize("largest", [0, 7, -300, 2**70])
def test_the_largest_integer_of_a_run_is_measured_in_bits(largest: int) -> None:
    trace = trace_of(5)
    data = hex(largest).encode() if abs(largest) >= 2**63 else b""
    values = msgspec.structs.replace(
        trace.values, kind=[2, 5], number=[0 if data else largest, 9], real=[0.0] * 2, data=[data, b"x"]
    )
    assert largest_int(msgspec.structs.replace(trace, values=values)) == abs(largest)
