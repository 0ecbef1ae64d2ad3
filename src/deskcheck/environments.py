"""Name the environment of a project that has a library which this interpreter lacks.

    elsewhere("yaml", Path("shop")) -> "'yaml' is installed in shop/.venv, not in deskcheck's Python: to run
                                        there, shop/.venv/bin/python -m deskcheck trace --trust shop.py"

Looked at are the active environment (VIRTUAL_ENV, CONDA_PREFIX) and the folders .venv and venv of a folder
and of those above it. Nothing of them is imported, and nothing runs.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

from deskcheck.errors import install_line

_VARIABLES, _NAMES = ("VIRTUAL_ENV", "CONDA_PREFIX"), (".venv", "venv")


def elsewhere(module: str, folder: Path) -> str:
    """Return advice on running under the interpreter that has a module, "" if no environment has it."""
    for place, python in _interpreters(folder):
        if not _has(place, module):
            continue
        typed = shlex.join([str(python), "-m", "deskcheck", *sys.argv[1:]])
        install = "" if _has(place, "deskcheck") else f"{install_line(python=str(python))} && "
        return (
            f"'{module}' is installed in {place}, not in deskcheck's Python: to run there, {install}{typed}"
        )
    return ""


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
