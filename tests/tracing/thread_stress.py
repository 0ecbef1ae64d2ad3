"""Programs with threads under small budgets, at every granularity: a tracer's crash ends this process.

    python -m tests.tracing.thread_stress 30 [--sandbox]     -> {"StepLimit": 25, ..}; outcomes of 30 runs

Run n takes a program, a budget and a granularity in turn, and a size of the budget that is its own.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator

from deskcheck.records import Granularity, Job, JobDone, Limits, Program
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.program import encode_request, make_program
from deskcheck.tracing.run import packed_program

_START = """
import threading
threading.excepthook = lambda details: None
def together(work, n):
    threads = [threading.Thread(target=work, args=(k,)) for k in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
PROGRAMS = {
    "objects in a set": """
class F:
    def __init__(self, n):
        self.n = n
def f(n):
    seen = set()
    def work(k):
        for i in range(60):
            seen.add(F(i))
    together(work, n)
    return len(seen)
""",
    "generators and closures": """
def f(n):
    total = 0
    def steps(k):
        nonlocal total
        for i in range(60):
            total += i
            yield [i, total]
    def work(k):
        kept = [row for row in steps(k) if row[0] % 2]
        return kept
    together(work, n)
    return total
""",
    "one list and its slices": """
import time
def f(n):
    xs = []
    def work(k):
        for i in range(40):
            xs.append([k, i])
            if i % 10 == 0:
                time.sleep(0)
                xs[:] = xs[-5:]
    together(work, n)
    return xs
""",
    "threads that start threads": """
def f(n):
    names = {}
    def leaf(k):
        for i in range(20):
            names[k, i] = str(i) * 3
    def work(k):
        together(leaf, 3)
        names[k] = len(names)
    together(work, n // 2)
    return names
""",
    "a pool, and exceptions": """
from concurrent.futures import ThreadPoolExecutor
import enum
class Color(enum.Enum):
    RED = 1
    BLUE = 2
def work(k):
    for i in range(20):
        try:
            [Color.RED, Color.BLUE][i % 3].value
        except IndexError as error:
            kept = error
    return k
def f(n):
    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(work, range(n)))
""",
    "threads that go on after the call": """
def work(k):
    for i in range(300):
        kind = type("T%d" % i, (), {"n": i})
        kept = kind()
def f(n):
    for k in range(n):
        threading.Thread(target=work, args=(k,)).start()
    return n
""",
}  # fmt: skip
_NAMES = list(PROGRAMS)


def runs(n: int) -> Iterator[tuple[Program, Limits, Granularity]]:
    """The first n runs."""
    for i in range(n):
        source = _START + PROGRAMS[_NAMES[i % len(_NAMES)]]
        size = i // (2 * len(_NAMES))
        by_steps = i // len(_NAMES) % 2 == 0
        limits = (
            Limits(max_steps=30 + 37 * size % 900, time_s=60.0)
            if by_steps
            else Limits(trace_bytes=2000 + 1733 * size % 60_000, time_s=60.0)
        )
        yield make_program(source, "f", "8", origin="t"), limits, Granularity(i // 10 % 3)


def in_process(n: int) -> Iterator[str]:
    """Names of the outcomes of n runs here."""
    threading.excepthook = lambda _: None
    for program, limits, granularity in runs(n):
        yield type(packed_program(program, limits, granularity=granularity).head.outcome).__name__


def in_sandbox(n: int) -> Iterator[str]:
    """The same in the sandbox."""
    asked = list(runs(n))
    jobs = [
        Job(str(i), FUNCTION, encode_request(program, limits, granularity=granularity), limits)
        for i, (program, limits, granularity) in enumerate(asked)
    ]
    for result in run_jobs(jobs, workers=1, batch=16):
        program, limits, _ = asked[int(result.id)]
        if isinstance(result.result, JobDone):
            yield type(read_result(result, program, limits).outcome).__name__
        else:
            yield type(result.result).__name__


if __name__ == "__main__":
    outcomes = Counter((in_sandbox if "--sandbox" in sys.argv else in_process)(int(sys.argv[1])))
    print(dict(sorted(outcomes.items())))
