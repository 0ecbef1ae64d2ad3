"""The laws of test_native.py in a process that has one thread.

    python -m tests.tracing.alone      -> "272 programs, .. steps, all agree", exit code 0; an AssertionError
    python -m tests.tracing.alone deep -> "90000 levels, gone"; a crash
    python -m tests.tracing.alone flat -> "flat"; an AssertionError where a step costs what is alive

Under pytest there are threads of its plugins (pytest-rerunfailures, xdist's workers), and where there are
several the core compares every object at every event: what a line can change is then never asked, and the
law that both ways say the same would hold whatever touch.c said. For the same reason objects that lie one
in the other by the ten thousand take minutes there.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator

from tests.tracing.handed_programs import HELPER, WITH_HELPER
from tests.tracing.handed_programs import PROGRAMS as HANDED
from tests.tracing.test_native import CORPUS, DIFFERENT, FOLDER, all_agree, made, same, traced_native, written
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.programs.generated import FAMILIES
from deskcheck.records import Granularity, Limits, Program, Returned
from deskcheck.tracing.program import Bundle, make_program, prelude_of

_N_GENERATED = 50  # of each family


def programs() -> Iterator[Program]:
    """Every shape, every kind of frame, the watched and the fidelity programs, generated ones."""
    yield from (made(source) for source in CORPUS.values())
    yield from (
        make_program(source, entry, given, origin="test")
        for source, entry, given in (PROGRAMS | HANDED).values()
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


_UNKNOWN = """
import collections, sys
import helper
def f(n, rounds):
    alive = [[i] for i in range(n)]
    counts = collections.Counter()
    sys.intern("a")
    helper.note(1)
    for i in range(rounds):
        counts.update([i % 7])
        with collections.deque([i]) if i < 0 else open_nothing as x:
            setattr(counts, "last", getattr(counts, "name", i))
    return len(alive)
class Nothing:
    def __enter__(self): return self
    def __exit__(self, *what): return None
open_nothing = Nothing()
"""


def with_helper(source: str, arguments: str) -> Program:
    """Return a program of this source and of HELPER, which it can import."""
    prelude = prelude_of(Bundle(path="run.py", name="run", files={"helper.py": HELPER}))
    return make_program(source, "f", arguments, origin="test", prelude=prelude)


def flat() -> None:
    """A step that calls code the core does not know costs the same whatever else is alive."""

    def seconds(n: int, rounds: int) -> float:
        program = with_helper(_UNKNOWN, f"{n}, {rounds}")
        times = []
        for _ in range(3):
            start = time.thread_time()
            traced_native(program, Limits(max_steps=10**6))
            times.append(time.thread_time() - start)
        return min(times)

    few, many = (seconds(n, 1_500) - seconds(n, 500) for n in (10, 16_000))
    assert many < 10 * few, f"{few:.4f} s with 10 objects alive, {many:.4f} with 16,000"
    print("flat")


def main() -> None:
    """All of them. AssertionError where two tracers, or the two ways of the core, differ."""
    steps = []
    for program in programs():
        steps.append(all_agree(program).n_steps)
        for finer in (Granularity.EXPRESSION, Granularity.INSTRUCTION):
            quick, brute = (traced_native(program, granularity=finer, brute=way) for way in (False, True))
            same(quick, brute)
    for granularity in Granularity:
        program = with_helper(WITH_HELPER, "")
        quick, brute = (traced_native(program, granularity=granularity, brute=way) for way in (False, True))
        same(quick, brute)
        assert isinstance(quick.outcome, Returned), quick.outcome
    assert min(steps) > 0
    print(f"{len(steps)} programs, {sum(steps)} steps, all agree")


if __name__ == "__main__":
    assert threading.active_count() == 1, "with several threads this would prove nothing"
    {"deep": deep, "flat": flat}.get(" ".join(sys.argv[1:]), main)()
