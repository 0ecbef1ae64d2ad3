"""The commands of README, the start pages and the examples run in a fresh folder and print what is shown."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.evaluation.inspecting import MARKS
from tests.pages import ROOT, blocks, missing, python_blocks, run_python

from deskcheck import cli, plugins

README, EXAMPLES = ROOT / "README.md", ROOT / "examples/README.md"
DEMO = "deskcheck demo --out demo.html"  # its line stands in tests/cli/test_demo.py
START = [ROOT / f"docs/start/{name}.md" for name in ("evaluate", "train", "trace", "teach")]
pytestmark = [*MARKS, pytest.mark.one_python]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what a fresh clone has besides the package."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.fixture
def typed(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[[str], str]:
    """A function: a command -> what it prints, in this process: thirty interpreters would take a minute.

    `tests/test_newcomer.py` types them into shells.
    """
    monkeypatch.chdir(clone)

    def run(command: str) -> str:
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as ended:
            cli.main()
        printed = capsys.readouterr()
        # A file of five answers, one of which cannot be read, is over the bound of a tenth.
        unread = int(printed.out.startswith("NOT READ"))
        assert (ended.value.code or 0) == unread, (command, printed.err)
        return printed.out

    return run


def test_every_block_of_the_readme_and_the_start_pages_runs_and_prints_what_it_shows(
    clone: Path, typed: Callable[[str], str]
):
    """One folder for all, as a reader has it; a command that stands on two pages is run once."""
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    printed: dict[str, str] = {}
    for page in (README, *START):
        found = blocks(page)
        assert len(found) >= 2, page
        for command, shown in found:
            if command == DEMO:
                continue
            if command not in printed:
                printed[command] = typed(command)
            assert missing(shown, printed[command]) == [], (page.name, command, printed[command])
        for text in python_blocks(page):
            if "load_dataset" not in text or find_spec("datasets"):
                run_python(text, clone)


def test_every_command_of_the_examples_runs_and_prints_what_it_shows(
    typed: Callable[[str], str],
):
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    found = [(command, shown) for command, shown in blocks(EXAMPLES) if " study " not in command]
    assert len(found) >= 14
    for command, shown in found:
        assert missing(shown, printed := typed(command)) == [], (command, printed)


def test_the_study_of_the_examples_prints_what_the_page_shows(typed: Callable[[str], str]):
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    ((command, shown),) = [one for one in blocks(EXAMPLES) if " study " in one[0]]
    assert missing(shown, printed := typed(command)) == [], printed


def test_pages_that_show_one_evaluation_show_the_same_figures():
    """`missing` compares lines without figures, so a single page could go on showing those of old weights."""
    row = re.compile(r"(?:direct|tiny) +(?:20 +20 .*? )?(\d+\.\d) (?:% +|\[)([\d.]+)(?: to |, )([\d.]+)")
    pages = (README, ROOT / "docs/start/evaluate.md", EXAMPLES, ROOT / "docs/notebooks/evaluate.ipynb")
    found = {page.name: row.search(page.read_text(encoding="utf-8")) for page in pages}
    assert None not in found.values(), found
    assert len({match.groups() for match in found.values() if match}) == 1, found


def test_there_is_an_example_of_every_format_that_is_read():
    page = EXAMPLES.read_text(encoding="utf-8")
    names = {name.replace("-", "_") for name in plugins.names("importer")}
    shown = {
        re.sub(r"\W.*", "", word).replace("-", "_") for word in re.findall(r"examples/answers/(\S+)", page)
    }
    shown |= {word.replace("-", "_") for word in re.findall(r"examples/answers/([\w-]+)", page)}
    assert names - shown == set()


def test_every_file_of_the_examples_is_named_in_their_page():
    page = EXAMPLES.read_text(encoding="utf-8")
    found = [path for path in (ROOT / "examples").rglob("*") if path.is_file()]
    files = [path.relative_to(ROOT / "examples") for path in found if path.parent.name != "__pycache__"]
    unnamed = [
        str(path)
        for path in files
        if not any(str(part) in page for part in (path, path.name, *path.parents) if str(part) != ".")
    ]
    assert unnamed == ["README.md"] or unnamed == []


def test_the_readme_is_short_enough_to_be_read():
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 220
