"""Modules of installed packages, drawn by seed, called by `build files` as a plain import gives them.

    DRAWN_FROM=FOLDER python -m tests.tracing.drawn_modules     6 modules of each of 10 packages: what differs

FOLDER is what `pip install --target FOLDER` filled. Without it packages of this environment are drawn.

Each package is copied to a folder of its own, as a project lies there. Up to two undecorated functions of
each module get two drawn calls each. The oracle is plain Python: one process imports the module and forks
for each call. Results are compared exactly if they are literals, else by type, and exceptions by type.
"""

from __future__ import annotations

import ast
import json
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import BadSource, DataError, UserError
from deskcheck.plugins import SourceOptions
from deskcheck.programs.files import programs
from deskcheck.records import Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.replay import final_state

SEED, N_PACKAGES, N_MODULES, N_FUNCTIONS, N_CALLS = 45, 10, 60, 2, 2
MOST_FILES = 300
_VALUES = [
    "0",
    "3",
    "-2",
    "2.5",
    "'a b'",
    "''",
    "'x=1'",
    "[3, 1, 2]",
    "[]",
    "{'a': 1}",
    "None",
    "b'ab'",
    "(1, 'b')",
]
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
_ORACLE = """\
import importlib, json, os, signal, sys
sys.path.insert(0, '.')
def ending(module, call):
    try:
        value = eval(call, vars(module))
    except BaseException as error:
        return f'raises {type(error).__qualname__}'
    return f'{type(value).__name__} {value!r}'
def say(text):
    os.write(OUT, text.encode('utf-8', 'backslashreplace'))
    os._exit(0)
name, calls = json.loads(sys.stdin.read())
OUT = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
try:
    module = importlib.import_module(name)
except BaseException as error:
    os.write(OUT, json.dumps([f'not loaded: {type(error).__name__}'] * len(calls)).encode())
    os._exit(0)
found = []
for call in calls:
    reader, writer = os.pipe()
    if os.fork() == 0:
        signal.alarm(10)
        OUT = writer
        say(ending(module, call))
    os.close(writer)
    text = b''.join(iter(lambda: os.read(reader, 65536), b''))
    os.close(reader)
    os.wait()
    found.append(text.decode('utf-8', 'replace') or 'no end')
os.write(OUT, json.dumps(found).encode())
"""


def _packages() -> list[Path]:
    """Return packages without compiled parts and with some modules, of the folder DRAWN_FROM or installed."""
    site = sysconfig.get_path("purelib")
    places = [os.environ["DRAWN_FROM"]] if "DRAWN_FROM" in os.environ else [site, *sys.path]
    places = [
        place for place in dict.fromkeys(places) if place == places[0] or place.endswith("site-packages")
    ]
    found = {}
    for folder in (
        one for place in places for one in Path(place).iterdir() if (one / "__init__.py").is_file()
    ):
        if folder.name != "deskcheck" and 5 <= _n_modules(folder) <= MOST_FILES:
            found[folder.name] = folder
    return [found[name] for name in sorted(found)]


def _n_modules(folder: Path) -> int:
    """Return the number of modules of a package; 0 if it has compiled parts."""
    n_modules = 0
    for _, _, names in os.walk(folder):
        if any(name.endswith((".so", ".pyd")) for name in names):
            return 0
        n_modules += sum(name.endswith(".py") for name in names)
        if n_modules > MOST_FILES:
            break
    return n_modules


def _functions(file: Path) -> list[ast.FunctionDef]:
    try:
        body = ast.parse(file.read_text(encoding="utf-8")).body
    except (SyntaxError, ValueError):
        return []
    return [one for one in body if isinstance(one, ast.FunctionDef) and not one.decorator_list]


def _calls(file: Path, drawn: random.Random) -> list[str]:
    """Return drawn calls of drawn functions of a module."""
    functions = _functions(file)
    found = []
    for one in drawn.sample(functions, min(N_FUNCTIONS, len(functions))):
        names = [arg.arg for arg in one.args.kwonlyargs]
        for _ in range(N_CALLS):
            given = [drawn.choice(_VALUES) for _ in (*one.args.posonlyargs, *one.args.args)]
            given += [f"{name}={drawn.choice(_VALUES)}" for name in names]
            found.append(f"{one.name}({', '.join(given)})")
    return found


