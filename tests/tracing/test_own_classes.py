"""Which classes are a program's own is asked anew in each trace, whatever was traced before."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from typing import Any

import pytest

import deskcheck
from deskcheck.records import Granularity, Limits
from deskcheck.tracing import access
from deskcheck.tracing.here import run_here
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

PROGRAM = make_program(
    "class Box:\n    size = 3\n\ndef f(n):\n    Box.size += n\n    return Box.size\n", "f", "5", origin="test"
)


class Mine:
    size = 3


def own(n: int) -> int:
    Mine.size += n
    return Mine.size


@pytest.mark.skipif(not access.has_native(), reason="compares the C extension with the reference")
def test_a_class_has_its_own_name_and_attributes_after_a_trace_of_another_module() -> None:
    """All traces of a process once shared the shape of `type`, which knew the first one's module alone."""
    for _ in range(2):
        names = run_here(own, (5,), {}, limits=Limits(), granularity=Granularity.LINE)[1].names
        assert "Mine" in names and f"{__name__}.Mine" not in names
        there = trace_program(PROGRAM, Limits())
        other = trace_program(PROGRAM, Limits(), tracer="reference")
        for part in ("names", "events", "changes", "values", "objects"):
            assert getattr(there, part) == getattr(other, part)
        assert "Box" in there.names and "__program__.Box" not in there.names


def objects(np: Any) -> Any:
    held = np.array([Mine(), None], dtype=object)
    held[1] = 3
    return held


@pytest.mark.skipif(not access.has_native(), reason="compares the C extension with the reference")
def test_an_item_of_an_array_is_named_as_its_class_is_there() -> None:
    """All traces of a process once shared one summary of arrays, which knew the first one's module."""
    np = pytest.importorskip("numpy", reason="arrays")
    trace_program(make_program(f"import numpy as np\n{ARRAY}", "f", "", origin="test"), Limits())
    steps = deskcheck.trace(objects, np).steps
    assert (
        repr(next(step.locals["held"] for step in steps if "held" in step.locals))
        == "<numpy.ndarray object (2,): <Mine>, None>"
    )


ARRAY = "def f():\n    xs = np.zeros(3)\n    xs[1] = 2\n    return xs\n"


def moves() -> list[list[tuple[str, int]]]:
    table, orders = OrderedDict(a=1, b=2, c=3), []
    orders.append(list(table.items()))
    table.move_to_end("a")
    orders.append(list(table.items()))
    table["b"] = 5
    orders.append(list(table.items()))
    table.move_to_end("c", last=False)
    orders.append(list(table.items()))
    del table["b"]
    orders.append(list(table.items()))
    table["d"] = 4
    table.move_to_end("a")
    orders.append(list(table.items()))
    table.popitem(last=False)
    orders.append(list(table.items()))
    return orders


def test_an_ordered_dictionary_is_recorded_in_its_own_order() -> None:
    run = deskcheck.trace(moves)
    states = [step.locals for step in run.steps if "orders" in step.locals]
    compared = [
        list(state["table"].items()) == state["orders"][-1]
        for before, state in itertools.pairwise(states)
        if len(state["orders"]) > len(before["orders"])
    ]
    assert compared == [True] * 7
    assert moves()[-1] == [("d", 4), ("a", 1)]
