"""Tracing through the sandbox: every program gives a trace; public benchmarks give their recorded answers."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deskcheck.errors import DataError
from deskcheck.format.buffers import packed_of, trace_of
from deskcheck.records import (
    CompileFailure,
    Crashed,
    Granularity,
    JobDone,
    JobResult,
    Limits,
    MemoryLimit,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
)
from deskcheck.sandbox.compiling import steady_code
from deskcheck.tracing import access, execution, job, run
from deskcheck.tracing.codes import code_objects
from deskcheck.tracing.collect import read_result, trace_packed, trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.packed import Invalid, pack, unpack
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.source_facts import table_of


def program(source: str, arguments: str = "") -> Program:
    return make_program(source, "f", arguments, origin="test")


def test_an_argument_cut_at_its_bytes_is_not_taken_for_another_call():
    asked = program("def f(text):\n    return 1\n", "'ééééé'")  # 7 characters, a value of 10 bytes
    ((_, trace),) = trace_programs([asked], Limits(value_bytes=8))
    assert outcome_text(trace) == "1"


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
    assert trace == run.trace_program(one, Limits())


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # of 3.14, for a return in `finally`
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
    ("outcome", Returned(0), "no outermost call returned"),
    ("outcome", Returned(10**6), "out of range"),
    ("outcome", StepLimit(3), "step limit"),
    ("events.kind", TRUE.events.kind[:-1], "differ in length"),
    ("events.kind", [99, *TRUE.events.kind[1:]], "event kind"),
    ("events.frame", [1, *TRUE.events.frame[1:]], "function does not have"),
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
    ("changes.index", [50] * len(TRUE.changes.index), "a key with a position"),
    ("changes.index", [50 if i >= 0 else -1 for i in TRUE.changes.index], "replay"),
]


@pytest.mark.parametrize(("path", "value", "reason"), FORGERIES, ids=[f"{p}:{r}" for p, _, r in FORGERIES])
def test_a_forged_trace_is_rejected_with_the_reason(path: str, value: object, reason: str) -> None:
    check(TRUE, ONE, Limits(), table_of(ONE))
    forged = changed(TRUE, path, value)
    with pytest.raises(Invalid, match=reason):
        check(forged, ONE, Limits(), table_of(ONE))
    try:
        payload = pack(packed_of(forged))
    except DataError:  # columns that differ in length cannot even be packed
        assert reason in ("differ in length", "optional")
        return
    outcome = read_result(_done(payload), ONE, Limits()).outcome
    assert isinstance(outcome, Rejected)
    assert re.search(reason, outcome.check)


def test_torn_bytes_are_rejected() -> None:
    payload = pack(packed_of(TRUE))
    assert read_result(_done(payload), ONE, Limits()) == TRUE
    for torn in (b"", payload[:-8], b"\x00" * 50, payload + b"x", b"\x80\x04I1\n."):
        assert isinstance(read_result(_done(torn), ONE, Limits()).outcome, Rejected)


def test_what_the_sandbox_refused_is_the_outcome() -> None:
    done = JobResult("0", JobDone(pack(packed_of(TRUE))), b"", 0.0, refusals=["write", "network"])
    assert read_result(done, ONE, Limits()).outcome == Refused("write, network")


def _done(payload: bytes) -> JobResult:
    return JobResult("0", JobDone(payload), b"", 0.0, prepared=table_of(ONE))


@pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
@pytest.mark.parametrize("granularity", [*Granularity])
def test_comprehensions_over_the_dictionaries_of_all_modules_end(granularity: Granularity) -> None:
    source = """
import sys
def f():
    spaces = [vars(module) for module in list(sys.modules.values())]
    return len([1 for names in spaces for again in [names] if again is names]) - len(spaces)
