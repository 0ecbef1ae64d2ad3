"""A job's result is the same alone and in any company, whatever its neighbours do to the child they share."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from itertools import pairwise

import pytest
from msgspec.structs import replace
from tests.sandbox import batch_jobs

from deskcheck.records import (
    Crashed,
    Job,
    JobDone,
    JobFailed,
    JobResult,
    Limits,
    OutputLimit,
    Rejected,
    TimeLimit,
)
from deskcheck.records.job import COMPANY, NONDETERMINISTIC, NOT_ALONE
from deskcheck.sandbox import running, supervisor, worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
LIMITS = Limits(time_s=20.0, memory_bytes=512 << 20, output_bytes=1 << 16)


def jobs_of(function: str, payloads: Iterable[str], *, limits: Limits = LIMITS) -> list[Job]:
    name = f"tests.sandbox.batch_jobs:{function}"
    return [Job(str(i), name, payload.encode(), limits) for i, payload in enumerate(payloads)]


def run(jobs: list[Job], *, batch: int = 32, workers: int = 1) -> tuple[list[JobResult], Report]:
    n_together = min(len(jobs), 2 * batch * workers)  # so many are sent before a result is awaited
    reports: list[Report] = []
    with pytest.MonkeyPatch.context() as patch:
        dispatch = supervisor._Loop.dispatch

        def when_all_are_there(loop: supervisor._Loop) -> None:
            if loop._report.n_jobs >= n_together:
                dispatch(loop)

        # On a slow machine the zygote could be ready before the last job has come, and take the first ones.
        patch.setattr(supervisor._Loop, "dispatch", when_all_are_there)
        results = list(run_jobs(jobs, workers=workers, batch=batch, report=reports.append))
    assert [r.id for r in results] == [job.id for job in jobs]
    return results, reports[0]


def answers(results: list[JobResult]) -> list[str]:
    return [r.result.payload.decode() if isinstance(r.result, JobDone) else str(r.result) for r in results]


@pytest.fixture
def in_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who shares a child with whom is the same on a slow machine: no audits, no batch cut by a clock."""
    monkeypatch.setattr(worker, "AUDIT_EVERY", 1 << 40)
    monkeypatch.setattr(worker, "BATCH_S", 1e9)
    monkeypatch.setattr(running, "PATIENCE_S", 1e9)


@pytest.mark.usefixtures("in_company")
def test_jobs_that_leave_nothing_behind_share_a_child():
    results, report = run(jobs_of("act", ["clean"] * 20 + ["put_and_take"] * 10))
    assert len(set(answers(results))) == report.n_children <= 2
    assert report.trips == {}
    assert {r.output for r in results[20:]} == {b"x\n"}


@pytest.mark.usefixtures("in_company")
def test_whatever_a_job_leaves_behind_the_next_one_gets_a_fresh_child():
    guilty = [(kind, job.__name__) for kind, jobs in batch_jobs.TRACES.items() for job in jobs]
    payloads = [p for number, (_, name) in enumerate(guilty) for p in (f"clean {number}", name)]
    results, report = run(jobs_of("act", [*payloads, "clean", "clean"]))
    pids = answers(results)
    missed = [name for number, (_, name) in enumerate(guilty) if pids[2 * number + 1] == pids[2 * number + 2]]
    assert missed == []
    assert pids[-1] == pids[-2]
    assert set(report.trips) == set(batch_jobs.TRACES)
    # Nobody's result was doubted, each began in a clean child, but of those who have touched ours.
    assert report.n_rerun == len(batch_jobs.TRACES["deskcheck"] + batch_jobs.TRACES["functions"])


