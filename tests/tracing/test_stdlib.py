"""Functions of the standard library, by their doctests or by inputs made for them: traced = untraced."""

from __future__ import annotations

import warnings

import pytest
from tests.tracing import stdlib_calls, stdlib_run

from deskcheck.tracing import access

SAMPLE = ["bisect", "fractions", "textwrap", "json.decoder", "getopt", "heapq", "shlex", "collections"]
ALL = sorted({*stdlib_calls.CALLS, *stdlib_calls.DOCTESTS})


def failures(name: str, tracer: str) -> list[str]:
    if not access.has_native():
        pytest.skip("the C extension is not built")
    with warnings.catch_warnings():  # doctests of old functions warn
        warnings.simplefilter("ignore")
        return stdlib_run.run_module(name, stdlib_run.tracer_named(tracer)).failures


def test_there_are_enough_modules() -> None:
    assert len(ALL) >= 60


@pytest.mark.parametrize("tracer", ["reference", "native"])
@pytest.mark.parametrize("name", SAMPLE)
def test_a_module_keeps_the_laws(name: str, tracer: str) -> None:
    assert failures(name, tracer) == []


@pytest.mark.slow
@pytest.mark.parametrize("tracer", ["reference", "native"])
@pytest.mark.parametrize("name", ALL)
def test_every_module_keeps_the_laws(name: str, tracer: str) -> None:
    assert failures(name, tracer) == []


def test_a_wrong_trace_is_found_out() -> None:
    """The comparison can fail: a tracer that forgets what a variable became is told apart."""
    from deskcheck.records import Trace

    trace_call = stdlib_run.tracer_named("reference")

    def forgetful(*asked: object) -> Trace:
        trace = trace_call(*asked)
        trace.changes.value[:] = [value if value < 5 else 5 for value in trace.changes.value]
        return trace

    assert stdlib_run.run_module("bisect", forgetful).failures
