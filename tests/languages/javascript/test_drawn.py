"""Programs drawn by seed run as without probes, and the usual way of finding changes misses none."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.languages.javascript.conftest import LIMITS, record, seen

from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.tracer import request_of
from deskcheck.languages.javascript.worker import Reply
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.tracing.replay import states

DRAW = Path(__file__).with_name("drawn_programs.js")
KNOWN = ["yield* is one suspension"]


def drawn(first: int, n: int) -> list[str]:
    """Draw programs in a process of their own: V8 starts threads, which the test runner need not have.

    It closes V8 itself: an isolate that the end of Python finds open waits for a thread that is gone.
    """
    code = (
        "import json, sys; from py_mini_racer import MiniRacer; v8 = MiniRacer();"
        "v8.eval(open(sys.argv[1], encoding='utf-8').read() + ';0');"
        "print(json.dumps([v8.eval(f'draw({i})') for i in range(int(sys.argv[2]), int(sys.argv[3]))]));"
        "v8.close()"
    )
    words = [sys.executable, "-c", code, str(DRAW), str(first), str(first + n)]
    return list(
        json.loads(subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout)
    )


def plain_output(engine: Engine, source: str) -> tuple[str, str]:
    """Return the end of a run without probes and what it printed."""
    program = make_program(source, SCRIPT, "", origin="test", language="javascript")
    reply = engine.run(replace(request_of(program, LIMITS), is_plain=True), time_s=10.0)
    assert isinstance(reply, Reply)
    report = json.loads(reply.report)
    return report["state"], "".join(text for _, _, text in report["output"])


def compared(source: str, engine: Engine, run: Callable[..., Any]) -> None:
    usual = run(source)
    state, output = plain_output(engine, source)
    assert (state, output) == ("returned", usual.output.decode()), source
    assert usual.packed.head.fidelity.notes in ([], KNOWN), source
    pairs = zip_longest(seen(usual), seen(run(source, full=True)))
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)  # lists take long
    assert first is None, source
    list(states(record(usual)))


def test_drawn_programs_run_as_without_probes(engine: Engine, run: Callable[..., Any]):
    for source in drawn(0, 25):
        compared(source, engine, run)


@pytest.mark.slow
def test_three_thousand_drawn_programs_run_as_without_probes(engine: Engine, run: Callable[..., Any]):
    for first in range(1000, 4000, 100):
        for source in drawn(first, 100):
            compared(source, engine, run)