@pytest.mark.usefixtures("in_company")
def test_a_job_that_ends_its_child_takes_no_neighbour_with_it():
    outcomes = {
        "crash": Crashed("SIGSEGV"),
        "exit": Crashed("exit 0 without a result"),
        "raise": Rejected("job function raised KeyError: 'a'"),
        "print": OutputLimit(1 << 16),
        "forge": Rejected("result frame: not this job's key"),
        "close": Crashed("exit 70"),
        "replace": Crashed("exit 70"),
    }
    payloads = [p for name in outcomes for p in (f"before {name}", name, f"after {name}")]
    results, report = run(jobs_of("dying", payloads))
    for payload, result in zip(payloads, results, strict=True):
        assert result.result == (
            JobFailed(outcomes[payload]) if payload in outcomes else JobDone(payload.encode())
        )
    assert report.n_rerun >= len(outcomes)  # each was in company first, and then alone


@pytest.mark.usefixtures("in_company")
def test_a_job_that_never_ends_costs_its_neighbours_little_and_then_has_its_whole_time(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(running, "PATIENCE_S", 0.2)
    hasty = Limits(time_s=1.5, memory_bytes=512 << 20)
    results, report = run(jobs_of("dying", ["before", "loop", "after"], limits=hasty))
    ends = [JobDone(b"before"), JobFailed(TimeLimit(1.5)), JobDone(b"after")]
    assert [result.result for result in results] == ends
    assert report.n_rerun >= 1


@pytest.mark.usefixtures("in_company")
def test_a_frame_that_is_sent_cannot_be_read_back():
    (result, *_), _ = run(jobs_of("dying", ["reopen"]))
    assert result.result == JobDone(b"OSError")  # ENXIO: a socket has no other opening


@pytest.mark.usefixtures("in_company")
def test_each_job_of_a_batch_has_its_own_output_and_its_own_limit():
    payloads = [str(i) * (1 << 16) for i in range(6)] + ["", "é" * 10]
    results, report = run(jobs_of("printing", payloads))
    assert [r.output.decode() for r in results] == payloads
    assert {str(r.result) for r in results} == {str(JobDone(b"printed"))}
    assert report.n_children <= 2


@pytest.mark.usefixtures("in_company")
def test_a_job_that_asks_for_it_is_alone():
    jobs = jobs_of("act", ["clean"] * 12)
    jobs[6] = Job("6", jobs[6].function, jobs[6].payload, LIMITS, alone=True)
    results, report = run(jobs)
    pids = answers(results)
    assert pids.count(pids[6]) == 1
    assert report.n_alone == 1


def test_a_share_of_the_jobs_runs_twice_and_the_same_ones_every_time():
    payloads = [f"clean {i}" for i in range(2000)]
    share = sum(worker.is_audited(p.encode()) for p in payloads) / len(payloads)
    assert 0.005 < share < 0.02


@pytest.mark.usefixtures("in_company")
def test_a_clean_run_has_no_mismatch_and_a_hidden_neighbour_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "AUDIT_EVERY", 1)
    results, report = run(jobs_of("echo", [str(i) for i in range(8)]))
    assert answers(results) == [str(i) for i in range(8)]
    assert (report.n_children, report.n_audited) == (1 + 7, 7), "the first had nobody before it"
    assert (report.n_mismatched, report.n_unsteady) == (0, 0)
    results, report = run(jobs_of("poison", [str(i) for i in range(8)]))
    assert (report.n_audited, report.n_mismatched, report.n_unsteady) == (7, 7, 0)
    assert [r.result for r in results] == [
        JobFailed(Rejected(COMPANY)),  # it was the first, and its company is not to be trusted
        *[JobFailed(Rejected(NOT_ALONE))] * 7,
    ]
    both = [[one.result for one in result.compared] for result in results]
    assert both[0] == []
    assert both[1:] == [[JobDone(b"%d" % (n + 1)), JobDone(b"1")] for n in range(1, 8)]
    results, report = run(jobs_of("throw_dice", "abc"))
    assert (report.n_audited, report.n_mismatched, report.n_unsteady) == (2, 0, 2)
    assert isinstance(results[0].result, JobDone)
    assert [r.result for r in results[1:]] == [JobFailed(Rejected(NONDETERMINISTIC))] * 2


