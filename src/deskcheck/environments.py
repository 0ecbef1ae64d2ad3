"""Find a project's virtual environment that has a missing library, and run deskcheck under another Python.

    elsewhere("yaml", Path("shop")) -> "'yaml' is installed in shop/.venv, not in deskcheck's Python: to run
                                        there, shop/.venv/bin/python -m deskcheck trace --trust shop.py"
    run_under("shop/.venv", ["trace", "a.py"])          the command begins anew in that interpreter

`elsewhere` looks at the active environment (VIRTUAL_ENV, CONDA_PREFIX) and at the folders .venv and venv in a
folder and in all folders above it. It imports and runs nothing of them.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NoReturn

from deskcheck.errors import UserError, install_line

_VARIABLES, _NAMES = ("VIRTUAL_ENV", "CONDA_PREFIX"), (".venv", "venv")


def elsewhere(module: str, folder: Path) -> str:
    """Return advice on running under an interpreter that has `module`; "" if no environment has it."""
    for place, python in _interpreters(folder):
        if not _has(place, module):
            continue
        typed = shlex.join([str(python), "-m", "deskcheck", *sys.argv[1:]])
        install = "" if _has(place, "deskcheck") else f"{install_line(python=str(python))} && "
        return (
            f"'{module}' is installed in {place}, not in deskcheck's Python: to run there, {install}{typed}"
        )
    return ""


def run_under(path: str, words: list[str]) -> NoReturn:
    """Replace this process by deskcheck with the arguments `words` under another interpreter.

    `path`: the interpreter, its name, or the folder of its environment. UserError if there is no interpreter,
    or if deskcheck is not installed there.
    """
    place = Path(path).expanduser()
    python = str(place / "bin" / "python") if place.is_dir() else shutil.which(str(place)) or str(place)
    if not (os.path.isfile(python) and os.access(python, os.X_OK)):
        raise UserError(
            f"--python {path}: there is no interpreter; name one, such as python3.12, or the folder of an "
            "environment, such as .venv"
        )
    asked = [python, "-c", "import deskcheck"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it cannot be started"])[-1]
        lacks = f"deskcheck is not installed there: {install_line(python=python)}"
        raise UserError(f"--python {path}: {lacks if 'deskcheck' in why else why}")
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(python, [python, "-m", "deskcheck", *words])


def _interpreters(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield environments other than the running one with their interpreters, the active one first."""
    above = [folder.resolve(), *folder.resolve().parents]
    places = [Path(os.environ[name]) for name in _VARIABLES if os.environ.get(name)]
    for place in (*places, *(parent / name for parent in above for name in _NAMES)):
        python = place / "bin" / "python"
        if python.is_file() and place.resolve() != Path(sys.prefix).resolve():
            yield place, python


def _has(place: Path, module: str) -> bool:
    paths = [str(path) for path in place.glob("lib/python3.*/site-packages")]
    return PathFinder.find_spec(module, [*paths, *_linked(paths)]) is not None


def _linked(paths: list[str]) -> Iterator[str]:
    """Yield the folders that .pth files name, as editable installs write them."""
    for file in (file for path in paths for file in sorted(Path(path).glob("*.pth"))):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if os.path.isdir(line):
                yield line
