"""What a line changes is looked for after it: code in the middle may have rebound every name on the way.

Every place of a container x every way to rebind it x every operation x every shape of the statement is
traced by what lines can change, and once more with all objects compared at every event.
"""

from __future__ import annotations

from itertools import product

import pytest
from tests.tracing.telling import moments
from tests.tracing.test_native import made, same, traced_native

from deskcheck.records import Granularity, Limits, Raised, Returned

HEAD = """
import functools, json, operator, sys, types
from unittest import mock
class Class:
    xs = [1, 2]
    at = 0
    def put(self, x): pass
class Other:
    xs = [3, 4]
    at = 1
class Child(Class): pass
class Slots: __slots__ = ("xs", "at")
class Own(list): pass
class Equal:
    def __init__(self, call): self.call = call
    def __eq__(self, other): return self.call() > 0
def given(*values): return values[-1]
library = types.ModuleType("library")
def attributes(): pass
def other(): pass
other.xs, other.at = [5, 6], 1
class Waits:
    def __await__(self): return (yield 1)
world, world_at = [1, 2], 0
"""
# Place of a container, place of an index, what makes both, and statements that rebind them.
PLACES = {
    "a local": ("here", "k", "here, k = [1, 2], 0", ["here = [5, 6]; k = 1"]),
    "a cell": ("cell", "cell_at", "", ["cell = [5, 6]; cell_at = 1"]),
    "a global": (
        "world",
        "world_at",
        "",
        ["world = [5, 6]; world_at = 1", "globals().update(world=[5, 6], world_at=1)"],
    ),
    "an attribute": (
        "o.xs",
        "o.at",
        "o.xs, o.at = [1, 2], 0",
        [
            "o.xs = [5, 6]; o.at = 1",
            "del o.xs, o.at",
            "vars(o).update(xs=[5, 6], at=1)",
            "o.__class__ = Other; vars(o).clear()",
        ],
    ),
    "a class's": (
        "Class.xs",
        "Class.at",
        "",
        ["Class.xs = [5, 6]; Class.at = 1", "setattr(Class, 'xs', [5, 6]); setattr(Class, 'at', 1)"],
    ),
    "a class's, by an instance": (
        "o.xs",
        "o.at",
        "",
        ["Class.xs = [5, 6]; Class.at = 1", "o.xs = [5, 6]; o.at = 1", "o.__class__ = Other"],
    ),
    "a base's": (
        "c.xs",
        "c.at",
        "c = Child()",
        ["Child.xs = [5, 6]; Child.at = 1", "Class.xs = [5, 6]; Class.at = 1", "Child.__bases__ = (Other,)"],
    ),
    "a name from a text": (
        "o.xs",
        "o.at",
        'vars(o).update(json.loads(\'{"xs": [1, 2], "at": 1}\'))',
        [
            "o.xs = [5, 6]; o.at = 0",
            'vars(o).update(json.loads(\'{"xs": [5, 6], "at": 0}\'))',
            "del o.xs, o.at",
        ],
    ),
    "a slot": ("s.xs", "s.at", "s = Slots(); s.xs, s.at = [1, 2], 0", ["s.xs = [5, 6]; s.at = 1"]),
    "a module's": (
        "library.xs",
        "library.at",
        "library.xs, library.at = [1, 2], 0",
        ["library.xs = [5, 6]; library.at = 1"],
    ),
    "a function's": (
        "attributes.xs",
        "attributes.at",
        "attributes.xs, attributes.at = [1, 2], 0",
        ["attributes.xs = [5, 6]; attributes.at = 1"],
    ),
    "a closure's attribute": (
        "named.xs",
        "named.at",
        "at, xs = 1, [7, 8]\n    def named(): return at, xs\n    named.xs, named.at = [1, 2], 0",
        ["named.xs = [5, 6]; named.at = 1"],
    ),
    "an item": (
        "d['xs']",
        "d['at']",
        "d = {'xs': [1, 2], 'at': 0}",
        ["d['xs'] = [5, 6]; d['at'] = 1", "d.update(xs=[5, 6], at=1)"],
    ),
    "an item of a list": (
        "l[0]",
        "l[1]",
        "l = [[1, 2], 0]",
        ["l[0] = [5, 6]; l[1] = 1", "l.reverse(); l.insert(0, [5, 6])"],
    ),
    "an attribute's item": (
        "o.d['xs']",
        "o.d['at']",
        "o.d = {'xs': [1, 2], 'at': 0}",
        ["o.d = {'xs': [5, 6], 'at': 1}"],
    ),
}
# Further ways, of which none is a store in the program's own text: no list of these can be whole.
INDIRECT = {
    "a global": [
        "exec('world = [5, 6]; world_at = 1', globals())",
        "vars(sys.modules[f.__module__])['world'] = [5, 6]",
    ],
    "an attribute": [
        "object.__setattr__(o, 'xs', [5, 6])",
        "o.__dict__ = {'xs': [5, 6], 'at': 1}",
        "mock.patch.object(o, 'xs', [5, 6]).start()",
        "operator.setitem(vars(o), 'xs', [5, 6])",
    ],
    "a class's": [
        "type.__setattr__(Class, 'xs', [5, 6])",
        "exec('Class.xs = [5, 6]; Class.at = 1')",
        "for n, v in dict(xs=[5, 6], at=1).items(): setattr(Class, n, v)",
        "mock.patch.multiple(Class, xs=[5, 6], at=1).start()",
        "list(map(setattr, [Class, Class], ['xs', 'at'], [[5, 6], 1]))",
        "functools.partial(setattr, Class)('xs', [5, 6])",
    ],
    "a class's, by an instance": [
        "type(o).xs = [5, 6]",
        "setattr(type(o), 'xs', [5, 6])",
        "setattr(o, '__class__', Other)",
    ],
    "a base's": ["type.__setattr__(Child, '__bases__', (Other,))"],
    "a slot": ["Slots.xs.__set__(s, [5, 6])", "object.__setattr__(s, 'at', 1)"],
    "a module's": [
        "library.__dict__['xs'] = [5, 6]; library.__dict__['at'] = 1",
        "exec('xs = [5, 6]; at = 1', vars(library))",
        "types.ModuleType.__setattr__(library, 'xs', [5, 6])",
        "mock.patch.object(library, 'xs', [5, 6]).start()",
    ],
    "a function's": [
        "attributes.__dict__ = {'xs': [5, 6], 'at': 1}",
        "vars(attributes).update(xs=[5, 6], at=1)",
        "functools.wraps(other)(attributes)",
    ],
    "an item": ["dict.update(d, xs=[5, 6])", "operator.setitem(d, 'xs', [5, 6])"],
}
OPERATIONS = (
    "{x}.append({e})",
    "{x}[0] = {e}",
    "{x}[{i}] = {e}",
    "{x}[{i}] += {e}",
    "{x} += [{e}]",
    "{x}[{i}:] = [{e}]",
    "{x}.append({x}.append({e}))",
    "{x}.append(fixed.pop({i}) and {e})",
    "fixed[{i}] = {e}",
    "fixed[{i}] += {e}",
    "{x}[0], fixed[{i}] = {e}, 4",
    "fixed.insert({i}, {e})",
)
IN_THE_METHOD = (
    "{x}.sort(key=lambda _: swap())",
    "{x}.extend(swap() for _ in [1])",
    "{x}.extend(map(lambda _: swap(), [1]))",
    "{x}.remove(Equal(swap))",
    "{x}[0:1] = (swap() for _ in [1, 2])",
    "{x} += (swap() for _ in [1])",
)
"""Here the code in C that changes the container calls what rebinds the way to it."""
IN_ONE_LINE = (
    "[{x}.append(swap()) for _ in fixed]",
    "{x}.append(3); {r}",
    "{r}; {x}.append(3)",
    "{r}; fixed[{i}] += 1",
    "fixed[{i}] += 1; {r}",
)
"""Statements with the rebinding itself, {r}, in the line, or with several calls of it."""
SHAPES = {
    "a line": "swap()",
    "several lines": "(\n        swap()\n    )",
    "a yield": "(yield)",
    "an await": "await Waits()",
}


