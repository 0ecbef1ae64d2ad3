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
from deskcheck.records import OutputLimit, Raised, StepLimit, TimeLimit
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.tracing.replay import states

DRAW = Path(__file__).with_name("drawn_programs.js")
LARGE = replace(LIMITS, max_steps=400_000, time_s=60.0)
TOO_DEEP = "Maximum call stack size exceeded"
FEW = replace(LIMITS, max_steps=400)
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


def compared(source: str, engine: Engine, run: Callable[..., Any]) -> bool:
    """Compare a run with probes and one without; return whether a limit of the tracer ended the first.

    Then what it printed until there must be the beginning of what the plain run prints.
    """
    limits, usual = LIMITS, run(source)
    if isinstance(usual.packed.head.outcome, StepLimit | OutputLimit):
        limits, usual = LARGE, run(source, limits=LARGE)
    limited = isinstance(usual.packed.head.outcome, StepLimit | OutputLimit)
    state, output = plain_output(engine, source)
    printed = usual.output.decode()
    if TOO_DEEP in printed:  # 9,000 calls: where V8's own stack ends depends on its size
        limited, printed = True, printed[: printed.rfind("\n", 0, printed.index(TOO_DEEP)) + 1]
    if limited:
        assert state in ("returned", "raised") and output.startswith(printed), source
        return True
    ended = "raised" if isinstance(usual.packed.head.outcome, Raised) else "returned"
    assert (state, output) == (ended, printed), source
    assert usual.packed.head.fidelity.notes in ([], KNOWN), source
    everything = run(source, limits=limits, full=True)
    if isinstance(everything.packed.head.outcome, TimeLimit):  # thousands of objects at every step
        usual, everything = run(source, limits=FEW), run(source, limits=FEW, full=True)
    pairs = zip_longest(seen(usual), seen(everything))
    first = next((pair for pair in pairs if pair[0] != pair[1]), None)  # lists take long
    assert first is None, source
    list(states(record(usual)))
    return False


def test_drawn_programs_run_as_without_probes(engine: Engine, run: Callable[..., Any]):
    assert not any(compared(source, engine, run) for source in drawn(0, 25))


def test_a_program_that_a_limit_ends_is_compared_up_to_there(engine: Engine, run: Callable[..., Any]):
    source = "for (let i = 0; i < 2500; i++) { for (let k = 0; k < 100; k++) i = i; console.log(i); }"
    assert compared(source, engine, run)
    assert not compared("for (let i = 0; i < 25000; i++) { i = i; } console.log(1);", engine, run)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(1000, 4000, 250))
def test_three_thousand_drawn_programs_run_as_without_probes(
    engine: Engine, run: Callable[..., Any], first: int
):
    n_limited = sum(compared(source, engine, run) for source in drawn(first, 250))
    print(f"{first}: {n_limited} of 250 ended by a limit of the tracer, equal up to there")
    assert n_limited <= 3
