"""From the state at a step and the source alone the run goes on: the same result from every step.

States are rebuilt from the trace; where that or going on is refused, the reason must be one that the program
gives, and those stand beside it.
"""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.second_opinion.rebuild import rebuilt
from tests.second_opinion.resume import LiveFrame, resume
from tests.second_opinion.same import same_outcome
from tests.tracing.drawn_programs import sources
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.errors import NotResumable
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Trace
from deskcheck.tracing import access
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

pytestmark = pytest.mark.skipif(
    not access.has_native(), reason="without the C extension no iterators are seen"
)

LOOPS = """
def f(n):
    out = []
    for i in range(n):
        if i == 1:
            continue
        j = 0
        while j < 3:
            j += 1
            if j == 2:
                continue
            for c in 'abc':
                if c == 'b' and i:
                    break
                out.append((i, j, c))
            else:
                out.append('all')
        else:
            out.append('done')
        if i == 3:
            break
    else:
        out.append('never')
    return out
"""
TRIES = """
def g(x):
    try:
        y = 10 // x
        if y > 5:
            raise KeyError(y)
        z = y
    except ZeroDivisionError:
        z = -1
        z -= 1
    else:
        z += 100
    finally:
        w = 1
    return z
def f():
    out = []
    for x in [5, 0, 1]:
        try:
            a = g(x)
        except KeyError as e:
            a = e.args
        out.append(a)
    return out
"""
CALLS = """
def up(n):
    if n == 0:
        return 1
    below = up(n - 1)
    return below * n
def all_up(xs):
    out = []
    for x in xs:
        out.append(0)
        v = up(x)
        out[-1] = v
    return out
def f():
    a = all_up([3, 2])
    total = 0
    for v in a:
        total += v
    return total, a
"""
OWN_LOOP = """
def f(d):
    n = 0
    for k, v in d.items():
        n += v
    for a, b in zip([1, 2], [3, 4]):
        n += a * b
    for i, c in enumerate('xy'):
        n += i
    for r in reversed([1, 2]):
        n *= r + 1
    return n
"""
GLOBALS = """
count = 0
seen = []
class Box:
    def __init__(self, v):
        self.v = v
def bump(b):
    global count
    count += b.v
    seen.append(b)
def f():
    global count
    b = Box(2)
    c = b
    bump(b)
    c.v += 5
    bump(c)
    count = count + b.v
    return count, len(seen), seen[0] is b
"""

