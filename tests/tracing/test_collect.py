"""Tracing through the sandbox: every program gives a trace; public benchmarks give their recorded answers."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from deskcheck.records import (
    Crashed,
    Job,
    JobDone,
    JobResult,
    Limits,
    MemoryLimit,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
)
from deskcheck.tracing import job
from deskcheck.tracing.collect import read_result, trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.validate import Invalid, check


def program(source: str, arguments: str = "") -> Program:
    return make_program(source, "f", arguments, origin="test")


HOSTILE: list[tuple[str, str, type]] = [
    ("returns", "def f():\n    return 1\n", Returned),
    ("never ends in lines", "def f():\n    while True:\n        pass\n", StepLimit),
    ("never ends in C", "def f():\n    return sum(iter(int, 1))\n", TimeLimit),
    ("eats memory", "def f():\n    return [0] * (1 << 40)\n", MemoryLimit),
    ("eats memory slowly", "def f(a=[]):\n    while True:\n        a.append(bytes(1 << 24))\n", MemoryLimit),
    ("prints a gigabyte", "def f():\n    while True:\n        print('x' * 100000)\n", OutputLimit),
    ("dies", "import os\ndef f():\n    os._exit(3)\n", Crashed),
    ("raises", "def f():\n    return [][0]\n", Raised),
]  # fmt: skip


def test_every_program_gives_a_trace_in_order_whatever_it_does() -> None:
    limits = Limits(max_steps=3000, time_s=4.0, memory_bytes=400 << 20)
    programs = [program(source) for _, source, _ in HOSTILE]
    found = list(trace_programs(programs, limits, workers=2))
    assert [p for p, _ in found] == programs
    assert [type(trace.outcome).__name__ for _, trace in found] == [kind.__name__ for _, _, kind in HOSTILE]
    assert all(trace.program_id == p.id for p, trace in found)


def test_the_sandbox_gives_the_trace_that_this_process_gives() -> None:
    one = program("def f(x):\n    y = [x]\n    for i in y:\n        x += i\n    return x, y\n", "3")
    ((_, trace),) = trace_programs([one], Limits(), workers=1)
    assert trace == trace_program(one, Limits())


def test_all_cruxeval_programs_give_their_recorded_outputs(data: Callable[[str], Path]) -> None:
    rows = [json.loads(line) for line in data("cruxeval/cruxeval.jsonl").read_text().splitlines()]
    n_right = 0
    for row in rows:
        trace = trace_program(program(row["code"], row["input"]), Limits())
        found, recorded = ast.literal_eval(outcome_text(trace)), ast.literal_eval(row["output"])
        assert (type(found), found) == (type(recorded), recorded), row["id"]
        n_right += 1
    assert n_right == len(rows) == 800


# ------------------------------------------------------------------ what comes back is checked


def changed(trace: Trace, path: str, value: object) -> Trace:
    """A copy with one field, or one entry of a column, replaced."""
    group, _, field = path.partition(".")
    if not field:
        return msgspec.structs.replace(trace, **{group: value})
    inner = msgspec.structs.replace(getattr(trace, group), **{field: value})
    return msgspec.structs.replace(trace, **{group: inner})


ONE = program("def g(x):\n    return [x]\ndef f():\n    a = 'text'\n    b = g(a)\n    return 7\n")
TRUE = trace_program(ONE, Limits())
FORGERIES: list[tuple[str, object, str]] = [
    ("format_version", 99, "format version"),
    ("program_id", "0" * 16, "program id"),
    ("language", "c", "language"),
    ("limits", Limits(max_steps=5), "limits"),
    ("outcome", Returned(0), "last return is not the outcome"),
    ("outcome", Returned(10**6), "out of range"),
    ("outcome", StepLimit(3), "step limit"),
    ("events.kind", TRUE.events.kind[:-1], "differ in length"),
    ("events.kind", [99, *TRUE.events.kind[1:]], "event kind"),
    ("events.frame", [1, *TRUE.events.frame[1:]], "numbered"),
    ("events.line", [10**6, *TRUE.events.line[1:]], "line"),
    ("events.step", [5, *TRUE.events.step[1:]], "step"),
    ("events.value", [*TRUE.events.value[:-1], 10**6], "event value"),
    ("events.changes_end", [*TRUE.events.changes_end[:-1], 10**6], "changes"),
    ("events.thread", [0], "optional"),
    ("changes.place", [99] * len(TRUE.changes.place), "place"),
    ("changes.owner", [10**6] * len(TRUE.changes.owner), "owner"),
    ("changes.op", [1] * len(TRUE.changes.op), "deletion"),
    ("frames.parent", [-1, -1], "parent"),
    ("frames.code", [0, 0, 0], "differ in length"),
    ("values.number", [10**6] * len(TRUE.values.number), "reference"),
    ("values.type", [10**6] * len(TRUE.values.type), "type name"),
    ("objects.text", [10**6] * len(TRUE.objects.text), "object text"),
    ("changes.index", [50] * len(TRUE.changes.index), "replay"),
]


@pytest.mark.parametrize(("path", "value", "reason"), FORGERIES, ids=[f"{p}:{r}" for p, _, r in FORGERIES])
def test_a_forged_trace_is_rejected_with_the_reason(path: str, value: object, reason: str) -> None:
    check(TRUE, ONE, Limits())
    forged = changed(TRUE, path, value)
    with pytest.raises(Invalid, match=reason):
        check(forged, ONE, Limits())
    outcome = read_result(_done(msgspec.msgpack.encode(forged)), ONE, Limits()).outcome
    assert isinstance(outcome, Rejected)


def test_torn_bytes_are_rejected() -> None:
    payload = msgspec.msgpack.encode(TRUE)
    for torn in (b"", payload[:-5], b"\x00" * 50, payload + b"x"):
        assert isinstance(read_result(_done(torn), ONE, Limits()).outcome, Rejected)


def _done(payload: bytes) -> JobResult:
    return JobResult("0", JobDone(payload), b"", 0.0)


def test_the_job_takes_and_gives_bytes() -> None:
    request = Job("0", job.FUNCTION, job.encode_request(ONE, Limits()), Limits())
    assert msgspec.msgpack.decode(job.run(request.payload), type=Trace) == TRUE