@pytest.mark.usefixtures("in_company")
def test_only_the_company_of_a_result_that_differs_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "is_audited", lambda payload: payload == b"11")
    results, report = run(jobs_of("poison", [str(i) for i in range(24)]), batch=8)
    failed = [isinstance(r.result, JobFailed) for r in results]
    assert failed == [False] * 8 + [True] * 8 + [False] * 8
    assert (report.n_audited, report.n_mismatched, report.mismatched) == (1, 1, ["11"])


@pytest.mark.usefixtures("in_company")
def test_a_program_with_threads_accuses_nobody(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "is_audited", lambda payload: payload == b"thread")
    results, report = run(jobs_of("poison", ["0", "1", "thread", "3", "4"]))
    assert (report.n_audited, report.n_mismatched, report.n_unsteady) == (1, 0, 1)
    assert answers([r for r in results if r.id != "2"]) == ["1", "2", "1", "2"], "it has ended its child"
    assert results[2].result == JobFailed(Rejected(NONDETERMINISTIC))


def test_results_that_nobody_takes_are_bounded_in_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(supervisor, "WINDOW_BYTES", 2 << 20)
    held: list[int] = []

    class Watched(supervisor.Flow):
        @property
        def is_full(self) -> bool:
            held.append(self.bytes_made - self.bytes_taken)
            return super().is_full

    monkeypatch.setattr(supervisor, "Flow", Watched)
    n_bytes = 256 << 10
    jobs = jobs_of("big", [f"{n_bytes} {i}" for i in range(96)])
    jobs[20] = Job("20", jobs[20].function, jobs[20].payload, LIMITS, alone=True)  # has to overtake
    n = 0
    for result in run_jobs(jobs, workers=2, batch=16):
        time.sleep(0.005)
        assert isinstance(result.result, JobDone)
        n += len(result.result.payload)
    assert n == 96 * n_bytes
    # The window, and of each worker at most the batch that it had begun: not all 24 MiB.
    assert max(held) <= (2 << 20) + 2 * 16 * n_bytes


def test_a_zygote_that_has_served_long_enough_is_replaced(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "WORN_CHILDREN", 3)
    results, report = run(jobs_of("echo", [str(i) for i in range(24)]), batch=2)
    assert answers(results) == [str(i) for i in range(24)]
    assert report.n_zygotes >= 4
    assert report.n_lost == 0


def test_a_second_run_waits_for_the_first_and_goes_to_another_zygote():
    plan = worker.Plan(batch=8, workers=2)
    first = supervisor.Task(0, Job("0", "m:f", b"", LIMITS))
    second = supervisor.Task(1, Job("1", "m:f", b"", LIMITS, is_second=True), first)
    plan.add(first)
    assert not plan.needs_two
    plan.add(second)
    assert plan.needs_two
    assert plan.take(1) == [first]
    first.runs_in(1)
    assert plan.take(2) == []
    first.is_settled = True
    assert plan.take(1) == []
    assert plan.take(2) == [second]


@pytest.mark.parametrize("workers", [1, 2])
def test_second_runs_end_while_zygotes_are_replaced(workers: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "WORN_CHILDREN", 3)
    jobs = [replace(job, is_second=int(job.id) % 2 == 1) for job in jobs_of("echo", "aabbccddeeff")]
    results, report = run(jobs, batch=2, workers=workers)
    assert answers(results) == list("aabbccddeeff")
    assert report.n_zygotes >= 4
    assert report.n_lost == 0


def test_slow_jobs_make_small_batches():
    plan = worker.Plan(batch=32, workers=1)
    assert plan.size == 32
    plan.observe(32, 0.01)
    assert plan.size == 32
    for _ in range(40):
        plan.observe(1, 0.25)
    assert plan.size == 2
    for _ in range(40):
        plan.observe(1, 5.0)
    assert plan.size == 1