FINALLY = """
log = []
def g(x):
    try:
        if x == 1:
            return 'early'
        log.append(10 // x)
        if x > 2:
            raise KeyError(x)
    except ZeroDivisionError as e:
        log.append(type(e).__name__)
        try:
            raise ValueError(x) from e
        except ValueError:
            log.append('inner')
        log.append('after')
    finally:
        log.append('end')
        log.append(x)
    return x
def f():
    for x in [0, 1, 2, 3]:
        try:
            log.append(g(x))
        except KeyError as k:
            kept = k.args
            log.append(kept)
            try:
                raise
            except KeyError:
                log.append('again')
    return log
"""
CLOSURES = """
def make(start):
    total = start
    def add(x, twice=2):
        nonlocal total
        total += x * twice
        return total
    def show():
        return total, add(0)
    def fact(n):
        if n < 2:
            return 1
        return n * fact(n - 1)
    return add, show, fact
def f():
    add, show, fact = make(5)
    a = add(1)
    b = show()
    add(2)
    c = [add(i) for i in range(2)]
    return a, b, c, show(), fact(3)
"""
GENERATORS = """
def count(n):
    try:
        for i in range(n):
            got = yield [i]
            if got:
                n = yield got * 2
    finally:
        log.append('closed')
log = []
def pairs(xs):
    for x in xs:
        yield x, x
def f():
    g = count(3)
    a = next(g)
    b = g.send(5)
    p = pairs(iter('ab'))
    q = pairs('xy')
    next(p)
    c = next(g)
    d = list(p)
    g.close()
    return a, b, c, d, list(q), log
"""
EXPRESSIONS = """
class Base:
    def __init__(self, v):
        self.v = v
class Box(Base):
    def __init__(self, v):
        w = v
        super().__init__(w)
        self.w = 2
    def add(self, n, *more, k=1):
        m = self.v + n
        return m + sum(more) * k
def fib(n):
    if n < 2: return n
    return fib(n - 1) + fib(n - 2)
def g(x):
    y = x
    return [y]
def f():
    out = []; a = 1; b = 2
    out.append(g(1) + [a] + g(2))
    out += g(fib(3)) * 2
    print(end=str(g(0) and '')); c = Box(3).add(1, *g(2), k=len(g(5)))
    x = {'a': g(1), 'b': [h for h in g(2)] + [max(g(4))]}
    if g(0) and (a if g(1)[0] else b): out.append(c)
    while a < 3: a += g(1)[0]; b = a
    return out, x, a, b, f'{g(7)!r:>5}'
"""
ALIASES = """
class Node:
    __slots__ = ('v', 'next')
    def __init__(self, v):
        self.v = v
class Numbers(list):
    pass
class Word(str):
    pass
def f(box=[]):
    a = Node(1)
    b = Node(2)
    a.next = b
    b.next = a
    c = Numbers([a, b])
    c.extra = c
    box.append(len(c))
    w = Word('w')
    w.more = [w]
    d = {1: c, (2, 3): frozenset([7])}
    e = d.items()
    d[5] = w
    it = enumerate(zip(c, [1, 2, 3]))
    next(it)
    r = [range(3), slice(1, None), 2.5, 1j, b'x', 10**30, ..., 'é\\ud800']
    k, (v, n) = next(it)
    return a.next.next is a, c.extra is c, w.more[0] is w, len(e), k, v is b, n, r, box
"""

CASES: dict[str, tuple[str, str, str]] = {
    "loops": (LOOPS, "f", "5"),
    "tries": (TRIES, "f", ""),
    "calls": (CALLS, "f", ""),
    "own loop": (OWN_LOOP, "f", "{'a': 1, 'b': 2}"),
    "module names": (GLOBALS, "f", ""),
    "finally": (FINALLY, "f", ""),
    "made closures": (CLOSURES, "f", ""),
    "waiting generators": (GENERATORS, "f", ""),
    "expressions": (EXPRESSIONS, "f", ""),
    "aliased objects": (ALIASES, "f", ""),
    **PROGRAMS,
}
# What a case may refuse, as parts of the reasons; all other states of it must go on.
REFUSED: dict[str, tuple[str, ...]] = {
    "waiting generators": ("a generator is running",),
    "expressions": ("what is about to be called", "or with *args", "several calls on line"),
    "dicts and sets": ("order of a set",),
    "closures": ("whose variable 'i'", "opaque object: cell", "an operator, a statement"),
    "generators": ("a generator is running",),
    "dropped generators": ("a generator is running",),
    "callbacks": ("an operator, a statement, a built-in or with *args",),
    "class body": ("body of a module or class",),
    "temporaries": ("several calls on line 6",),
    "subclasses": ("length of a deque",),
    "with and match": (
        "exit of a with block",
        "an operator, a statement, a built-in or with *args",
        "traceback",
    ),
}


def gone_on(program: Program, trace: Trace, index: int) -> bool:
    """Whether the run goes on from that event to its own end. NotResumable where it is refused."""
    with rebuilt(program, trace, index) as state:
        value, error = None, None
        try:
            value = resume(program, state.frames, state.namespace)
        except NotResumable:
            raise
        except Exception as raised:
            error = raised
        return same_outcome(trace, value, error)


def lines_of(trace: Trace) -> list[int]:
    return [index for index, kind in enumerate(trace.events.kind) if kind == EventKind.LINE]


