"""What EvalPlus and bigcode-evaluation-harness make of the benchmarks' own solutions: docs/harnesses.md.

    python measurements/true_solutions.py --harnesses H --data DIR

H holds evalplus 0.3.1 (unpacked from the registry) and bigcode-evaluation-harness (a checkout); DIR holds
human-eval/ and mbpp/. Each solution goes through the harness's own steps, EvalPlus's `sanitize` or bigcode's
`postprocess_generation`, and is then run with the benchmark's tests. Needs tree-sitter and
tree-sitter-python; of the packages that a harness imports but does not use here, an empty one stands in.
Solutions are run by this Python, uncontained: they are the benchmarks' own.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

STANDS_IN = ("datasets", "transformers", "accelerate")
REPRODUCTIONS = (
    ("a decorator", "from functools import cache\n@cache\ndef f(n):\n    return n\n", "f(3) == 3"),
    ("a helper that only yields", "def g():\n    yield 1\ndef f():\n    return list(g())\n", "f() == [1]"),
    (
        "a helper without return",
        "def g(x):\n    x[0] = 1\ndef f(x):\n    g(x)\n    return x\n",
        "f([0]) == [1]",
    ),
    ("two names at once", "A, B = 1, 2\ndef f():\n    return A + B\n", "f() == 3"),
    ("a second definition", "def f(n):\n    return 1\ndef f(n):\n    return 2\n", "f(0) == 2"),
)
"""What a right program has, the program, and its test."""


def passes(program: str, tests: str) -> bool:
    """Whether the tests pass in a new process within ten seconds."""
    try:
        done = subprocess.run([sys.executable, "-c", f"{program}\n{tests}"], capture_output=True, timeout=10)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def rows(path: Path) -> Iterator[dict[str, Any]]:
    text = path.read_text(encoding="utf-8").replace("\\r", "")
    yield from json.loads(text) if path.suffix == ".json" else map(json.loads, text.splitlines())


def stand_in(folder: Path) -> None:
    """Let the harnesses below `folder` be imported without what they do not need here."""
    for name in STANDS_IN:
        module = ModuleType(name)
        module.load_dataset = None  # type: ignore[attr-defined]  # (imported by name)
        sys.modules[name] = module
    for package in ("evalplus/__init__.py", "bigcode_eval/__init__.py"):
        for place in sorted(folder.glob(f"**/{package}"))[:1]:
            sys.path.insert(0, str(place.parent.parent))
    for name in ("bigcode_eval", "bigcode_eval.tasks"):  # (its own __init__ loads every task)
        found = sorted(folder.glob(f"**/{name.replace('.', '/')}/__init__.py"))
        module = ModuleType(name)
        module.__path__ = [str(found[0].parent)] if found else []
        sys.modules[name] = module


def evalplus(data: Path) -> Iterator[str]:
    sanitize: Callable[[str, str], str] = importlib.import_module("evalplus.sanitize").sanitize
    for name, program, test in REPRODUCTIONS:
        yield f"EvalPlus, {name}: {passes(sanitize(program, 'f'), f'assert {test}')}"
    lost, n_all = [], 0
    for row in rows(data / "mbpp" / "sanitized-mbpp.json"):
        tests = "\n".join([*row["test_imports"], *row["test_list"]])
        names = [node.name for node in ast.parse(row["code"]).body if isinstance(node, ast.FunctionDef)]
        entry = next((name for name in names if name in row["test_list"][0]), names[-1] if names else "")
        if passes(row["code"], tests):
            n_all += 1
            lost += [] if passes(sanitize(row["code"], entry), tests) else [row["task_id"]]
    yield f"EvalPlus, MBPP sanitized: {n_all - len(lost)} of {n_all} true solutions pass; lost {lost}"


def bigcode(data: Path) -> Iterator[str]:
    task = importlib.import_module("bigcode_eval.tasks.mbpp").MBPP
    harness = task.__new__(task)
    harness.stop_words = ["\nclass", "\nassert", '\n"""', "\nprint", "\nif", "\n<|/", "\n```"]
    tests = [row for row in rows(data / "mbpp" / "mbpp.jsonl") if 11 <= row["task_id"] <= 510]
    harness.dataset = {"test": tests}
    cut, without_setup = [], []
    for number, row in enumerate(tests):
        whole = harness.get_prompt(row) + row["code"]
        wanted = harness.get_reference(row)
        if harness.postprocess_generation(whole, number) != whole and not passes(
            harness.postprocess_generation(whole, number), wanted
        ):
            cut.append(row["task_id"])
        if row["test_setup_code"] and not passes(whole, wanted):
            without_setup.append(row["task_id"])
    yield f"bigcode, MBPP: of {len(tests)} true solutions cut apart {cut}"
    yield f"bigcode, MBPP: tests without their set-up {without_setup}"


def main() -> None:
    """Print a line for each finding."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--harnesses", type=Path)
    parser.add_argument("--data", type=Path)
    given = parser.parse_args()
    if given.harnesses is None or given.data is None:
        print("nothing run: --harnesses FOLDER and --data FOLDER (see the head of this file)")
        return
    stand_in(given.harnesses)
    for line in (*evalplus(given.data), *bigcode(given.data)):
        print(line)


if __name__ == "__main__":
    main()
