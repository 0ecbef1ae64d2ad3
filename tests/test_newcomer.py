"""A newcomer: a fresh clone, an empty environment, the wheel; every command of front pages and help is typed.

The wheel stands in the index's place, since there is no release yet. `tests/test_readme.py` types the same
pages in this environment, within `make test`, and `tests/cli/test_examples.py` the examples at small sizes.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.pages import ROOT, blocks, missing, python_blocks, run, run_python

from deskcheck.cli.examples import EXAMPLES, GROUPS

pytestmark = [pytest.mark.slow, pytest.mark.network]
START = [ROOT / f"docs/start/{name}.md" for name in ("evaluate", "train", "trace", "teach")]
NOT_TYPED = {
    "deskcheck train --preset tiny --out runs/tiny": "takes hours; cut short in tests/cli/test_examples.py",
    "deskcheck train --model": "downloads a model",
    "deskcheck export": "needs a trained model; typed by tests/cli/test_examples.py",
    "deskcheck downstream": "downloads models",
    "deskcheck push --benchmark fresh": "uploads; without that typed by tests/cli/test_examples.py",
    "deskcheck new": "writes into a checkout; typed by tests/test_new.py",
}
"""Beginnings of the examples of -h that this test leaves out, and why."""


def told(command: list[str], cwd: Path, **more: str) -> str:
    """What a command of the newcomer prints; it must end with 0."""
    kept = {
        name: os.environ[name] for name in ("HOME", "PIP_INDEX_URL", "PIP_CONFIG_FILE") if name in os.environ
    }
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", **kept, **more}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the last commit."""
    folder = tmp_path_factory.mktemp("newcomer") / "deskcheck"
    told(["git", "clone", "-q", str(ROOT), str(folder)], ROOT)
    return folder


@pytest.fixture(scope="module")
def python(clone: Path) -> str:
    """The interpreter of an empty environment in which the wheel was installed as deskcheck[eval]."""
    place = clone.parent
    told([sys.executable, "-m", "venv", str(place / "env")], place)
    python = str(place / "env/bin/python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
    told([*pip, "wheel", "--no-deps", "-w", str(place / "index"), str(clone)], place)
    constraints = str(clone / "constraints.txt")
    told([*pip, "install", "--find-links", str(place / "index"), "-c", constraints, "deskcheck[eval]"], place)
    where = told([python, "-c", "import deskcheck; print(deskcheck.__file__)"], place)
    assert where.startswith(str(place / "env"))
    return python


def test_every_block_of_the_front_pages_runs_in_the_empty_environment(clone: Path, python: str):
    printed: dict[str, str] = {}
    for page in (clone / "README.md", *(clone / one.relative_to(ROOT) for one in START)):
        for command, shown in blocks(page):
            if command not in printed:
                printed[command] = run(command, clone, python)
            assert missing(shown, printed[command]) == [], (page.name, command, printed[command])
        for text in python_blocks(page):
            if "load_dataset" not in text:
                run_python(text, clone, python)
            elif find_spec("datasets"):  # of the extra train
                run_python(text, clone)


def order(name: str) -> int:
    """What others read is made first; studies, whose rows are of the same cells, come last."""
    return {"build": -3, "eval": -2, "grade": -1, "study": 1}.get(name, 0)


def test_every_example_of_the_help_can_be_typed_one_after_another(clone: Path, python: str):
    here = clone.parent / "typed"
    shutil.copytree(clone / "examples", here / "examples")
    (here / "script.py").write_text("import sys\nprint(sys.argv[1:], sys.stdin.read())\n")
    (here / "input.txt").write_text("hello\n")
    n_typed = 0
    names = sorted((name for group in GROUPS.values() for name in group), key=order)
    for example in (line for name in names for line in EXAMPLES[name]):
        if example.startswith("deskcheck merge"):  # two shards of a run, a cell each
            for number, cell in enumerate(sorted((here / "logs").iterdir()), 1):
                shutil.copytree(cell, here / "logs" / str(number) / cell.name)
        if not example.startswith(tuple(NOT_TYPED)):
            words = shlex.quote(python) + " -m " + example
            told(["sh", "-c", words if "<" in example else words + " < /dev/null"], here)
            n_typed += 1
        for number in "12":
            shutil.rmtree(here / "logs" / number, ignore_errors=True)
    assert n_typed >= 27


def test_make_run_in_a_fresh_clone_ends_with_its_pages(clone: Path):
    shown = told(["make", "run", f"PYTHON={sys.executable}"], clone)
    assert "447 of 447 steps right" in shown
    pages = [word.strip(".,") for word in shown.split() if word.strip(".,").endswith(".html")]
    assert pages and all((clone / page).exists() for page in pages)