@pytest.mark.parametrize("name", CASES)
def test_the_program_goes_on_from_every_step_to_the_same_result(name: str) -> None:
    source, entry, arguments = CASES[name]
    program = make_program(source, entry, arguments, origin="test")
    trace = trace_program(program, Limits())
    assert isinstance(trace.outcome, Returned | Raised)
    n_resumed = n_refused = 0
    for index in lines_of(trace):
        where = f"from event {index}, line {trace.events.line[index]}"
        try:
            assert gone_on(program, trace, index), where
            n_resumed += 1
        except NotResumable as reason:
            assert any(part in str(reason) for part in REFUSED.get(name, ())), f"{where}: {reason}"
            n_refused += 1
    assert n_resumed > 0 or name == "dicts and sets"
    assert bool(n_refused) == (name in REFUSED)


@settings(max_examples=40)
@given(sources(), st.data())
def test_drawn_programs_go_on_from_any_step(source: str, data: st.DataObject) -> None:
    program = make_program(source, "f", "", origin="test")
    trace = trace_program(program, Limits(max_steps=2000))
    if not isinstance(trace.outcome, Returned | Raised) or not lines_of(trace):
        return
    index = data.draw(st.sampled_from(lines_of(trace)))
    try:
        assert gone_on(program, trace, index), f"event {index}, line {trace.events.line[index]}"
    except NotResumable as reason:
        assert "order of a set" in str(reason) or "several" in str(reason)


@settings(max_examples=40)
@given(st.sampled_from(["easy", "medium", "hard"]), st.integers(0, 10**6), st.data())
def test_generated_programs_go_on_from_any_step(family: str, number: int, data: st.DataObject) -> None:
    found = candidate(FAMILIES[family], 79, number)
    if found is None:
        return
    program, trace = found
    index = data.draw(st.sampled_from(lines_of(trace)))
    try:
        assert gone_on(program, trace, index), f"event {index}, line {trace.events.line[index]}"
    except NotResumable as reason:
        assert "order of a set" in str(reason)


def test_another_result_is_not_the_same() -> None:
    program = make_program("def f():\n    a = [1]\n    return a, a, {2}\n", "f", "", origin="test")
    trace = trace_program(program, Limits())
    one = [1]
    assert same_outcome(trace, (one, one, {2}), None)
    for other in ((one, [1], {2}), ([1.0], one, {2}), (one, one, {2, 3}), [one, one, {2}], None):
        assert not same_outcome(trace, other, None)
    assert not same_outcome(trace, None, ValueError())
    raises = make_program("def f():\n    raise KeyError('a')\n", "f", "", origin="test")
    trace = trace_program(raises, Limits())
    assert same_outcome(trace, None, KeyError("a"))
    assert not same_outcome(trace, None, KeyError("b")) and not same_outcome(trace, None, ValueError("a"))


# ------------------------------------------------------------------ states from elsewhere


def refusal(source: str, frames: list[LiveFrame]) -> str:
    program = make_program(source, "f", "", origin="test")
    with pytest.raises(NotResumable) as caught:
        resume(program, frames, {})
    return str(caught.value)


