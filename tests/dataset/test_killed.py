"""A build killed at any moment, or out of disk, goes on to the same bytes with every program once."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deskcheck.dataset.folder import read_quarantine
from deskcheck.format.shards import read_manifest, read_traces

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[2]
Order = Callable[..., int]


@pytest.fixture(scope="module")
def order() -> Iterator[Order]:
    """A function: a folder, how many programs, how the build is ended and at what -> its exit status."""
    command = [sys.executable, "-m", "tests.dataset.killed"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:

        def give(out: Path, n: int, how: str, at: float = 0, *, delay_s: float = 0.0) -> int:
            assert server.stdin is not None and server.stdout is not None
            server.stdin.write(json.dumps([str(out), n, delay_s, how, at]).encode() + b"\n")
            server.stdin.flush()
            return int(server.stdout.readline())

        yield give
        assert server.stdin is not None
        server.stdin.close()


def contents(out: Path) -> dict[str, bytes]:
    """Every file whose bytes inputs and configuration determine; of the card all but its rows on speed."""
    names = [p.name for p in out.iterdir() if p.name not in (".lock", "run.jsonl")]
    found = {name: (out / name).read_bytes() for name in sorted(names)}
    speed = (b"| made in |", b"| at this rate |")
    kept = [line for line in found.get("README.md", b"").splitlines() if not line.startswith(speed)]
    return found | {"README.md": b"\n".join(kept)}


def check_whole(out: Path, whole: Path, n: int) -> None:
    """Every one of the `n` programs stands in the folder once, in the bytes of an undisturbed build."""
    assert contents(out) == contents(whole)
    entries = read_manifest(out)
    assert sum(entry.n_read for entry in entries) == n
    ids = [trace.program_id for trace in read_traces(out)] + [
        line.program.id for line in read_quarantine(out)
    ]
    assert len(ids) == len(set(ids)) == n


@pytest.mark.parametrize("stride", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_a_build_may_be_killed_at_every_step_that_it_takes_on_the_disk(
    order: Order, tmp_path: Path, stride: int
):
    whole, n = tmp_path / "whole", 15
    assert order(whole, n, "not") == 0
    for at in range(0, 1000, stride):
        out = tmp_path / "out"
        status = order(out, n, "step", at)
        if status == 0:
            break
        assert status == -signal.SIGKILL
        assert order(out, n, "not") == 0
        check_whole(out, whole, n)
        shutil.rmtree(out)
    assert 20 < at < 200  # the steps were there


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_a_build_may_be_killed_in_the_middle_of_any_write(order: Order, tmp_path: Path, stride: int):
    whole, n = tmp_path / "whole", 15
    assert order(whole, n, "not") == 0
    sizes = {len(data) for data in contents(whole).values()}
    moments = sorted({1, *(size // part for size in sizes for part in (1, 2, 3)), *(s - 1 for s in sizes)})
    for at in moments[::stride]:
        out = tmp_path / f"out-{at}"
        assert order(out, n, "byte", at) in (0, -signal.SIGXFSZ)
        assert order(out, n, "not") == 0
        check_whole(out, whole, n)


def test_quarantine_lines_of_finished_shards_keep_their_bytes(order: Order, tmp_path: Path):
    whole, out, n = tmp_path / "whole", tmp_path / "out", 60  # number 49 crashed with a lone surrogate
    assert order(whole, n, "not") == 0
    shutil.copytree(whole, out)
    manifest = (out / "manifest.jsonl").read_bytes().splitlines(keepends=True)
    (out / "manifest.jsonl").write_bytes(b"".join(manifest[:-1]))  # killed before the last shard's line
    assert order(out, n, "not") == 0
    check_whole(out, whole, n)


def kill_at_random(order: Order, tmp_path: Path, *, n_kills: int, n: int, delay_s: float) -> None:
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert order(whole, n, "not") == 0
    rng = random.Random(0)
    for _ in range(n_kills):
        assert order(out, n, "time", rng.uniform(0.0, 0.15), delay_s=delay_s) in (0, -signal.SIGKILL)
    assert order(out, n, "not") == 0
    check_whole(out, whole, n)


def test_a_build_may_be_killed_at_random_moments(order: Order, tmp_path: Path):
    kill_at_random(order, tmp_path, n_kills=10, n=200, delay_s=0.001)


@pytest.mark.slow
def test_a_build_may_be_killed_at_200_random_moments(order: Order, tmp_path: Path):
    kill_at_random(order, tmp_path, n_kills=200, n=6000, delay_s=0.002)


def test_a_disk_that_refuses_a_write_is_an_error_and_the_folder_can_be_gone_on_with(
    order: Order, tmp_path: Path
):
    whole, n = tmp_path / "whole", 15
    assert order(whole, n, "not") == 0
    largest = max(len(data) for data in contents(whole).values())
    for at in (10, largest // 3, largest - 1):
        out = tmp_path / f"out-{at}"
        assert order(out, n, "full", at) == 1
        assert order(out, n, "not") == 0
        check_whole(out, whole, n)


def test_a_full_disk_is_an_error_and_with_more_room_the_same_command_goes_on(order: Order, tmp_path: Path):
    whole, disk, n = tmp_path / "whole", tmp_path / "disk", 60
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("needs the right to mount a small tmpfs")
    try:
        assert order(whole, n, "not") == 0
        assert order(disk / "out", n, "not") == 1
        assert 0 < sum(entry.n_read for entry in read_manifest(disk / "out")) < n
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        assert order(disk / "out", n, "not") == 0
        check_whole(disk / "out", whole, n)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# ------------------------------------------------------------------ with the sandbox and the tracer


def processes_of(mark: str) -> list[int]:
    """Zygotes and their children that have this folder for their files."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in line.read_bytes():
                found.append(int(line.parent.name))
        except OSError:
            continue
    return found


