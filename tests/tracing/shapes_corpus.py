"""Programs that touch every shape the native core reads, and every way to change an object behind its back.

SHAPES: name -> source; each is called as f(). Those of frames: `frames_corpus.py`.
"""

from __future__ import annotations

SHAPES = {
    "simple namespace": """
from types import SimpleNamespace
def f():
    ns = SimpleNamespace(a=[1])
    ns.b = [2]
    ns.a.append(3)
    m = [SimpleNamespace(k=ns)]
    m[0].k.c = 4
    del ns.b
    setattr(ns, "z", m)
    ns.z[0].q = 5
    vars(ns)["w"] = 6
    return ns, m
""",
    "lists": """
def f():
    a = [1, 2, 3]
    b = a
    b[0], b[1] = b[1], b[0]
    a += [4, 5]
    a[1:3] = [9, 9, 9]
    a[::2] = [0] * len(a[::2])
    del a[0], b[-1]
    a.insert(1, a)
    a.remove(9)
    a.reverse(); a.pop(); a.pop(0)
    a *= 2
    a.sort(key=id) if len(a) > 99 else None
    c = sorted([3, 1, 2], key=lambda x: -x)
    a.extend(x for x in c)
    a.clear()
    return a, b
""",
    "dicts": """
def f():
    d = {'a': 1}
    e = {'d': d}
    d['b'] = d['a'] + 1
    e['d']['c'] = 3
    d['a'] = 5
    x = d.pop('a'); d['a'] = x
    d.update(z=1, b=7)
    d.setdefault('q', []).append(1)
    d['q'].append(2)
    del d['b']
    d |= {'m': [d['q']]}
    k, v = d.popitem()
    t = {}
    for i in range(6):
        t[i % 3] = t.get(i % 3, 0) + i
        t[(i, 'k')] = [i]
        t[(i, 'k')].append(i)
    t[1.0] = 'one'; t[True] = 'true'
    for key in list(t):
        if type(key) is tuple:
            del t[key]
    return d, e, t, k, v
""",
    "sets": """
def f():
    s = set()
    for i in [3, 1, 2, 3]:
        s.add(i)
        s.add((i, 'x'))
        s.add(str(i) * 3)
    t = s
    t |= {9, 10}
    t -= {1}
    s.discard(2); s.remove('333')
    u = s & {3, 9}
    u.add(frozenset([1])); u.update([5, 6], [7])
    for m in u:
        last = m
    s.clear()
    return len(s), len(t), sorted(map(str, u))
""",
    "collections": """
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
P = namedtuple('P', 'x y')
def f():
    g = defaultdict(list)
    g['a'].append(1)
    g['b']
    x = g['c'] or g['d']
    o = OrderedDict(a=1, b=2)
    o['c'] = 3
    o.move_to_end('a')
    c = Counter('hello')
    c['l'] += 2
    c.update('xyz')
    q = deque([1, 2, 3], maxlen=4)
    q.append(4); q.append(5)
    q.appendleft(0)
    q.rotate(1)
    q[0] = [7]
    y = q.popleft(), q.pop()
    for item in q:
        z = item
    p = P(1, [2])
    p.y.append(3)
    big = deque(range(200))
    big.popleft(); big.append(-1)
    return x, y, p, len(big)
""",
    "raw": """
from array import array
def f():
    b = bytearray(b'abc')
    b[0] = 120
    b += b'de'
    b.append(1)
    m = memoryview(b)
    m[1] = 66
    m.release()
    a = array('d', [1.5, 2.5])
    a[0] = -0.0
    a.append(float('nan'))
    return bytes(b), len(a)
""",
    "instances": """
class A:
    n = 0
    shared = []
    def __init__(self, v):
        self.v = v
        self.items = []
    def add(self, x):
        self.items.append(x)
        self.v += x
        A.n += 1
        self.shared.append(x)
        return self
class S:
    __slots__ = ('a', 'b')
class T(S):
    __slots__ = ('c', '__dict__')
class L(list):
    def __init__(self, *a):
        super().__init__(a)
        self.tag = 'L'
class N(int):
    pass
def f():
    a = A(1)
    a.add(2).add(3)
    a.items[0], a.v = a.v, a.items[0]
    a.other = a
    del a.v
    s = S(); s.a = [1]; s.a.append(2)
    t = T(); t.c = s; t.z = 1; t.c.a.append(3); t.b = t
    l = L(1, 2)
    l.append(3); l.tag += '!'; l[0] = l
    n = N(5); n.k = [n]
    a.__dict__['late'] = [1]
    d = a.__dict__
    d['v'] = 7
    vars(a)['w'] = 8
    setattr(a, 'x', 9)
    A.shared = ()
    b = A(0)
    b.__class__ = A
    object.__setattr__(b, 'y', 1)
    return n + 1, len(l)
""",
    "dataclasses": """
from dataclasses import dataclass, field
from enum import Enum
class C(Enum):
    R = 1
    G = 2
@dataclass
class P:
    x: int
    tags: list = field(default_factory=list)
@dataclass(frozen=True, slots=True)
class Q:
    p: P
def f():
    p = P(1)
    p.x += 1
    p.tags.append(C.R)
    q = Q(p)
    q.p.tags[0] = C.G
    return p.x, q.p is p
""",
    "iterators": """
def f():
    out = []
    a, b, c = [1, 2, 3], 'xyz', (4, 5, 6)
    it = iter(a); next(it)
    r = reversed(a); next(r)
    s = iter('é€x'); next(s)
    d = {'k': 1, 'l': 2}
    dk = iter(d); next(dk)
    di = iter(d.items()); next(di)
    rv = reversed(d.values()); next(rv)
    z = zip(a, b, c)
    for t in z:
        out.append(t)
        u = t
    for i, (p, q) in enumerate(zip(a, b), 5):
        out.append((i, p, q))
    e = enumerate(c, 10**20); next(e)
    big = iter(range(10**30, 10**30 + 5)); next(big)
    down = iter(range(10, 0, -3)); next(down)
    st = iter({7, 8}); next(st)
    by = iter(b'ab'); next(by)
    f2 = filter(None, [0, 1, 2]); next(f2)
    for x in map(str, a):
        out.append(x)
    for n in range(2):
        for m in range(2):
            if m: continue
            out += [n]
    v = d.keys(); d['m'] = 3
    return len(out), next(it), list(r), list(v)
""",
    "wild": """
from functools import partial, reduce
import itertools, operator
def f():
    xs = []
    for _ in map(xs.append, [1, 2]):
        pass
    stack = [3, 2, 1]
    for x in iter(stack.pop, 3):
        y = x
    ap = xs.append
    ap(5)
    partial(xs.insert, 0)(9)
    operator.setitem(xs, 0, [8])
    add = operator.iadd(xs, [6])
    reduce(lambda acc, v: acc.append(v) or acc, [1, 2], xs)
    for c in itertools.chain([1], map(xs.append, [7])):
        z = c
    ch = itertools.count(5); next(ch)
    getattr(xs, 'append')(4)
    [xs.append(i) for i in range(2)]
    list.append(xs, 'unbound')
    d = {}
    exec('xs.append(1); d[1] = xs', {'xs': xs, 'd': d})
    xs.sort(key=partial(str)); xs.sort(key=str, reverse=True)
    return len(xs), y, z
""",
    "heaps": """
import bisect, heapq
def f():
    h = []
    for v in [5, 1, 4, 1, 3]:
        heapq.heappush(h, (v, [v]))
    a = heapq.heappop(h)
    heapq.heapify(h)
    b = heapq.heappushpop(h, (0, []))
    s = [1, 5, 9]
    bisect.insort(s, 4)
    i = bisect.bisect_left(s, 5)
    return a, b, i
""",
    "strings": """
class R:
    def __radd__(self, other):
        return 'r' * 50
def f():
    s = ''
    t = 'é' * 33
    for i in range(40):
        s += 'ab'
        t = t + 'ü€'
    u = s
    s = s[:60] + s[61:]
    s += R()
    v = u + 'x'
    w = v[:-1]
    p = 'q' * 300; p += '1'; q = 'q' * 300 + '1'
    z = '\\ud800' * 40; z += '\\udc00'
    o = [s, u]; o[0] += 'tail'
    b = b'x' * 40; b += b'y'
    return len(s), len(t), w is u
""",
    "finalizers": """
import weakref
seen = []
class F:
    def __init__(self, n): self.n = n
    def __del__(self): seen.append(self.n)
def f():
    a = F(1)
    b = [F(2), F(3)]
    w = weakref.ref(b[0], lambda r: seen.append('weak'))
    a = None
    b.pop(); b.clear()
    for i in range(3): F(i + 10)
    c = {}
    c['self'] = c; c['f'] = F(20)
    del c['f']
    wd = weakref.WeakValueDictionary(); k = F(30); wd[1] = k; del k
    return len(seen), len(wd), w() is None
""",
    "deep": """
def f():
    a = []
    for i in range(30):
        a = [a]
    b = a
    for i in range(20):
        b = b[0]
    b.append(1)
    t = ()
    for i in range(1000):
        t = (t,)
    t = None
    return 1
""",
    "counting": """
from collections import Counter, OrderedDict, defaultdict
def f():
    d, c, o = defaultdict(int), Counter(), OrderedDict()
    for i in [1, 2, 2, 2, 1, 3]:
        d[i] += 1
        c[i] += 1
        o[i] = o.get(i, 0) + 1
        if d[i] * 2 > 5:
            best = i
    d[2] -= 1; d[9]
    del c[1], o[1]
    return best, d[2]
""",
    "sums": """
def f():
    x = 0
    for i in range(300):
        x += i * 65536
    return x
""",
    "namespaces": """
x = 0
def f():
    global x, z
    names = globals()
    x = 5
    names['y'] = [x]
    z = 1
    del z
    names['y'].append(2)
    class A:
        a = 1
    import sys
    sys.modules[__name__].x = 6
    return x, y, A.a
""",
    "namespaces elsewhere": """
x = 0
def store(n):
    global x
    x = n
def f():
    names = globals()
    store(1)
    store(2)
    class A:
        kept = locals()
        a = 1
        b = 2
    store(3)
    return x, A.b
""",
}