def test_a_batch_has_one_function_and_one_set_of_limits_and_keeps_the_order():
    plan = worker.Plan(batch=4, workers=1)
    other = Limits(time_s=1.0)
    for index in range(12):
        plan.add(
            supervisor.Task(
                index, Job(str(index), "m:f", b"", other if index in (5, 6) else LIMITS, index == 9)
            )
        )
    taken = []
    while len(plan):
        taken.append([task.index for task in plan.take(1)])
    assert taken == [[0, 1, 2, 3], [4], [5, 6], [7, 8, 10, 11], [9]]
    assert all(a < b for batch in taken for a, b in pairwise(batch))


def test_large_payloads_make_small_batches(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "BATCH_BYTES", 10)
    plan = worker.Plan(batch=8, workers=1)
    for index, size in enumerate([4, 4, 4, 30, 1, 9, 1]):
        plan.add(supervisor.Task(index, Job(str(index), "m:f", bytes(size), LIMITS)))
    assert [[task.index for task in plan.take(1)] for _ in range(5)] == [[0, 1], [2], [3], [4, 5], [6]]


def test_many_that_are_compared_get_a_head_each():
    plan = worker.Plan(batch=256, workers=1)
    for index in range(1000):
        plan.add(supervisor.Task(index, Job(str(index), "m:f", b"", LIMITS)))
    for index in range(3):
        plan.compare(supervisor.Task(2000 + index, Job(str(index), "m:f", b"", LIMITS)))
    assert [len(plan.take(1)) for _ in range(4)] == [85, 128, 256, 256]


def test_what_is_compared_is_the_first_of_its_child():
    def task(index: int, *, seen: bool = False, limits: Limits = LIMITS) -> supervisor.Task:
        one = supervisor.Task(index, Job(str(index), "m:f", b"", limits))
        one.seen += [JobResult(str(index), JobDone(b""), b"", 0.0)] if seen else []
        return one

    def take() -> list[int]:
        return [task.index for task in plan.take(1)]

    plan = worker.Plan(batch=3, workers=1)
    plan.compare(task(0, seen=True))
    for index in range(10, 16):
        plan.add(task(index))
    plan.put_back([task(1, seen=True)])  # its child was lost
    assert [take(), take(), take()] == [[0, 10, 11], [1, 12, 13], [14, 15]]
    plan.compare(task(2, seen=True, limits=Limits(time_s=1.0)))
    plan.add(task(16))
    assert [take(), take()] == [[2], [16]]  # other limits: a child of its own
    again = task(3, seen=True)
    again.alone = True
    plan.put_back([again])
    plan.add(task(17))
    assert [take(), take()] == [[3], [17]]  # it differed, or failed: nobody comes with it
    plan.compare(task(4, seen=True))
    assert (len(plan), take(), len(plan)) == (1, [4], 0)  # its company waits for it


def test_after_its_holes_are_filled_a_process_allocates_on_few_pages():
    script = (
        "import os\n"
        "from deskcheck.sandbox import _batch\n"
        "held = [bytes(8 * (n % 180) + 1) for n in range(60_000)]\n"
        "del held[::2]\n"
        "if {fill}: _batch.fill_holes()\n"
        "for size in (40, 250, 450, 1000):\n"
        "    new = [bytes(size) for _ in range(120)]\n"
        "    print(len({{id(x) // 4096 for x in new}}))\n"
    )
    pages = {
        fill: [
            int(n)
            for n in subprocess.run(
                [sys.executable, "-c", script.format(fill=fill)], check=True, capture_output=True, text=True
            ).stdout.split()
        ]
        for fill in (True, False)
    }
    least = [120 * (size + 33) // 4096 for size in (40, 250, 450, 1000)]
    assert all(n <= most + 5 for n, most in zip(pages[True], least, strict=True)), pages
    assert sum(pages[False]) > 2 * sum(pages[True])