SETTLE = "operator.add([], [])"
"""After it, a tracer knows what holds each object. Before it, unknown code has everything compared."""


def source_of(place: str, rebind: str, operation: str, shape: str) -> str:
    """Return a program: `old` is the container with which the statement begins, `fixed` one that stays."""
    x, i, setup, _ = PLACES[place]
    is_local = place == "a local"
    statement = operation.format(x=x, i=i, e=SHAPES.get(shape), r=rebind)
    if is_local:  # only its own function rebinds it: by the value of the statement itself
        e = {
            "a line": "(here := [5, 6], k := 1)[1]",
            "a call": "given(here := [5, 6], k := 1)",
            "several lines": "(\n        here := [5, 6],\n        k := 1,\n    )[1]",
        }[shape]
        statement = operation.format(x=x, i=i, e=e, r=rebind)
    lines = [
        "global world, world_at",
        "cell, cell_at, o, fixed = [1, 2], 0, Class(), [1, 2]",
        *([setup] if setup else []),
        f"old = {x}",
        "def swap():",
        f"    {'pass' if is_local else 'global world, world_at'}",
        "    nonlocal cell, cell_at",
        f"    {'pass' if is_local else rebind}",
        "    return 3",
        SETTLE,
    ]
    if shape in ("a yield", "an await") and not is_local:
        names = "global world, world_at" if "global" in place else "nonlocal cell, cell_at"
        lines += [
            "async def inner():" if shape == "an await" else "def inner():",
            f"    {names}",
            f"    {statement}",
            *(["    yield"] if shape == "a yield" else []),
            "waiting = inner()",
            "waiting.send(None)",
            "swap()",
            "try: waiting.send(7)",
            "except StopIteration: pass",
        ]
    else:
        lines.append(statement)
    lines += ["n = [*old, *fixed]", "old.append(8); fixed.append(9)", "return n"]
    return HEAD + "def f():\n" + "".join(f"    {line}\n" for line in lines)


