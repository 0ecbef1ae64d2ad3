"""What a class or function holds is recorded as attributes of instances are, under any name, of any type."""

from __future__ import annotations

import pytest
from tests.tracing.test_native import all_agree, made, same, traced_native

from deskcheck.records import Granularity, Place, Returned, Trace, ValueKind
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.replay import states

HEAD = """
import enum, json, operator
from collections import Counter, deque
class C:
    inst = None
    hook = None
    _count = 0
    _registry = {}
    _waiting = deque()
    def put(self): return 1
class Child(C): pass
def fib(n):
    if n < 2: return n
    if n not in fib.cache:
        fib.cache[n] = fib(n - 1) + fib(n - 2)
    return fib.cache[n]
fib.cache = {}
def counted(function):
    def call(*args):
        call.calls += 1
        call.seen.append(args)
        return function(*args)
    call.calls, call.seen = 0, []
    return call
@counted
def square(x): return x * x
"""
BODIES = {
    "an instance": ("C.inst = C(); C.inst = C", ["inst", "inst"]),
    "back to data": ("C.inst = C(); C.inst = 3", ["inst", "inst"]),
    "a function in place of data": ("C.hook = fib; C.hook = fib.cache", ["hook", "hook"]),
    "a name with an underscore": ("C._count += 1", ["_count"]),
    "a dictionary behind one": (
        "C._registry['a'] = 1; C._registry.setdefault('b', []).append(2)",
        ["a", "b"],
    ),
    "a deque": ("C._waiting.append(1); C._waiting.popleft()", []),
    "a counter": ("C.count = Counter('aab'); C.count['c'] += 1", ["count", "c"]),
    "an inherited one": ("a = C; Child._registry['k'] = 1; Child._count += 1", ["k", "_count"]),
    "a class": ("C.other = Child; C.other.at = 5", ["other", "at"]),
    "a method replaced": ("C.put = lambda self: 2; n = C().put()", []),
    "a function's cache": ("fib(4)", [2, 3, 4]),
    "a wrapper's attributes": ("square(2); square(3)", [".calls", ".calls"]),
    "a function's dictionary": ("fib.__dict__['x'] = 1; vars(fib).pop('x')", [".x", ".x"]),
    "setattr": ("setattr(fib, 'x', 1); delattr(fib, 'x'); setattr(C, '_y', 2)", [".x", ".x", "_y"]),
    "an attribute with the name of a cell": ("square.function = 1; square.function += 1", [".function"] * 2),
}
PAD = "rows = json.loads('[' + '[],' * 299 + '[]]')"


def keys_of(trace: Trace) -> list[object]:
    """The keys and attributes that known objects got, lost or changed after the call began, in order."""
    found: list[object] = []
    highest = -1  # objects are numbered in the order in which they are found
    for event, _ in states(trace):
        inside = [change for change in event.changes if change.place in (Place.KEY, Place.ATTRIBUTE)]
        found += [scalar(trace, change.key) for change in inside if change.owner <= highest]
        for change in event.changes:
            named = [trace.values.number[h] for h in (change.value,) if h >= 0 and is_object(trace, h)]
            highest = max([highest, *named, change.owner if change.place >= Place.ELEMENT else -1])
    return found


def is_object(trace: Trace, handle: int) -> bool:
    return trace.values.kind[handle] == ValueKind.REF


@pytest.mark.parametrize("pad", ["pass", PAD])
@pytest.mark.parametrize("name", BODIES)
def test_what_a_class_or_function_holds_is_recorded_when_it_changes(name: str, pad: str) -> None:
    body, keys = BODIES[name]
    lines = "".join(f"    {line.strip()}\n" for line in body.split(";"))
    source = f"{HEAD}def f():\n    {pad}\n    operator.add([], [])\n{lines}    return 1\n"
    trace = all_agree(made(source))
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert keys_of(trace) == keys
    for granularity in (Granularity.EXPRESSION, Granularity.INSTRUCTION):
        fine = traced_native(made(source), granularity=granularity)
        same(fine, traced_native(made(source), granularity=granularity, brute=True))
        assert set(keys_of(fine)) >= set(keys)


ENUM = """
import enum
xs = [0]
def f():
    old = []
    rows = [[i] for i in range(300)]
    class E(enum.Enum):
        xs = old
        xs.append(2)
        A = 1
        B = A + 1
    old.append(1)
    return old
"""


def test_the_body_of_an_enumeration_is_recorded_as_that_of_a_class() -> None:
    trace = all_agree(made(ENUM))
    bound = [
        (event.line, scalar(trace, change.key))
        for event, _ in states(trace)
        for change in event.changes
        if change.place is Place.LOCAL and event.line > 7
    ]
    assert [name for _, name in bound if name in ("xs", "A", "B")] == ["xs", "A", "B"]
    assert [line for line, state in longer(trace)] == [10, 13]


def longer(trace: Trace) -> list[tuple[int, int]]:
    """The lines before which a list has got longer by itself."""
    found = []
    for event, _ in states(trace):
        found += [(event.line, c.owner) for c in event.changes if c.place is Place.ELEMENT and event.line > 8]
    return found


OTHER_LOOKUPS = {
    "an item of a dictionary with a look-up of its own": (
        "class D(dict):\n    def __getitem__(self, k): return dict.__getitem__(self, k + '_')\n",
        "d = D(); d['a_'] = old = [0]; d['a'] = [0]; d['a'].append(1); d['a'][0] = 6; d['a'][0] += 1",
    ),
    "a parent's item": (
        "class Env(dict):\n    def __init__(self, parent): self.parent = parent\n"
        "    def __getitem__(self, k):\n"
        "        return self.parent[k] if k in self.parent else dict.__getitem__(self, k)\n",
        "old = [0]; d = Env({'a': old}); d['a'] = [1]; d['a'].append(1); d['a'][0] = 6",
    ),
    "memory of two objects": (
        "import numpy as np\n",
        "old = bytearray(4); v = np.frombuffer(old, dtype=np.uint8); v += 1; n = old[0]; v <<= 2; n = old[0]",
    ),
}


@pytest.mark.parametrize("granularity", Granularity)
@pytest.mark.parametrize("name", OTHER_LOOKUPS)
def test_a_change_is_found_where_the_look_up_of_the_program_leads(
    name: str, granularity: Granularity
) -> None:
    if "numpy" in OTHER_LOOKUPS[name][0]:
        pytest.importorskip("numpy")
    head, body = OTHER_LOOKUPS[name]
    lines = "".join(f"    {line.strip()}\n" for line in body.split(";"))
    source = (
        f"import json, operator\n{head}def f():\n    {PAD}\n    operator.add([], [])\n{lines}    return 1\n"
    )
    trace = traced_native(made(source), granularity=granularity)
    assert isinstance(trace.outcome, Returned), trace.outcome
    same(trace, traced_native(made(source), granularity=granularity, brute=True))
