"""Programs whose objects are changed by code that the tracer does not know, by ways that no line shows."""

from __future__ import annotations

_WAYS = {
    "what dies in a call of library code": """
import contextlib, threading, unittest
def f():
    xs, case, lock, late = [], unittest.TestCase(), threading.Lock(), contextlib.ExitStack()
    case.addCleanup(list.append, xs, 7)
    case.doCleanups()
    n = len(xs)
    late.enter_context(lock)
    late.close()
    m = lock.locked()
    return n, m, xs
""",
    "locks and other contexts": """
import contextlib, threading
class Kept:
    def __init__(self, keep): self.keep = keep
    def __enter__(self): return self.keep
    def __exit__(self, *why):
        self.keep.append(len(why))
        return why[0] is KeyError
def f():
    lock, again, data, xs = threading.Lock(), threading.RLock(), bytearray(3), [0]
    for i in range(6):
        with lock:
            xs.append(i)
        with again as held, lock:
            data[0] = i
        with (lock if i % 2 else Kept(xs)):
            lock = threading.Lock()
        with memoryview(data) as view:
            view[1] = i
        with contextlib.nullcontext(xs) as ys: ys.append(i)
        with Kept(xs):
            if i == 3: continue
            raise KeyError(i)
        try:
            with lock:
                raise ValueError
        except ValueError:
            lock.acquire(); lock.release()
    return xs, data, lock.locked()
""",
    "callbacks of an ExitStack": """
from contextlib import ExitStack
def f():
    xs, ys = [], [0]
    with ExitStack() as stack:
        stack.callback(xs.append, 1)
        stack.callback(ys.clear)
        a = 1
        stack.close()
        b = len(xs)
        stack.callback(xs.append, 2)
        c = 1
    return xs, ys, b
""",
    "a context variable": """
import contextvars
var = contextvars.ContextVar("var")
def f():
    xs = [1]
    var.set(xs)
    a = 1
    var.get().append(2)
    b = 2
    contextvars.copy_context().run(xs.append, 3)
    return xs
""",
    "a cached result": """
from functools import lru_cache, partial
@lru_cache
def made(n):
    return [n]
def f():
    xs = made(3)
    a = 1
    made(3).append(4)
    get = partial(made, 3)
    b = 1
    get().append(5)
    return xs, made(3)
""",
    "queues and weak references": """
import queue, weakref, threading
class Box:
    pass
def f():
    q = queue.Queue()
    xs, box = [1], Box()
    box.items = []
    q.put(xs)
    a = 1
    q.get().append(2)
    ref = weakref.ref(box)
    b = 1
    ref().items.append(3)
    wd = weakref.WeakValueDictionary()
    wd["box"] = box
    c = 1
    wd["box"].items.append(4)
    proxy = weakref.proxy(box)
    proxy.items.append(5)
    proxy.other = 6
    local = threading.local()
    local.xs = xs
    d = 1
    local.xs.append(7)
    getattr(local, "xs").append(8)
    return xs, box.items
""",
    "operators": """
import operator, copy, itertools
class Box:
    def __init__(self):
        self.deep = [[1]]
def f():
    box = Box()
    xs = box.deep[0]
    operator.methodcaller("append", 2)(xs)
    a = 1
    operator.attrgetter("deep")(box)[0].append(3)
    operator.itemgetter(0)(box.deep).append(4)
    b = 1
    copy.copy(box).deep.append([5])
    one, two = itertools.tee([xs, xs])
    c = 1
    next(one).append(6)
    next(itertools.chain.from_iterable([[xs]])).append(7)
    d = 1
    list(map(list.append, [xs, xs], [8, 9]))
    sum(map(len, [xs, box.deep]))
    [].__class__.append(xs, 10)
    return xs, box.deep
""",
    "by name": """
import sys
XS = []
OTHER = {"a": []}
def f():
    a = 1
    globals()["XS"].append(1)
    b = 1
    eval("XS.append(2)")
    exec("OTHER['a'].append(3)")
    c = 1
    vars(sys.modules[__name__])["XS"].append(4)
    sys.modules[__name__].OTHER["a"].append(5)
    g = globals
    g()["OTHER"]["b"] = 6
    d = locals()
    look = sys._getframe
    look().f_globals["XS"].append(7)
    return XS, OTHER
""",
    "kept by a module": """
import string, heapq, random, atexit, types
def f():
    xs = [3, 1, 2]
    random.Random(5).shuffle(xs)
    string.kept = xs
    a = 1
    getattr(string, "kept").append(4)
    space = types.SimpleNamespace(xs=xs)
    b = 1
    space.xs.append(5)
    getattr(space, "xs").append(6)
    heapq.heapify(xs)
    del string.kept
    atexit.register(xs.append, 7)
    c = 1
    atexit._run_exitfuncs()
    d = 1
    return xs
""",
    "kept by a class or a function": """
import functools
class A:
    kept = None
    def get(self):
        return self.kept
def g(x=[]):
    return x
def f():
    xs = []
    random = functools.partial(xs.append, 1)
    random()
    A.kept = xs
    a = A()
    b = 1
    functools.reduce(lambda one, two: one.get().append(two) or one, [1, 2], a)
    g.kept = xs
    c = 1
    getattr(g, "kept").append(3)
    functools.partial(g)().append(4)
    e = g()
    functools.partial(getattr, a)("kept").append(5)
    d = 1
    functools.update_wrapper(lambda: 1, g).kept.append(6)
    class B:
        inner = xs
    h = 1
    vars(B)["inner"].append(7)
    getattr(B(), "inner").append(8)
    return xs, e
""",
    "generators of libraries": """
import contextlib, itertools, heapq
@contextlib.contextmanager
def held(xs):
    xs.append("in")
    yield xs
    xs.append("out")
def f():
    xs = []
    with held(xs) as ys:
        ys.append(1)
        a = 1
    with contextlib.suppress(KeyError):
        xs.append({}["no"])
    for i in heapq.merge([1, 3], [2]):
        xs.append(i)
    with contextlib.closing(type("C", (), {"close": lambda self: xs.append("closed")})()):
        b = 1
    for key, group in itertools.groupby(xs, key=type):
        c = [key.__name__, *group]
    return xs
""",
    "data classes and enumerations": """
import dataclasses, enum, collections, typing
@dataclasses.dataclass
class P:
    x: int
    items: list = dataclasses.field(default_factory=list)
class E(enum.Enum):
    A = 1
    B = 2
N = collections.namedtuple("N", "a b")
def f():
    shared = []
    ps = [P(i, shared) for i in range(3)]
    ps[1].items.append(1)
    q = dataclasses.replace(ps[0], x=5)
    q.items.append(2)
    n = N(shared, [])
    n._replace(b=[1]).a.append(3)
    d = dataclasses.asdict(q)
    E.A.seen = shared
    a = 1
    E(1).seen.append(4)
    c = collections.ChainMap({"a": shared}, {})
    c["a"].append(5)
    u = collections.UserList(shared)
    u.append(6)
    u.data.append(7)
    s = sorted(ps, key=lambda p: p.x)
    od = collections.OrderedDict(a=shared)
    od.move_to_end("a")
    od.popitem()[1].append(8)
    return shared, d, u.data, s == ps
""",
    "a callable that binds its own name anew": """
from functools import partial
def f():
    xs = []
    p = partial(xs.append, 1)
    p = p()
    q = iter(xs.pop, 5)
    q = next(q)
    m = map(xs.append, [2, 3])
    m = list(m)
    k = {"a": partial(xs.insert, 0)}
    k = k["a"](4)
    for k in [partial(xs.append, 6)]: k = k()
    return xs
""",
    "what comes back from the program's own functions": """
from functools import reduce, partial, cmp_to_key
state = {"xs": []}
def get():
    return state["xs"]
def f():
    get().append(1)
    partial(get)().append(2)
    a = 1
    list(map(list.append, [get()], [3]))
    [g().append(4) for g in [get, partial(get)]]
    b = 1
    getattr(get(), "extend")(get())
    xs = sorted([[3], [1]], key=lambda x: get().append(x) or x)
    reduce(lambda x, y: x, [get(), 1]).append(5)
    ys = sorted([2, 1], key=cmp_to_key(lambda x, y: get().append(6) or x - y))
    next(iter([get()])).append(7)
    next(get() for _ in [1]).append(8)
    return state
""",
}

PROGRAMS = {name: (source, "f", "") for name, source in _WAYS.items()}

HELPER = """
import sys
XS, BOX = [1], {"a": []}
def note(x):
    XS.append(x)
"""
"""A module of the program's own, beside WITH_HELPER."""
WITH_HELPER = """
import weakref
import helper
class Held: pass
def f():
    held = Held()
    helper.note(2)
    weakref.finalize(held, exec, "XS.append(5); BOX['a'].append(6)", vars(helper))
    a = 1
    weakref.finalize._exitfunc()
    b = 1
    weakref.finalize._shutdown = False
    return helper.XS, helper.BOX
"""
"""A library keeps the names of the program's own module, and code in C changes what they lead to."""
