"""Bars that may only fall: files that a reader follows, options that a user meets, time of the quick tests.

    python -m pytest -q -s -m '' tests/test_bars.py    prints each figure beside its bar

A figure above its bar fails. So does a number of options below its bar: then the bar is lowered to it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from deskcheck.cli import app

pytestmark = pytest.mark.one_python

FILES = {"trace": 19, "build": 25, "eval": 55}
"""Command -> files of the package whose functions it calls; the aims are in measurements/files_entered.py.

Decision 046 says what was merged and why the others stay.
"""
OPTIONS = 175
"""Options over all commands; the aim is 175."""
QUICK_S = 60.0
"""Processor seconds of `make quick` on a machine that does the reference job of tests/timed.py in one."""
QUICK = Path(sys.prefix) / "quick.json"
COUNTED = """
import json
from files_entered import journeys
print(json.dumps({name: sorted(files) for name, files in journeys().items()}))
"""


def below(what: str, figure: float, bar: float) -> None:
    print(f"{what}: {figure:g} (bar: {bar:g})")
    assert figure <= bar, f"{what}: {figure:g} is above the bar of {bar:g}"


@pytest.mark.slow  # `make check` runs it, and `make test` need not
def test_no_command_enters_more_files_than_before():
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    done = subprocess.run(
        [sys.executable, "-c", COUNTED], cwd=Path(__file__).parents[1] / "measurements",
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout.splitlines()[-1])
    assert set(files) == set(FILES)
    for name, bar in FILES.items():
        assert len(files[name]) > 10, f"{name} did not run: {files[name]}"
        below(f"files entered by {name}", len(files[name]), bar)


def n_options(group: typer.core.TyperGroup) -> int:
    """Options over all commands, apart from --help."""
    return sum(
        parameter.param_type_name == "option"
        for command in group.commands.values()
        for parameter in command.params
    )


def test_no_option_is_added_without_one_that_goes():
    n = n_options(typer.main.get_group(app))
    below("options over all commands", n, OPTIONS)
    assert n == OPTIONS, f"there are only {n}: lower OPTIONS to {n}, so that none comes back unseen"


def test_an_option_more_is_counted():
    small = typer.Typer()

    @small.command()
    def one(a: str = "", b: str = "", c: str = typer.Argument("")) -> None: ...

    @small.command()
    def other(a: str = "") -> None: ...

    assert n_options(typer.main.get_group(small)) == 3
    with pytest.raises(AssertionError, match="4 is above the bar of 3"):
        below("options", 4, 3)


def test_the_quick_tests_stay_quick():
    if not QUICK.is_file():
        pytest.skip("`make quick` has not run in this environment")
    figures = json.loads(QUICK.read_text())
    below("make quick, reference seconds", round(figures["processor_s"] / figures["reference_s"], 1), QUICK_S)
