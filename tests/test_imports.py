"""Importing any module of deskcheck does nothing: no environment, files, processes, threads, logging, seeds.

Each module of the installed package is imported once, in a fresh interpreter with a bare environment
(importing.py watches); the guard itself is tried on a package that does every forbidden thing.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import deskcheck

SCRIPT = Path(__file__).with_name("importing.py")
HEAVY = [
    "torch",
    "inspect_ai",
    "onnxruntime",
    "pyarrow",
    "pandas",
    "numpy",
    "scipy",
    "transformers",
    "jinja2",
]


def report_of(package: str, folder: Path) -> dict[str, list[str]]:
    """What importing.py says of the package that lies in `folder`."""
    command = [sys.executable, "-IB", str(SCRIPT), package, str(folder / package), str(folder)]
    done = subprocess.run(command, env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return report


def test_importing_any_module_has_no_side_effect():
    report = report_of("deskcheck", Path(deskcheck.__file__).parents[1])
    assert "deskcheck.records" in report
    assert "deskcheck.cli" in report
    effects = {name: [e for e in seen if not e.startswith("absent: ")] for name, seen in report.items()}
    assert {name: seen for name, seen in effects.items() if seen} == {}


FORBIDDEN = {
    "reads": ("import os\nos.environ.get('HOME')", "touches the environment: HOME"),
    "gets": ("import os\nos.getenv('HOME')", "touches the environment: HOME"),
    "looks": ("import os\n'HOME' in os.environ", "touches the environment: HOME"),
    "writes": ("open(__file__ + '.log', 'w').close()", "writes a file"),
    "makes": ("import tempfile\ntempfile.mkdtemp()", "os.mkdir"),
    "logs": ("import logging\nlogging.basicConfig()", "sets up logging"),
    "handles": (
        "import logging\nlogging.getLogger('x').addHandler(logging.NullHandler())",
        "sets up logging",
    ),
    "warns": ("import warnings\nwarnings.simplefilter('ignore')", "sets up warnings"),
    "spawns": ("import subprocess, sys\nsubprocess.run([sys.executable, '-V'])", "subprocess.Popen"),
    "threads": ("import threading\nthreading.Thread(target=int).start()", "starts a thread"),
    "signals": ("import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)", "handles a signal"),
    "ends": ("import atexit\natexit.register(int)", "registers for the end"),
    "seeds": ("import random\nrandom.seed(0)", "seeds randomness"),
    "needs": ("import a_library_that_nobody_has", "absent: a_library_that_nobody_has"),
}


def test_the_watch_sees_each_forbidden_thing_and_names_its_module(tmp_path: Path):
    package = tmp_path / "culprits"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "harmless.py").write_text("import logging\nlog = logging.getLogger(__name__)\n")
    for name, (text, _) in FORBIDDEN.items():
        (package / f"{name}.py").write_text(text)
    report = report_of("culprits", tmp_path)
    missed = {
        name: report[f"culprits.{name}"]
        for name, (_, effect) in FORBIDDEN.items()
        if not any(seen.startswith(effect) for seen in report[f"culprits.{name}"])
    }
    assert missed == {}
    assert report["culprits.harmless"] == []


@pytest.mark.parametrize("module", ["deskcheck", "deskcheck.cli", "deskcheck.plugins", "deskcheck.records"])
def test_these_load_no_heavy_library(module: str):
    code = f"import sys, {module}; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_types_are_checked_where_the_train_extra_is_absent():
    """`make check` sets up no torch: what only that extra brings is a library that mypy skips."""
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    named = {name: {re.split(r"[>=<\[ ]", line)[0] for line in extras[name]} for name in extras}
    only_train = named["train"] - named["eval"] - named["dev"]
    (skipped,) = project["tool"]["mypy"]["overrides"]
    imported = {
        name.split(".")[0]
        for path in (root / "src" / "deskcheck").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    assert "torch" in only_train & imported
    assert {f"{name}.*" for name in only_train & imported} <= set(skipped["module"])
