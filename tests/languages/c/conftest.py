"""One folder and one pair of processes for all tests of a module, and a short way to trace a program."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("pycparser", reason="needs the extra 'c'")
if shutil.which("gcc") is None:
    pytest.skip("C programs need gcc, which is not installed", allow_module_level=True)

from deskcheck.format.buffers import trace_of
from deskcheck.languages.c.compiler import Toolbox
from deskcheck.languages.c.engine import Engine
from deskcheck.languages.c.tracer import Run, trace_in
from deskcheck.records import Limits, Trace
from deskcheck.sandbox import containment
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.viewer.terminal import trace_lines

LIMITS = Limits(max_steps=20_000, memory_bytes=64 << 20, time_s=20.0)


@pytest.fixture(scope="module")
def machine() -> Iterator[tuple[Toolbox, Engine]]:
    with Toolbox() as tools, Engine(level=containment.find().level) as engine:
        yield tools, engine


@pytest.fixture
def run(machine: tuple[Toolbox, Engine]) -> Callable[..., Run]:
    """Trace a source: as a script, or as a call."""

    def traced(source: str, call: str = "", *, limits: Limits = LIMITS) -> Run:
        entry, _, arguments = call.partition("(")
        program = make_program(
            source, entry or SCRIPT, arguments[:-1] if call else "", origin="test", language="c"
        )
        return trace_in(*machine, program, limits)

    return traced


def record(run: Run) -> Trace:
    """Return the trace of a run as lists."""
    return trace_of(run.packed)


def told(run: Run, source: str, call: str = "") -> list[str]:
    """Return the lines that the terminal shows of a run, with single spaces."""
    return [" ".join(line.split()) for line in trace_lines(record(run), source, call=call or "script")]
