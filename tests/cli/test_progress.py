"""Commands that read results count what they read on a terminal, and nothing in a pipe."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pages import ROOT

from deskcheck import cli, pace

GRADE = (
    "deskcheck grade --benchmark cruxeval --data examples/answers/tasks.jsonl "
    "--generations examples/answers/jsonl.jsonl --out graded.parquet"
)
READING = [
    ("deskcheck report graded.parquet --out report.html", "answers read"),
    ("deskcheck table graded.parquet", "answers read"),
    ("deskcheck table graded.parquet --as leaderboard", "answers read"),
    ("deskcheck merge graded.parquet --out merged.parquet", "answers written"),
]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def run(line: str, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a command line; return what it wrote to stderr."""
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert not ended.value.code, (line, stream.getvalue())
    return stream.getvalue()


def test_commands_that_read_results_count_on_a_terminal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("pyarrow", reason="needs the extra 'data'")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pace, "EVERY_S", 0.0)
    run(GRADE, io.StringIO(), monkeypatch)
    for line, noun in READING:
        assert "\r" not in run(line, io.StringIO(), monkeypatch), line
        (tmp_path / "merged.parquet").unlink(missing_ok=True)
        seen = run(line, Terminal(), monkeypatch)
        assert f"5 of 5 {noun}" in seen or f"5 {noun}" in seen, (line, seen)


def test_a_run_goes_on_when_nothing_reads_its_lines(tmp_path: Path) -> None:
    code = "import sys; from deskcheck.cli.shell import say; say('one'); say('two'); open(sys.argv[1], 'x')"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "end")], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert done.returncode == 0 and (tmp_path / "end").exists()
    assert done.stderr.count(b"nothing reads the output any more; the run goes on without it") == 1