def start_build(out: Path, tmp: Path, n: int) -> subprocess.Popen[bytes]:
    tmp.mkdir(exist_ok=True)
    options = ["--family", "easy", "--seed", "3", "--n", str(n), "--shard-size", "20", "--workers", "1"]
    command = [sys.executable, "-m", "deskcheck", "build", "generated", *options, "--out", str(out)]
    environment = {**os.environ, "TMPDIR": str(tmp)}
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def n_shards(out: Path) -> int:
    """Finished ones."""
    manifest = out / "manifest.jsonl"
    return manifest.read_bytes().count(b"\n") if manifest.exists() else 0


def rob(process: subprocess.Popen[bytes], out: Path, tmp: Path, *, n_kills: int, rng: random.Random) -> int:
    """Kill a zygote or its child, as a kernel does that is out of memory, so often; wait for the end.

    Each time only after what was hit has come back: a program that is hit twice is a crash of its own, and of
    zygotes that are killed while they start a build bears two. 13 shards are more than the sandbox is ahead.
    """
    n_robbed, n_before = 0, 1
    while process.poll() is None:
        if n_robbed < n_kills and n_shards(out) >= n_before:
            time.sleep(rng.uniform(0.0, 0.1))
            for pid in processes_of(str(tmp))[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    n_robbed, n_before = n_robbed + 1, n_shards(out) + 13
        time.sleep(0.01)
    return n_robbed


def disturb(tmp_path: Path, *, n_kills: int, n: int) -> int:
    """Real builds: the first undisturbed, the second killed again and again, the third losing its workers.

    How many of these: a machine that stalls may miss some.
    """
    whole, killed, robbed = (tmp_path / name for name in ("whole", "killed", "robbed"))
    rng = random.Random(1)
    with start_build(whole, tmp_path / "t0", n) as process:
        assert process.wait() == 0, process.stderr and process.stderr.read()
    for _ in range(n_kills):
        with start_build(killed, tmp_path / "t1", n) as process:
            time.sleep(rng.uniform(0.5, 2.0))
            process.kill()
    deadline = time.monotonic() + 60
    while processes_of(str(tmp_path / "t1")) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert processes_of(str(tmp_path / "t1")) == []
    with start_build(killed, tmp_path / "t1", n) as process:
        assert process.wait() == 0
    assert contents(killed) == contents(whole)
    with start_build(robbed, tmp_path / "t2", n) as process:
        n_robbed = rob(process, robbed, tmp_path / "t2", n_kills=n_kills, rng=rng)
        assert process.returncode == 0, process.stderr and process.stderr.read()
    assert contents(robbed) == contents(whole)
    return n_robbed


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_real_build_survives_its_own_death_and_that_of_its_workers(tmp_path: Path):
    disturb(tmp_path, n_kills=2, n=300)


def test_two_builds_into_one_folder_are_one_build_and_one_message(tmp_path: Path):
    whole, out = tmp_path / "whole", tmp_path / "out"
    with start_build(whole, tmp_path / "t0", 200) as process:
        assert process.wait() == 0
    with start_build(out, tmp_path / "t1", 200) as first:
        while not n_shards(out):
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGSTOP)  # in the middle of its work, whatever else the machine does
        assert n_shards(out) < 10
        with start_build(out, tmp_path / "t2", 200) as second:
            _, told = second.communicate()
        os.kill(first.pid, signal.SIGCONT)
        assert second.returncode == 2
        assert f"is being written by another process (pid {first.pid})".encode() in told
        assert first.wait() == 0
    assert contents(out) == contents(whole)


@pytest.mark.slow
def test_a_million_and_a_half_executions_take_less_than_an_hour_in_flat_memory():
    command = [sys.executable, "measurements/building.py", "--n", "250000", "--cores", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    row = [cell.strip().replace(",", "") for cell in done.stdout.splitlines()[-1].split("|")[1:-1]]
    n, wall_s, bytes_an_event = int(row[1]), float(row[2]), float(row[6])
    halfway_mb, most_mb = map(float, row[7].split())
    assert 1_400_000 < n <= 1_500_000 and wall_s < 3_600 and bytes_an_event < 30
    assert most_mb < 1.5 * halfway_mb < 1_500


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_real_build_survives_200_kills(tmp_path: Path):
    assert disturb(tmp_path, n_kills=100, n=32_000) == 100
