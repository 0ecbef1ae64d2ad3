"""What the pages say can be typed: every documented command line meets the real parser, every name is known.

No command is run. Blocks and `code in a line` are read for commands; `[--x y]` counts as said, of `a|b` the
first; words in CAPITALS and `..` stand for something of the reader's own. Links and files must exist.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
import typer
from msgspec import structs

from deskcheck import plugins
from deskcheck.cli import app
from deskcheck.cli.grading import SOLUTION
from deskcheck.errors import DeskcheckError, UnknownName, UserError
from deskcheck.evaluation.plan import check, from_options, generation, parse_model_args
from deskcheck.evaluation.study import read_study
from deskcheck.evaluation.truth import checked_options
from deskcheck.languages import tolerance_of
from deskcheck.plugins import SourceOptions
from deskcheck.programs import generated, real, written
from deskcheck.training import presets
from deskcheck.training.hub.data import hub_options
from deskcheck.training.hub.rl import rl_options
from deskcheck.training.mixture import read_mixture
from deskcheck.turns.settings import CHECKS as CHECKS_OF_SETTINGS

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("measurements/*.md"),
        *ROOT.glob("src/**/*.md"),
    )
    if path.parent != ROOT / "docs/log" or path.name == "README.md"  # entries say what was typed on their day
)
TOOLS = ("deskcheck", "inspect", "python", "pytest", "make")
PLACEHOLDER = re.compile(r"\b[A-Z][A-Z_]+\b")


class Line(NamedTuple):
    """One command of one page."""

    where: str
    words: list[str]
    in_block: bool
    """A block says a whole command; a sentence may name a part of one."""


def commands(path: Path) -> Iterator[Line]:
    """Every command that the page shows, in its blocks and within its sentences."""
    text = path.read_text(encoding="utf-8")
    fenced = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
    blocks = [(block.start(2), block[2]) for block in fenced.finditer(text) if block[1] in ("", "sh", "bash")]
    blank = fenced.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)
    blocks += [(block.start(), block[0]) for block in re.finditer(r"^(?: {4}.*\n)+", blank, re.M)]
    for start, block in blocks:
        number = text.count("\n", 0, start) + 1
        for offset, line in enumerate(re.sub(r"\\\n\s*", " ", block).split("\n")):
            yield from _command(path, number + offset, line, in_block=True)
    for quoted in re.finditer(r"(?<!`)`([^`]+)`(?!`)", blank):
        said = re.sub(r"\s+", " ", quoted[1])
        yield from _command(path, text.count("\n", 0, quoted.start()) + 1, said, in_block=False)


def _command(path: Path, number: int, line: str, *, in_block: bool) -> Iterator[Line]:
    line = re.sub(r"^(\s|\w+=\S* |nice )+", "", line + " ")
    if not line.startswith(tuple(f"{tool} " for tool in TOOLS)):
        return
    line = re.sub(r"\s#\s.*|\s{4,}.*", "", line)  # what stands behind it explains it
    line = re.sub(r"\s>\s.*", "", line)  # into a file
    line = re.sub(r"(?<=\s)\[(-[^\]]*)\]", r"\1", line)
    words = [word for word in shlex.split(line) if word.strip(".,;:")]
    words = [re.sub(r"^([\w-]+)(\|[\w-]+)+$", r"\1", word) for word in words]
    yield Line(f"{path.relative_to(ROOT)}:{number}", words, in_block)


ALL = [line for page in PAGES for line in commands(page)]


def of(*start: str) -> list[Line]:
    """The commands that begin so."""
    return [line for line in ALL if line.words[: len(start)] == [*start]]


def own(name: str) -> bool:
    """Is it a word for something of the reader's own?"""
    return bool(PLACEHOLDER.fullmatch(name))


def known(kind: str, names: Iterable[str]) -> None:
    """UnknownName for one that is no plug-in."""
    for name in names:
        if not own(name) and name not in plugins.names(kind):
            raise UnknownName(kind, name, plugins.names(kind))


def parsed(line: Line, group: Any) -> dict[str, Any]:
    """The options of a `deskcheck` command as its function gets them; {} for a part of one in a sentence."""
    _, name, *words = line.words
    command = group.commands.get(name)
    if command is None:
        raise UnknownName("command", name, list(group.commands))
    try:
        return dict(command.make_context(name, words).params)
    except Exception as error:  # the parser's own kinds and those of our options: each is said with its line
        said = str(getattr(error, "message", "")) or str(error)
        if not line.in_block and re.search(r"requires an argument|deskcheck \S+ needs ", said):
            options = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
            unknown = [word for word in words if word.startswith("-") and word not in options]
            if not unknown:
                return {}
        raise UserError(said or type(error).__name__) from None


