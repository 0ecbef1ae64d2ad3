"""Whatever a job does to its child is one JobResult, and the next job is right."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from deskcheck.errors import DeskcheckError
from deskcheck.records import (
    Crashed,
    Job,
    JobDone,
    JobFailed,
    JobResult,
    Limits,
    MemoryLimit,
    OutputLimit,
    Rejected,
    TimeLimit,
)
from deskcheck.sandbox import containment, running
from deskcheck.sandbox.supervisor import BATCH

# The programs here fork, write files and read /proc: what level "limits" lets them.
run = partial(containment.run, level="limits")
LINUX = sys.platform.startswith("linux")
SMALL = Limits(time_s=20.0, memory_bytes=256 << 20, output_bytes=1 << 16)
HASTY = Limits(time_s=0.3, memory_bytes=256 << 20, output_bytes=1 << 16)


def job(function: str, payload: bytes = b"", *, limits: Limits = SMALL, name: str = "") -> Job:
    return Job(name or function, f"tests.sandbox.hostile_jobs:{function}", payload, limits)


def run_one(function: str, payload: bytes = b"", *, limits: Limits = SMALL) -> JobResult:
    """The result of one job; the job after it must come back untouched."""
    first, second = run([job(function, payload, limits=limits), job("echo", b"next")], workers=1)
    assert second.result == JobDone(b"next")
    return first


def outcome(function: str, payload: bytes = b"", *, limits: Limits = SMALL) -> object:
    result = run_one(function, payload, limits=limits).result
    assert isinstance(result, JobFailed), result
    return result.outcome


def children() -> set[int]:
    """Processes whose parent is this test process, zombies included."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid():
            found.add(int(stat.parent.name))
    return found


@pytest.mark.parametrize("function", ["loop", "busy_in_c", "ignore_everything", "stop_self"])
def test_a_run_that_does_not_end_is_stopped_by_the_parents_clock(function: str):
    assert outcome(function, limits=HASTY) == TimeLimit(0.3)


@pytest.mark.skipif(not LINUX, reason="macOS has no usable limit of address space")
def test_a_memory_bomb_is_a_memory_limit():
    assert outcome("take_all_memory") == MemoryLimit(256 << 20)


def test_a_gigabyte_of_output_is_an_output_limit_and_what_fits_is_kept():
    result = run_one("print_a_gigabyte")
    assert result.result == JobFailed(OutputLimit(1 << 16))
    assert result.output == b"x" * (1 << 16)


def test_output_over_the_limit_counts_even_if_the_program_hides_the_error():
    assert outcome("print_and_catch") == OutputLimit(1 << 16)


def test_output_of_exactly_the_limit_is_allowed_and_one_byte_more_is_not():
    assert run_one("print_exactly", b"65536").result == JobDone(b"printed")
    assert outcome("print_exactly", b"65537") == OutputLimit(1 << 16)


def test_a_result_larger_than_the_trace_limit_allows_is_an_output_limit():
    small = Limits(time_s=20.0, trace_bytes=1000)
    assert outcome("big_result", str(4 << 20).encode(), limits=small) == OutputLimit(1000, "trace")


def test_a_large_payload_and_result_come_back_whole():
    payload = os.urandom(1 << 20) * 8
    assert run_one("echo", payload).result == JobDone(payload)


@pytest.mark.parametrize(
    ("function", "payload", "cause"),
    [
        ("leave", b"3", "exit 3"),
        ("leave", b"0", "exit 0 without a result"),
        ("system_exit", b"5", "exit 5"),
        ("kill_self", b"", "SIGKILL"),
        ("segfault", b"", "SIGSEGV"),
        ("kill_zygote", b"", "loss of its zygote, twice"),
        ("stop_zygote", b"", "loss of its zygote, twice"),
    ],
)
def test_a_run_that_dies_is_crashed_with_its_cause(
    function: str, payload: bytes, cause: str, monkeypatch: pytest.MonkeyPatch
):
    if function == "stop_zygote":
        monkeypatch.setattr(running, "GRACE_S", 1.0)
    roomy = Limits(time_s=20.0, memory_bytes=2 << 30)
    assert outcome(function, payload, limits=roomy) == Crashed(cause)


def test_recursion_that_fills_the_stack_ends_only_its_own_run():
    ended = outcome("deep_recursion", limits=Limits(time_s=20.0, memory_bytes=2 << 30))
    # From 3.12 on the interpreter stops recursion in C before the stack is full.
    assert ended == Crashed("SIGSEGV") or "RecursionError" in str(ended)


def test_closed_descriptors_are_no_result():
    assert outcome("close_everything") == Crashed("exit 70")


def test_a_frame_without_this_jobs_key_is_rejected():
    assert outcome("forge_frames") == Rejected("result frame: not this job's key")


def test_a_process_left_behind_cannot_write_to_the_result():
    assert run_one("write_after_the_frame").result == JobDone(b"mine")


def test_an_exception_of_the_job_function_is_rejected_by_name():
    assert outcome("raise_key_error") == Rejected("job function raised KeyError: 'a'")


