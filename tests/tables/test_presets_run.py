"""Both papers' presets end to end: planted skill, the shipped model, and again from stored answers.

The small versions take seconds; `slow` asks 60 tasks of `core`, six of CRUXEval, and all blocks.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.evaluation.planted_server import Ask, Skill, Way
from tests.tables.preset_server import PresetServer

from deskcheck import cli
from deskcheck.evaluation import truth
from deskcheck.evaluation.truth import TaskSet
from deskcheck.records import Task
from deskcheck.report.read import Run, bare, facts
from deskcheck.tables import presets
from deskcheck.tables.results import runs_of

pytestmark = [*MARKS, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"), pytest.mark.one_python]
PROMPTS = ("vanilla", "cot", "iip-single", "iip-static", "iip-dynamic")
LAYOUTS = ("direct", "scratchpad", "compact", "line-1", "line-n", "instruction-1", "instruction-n")
SKILL = Skill(half=8, slope=0.7, effects={"cot": 0.5, "iip-single": 1.0}, chinese=-1.0)
SHORT = ("103-remainders-meet:0", "51-odd-product:1", "116-ackermann-with-fuel:0")
NESTED = """\
def count(n):
    total = 0
    for i in range(n):
        for j in range(i):
            total += j
    return total
"""
Typed = Callable[..., tuple[int, str]]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Typed:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PLANTED_API_KEY", "x")

    def run(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["deskcheck", *arguments])
        with pytest.raises(SystemExit) as end:
            cli.main()
        return int(end.value.code or 0), capsys.readouterr().out

    return run


@pytest.fixture
def built_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[Task]]]:
    """Programs are executed for the server, and not again for each cell."""
    made: dict[str, TaskSet] = {}

    def build(benchmark: str, **given: Any) -> TaskSet:
        return made[benchmark]

    def of(benchmark: str, **given: Any) -> list[Task]:
        made[benchmark] = build_tasks(benchmark, **given)
        return made[benchmark].tasks

    build_tasks = truth.build_tasks
    monkeypatch.setattr(truth, "build_tasks", build)
    yield of


def nested_file(folder: Path) -> Path:
    rows = [
        {
            "task_id": 11 + k, "text": "", "test_setup_code": "", "challenge_test_list": [],
            "code": NESTED.replace("range(n)", f"range(n + {k})"),
            "test_list": [f"assert count(3) == {[1, 4, 10][k]}"],
        }
        for k in range(3)
    ]  # fmt: skip
    path = folder / "mbpp.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def drawn(server: PresetServer, run: Run, tasks: list[Task]) -> int:
    """How many of a run's tasks the server answered as they are."""
    name, statement_language = bare(run.row.strategy), facts(run).get("statement_language") or "en"
    return sum(server.is_right("m", Ask(task, name, statement_language)) for task in tasks)


def code_executors(server: PresetServer, typed: Typed, tasks: list[Task], monkeypatch: Any) -> None:
    monkeypatch.setenv("PLANTED_BASE_URL", server.url)
    model = "openai-api/planted/m"
    code, said = typed(
        "study", "code-executors", "--model", model, "--benchmark", "core", "--log-dir", "logs"
    )
    assert (code, server.unknown) == (0, [])
    for title in (
        "models by prompt and language",
        "iterative prompting minus VP",
        "iterative prompting minus CoT",
    ):
        assert f"core: {title}" in said
    assert "+7.22, +18.96" in said and "+3.86, +19.46" in said
    assert "core: by lines of code" in said and "core: by executed steps" in said
    runs = runs_of(["logs"])
    assert len(runs) == len(PROMPTS) * 2
    for run in runs:
        assert run.row.right + run.row.wrong == len(tasks), run.row
        assert run.row.right == drawn(server, run, tasks), run.row.strategy
    asked = len(server.requests)
    code, again = typed("table", "logs", "--as", "code-executors")
    assert code == 0 and len(server.requests) == asked
    assert again.strip() in said, "the same tables from stored answers"


