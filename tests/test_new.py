"""What `deskcheck new` writes is a plug-in that works: found by its name, asked, read back."""

from __future__ import annotations

import asyncio
import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskcheck import plugins, scaffold
from deskcheck.errors import UserError
from deskcheck.evaluation.truth import build_tasks
from deskcheck.records import Completion, Limits, Program, Prompt, Task, Trace
from deskcheck.scaffold import QUESTIONS_PAGE, write_new
from deskcheck.strategies import Settings, check_fit
from deskcheck.tracing.reference import trace_program


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with nothing in it; what is written there is found beside the real plug-ins."""
    package = tmp_path / "src" / "deskcheck"
    for folder in (kind.folder for kind in scaffold.KINDS.values()):
        (package / folder).mkdir(parents=True)
        real = importlib.import_module(f"deskcheck.{folder}")
        monkeypatch.setattr(real, "__path__", [*real.__path__, str(package / folder)])
    (package / "plugins.py").write_text("")
    for page in filter(None, (kind.row[0] for kind in scaffold.KINDS.values())):
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / page).write_text((Path(__file__).parents[1] / page).read_text())
    return tmp_path


def here(programs: Iterator[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    for program in programs:
        yield program, trace_program(program, limits)


def tasks(checkout: Path, name: str, kind: str = "output") -> list[Task]:
    data = str(checkout / "tests/benchmarks/rows_of" / f"{name}.jsonl")
    found = build_tasks(name, kind=kind, data=data, runner=here)
    assert found.disagreements == [] and found.dropped == []
    return found.tasks


def test_a_new_benchmark_has_a_file_a_row_and_a_page(checkout: Path):
    written = write_new("benchmark", "new-maps", checkout)
    assert [path.relative_to(checkout).as_posix() for path in written] == [
        "src/deskcheck/benchmarks/new_maps.py",
        "tests/benchmarks/rows_of/new-maps.jsonl",
        "docs/benchmarks/new-maps.md",
        "docs/benchmarks/README.md",
    ]
    assert "| [new-maps](new-maps.md) |" in written[-1].read_text()
    assert [task.expected for task in tasks(checkout, "new-maps")] == ["[2, 4]", "[6]", "[8, 8]"]


def test_a_name_that_the_core_has_in_quotes_is_refused(checkout: Path):
    """Otherwise tests/test_plugin_names.py is red in a file that the contributor never opened."""
    core = checkout / "src/deskcheck/tracing/shapes.py"
    core.parent.mkdir()
    core.write_text("WORDS = (\n    'kind',\n    \"pairs\",\n)\n")
    for kind in ("layout", "strategy", "question"):
        with pytest.raises(UserError, match=r"'pairs' is a word of tracing/shapes.py, line 3, .*'my-pairs'"):
            write_new(kind, "pairs", checkout)
    assert write_new("layout", "my-pairs", checkout)
    assert write_new("benchmark", "pairs", checkout)


def test_a_new_question_is_asked_of_a_new_benchmark(checkout: Path):
    write_new("benchmark", "new-rows", checkout)
    write_new("question", "new-length", checkout)
    asked = tasks(checkout, "new-rows", "new-length")
    assert [task.expected for task in asked] == ["11", "8", "13"]
    assert asked[0].question["en"] == "How many lines does the call f([1, 2, 4]) run?"


def test_a_new_question_has_its_row_in_the_table_of_all(checkout: Path):
    page = checkout / QUESTIONS_PAGE
    before = page.read_text().split("\n")
    assert write_new("question", "new-width", checkout)[-1] == page
    after = page.read_text().split("\n")
    (at,) = (n for n, line in enumerate(after) if line.startswith("| `new-width` |"))
    assert after[:at] + after[at + 1 :] == before
    assert after[at - 1].startswith("| `") and after[at + 1] == ""
    page.write_text("# Questions\n")
    with pytest.raises(UserError, match="holds no table"):
        write_new("question", "new-depth", checkout)
    assert not (checkout / "src/deskcheck/questions/new_depth.py").exists()


def test_a_new_strategy_that_steps_goes_through_a_run_in_a_new_layout(checkout: Path):
    write_new("benchmark", "new-items", checkout)
    write_new("layout", "new-line", checkout)
    write_new("strategy", "new-steps", checkout, layout="new-line")
    layout = plugins.load("layout", "new-line")
    strategy = plugins.load("strategy", "new-steps")
    task = tasks(checkout, "new-items")[0]
    examples = layout.render(task.truth, task.program)
    assert (
        layout.parse(task.program, examples) == layout.keeps(task.truth)
        and len(examples) == task.truth.n_steps + 1  # the call is a step
    )
    said = iter(examples)

    async def ask(prompt: Prompt) -> Completion:
        return Completion(next(said).target, "stop")

    check_fit("new-steps", strategy, kind="output", settings=Settings())
    done = asyncio.run(strategy.run(task, ask, Settings()))
    assert done.answer.text == task.expected and strategy.CHAIN == "states"


def test_a_new_strategy_asks_once(checkout: Path):
    write_new("benchmark", "new-pairs", checkout)
    write_new("strategy", "new-look", checkout)
    strategy = plugins.load("strategy", "new-look")
    task = tasks(checkout, "new-pairs")[0]

    async def ask(prompt: Prompt) -> Completion:
        assert task.program.source.rstrip() in prompt.messages[0].text
        return Completion(f"[ANSWER]{task.expected}[/ANSWER]", "stop")

    assert asyncio.run(strategy.run(task, ask, Settings())).answer.text == task.expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("engine", "a"), "no kind of plug-in called 'engine'"),
        (("benchmark", "Two Words"), "'Two Words' is no name"),
        (("benchmark", "a" * 41), "at most 40 in all"),
        (("layout", "class"), "no keyword of Python"),
        (("strategy", "a"), "is there already; nothing was written"),
    ],
)
def test_what_cannot_be_written_is_said(checkout: Path, words: tuple[str, str], message: str):
    (checkout / "src/deskcheck/strategies/a.py").write_text("")
    with pytest.raises(UserError, match=message):
        write_new(*words, checkout)
    with pytest.raises(UserError, match="no layout called 'b' here"):
        write_new("strategy", "c", checkout, layout="b")
    with pytest.raises(UserError, match="no checkout of deskcheck"):
        write_new("benchmark", "c", checkout / "src")


VARIANTS = [(kind, "") for kind in scaffold.KINDS] + [
    (kind, "layout") for kind, what in scaffold.KINDS.items() if what.stepping
]
"""Every module that can be written: of each kind, and with `--layout` where the kind takes it."""


@pytest.mark.skipif(not shutil.which("ruff", path=str(Path(sys.executable).parent)), reason="needs ruff")
@pytest.mark.parametrize("letters", [1, scaffold.MOST_LETTERS])
@pytest.mark.parametrize(("kind", "layout"), VARIANTS)
def test_ruff_accepts_what_is_written_whatever_its_name(checkout: Path, kind: str, layout: str, letters: int):
    other = layout and "b" * letters
    if layout:
        write_new(layout, other, checkout)
    module = write_new(kind, "a" * letters, checkout, layout=other)[0]
    place, text = module.relative_to(checkout).as_posix(), module.read_text(encoding="utf-8")
    for command in (["check", "-q"], ["format", "--check"]):
        done = subprocess.run(  # in the real checkout, whose rules are meant
            [Path(sys.executable).with_name("ruff"), *command, "--stdin-filename", place, "-"],
            cwd=Path(__file__).parents[1], input=text, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", scaffold.KINDS)
def test_a_package_of_ones_own_gets_the_module_and_its_entry_point(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
):
    package = tmp_path / f"ours_{kind}" / "plugins"  # one name a test: imported packages stay
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package.parent / "__init__.py").write_text("")
    written = write_new(kind, "two-looks", package)
    assert written and all(path.parent == package for path in written)
    assert scaffold.make_pages(kind, "two-looks", package) == ""
    printed = scaffold.next_step(kind, "two-looks", package)
    monkeypatch.syspath_prepend(tmp_path)
    groups = re.findall(r'"deskcheck\.(\w+)"\]\ntwo-looks = "(\S+)"', printed)
    assert {group for group, _ in groups} <= set(plugins.FOLDERS.values())
    assert [Path(importlib.import_module(module).__file__ or "") for _, module in groups] == written


def test_a_strategy_of_ones_own_steps_in_a_layout_beside_it_or_in_one_that_ships(tmp_path: Path):
    (tmp_path / "__init__.py").write_text("")
    write_new("layout", "pairs", tmp_path)
    (own,) = write_new("strategy", "by-pairs", tmp_path, layout="pairs")
    assert f"from {tmp_path.name}.pairs import LAYOUT, body" in own.read_text()
    (shipped,) = write_new("strategy", "by-lines", tmp_path, layout="line-1")
    assert "from deskcheck.layouts.line_1 import LAYOUT, body" in shipped.read_text()
    with pytest.raises(UserError, match="no layout called 'trios' here"):
        write_new("strategy", "by-trios", tmp_path, layout="trios")


def test_the_pages_and_the_help_name_every_kind():
    contributing = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (typed,) = re.findall(r"`deskcheck new (\S+) NAME`", contributing)
    assert sorted(typed.split("|")) == sorted(scaffold.KINDS)
    annotation = importlib.import_module("deskcheck.cli.adding").new.__annotations__["kind"]
    assert all(kind in annotation for kind in scaffold.KINDS)
