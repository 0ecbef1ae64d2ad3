"""`pytest --forks`: every test once, a file in one process, and whatever goes wrong is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).with_name("conftest.py").read_text(encoding="utf-8")
FILE = """
import os, signal, sys, time, pytest

AT_IMPORT = sys.stderr

@pytest.fixture(scope="session")
def whole():
    yield os.getpid()
    print("taken down", file=sys.__stderr__)

@pytest.mark.parametrize("n", range(5))
def test_it(whole, n):
    for _ in range(20):
        print(f"{name} {{n}} prints this")
        time.sleep(0.0005)
    with open("ran", "a") as file:
        file.write(f"{name} {{n}} {{whole}}\\n")
    {ends}
"""


@pytest.fixture
def run(pytester: pytest.Pytester):
    """A function: file -> what its tests end with, and options -> the result, and what ran."""

    def run(files: dict[str, str], *options: str) -> tuple[pytest.RunResult, list[list[str]]]:
        pytester.makeconftest(CONFTEST)
        pytester.makepyfile(**{name: FILE.format(name=name, ends=ends) for name, ends in files.items()})
        result = pytester.runpytest("-p", "no:xdist", "-p", "no:cacheprovider", "--forks", "2", *options)
        return result, [line.split() for line in Path("ran").read_text().splitlines()]

    return run


def test_every_test_runs_once_and_a_file_in_one_process(run):
    names = [f"test_{letter}" for letter in "abcdef"]
    result, ran = run(dict.fromkeys(names, "time.sleep(0.01)"))
    result.assert_outcomes(passed=30)
    assert sorted(line[:2] for line in ran) == [[name, str(n)] for name in names for n in range(5)]
    assert all(len({pid for name, _, pid in ran if name == one}) == 1 for one in names)
    assert len({pid for _, _, pid in ran}) == 2


def test_a_failure_is_told_with_all_that_it_printed_and_it_alone(run):
    result, _ = run({"test_a": "assert n != 3", "test_b": "assert n < 2"})
    result.assert_outcomes(passed=6, failed=4)
    text = result.stdout.str()
    printed = {
        f"{name} {n}": text.count(f"{name} {n} prints this")
        for name in ("test_a", "test_b")
        for n in range(5)
    }
    assert {test for test, times in printed.items() if times} == {
        "test_a 3",
        "test_b 2",
        "test_b 3",
        "test_b 4",
    }
    assert {times for times in printed.values() if times} == {20}
    assert result.ret == pytest.ExitCode.TESTS_FAILED


ENDS = """
import atexit
def test_it(tmp_path):
    atexit._run_exitfuncs()
    assert any((folder / ".lock").exists() for folder in tmp_path.parents[:2])
"""


def test_folders_stay_when_a_test_runs_what_is_for_the_end_of_its_process(pytester):
    """Without the lock, other runs of pytest remove the folders of this one."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_a=ENDS, test_b=ENDS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "--forks", "2"]
    root = str(Path(__file__).parents[1])
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": root}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_what_was_sys_stderr_at_the_import_can_be_written_to(run):
    """As default arguments are."""
    result, _ = run({"test_a": "print('told', file=AT_IMPORT)", "test_b": ""})
    result.assert_outcomes(passed=10)


@pytest.mark.parametrize("ends", ["os._exit(3)", "os.kill(os.getpid(), signal.SIGKILL)"])
@pytest.mark.parametrize("child", ["", "os.fork() or (time.sleep(30), os._exit(0)) if n == 3 else 0; "])
def test_a_process_that_dies_fails_its_test_and_the_rest_runs(run, ends: str, child: str):
    """Also while a child of it holds its end of the pipe."""
    result, ran = run({"test_a": f"{child}{ends} if n == 3 else 0", "test_b": ""})
    result.assert_outcomes(passed=9, failed=1)
    result.stdout.fnmatch_lines(["FAILED test_a.py::test_it[[]3[]] - the process of its tests ended with *"])
    assert len(ran) == 10 and result.duration < 15


def test_fixtures_of_a_session_are_taken_down_once_a_process_and_a_failure_there_is_one(run, pytester, capfd):
    run({"test_a": "time.sleep(0.02)", "test_b": "time.sleep(0.02)"})
    assert capfd.readouterr().err.count("taken down") == 2
    pytester.makepyfile(
        test_c="import pytest\n@pytest.fixture(scope='session')\ndef one():\n    yield\n    1 / 0\n"
        "def test_it(one): ..."
    )
    result = pytester.runpytest("-p", "no:xdist", "--forks", "2", "test_c.py")
    result.assert_outcomes(passed=1, failed=1)


@pytest.mark.parametrize("how", [("-x",), ("--maxfail", "2")])
def test_a_run_is_broken_off_when_so_many_failed(run, how: tuple[str, ...]):
    result, ran = run({"test_a": "assert not n", "test_b": "time.sleep(0.3)"}, *how)
    assert result.parseoutcomes()["failed"] == (1 if how == ("-x",) else 2)
    assert len(ran) < 10 and "stopping after" in result.stdout.str()


def test_a_hanging_test_fails(run):
    result, _ = run({"test_a": "time.sleep(30 * (n == 1))", "test_b": ""}, "--timeout", "1")
    result.assert_outcomes(passed=9, failed=1)
    assert "Timeout" in result.stdout.str()
