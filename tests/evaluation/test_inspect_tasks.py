"""Every declared pair is an Inspect task; an eval set that was stopped by failures goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_set, list_tasks
from inspect_ai.model import get_model
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.evaluation.test_pairs import KINDS, STRATEGIES, fits
from tests.strategies.programs import tasks as traced

from deskcheck import inspect_tasks
from deskcheck.errors import UserError
from deskcheck.evaluation import truth
from deskcheck.evaluation.truth import TaskSet
from deskcheck.inspect_tasks import make
from deskcheck.models import Question
from deskcheck.records import Completion

pytestmark = [
    *MARKS,
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]
NOTHING = {"data": "", "ids": "", "filter": "", "options": "", "policy": "strict"}


def build(benchmark: str, *, kind: str = "output", **given: Any) -> TaskSet:
    tasks = traced()
    return TaskSet(benchmark, tasks, [], [], [task.id for task in tasks], True, "test", kind)


@pytest.fixture(autouse=True)
def without_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "build_tasks", build)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_an_inspect_task_on_what_it_fits(name: str):
    task = make("core", name, "output", **NOTHING)
    assert len(task.dataset) == 3
    assert task.metadata["strategy"] == name
    assert {"commit", "versions", "sandbox", "tasks_sha256", "data", "knobs", "oracle"} <= set(task.metadata)
    for kind in KINDS:
        if not fits(name, kind):
            with pytest.raises(UserError, match=f"cannot ask for '{kind}' tasks; it fits: .*output"):
                make("core", name, kind, **NOTHING)


def test_a_register_finds_tasks_that_are_written_out():
    found = {one.name for one in list_tasks("inspect_tasks.py", root_dir=Path(inspect_tasks.__file__).parent)}
    assert {"core", "fresh", "cruxeval"} <= found


@pytest.mark.parametrize(
    ("arguments", "score"),
    [
        ({"strategy": "iip-dynamic", "history": "last-3", "statement_language": "zh"}, "N"),
        ({"strategy": "line-n", "skip": 3}, "N"),
        ({"strategy": "cot", "ids": ["a", "b"], "filter": "steps<100"}, "N"),
    ],
)
def test_inspect_runs_it_with_the_settings_that_are_given(
    arguments: dict[str, Any], score: str, tmp_path: Path
):
    (log,) = inspect_eval(
        "deskcheck/core",
        model="deskcheck/scripted",
        model_args={"fault": "truncate"},
        task_args=arguments,
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success"
    given = {
        name: str(value)
        for name, value in arguments.items()
        if name in ("history", "statement_language", "skip")
    }
    assert {name: str(value) for name, value in log.eval.metadata["knobs"].items()} == given
    assert [sample.scores["deskcheck_verdict"].value for sample in log.samples] == [score]


def test_a_setting_that_cannot_be_is_refused_before_anything_runs():
    with pytest.raises(UserError, match="setting history=some"):
        make("core", "iip-static", "output", **{**NOTHING, "history": "some"})


def test_an_eval_set_goes_on_with_what_failed(tmp_path: Path):
    bad = traced()[1].id
    asked: list[str] = []
    down = {bad}

    def speak(question: Question) -> Completion:
        asked.append(question.task_id)
        said = "down" if question.task_id in down else "[ANSWER]1[/ANSWER]"
        return Completion(said, "error" if question.task_id in down else "stop", 1, 1)

    def run() -> tuple[bool, set[str]]:
        done, logs = eval_set(
            ["deskcheck/core", "deskcheck/easy"],
            log_dir=str(tmp_path / "set"),
            model=get_model("deskcheck/scripted", answers=speak, memoize=False),
            task_args={"strategy": "vanilla"},
            retry_attempts=0,
            display="none",
        )
        return bool(done), {log.status for log in logs}

    assert run() == (False, {"error"})
    assert sorted(asked) == sorted([task.id for task in traced()] * 2)
    asked.clear()
    down.clear()
    assert run() == (True, {"success"})
    assert set(asked) == {bad}
