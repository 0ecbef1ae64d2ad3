"""The laws of test_native.py in a process that has one thread.

    python -m tests.tracing.alone      -> "272 programs, .. steps, all agree", exit code 0; an AssertionError
    python -m tests.tracing.alone deep -> "90000 levels, gone"; a crash

Under pytest there are threads of its plugins (pytest-rerunfailures, xdist's workers), and where there are
several the core compares every object at every event: what a line can change is then never asked, and the
law that both ways say the same would hold whatever touch.c said. For the same reason objects that lie one
in the other by the ten thousand take minutes there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

from tests.tracing.test_native import CORPUS, DIFFERENT, FOLDER, all_agree, made, same, traced_native, written
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.programs.generated import FAMILIES
from deskcheck.records import Granularity, Limits, Program, Returned
from deskcheck.tracing.program import make_program

_N_GENERATED = 50  # of each family


def programs() -> Iterator[Program]:
    """Every shape, every kind of frame, the watched and the fidelity programs, generated ones."""
    yield from (made(source) for source in CORPUS.values())
    yield from (
        make_program(source, entry, given, origin="test") for source, entry, given in PROGRAMS.values()
    )
    for path in sorted(FOLDER.glob("*.py")):
        if path.stem not in DIFFERENT:
            yield made(path.read_text())
    for family in sorted(FAMILIES):
        for seed in range(_N_GENERATED):
            source, entry, given = written(family, seed)
            yield make_program(source, entry, given, origin="test")


_DEEP = """
def f():
    a = []
    for i in range(60_000): a = [a]
    t = ()
    for i in range(30_000): t = (t,)
    a = t = None
    return 1
"""


def deep() -> None:
    """What lies so deep is let go without the C stack's end."""
    trace = traced_native(made(_DEEP), Limits(max_steps=10**6))
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert trace.n_steps > 90_000
    print("90000 levels, gone")


def main() -> None:
    """All of them. AssertionError where two tracers, or the two ways of the core, differ."""
    steps = []
    for program in programs():
        steps.append(all_agree(program).n_steps)
        for finer in (Granularity.EXPRESSION, Granularity.INSTRUCTION):
            quick, brute = (traced_native(program, granularity=finer, brute=way) for way in (False, True))
            same(quick, brute)
    assert min(steps) > 0
    print(f"{len(steps)} programs, {sum(steps)} steps, all agree")


if __name__ == "__main__":
    assert threading.active_count() == 1, "with several threads this would prove nothing"
    deep() if sys.argv[1:] == ["deep"] else main()