"""
    ((_, trace),) = trace_programs([program(source)], Limits(), granularity=granularity)
    assert outcome_text(trace) == "0"


def test_the_job_takes_and_gives_bytes() -> None:
    request = job.encode_request(ONE, Limits())
    assert len(request) < len(ONE.source) + 120
    assert trace_of(unpack(job.run(request))) == run.trace_program(ONE, Limits())


def test_text_that_utf8_does_not_hold_survives_both_ways() -> None:
    source = "def f(x):\n    raise KeyError(x + '\\ud800', '\ufdd0')\n"
    one = make_program(source, "f", "'\\udfff'", origin="test \ud800")
    ((_, trace),) = trace_programs([one], Limits(), workers=1)
    assert isinstance(trace.outcome, Raised)
    assert trace.outcome.message == "('\\udfff\\ud800', '\\ufdd0')"
    whole = make_program("def f():\n    raise ValueError('\\ud800')\n", "f", "", origin="test")
    no_program = make_program("def f(): return '\ud800'", "f", "", origin="test", prelude="'\udbff'")
    (_, first), (_, second) = trace_programs([whole, no_program], Limits(), workers=1)
    assert isinstance(first.outcome, Raised) and first.outcome.message == "\ud800"
    assert isinstance(second.outcome, CompileFailure)
    decoded, limits, _ = job.decode_request(job.encode_request(no_program, Limits(max_steps=7)))
    assert (decoded.source, decoded.prelude, decoded.id) == (no_program.source, "'\udbff'", no_program.id)
    assert limits == Limits(max_steps=7)


def test_packed_and_unpacked_are_the_same_traces() -> None:
    programs = [program("def f(n):\n    return [n]\n", str(n)) for n in range(3)]
    packed = [(p, trace_of(found)) for p, found in trace_packed(programs, Limits(), workers=1)]
    assert packed == list(trace_programs(programs, Limits(), workers=1))


def test_a_second_run_elsewhere_confirms_the_bytes_or_says_that_they_differ() -> None:
    steady = "def f(n):\n    return [n] * 3\n"
    clock = "import time\ndef f(n):\n    return time.perf_counter_ns()\n"
    stopped = "def f(n):\n    while True:\n        pass\n"
    programs = [
        program(steady, "1"),
        program(clock, "2"),
        program("import os\ndef f(n):\n    os._exit(n)\n", "3"),
    ]
    programs += [program(steady, str(n)) for n in range(10, 145)]  # more than a window
    programs.append(program(stopped, "4"))
    found = list(trace_packed(programs, Limits(max_steps=50), workers=2, confirm=True))
    assert [p for p, _ in found] == programs
    traces = [trace_of(packed) for _, packed in found]
    assert [t.program_id for t in traces] == [p.id for p in programs]
    confirmed = [t.determinism.confirmed for t in traces]
    assert confirmed == [True, False, False, *[True] * 136]
    differed = ["a second run elsewhere gave other bytes" in t.fidelity.notes for t in traces]
    assert differed == [False, True, False, *[False] * 136]


def test_inputs_of_one_source_are_compiled_once_and_run_code_of_their_own(monkeypatch: pytest.MonkeyPatch):
    compiled: list[str] = []

    def noted(source: str, *rest: Any, **more: Any) -> Any:
        compiled.append(source)
        return steady_code(source, *rest, **more)

    monkeypatch.setattr(execution, "steady_code", noted)
    source = (
        "def f(n):\n    return [g(i) for i in range(n)]\ndef g(n):\n    return n, (1, (2, 3)), {4, 5, n}\n"
    )
    prepare = job.preparer()
    programs = [make_program(source, "f", str(n), origin="test") for n in (3, 4, 5)]
    prepared = [prepare(job.encode_request(program, Limits())) for program in programs]
    assert compiled.count(source) == 1
    assert {table for _, table in prepared} == {table_of(programs[0])}
    codes = [list(code_objects(body)) for (body, *_), _ in prepared]
    assert codes[0] == codes[1] == codes[2]
    assert len({id(code) for own in codes for code in own}) == 3 * len(codes[0])