def execution_tuning(
    server: PresetServer, typed: Typed, tasks: dict[str, list[Task]], named: list[str], monkeypatch: Any
) -> str:
    """What the study prints, once its figures are those that were drawn."""
    monkeypatch.setenv("PLANTED_BASE_URL", server.url)
    model = ("--model", "openai-api/planted/m")
    code, said = typed("study", "execution-tuning", *model, *named, "--log-dir", "logs")
    assert (code, server.unknown) == (0, [])
    runs = [run for run in runs_of(["logs"]) if "teacher_forcing" not in run.row.strategy]
    assert len(runs) == len(tasks) * len(LAYOUTS)
    for run in runs:
        own = tasks[run.row.benchmark]
        assert run.row.right + run.row.wrong == len(own), run.row
        assert run.row.right == drawn(server, run, own), run.row
    code, again = typed("table", "logs", "--as", "execution-tuning")
    assert code == 0
    lines = {line.strip() for line in said.splitlines()}
    assert {line.strip() for line in again.splitlines()} <= lines, "the same tables from stored answers"
    return said


@pytest.mark.parametrize(
    "chosen", [{"ids": SHORT}, pytest.param({"limit": 60}, marks=pytest.mark.slow)], ids=["short", "more"]
)
def test_code_executors_against_planted_skill(
    chosen: dict[str, Any],
    typed: Typed,
    built_once: Callable[..., list[Task]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tasks = built_once("core", **chosen)
    ways: list[Way] = [
        (name, {"statement_language": statement_language})
        for name in PROMPTS
        for statement_language in ("en", "zh")
    ]
    with PresetServer(tasks, ways, SKILL) as server:
        code_executors(server, typed, tasks, monkeypatch)


@pytest.mark.slow
def test_every_form_of_iterative_prompting_against_planted_skill(
    typed: Typed, built_once: Callable[..., list[Task]], monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = built_once("core", ids=SHORT[:2])
    forms: list[Way] = ["vanilla", "iip-single", "iip-oracle"]
    for name, handling in (("iip-static", ("stop", "reask")), ("iip-dynamic", ("stop", "reask", "check"))):
        knobs = itertools.product(("full", "state"), handling, (1, 2))
        forms += [(name, {"history": h, "on_error": e, "passes": p}) for h, e, p in knobs]
    with PresetServer(tasks, forms, SKILL) as server:
        monkeypatch.setenv("PLANTED_BASE_URL", server.url)
        model = ("--model", "openai-api/planted/m")
        code, said = typed("study", "iip-forms", *model, "--benchmark", "core", "--log-dir", "logs")
        assert (code, server.unknown) == (0, [])
        runs = runs_of(["logs"])
        for run in runs:
            assert run.row.right == drawn(server, run, tasks), run.row.strategy
    assert len(runs) == 3 + 2 * 2 * 2 + 2 * 3 * 2, "form x history x error handling x passes"
    rows = said.split("core: forms of iterative prompting against vanilla")[1].split("\n\n")[0]
    for form in ("iip-single", "iip-static", "history=state", "on_error=check", "passes=2", "iip-oracle"):
        assert form in rows
    assert rows.count("openai-api/planted/m") == len(runs) - 1


def test_gains_stand_by_vanilla_accuracy_against_planted_skill(
    typed: Typed, built_once: Callable[..., list[Task]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three models of planted sizes: the largest has nothing to gain."""
    tasks = built_once("core", ids=SHORT)
    ways: list[Way] = ["vanilla", "cot", "iip-single", "iip-dynamic"]
    gain = {"cot": 5.0, "iip-single": 5.0, "iip-dynamic": 5.0}
    skills = {
        "small": Skill(half=1e-6),
        "middle": Skill(half=8, slope=0.7, effects=gain),
        "large": Skill(half=1e12, effects=gain),
    }
    with PresetServer(tasks, ways, skills) as server:
        monkeypatch.setenv("PLANTED_BASE_URL", server.url)
        models = [part for name in skills for part in ("--model", f"openai-api/planted/{name}")]
        code, said = typed("study", "sizes", *models, "--benchmark", "core", "--log-dir", "logs")
        assert (code, server.unknown) == (0, [])
        runs = runs_of(["logs"])
        for run in runs:
            name = run.row.model.rpartition("/")[2]
            asked = [Ask(task, bare(run.row.strategy), "en") for task in tasks]
            assert run.row.right == sum(server.is_right(name, ask) for ask in asked), run.row
    assert len(runs) == len(skills) * len(ways)
    for way in ("iip-single", "iip-dynamic(max_steps=1000)"):
        table = said.split(f"core: {way} minus vanilla, by vanilla accuracy")[1].split("\n\n")[0]
        order = [name for line in table.splitlines() for name in skills if f"planted/{name}" in line]
        assert order == ["small", "middle", "large"]
    assert "core: cot minus vanilla, by" not in said, "the table is about iterative prompting"


def test_a_block_of_execution_tuning_against_planted_skill(
    typed: Typed, built_once: Callable[..., list[Task]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = nested_file(tmp_path)
    tasks = {"mbpp-nested": built_once("mbpp-nested", data=str(file))}
    named = ["--benchmark", "mbpp-nested", "--data", f"mbpp-nested={file}"]
    with PresetServer(tasks["mbpp-nested"], LAYOUTS, SKILL) as server:
        said = execution_tuning(server, typed, tasks, named, monkeypatch)
    assert "MBPP with nested loops" in said and "77.4 (into calls: 80.6)" in said
    assert "Not here: CRUXEval-O (no run on cruxeval); long runs (no run on long); downstream" in said


@pytest.mark.slow
def test_all_of_execution_tuning_against_planted_skill(
    typed: Typed,
    built_once: Callable[..., list[Task]],
    data: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = {"cruxeval": data("cruxeval/cruxeval.jsonl"), "mbpp-nested": nested_file(tmp_path)}
    tasks = {name: built_once(name, data=str(path), limit=6) for name, path in files.items()}
    tasks["long"] = built_once("long", ids=["collatz-3", "counter-3", "fibonacci-3"])
    named = [part for name, path in files.items() for part in ("--data", f"{name}={path}")]
    with PresetServer([task for own in tasks.values() for task in own], LAYOUTS, SKILL) as server:
        said = execution_tuning(server, typed, tasks, named, monkeypatch)
    assert "single steps: right by part" in said and "96.3" in said
    assert "CRUXEval-O" in said and "79.7" in said
    assert "long executions: runs right" in said and "14,055 steps" in said


def test_code_executors_with_the_shipped_model(typed: Typed, tmp_path: Path) -> None:
    """It knows no words, so its answers are cut or wrong; the tables come all the same."""
    text = presets.text_of("code-executors")
    (tmp_path / "mine.toml").write_text(f"max_tokens = 16\n{text}", encoding="utf-8")
    code, said = typed("study", "mine.toml", "--model", "tiny", "--benchmark", "core", "--limit", "1")
    assert code == 0
    assert "models by prompt and language" in said and "iterative prompting minus VP" in said
    assert {run.row.n_counted for run in runs_of(["logs"])} == {1}


def test_long_executions_with_the_shipped_model(typed: Typed, tmp_path: Path) -> None:
    """The preset's file, copied and with its smallest run alone; the budgets of the largest take a minute."""
    text, n = re.subn(r'"collatz-3",.*?\n\]', '"collatz-3"]', presets.text_of("execution-tuning"), flags=re.S)
    assert n == 1
    text = text.replace("max_steps = 20000", "max_steps = 40\nmax_tokens = 256")
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    code, said = typed("study", "mine.toml", "--model", "tiny", "--benchmark", "long")
    assert code == 0
    assert "long executions: runs right" in said and "31 steps" in said
    assert {run.row.n_counted for run in runs_of(["logs"])} == {1}


@pytest.mark.slow
def test_all_blocks_of_execution_tuning_with_the_shipped_model(
    typed: Typed, data: Callable[[str], Path], tmp_path: Path
) -> None:
    files = {"cruxeval": data("cruxeval/cruxeval.jsonl"), "mbpp-nested": nested_file(tmp_path)}
    named = [part for name, path in files.items() for part in ("--data", f"{name}={path}")]
    code, said = typed("study", "execution-tuning", "--model", "tiny", *named, "--limit", "2")
    assert code == 0
    for part in ("single steps: right by part", "CRUXEval-O", "MBPP with nested loops", "runs right"):
        assert part in said
    assert {run.row.n_counted for run in runs_of(["logs"])} == {2}
