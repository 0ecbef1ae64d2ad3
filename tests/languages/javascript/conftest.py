"""One process with V8 for all tests of a module, and short ways to trace a program in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")

from tests.languages.javascript.inspector import needs_node

from deskcheck.format.buffers import trace_of
from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.tracer import Run, trace_in
from deskcheck.records import Limits, Trace
from deskcheck.sandbox import containment
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.viewer.terminal import trace_lines

LIMITS = Limits(max_steps=20_000, memory_bytes=256 << 20)


@pytest.fixture(autouse=True)
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide node from every test that does not say that it needs it, also where node is installed."""
    if needs_node.mark not in request.node.iter_markers("skipif"):
        monkeypatch.setenv("PATH", "")


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(level=containment.find().level, limits=LIMITS) as started:
        yield started


@pytest.fixture
def run(engine: Engine) -> Callable[..., Run]:
    """Trace a source: as a script, or as a call after it has run."""

    def traced(
        source: str,
        call: str = "",
        *,
        limits: Limits = LIMITS,
        full: bool = False,
        ts: bool = False,
        fine: bool = False,
    ) -> Run:
        entry, _, arguments = call.partition("(")
        program = make_program(
            source,
            entry or SCRIPT,
            arguments[:-1] if call else "",
            origin="test",
            language="typescript" if ts else "javascript",
        )
        return trace_in(engine, program, limits, full=full, fine=fine)

    return traced


def record(run: Run) -> Trace:
    """Return the trace of a run as lists."""
    return trace_of(run.packed)


def seen(run: Run) -> list[tuple[object, ...]]:
    """Return every event with its changes, in no order inside of an event, with values instead of handles."""
    trace = record(run)
    values, changes, events = trace.values, trace.changes, trace.events
    texts = list(zip(values.kind, values.number, map(repr, values.real), values.data, strict=True))
    texts.append((-1, 0, "", b""))  # the handle -1
    rows = list(
        zip(changes.place, changes.owner, changes.key, changes.index, changes.op, changes.value, strict=True)
    )
    told: list[tuple[object, ...]] = []
    begin = 0
    for kind, frame, line, value, end in zip(
        events.kind, events.frame, events.line, events.value, events.changes_end, strict=True
    ):
        made = sorted((p, o, texts[key], at, op, texts[new]) for p, o, key, at, op, new in rows[begin:end])
        told.append((kind, frame, line, texts[value], made))
        begin = end
    return told


def told(run: Run, source: str, call: str = "") -> list[str]:
    """Return the lines that the terminal shows of a run, with single spaces."""
    return [" ".join(line.split()) for line in trace_lines(record(run), source, call=call or "script")]
