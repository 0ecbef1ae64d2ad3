"""Programs whose every event is looked at twice: name -> (source, entry, arguments)."""

PROGRAMS: dict[str, tuple[str, str, str]] = {}


def add(name: str, source: str, arguments: str = "", entry: str = "f") -> None:
    PROGRAMS[name] = (source.lstrip("\n"), entry, arguments)


add(
    "aliases",
    """
def f():
    a = [[0], [0]]
    b = a[1]
    b.append(7)
    a[0], a[1] = a[1], a[0]
    c = (a, b)
    a.insert(0, c)
    del a[1]
    b += [1, 2]
    a[0][1].pop(0)
    return a
""",
)
add(
    "nested loops",
    """
def f(n):
    out = []
    for i in range(n):
        for c in 'ab':
            for k, v in enumerate([3, 4]):
                if v == 4 and i:
                    continue
                out.append((i, c, k))
    else:
        out.append(None)
    return out
""",
    "3",
)
add(
    "dicts and sets",
    """
def f(words):
    seen = {}
    for w in words:
        seen[w] = seen.get(w, 0) + 1
        if seen[w] == 2:
            del seen[w]
            seen[w] = 9
    s = set(words)
    s.discard('a')
    t = frozenset(s | {1, 2.5, (1, 2)})
    for k, v in seen.items():
        s.add(v)
    for k in seen:
        seen[k] = [k]
    seen['a'].append(s)
    return seen
""",
    "['a', 'b', 'a', 'c', 'b']",
)
add(
    "objects",
    """
class Node:
    count = 0
    def __init__(self, value, rest=None):
        self.value = value
        self.rest = rest
        Node.count += 1
class Slots:
    __slots__ = ('x', 'y')
def f(n):
    head = None
    for i in range(n):
        head = Node(i, head)
    walk = head
    while walk:
        walk.value *= 2
        walk.extra = [walk.value]
        walk = walk.rest
    head.rest.rest = head
    del head.extra
    s = Slots()
    s.x = head
    return Node.count
""",
    "4",
)
add(
    "closures",
    """
def counter():
    n = 0
    log = []
    def bump(by=1):
        nonlocal n
        n += by
        log.append(n)
        return n
    def read():
        return n
    return bump, read
def f():
    bump, read = counter()
    bump()
    bump(by=5)
    fs = [lambda: i for i in range(3)]
    return read() + fs[0]()
""",
)
add(
    "generators",
    """
def inner(n):
    for i in range(n):
        got = yield i
        if got:
            yield got * 2
    return 'done'
def outer(n):
    result = yield from inner(n)
    yield result
def f():
    g = outer(2)
    a = next(g)
    b = g.send(5)
    rest = list(g)
    h = inner(3)
    next(h)
    try:
        h.throw(KeyError('x'))
    except KeyError as e:
        rest.append(e.args)
    squares = (x * x for x in [1, 2, 3])
    return a, b, rest, sum(squares)
""",
)
add(
    "exceptions",
    """
def risky(n):
    try:
        if n == 0:
            raise ValueError('zero', n)
        return 10 // (n - 1)
    finally:
        n = -1
def f():
    out = []
    for n in [0, 1, 2]:
        try:
            out.append(risky(n))
        except ZeroDivisionError:
            out.append('division')
        except ValueError as error:
            out.append(error.args)
            for x in out:
                y = x
        else:
            out.append('fine')
    return out
""",
)
add(
    "recursion",
    """
def quick(xs):
    if len(xs) < 2:
        return xs
    p = xs[0]
    low = [x for x in xs[1:] if x < p]
    high = [x for x in xs[1:] if x >= p]
    return quick(low) + [p] + quick(high)
def f(xs):
    return quick(xs)
""",
    "[3, 1, 2, 5, 4]",
)
add(
    "globals",
    """
total = 0
table = {'a': [1]}
def add(n):
    global total
    total += n
    table['a'].append(total)
def f():
    global made_late
    for n in range(3):
        add(n)
    made_late = table['a']
    made_late.clear()
    return total
""",
)
add(
    "iterators in variables",
    """
def f():
    it = iter([1, 2, 3])
    pairs = zip([1, 2, 3], 'abc')
    next(it)
    for a, b in pairs:
        r = reversed([a, a + 1])
        next(r)
        if a == 2:
            break
    e = enumerate((4, 5))
    next(e)
    return list(it)
""",
)
add(
    "callbacks",
    """
def key(pair):
    name, score = pair
    return -score
def f(pairs):
    ranked = sorted(pairs, key=key)
    best = max(ranked, key=lambda p: len(p[0]))
    return [n for n, s in ranked], best
""",
    "[('a', 1), ('bcd', 3), ('e', 2)]",
)
add(
    "strings",
    """
def f(n):
    s = ''
    t = 'x' * 40
    for i in range(n):
        s += chr(97 + i)
        t += s
    return t.upper()
""",
    "6",
)
add(
    "class body",
    """
def f(n):
    class Local:
        size = n
        names = list(map(str, range(n)))
        def area(self):
            return self.size * self.size
    one = Local()
    return one.area()
""",
    "3",
)
add(
    "temporaries",
    """
def g(xs):
    xs.append(len(xs))
    return xs
def f():
    xs = []
    a = g(xs)[0] + g(xs)[1] + len([g(xs), g(xs)])
    b = {'k': g(xs), **{'j': g([1])}}
    return a, b
""",
)
add(
    "subclasses",
    """
from collections import Counter, defaultdict, deque, OrderedDict, namedtuple
Point = namedtuple('Point', 'x y')
class Stack(list):
    def push(self, x):
        self.append(x)
class Weird(dict):
    def __getitem__(self, k):
        return 'lie'
    def __iter__(self):
        raise RuntimeError
def f():
    s = Stack()
    s.push(1)
    d = defaultdict(list)
    d['a'].append(2)
    c = Counter('aab')
    q = deque([1, 2], maxlen=2)
    q.append(3)
    w = Weird(a=[1])
    dict.__getitem__(w, 'a').append(2)
    o = OrderedDict(x=1, y=2)
    o.move_to_end('x')
    p = Point(1, [2])
    p.y.append(3)
    return len(s)
""",
)
add(
    "with and match",
    """
class Door:
    def __init__(self):
        self.open = False
    def __enter__(self):
        self.open = True
        return self
    def __exit__(self, *error):
        self.open = False
        return True
def f(x):
    with Door() as d:
        match x:
            case [a, *rest]:
                y = rest
            case _:
                y = None
        raise KeyError(y)
    return d.open
""",
    "[1, 2, 3]",
)
add(
    "dropped generators",
    """
def one(xs):
    for x in xs:
        yield x
def two(xs):
    for y in xs:
        yield y + 1
def f():
    out = []
    for _ in range(3):
        out.append(next(one([1, 2])))
        out.append(next(two([3])))
        out.append(list(two([4])))
    return out
""",
)
