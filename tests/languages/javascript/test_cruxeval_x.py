"""Programs of CRUXEval-X in JavaScript and TypeScript: their own tests pass in the traced run."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.languages.javascript.conftest import record

from deskcheck.records import Returned
from deskcheck.tracing.replay import states

LANGUAGES = [("js", False), ("ts", True)]


def checked(path: Path, run: Callable[..., Any], *, ts: bool, every: int) -> int:
    """Trace every n-th program twice, compare both ways of finding changes, replay; return how many ran."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    for row in rows[::every]:
        usual, everything = run(row["code"], ts=ts), run(row["code"], ts=ts, full=True)
        assert isinstance(usual.packed.outcome, Returned), (row["id"], usual.packed.outcome)
        assert not usual.packed.head.fidelity.notes, row["id"]
        assert usual.packed.same(everything.packed), row["id"]
        n_states = sum(1 for _ in states(record(usual)))
        assert n_states == usual.packed.n_events > usual.packed.n_steps > 0
    return len(rows[::every])


@pytest.mark.parametrize(("name", "ts"), LANGUAGES)
def test_a_sample_of_the_programs(name: str, ts: bool, data: Any, run: Callable[..., Any]):
    assert checked(data(f"cruxeval-x/{name}.jsonl.gz"), run, ts=ts, every=40) >= 19


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ts"), LANGUAGES)
def test_all_of_the_programs(name: str, ts: bool, data: Any, run: Callable[..., Any]):
    assert checked(data(f"cruxeval-x/{name}.jsonl.gz"), run, ts=ts, every=1) == {"js": 743, "ts": 726}[name]
