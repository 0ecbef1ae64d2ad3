"""A program that a budget stops prints nothing of that stop, in generators, finalizers, threads and tasks."""

from __future__ import annotations

import pytest

from deskcheck.records import Job, Limits, StepLimit
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import read_packed
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.program import encode_request, make_program

pytestmark = pytest.mark.skipif(not has_native(), reason="needs the C extension")
LIMITS = Limits(max_steps=60, time_s=5.0)
FOREVER = "    i = 0\n    while True:\n        i += 1\n"
SUSPENDED = (
    "def g():\n    try:\n        yield 1\n    finally:\n        x = 1\ndef f():\n    a = g()\n    next(a)\n"
)
LOUD = {
    "generator": SUSPENDED + FOREVER,
    "own hook": "import sys\nsys.unraisablehook = lambda what: print('hook')\n" + SUSPENDED + FOREVER,
    "finalizer": "class A:\n    def __del__(self):\n        x = 1\ndef f():\n    a = A()\n" + FOREVER,
    "callback": "import weakref\nclass A: pass\ndef g(r):\n" + FOREVER
    + "def f():\n    a = A()\n    r = weakref.ref(a, g)\n    del a\n",
    "thread": "import threading\ndef g():\n" + FOREVER
    + "def f():\n    t = threading.Thread(target=g)\n    t.start()\n    t.join()\n",
    "task": "import asyncio\nasync def g():\n    while True:\n        await asyncio.sleep(0)\n"
    "async def f():\n    t, u = asyncio.create_task(g()), asyncio.create_task(g())\n    await t\n",
}  # fmt: skip
PRINTS = "import sys\nprint('before', flush=True)\nprint('held')\nsys.stderr.write('error\\n')\n"


@pytest.mark.parametrize("batch", [1, 8])
def test_nothing_is_printed_of_a_stop_and_all_that_the_program_printed_before(batch: int):
    programs = [
        make_program(PRINTS * p + text, "f", "", origin="test") for text in LOUD.values() for p in (0, 1)
    ]
    programs.append(make_program("def f():\n    print('mine')\n", "f", "", origin="test"))
    jobs = [Job(str(i), FUNCTION, encode_request(p, LIMITS), LIMITS) for i, p in enumerate(programs)]
    *stopped, last = run_jobs(jobs, workers=1, batch=batch)
    for program, result in zip(programs, stopped, strict=False):
        assert read_packed(result, program, LIMITS).head.outcome == StepLimit(60)
        assert result.output == (b"before\nerror\nheld\n" if program.source.startswith(PRINTS) else b"")
    assert last.output == b"mine\n"


def test_what_an_honest_program_says_of_its_own_exceptions_stays():
    text = "class A:\n    def __del__(self):\n        raise ValueError(1)\ndef f():\n    a = A()\n    del a\n"
    program = make_program(text, "f", "", origin="test")
    (result,) = run_jobs([Job("0", FUNCTION, encode_request(program, LIMITS), LIMITS)], workers=1)
    assert result.output.startswith(b"Exception ignored ") and result.output.endswith(b"ValueError: 1\n")
