"""What `inspect eval` logged reads like what `deskcheck eval` wrote: same rows, same samples, same marks."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("inspect_ai")

from inspect_ai import eval as inspect_eval
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import get_model
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.strategies.programs import gold, tasks
from typer.testing import CliRunner

from deskcheck import plugins
from deskcheck.cli import app
from deskcheck.errors import DataError
from deskcheck.evaluation import truth
from deskcheck.evaluation.logs import convert_logs, damaged_part
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.run import run_plan
from deskcheck.evaluation.truth import TaskSet
from deskcheck.models import Question
from deskcheck.records import Completion
from deskcheck.report.read import read_runs
from deskcheck.strategies import Settings

pytestmark = [*MARKS, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")]
CARD = "---\nlayouts: [direct]\ncomments: false\n---\n"


def build(benchmark: str, *, kind: str = "output", **given: Any) -> TaskSet:
    found = tasks()
    return TaskSet(benchmark, found, [], [], [task.id for task in found], True, "test", kind)


@pytest.fixture(autouse=True)
def without_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(truth, "build_tasks", build)


class Quiet:
    """A screen that nobody looks at."""

    def say(self, line: str) -> None: ...
    def begin(self, name: str, total: int, kept: int) -> None: ...
    def sample(self, verdict: object) -> None: ...
    def end(self) -> None: ...


def speaker(name: str) -> Callable[[Question], Completion]:
    """Right about the first task, cut in the middle of the second, wrong about the third."""
    settings, strategy = Settings(), plugins.load("strategy", name)
    first, second, _ = tasks()
    says = {task.id: gold(name, strategy, task, settings) for task in tasks()}

    def speak(question: Question) -> Completion:
        if question.task_id == first.id:
            return Completion(says[first.id](question.prompt), "stop", 3, 4)
        if question.task_id == second.id:
            return Completion("@4", "length", 3, 4)
        return Completion("<- 'no'" if strategy.TRAINED else "[ANSWER]'no'[/ANSWER]", "stop", 3, 4)

    return speak


def logged(folder: Path, name: str, speak: Callable[[Question], Completion], **given: Any) -> Any:
    arguments = given.pop("task_args", {})
    (log,) = inspect_eval(
        "deskcheck/core",
        model=get_model("deskcheck/scripted", answers=speak, memoize=False),
        task_args={"strategy": name, **arguments},
        log_dir=str(folder),
        display="none",
        **given,
    )
    return log


@pytest.mark.parametrize("name", ["vanilla", "line-1", "iip-dynamic", "cwm"])
def test_a_log_gives_the_row_and_the_samples_that_deskcheck_eval_writes(name: str, tmp_path: Path):
    speak = speaker(name)
    plan = Plan(["scripted"], strategies=[name], model_args={"answers": speak}, log_dir=str(tmp_path / "own"))
    run_plan(plan, build_tasks=build, screen=Quiet())
    logged(tmp_path / "inspect", name, speak)
    (own,) = read_runs(str(tmp_path / "own"))
    (taken,) = read_runs(convert_logs(str(tmp_path / "inspect"), pytest.fail))
    assert taken.row == own.row
    without_time = [
        [{**msgspec.to_builtins(one), "seconds": 0} for one in run.samples] for run in (own, taken)
    ]
    assert without_time[0] == without_time[1]
    assert name != "cwm" or own.row.right == 1


def test_the_marks_of_a_run_are_in_its_log_and_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "README.md").write_text(CARD, encoding="utf-8")
    from deskcheck.models.scripted import Scripted

    monkeypatch.setattr(Scripted, "model", type("M", (), {"path": tmp_path}), raising=False)
    monkeypatch.setattr(
        "deskcheck.evaluation.prepare.has_comment", lambda source, language: "Adds what is greater" in source
    )
    log = logged(
        tmp_path / "logs",
        "line-1",
        lambda question: Completion("<- 1", "stop", 1, 1),
        task_args={"inject_states": "2wrong"},
    )
    marks = ["layout not trained on", "comments in 1 of 3 programs, trained without", "injected states"]
    assert log.eval.metadata["marks"] == marks
    assert [one.scores["deskcheck_verdict"].metadata["marks"] for one in log.samples] == [marks] * 3
    said = capsys.readouterr().err
    assert said.count("warning: deskcheck/scripted was not trained on the layout of strategy 'line-1'") == 1
    done = CliRunner().invoke(
        app, ["report", str(tmp_path / "logs"), "--out", str(tmp_path / "x.html")], catch_exceptions=False
    )
    assert done.exit_code == 0
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert all(mark in page for mark in ("layout not trained on", "comments in 1 of 3", "oracle"))


def test_a_sample_that_failed_is_an_error_and_in_no_rate(tmp_path: Path):
    def broken(question: Question) -> Completion:
        down = question.task_id == tasks()[1].id
        return Completion("down", "error") if down else Completion("[ANSWER]1[/ANSWER]", "stop", 1, 1)

    logged(tmp_path, "vanilla", broken, fail_on_error=False)
    (run,) = read_runs(convert_logs(str(tmp_path), pytest.fail))
    assert (run.row.n_answers, run.row.no_answer["error"]) == (3, 1)
    (failed,) = run.missing
    assert (failed.reason, len(run.samples), run.row.n_counted) == ("error", 2, 2)
    assert (failed.task, failed.source) == (tasks()[1].id, tasks()[1].program.source)


def test_samples_of_several_epochs_are_samples_of_a_task(tmp_path: Path):
    logged(tmp_path, "vanilla", speaker("vanilla"), epochs=3, limit=2)
    (run,) = read_runs(convert_logs(str(tmp_path), pytest.fail))
    assert (run.row.n_tasks, run.row.n_samples, run.row.right) == (2, 3, 3)
    assert [(one.task, one.sample) for one in run.samples] == [
        (t.id, n) for t in tasks()[:2] for n in range(3)
    ]


def test_what_cannot_be_read_is_named_and_left_out(tmp_path: Path):
    log = read_eval_log(logged(tmp_path, "vanilla", speaker("vanilla"), limit=1).location)
    log.status = "error"
    write_eval_log(log, str(tmp_path / "stopped.eval"))
    log.eval.metadata = {}
    write_eval_log(log, str(tmp_path / "foreign.eval"))
    said: list[str] = []
    (run,) = read_runs(convert_logs(str(tmp_path), said.append))
    assert run.row.n_answers == 1
    assert [line.partition(": ")[2] for line in said] == [
        "not the log of a deskcheck task, or written by an older version; evaluate again; left out",
        "it did not finish (error); left out",
    ]
    with pytest.raises(DataError, match="did not finish"):
        convert_logs(str(tmp_path / "stopped.eval"), said.append)
    assert read_runs(convert_logs(log.location, said.append))[0].row.n_answers == 1


def test_logs_of_deskcheck_eval_itself_are_left_alone(tmp_path: Path):
    plan = Plan(["scripted"], model_args={"fault": "refuse"}, log_dir=str(tmp_path))
    run_plan(plan, build_tasks=build, screen=Quiet())
    (log,) = tmp_path.glob("*/*.eval")
    killed = tmp_path / ".under-way-7"
    killed.mkdir()
    (killed / log.name).write_bytes(log.read_bytes())
    assert convert_logs(str(tmp_path), pytest.fail) == str(tmp_path)
    assert len(read_runs(str(tmp_path))) == 1


@pytest.mark.parametrize("name", ["header.json", "summaries.json", "samples/"])
def test_a_log_with_a_damaged_middle_is_named_with_the_part_and_left_out(name: str, tmp_path: Path):
    """One bit of one part: its checksum tells, where the text could still be read."""
    path = Path(logged(tmp_path, "vanilla", speaker("vanilla"), limit=1).location)
    assert damaged_part(path) == ""
    with zipfile.ZipFile(path) as archive:
        part = next(one for one in archive.infolist() if one.filename.startswith(name))
    data = bytearray(path.read_bytes())
    data[part.header_offset + 30 + len(part.filename) + part.compress_size // 2] ^= 1
    path.write_bytes(data)
    assert damaged_part(path) == part.filename
    said: list[str] = []
    convert_logs(str(tmp_path), said.append)
    assert said == [
        f"{path}: cut or damaged ({part.filename}); "
        "restore it from a copy, or run the evaluation again; left out"
    ]
