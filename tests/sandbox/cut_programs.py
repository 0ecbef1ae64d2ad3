"""Programs that meet a budget inside each kind of block, and witnesses that show what such a stop leaves behind.

CUT["finally"]     source of an endless program: `f(3)` prints, records, allocates and counts in that block
WITNESSES          sources of programs that raise and keep what they raised: a foreign `__context__` is seen in their trace
MARKS              bodies of functions for `deskcheck.trace`, that end without a budget
"""

# ruff: noqa: E501 - a program a line
from __future__ import annotations

from deskcheck.records import Limits

_HEAD = """
import threading, contextlib
class M:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return False
def work(n, xs):
    while True:
        n += 1
        xs.append(str(n) * 50)
        {grow}
"""
_BLOCKS = {
    "plain": "def f(n):\n    work(n, [])\n",
    "with": "def f(n):\n    with M():\n        work(n, [])\n",
    "with at once": "def f(n):\n    i, xs = n, []\n    with M():\n        while True:\n            i += 1\n            xs.append(str(i) * 50)\n            {grow}\n",
    "finally": "def f(n):\n    try:\n        raise KeyError([4242])\n    finally:\n        work(n, [])\n",
    "finally at once": "def f(n):\n    i, xs = n, []\n    try:\n        raise KeyError([4242])\n    finally:\n        while True:\n"
    "            i += 1\n            xs.append(str(i) * 50)\n            {grow}\n",
    "except": "def f(n):\n    try:\n        raise KeyError([4242])\n    except KeyError:\n        work(n, [])\n",
    "except as": "def f(n):\n    try:\n        raise KeyError([4242])\n    except KeyError as e:\n        with M():\n            work(n, [e])\n",
    "generator": "def g(n, xs):\n    with M():\n        while True:\n            n += 1\n            xs.append(str(n) * 50)\n            {grow}\n            yield n\n"
    "def f(n):\n    with M():\n        for i in g(n, []):\n            n += i\n",
    "contextmanager": "@contextlib.contextmanager\ndef m():\n    try:\n        yield 1\n    finally:\n        work(3, [])\ndef f(n):\n    with m():\n        raise KeyError([4242])\n",
    "nested": "def f(n):\n    try:\n        with M(), M():\n            try:\n                raise KeyError([4242])\n            except KeyError:\n                try:\n"
    "                    raise ValueError(n)\n                finally:\n                    with M():\n                        work(n, [])\n    finally:\n        n += 1\n",
    "swallowed": "def f(n):\n    while True:\n        try:\n            with M():\n                work(n, [])\n        except BaseException as e:\n            n += 1\n",
    "thread": "def t():\n    with M():\n        work(3, [])\ndef f(n):\n    threading.excepthook = lambda a: None\n    with M():\n        ts = [threading.Thread(target=t) for _ in range(3)]\n"
    "        for x in ts:\n            x.start()\n        for x in ts:\n            x.join()\n        work(n, [])\n",
}  # fmt: skip
_GROW = {"memory": "xs.append(bytes(1 << 22))", "output": "print('x' * 200)"}

LIMITS = {
    "steps": Limits(max_steps=60, time_s=20.0),
    "steps, one more": Limits(max_steps=61, time_s=20.0),
    "steps, two more": Limits(max_steps=62, time_s=20.0),
    "trace": Limits(trace_bytes=1 << 13, time_s=20.0),
    "memory": Limits(memory_bytes=96 << 20, time_s=20.0),
    "output": Limits(output_bytes=1 << 12, time_s=20.0),
    "time": Limits(max_steps=1 << 40, time_s=0.3),
}
"""Limits by the budget that ends the program."""


def cut_program(block: str, budget: str) -> str:
    """Source of a program that meets that budget in that block; its entry is `f`."""
    source = _HEAD + _BLOCKS[block]
    return source.replace("{grow}", _GROW.get(budget, "xs[0] = n"))


BLOCKS = tuple(_BLOCKS)
WITNESSES = (
    "def f(n):\n    try:\n        raise ValueError(n)\n    except ValueError as e:\n        n += 1\n    return n\n",
    "def g(n):\n    try:\n        yield [][n]\n    except IndexError as e:\n        kept = e\n        yield kept\ndef f(n):\n    return list(g(n))\n",
    "class M:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *a):\n        self.seen = a[1].__context__\n        return True\n"
    "def f(n):\n    m = M()\n    with m:\n        raise KeyError(n)\n    return m.seen\n",
)