METHODS = {
    "deleted": ("o.put = log.append", "o.put", "del o.put"),
    "bound anew": ("o.put = log.append", "o.put", "o.put = abs"),
    "its class's, bound anew": ("Class.put = log.append", "Class.put", "Class.put = abs"),
    "no method of its class": ("o.give = log.append", "o.give", "del o.give"),
    "a list's own": ("o = Own([1]); o.append = log.append", "o.append", "pass"),
    "a list's own, deleted": ("o = Own([1]); o.append = log.append", "o.append", "del o.append"),
    "a library's": ("library.put = log.append", "library.put", "library.put = abs"),
    "a global": ("global world; world = log.append", "world", "world = abs"),
    "a cell": ("cell = log.append", "cell", "cell = abs"),
}


def method_source(name: str, shape: str) -> str:
    """Return a program that calls what has been rebound before it is called."""
    setup, callee, rebind = METHODS[name]
    return f"""{HEAD}
def f():
    cell, o, log = None, Class(), []
    {setup}
    def swap():
        global world
        nonlocal cell
        {rebind}
        return -3
    {SETTLE}
    {callee}({SHAPES[shape]})
    n = len(log)
    log.append(2)
    return n
"""


KEYS = f"""
import operator
class Own(list):
    def go(self, k): super().sort(key=k)
    def put(self, other): super(Own, other).append(1)
def f():
    xs, ys = Own([1]), []
    {SETTLE}
    {{statement}}
    n = [len(xs), len(ys)]
    xs.append(3); ys.append(4)
    return n
"""
KEYED = (
    "xs.sort(key=ys.append)",
    "k = ys.append; k = xs.sort(key=k)",
    "xs.go(ys.append)",
    "xs.put(Own())",
    "Own().put(xs)",
    "k = ys.append\n    k(\n        (k := abs)\n    )",
    "k = ys.append\n    @k\n    def g(a=(k := abs)): pass",
    *(f"class A: put = {put}\n    class B(A):\n        {way} go(it): super().put({given})\n    B().go()"
      for put, given in (("ys.append", 3), ("staticmethod(ys.append)", 3), ("classmethod(ys.append)", ""))
      for way in ("def", "@classmethod\n        def")),
)  # fmt: skip


def check(source: str) -> None:
    """Compare both ways to trace, at every granularity.

    In a line of several statements, a store is recorded at the next line. Comparing everything sees it at a
    call in between. So expressions are left out there.
    """
    program = made(source)
    has_store_first = "+= 1; " in source
    for fine in set(Granularity) - {Granularity.EXPRESSION if has_store_first else None}:
        quick, brute = (
            traced_native(program, Limits(), granularity=fine, brute=way) for way in (False, True)
        )
        assert isinstance(brute.outcome, Raised | Returned), (brute.outcome, source)
        try:
            same(quick, brute)
        except AssertionError as error:
            raise AssertionError(f"{fine.name}: {error}: {quick.outcome}\n{source}") from None


