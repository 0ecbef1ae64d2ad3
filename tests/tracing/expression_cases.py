"""Programs for expression granularity: name -> (source, entry, arguments); each shows one rule."""

CASES: dict[str, tuple[str, str, str]] = {}


def add(name: str, source: str, arguments: str = "", entry: str = "f") -> None:
    CASES[name] = (source.lstrip("\n"), entry, arguments)


add("three steps", "def f(s):\n    return s.strip().split(',')[1]\n", "' a,b '")
add(
    "short circuits",
    """
def t(x):
    return x
def f(a, b):
    x = t(a) and t(b) and t(a + b)
    y = t(a) or t(b) or t(a + b)
    z = not t(a) or (t(b) if t(a) > t(b) else t(b) - 1)
    if not a == b and not (a in [b, b + 1]) or a is not None:
        x = y
    return x, y, z
""",
    "0, 3",
)
add(
    "chained comparisons",
    """
def f(a, b, c):
    x = a < b < c
    y = a < b <= c != b + 1
    if a <= b - 1 < c + 1:
        x = y
    return a == a is True, x, not a in [1] in [[1]], not (a is b)
""",
    "3, 1, 2",
)
add(
    "comprehensions",
    """
def f(xs, n):
    a = [x * 2 for x in xs if x % 2 if x + 1 > n]
    b = {x: y - x for x in xs[1:] for y in range(x) if y}
    c = {str(x) for x in xs}
    d = sum(x * y for x in xs for y in [x, x + 1])
    e = any(x > n for x in xs)
    g = [[y := x + z for z in xs[:2]] for x in xs]
    h = [(lambda k=x: k + n)() for x in xs]
    return a, b, sorted(c), d, e, g, h, y
""",
    "[1, 2, 3], 1",
)
add(
    "walrus",
    """
def f(n):
    while (m := n - 1) > 0:
        n = m
    if (k := len('abc' * n)) and (k := k + 1):
        return k
""",
    "3",
)
add(
    "f-strings",
    """
def f(a, w, xs):
    s = f"{a + 1:>{w * 2}}|{xs[0]!r}|{len(xs)=}"
    t = f'{a}{a!s:^{w}.{w - 1}}' + f"{{}}{f'{a - 1}'}"
    return s + t
""",
    "7, 4, ['q', 2]",
)
add(
    "stars",
    """
def g(*a, k=0, **more):
    return len(a) + k + sum(more.values())
def f(xs, d):
    a, *b = xs[0], *xs[1:], -xs[0]
    x = g(*xs, *b, k=xs[0] + 1, **d, **{'z': xs[-1]})
    y = [*xs, *(v + 1 for v in xs)]
    z = {**d, 'q': x - 1, **{}}
    print(*[x, y][:0], end='', sep=str(x)[:0])
    return x, y, z, max(*xs, 2)
""",
    "[1, 2, 3], {'e': 4}",
)
add(
    "lambdas and callbacks",
    """
def f(xs):
    key = lambda p: -p[1] + 0
    best = sorted(xs, key=key)
    pairs = list(map(lambda p, q: p[0] * q, xs, range(9)))
    return best, pairs, (lambda: (yield_ := 3) + 1)(), max(xs, key=lambda p: p[1])[0]
""",
    "[('a', 1), ('b', 3), ('c', 2)]",
)
add(
    "augmented assignments",
    """
class Box:
    def __init__(self, v):
        self.v = v
        self.w = [v]
def f(xs, n):
    b = Box(n * 2)
    n += len(xs) - 1
    xs[n - 2] += xs[0] * 2
    xs[0:1] += [n, n]
    b.v -= n
    b.w += [b.v]
    b.w[0] <<= 2
    b.w[b.w[1] - b.w[1]] |= 1
    s = 'a'
    s *= 2
    xs += s
    n **= 2; n //= 3; n %= 5; n ^= 1; n &= 7; n >>= 1; n @= b if False else 1
    return xs, b.v
""",
    "[1, 2, 3], 2",
)
add(
    "targets",
    """
class Box:
    pass
def f(xs):
    b = Box()
    b.next = Box()
    b.next.v, xs[len(xs) - 1], (x, [y, *z]) = xs[0] + 1, xs[1] * 2, (b.next is b, 'abc'[::-1] + 'd')
    xs[xs[0] - 1] = xs[1:][0] = b.next.v
    for xs[0], b.v in enumerate(xs[:2], start=-xs[0]):
        pass
    del xs[len(xs) - 1], b.v
    return xs, x, y, z
""",
    "[1, 2, 3]",
)
add(
    "attributes and methods",
    """
class Node:
    kind = 'n'
    def __init__(self, v, rest=None):
        self.v, self.rest = v, rest
    def total(self):
        return self.v + (self.rest.total() if self.rest else 0)
    @property
    def double(self):
        return self.v * 2
    def __add__(self, other):
        return Node(self.v + other.v)
    def __getitem__(self, i):
        return self.v - i
    def __lt__(self, other):
        return self.v < other.v
    def __neg__(self):
        return -self.v
def f():
    a = Node(1, Node(2, Node(3)))
    m = a.rest.total
    x = m(), a.total(), (a + a.rest).v, a[5], a < a.rest, -a, a.double
    return x, a.kind.upper(), Node.kind, a.rest.rest.rest
""",
)
add(
    "several lines",
    """
def f(s):
    x = (
        s
        .strip()
        .upper()
        .split(
            ','
        )
    )
    y = max(
        x[0],
        x[
            1
        ],
    ).lower
    z = (s
         .__class__
         .__name__)
    return y() + z + (
        x[0]
        + x[1]
    )
""",
    "' a,b '",
)
add(
    "folded and rewritten",
    """
def f(x, y):
    a = 2 * 3 + x
    b = -1 + (1, 2)[0] + -x
    c = 'ab'[0] + 'c' * 3
    d = '%s-%r' % (x, y) + '%d' % x + '%s' % (y,) + '%5s!' % (x,) + '%s' % x
    e = x in [1, 2] and x in {3, 4} or 1 < 2
    g = (1 << 3) - ~5 + ~x + +x - +7
    return a, b, c, d, e, g
""",
    "3, 'q'",
)
add(
    "exceptions",
    """
class Door:
    def __enter__(self):
        return self
    def __exit__(self, kind, value, trace):
        return kind is KeyError
def risky(d, k):
    try:
        return d[k] + 1
    except (KeyError, IndexError) as error:
        return len(error.args) - 1
    finally:
        d[k] = len(d) * 2
def f():
    d = {'a': 1}
    out = [risky(d, k) for k in ['a', 'b']]
    for n in range(3):
        try:
            if n == 1:
                continue
            out.append(6 // (n - 2))
        except ZeroDivisionError as e:
            out.append(str(e)[:3])
        else:
            out += [n]
        finally:
            out.append(-n)
    with Door() as one, Door():
        out.append(d['missing' + str(len(out))])
    assert len(out) > 3, out[0]
    try:
        assert not out, 'full' + str(len(out))
    except AssertionError as e:
        raise ValueError(e.args[0].upper()) from e
""",
)
add(
    "closures and globals",
    """
total = 10
def f(n):
    global total
    made = []
    def bump(by=n * 2, *, more=n + 1):
        nonlocal n
        n += by + more
        return n
    def twice(g):
        def wrapped(*a):
            return g(*a) + g(*a)
        return wrapped
    @twice
    def add(k):
        made.append(k - 1)
        return k
    total -= bump() + bump(1)
    return total, n, add(5), made
""",
    "3",
)
add(
    "no value",
    """
def f(xs):
    try:
        return xs[0] + xs[9] * undefined(1)
    except IndexError:
        pass
    try:
        return len(xs.nothing) + 1
    except AttributeError:
        return [0, 1][xs[0] - 1:] or None
""",
    "[3, 4]",
)
add(
    "slices and containers",
    """
def f(xs, i):
    a = xs[i:], xs[:-i], xs[::i], xs[i:i + 1], xs[1:i + 2:1]
    b = {i: xs[i], 'k' + str(i): [xs[0], (xs[1], {xs[2]})]}
    c = b['k' + str(i)][1][0], {i, i + 1} - {i}
    d = {(i, x): {y: z} for y, x in enumerate(xs) for z in xs if y != z}
    return a, b, c, len(d)
""",
    "[5, 6, 7], 2",
)
