"""Try every command where deskcheck is installed without extras, from a wheel and from a clone.

    python -m tests.base_install            builds both environments, walks, and prints faults and sizes

The commands and their examples are read from the installed package, so a new command is tried without being
listed here. Each must work, or end with 2 and one line; and a line that installs something must be right: the
place that it names exists, and the extra brings the library that was missing.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST_BYTES = 60_000_000
_READ = """
import json
from deskcheck.cli import COMMANDS
from deskcheck.cli.examples import EXAMPLES
print(json.dumps({name: EXAMPLES.get(name, []) for name in COMMANDS}))
"""
_FORKS = """
import json, os, sys, traceback
from deskcheck import cli
for line in sys.stdin:
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    code = 0
    for number, path in enumerate((os.devnull, *sys.argv[1:3])):
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC if number else os.O_RDONLY
        os.dup2(os.open(path, flags), number)
    sys.argv = ["deskcheck", *json.loads(line)]
    try:
        cli.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush(), sys.stderr.flush()
    os._exit(code)
"""
_NEEDED = re.compile(r"the library '([\w.]+)', which is not installed; install it with: (.*)")
_LINE = re.compile(r"(\S+|'[^']+') -m pip install (.+)")
SLOW = {"validate": "runs all programs of a benchmark"}
"""Command -> why only its usage is tried."""


@contextlib.contextmanager
def commands(python: Path, folder: Path) -> Iterator[Callable[[list[str]], subprocess.CompletedProcess[str]]]:
    """Give a function that runs one command in `folder`: words -> how it ended.

    Each is a fork of one interpreter that has imported the command line and nothing else: starting Python for
    each of them takes four times as long.
    """
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as place:
        out, err = Path(place) / "out", Path(place) / "err"
        with subprocess.Popen(
            [str(python), "-c", _FORKS, str(out), str(err)], cwd=folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        ) as server:  # fmt: skip
            assert server.stdin is not None and server.stdout is not None

            def run(words: list[str]) -> subprocess.CompletedProcess[str]:
                print(json.dumps(words), file=server.stdin, flush=True)
                code = int(server.stdout.readline())  # type: ignore[union-attr]  # asserted above
                return subprocess.CompletedProcess(words, code, out.read_text(), err.read_text())

            yield run


def cases(python: Path, folder: Path) -> Iterator[list[str]]:
    """Yield the words of each command: alone, with its help, and as its examples show it."""
    done = subprocess.run([str(python), "-c", _READ], cwd=folder, capture_output=True, text=True, check=True)
    for name, examples in json.loads(done.stdout).items():
        if name in SLOW:
            yield [name, "-h"]
        else:
            yield [name]
            yield from (shlex.split(text.partition(" < ")[0].partition(" > ")[0])[1:] for text in examples)


def walk(python: Path, folder: Path) -> list[str]:
    """Return one line for each fault; the folder gets a copy of the examples."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    (folder / "script.py").write_text("print('a')\n")
    (folder / "input.txt").write_text("a\n")
    with commands(python, folder) as run:
        ends = [(words, run(words)) for words in cases(python, folder)]
    faults = []
    for words, done in ends:
        text = done.stdout + done.stderr
        lines = done.stderr.strip().split("\n")
        typed = shlex.join(words)
        if done.returncode not in (0, 2) or "Traceback" in text:
            faults.append(f"{typed}: ends with {done.returncode}: {text[-300:]!r}")
        elif done.returncode == 2 and not lines[-1].startswith("deskcheck: ") and len(words) > 1:
            faults.append(f"{typed}: ends with 2 and {text[-300:]!r}")
        faults += [f"{typed}: {why}" for line in lines for why in wrong_line(line)]
    return faults


def wrong_line(line: str) -> Iterator[str]:
    """Yield what is wrong about a line that says how to install something."""
    if "pip install" in line and not _LINE.search(line):
        yield f"no interpreter is named: {line}"
    needed = _NEEDED.search(line)
    if needed is None:
        return
    library, typed = needed[1].partition(".")[0], shlex.split(needed[2])
    if typed[0] == "pip":
        return
    place, _, extra = typed[-1].rstrip("]").partition("[")
    if not Path(typed[0]).exists() or (place != "deskcheck" and not Path(place).exists()):
        yield f"names what does not exist: {line}"
    if library.replace("_", "-").lower() not in brought_by(extra):
        yield f"the extra '{extra}' does not bring {library}: {line}"


def brought_by(extra: str) -> set[str]:
    """Return the names that an extra brings, as the package's own file states them."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    names: set[str] = set()
    for item in extras.get(extra, []):
        if inner := re.match(r"deskcheck\[([\w,]+)\]", item):
            names.update(*(brought_by(each) for each in inner[1].split(",")))
        else:
            names.add(re.match(r"[\w-]+", item)[0].replace("_", "-").lower())  # type: ignore[index]  # a name
    return names | {{"mini-racer": "py-mini-racer"}.get(name, name) for name in names}


def size(python: Path) -> int:
    """Return the bytes of all packages beside pip, without compiled code of Python."""
    (place,) = python.parents[1].glob("lib/python3*/site-packages")
    return sum(
        file.lstat().st_size
        for file in place.rglob("*")
        if file.is_file() and not {"pip", "setuptools", "__pycache__"} & set(file.relative_to(place).parts)
    )


def installed(place: Path, *words: str) -> Path:
    """Make an environment, install with these words of pip, and return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = place / "bin" / "python"
    pip = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, *words], check=True)
    return python


def environments(place: Path) -> Iterator[tuple[str, Path]]:
    """Yield names and interpreters of base installs: from a wheel, and from a clone in two ways."""
    clone = place / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    wheels = place / "wheels"
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(clone)]
    subprocess.run(pip, check=True)
    yield "wheel", installed(place / "a", *map(str, wheels.glob("*.whl")))
    yield "pip install . in a clone", installed(place / "b", str(clone))
    yield "pip install -e . in a clone", installed(place / "c", "-e", str(clone))


def main() -> int:
    n_faults = 0
    with tempfile.TemporaryDirectory() as name:
        for what, python in environments(Path(name)):
            folder = Path(tempfile.mkdtemp(dir=name))
            faults = walk(python, folder)
            n_faults += len(faults)
            n = len(list(cases(python, folder)))
            print(f"{what}: {n} commands, {len(faults)} faults, {size(python) / 1e6:.1f} MB", flush=True)
            print(*faults, sep="\n", end="\n" * bool(faults))
    return bool(n_faults)


if __name__ == "__main__":
    os.environ.pop("PYTHONPATH", None)
    sys.exit(main())