def test_what_is_not_sure_is_refused_with_its_reason() -> None:
    one = "def f():\n    x = 1\n    return x\n"
    assert "1 temporaries" in refusal(one, [LiveFrame("f", 2, {}, [], [1])])
    with_block = "def f():\n    with open('x') as g:\n        y = 1\n"
    assert "exit of a with block" in refusal(with_block, [LiveFrame("f", 3, {})])
    finally_block = "def f():\n    try:\n        x = 1\n    finally:\n        y = 1\n"
    assert "several instructions" in refusal(finally_block, [LiveFrame("f", 5, {})])
    handler = "def f():\n    try:\n        x = g()\n    except KeyError:\n        raise\n"
    assert "1 exceptions are handled" in refusal(handler, [LiveFrame("f", 5, {})])
    generator = "def f():\n    x = (i for i in [1])\n    return 1\n"
    assert "live generator" in refusal(generator, [LiveFrame("f", 3, {"x": (i for i in [1])})])
    closure = "def f():\n    n = 1\n    def g():\n        return n\n    return g()\n"
    assert "enclosing function" in refusal(closure, [LiveFrame("f.<locals>.g", 4, {"n": 1})])
    twice = "def g(x):\n    return x\ndef f():\n    return g(1) and g(2)\n"
    assert "several calls" in refusal(twice, [LiveFrame("f", 4, {}), LiveFrame("g", 2, {"x": 1})])
    made = "class A:\n    def __init__(self):\n        self.x = 1\ndef f():\n    return A()\n"
    other = type("B", (), {})()
    assert "A" in refusal(made, [LiveFrame("f", 5, {}), LiveFrame("A.__init__", 3, {"self": other})])
    meta = "class M(type):\n    pass\n" + made.replace("class A:", "class A(metaclass=M):")
    assert "A" in refusal(meta, [LiveFrame("f", 7, {}), LiveFrame("A.__init__", 5, {"self": other})])
    operator = "class A:\n    def __add__(self, o):\n        return 1\ndef f():\n    return A() + 1\n"
    assert "an operator" in refusal(
        operator, [LiveFrame("f", 5, {}), LiveFrame("A.__add__", 3, {"self": 1, "o": 1})]
    )
    loop = "def f():\n    for i in range(3):\n        x = i\n"
    assert "0 iterators" in refusal(loop, [LiveFrame("f", 3, {"i": 0})])
    assert "iterator that is none" in refusal(loop, [LiveFrame("f", 3, {"i": 0}, [7])])
    running = "def f():\n    yield 1\n"
    assert "a generator is running" in refusal(running, [LiveFrame("f", 2, {})])
    assert "0 functions" in refusal(loop, [LiveFrame("g", 3, {"i": 0})])
    assert "no local variable 'q'" in refusal(loop, [LiveFrame("f", 3, {"q": 0}, [iter([])])])
    assert "body of a module" in refusal("x = 1\n", [LiveFrame("<module>", 1, {})])
    coroutine = "async def f():\n    x = 1\n"
    assert "coroutine" in refusal(coroutine, [LiveFrame("f", 2, {})])


def test_what_a_trace_does_not_hold_is_refused() -> None:
    def reason(source: str, step: int) -> str:
        program = make_program(source, "f", "", origin="test")
        trace = trace_program(program, Limits(value_bytes=100))
        with pytest.raises(NotResumable) as caught, rebuilt(program, trace, lines_of(trace)[step]):
            pass
        return str(caught.value)

    assert "that was cut: str" in reason("def f():\n    a = 'x' * 1000\n    return a\n", 1)
    opaque = "import itertools\ndef f():\n    a = itertools.count()\n    return 1\n"
    assert any(part in reason(opaque, 1) for part in ("opaque", "a class written in C: itertools.count"))
    assert "order of a set" in reason("def f():\n    a = {'x', 'y'}\n    return 1\n", 1)
    assert "not a line" in str(_refused_event("def f():\n    return 1\n"))
    twice = (
        "def make(n):\n    def g():\n        return n\n    return g\n"
        "def f():\n    a = make(1)\n    b = make(2)\n    return a() + b()\n"
    )
    assert "make was called 2 times" in reason(twice, -1)


def _refused_event(source: str) -> Exception:
    program = make_program(source, "f", "", origin="test")
    with pytest.raises(NotResumable) as caught, rebuilt(program, trace_program(program, Limits()), 0):
        pass
    return caught.value


def test_an_exception_of_the_callee_arrives_in_the_caller() -> None:
    source = """\
def g():
    x = 1
    raise KeyError(x)
def f():
    try:
        v = g()
    except KeyError:
        return 'caught'
"""
    program = make_program(source, "f", "", origin="test")
    assert resume(program, [LiveFrame("f", 6, {}), LiveFrame("g", 3, {"x": 5})], {}) == "caught"


def test_a_variable_that_was_not_bound_is_not_bound_afterwards() -> None:
    source = "def f():\n    x = 1\n    y = 2\n    return x\n"
    program = make_program(source, "f", "", origin="test")
    # From 3.12 on the compiler has left out the check: the state of no run, refused before it could crash.
    with pytest.raises(UnboundLocalError if sys.version_info < (3, 12) else NotResumable, match="x"):
        resume(program, [LiveFrame("f", 4, {})], {})
