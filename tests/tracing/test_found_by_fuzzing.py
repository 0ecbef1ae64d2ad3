"""What fuzzing found once: both tracers and all granularities agree on it, each trace passes its check."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.tracing import fuzz

from deskcheck.tracing import access
from deskcheck.tracing.program import make_program

FOUND = {
    "a name in an index that a call in the same line assigns": """
def f():
    k, keep, row, other = 0, [[0], [0]], [1, 2], [3]
    def g():
        nonlocal k
        k = 1
        return 0
    keep[k][g()] = 5
    k = 0
    keep[k].append(g())
    k = 0
    keep[
        k][(k := 1, 0)[1]] = 6
    row[k
        - (k := 1) * 0] = 7
    return keep, row
""",
    "the last item of a reversed list": """
def f():
    r = reversed([1, 2, 3])
    next(r)
    for x in r:
        y = x
    return [z for z in reversed([y])]
""",
    "an order that move_to_end() changed": """
from collections import OrderedDict
class Recent(OrderedDict):
    def get(self, key):
        self.move_to_end(key)
        return self[key]
def f():
    o = OrderedDict(a=1, b=2, c=3)
    o.move_to_end('a')
    o['b'] = 5
    o.move_to_end('c', last=False)
    del o['b']
    o[(1, 'd')] = 4
    o.move_to_end('a')
    o.popitem(last=False)
    o.pop('a')
    r = Recent((i, i) for i in range(6))
    r.get(2)
    r[9] = 1
    del r[3]
    r.clear()
    r[1] = 1
    return list(o)
""",
    "a frame's f_locals writes to what locals() gave": """
def f():
    x = 1
    d = locals()
    import sys
    sys._getframe().f_locals
    y = 2
    return 'y' in d
""",
    "texts with addresses, equal by chance": """
class Node:
    def __init__(self, rest):
        self.rest = repr(rest)
def f():
    head = None
    for i in range(4):
        head = Node(head)
    return len(head.rest) > 3
""",
    "an iterator of a set that changed before anybody saw it": """
def g(x): return x
def f():
    s = {1, 2, 3}
    for x in s: s.discard(x); g(x); break
    it = iter(s); s.add(9)
    n = 1
    s.discard(9)
    xs = sorted(it)
    pair = zip(s, s); s.add(11)
    n = 2
    return xs, len(s)
""",
    "an exception thrown into what has not begun": """
def numbers():
    yield 1
def outer():
    try:
        yield from numbers()
    finally:
        yield 5
async def work():
    return 1
def f():
    n = 0
    for made in (numbers, outer, work):
        one = made()
        try:
            one.throw(KeyError)
        except KeyError:
            n += 1
        two = made()
        two.close()
    return n
""",
}


@pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
@pytest.mark.parametrize("name", FOUND)
def test_nothing_is_wrong_with_it(name: str):
    assert list(fuzz.examine(make_program(FOUND[name].lstrip(), "f", "", origin="found"))) == []


FREED = """
import os, threading
def fail():
    raise ValueError
def f():
    nothing = open(os.devnull)
    nothing = None
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    return 1
"""
RUN = """
from tests.tracing.telling import traced
print(traced(%r, tracer="native").outcome)
"""


@pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
def test_memory_that_was_freed_is_not_read():
    """With these settings freed memory is filled, so that no address in it is one."""
    settings = os.environ | {"PYTHONMALLOC": "debug", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", RUN % FREED], env=settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert done.stdout.startswith("Returned")
