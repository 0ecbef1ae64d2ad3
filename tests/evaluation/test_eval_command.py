"""`deskcheck eval` from the command line: one clear line for what cannot be, and nothing half-written."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.evaluation.fakes import trace_of
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401

from deskcheck import cli
from deskcheck.evaluation import truth
from deskcheck.evaluation.truth import Dropped, TaskSet
from deskcheck.records import Program, Task

pytestmark = MARKS


def build(
    benchmark: str,
    *,
    data: str,
    ids: Sequence[str],
    limit: int,
    after_draft: Callable[[], None],
    kind: str = "output",
) -> TaskSet:
    if kind != "output":
        return TaskSet(benchmark, [], [], [Dropped("t_0", "no loop", "")], ["t_0"], True, "test")
    program = Program("0" * 16, "python", "def f(x):\n    return x + 1\n", "f", "2", "test", "MIT")
    task = Task("t_0", benchmark, "output", program, "3", trace_of(3), "t_0")
    return TaskSet(benchmark, [task], [], [], ["t_0"], True, "test")


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str, str]]:
    """A function: arguments -> (exit code, stdout, stderr), in an empty folder, without a sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(truth, "build_tasks", build)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["deskcheck", *arguments])
        code = 0
        try:
            cli.main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no model named; use --model with one of deskcheck's own (hub, replay, scripted, tiny)"),
        (["--model", "gpt-4o"], "no model called 'gpt-4o'"),
        (["--model", "scripted", "--benchmark", "cor"], "no benchmark called 'cor'; known:"),
        (["--model", "scripted", "--strategy", "iip"], "no strategy called 'iip'; known:"),
        (["--model", "scripted"], "deskcheck/scripted needs exactly one of"),
        (["--model", "replay", "-M", "path=nowhere.json"], "no saved generations at 'nowhere.json'"),
        (["--model", "scripted", "-M", "colour=red"], "colour"),
        (["--model", "scripted", "--data", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--model", "scripted", "--json", "no/such/folder/out.json"], "no folder 'no/such/folder'"),
        (["--task", "loop-counts", "--dry-run"], "no tasks of kind 'loop-counts'; no loop (1)"),
    ],
)
def test_what_cannot_be_is_one_line_with_exit_code_2_and_nothing_is_written(
    command: Callable[..., tuple[int, str, str]], tmp_path: Path, arguments: list[str], said: str
):
    code, out, err = command("eval", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("deskcheck: ")
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_says_how_to_install_it(
    command: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
):
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "inspect_ai" else find(name, *rest)
    )
    code, _, err = command("eval", "--model", "scripted", "-M", 'answers=["x"]')
    assert code == 2
    assert "[eval]'" in err


def test_a_dry_run_asks_nothing_and_need_no_model(
    command: Callable[..., tuple[int, str, str]], tmp_path: Path
):
    code, out, _ = command("eval", "--strategy", "cot", "--dry-run")
    assert code == 0
    assert "· at most 4096 tokens\n" in out
    assert "def f(x):\n    return x + 1" in out
    assert "f(2)" in out
    code, out, _ = command(
        "eval", "--strategy", "vanilla", "--strategy", "cot", "--samples", "5", "--dry-run"
    )
    assert code == 0
    assert "core · vanilla: 1 task, 5 samples each, no model named: 5 calls" in out
    assert list(tmp_path.iterdir()) == []


def test_a_run_prints_a_table_and_writes_results_and_logs_that_report_reads(
    command: Callable[..., tuple[int, str, str]], tmp_path: Path
):
    arguments = ["eval", "--model", "scripted", "--strategy", "vanilla", "--strategy", "cot"]
    arguments += ["-M", 'answers=["[ANSWER]3[/ANSWER]"]', "--json", "out.json"]
    code, out, err = command(*arguments)
    assert code == 0
    assert "100.0 %" in out
    assert "2 of 2 samples, 2 right" in err
    rows = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["rows"]
    assert [(row["strategy"], row["right"]) for row in rows] == [("vanilla", 1), ("cot", 1)]
    for place, page in (("out.json", "a.html"), ("logs", "b.html")):
        assert command("report", place, "--out", page)[0] == 0
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    code, _, err = command(*arguments)
    assert "1 samples; 1 were answered before and are not asked again" in err
    assert code == 0


def test_a_layout_for_trained_models_comes_with_a_warning(command: Callable[..., tuple[int, str, str]]):
    arguments = ["eval", "--model", "scripted", "-M", 'answers=["<- 3"]', "--strategy", "direct"]
    code, _, err = command(*arguments)
    assert code == 0
    assert "warning: strategy 'direct' is a layout for models trained on it; deskcheck/scripted is not" in err
