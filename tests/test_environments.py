"""A library that only the project's environment has is named with the command that runs there."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

LIBRARY = "def double(n):\n    return 2 * n\n"
SCRIPT = "import onlythere\nprint(onlythere.double(21))\n"


def typed(words: list[str], folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
    return subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=False, env={**clean, **variables}
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with a script and an environment that has the script's library, but not deskcheck."""
    venv.create(tmp_path / "shop" / ".venv", symlinks=True)
    (packages(tmp_path / "shop" / ".venv") / "onlythere.py").write_text(LIBRARY)
    (tmp_path / "shop" / "run.py").write_text(SCRIPT)
    return tmp_path / "shop"


def packages(environment: Path) -> Path:
    return next(environment.glob("lib/python3.*/site-packages"))


def note(done: subprocess.CompletedProcess[str]) -> str:
    return next(line for line in done.stdout.splitlines() if line.startswith("note: "))


def test_the_command_of_the_note_runs_where_the_library_is(project: Path):
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "run.py"]
    advice = note(typed(words, project))
    python = f"{project}/.venv/bin/python"
    command = f"{python} -m deskcheck trace --trust run.py"
    assert advice.startswith(f"note: 'onlythere' is installed in {project}/.venv")
    assert f"{python} -m pip install " in advice and advice.endswith(command)
    paths = [path for path in sys.path if path]
    (packages(project / ".venv") / "shared.pth").write_text("\n".join(paths))
    (packages(project / ".venv") / "deskcheck").mkdir()  # as an install would leave it, for the finder alone
    advice = note(typed(words, project))
    assert "pip install" not in advice
    (packages(project / ".venv") / "deskcheck").rmdir()
    done = typed(shlex.split(advice[advice.index(python) :]), project)
    assert done.returncode == 0 and "42" in done.stderr + done.stdout


def test_the_active_environment_comes_first_and_modules_are_found_too(project: Path, tmp_path: Path):
    words = [sys.executable, "-m", "deskcheck", "trace", "--trust", "-m", "onlythere"]
    done = typed(words, tmp_path, VIRTUAL_ENV=str(project / ".venv"))
    assert done.returncode == 2 and f"'onlythere' is installed in {project}/.venv" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    done = typed(words, tmp_path)
    assert done.returncode == 2 and "is installed in" not in done.stderr


def shares_packages(environment: Path) -> None:
    """Give an environment what this interpreter has installed, deskcheck among it."""
    (packages(environment) / "shared.pth").write_text("\n".join(path for path in sys.path if path))


@pytest.mark.parametrize("command", ["trace", "view"])
def test_python_runs_the_command_under_that_interpreter(project: Path, command: str):
    shares_packages(project / ".venv")
    (project / "run.py").write_text(f"import sys\n{SCRIPT}print(sys.prefix, sys.argv[1:])\nsys.exit(3)\n")
    given = ["--python", ".venv"] if command == "trace" else ["--python=.venv/bin/python"]
    words = [sys.executable, "-m", "deskcheck", command, "--trust", *given, "run.py", "--", "--python", "x"]
    done = typed(words, project)
    assert done.returncode == 3 and "42" in done.stdout, done.stderr
    assert f"{project}/.venv ['--python', 'x']" in done.stdout


def test_python_without_deskcheck_or_without_an_interpreter_says_what_to_do(project: Path):
    words = [sys.executable, "-m", "deskcheck", "trace", "run.py", "--python"]
    done = typed([*words, ".venv"], project)
    assert done.returncode == 2 and ".venv/bin/python -m pip install" in done.stderr, done.stderr
    for path in ("nowhere", "run.py"):
        refused = typed([*words, path], project)
        assert refused.returncode == 2 and f"--python {path}: there is no interpreter" in refused.stderr
        assert len(refused.stderr.splitlines()) == len(done.stderr.splitlines()) == 1


def test_a_library_that_no_environment_has_is_to_be_installed_here(project: Path):
    (packages(project / ".venv") / "onlythere.py").unlink()
    advice = note(typed([sys.executable, "-m", "deskcheck", "trace", "run.py"], project))
    assert advice.endswith(f"{sys.executable} -m pip install onlythere")
