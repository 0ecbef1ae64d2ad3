"""Tests that race real clocks run again, those of tests/sandbox; what no Python changes runs on one."""

from __future__ import annotations

import re
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


SAME_EVERYWHERE = """
import pytest
@pytest.mark.one_python
def test_a_page(): ...
def test_a_trace(): ...
"""


@pytest.mark.parametrize(
    ("is_main", "more", "passed", "left_out"),
    [(True, (), 2, 0), (False, (), 1, 1), (False, ("--every-test",), 2, 0)],
)
def test_what_is_the_same_on_every_python_runs_on_one(
    pytester: pytest.Pytester, is_main: bool, more: tuple[str, ...], passed: int, left_out: int
):
    pytester.makepyprojecttoml(
        '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\nmarkers = ["one_python"]'
    )
    text = (ROOT / "tests/conftest.py").read_text(encoding="utf-8")
    main = "IS_MAIN_PYTHON = sys.version_info[:2] == (3, 11)"
    assert main in text
    pytester.makeconftest(text.replace(main, f"IS_MAIN_PYTHON = {is_main}"))
    pytester.makepyfile(SAME_EVERYWHERE)
    found = pytester.runpytest("-p", "no:xdist", *more)
    found.assert_outcomes(passed=passed, deselected=left_out)
    assert ("ran on 3.11 alone" in found.stdout.str()) == bool(left_out)


def test_long_files_go_to_the_workers_first(pytester: pytest.Pytester):
    text = (ROOT / "tests/conftest.py").read_text(encoding="utf-8")
    named = re.findall(r'"([\w/]+\.py)"', text.partition("LONG_FIRST = (")[2].partition(")\n")[0])
    assert len(named) > 10
    assert [name for name in named if not (ROOT / "tests" / name).is_file()] == []
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"')
    pytester.makeconftest(text.replace(f'"{named[0]}"', '"test_b.py"'))
    pytester.makepyfile(test_a="def test_1(): ...\ndef test_2(): ...", test_b="def test_3(): ...")
    found = pytester.runpytest("-v", "-n", "1", "--dist", "loadfile")
    found.stdout.fnmatch_lines(["*PASSED test_b.py*", "*PASSED test_a.py*"])


FAILS = """
import pytest
@pytest.fixture
def broken():
    raise KeyError("no such table")
def test_of_arithmetic():
    assert 1 + 1 == 3, "sums are wrong"
def test_with_a_fixture(broken): ...
def test_that_passes():
    print("the last test runs")
"""


@pytest.mark.parametrize(
    "how", [("-p", "no:xdist", "-s"), ("-n", "1", "--dist", "loadfile")], ids=["one", "xdist"]
)
def test_a_failure_is_printed_with_its_name_when_it_happens(pytester: pytest.Pytester, how: tuple[str, ...]):
    pytester.makepyprojecttoml('[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"')
    pytester.makeconftest((ROOT / "tests/conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_a=FAILS)
    text = pytester.runpytest("-q", *how).stdout.str()
    lines = [
        "FAILED NOW test_a.py::test_of_arithmetic: AssertionError: sums are wrong",
        "FAILED NOW test_a.py::test_with_a_fixture (setup): KeyError: 'no such table'",
    ]
    places = [text.index(line) for line in lines]
    later = text.index("the last test runs") if "-s" in how else text.index("= ERRORS =")
    assert places == sorted(places) and places[-1] < later
    assert text.count("NOW") == 2


def test_a_file_that_cannot_be_imported_is_named_at_once(pytester: pytest.Pytester):
    pytester.makeconftest((ROOT / "tests/conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(test_a="import absent_module")
    text = pytester.runpytest("-q", "-p", "no:xdist").stdout.str()
    assert text.index("FAILED NOW test_a.py (import): ") < text.index("= ERRORS =")


def test_nothing_else_runs_tests_again():
    for name in ("Makefile", ".ci/run", "pyproject.toml"):
        assert "--reruns" not in (ROOT / name).read_text(encoding="utf-8"), name
