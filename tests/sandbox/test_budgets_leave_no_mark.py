"""A program that meets a budget leaves nothing in the process that the next one could show in its trace."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.sandbox.cut_programs import BLOCKS, LIMITS, WITNESSES, cut_program

from deskcheck.records import Granularity, Job, JobDone, JobResult, Program, Returned
from deskcheck.sandbox import worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.packed import unpack
from deskcheck.tracing.program import encode_request, make_program

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")


def program_of(source: str) -> Program:
    return make_program(source, "f", "3", origin="t")


def job(name: str, source: str, budget: str, granularity: Granularity) -> Job:
    payload = encode_request(program_of(source), LIMITS[budget], granularity=granularity)
    return Job(name, FUNCTION, payload, LIMITS[budget])


def run_all(jobs: list[Job], *, batch: int) -> tuple[dict[str, JobResult], Report]:
    reports: list[Report] = []
    results = {r.id: r for r in run_jobs(jobs, workers=1, batch=batch, report=reports.append)}
    return results, reports[0]


def witnesses_of(budget: str, granularity: Granularity) -> dict[str, Job]:
    named = {f"witness {i}": source for i, source in enumerate(WITNESSES)}
    return {name: job(name, source, budget, granularity) for name, source in named.items()}


FINE = [(b, g) for b in ("steps", "trace") for g in (Granularity.EXPRESSION, Granularity.INSTRUCTION)]
LONG = ("time", "memory")
"""Budgets that take a program a while to meet: two blocks stand for all."""


@pytest.mark.parametrize(("budget", "granularity"), [*((b, Granularity.LINE) for b in LIMITS), *FINE])
def test_a_witness_behind_each_cut_program_gives_the_bytes_that_it_gives_alone(
    budget: str, granularity: Granularity, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocks = ("with", "finally at once") if budget in LONG else BLOCKS
    compare_witnesses(budget, granularity, blocks, monkeypatch)


@pytest.mark.slow
def test_a_witness_behind_each_program_cut_for_its_memory_gives_the_bytes_that_it_gives_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compare_witnesses("memory", Granularity.LINE, BLOCKS, monkeypatch)


def compare_witnesses(
    budget: str, granularity: Granularity, blocks: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run witnesses alone and behind the cut programs; each must give the same bytes."""
    monkeypatch.setattr(worker, "BATCH_S", 1e9)  # however slow the machine is
    cut = [job(f"cut in {block}", cut_program(block, budget), budget, granularity) for block in blocks]
    witnesses = witnesses_of(budget, granularity)
    alone, _ = run_all(list(witnesses.values()), batch=1)
    for name, witness in witnesses.items():
        result = alone[name].result
        assert isinstance(result, JobDone)
        assert isinstance(unpack(result.payload).head.outcome, Returned)
        mixed = [
            member for one in cut for member in (one, Job(f"{name} behind {one.id}", *_rest_of(witness)))
        ]
        found, report = run_all(mixed, batch=64)
        behind = [member for member in mixed if member.id.startswith("witness")]
        assert [m.id for m in behind if found[m.id].result != result] == []
        assert len(behind) == len(cut)
        if budget.startswith(
            "steps"
        ):  # nothing was left that the child's comparison had to catch, but a thread's end
            assert report.n_children < len(mixed) / 2 and report.trips.get("interpreter", 0) <= 1, report


def _rest_of(witness: Job) -> tuple[str, bytes, object]:
    return witness.function, witness.payload, witness.limits


@pytest.mark.parametrize("budget", ["steps", "trace", "memory"])
def test_the_cut_programs_do_meet_their_budget(budget: str) -> None:
    outcomes = {"steps": "StepLimit", "trace": "OutputLimit", "memory": "MemoryLimit"}
    # A lack of memory is the program's own exception: it may swallow it, and no thread starts without.
    left_out = ("swallowed", "thread") if budget == "memory" else ()
    sources = {block: cut_program(block, budget) for block in BLOCKS if block not in left_out}
    found, _ = run_all(
        [job(block, text, budget, Granularity.LINE) for block, text in sources.items()], batch=1
    )
    traces = {b: read_result(found[b], program_of(text), LIMITS[budget]) for b, text in sources.items()}
    assert {b: type(t.outcome).__name__ for b, t in traces.items()} == dict.fromkeys(
        sources, outcomes[budget]
    )
