"""Payloads are prepared before any program of a batch runs: what is said of them, and what that can break."""

from __future__ import annotations

import pytest

from deskcheck.records import Crashed, Job, JobDone, JobFailed, JobResult, Limits, TimeLimit
from deskcheck.sandbox import worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch

needs_batches = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")


def results(
    payloads: list[bytes], *, batch: int, limits: Limits | None = None
) -> tuple[list[JobResult], Report]:
    limits = limits or Limits()
    jobs = [Job(str(i), "tests.sandbox.prepared_jobs:run", p, limits) for i, p in enumerate(payloads)]
    reports: list[Report] = []
    return list(run_jobs(jobs, workers=1, batch=batch, report=reports.append)), reports[0]


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "BATCH_S", 1e9)
    monkeypatch.setattr(worker, "AUDIT_EVERY", 1 << 40)


@pytest.mark.parametrize("batch", [1, pytest.param(8, marks=needs_batches)])
def test_every_job_gets_what_was_prepared_of_it_and_its_result_what_was_said(batch: int):
    found, _ = results([b"%d" % i for i in range(12)], batch=batch)
    assert [one.prepared for one in found] == [b"said of %d" % i for i in range(12)]
    assert [one.output for one in found] == [b"%d\n" % i for i in range(12)]
    assert {type(one.result) for one in found} == {JobDone}


@needs_batches
def test_all_payloads_of_a_child_are_prepared_together_and_hidden_from_its_programs():
    found, report = results([b"a", b"looks", b"b", b"c"], batch=8)
    looked = found[1].result
    assert isinstance(looked, JobDone) and looked.payload == b"0"
    assert report.n_children <= 2


@needs_batches
@pytest.mark.parametrize("payload, outcome", [(b"dies", Crashed("SIGSEGV")), (b"never ends", TimeLimit(0.5))])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_what_ends_its_preparation_is_the_outcome_of_that_job_alone(
    payload: bytes, outcome: object, place: int
):
    payloads = [b"%d" % i for i in range(5)]
    payloads.insert(place, payload)
    found, report = results(payloads, batch=8, limits=Limits(time_s=0.5))
    assert isinstance(found[place].result, JobFailed) and found[place].result.outcome == outcome
    others = [one for i, one in enumerate(found) if i != place]
    assert [type(one.result) for one in others] == [JobDone] * 5
    assert [one.output for one in others] == [b"%d\n" % i for i in range(5)]
    assert report.n_rerun <= 2


@pytest.mark.parametrize("batch", [1, pytest.param(8, marks=needs_batches)])
def test_what_a_preparation_prints_stands_before_what_its_own_job_prints(batch: int):
    found, _ = results([b"a", b"prints", b"b"], batch=batch)
    assert [one.output for one in found] == [b"a\n", b"prepared\nprints\n", b"b\n"]
