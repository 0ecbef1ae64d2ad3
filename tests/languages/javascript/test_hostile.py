"""Programs that attack their recorder, their engine or the next program: each has its outcome.

The first line of a file in hostile/ names the outcomes that it may have. After each of them one small program
is traced in the same process, and its trace has the same bytes as before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.languages.javascript.conftest import LIMITS, record

from deskcheck.format.buffers import Packed
from deskcheck.languages.javascript.tracer import Run
from deskcheck.records import MemoryLimit, OutputLimit, TimeLimit
from deskcheck.tracing.replay import states

PROGRAMS = sorted(Path(__file__).with_name("hostile").glob("*.js"))
INNOCENT = "function f(n) {\n  const a = [n, {k: 1}];\n  a.push(new Map([[1, 2]]));\n  return a;\n}\nf(3);"
QUICK = replace(LIMITS, time_s=1.0)


@pytest.fixture(scope="module")
def before() -> list[Packed]:
    return []


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_hostile_program_has_its_outcome_and_changes_nothing(
    path: Path, run: Callable[..., Run], before: list[Packed]
):
    if not before:
        before.append(run(INNOCENT).packed)
    source = path.read_text(encoding="utf-8")
    found = run(source, limits=QUICK)
    outcome = type(found.packed.outcome).__struct_config__.tag
    allowed = source.partition("\n")[0].removeprefix("// outcome: ").split(" or ")
    assert outcome in allowed, found.packed.outcome
    if found.packed.n_events:
        list(states(record(found)))
    assert run(INNOCENT).packed.same(before[0])


def test_memory_that_v8_refuses_is_an_outcome(run: Callable[..., Run]):
    source = "const keep = [];\nfor (;;) keep.push(new Array(100000).fill(0.5));"
    is_late = sys.version_info >= (3, 13)  # there the process waits, and the limit of time ends it
    found = run(source, limits=replace(LIMITS, max_steps=10**9, time_s=10.0 if is_late else 120.0))
    assert isinstance(
        found.packed.outcome, MemoryLimit | OutputLimit | (TimeLimit if is_late else MemoryLimit)
    )