@pytest.mark.skipif(not LINUX, reason="orphans come to the zygote on Linux only")
def test_processes_that_a_run_leaves_behind_are_killed_in_whatever_session():
    result = run_one("fork_many")
    assert result.result == JobDone(b"forked")
    pids = [int(line) for line in result.output.split()]
    assert len(pids) == 60
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.skipif(not LINUX, reason="reads /proc")
def test_a_run_sees_nothing_of_its_parents_and_nothing_of_the_run_before():
    first, second = (
        ast.literal_eval(result.result.payload.decode())
        for result in run([job("surroundings", name=name) for name in "ab"], workers=1)
        if isinstance(result.result, JobDone)
    )
    assert first == second
    # The result's, the one that tells the address space, and listdir's own.
    assert first["fds"][:3] == [0, 1, 2] and len(first["fds"]) == 6
    assert first["environ"].keys() == {
        "PYTHONHASHSEED",
        "PYTHONUTF8",
        "LC_ALL",
        "TZ",
        "OMP_NUM_THREADS",
        "PATH",
    }
    assert (first["argv"], first["folder"], first["stdin"]) == ([""], [], "")
    assert first["leader"] and first["no_new_privs"]


@pytest.mark.skipif(not LINUX, reason="macOS has no usable limit of address space")
def test_the_limits_are_those_of_the_job():
    result = run_one("limits").result
    assert isinstance(result, JobDone)
    found = ast.literal_eval(result.payload.decode())
    soft, hard = found.pop("RLIMIT_AS")
    own = soft - (256 << 20)  # what the interpreter itself takes comes on top
    assert soft == hard and 0 < own < 1 << 30
    assert found == {
        "RLIMIT_CPU": (22, 22),
        "RLIMIT_FSIZE": ((1 << 16) + 1, (1 << 16) + 1),
        "RLIMIT_NOFILE": (65, 65),
        "RLIMIT_CORE": (0, 0),
    }


def test_results_come_in_input_order_from_any_number_of_workers():
    bad = {7: "leave", 11: "loop", 13: "kill_zygote", 17: "take_all_memory"}
    jobs = [
        job(bad.get(i, "echo"), str(i % 250).encode(), limits=HASTY if i in bad else SMALL, name=str(i))
        for i in range(60)
    ]
    results = list(run(jobs, workers=3))
    assert [r.id for r in results] == [str(i) for i in range(60)]
    for i, result in enumerate(results):
        assert isinstance(result.result, JobFailed) if i in bad else result.result == JobDone(str(i).encode())


def test_several_threads_may_run_jobs_at_once():
    """They share no buffer: large results, which come in many pieces, are each whole."""

    def several(number: int) -> list[bool]:
        payloads = [bytes([number, i]) * (1 << 20) for i in range(4)]
        results = run([job("echo", payload) for payload in payloads], workers=1)
        return [r.result == JobDone(payload) for r, payload in zip(results, payloads, strict=True)]

    with ThreadPoolExecutor(6) as pool:
        assert all(all(one) for one in pool.map(several, range(6)))


def test_no_jobs_are_no_results_and_no_process():
    assert list(run([])) == []


def test_jobs_are_pulled_only_as_far_as_needed():
    pulled = 0

    def endless() -> Iterator[Job]:
        nonlocal pulled
        while True:
            pulled += 1
            yield job("echo", b"x")

    results = run(endless(), workers=1)
    assert next(results).result == JobDone(b"x")
    results.close()  # type: ignore[attr-defined]
    # One batch runs, one waits, one is being filled, and the results of one wait for a comparison.
    assert pulled <= 4 * BATCH


def test_an_error_of_the_source_of_jobs_reaches_the_caller():
    def source() -> Iterator[Job]:
        yield job("echo", b"x")
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        list(run(source(), workers=1))


def test_a_function_that_cannot_be_loaded_is_our_error_and_names_it():
    with pytest.raises(DeskcheckError, match=r"deskcheck\.no_such:run"):
        list(run([Job("1", "deskcheck.no_such:run", b"", SMALL)], workers=1))
    mixed = [job("echo"), Job("1", "deskcheck.no_such:run", b"", SMALL)]
    with pytest.raises(DeskcheckError, match=r"deskcheck\.no_such:run"):
        list(run(mixed, workers=1))


@pytest.mark.skipif(not LINUX, reason="reads /proc")
def test_nothing_is_left_when_the_caller_stops_early():
    fds, processes, threads = len(os.listdir("/proc/self/fd")), children(), threading.active_count()
    for _ in range(2):
        results = run((job("echo") for _ in range(50)), workers=2)
        next(results)
        results.close()  # type: ignore[attr-defined]
    assert len(os.listdir("/proc/self/fd")) == fds
    assert children() == processes
    assert threading.active_count() == threads


@pytest.mark.skipif(not LINUX, reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_parent_that_is_interrupted_or_killed_takes_every_process_with_it(
    number: signal.Signals, tmp_path: Path
):
    script = (
        "from tests.sandbox.test_sandbox_run import *\n"
        "def jobs():\n"
        "    yield job('echo')\n"
        "    yield job('fork_many')\n"
        "    yield job('ignore_everything')\n"
        "    yield job('loop')\n"
        "for result in run(jobs(), workers=1):\n"
        "    print(result.id, flush=True)\n"
    )
    root = Path(__file__).parents[2]
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}"}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"echo\n"
        assert process.stdout.readline() == b"fork_many\n"
        mark = str(tmp_path).encode()
        before = started_with(mark)
        assert before
        process.send_signal(number)
        process.wait()
    deadline = time.monotonic() + 60
    while (started_with(mark) or list(tmp_path.iterdir())) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert started_with(mark) == set()
    assert list(tmp_path.iterdir()) == []


def started_with(mark: bytes) -> set[int]:
    """Processes that have `mark` on their command line: a zygote and its children name their folder there."""
    found = set()
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in line.read_bytes():
                found.add(int(line.parent.name))
        except OSError:
            continue
    return found
