"""A program that shows where its objects lie differs from run to run, and is no fault of its company."""

from __future__ import annotations

import pytest

from deskcheck.records import Granularity, Job, JobFailed, JobResult, Limits, Rejected, Returned
from deskcheck.records.job import NONDETERMINISTIC
from deskcheck.sandbox import worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.program import encode_request, make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
LIMITS = Limits(max_steps=200, time_s=20.0)
KEEPS = "def f(n):\n    return [str(i) for i in range(n)]\n"  # something that moves what comes behind it
SHOWS = {
    "id of a list": "def f(n):\n    return id([])\n",
    "id of an instance": "class A:\n    pass\ndef f(n):\n    return id(A())\n",
    "id of a text": "def f(n):\n    return id(str(n) * 9)\n",
    "hash of a type": "def f(n):\n    return hash(int)\n",
    "order of a set of types": "def f(n):\n    return [t.__name__ for t in {int, str, set, dict, len}]\n",
    "repr of an object": "def f(n):\n    print(object())\n    return n\n",
    "repr of a function": "def f(n):\n    print(lambda: n)\n    return n\n",
    "a generator that is closed badly": "def g():\n    try:\n        yield 1\n"
    "    finally:\n        raise KeyError\ndef f(n):\n    x = g()\n    next(x)\n    del x\n    return n\n",
}


def run(sources: list[str], workers: int = 1) -> tuple[list[JobResult], Report]:
    programs = [make_program(source, "f", "30", origin="t") for source in sources]
    jobs = [
        Job(str(i), FUNCTION, encode_request(p, LIMITS, granularity=Granularity.LINE), LIMITS)
        for i, p in enumerate(programs)
    ]
    reports: list[Report] = []
    return list(run_jobs(jobs, workers=workers, batch=64, report=reports.append)), reports[0]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", SHOWS)
def test_a_program_that_shows_an_address_is_never_a_defect_of_its_company(
    name: str, workers: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(worker, "BATCH_S", 1e9)  # however slow the machine is
    monkeypatch.setattr(worker, "AUDIT_EVERY", 1)
    results, report = run([KEEPS, SHOWS[name], KEEPS, SHOWS[name]], workers)
    assert report.mismatched == []
    for result in (results[1], results[3]):
        if isinstance(result.result, JobFailed):
            assert result.result == JobFailed(Rejected(NONDETERMINISTIC))
    assert report.n_audited == 3 if workers == 1 else report.n_audited >= 1  # two smaller batches


@pytest.mark.parametrize("tracer", ["native", "reference"])
def test_no_member_of_a_type_written_in_c_is_recorded_as_an_address(tracer: str) -> None:
    """`itemgetter(1).__vectorcalloffset__` reads the address of a function, another one in each process."""
    source = """from operator import attrgetter, itemgetter, methodcaller
from functools import partial
class Part(partial):
    pass
def f(n):
    found = [attrgetter("real"), itemgetter(n), methodcaller("upper"), partial(int, base=n), Part(int, "3")]
    return found[1](found)
"""
    trace = trace_program(make_program(source, "f", "2", origin="t"), LIMITS, tracer=tracer)
    assert isinstance(trace.outcome, Returned)
    assert not [name for name in trace.names if name.startswith("__")]
    assert max(trace.values.number) < 1_000


@pytest.mark.parametrize("workers", [1, 2])
def test_a_second_run_has_the_libraries_at_other_addresses(workers: int) -> None:
    """All children of one zygote have them at the same ones; `hash(int)` was once confirmed there."""
    sources = [KEEPS, SHOWS["hash of a type"], KEEPS, SHOWS["hash of a type"]] * 3
    programs = [make_program(source, "f", "30", origin="t") for source in sources]
    made = list(trace_packed(programs, LIMITS, workers=workers, confirm=True))
    heads = [packed.head for _, packed in made]
    assert [head.determinism.confirmed for head in heads] == [True, False] * 6
    notes = [head.fidelity.notes for head in heads]
    assert notes == [[], ["a second run elsewhere gave other bytes"]] * 6
