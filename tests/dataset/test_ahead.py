"""Programs made ahead in other processes: the same bytes, the same errors, no process left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deskcheck.dataset import build as building
from deskcheck.dataset.build import Progress, build
from deskcheck.errors import UserError
from deskcheck.plugins import SourceOptions
from deskcheck.programs import generated
from deskcheck.sandbox import supervisor

ROOT = Path(__file__).parents[2]


def contents(out: Path) -> dict[str, bytes]:
    """Files whose bytes inputs and configuration determine."""
    files = [file for file in out.iterdir() if file.name not in (".lock", "run.jsonl")]
    return {file.name: file.read_bytes() for file in files}


@pytest.mark.parametrize(
    "more", [{"calls_each": 3}, {"start": 130, "calls_each": 2}, {"family": "real-1"}, {"limit": 70}]
)
def test_the_dataset_does_not_depend_on_where_programs_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, object]
) -> None:
    options = SourceOptions(**({"source": "generated", "family": "easy", "n": 90, "seed": 4} | more))  # type: ignore[arg-type]
    build(options, tmp_path / "here", workers=2, shard_size=50)
    monkeypatch.setattr(building, "FEWEST_AHEAD", 1)
    assert building.makes_ahead(generated, options, 2)
    build(options, tmp_path / "ahead", workers=2, shard_size=50)
    assert contents(tmp_path / "ahead") == contents(tmp_path / "here")


def test_a_script_without_a_guard_of_its_main_module_can_build(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import deskcheck\nfrom deskcheck.dataset import build\n\nbuild.FEWEST_AHEAD = 1\nprint('once')\n"
        "deskcheck.build('generated', family='easy', n=40, workers=2, out='out')\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.count("once") == 1


def test_one_worker_a_small_build_and_a_source_without_parts_need_no_processes() -> None:
    large = SourceOptions(source="generated", family="easy", n=5_000, calls_each=6)
    assert building.makes_ahead(generated, large, 2)
    assert not building.makes_ahead(generated, large, 1)
    assert not building.makes_ahead(generated, SourceOptions(source="generated", family="easy", n=100), 2)
    assert not building.makes_ahead(object(), large, 2)
    endless = SourceOptions(source="generated", family="easy", limit=50_000)
    assert not building.makes_ahead(generated, endless, 2), "no number of programs is an error of the source"


def test_an_unknown_family_is_an_error_before_anything_is_written(tmp_path: Path) -> None:
    options = SourceOptions(source="generated", family="eas", n=50_000)
    with pytest.raises(UserError, match="eas"):
        build(options, tmp_path / "out", workers=2)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_process_that_is_killed_costs_no_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = SourceOptions(source="generated", family="easy", n=1_200, seed=4)
    build(options, tmp_path / "here", workers=2, shard_size=400)
    monkeypatch.setattr(building, "FEWEST_AHEAD", 1)
    monkeypatch.setattr(supervisor, "WINDOW_BATCHES", 1)  # programs are left to make at the second kill
    n_killed = 0

    def kill(so_far: Progress) -> None:
        nonlocal n_killed
        if so_far.n_run in (1, 450):
            for pid in _below(os.getpid()):
                with contextlib.suppress(OSError):  # a child of the sandbox that has ended
                    if b"dataset.ahead" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        os.kill(pid, signal.SIGKILL)
                        n_killed += 1

    build(options, tmp_path / "killed", workers=2, shard_size=400, progress=kill)
    assert n_killed >= 3
    assert contents(tmp_path / "killed") == contents(tmp_path / "here")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_a_build_that_is_ended(tmp_path: Path, signal_: signal.Signals) -> None:
    command = [sys.executable, "-m", "deskcheck", "build", "generated", "--family", "easy", "--n", "50000"]
    command += ["--workers", "2", "--shard-size", "50", "--out", str(tmp_path / "out")]
    manifest = tmp_path / "out" / "manifest.jsonl"
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not (manifest.exists() and manifest.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.05)
        children = _below(process.pid)
        assert len(children) >= 4, "two that make programs and two zygotes"
        process.send_signal(signal_)
        _, told = process.communicate(timeout=30)
    assert process.returncode in (-signal.SIGKILL, 130), told
    assert b"Traceback" not in told
    deadline = time.monotonic() + 20
    while any(_lives(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in children if _lives(pid)]


def _below(pid: int) -> list[int]:
    """Return the processes below a process."""
    found: list[int] = []
    with contextlib.suppress(OSError):  # it may end while it is read
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *_below(child)]
    return found


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
