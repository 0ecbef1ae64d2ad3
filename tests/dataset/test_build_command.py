"""`deskcheck build` and `deskcheck data`, from end to end, with the real tracer and sandbox."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import pyarrow.parquet as pq
import pytest

from deskcheck import plugins
from deskcheck.cli import app, main
from deskcheck.dataset import build as building
from deskcheck.dataset import command
from deskcheck.dataset.build import Progress
from deskcheck.dataset.command import ProgressLine, compared_text, progress_text, run_build
from deskcheck.dataset.folder import RunEnded, append_lines, read_quarantine, read_runs
from deskcheck.format.shards import read_manifest, read_pairs, read_traces
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Raised, Rejected, Returned, StepLimit
from deskcheck.records.job import COMPANY, NOT_ALONE
from deskcheck.sandbox import containment, worker
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing import collect
from deskcheck.tracing.packed import unpack
from deskcheck.tracing.program import make_program

SOURCE = """\
# deskcheck: f(3)
# deskcheck: f(0)
# deskcheck: forever()
# deskcheck: f(3)
# deskcheck: count()
# deskcheck: eat()

def f(n):
    total = 0
    for i in range(n):
        total += i
    return 10 // total

def forever():
    while True:
        pass

def count():
    return sum(iter(int, 1))

def eat():
    return [0] * (1 << 40)