def check_eval(given: dict[str, Any]) -> None:
    """Names, pairs, settings and options of benchmarks."""
    numbers = {"limit": 0, "max_cost": 0.0, "samples": -1}
    given = {name: numbers.get(name, []) if value is None else value for name, value in given.items()}
    plan = from_options(
        models=[name for name in given["model"] if not own(name)],
        benchmarks=given["benchmark"],
        tasks=given["task"],
        strategies=given["strategy"],
        filters=given["filter"],
        n_samples=given["samples"],
        policy=given["policy"],
        model_args=given["model_arg"],
        prices=given["price"],
        settings=given["setting"],
        options=given["option"],
        generation=generation(**parse_model_args(given["config"], "-G")),
        **{name: given[name] for name in ("data", "limit", "max_cost")},
        max_steps=given["max_steps"] or None,
        argv=[],
    )
    checked = check(structs.replace(plan, data={}))
    for name in checked.benchmarks:
        options = {key: text for key, text in plan.options.items() if key != "perturb"}
        checked_options(plugins.load("benchmark", name), name, options)


def check_grade(given: dict[str, Any]) -> None:
    if given["benchmark"]:  # else a mention of the command, or what people guessed
        known("benchmark", [given["benchmark"]])
    known("question", {given["task"]} - {SOLUTION})
    tolerance_of(given["policy"] or "strict")


def check_build(given: dict[str, Any]) -> None:
    known("program source", [given["source"]])
    if given["source"] == "real":
        with patch.multiple(real, whole=lambda side: (), pinned=lambda side, only: ()):  # the names alone
            real.note(SourceOptions(source="real", family=given["family"], path=given["path"]))
    elif given["source"] == "written":
        next(written.programs(SourceOptions(source="written", family=given["family"])))
    elif given["family"]:
        generated.check_family(given["family"])


def check_train(given: dict[str, Any]) -> None:
    layouts = [name for name in given["layouts"].split(",") if name]
    if given["rl"]:
        rl_options({"model": "m", "out": "o", "seed": 0, "threads": 0}, given["set_option"] or [])
    elif given["model"]:
        known("layout", layouts)
        named = {"model": "m", "data": "d", "out": "o", "layouts": [], "seed": 0, "resume": False}
        hub_options(named, given["set_option"] or [])
    elif not own(given["preset"]):
        from deskcheck.training.train import scratch_settings  # it loads what training needs

        scratch_settings(given["set_option"] or [])
        presets.preset(given["preset"], layouts or None)


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "eval": check_eval,
    "grade": check_grade,
    "build": check_build,
    "train": check_train,
}


def test_every_documented_command_can_be_typed():
    group = typer.main.get_command(app)
    lines = [line for line in of("deskcheck") if len(line.words) > 1 and line.words[1] != "--help"]
    assert len(lines) > 60
    wrong = []
    for line in lines:
        try:
            given = parsed(line, group)
            if given and line.words[1] in CHECKS:
                CHECKS[line.words[1]](given)
        except DeskcheckError as error:
            wrong.append(f"{line.where}: {shlex.join(line.words)}: {error}")
    assert wrong == []


def test_a_command_that_cannot_be_typed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(
        "Say `deskcheck evil` or:\n```\ndeskcheck eval --modle x   # no\ndeskcheck compare A\n```\n"
    )
    group = typer.main.get_command(app)
    found = list(commands(page))
    assert [line.where for line in found] == ["page.md:3", "page.md:4", "page.md:1"]
    for line in found:
        with pytest.raises(UserError):
            parsed(line, group)


def test_every_inspect_command_names_a_benchmark_and_options_that_it_takes():
    takes = {*CHECKS_OF_SETTINGS, "strategy", "task", "data", "policy", "ids", "filter", "options"}
    lines = of("inspect", "eval") + of("inspect", "eval-set")
    assert len(lines) > 2
    for line in lines:
        names = [word.removeprefix("deskcheck/") for word in line.words if word.startswith("deskcheck/")]
        known("benchmark", [name for name in names if name not in plugins.names("model")])
        for option, value in pairwise(line.words):
            if option == "-T":
                assert value.partition("=")[0] in takes, line


