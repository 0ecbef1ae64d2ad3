"""A traced program sees the collector's setting that is its own, while nothing is collected by itself."""

from __future__ import annotations

import gc
from ast import literal_eval
from collections.abc import Iterator

import pytest

from deskcheck.records import Limits
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(
    not has_native(), reason="without the C extension a program sees that it is off"
)
SETTINGS = """
import gc
from ast import literal_eval
from gc import isenabled, disable, enable
at_import = gc.isenabled()
def f(n):
    seen = [at_import, isenabled()]
    disable()
    seen.append(gc.isenabled())
    enable()
    seen.append(gc.isenabled())
    return seen
def off(n):
    gc.disable()
    return gc.isenabled()
def counts(n):
    kept = [[i] for i in range(5000)]
    return [a <= b for a, b in zip(gc.get_count()[:2], gc.get_threshold())]
class Node:
    pass
def young(n):
    class Found:
        def __init__(self):
            self.items = {n: [n]}
    gc.collect()
    count = gc.get_count()[0]
    found = Found()
    shown = [type(iter(pair)) for pair in zip(found.items, "a")]
    return count, gc.get_count()[0] - count
def cycles(n):
    import weakref
    gone, refs = [], []
    for i in range(3000):
        a = Node()
        a.me = a
        refs.append(weakref.ref(a, gone.append))
    before = len(gone)
    a = None
    gc.collect()
    return before, len(gone)
"""


@pytest.fixture(params=[True, False], ids=["enabled", "disabled"])
def setting(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = gc.isenabled()
    (gc.enable if request.param else gc.disable)()
    yield request.param
    (gc.enable if before else gc.disable)()


def answer(entry: str, *, tracer: str = "native") -> str:
    return outcome_text(
        trace_program(make_program(SETTINGS, entry, "3", origin="t"), Limits(), tracer=tracer)
    )


@pytest.mark.parametrize("tracer", ["native", "reference"])
def test_a_program_sees_and_sets_its_own_setting(setting: bool, tracer: str) -> None:
    assert answer("f", tracer=tracer) == f"[{setting}, {setting}, False, True]"
    assert gc.isenabled() is True  # as an untraced run leaves it
    assert answer("off", tracer=tracer) == "False"
    assert gc.isenabled() is False


def test_what_no_program_has_set_is_as_before(setting: bool) -> None:
    assert answer("counts") == "[True, True]" or not setting
    assert gc.isenabled() is setting


def test_nothing_is_collected_but_when_the_program_asks() -> None:
    assert answer("cycles") == "(0, 3000)"


def test_in_the_sandbox_the_collector_seems_on_as_in_a_fresh_interpreter() -> None:
    programs = [
        make_program(SETTINGS, entry, "3", origin="t") for entry in ("off", "f", "counts", "off", "f")
    ]
    answers = [outcome_text(trace) for _, trace in trace_programs(programs, Limits(), workers=1)]
    fresh = "[True, True, False, True]"
    assert answers == ["False", fresh, "[True, True]", "False", fresh]


def test_what_the_tracer_makes_is_not_counted() -> None:
    space: dict[str, object] = {}
    exec(SETTINGS, space)
    # Right after a collection others' finalizers count too: the last of a few runs has them behind it.
    untraced = [space["young"](3) for _ in range(5)]  # type: ignore[operator]  # a function of SETTINGS
    traced = [literal_eval(answer("young")) for _ in range(5)]
    counts, alone = traced[-1], untraced[-1]
    assert counts[0] < alone[0] + 60 and abs(counts[1] - alone[1]) < 8, (traced, untraced)