@pytest.mark.parametrize("place", PLACES)
def test_what_was_rebound_in_the_middle_of_a_line_is_not_what_it_changed(place: str):
    shapes = list(SHAPES) if place != "a local" else ["a line", "a call", "several lines"]
    for rebind, operation, shape in product(PLACES[place][3], OPERATIONS, shapes):
        check(source_of(place, rebind, operation, shape))
    for rebind, operation in product(
        PLACES[place][3], IN_ONE_LINE if place != "a local" else IN_ONE_LINE[1:]
    ):
        check(source_of(place, rebind, operation, "a line"))
    for rebind, operation in product(PLACES[place][3] if place != "a local" else [], IN_THE_METHOD):
        check(source_of(place, rebind, operation, "a line"))


@pytest.mark.parametrize("place", INDIRECT)
def test_it_does_not_matter_what_bound_a_name_anew(place: str):
    for rebind, operation, shape in product(
        INDIRECT[place], ("{x}.append({e})", "{x}[{i}] += {e}", "fixed[{i}] += {e}"), SHAPES
    ):
        check(source_of(place, rebind, operation, shape))


@pytest.mark.parametrize("name", METHODS)
def test_what_was_called_may_have_another_name_by_now(name: str):
    for shape in ("a line", "several lines"):
        check(method_source(name, shape))


@pytest.mark.parametrize("statement", KEYED)
def test_a_key_or_a_receiver_is_what_was_given(statement: str):
    check(KEYS.format(statement=statement))


DICTIONARIES = {
    "a pattern": "match o:\n        case Named(__dict__=d): pass",
    "a pattern of places": "match o:\n        case Named(d): d['x'] = 7",
    "a property": "d = o.names",
    "a descriptor": "Named.own = Named.__dict__['__dict__']\n    d = o.own",
    "super()": "d = o.of_super()",
    "a slot": "o = Slotted(); o.x = 1\n    match o:\n        case Slotted(__dict__=d): pass",
    "a namespace": "o = Space(x=1)\n    match o:\n        case Space(__dict__=d): pass",
    "a list's": "o = Row(); o.x = 1\n    match o:\n        case Row(__dict__=d): pass",
    "many attributes": "for i in range(40): setattr(o, f'a{i}', i)\n    d = o.names",
    "a keyword default": "def o(*, x=[1]): return x\n    d = o.__kwdefaults__",
}


@pytest.mark.parametrize("way", DICTIONARIES)
def test_a_dictionary_changes_what_it_belongs_to_whatever_gave_it(way: str):
    source = f"""
import operator, types
class Base: pass
class Named(Base):
    __match_args__ = ("__dict__",)
    names = property(operator.attrgetter("__dict__"))
    def of_super(self): return super().__dict__
class Slotted: __slots__ = ("__dict__", "y")
class Row(list): pass
Space = types.SimpleNamespace
def f():
    o = Named(); o.x = 1
    {SETTLE}
    {DICTIONARIES[way]}
    n = 1
    d['x'] = [5]
    n = 2
    d['x'].append(6)
    n = 3
    o = d = None
    return n
"""
    for fine in Granularity:
        ways = (traced_native(made(source), Limits(), granularity=fine, brute=way) for way in (False, True))
        quick, brute = ([(one.kind, one.line, one.frames) for one in moments(trace)] for trace in ways)
        assert quick == brute


NAMESPACES = {
    "of a class": """class A:
        xs = old
        ns = locals()
        def reset(ns=ns): ns['xs'] = []; return 1
        xs.append(reset())
        n = len(old)""",
    "that a metaclass prepares": """class A(metaclass=Meta):
        xs = old
        xs.append(reset())
        n = len(old)""",
    "of a frame": """x = old
    p = sys._getframe().f_locals
    x.append(reset_name(p))
    n = len(old)""",
}


@pytest.mark.parametrize("way", NAMESPACES)
def test_names_can_be_bound_by_who_has_their_dictionary(way: str):
    check(f"""
import operator, sys
NS = {{}}
class Meta(type):
    def __prepare__(name, bases): return NS
def reset(): NS['xs'] = []; return 1
def reset_name(p): p['x'] = []; return 1
def f():
    old = []
    {SETTLE}
    {NAMESPACES[way]}
    old.append(2)
    return len(old)
""")
