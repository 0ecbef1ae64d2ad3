"""long: the pinned programs compute what their names say, in the number of steps that the docs state."""

from __future__ import annotations

import hashlib
import sys
from types import FrameType
from typing import Any

import pytest

from deskcheck.benchmarks import long
from deskcheck.errors import UserError


def run(source: str, n: int) -> tuple[object, int]:
    """Result and executed line events of f(n), counted here."""
    names: dict[str, Any] = {}
    exec(compile(source, "<program>", "exec"), names)
    steps = 0

    def watch(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal steps
        steps += event == "line"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        result = names["f"](n)
    finally:
        sys.settrace(before)
    return result, steps


def test_the_programs_are_pinned() -> None:
    digest = hashlib.sha256("\0".join([long.COLLATZ, long.COUNTER, long.FIBONACCI]).encode()).hexdigest()
    assert digest[:16] == "2ee5e1b667f6ebfe"


def test_collatz_of_3038_takes_619_steps() -> None:
    assert run(long.COLLATZ, 3038) == (154, 619)


def test_the_counter_counts_in_binary() -> None:
    for n in range(40):
        bits, _ = run(long.COUNTER, n)
        assert isinstance(bits, list)
        assert sum(bit << place for place, bit in enumerate(bits)) == n
    assert run(long.COUNTER, 1600)[1] == 14_395


def test_fibonacci_has_at_most_12_digits() -> None:
    assert [run(long.FIBONACCI, n)[0] for n in range(8)] == [0, 1, 1, 2, 3, 5, 8, 13]
    assert len(str(run(long.FIBONACCI, 58)[0])) == 12


def test_items_are_named_tagged_and_complete() -> None:
    items = {item.id: item for item in long.items("")}
    assert {f"{family}-{n}" for family in long.INPUTS for n in range(1, 21)} <= set(items)
    assert "collatz-3038" in items
    item = items["counter-7"]
    assert item.program.call == "f(7)"
    assert item.tags == {"family": "counter", "program": "seen", "n": "7"}
    assert item.cluster == "counter"
    assert item.recorded == ""


def test_it_reads_no_file() -> None:
    with pytest.raises(UserError, match="ships"):
        list(long.items("some.jsonl"))