def draw(root: Path) -> list[tuple[str, str, list[str]]]:
    """Copy drawn packages below `root`; return (folder, module's path in it, calls) for each drawn module."""
    drawn, packages, chosen = random.Random(SEED), _packages(), []
    for package in drawn.sample(packages, len(packages)):
        copy = root / package.name
        shutil.copytree(package, copy / package.name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
        modules = [(package.name, file) for file in sorted(copy.rglob("*.py")) if _functions(file)]
        if len(modules) >= N_MODULES // N_PACKAGES:
            chosen += drawn.sample(modules, N_MODULES // N_PACKAGES)
        if len(chosen) == N_MODULES:
            break
    found = []
    for name, file in sorted(chosen):
        path = file.relative_to(root / name).as_posix()
        found.append((name, path, _calls(file, drawn)))
    return found


def _truths(folder: Path, path: str, calls: list[str]) -> list[str]:
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    done = subprocess.run(
        [sys.executable, "-B", "-c", _ORACLE], cwd=folder, input=json.dumps([name, calls]), text=True,
        capture_output=True, check=True, env=_ENVIRONMENT,
    )  # fmt: skip
    return list(json.loads(done.stdout))


def _programs(folder: Path, path: str, calls: list[str]) -> Iterator[Program]:
    listed = folder / "calls.jsonl"
    listed.write_text("".join(json.dumps({"call": call, "file": path}) + "\n" for call in calls))
    yield from programs(SourceOptions(source="files", path=str(folder), calls_file=str(listed)))


def _ending(trace: Trace) -> str:
    if isinstance(trace.outcome, Raised):
        return f"{'raises' if trace.n_steps or trace.events.kind else 'not loaded:'} {trace.outcome.type}"
    if not isinstance(trace.outcome, Returned):
        return f"ended by {trace.outcome}"
    try:
        text = outcome_text(trace)
        return f"{type(ast.literal_eval(text)).__name__} {text}"
    except (DataError, ValueError, SyntaxError):
        found = final_state(trace).object(trace.outcome.value)
        return f"{found.type if found is not None else '?'} .."


def _agree(truth: str, ending: str) -> bool:
    if truth == ending:
        return True
    if truth.startswith("raises ") and ending.startswith("raises "):  # one of them with its module
        return truth.rpartition(".")[2].removeprefix("raises ") == ending.rpartition(".")[2].removeprefix(
            "raises "
        )
    kind, _, text = truth.partition(" ")
    if ending == f"{kind} .." or ending.endswith(f".{kind} .."):  # a class of its own, whatever it prints
        return True
    try:
        ast.literal_eval(text)
    except (
        ValueError,
        SyntaxError,
        MemoryError,
        RecursionError,
    ):  # no literal: nothing but its type is known
        is_raised = truth.startswith(("raises", "not loaded")) or ending.startswith(("raises", "not loaded"))
        return not is_raised and ending.endswith("..")
    return False


def compare(root: Path) -> tuple[Counter[str], list[str]]:
    """Return counts of modules and calls by their fate, and a line for each call that differs."""
    counts: Counter[str] = Counter()
    differing: list[str] = []
    made: list[tuple[str, str, str, Program]] = []
    for name, path, calls in draw(root):
        try:
            found = list(_programs(root / name, path, calls))
        except (BadSource, UserError) as error:
            counts["modules not read"] += 1
            differing.append(f"{path}: {error}"[:300])
            continue
        truths = _truths(root / name, path, calls)
        made += [(path, *rest) for rest in zip(calls, truths, found, strict=True)]
    wrong = set()
    traces = trace_programs((program for *_, program in made), Limits(time_s=60.0, max_steps=1_000_000))
    for (path, call, truth, _), (_, trace) in zip(made, traces, strict=True):
        ending = _ending(trace)
        if _agree(truth, ending):
            counts["calls equal"] += 1
            continue
        kind = "refused or over a limit" if ending.startswith("ended by") else "differing"
        counts[f"calls {kind}"] += 1
        differing.append(f"{path} {call}: {truth[:150]} | {ending[:150]}")
        wrong.add(path)
    paths = {path for path, *_ in made}
    counts["modules equal in all calls"] = len(paths - wrong)
    counts["modules with another call"] = len(wrong)
    counts["packages"] = len({path.split("/")[0] for path in paths})
    return counts, differing


def main() -> None:
    """Print the counts and every call that differs."""
    with tempfile.TemporaryDirectory() as root:
        counts, differing = compare(Path(root))
    print("\n".join(differing))
    print(dict(sorted(counts.items())))


if __name__ == "__main__":
    main()
