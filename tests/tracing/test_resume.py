"""From the state at a step and the source alone the run goes on: the same result from every step.

States are copied from the live frames at each line event; where `resume` refuses, it must say why, and the
reasons that a program may give stand beside it.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable

import pytest
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.errors import NotResumable
from deskcheck.records import EventKind, Limits
from deskcheck.tracing import _native, reference, tracer
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.program import make_program
from deskcheck.tracing.resume import LiveFrame, resume

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

CASES: dict[str, tuple[str, str, str]] = {
    "loops": (LOOPS, "f", "5"),
    "tries": (TRIES, "f", ""),
    "calls": (CALLS, "f", ""),
    "own loop": (OWN_LOOP, "f", "{'a': 1, 'b': 2}"),
    "globals": (GLOBALS, "f", ""),
    **{name: PROGRAMS[name] for name in ("aliases", "nested loops", "recursion", "strings")},
}
# what a case may refuse, as parts of the reasons
REFUSED: dict[str, tuple[str, ...]] = {
    "tries": ("bound to 'e'", "except clause", "finally"),
    "recursion": ("larger expression", "is not a function of its own", "iterators are live", "temporaries"),
    "globals": ("Box.__init__ is running",),
}

Check = Callable[[], object]


def resumable_states(source: str, entry: str, arguments: str) -> tuple[object, list[tuple[int, Check]]]:
    """The result, and for each line event its line and a function that goes on from there."""
    program = make_program(source, entry, arguments, origin="test")
    checks: list[tuple[int, Check]] = []
    results: list[object] = []
    namespaces: list[dict[str, object]] = []

    class Copying(tracer.Tracer):
        def _write(self, kind, record, frame, **more):  # type: ignore[no-untyped-def]
            handle = super()._write(kind, record, frame, **more)
            if kind is EventKind.LINE:
                data = {n: v for n, v in self._namespace.items() if n in self._globals.names and _is_data(v)}
                parts = [_parts(one.frame, one.facts) for one in self._live]
                copied = copy.deepcopy((parts, data))
                namespaces.append(self._namespace)
                checks.append((frame.f_lineno, lambda: _go_on(program, copied, namespaces[0])))
            elif kind is EventKind.RETURN and not self._live[:-1]:
                results.append(copy.deepcopy(more["value"][0]))
            return handle

    original = reference.Tracer
    reference.Tracer = Copying  # type: ignore[misc]
    try:
        reference.trace_program(program, Limits())
    finally:
        reference.Tracer = original  # type: ignore[misc]
    return results[-1], checks


def _is_data(value: object) -> bool:
    return not isinstance(value, types.FunctionType | type | types.ModuleType)


def _parts(frame: types.FrameType, facts: CodeFacts) -> tuple[object, ...]:
    slots, stack, _ = _native.read_frame(frame)
    labels = facts.labels(frame.f_lasti)
    bindings = {n: v for n, v in zip(facts.names, slots, strict=True) if v is not _native.MISSING}
    held = list(zip(labels, stack or [], strict=False))
    iterators = [v for label, v in held if label == "I"]
    others = [1 for label, v in held if label == "V" and v is not _native.MISSING]
    return facts.code.co_qualname, frame.f_lineno, bindings, iterators, others


def _go_on(program: object, copied: object, namespace: dict[str, object]) -> object:
    parts, data = copied  # type: ignore[misc]
    namespace.update(data)
    return resume(program, [LiveFrame(*part) for part in parts], namespace)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_the_program_goes_on_from_every_step_to_the_same_result(name: str) -> None:
    source, entry, arguments = CASES[name]
    expected, checks = resumable_states(source, entry, arguments)
    n_resumed = 0
    for line, check in checks:
        try:
            found = check()
        except NotResumable as reason:
            assert any(part in str(reason) for part in REFUSED.get(name, ())), f"line {line}: {reason}"
            continue
        assert repr(found) == repr(expected), f"from line {line}"
        n_resumed += 1
    assert n_resumed > len(checks) * 0.1
    if name not in REFUSED:
        assert n_resumed == len(checks)


def refusal(source: str, frames: list[LiveFrame]) -> str:
    program = make_program(source, "f", "", origin="test")
    with pytest.raises(NotResumable) as caught:
        resume(program, frames, {})
    return str(caught.value)


def test_what_is_not_sure_is_refused_with_its_reason() -> None:
    one_line = "def f():\n    while True: x = 1\n"
    assert "several statements" in refusal(one_line, [LiveFrame("f", 2, {})])
    assert "temporaries" in refusal(one_line, [LiveFrame("f", 2, {}, [], [1])])
    with_block = "def f():\n    with open('x') as g:\n        y = 1\n"
    assert "with block" in refusal(with_block, [LiveFrame("f", 3, {})])
    assert "With statement" in refusal(with_block, [LiveFrame("f", 2, {})])
    finally_block = "def f():\n    try:\n        x = 1\n    finally:\n        y = 1\n"
    assert "finally" in refusal(finally_block, [LiveFrame("f", 5, {})])
    generator = "def f():\n    x = (i for i in [1])\n    return 1\n"
    assert "live generator" in refusal(generator, [LiveFrame("f", 3, {"x": (i for i in [1])})])
    closure = "def f():\n    n = 1\n    def g():\n        return n\n    return g()\n"
    assert "enclosing function" in refusal(closure, [LiveFrame("f.<locals>.g", 4, {"n": 1})])
    larger = "def g():\n    return 1\ndef f():\n    return 1 + g()\n"
    assert "larger expression" in refusal(larger, [LiveFrame("f", 4, {}), LiveFrame("g", 2, {})])
    nested = "def g(x):\n    return x\ndef f():\n    return g(g(1))\n"
    assert "not clear" in refusal(nested, [LiveFrame("f", 4, {}), LiveFrame("g", 2, {"x": 1})])
    lines = "def f():\n    x = max(1,\n        2)\n    return x\n"
    assert "several lines" in refusal(lines, [LiveFrame("f", 2, {})])
    assert "no statement begins" in refusal(lines, [LiveFrame("f", 3, {})])
    loop = "def f():\n    for i in range(3):\n        x = i\n"
    assert "iterators are live" in refusal(loop, [LiveFrame("f", 3, {"i": 0})])
    assert "0 plain functions" in refusal(loop, [LiveFrame("g", 3, {"i": 0})])
    assert "no local variable 'q'" in refusal(loop, [LiveFrame("f", 3, {"q": 0}, [iter([])])])


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
    with pytest.raises(UnboundLocalError):
        resume(program, [LiveFrame("f", 4, {})], {})
