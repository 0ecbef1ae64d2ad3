"""Every variable at every step is what V8's inspector reads from the program that node has stopped there."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.languages.javascript.conftest import record
from tests.languages.javascript.inspector import NODE, differences, stepped
from tests.languages.javascript.test_drawn import drawn

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node on the PATH: it is the oracle")
SEED = 49


def alike(source: str) -> str:
    """Leave out of a drawn program what node does by the clock, or this tracer does not see."""
    source = source.replace("yield* L(v)", "yield L(v)").replace(".sort((x, y)", ".map((x, y)")
    return re.sub(r"}, \d\);", "}, 1);", source)


def compared(sources: Sequence[str], run: Callable[..., Any]) -> int:
    """Compare every program; return how many values were compared."""
    n_values = 0
    for source, seen in zip(sources, stepped(sources), strict=True):
        result = differences(record(run(source)), seen)
        assert result.differences == [], source
        n_values += result.values
    return n_values


def sampled(path: Path, n: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        codes = [json.loads(line)["code"] for line in file]
    return random.Random(SEED).sample(codes, n)


def test_the_comparison_sees_a_wrong_value(run: Callable[..., Any]):
    (seen,) = stepped(["let x = 1;\nx += 1;\nx += 2;\n"])
    assert differences(record(run("let x = 1;\nx += 1;\nx += 2;\n")), seen).differences == []
    (wrong,) = differences(record(run("let x = 1;\nx += 5;\nx += 2;\n")), seen).differences
    assert wrong == "line 3, step 3: x is '6', node: 2"


def test_drawn_programs_step_as_in_node(run: Callable[..., Any]):
    assert compared([alike(source) for source in drawn(0, 6)], run) > 3_000


@pytest.mark.slow
def test_a_hundred_drawn_programs_step_as_in_node(run: Callable[..., Any]):
    assert compared([alike(source) for source in drawn(0, 100)], run) > 150_000


@pytest.mark.slow
def test_two_hundred_programs_step_as_in_node(data: Any, run: Callable[..., Any]):
    assert compared(sampled(data("cruxeval-x/js.jsonl.gz"), 200), run) > 15_000