"""


# A build that takes 20 seconds, so that it still runs when it is stopped, however late that is.
SLOW_DISK = """\
import os, time
from deskcheck.cli import main
fsync = os.fsync
os.fsync = lambda fd: (time.sleep(0.2), fsync(fd))
main()
"""


def deskcheck(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deskcheck", *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    return path


def test_files_are_built_shown_and_read(tmp_path: Path, file: Path):
    out = tmp_path / "out"
    arguments = ["build", "files", str(file), "--out", str(out), "--time-limit", "2", "--max-steps", "500"]
    done = deskcheck(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" or done.stderr.startswith("sandbox: ")  # said where it is less than full
    assert "read 6, kept 3, dropped 3 (1 duplicate, 1 memory limit, 1 time limit); 1 shard" in done.stdout
    pairs = list(read_pairs(out))
    assert [(p.call, type(t.outcome)) for p, t in pairs] == [
        ("f(3)", Returned), ("f(0)", Raised), ("forever()", StepLimit)
    ]  # fmt: skip
    before = {p.name: p.read_bytes() for p in out.iterdir() if p.name != "run.jsonl"}
    assert deskcheck(*arguments).returncode == 0
    assert {p.name: p.read_bytes() for p in out.iterdir() if p.name != "run.jsonl"}.keys() == before.keys()
    shown = deskcheck("data", str(out), "--show", "1").stdout
    assert "outcomes: 1 returned, 1 raised, 1 step limit" in shown
    assert "\nf(3)\n         8  call f(n=3)\n" in shown and shown.endswith("returned 3 after 9 steps\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["files", "no.py", "--out", "out"], "no such file or folder: no.py"),
        (["files", "a.py", "--out", "out", "--call", "g(1)"], "it defines: f, forever, count, eat"),
        (["files", "a.py"], "--out DIR"),
        (["nowhere", "--out", "out"], "known: files, functions, generated"),
        (["generated", "--family", "easy", "--out", "out"], "say how many with --n"),
        (["generated", "--family", "impossible", "--n", "1", "--out", "out"], "known: easy"),
        (["files", "a.py", "--out", "out", "--require", "most"], "known: full, kernel, limits, seccomp"),
        (["files", "a.py", "--out", "out", "--shard-size", "0"], "--shard-size is 0"),
    ],
)
def test_a_wrong_request_is_one_line_and_writes_nothing(
    tmp_path: Path,
    file: Path,
    arguments: list[str],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["deskcheck", "build", *arguments])
    with pytest.raises(SystemExit) as exit:
        main()
    assert exit.value.code == 2
    stderr = capsys.readouterr().err
    assert message in stderr
    assert stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_the_same_generated_programs_are_the_same_bytes_with_one_worker_and_with_three(tmp_path: Path):
    for workers in ("1", "3"):
        done = deskcheck(
            "build", "generated", "--family", "easy", "--seed", "1", "--n", "25", "--shard-size", "10",
            "--workers", workers, "--out", str(tmp_path / workers),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    names = ["manifest.jsonl", "dataset.json", *(f"traces-0000000{n}0.parquet" for n in range(3))]
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "3" / name).read_bytes()
    assert len(list(read_traces(tmp_path / "1"))) == 25
    for shard in (tmp_path / "1").glob("traces-*.parquet"):
        assert pq.read_schema(shard).metadata[b"deskcheck.sandbox"].decode() == containment.find().level


def test_ctrl_c_says_what_is_kept_and_the_same_command_goes_on(tmp_path: Path):
    out = tmp_path / "out"
    arguments = ["build", "generated", "--family", "easy", "--seed", "2", "--n", "300", "--shard-size", "10"]
    command = [sys.executable, "-c", SLOW_DISK, *arguments, "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 120
        while not list(out.glob("traces-*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGINT)
        _, stderr = process.communicate()
    assert process.returncode == 130, stderr
    assert "finished shards are kept" in stderr
    assert "run the same command again" in stderr
    kept = len(list(read_traces(out)))
    assert deskcheck(*arguments, "--out", str(out)).returncode == 0
    assert kept <= len(list(read_traces(out)))
    assert sum(entry.n_read for entry in read_manifest(out)) == 300


def test_confirm_runs_everything_twice_and_the_traces_say_so(tmp_path: Path):
    out = tmp_path / "out"
    done = deskcheck("build", "generated", "--family", "easy", "--n", "5", "--confirm", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert [trace.determinism.confirmed for trace in read_traces(out)] == [True] * 5


@pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
@pytest.mark.parametrize("confirm", [False, True])
def test_a_defect_that_only_company_shows_ends_a_build_with_1_and_keeps_nothing_of_that_company(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], confirm: bool
):
    monkeypatch.setattr(collect, "FUNCTION", "tests.dataset.leaking_job:run")
    monkeypatch.setattr(worker, "is_audited", lambda payload: b"marked" in payload)
    monkeypatch.setattr(worker, "BATCH_S", 1e9)
    source = tmp_path / "programs.py"
    calls = [*range(3), 77, *range(4, 8)]
    source.write_text("def f(n):\n    return n\n\n\ndef marked(n):\n    return n\n", encoding="utf-8")
    options = SourceOptions(
        source="files", path=str(source), calls=[f"marked({n})" if n == 77 else f"f({n})" for n in calls]
    )
    status = run_build(
        options, tmp_path / "out", limits=Limits(), shard_size=100, workers=1, require="limits",
        command="", confirm=confirm,
    )  # fmt: skip
    assert status == 1
    assert (
        "8 programs shared a process with one whose result was another one there" in capsys.readouterr().out
    )
    assert list(read_traces(tmp_path / "out")) == []
    quarantined = {line.program.call: line for line in read_quarantine(tmp_path / "out")}
    assert {line.outcome for line in quarantined.values()} == {Rejected(COMPANY), Rejected(NOT_ALONE)}
    in_company, alone = (unpack(data).head.fidelity.notes for data in quarantined["marked(77)"].compared)
    assert (in_company, alone) == (["leaked"], [])


@pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
def test_confirm_notices_a_defect_that_every_company_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collect, "FUNCTION", "tests.dataset.leaking_job:run")
    monkeypatch.setattr(worker, "is_audited", lambda payload: False)
    programs = [make_program("def f(n):\n    return n\n", "f", str(n), origin="") for n in range(40)]
    heads = [packed.head for _, packed in collect.trace_packed(programs, Limits(), workers=1, confirm=True)]
    assert {head.determinism.confirmed for head in heads if "leaked" in head.fidelity.notes} == {False}
    assert sum("leaked" in head.fidelity.notes for head in heads) >= 20


def test_a_program_that_differs_from_run_to_run_is_dropped_where_that_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker, "is_audited", lambda payload: b"marked" in payload)
    source = tmp_path / "programs.py"
    source.write_text(
        "import time\n\n\ndef f(n):\n    return n\n\n\ndef marked(n):\n    return time.time_ns()\n",
        encoding="utf-8",
    )
    options = SourceOptions(source="files", path=str(source), calls=["f(1)", "marked(2)", "f(3)"])
    status = run_build(
        options, tmp_path / "out", limits=Limits(), shard_size=100, workers=1, require="limits", command=""
    )
    assert status == 0
    (entry,) = read_manifest(tmp_path / "out")
    assert entry.dropped == ({"nondeterministic": 1} if can_batch() else {})


def test_what_was_run_again_alone_is_said_and_logged(tmp_path: Path):
    ended = RunEnded(
        ended_unix_s=0.0,
        how="finished",
        n_programs=3,
        wall_s=1.0,
        sandbox=Report(n_jobs=300, n_audited=3, n_mismatched=1, n_unsteady=1, mismatched=["7"]),
    )
    append_lines(tmp_path / "run.jsonl", [ended])
    runs = read_runs(tmp_path)
    assert runs == [ended]
    assert compared_text(runs) == (
        "2 of 3 that ran again in a fresh process gave the same bytes; others: programs 7; "
        "1 differ from run to run by themselves"
    )
    assert compared_text([]) == ""


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_progress_says_how_far_how_fast_and_how_long():
    progress = Progress(n_read=588, n_kept=580, n_shards=1, n_run=400, n_open=0)
    assert progress_text(progress, 20.0, 1_000) == "588 of 1,000 programs, 20/s, 0:21 left, 1 shard"
    assert progress_text(progress, 20.0, 0) == "588 programs, 20/s, 1 shard"
    assert progress_text(progress, 0.0, 10) == "588 of 10 programs, 0/s, 1 shard"


def test_progress_is_shown_on_a_terminal_and_a_pipe_stays_quiet(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deskcheck.dataset.command.EVERY_S", 0.0)
    progress = Progress(n_read=5, n_kept=5, n_shards=0, n_run=5, n_open=5)
    shown = {}
    for stream in (Terminal(), io.StringIO()):
        line = ProgressLine(stream, total=10)
        line.show(progress)
        line.end()
        shown[type(stream)] = stream.getvalue()
    assert shown[io.StringIO] == "" and "5 of 10 programs" in shown[Terminal]


def test_a_build_loads_its_source_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    loaded = []
    real = plugins.load

    def load(kind: str, name: str) -> ModuleType:
        loaded.append((kind, name))
        return real(kind, name)

    for module in (plugins, building, command):
        monkeypatch.setattr(module, "load", load)
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        app(["build", "generated", "--family", "easy", "--n", "3", "--keep-benchmarks", "--out", str(out)])
    assert ended.value.code == 0 and len(list(read_traces(out))) == 3
    assert [name for kind, name in loaded if kind == "program source"] == ["generated"]


def test_odd_escapes_of_a_package_are_not_told_to_the_user(tmp_path: Path):
    folder = tmp_path / "odd"
    folder.mkdir()
    lines = ['"""A \\d in a text."""', "", "def f(xs: list[int]) -> str:", '    return "\\d" * len(xs)', ""]
    (folder / "odd.py").write_text("\n".join(lines))
    done = deskcheck("build", "functions", str(folder), "--out", str(tmp_path / "data"), "--workers", "1")
    assert done.returncode == 0 and "SyntaxWarning" not in done.stderr