def test_every_script_test_and_target_exists_and_takes_what_is_shown():
    wrong = []
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    plugin = (ROOT / "src/deskcheck/pytest_plugin.py").read_text(encoding="utf-8")
    for line in (*of("python"), *of("pytest"), *of("make")):
        tool, *words = line.words
        if tool == "make" and line.in_block:
            wrong += [line for word in words if word not in targets and "=" not in word]
            continue
        words = words[words.index("pytest") + 1 :] if words[:2] == ["-m", "pytest"] else words
        if tool == "python" and "-m" in words[:-1]:
            at = words.index("-m") + 1
            words = [words[at].replace(".", "/") + ".py", *words[at + 1 :]]
        files = [
            word for word in words if word.endswith(".py") or word.startswith(("tests/", "measurements/"))
        ]
        wrong += [line for file in files if not any((at / file).exists() for at in (ROOT, ROOT / "src"))]
        if tool == "python" and files and (ROOT / files[0]).is_file():
            text = (ROOT / files[0]).read_text(encoding="utf-8")
            wrong += [
                line for word in words if word.startswith("--") and f'"{word.partition("=")[0]}"' not in text
            ]
        wrong += [line for word in words if word.startswith("--deskcheck") and f'"{word}"' not in plugin]
    assert wrong == []


def test_every_link_leads_to_a_file_and_a_heading():
    wrong = []
    for page in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            name, _, heading = target.partition("#")
            place = (page.parent / name).resolve() if name else page
            if "://" in target:
                continue
            if not place.exists() or (heading and heading not in headings(place)):
                wrong.append(f"{page.relative_to(ROOT)}: {target}")
    assert wrong == []


def headings(page: Path) -> set[str]:
    """Names of its headings, as GitHub makes them."""
    lines = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", line.lower()).strip().replace(" ", "-") for line in lines}


def test_every_file_that_a_page_names_is_there():
    """Paths from the root, or from the package, in backticks."""
    wrong = []
    for page in PAGES:
        for name in re.findall(
            r"`((?:src|docs|tests|benchmarks|measurements|examples)/[\w./-]+)`",
            page.read_text(encoding="utf-8"),
        ):
            bases = (ROOT, ROOT / "src/deskcheck")
            if not PLACEHOLDER.search(name) and not any((base / name).exists() for base in bases):
                wrong.append(f"{page.relative_to(ROOT)}: {name}")
    assert wrong == []


def test_the_examples_in_python_and_toml_parse(tmp_path: Path):
    studies = mixtures = 0
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for code in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
            ast.parse(code)
        for toml in re.findall(r"^```toml\n(.*?)^```", text, re.M | re.S):
            file = tmp_path / "example.toml"
            file.write_text(toml, encoding="utf-8")
            if "[[part]]" in toml:
                assert read_mixture(file).part
                mixtures += 1
            else:
                assert read_study(str(file)).plans
                studies += 1
    assert studies and mixtures


def test_every_measurement_is_in_the_table_of_measurements():
    table = (ROOT / "measurements/README.md").read_text(encoding="utf-8")
    files = [file.name for file in (ROOT / "measurements").glob("*.py") if f"| `{file.name}` |" not in table]
    assert files == []


FIGURE = re.compile(r"\d[\d,.]*")
MOST_FIGURES = 8
"""Of one sentence of the log, its intervals included; more of them are a table."""


def crowded(text: str) -> list[str]:
    """Sentences with too many figures; tables, code and headings are none."""
    prose = re.sub(r"^```.*?^```$", "\n\n", text, flags=re.M | re.S)
    prose = re.sub(r"^[|#].*$", "\n", re.sub(r"`[^`\n]*`", "", prose), flags=re.M)
    sentences = (one for block in re.split(r"\n\s*\n", prose) for one in re.split(r"(?<=[.:;?])\s+", block))
    return [one.strip() for one in sentences if len(FIGURE.findall(one)) > MOST_FIGURES]


def test_the_figures_of_the_log_stand_in_tables():
    pages = sorted((ROOT / "docs/log").glob("*.md"))
    found = {page.name: crowded(page.read_text(encoding="utf-8")) for page in pages}
    assert {page: sentences for page, sentences in found.items() if sentences} == {}


def test_a_sentence_full_of_figures_is_found():
    many = "It had 1, 2, 3, 4, 5, 6, 7, 8 and 9 of ten."
    assert crowded(f"# 1 2 3 4 5 6 7 8 9\n{many} More.\n\n| {many} |\n\n```\n{many}\n```\n") == [many]
