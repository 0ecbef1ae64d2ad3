"""deskcheck trace as a shell sees it: exit codes, pipes, -c, --trust, what is said of containment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskcheck.cli.recording import exit_code
from deskcheck.records import (
    CompileFailure,
    Crashed,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)


def trace(*arguments: str, cwd: Path, given: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deskcheck", "trace", *arguments]
    stdin = {"input": given} if given is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120, **stdin)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (Returned(0), 0),
        (Raised("KeyError", "'b'", 1), 1),
        (Raised("KeyboardInterrupt", "", 1), 130),
        (Raised("SystemExit", "", 1), 0),
        (Raised("SystemExit", "None", 1), 0),
        (Raised("SystemExit", "3", 1), 3),
        (Raised("SystemExit", "-1", 1), 255),
        (Raised("SystemExit", "'bye'", 1), 1),
        (StepLimit(5), 124),
        (TimeLimit(1.0), 124),
        (MemoryLimit(1), 124),
        (OutputLimit(1), 124),
        (Refused("write:openat"), 125),
        (Rejected("x"), 125),
        (Crashed("exit 4"), 4),
        (Crashed("SIGSEGV"), 139),
        (CompileFailure("bad", 1), 1),
    ],
)
def test_the_command_ends_with_the_code_of_the_program(outcome: Outcome, code: int):
    assert exit_code(outcome) == code


@pytest.mark.parametrize("mode", [[], ["--trust"]])
def test_exit_codes_are_those_that_python_would_give(mode: list[str], tmp_path: Path):
    for text in ("import sys; sys.exit(3)", "1/0", "x = 1", "raise SystemExit('bye')"):
        plain = subprocess.run([sys.executable, "-c", text], capture_output=True, check=False)
        assert trace(*mode, "-c", text, cwd=tmp_path).returncode == plain.returncode, text


@pytest.mark.parametrize("mode", [[], ["--trust"]])
def test_a_pipe_is_the_programs_standard_input(mode: list[str], tmp_path: Path):
    done = trace(*mode, "-c", "name = input()", cwd=tmp_path, given="ada\n")
    assert done.returncode == 0 and "name = 'ada'" in done.stdout


def test_a_program_that_reads_no_input_does_not_wait_for_the_end_of_a_pipe(tmp_path: Path):
    reading, writing = os.pipe()
    try:
        command = [sys.executable, "-m", "deskcheck", "trace", "-c", "x = 1"]
        done = subprocess.run(
            command, cwd=tmp_path, stdin=reading, capture_output=True, timeout=60, check=False
        )
        assert done.returncode == 0
    finally:
        os.close(reading)
        os.close(writing)


def test_a_trusted_script_has_its_files_its_folder_and_its_arguments(tmp_path: Path):
    folder = tmp_path / "tool"
    folder.mkdir()
    (folder / "words.py").write_text("def loud(text):\n    return text.upper()\n")
    (folder / "run.py").write_text(
        "import os, sys, importlib\n"
        "words = importlib.import_module('wo' + 'rds')\n"  # by a name that no reader of imports sees
        "with open('out.txt', 'w') as file:\n    file.write(words.loud(sys.argv[1]))\n"
        "print(os.path.basename(os.path.dirname(__file__)))\n"
    )
    done = trace("--trust", "tool/run.py", "--", "-hey", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.txt").read_text() == "-HEY"
    assert done.stdout.startswith("tool\npython run.py -hey\n")
    contained = trace("tool/run.py", "--", "-hey", cwd=tmp_path)
    assert contained.returncode in (1, 125)  # what it needs is not there, or not allowed


def test_what_a_trusted_program_prints_stays_out_of_the_json(tmp_path: Path):
    done = trace("--trust", "-c", "print('hello')", "--format", "json", cwd=tmp_path)
    assert done.stdout.startswith('{"format_version"') and "hello" in done.stderr


def test_a_trusted_program_that_dies_or_runs_out_of_time_has_that_outcome(tmp_path: Path):
    died = trace("--trust", "-c", "import os; os._exit(4)", cwd=tmp_path)
    assert died.returncode == 4 and "its process died (exit 4)" in died.stdout
    late = trace("--trust", "-c", "import time; time.sleep(60)", "--time-limit", "1", cwd=tmp_path)
    assert late.returncode == 124 and "stopped by the clock after 1 s" in late.stdout


def test_ctrl_c_in_a_trusted_program_is_its_own_and_its_trace_is_shown(tmp_path: Path):
    (tmp_path / "waits.py").write_text("import time\nopen('ready', 'w').close()\ntime.sleep(60)\n")
    command = [sys.executable, "-m", "deskcheck", "trace", "--trust", "waits.py"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while not (tmp_path / "ready").exists():  # what it prints to a pipe comes at its end
        time.sleep(0.05)
        assert process.poll() is None
    time.sleep(0.2)  # until it sleeps
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "raised KeyboardInterrupt after 3 steps" in out
