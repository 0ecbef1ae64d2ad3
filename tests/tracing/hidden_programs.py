"""Programs in which the interpreter calls code in C that the program chose.

    hidden_program(seed) -> HiddenProgram      f(xs, d, s, q, res): five containers, and what changes them

A C callable stands in one of the PLACES, wrapped up to three times. Its object lies up to three deep.
The containers are arguments: whoever records them has them already, and no object lives longer for it.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from deskcheck.records import Program
from deskcheck.tracing.program import make_program

NAMES = ("xs", "d", "s", "q", "res")
WORLD = "[5, 6, 7, 8, 9], {'a': 1, 'b': 2}, {1}, deque([1, 2, 3]), []"
IMPORTS = """\
import _thread, functools, itertools, operator, sys, time, types, weakref
from collections import defaultdict, deque
"""


def _parts(text: str) -> list[str]:
    return [part.strip() for line in text.strip().split("\n") for part in line.split(" ;; ")]


# Callables in C that take any arguments, none, or one; each changes one of the containers.
ANY = (
    "functools.partial(operator.setitem, d, 'k', {n})", "functools.partial(operator.iadd, xs, [{n}])",
    "functools.partial(xs.extend, [{n}])", "functools.partial(d.update, k{n}={n})",
    "functools.partial(s.update, [{n}])",
    "functools.partial(max, 1, 2, key=xs.append)", "functools.partial(s.update, 'ab', [{n}], {n})",
    "functools.partial(print, file=types.SimpleNamespace(write=xs.append))",
    "functools.partial(q.extend, [{n}])", "functools.partial(xs.__setitem__, 0, {n})",
)  # fmt: skip
ENDING = tuple(made for made in ANY if "print" not in made)
NONE = (
    "xs.pop", "xs.clear", "xs.reverse", "d.popitem", "d.clear", "s.clear", "q.popleft", "q.pop", "xs.sort",
    "functools.partial(xs.append, {n})", "functools.partial(d.pop, 'a', 0)", "functools.partial(s.add, {n})",
    "functools.partial(q.append, {n})", "functools.partial(operator.setitem, d, 'k', {n})",
    "functools.partial(operator.iadd, xs, [{n}])", "functools.partial(next, map(xs.append, [{n}, 0, 0]))",
    "map(xs.append, [{n}, 1, 2]).__next__", "iter(xs.pop, 5).__next__",
)  # fmt: skip
ONE = (
    "xs.append",
    "q.append",
    "q.appendleft",
    "functools.partial(xs.insert, 0)",
    "functools.partial(d.__setitem__, 'k')",
)
# Special method, and what calls it; `o` is the object.
SLOTS = _parts("""
__len__: len({o}) ;; __bool__: res.append(1 if {o} else 2) ;; __bool__: not {o} ;; __hash__: hash({o})
__hash__: d[{o}] = 1 ;; __eq__: {o} == 3 ;; __lt__: {o} < 3 ;; __contains__: 3 in {o} ;; __neg__: -{o}
__invert__: ~{o} ;; __abs__: abs({o}) ;; __add__: {o} + 1 ;; __radd__: 1 + {o} ;; __lshift__: {o} << 1
__iadd__: {o} += 1 ;; __matmul__: {o} @ 1 ;; __index__: [1, 2][{o}] ;; __int__: int({o})
__float__: float({o}) ;; __str__: str({o}) ;; __str__: print({o}) ;; __str__: f"{{{o}}}"
__repr__: repr({o}) ;; __repr__: '%r' % ({o},) ;; __format__: format({o}) ;; __getitem__: {o}[0]
__setitem__: {o}[0] = 1 ;; __delitem__: del {o}[0] ;; __iter__: list({o})
__iter__: for v in {o}: res.append(1) ;; __getattr__: {o}.nothing ;; __setattr__: {o}.x = 1
__delattr__: del {o}.x ;; __round__: round({o}) ;; __bytes__: bytes({o}) ;; __call__: {o}()
__enter__: with {o}: pass ;; __reversed__: reversed({o}) ;; __length_hint__: list({o})
__pos__: [+{o} for v in 'ab'] ;; __missing__: {o}['no'] ;; __init__: type({o})() ;; __get__: Holder().o
__instancecheck__: isinstance(1, {o}) ;; __subclasscheck__: issubclass(int, {o}) ;; __dir__: dir({o})
__getattribute__: {o}.x ;; __gt__: max({o}, {o}) ;; __lt__: sorted([{o}, {o}]) ;; __lt__: [{o}, {o}].sort()
__eq__: 3 in [{o}] ;; __eq__: [1, {o}].index(2) ;; __eq__: {o} in (1, 2) ;; __hash__: {{1, {o}}}
__hash__: {o} in {{1}} ;; __iter__: a, *b = {o} ;; __iter__: res.extend({o}) ;; __iter__: set({o})
__iter__: ''.join({o}) ;; __iter__: print(*{o}) ;; __iter__: dict(zip({o}, 'a')) ;; __bool__: any([{o}])
__bool__: list(filter(None, [{o}])) ;; __bool__: {o} and y ;; __bool__: while {o}: break
__index__: range({o}) ;; __index__: 'ab' * {o} ;; __index__: hex({o}) ;; __str__: '{{}}'.format({o})
__format__: f"{{{o}:>3}}" ;; __getitem__: list({o}) ;; __getitem__: 3 in {o} ;; __getitem__: a, b = {o}
__exit__: with {o}: pass ;; __divmod__: divmod({o}, 2) ;; __rsub__: 1 - {o} ;; __ior__: {o} |= 1
__trunc__: __import__('math').trunc({o}) ;; __floor__: __import__('math').floor({o})
__fspath__: __import__('os').fspath({o}) ;; __complex__: complex({o})
__copy__: __import__('copy').copy({o}) ;; __sizeof__: sys.getsizeof({o}) ;; __class_getitem__: type({o})[1]
__lt__: __import__('heapq').heapify([{o}, {o}]) ;; __len__: bool({o}) ;; __len__: 1 if {o} else 2
__len__: reversed({o}) ;; __reduce_ex__: __import__('copy').copy({o})
__await__: (lambda: {o}.__await__())() ;; __pow__: {o} ** 2 ;; __and__: {o} & {o}
""")
DEATHS = _parts("""
o = None ;; del o ;; o = [o]; o = 1 ;; box = [o]; o = 0 / box.clear() ;; box = {1: o}; o = 0 / del box[1]
box = {1: o}; o = 0 / box[1] = 2 ;; box = (1, [o]); o = 0 / box = None
box = types.SimpleNamespace(o=o); o = 0 / box.o = 1 ;; box = [o, 1]; o = 0 / box.pop(0)
box = [o, 1]; o = 0 / box[0:1] = [] ;; dies(o); o = 0 ;; o = (o, o) / o = None ;; for o in [0]: pass
box = deque([o]); o = 0 / box.popleft() ;; box = {1: o}; o = 0 / box.popitem()
box = iter([o]); o = 0 / next(box) ;; box = [[o]]; o = 0 / del box[0][:] ;; box = [o, [o]]; o = 0 / box *= 0
o, n = 0, 1 ;; a = b = o; o = 0 / a = 1 / b = 2 ;; types.tmp_ = o; o = 0 / del types.tmp_
box = [o]; box.append(box); o = box = 0 / __import__('gc').collect()
box = (v for v in [o]); o = 0 / y += 1 / box.close() ;; box = [o]; o = 0 / box.reverse(); box = 0
res.append(o); o = 0 / res.pop()
""")  # " / ": a new line
PLACES = (
    "slot",
    "factory",
    "cache",
    "callback",
    "finaliser",
    "iterator",
    "writer",
    "thread",
    "property",
    "method",
)


class HiddenProgram(NamedTuple):
    place: str
    source: str

    @property
    def program(self) -> Program:
        return make_program(self.source, "f", WORLD, origin="test")


def hidden_program(seed: int) -> HiddenProgram:
    random = Random(seed)
    place = random.choice(PLACES)
    parts = [_part(random, place, i) for i in range(random.choice((1, 1, 2)))]
    helper = "".join(part[0] for part in parts)
    body = "".join(part[1] for part in parts)
    f = f"def f(xs, d, s, q, res):\n    y = 0\n{body}    res.append(len(xs))\n    return res\n"
    source = f"{IMPORTS}\ndef dies(o):\n    t = (o, [o])\n    o = 1\n    return 1\n\n{helper}{f}"
    return HiddenProgram(place, source)


def c_callable(random: Random, kinds: tuple[str, ...]) -> str:
    """An expression for a callable in C, wrapped up to twice more."""
    made = random.choice(kinds).format(n=random.randrange(10, 99))
    for _ in range(random.choice((0, 0, 1, 2))):
        made = random.choice(
            ("functools.partial({c})", "functools.partial({c})", "functools.partial(functools.partial({c}))")
        ).format(c=made)
    return made


def nested(random: Random, made: str) -> tuple[list[str], str]:
    """Statements that put an object up to three containers deep, and the expression that gets at it."""
    lines, path = [f"o = {made}"], "o"
    depth = random.choice((0, 0, 1, 2, 3))
    for i in range(depth):
        ways = (
            ("[{o}]", "[0]"),
            ("{{'k': {o}}}", "['k']"),
            ("({o}, 1)", "[0]"),
            ("types.SimpleNamespace(v={o})", ".v"),
        )
        form, step = random.choice(ways)
        path = step + path if i else step
        lines.append(f"o{i} = {form.format(o='o' if not i else f'o{i - 1}')}")
    return lines, f"o{depth - 1}{path}" if depth else "o"


def tried(random: Random, statement: str) -> list[str]:
    """The statement once or twice, its exceptions among the results."""
    lines = []
    for _ in range(random.choice((1, 2, 2))):
        lines += ["try:", f"    {statement}", "except Exception as e:", "    res.append(type(e).__name__)"]
        lines += random.choice(
            (
                [],
                ["y += 1"],
                ["res.append(len(xs))"],
                ["n = (len(xs), len(d), len(s), len(q))", "res.append(n)"],
            )
        )
    return lines


def _class(random: Random, name: str, bases: str, attribute: str, value: str, i: int) -> list[str]:
    """A class whose attribute is given in a class statement, by type(), or afterwards."""
    form = random.randrange(4)
    if form == 0:
        return [f"{name} = type('{name}', ({bases}{',' if bases else ''}), {{'{attribute}': {value}}})"]
    if form == 1:
        return [f"class {name}({bases}): pass", "y += 1", f"{name}.{attribute} = {value}"]
    if form == 2:
        return [f"class {name}({bases}): pass", f"setattr({name}, '{attribute}', {value})"]
    return [f"class {name}({bases}):", f"    {attribute} = {value}"]


def _wrapped_method(random: Random, arguments: tuple[str, ...]) -> str:
    made = c_callable(random, arguments)
    form = random.randrange(4)
    if form == 0 and "partial" not in made:
        return f"staticmethod({made})"
    if form == 1:
        return f"property(lambda self: {made})"
    return made if "partial" in made else f"staticmethod({made})"


def _slot(random: Random, i: int) -> tuple[str, list[str]]:
    name, _, use = random.choice(SLOTS).partition(": ")
    # A `__getitem__` that never raises is an endless sequence.
    value = _wrapped_method(random, ENDING if name == "__getitem__" else ANY)
    if name in ("__instancecheck__", "__subclasscheck__"):
        lines = [*_class(random, f"M{i}", "type", name, value, i), f"class C{i}(metaclass=M{i}): pass"]
        nest, path = nested(random, f"C{i}")
    elif name == "__get__":
        lines = [*_class(random, f"C{i}", "", name, value, i), f"class Holder: o = C{i}()"]
        nest, path = [], ""
    else:
        bases = {"__missing__": "dict"}.get(
            name, random.choice(("", "", "list")) if name not in ("__getattr__",) else ""
        )
        lines = _class(random, f"C{i}", bases, name, value, i)
        if name == "__init__":
            lines.append("y += 1")
            nest, path = [f"k = C{i}"], ""
            use = "k()"
        else:
            nest, path = nested(random, f"C{i}()")
    if name == "__enter__":
        lines.append(f"C{i}.__exit__ = lambda *a: None")
    if name == "__exit__":
        lines.append(f"C{i}.__enter__ = lambda self: self")
    uses = tried(random, use.format(o=path))
    if path and random.random() < 0.25:  # in a frame of its own
        uses = ["def u():", "    nonlocal y, o", *(f"    {line}" for line in uses), "u()"]
    return "", [*lines, *nest, *uses]


def _own(random: Random, i: int) -> tuple[str, list[str]]:
    """A method of a built-in container as a special method of its subclass."""
    base, name, method, use = random.choice((
        ("list", "__lshift__", "list.append", "{o} << 1"), ("list", "__neg__", "list.reverse", "-{o}"),
        ("list", "__invert__", "list.pop", "~{o}"), ("dict", "__pos__", "dict.popitem", "+{o}"),
        ("dict", "__or__", "dict.update", "{o} | {{'z': 1}}"), ("set", "__matmul__", "set.add", "{o} @ 4"),
        ("deque", "__lshift__", "deque.append", "{o} << 1"), ("list", "__getattr__", "list.append", "{o}.no"),
        ("list", "__lshift__", "list.__iadd__", "{o} << [1]"),
        ("dict", "__setattr__", "dict.__setitem__", "{o}.x = 4"),
    ))  # fmt: skip
    made = {"dict": "C{i}(a=1)", "list": "C{i}([1, 2, 3])", "set": "C{i}([1, 2])", "deque": "C{i}([1, 2])"}[
        base
    ].format(i=i)
    lines = [*_class(random, f"C{i}", base, name, method, i), *nested(random, made)[0]]
    path = "o"
    watched = {"dict": "list(o.items())", "set": "sorted(o)"}.get(base, "list(o)")
    return "", [*lines, *tried(random, use.format(o=path)), f"res.append({watched})"]


def _factory(random: Random, i: int) -> tuple[str, list[str]]:
    made = c_callable(random, NONE)
    form = random.randrange(4)
    if form == 0:
        lines, path = ["class D(defaultdict): pass", f"o = D({made})"], "o"
    elif form == 1:
        lines, path = ["o = defaultdict(list)", "y += 1", f"o.default_factory = {made}"], "o"
    else:
        lines, path = nested(random, f"defaultdict({made})")
    use = random.choice(
        (
            "{o}['x']",
            "res.append(str({o}['y']))",
            "'{{z}}'.format_map({o})",
            "operator.getitem({o}, 3)",
            "'%(k)s' % {o}",
        )
    )
    direct = random.choice(("", "", f"'{{z}}'.format_map(defaultdict({made}))"))
    return "", [
        *lines,
        *tried(random, direct or use.format(o=path)),
        *tried(random, f"{path}[{random.randrange(3)}]"),
    ]


def _cache(random: Random, i: int) -> tuple[str, list[str]]:
    kinds, call = random.choice(((ONE, "{o}({n})"), (NONE, "{o}()")))
    how = random.choice(
        ("functools.lru_cache({c})", "functools.cache({c})", "functools.lru_cache(maxsize=2)({c})")
    )
    lines, path = nested(random, how.format(c=c_callable(random, kinds)))
    use = call.format(o=path, n=random.randrange(5))
    more = random.choice((use, f"list(map({path}, [1, 2]))", f"res.append(str({use}))"))
    return "", [*lines, *tried(random, use), *tried(random, more)]


def _death(random: Random, i: int, made: list[str], after: list[str]) -> list[str]:
    death = random.choice(DEATHS)
    return [
        *made,
        *after,
        *death.split(" / "),
        *random.choice(([], ["y += 1"], ["res.append(len(xs))"])),
    ]


def _callback(random: Random, i: int) -> tuple[str, list[str]]:
    made = c_callable(random, ONE + ANY)
    ref = random.choice(
        (
            "r{i} = weakref.ref(o, {c})",
            "r{i} = [weakref.ref(o, {c})]",
            "r{i} = {{'w': [weakref.ref(o, {c})]}}",
            "r{i} = weakref.proxy(o, {c})",
        )
    )
    return "", _death(random, i, [f"class A{i}: pass", f"o = A{i}()"], [ref.format(i=i, c=made)])


def _finaliser(random: Random, i: int) -> tuple[str, list[str]]:
    made = c_callable(random, ANY)
    lines = [
        *_class(random, f"A{i}", random.choice(("", "", "list", "Exception")), "__del__", made, i),
        f"o = A{i}()",
    ]
    if random.random() < 0.2:
        return "", [*lines, "res.append(1)"]  # it dies when f ends
    return "", _death(random, i, lines, [])


def _iterator(random: Random, i: int) -> tuple[str, list[str]]:
    form = random.randrange(3)
    if form == 0:
        lines = [
            *_class(random, f"I{i}", "", "__next__", f"staticmethod({c_callable(random, NONE)})", i),
            f"I{i}.__iter__ = lambda self: self",
        ]
        lines.append(f"o = I{i}()")
    elif form == 1:
        lines = [f"o = map({c_callable(random, ONE)}, [1, 2, 3])"]
    else:
        lines = [f"o = iter({c_callable(random, NONE)}, 7)"]
    use = random.choice(
        (
            "next(o)",
            "next(o)",
            "for v in itertools.islice(o, 2): y += 1",
            "a, b = itertools.islice(o, 2)",
            "list(itertools.islice(o, 2))",
            "3 in itertools.islice(o, 2)",
            "[v for v in itertools.islice(o, 2)]",
            "list(zip('ab', o))",
        )
    )
    return "", [*lines, *tried(random, use)]


def _writer(random: Random, i: int) -> tuple[str, list[str]]:
    write = random.choice(ONE)
    form = random.randrange(3)
    if form == 0:
        lines = [f"class W{i}:", f"    write = staticmethod({write})", "    flush = staticmethod(s.clear)"]
        made = random.choice((f"W{i}()", f"W{i}"))
    elif form == 1:
        lines, made = [], f"types.SimpleNamespace(write={write})"
    else:
        lines = [f"class W{i}: pass", f"w = W{i}()", f"w.write = {write}"]
        made = "w"
    if random.random() < 0.5:
        nest, path = nested(random, made)
        return "", [*lines, *nest, *tried(random, f"print('a', {random.randrange(9)}, file={path})")]
    stream = random.choice(("stdout", "stdout", "stderr"))
    use = {"stdout": "print('b')", "stderr": "print('c', file=sys.stderr)"}[stream]
    return "", [
        *lines,
        f"old = sys.{stream}",
        f"sys.{stream} = {made}",
        *tried(random, use),
        f"sys.{stream} = old",
    ]


def _thread(random: Random, i: int) -> tuple[str, list[str]]:
    made = random.choice((c_callable(random, NONE), f"functools.partial({c_callable(random, ONE)}, 4)"))
    start = f"_thread.start_new_thread(list, (map(operator.call, [{made}, lock{i}.release]),))"
    wait = f"lock{i}.acquire(True, 0.5)"  # it is taken: whoever starts the thread waits for its end
    return "", [f"lock{i} = _thread.allocate_lock()", f"{wait}; {start}; {wait}", "y += 1"]


def _property(random: Random, i: int) -> tuple[str, list[str]]:
    lines = _class(random, f"P{i}", "", "p", f"property({c_callable(random, ANY)})", i)
    nest, path = nested(random, f"P{i}()")
    return "", [*lines, *nest, *tried(random, f"{path}.p")]


_PARTS: dict[str, Callable[[Random, int], tuple[str, list[str]]]] = {
    "slot": _slot, "factory": _factory, "cache": _cache, "callback": _callback, "finaliser": _finaliser,
    "iterator": _iterator, "writer": _writer, "thread": _thread, "property": _property, "method": _own,
}  # fmt: skip


def _part(random: Random, place: str, i: int) -> tuple[str, str]:
    helper, lines = _PARTS[place if not i else random.choice(PLACES)](random, i)
    return helper, "".join(f"    {line}\n" for line in lines)
