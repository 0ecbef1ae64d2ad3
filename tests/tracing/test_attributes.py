"""What an object's attributes are: their names, their order, and which of several of one name counts.

Then the names of frames that wait.

Each program was once recorded wrongly, without a note, or refused.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from tests.tracing.plain_text import text_of_handle
from tests.tracing.test_native import made

from deskcheck.records import EventKind, Granularity, Limits, Returned, Trace
from deskcheck.tracing import access, run
from deskcheck.tracing.replay import states

TRACERS = (("reference", Granularity.LINE), *(("native", granularity) for granularity in Granularity))
PAD = "    rows = [[i] for i in range(400)]\n"
"""With these objects a run is too costly for the net to look at each line."""

# f binds `o` and ends with the line `return 0`; then these are the attributes of `o`.
PROGRAMS = {
    "a key that is a member of an enumeration": (
        """
import enum
class K(enum.StrEnum): SIZE = 'size'
class O: pass
def f():
    o = O()
    o.a = 1
    setattr(o, K.SIZE, 5)
    o.size += 1
    return 0
""",
        ["a=int 0x1", "size=int 0x6"],
    ),
    "keys that no name finds": (
        """
class K(str):
    def __hash__(self): return 3
    def __eq__(self, other): return self is other
class O: pass
def f():
    o = O()
    o.a = 1
    vars(o)[K('a')] = 5
    return 0
""",
        ["a=int 0x1"],
    ),
    "classes whose `__module__` is no text": (
        """
class Equal:
    def __eq__(self, other): raise SystemExit(other)
class O: pass
class E(Exception): pass
O.__module__, E.__module__ = [], Equal()
def f():
    o = O()
    try: raise E
    except E as e: o.a = 1
    return 0
""",
        ["a=int 0x1"],
    ),
    "two slots of one name": (
        """
class A: __slots__ = ('w', 'x')
class B(A): __slots__ = ('x', 'y')
def f():
    o, p, q = B(), [1], [2]
    A.x.__set__(o, p)
    o.x = q
    o.y = 4
    o.x.append(3)
    n = len(q)
    q.append(5)
    return 0
""",
        ["x=list[int 0x2, int 0x3, int 0x5]", "y=int 0x4"],
    ),
    "a slot before the dictionary": (
        """
class A: __slots__ = ('x', '__dict__')
def f():
    o = A()
    vars(o)['x'] = 9
    o.y = 1
    return 0
""",
        ["y=int 0x1"],
    ),
    "a slot of a base before the dictionary": (
        """
class A: __slots__ = ('x',)
class B(A): pass
def f():
    o = B()
    o.x = 3
    o.y = 1
    vars(o)['x'] = 9
    return 0
""",
        ["x=int 0x3", "y=int 0x1"],
    ),
    "an attribute that was deleted": (
        """
class O: pass
def f():
    o = O()
    o.x, o.y, o.z = 1, 2, 3
    v = o.x; del o.x; o.x = v
    return 0
""",
        ["y=int 0x2", "z=int 0x3", "x=int 0x1"],
    ),
    "an attribute that was taken out": (
        """
class O: pass
def f():
    o = O()
    o.x, o.y, o.z = 1, 2, 3
    setattr(o, 'y', vars(o).pop('y'))
    o.w = 5
    return 0
""",
        ["x=int 0x1", "z=int 0x3", "y=int 0x2", "w=int 0x5"],
    ),
    "a class that says it is of another module": (
        """
def f():
    class o: x = 1
    y = o.x
    o.__module__ = 'lib'
    o.x = 2
    return 0
""",
        ["x=int 0x2"],
    ),
}  # fmt: skip


def traces(source: str) -> Iterator[tuple[str, Trace]]:
    for tracer, granularity in TRACERS:
        if tracer == "native" and not access.has_native():
            continue
        trace = run.trace_program(made(source), Limits(), granularity=granularity, tracer=tracer)
        yield f"{tracer}, {granularity.name}", trace


@pytest.mark.parametrize("pad", ["", PAD])
@pytest.mark.parametrize("name", PROGRAMS)
def test_attributes_are_those_that_names_find(name: str, pad: str) -> None:
    source, expected = PROGRAMS[name]
    for how, trace in traces(source.lstrip().replace("def f():\n", f"def f():\n{pad}")):
        assert isinstance(trace.outcome, Returned), (how, trace.outcome)
        named: list[tuple[str, str]] = []
        for event, state in states(trace):
            if event.kind == EventKind.LINE and event.line == source.count("\n") - 1 + bool(pad):
                found = state.object(state.frames[0].bindings["o"])
                assert found is not None
                pairs = (found.attributes or found.entries).items()
                named = [(text_of_handle(state, key), text_of_handle(state, value)) for key, value in pairs]
        assert [f"{key[5:-1]}={value}" for key, value in named] == expected, how


WRITES = """
import sys
def up(names):
    names['x'] = 2
    n = 1
    sys._getframe(1).f_locals['x'] = 3
    n = 2
def f():
    x = 1
    up(sys._getframe().f_locals)
    return x
"""
BODY = """
import sys
def up():
    sys._getframe(1).f_locals['x'] = 2
    n = 1
    sys._getframe(1).f_locals['x'] = 3
    n = 2
def f():
    class C:
        x = 1
        up()
        y = x
    return C.y
"""


@pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
@pytest.mark.parametrize("granularity", Granularity)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(
            WRITES, marks=pytest.mark.skipif(sys.version_info < (3, 13), reason="a copy before 3.13")
        ),
        BODY,
    ],
)
def test_a_name_of_a_frame_that_waits_is_known_at_once(source: str, granularity: Granularity) -> None:
    trace = run.trace_program(made(source), Limits(), granularity=granularity, tracer="native")
    found = [
        text_of_handle(state, state.frames[-2].bindings["x"])
        for event, state in states(trace)
        if event.kind == EventKind.LINE and "n" in state.frames[-1].bindings
    ]
    assert isinstance(trace.outcome, Returned)
    assert found[-2:] == ["int 0x2", "int 0x3"]
