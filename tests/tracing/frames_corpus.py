"""Programs that touch every kind of frame and way through a line that the native core knows.

FRAMES: name -> source; each is called as f(). Those of objects: `shapes_corpus.py`.
"""

from __future__ import annotations

FRAMES = {
    "closures": """
def outer():
    n = 0
    log = []
    def inc(by=[]):
        nonlocal n
        n += 1
        log.append(n)
        by.append(n)
        return n
    def get():
        return n, log
    inc(); inc()
    n = 10
    return inc, get
def f():
    inc, get = outer()
    inc()
    fs = [lambda: i for i in range(3)]
    gs = [lambda i=i: i for i in range(3)]
    inc.tag = [1]
    inc.__defaults__ = ([0],)
    inc()
    return get()[0], [g() for g in fs + gs]
""",
    "generators": """
def g(n):
    got = []
    for i in range(n):
        x = yield i
        got.append(x)
    return got
def h(n):
    r = yield from g(n)
    yield r
def f():
    it = h(3)
    a = [next(it), it.send('s'), it.send([1])]
    b = list(it)
    e = (x * x for x in range(4))
    next(e)
    c = sum(e)
    dead = g(5); next(dead); del dead
    new = g(2)
    t = g(9); next(t)
    try:
        t.throw(KeyError('k'))
    except KeyError as error:
        c += 1
    w = g(4); next(w); w.close()
    pair = [g(2), g(2)]
    for one in pair:
        next(one)
    return a, b, c, new is None
""",
    "exceptions": """
class E(Exception):
    def __init__(self, code, *more):
        super().__init__(code, *more)
        self.code = [code]
def boom(x):
    try:
        return {}[x]
    except KeyError as error:
        raise E(x) from error
def f():
    found = []
    for x in ['a', 'b']:
        try:
            boom(x)
        except E as error:
            error.code.append(1)
            error.extra = found
            found.append(error)
            kept = error
    try:
        try:
            1 / 0
        finally:
            found.append('finally')
    except ZeroDivisionError:
        pass
    try:
        raise ExceptionGroup('g', [ValueError(1), TypeError(2)])
    except* ValueError as eg:
        found.append(len(eg.exceptions))
    except* TypeError:
        pass
    return len(found), kept.args
""",
    "one line": """
class N:
    def __init__(self, v, next=None):
        self.v = v; self.next = next
def f():
    a, d = [1, 2, 3], {}; a[0] = 5; a.append(6); d['a'] = a; d['a'].append(7)
    head = None
    for i in range(4): head = N(i, head)
    prev, cur = None, head
    while cur: prev, cur.next, cur = cur, prev, cur.next
    i = 0; i, a[i] = 2, 9
    a = b = [0]; a[0] = b; a = []; a.append(1)
    x = a if i > 5 else b; x.append(1); x = x.pop()
    (a if i else b).append(2)
    y = [a, b]; y[0], y[1] = y[1], y[0]; y[0].append(3)
    k = {}; k['x'] = []; k['x'].append(1); k['x'] = k['x'] + [2]
    s = 'x' * 40; s += 'y'; s = s + 'z'; s = s.strip('z'); s += s
    m = [[0] * 2 for _ in range(2)]
    m[0][1], m[1][0] = m[1][0] + 1, m[0][1] + 2
    m[m[0][1]][0] += 5
    return prev.v, s
""",
    "lines": """
def g(x):
    return x
def f():
    data = {'rows': [[1], [2]], 'n': 0}
    data['rows'].append(
        g(
            [3],
        )
    )
    data['rows'][
        g(0)
    ].append(
        4
    )
    total = sum(
        row[0]
        for row in data['rows']
    )
    data.update(
        n=total,
        m=[
            g(i) for i in range(2)
        ],
    )
    data['m'][0] = data['n'] if (
        total > 3
    ) else data['rows']
    return total
""",
    "names": """
import sys
total = [0]
count = 0
cache = {}
def fib(n):
    global count
    count += 1
    if n in cache:
        return cache[n]
    cache[n] = n if n < 2 else fib(n - 1) + fib(n - 2)
    return cache[n]
def f():
    global total, late
    total.append(fib(8))
    total = total + [1]
    late = {}
    late['x'] = count
    globals()['made'] = [1]
    sys.modules[__name__].count = 99
    return total
""",
    "class body": """
def f():
    class K:
        xs = [1]
        xs.append(2)
        ys = [y for y in xs]
        d = {}
        d['k'] = xs
        n = len(ys)
        def m(self):
            self.xs.append(self.n)
            return self.d
    k = K()
    k.m()['k'].append('!')
    K.n += 1
    K.xs = K.xs[:1]
    type.__setattr__(K, 'd', {})
    return K.n
""",
    "control": """
import contextlib
@contextlib.contextmanager
def ctx(log):
    log.append('in')
    yield log
    log.append('out')
class M:
    def __enter__(self): self.on = True; return self
    def __exit__(self, *e): self.on = False; return True
def f():
    log = []
    with ctx(log) as l:
        l.append(1)
    with M() as m, contextlib.suppress(ValueError):
        m.x = [1]
        raise ValueError
    match {'k': [1, {'z': 2}]}:
        case {'k': [a, {'z': b}]}:
            log.append((a, b))
    if (n := len(log)) > 2 and log.append(n) is None: log[0] = n
    try:
        assert not log, log
    except AssertionError as e:
        log = e.args
    return n
""",
    "async": """
import asyncio
async def put(xs, i):
    await asyncio.sleep(0)
    xs.append(i)
    return i
async def rows(n):
    for i in range(n):
        yield [i]
async def main():
    xs = []
    r = await asyncio.gather(put(xs, 1), put(xs, 2))
    async for row in rows(2):
        row.append(9); xs.extend(row)
    return xs, r
def f():
    return len(asyncio.run(main())[0])
""",
    "bound_in_a_line": """
def f():
    a = b = 1; c, (d, *e) = 2, (3, 4, 5)
    del c
    for g in (1, 2): h = g
    if (k := a + b) > 1: l = [m for m in (1, 2)]; l += [
        m for m in
        (3,)]
    try: [][n := 0]
    except IndexError as o: p = str(o)
    r = lambda: a
    a += 1; del b
    s = "u"; s += "v"
    for i in range(2):
        import math as q; t = u = i
        del t, q
    return a, k, r()
""",
    "more_names_than_bits": """
def f():
    x0 = 0; x1 = 1; x2 = 2; x3 = 3; x4 = 4; x5 = 5; x6 = 6; x7 = 7
    x8 = 8; x9 = 9; x10 = 10; x11 = 11; x12 = 12; x13 = 13; x14 = 14; x15 = 15
    x16 = 16; x17 = 17; x18 = 18; x19 = 19; x20 = 20; x21 = 21; x22 = 22; x23 = 23
    x24 = 24; x25 = 25; x26 = 26; x27 = 27; x28 = 28; x29 = 29; x30 = 30; x31 = 31
    x32 = 32
    x33 = 33; x34 = 34; x35 = 35; x36 = 36; x37 = 37; x38 = 38; x39 = 39; x40 = 40
    x41 = 41; x42 = 42; x43 = 43; x44 = 44; x45 = 45; x46 = 46; x47 = 47; x48 = 48
    x49 = 49; x50 = 50; x51 = 51; x52 = 52; x53 = 53; x54 = 54; x55 = 55; x56 = 56
    x57 = 57; x58 = 58; x59 = 59; x60 = 60; x61 = 61; x62 = 62; x63 = 63; x64 = 64
    x65 = 65
    x66 = x0 = 1
    for x67 in range(2):
        x68 = x67; x1 = x68
    del x2, x66
    x69 = x65 = 3
    x64 += 2
    return x64, x69
""",
}
