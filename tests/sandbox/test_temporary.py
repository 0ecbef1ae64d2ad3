"""Programs may make files in their own folder: private, bounded, gone afterwards, of the same names."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from deskcheck.records import (
    Job,
    JobDone,
    JobFailed,
    Limits,
    Outcome,
    OutputLimit,
    Refused,
    Returned,
    TimeLimit,
)
from deskcheck.sandbox import containment, running
from deskcheck.sandbox.confine import CHANGES_SINCE, FOLDER, FOLDER_BELOW_FULL, native
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import encode_request, make_program

pytestmark = pytest.mark.skipif(
    not can_batch() or native.landlock_abi() < CHANGES_SINCE, reason="needs a Landlock of version 3"
)
LIMITS = Limits(output_bytes=1 << 16)
AT = {"full": FOLDER, "kernel": FOLDER_BELOW_FULL}
OPEN = (
    "def f(x):\n    with open('out.txt', 'w') as file:\n        file.write('a')\n"
    "    return open('out.txt').read()\n"
)
NAMED = (
    "import tempfile\n\n\ndef f(x):\n    with tempfile.NamedTemporaryFile('w+') as file:\n"
    "        file.write('b')\n        file.seek(0)\n        return file.name, file.read()\n"
)
FOLDERS = (
    "import os\nimport tempfile\n\n\ndef f(x):\n    with tempfile.TemporaryDirectory() as folder:\n"
    "        path = os.path.join(folder, 'a')\n        open(path, 'w').close()\n"
    "        os.rename(path, path + 'b')\n        names = os.listdir(folder)\n"
    "    return names, os.path.exists(folder), os.listdir('.'), os.getcwd()\n"
)
LEFT = (
    "import os\n\n\ndef f(x):\n    seen = os.listdir('.')\n    open('left', 'w').close()\n"
    "    os.mkdir('d')\n    return seen\n"
)
MANY = (
    "def f(x):\n    n = 0\n    try:\n        while True:\n            open(str(n), 'w').close()\n"
    "            n += 1\n    except OSError as error:\n        return n, error.errno\n"
)
HUGE = (
    "def f(x):\n    with open('a', 'wb') as file:\n        for _ in range(64):\n"
    "            file.write(bytes(4096))\n"
)
OUTSIDE = "def f(x):\n    open('{}', 'w')\n"
ELSEWHERE = (
    "import os\n\n\ndef f(x):\n    folder = os.open(os.path.dirname(os.__file__), os.O_RDONLY)\n"
    "    os.open('deskcheck_was_here', os.O_CREAT | os.O_WRONLY, dir_fd=folder)\n"
)


lacking = cache(containment.probe)


def outcomes(level: str, *sources: str) -> list[Outcome | str]:
    if failure := lacking(level):
        pytest.skip(f"no level {level} here: {failure}")
    programs = [make_program(source, "f", "3", origin="") for source in sources]
    jobs = [Job(str(n), FUNCTION, encode_request(p, LIMITS), LIMITS) for n, p in enumerate(programs)]
    found: list[Outcome | str] = []
    for program, result in zip(programs, run_jobs(jobs, workers=1, level=level), strict=True):
        trace = read_result(result, program, LIMITS)
        found.append(outcome_text(trace) if isinstance(trace.outcome, Returned) else trace.outcome)
    return found


@pytest.mark.parametrize("level", AT)
def test_files_and_folders_can_be_made_and_have_the_same_names_in_every_run(level: str):
    once = outcomes(level, OPEN, NAMED, FOLDERS)
    assert once == outcomes(level, FOLDERS, OPEN, NAMED)[1:] + outcomes(level, OPEN, NAMED, FOLDERS)[2:]
    assert once[0] == "'a'"
    assert str(once[1]).startswith(f"('{AT[level]}/tmp") and str(once[1]).endswith("', 'b')")
    assert once[2] == f"(['ab'], False, [], '{AT[level]}')"


@pytest.mark.parametrize("level", AT)
def test_what_a_program_leaves_is_gone_before_the_next_one_begins(level: str):
    assert outcomes(level, LEFT, LEFT, LEFT) == ["[]"] * 3


@pytest.mark.parametrize("level", AT)
def test_number_and_size_of_the_files_are_bounded(level: str):
    assert outcomes(level, MANY, HUGE) == ["(1000, 28)", OutputLimit(LIMITS.output_bytes)]


@pytest.mark.parametrize("level", AT)
@pytest.mark.parametrize(
    "path", ["/tmp/deskcheck-was-here", "../left", "/proc/self/cwd/../left", "/etc/passwd"]
)
def test_a_file_anywhere_else_is_refused(level: str, path: str):
    assert outcomes(level, OUTSIDE.format(path)) == [Refused("write:openat")]
    assert not os.path.exists("/tmp/deskcheck-was-here")


@pytest.mark.parametrize("level", AT)
def test_what_the_handler_lets_through_the_kernel_still_keeps_in_the_folder(level: str):
    target = Path(os.__file__).parent / "deskcheck_was_here"
    assert outcomes(level, ELSEWHERE) == [Refused("write:openat")]
    assert not target.exists()


def test_a_program_that_sleeps_over_its_limit_costs_it_once():
    limits = Limits(time_s=0.5)
    reports: list[Report] = []
    jobs = [Job("1", "tests.sandbox.hostile_jobs:sleep", b"60", limits)]
    (result,) = run_jobs(jobs, workers=1, report=reports.append)
    assert isinstance(result.result, JobFailed) and reports[0].n_rerun == 0
    assert result.result.outcome == TimeLimit(0.5)


def test_a_job_that_waits_for_a_processor_has_its_whole_time(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(running, "waited_s", lambda pidfd: 30.0)
    job = Job("1", "tests.sandbox.hostile_jobs:sleep", b"1.5", Limits(time_s=1.0))
    (result,) = run_jobs([job], workers=1)
    assert result.result == JobDone(b"slept")
