"""A coroutine is awaited alike by `trace --call`, by `build` and in one's own process."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import deskcheck
from deskcheck.errors import UserError
from deskcheck.programs.files import program_of
from deskcheck.records import Limits, StepLimit, Trace
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import TraceRequest
from deskcheck.tracing.here import run_here
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

SOURCE = """
import asyncio
async def g(n):
    await asyncio.sleep(0)
    return [n]
async def f(n):
    return await g(n) + await g(n + 1)
def h(n):
    return f(n)
class A:
    async def m(self, n):
        return n
async def endless(n):
    while True:
        await asyncio.sleep(0)
"""
TRACERS = ["reference", *(["native"] if has_native() else [])]


def traced(entry: str, *, tracer: str = "auto", limits: Limits | None = None) -> Trace:
    program = make_program(SOURCE, entry, "3", origin="t")
    return trace_program(program, limits or Limits(), tracer=tracer)


@pytest.mark.parametrize("tracer", TRACERS)
@pytest.mark.parametrize(("entry", "answer"), [("f", "[3, 4]"), ("h", "[3, 4]"), ("A().m", "3")])
def test_a_call_that_gives_a_coroutine_is_awaited(entry: str, answer: str, tracer: str) -> None:
    trace = traced(entry, tracer=tracer)
    assert outcome_text(trace) == answer
    assert trace.n_steps > 0


@pytest.mark.parametrize("tracer", TRACERS)
def test_a_budget_ends_a_coroutine(tracer: str) -> None:
    assert traced("endless", tracer=tracer, limits=Limits(max_steps=50)).outcome == StepLimit(50)


def test_the_command_and_a_build_make_the_same_program_of_a_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    named = program_of(TraceRequest("a.py", call="f(3)"))
    assert (named.entry, named.arguments) == ("f", "3")
    assert outcome_text(trace_program(named, Limits())) == outcome_text(traced("f"))


async def mine(n: int) -> int:
    await asyncio.sleep(0)
    return n + 1


def test_a_coroutine_function_of_ones_own_is_awaited() -> None:
    _, trace = run_here(mine, (3,))
    assert (outcome_text(trace), trace.n_steps) == ("4", 2)


def test_inside_a_running_loop_it_is_refused_with_a_sentence() -> None:
    async def main() -> None:
        deskcheck.trace(mine, 3)

    with pytest.raises(UserError, match="an event loop is running in this thread already"):
        asyncio.run(main())
