"""`deskcheck --help` answers from light modules alone; how fast is measured by measurements/start.py."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

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
    "pydantic",
]
RUN = """
import sys
from deskcheck.cli import main
sys.argv = ["deskcheck", *sys.argv[1:]]
try:
    main()
finally:
    heavy = [m for m in {heavy!r} if m in sys.modules]
    print("heavy:", heavy, file=sys.stderr)
"""


def deskcheck(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs the command line in a fresh interpreter; stderr ends with the heavy libraries that it loaded."""
    command = [sys.executable, "-c", RUN.format(heavy=HEAVY), *arguments]
    environment = {**os.environ, **variables}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["trace", "--help"], ["eval", "--help"]])
def test_help_and_version_answer_without_a_heavy_library(arguments: list[str]):
    done = deskcheck(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert done.stderr.endswith("heavy: []\n")


def test_a_trace_loads_no_heavy_library():
    done = deskcheck("trace", "-c", "print(sum(range(4)))")
    assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "heavy: []"), done.stderr


def test_a_value_of_another_type_is_still_converted_and_checked():
    done = deskcheck("trace", "-c", "pass", "--max-steps", "x")
    assert done.returncode == 2
    assert "--max-steps x" in done.stderr
    assert done.stderr.endswith("heavy: ['pydantic']\n")


def test_the_guard_sees_a_heavy_library():
    code = "import msgspec, sys; sys.modules['pyarrow'] = msgspec\n" + RUN.format(heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("heavy: ['pyarrow']\n")


def test_help_lists_every_command():
    listed = deskcheck("--help").stdout
    promised = ["trace", "build", "train", "export", "eval", "grade", "execute", "report", "doctor"]
    assert [name for name in promised if name not in listed] == []


def test_options_are_completed_though_the_list_of_commands_reads_none():
    typed = {"COMP_WORDS": "deskcheck trace --ca", "COMP_CWORD": "2"}
    assert deskcheck(_DESKCHECK_COMPLETE="complete_bash", **typed).stdout.split() == ["--call"]
