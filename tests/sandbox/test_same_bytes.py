"""A traced program gives the same bytes alone, in any place of any batch, and beside whatever neighbours."""

# ruff: noqa: E501 - a program a line
from __future__ import annotations

import random

import pytest

from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox import worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing.job import FUNCTION, samples
from deskcheck.tracing.packed import unpack
from deskcheck.tracing.program import encode_request, make_program

LIMITS = Limits(time_s=20.0)
PROGRAMS = [
    "import random\ndef f(n):\n    xs = [random.randint(0, 99) for _ in range(n)]\n    random.shuffle(xs)\n    return xs",
    "import random\ndef f(n):\n    random.seed(n)\n    return random.gauss(0, 1), random.random()",
    "def f(n):\n    return {str(i) for i in range(n)}, hash('a'), {hash(str(i)) % 7: i for i in range(n)}",
    "from decimal import Decimal, getcontext\ndef f(n):\n    getcontext().prec = n\n    return str(Decimal(1) / 3)",
    "from decimal import Decimal\ndef f(n):\n    return str(Decimal(1) / 3)",
    "def f(n, seen=[]):\n    seen.append(n)\n    return len(seen)",
    "class A:\n    count = 0\n    def __init__(self):\n        A.count += 1\ndef f(n):\n    return [A() for _ in range(n)], A.count",
    "from functools import lru_cache\n@lru_cache\ndef g(n):\n    return n if n < 2 else g(n - 1) + g(n - 2)\n"
    "def f(n):\n    return g(n), g.cache_info().hits",
    "import re\ndef f(n):\n    return re.findall('a+b?', 'aab' * n)",
    "from collections import Counter, OrderedDict\ndef f(n):\n    return Counter('abracadabra' * n).most_common(2)",
    "import heapq, itertools\ndef f(n):\n    h = [5, 1, 4]\n    heapq.heapify(h)\n    return list(itertools.accumulate(h))",
    "def f(n):\n    print('line', n)\n    print('no end', end='')\n    return n",
    "def f(n):\n    try:\n        return 1 // (n - n)\n    except ZeroDivisionError as error:\n        return str(error)",
    "def f(n):\n    return [0][n]",
    "def f(n):\n    def g(k):\n        return g(k + 1)\n    try:\n        g(0)\n    except RecursionError:\n        return 'deep'",
    "import sys\ndef f(n):\n    sys.setrecursionlimit(500)\n    return sys.getrecursionlimit()",
    "import builtins\ndef f(n):\n    builtins.sum = max\n    return sum([n, 1])",
    "import colorsys, math\ndef f(n):\n    math.pi = 3\n    return math.pi, colorsys.rgb_to_hsv(1, 0, 0)",
    "import math, collections\ncollections.Counter.most_common = None\ndef f(n):\n    return math.pi",
    "import types\ndef f(n):\n    types.SimpleNamespace = list\n    return types.SimpleNamespace([n])",
    "import types, re\ndef f(n):\n    return types.SimpleNamespace(a=n), getattr(re, 'escape')('a+b')",
    "import re\nword = re.compile('[a-z]+')\ndef f(n):\n    return word.findall('ab 1 c' * n)",
    "def f(n):\n    x = [n]\n    x.append(x)\n    return x",
    "def f(n):\n    a = 'ab' * n\n    return a is 'ab' * n, a, int('1' * 30) + n, 1.5 * n",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n):\n    return P(n), repr(P(n))",
    "import datetime\ndef f(n):\n    return datetime.date(2020, 1, n + 1).isoformat(), datetime.timedelta(n)",
    "def f(n):\n    gen = (i * i for i in range(n))\n    return next(gen), list(gen)",
]  # fmt: skip


def run_in(order: list[int], *, batch: int, workers: int = 1) -> tuple[dict[int, object], Report]:
    """What each program gave, by its number."""
    jobs = [
        Job(
            str(i),
            FUNCTION,
            encode_request(make_program(PROGRAMS[i] + "\n", "f", "3", origin="t"), LIMITS),
            LIMITS,
        )
        for i in order
    ]
    reports: list[Report] = []
    found: dict[int, object] = {}
    for result in run_jobs(jobs, workers=workers, batch=batch, report=reports.append):
        assert isinstance(result.result, JobDone), result
        found[int(result.id)] = (result.result.payload, result.output)
    return found, reports[0]


@pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
def test_what_a_zygote_rehearses_runs_and_leaves_no_trace_in_its_children():
    jobs = [Job(str(i), FUNCTION, payload, LIMITS) for i, payload in enumerate(dict.fromkeys(samples()))]
    reports: list[Report] = []
    results = list(run_jobs([*jobs, *jobs], workers=1, batch=64, report=reports.append))
    assert [type(r.result) for r in results] == [JobDone] * len(results)
    outcomes = [type(unpack(r.result.payload).head.outcome).__name__ for r in results]  # type: ignore[union-attr]
    assert outcomes == ["Returned", "Returned", "Returned", "Returned", "Returned", "Raised"] * 2
    assert (reports[0].trips, reports[0].n_rerun) == ({}, 0)


@pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
def test_a_program_gives_the_same_bytes_alone_and_in_any_company(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(worker, "BATCH_S", 1e9)  # however slow the machine is
    order = list(range(len(PROGRAMS)))
    alone, _ = run_in(order, batch=1)
    rng = random.Random(0)
    for batch, workers in ((32, 1), (32, 1), (7, 2)):
        rng.shuffle(order)
        found, report = run_in(order, batch=batch, workers=workers)
        different = [PROGRAMS[i] for i in range(len(PROGRAMS)) if found[i] != alone[i]]
        assert different == []
        assert report.n_children < len(PROGRAMS) + report.n_audited
        assert report.n_mismatched == report.n_unsteady == 0
