"""A test that fails runs again only where it races real clocks: in tests/sandbox."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[1]
FAILS_ONCE = """
from pathlib import Path
def test_it():
    seen = Path(__file__).with_suffix(".seen")
    ran = seen.exists()
    seen.touch()
    assert ran
"""


def test_a_test_of_the_sandbox_runs_again_and_no_other(pytester: pytest.Pytester):
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"')
    pytester.makeconftest(
        (ROOT / "tests/conftest.py").read_text(encoding="utf-8").replace("reruns_delay=2", "")
    )
    for folder in ("sandbox", "grading"):
        (pytester.path / folder).mkdir()
        (pytester.path / folder / "test_it.py").write_text(FAILS_ONCE, encoding="utf-8")
    found = pytester.runpytest("-p", "no:xdist", "--rerun-sandbox")
    found.assert_outcomes(passed=1, failed=1)
    assert found.parseoutcomes()["rerun"] == 1
    found.stdout.fnmatch_lines(["FAILED grading/test_it.py*"])


def test_nothing_else_runs_tests_again():
    for name in ("Makefile", ".ci/run", "pyproject.toml"):
        assert "--reruns" not in (ROOT / name).read_text(encoding="utf-8"), name
