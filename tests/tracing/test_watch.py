"""Deaths of objects: types of C modules without a hook of their own, and other interpreters."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deskcheck.tracing.access import has_native

pytestmark = pytest.mark.skipif(not has_native(), reason="the C extension is not built")
MANY = """
import ctypes
from ctypes import Structure, c_char_p, c_int, c_void_p, py_object, pythonapi

class Field(Structure):
    _fields_ = [("name", c_char_p), ("doc", c_char_p)]
class Description(Structure):
    _fields_ = [("name", c_char_p), ("doc", c_char_p), ("fields", c_void_p), ("n", c_int)]
class Slot(Structure):
    _fields_ = [("slot", c_int), ("function", c_void_p)]
class Spec(Structure):
    _fields_ = [
        ("name", c_char_p), ("size", c_int), ("items", c_int), ("flags", ctypes.c_uint), ("slots", c_void_p),
    ]

kept = []
pythonapi.PyStructSequence_NewType.restype = py_object
pythonapi.PyType_FromSpecWithBases.restype = py_object
pythonapi.PyType_FromSpecWithBases.argtypes = [c_void_p, py_object]
pythonapi.PyType_GetSlot.restype = c_void_p
pythonapi.PyType_GetSlot.argtypes = [py_object, c_int]
TP_DEALLOC = 52

def one(i):
    fields = (Field * 2)(Field(b"x", b""), Field(None, None))
    description = Description(b"made.T%d" % i, b"", ctypes.addressof(fields), 1)
    kept.append((fields, description))
    return pythonapi.PyStructSequence_NewType(ctypes.byref(description))

ended = []

def with_base(i, base):  # a type whose deallocator calls that of its base, as those of C modules do
    name = b"made.D%d" % i
    def end(address):
        ended.append(name)
        ctypes.PYFUNCTYPE(None, c_void_p)(pythonapi.PyType_GetSlot(base, TP_DEALLOC))(address)
    function = ctypes.PYFUNCTYPE(None, c_void_p)(end)
    slots = (Slot * 2)(Slot(TP_DEALLOC, ctypes.cast(function, c_void_p).value), Slot(0, None))
    spec = Spec(name, 0, 0, 1 << 10, ctypes.addressof(slots))
    kept.append((function, slots, spec, name))
    return pythonapi.PyType_FromSpecWithBases(ctypes.addressof(spec), (base,))

plain = [one(i) for i in range(200)]
derived = [with_base(i, object) for i in range(3)]
again = [with_base(i + 10, base) for i, base in enumerate(derived)]

def f(types):
    found = []
    for kind in types:
        x = kind(([1, 2],)) if issubclass(kind, tuple) else kind()
        found.append(type(x).__name__)
        y = [x, [3]]
        del x
        del y
    return len(found)

import deskcheck
from deskcheck.tracing import _native
for _ in range(2):
    trace = deskcheck.trace(f, [*plain, *derived, *again])
    assert trace.result == 206, trace.outcome
    del trace
print(len(ended))
x = again[0]()
del x
print(len(ended))
"""


def run(source: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=False, timeout=100
    )


def test_two_hundred_types_of_a_c_module_are_no_error() -> None:
    done = run(MANY)
    assert done.returncode == 0, done.stderr[-2000:]
    # Two runs with three objects of one deallocator and three of two, and one object when no trace runs.
    assert done.stdout.split() == ["18", "20"]


INTERPRETERS = """
import sys
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
else:
    import _xxsubinterpreters as interpreters
def make(shared):
    if sys.version_info >= (3, 13):
        return interpreters.create("legacy" if shared else "isolated")
    return interpreters.create(isolated=not shared)
def run(one, source):
    failure = interpreters.run_string(one, source)
    assert failure is None, failure
"""
INSIDE = """
import deskcheck
try:
    deskcheck.trace(lambda: 1)
except RuntimeError as error:
    assert "main interpreter only" in str(error), error
else:
    raise AssertionError("traced")
"""
BESIDE = """
import os, tempfile, threading
import deskcheck
folder = tempfile.mkdtemp()
busy = '''
import os
open(started, "x").close()
while not os.path.exists(stop):
    xs = [[i, {i: (i, [i])}] for i in range(200)]
'''
stop, begun = os.path.join(folder, "stop"), [os.path.join(folder, name) for name in "ab"]
def other(started):
    run(make(False), f"started, stop = {started!r}, {stop!r}" + busy)
threads = [threading.Thread(target=other, args=(started,)) for started in begun]
for thread in threads:
    thread.start()
def f(n):
    xs = []
    for i in range(n):
        xs.append([i, {"i": (i,)}])
        if i % 7 == 0:
            xs = xs[-3:]
    return xs
try:
    while not all(map(os.path.exists, begun)):
        assert all(thread.is_alive() for thread in threads)
    results = {str(deskcheck.trace(f, 40)) for _ in range(20)}
    assert all(thread.is_alive() for thread in threads)
finally:
    open(stop, "x").close()
    for thread in threads:
        thread.join()
assert len(results) == 1, results
def g(n):
    x = [1]
    run(make(False), "y = [[i] for i in range(100)]")
    x.append(n)
    return x
trace = deskcheck.trace(g, 2)
assert trace.result == [1, 2], trace.outcome
"""


def test_no_trace_is_made_in_a_subinterpreter() -> None:
    done = run(INTERPRETERS + f"run(make(True), {INSIDE!r})\n")
    assert done.returncode == 0, done.stderr[-2000:]


def test_what_ends_in_other_interpreters_is_not_the_traces() -> None:
    done = run(INTERPRETERS + BESIDE)
    assert done.returncode == 0, done.stderr[-2000:]


SHOWN_WHILE_ENDING = """
import asyncio, gc, warnings
import deskcheck
told = []

def coroutines(n):  # one that nobody awaited is handed to `warnings` while it ends
    def seen(coroutine):
        told.append(type(coroutine).__name__)
    async def g():
        return 1
    warnings._warn_unawaited_coroutine = seen
    for i in range(n):
        g()
        xs = [[i], [i + 1]]
    return len(told)

def generators(n):  # an async generator to its hook, which may keep it
    kept = []
    async def numbers():
        yield 1
    def step(one):
        try:
            one.__anext__().send(None)
        except StopIteration:
            return
    import sys
    before = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(finalizer=kept.append)
    for i in range(n):
        one = numbers()
        step(one)
        del one
        xs = [[i], [i + 1]]
    sys.set_asyncgen_hooks(*before)
    return len(kept)

def tasks(n):  # a task to the handler of its loop
    async def fail():
        raise ValueError
    async def main():
        def handler(loop, context):
            told.append(type(context["future"]).__name__)
        asyncio.get_running_loop().set_exception_handler(handler)
        for i in range(n):
            task = asyncio.ensure_future(fail())
            await asyncio.sleep(0)
            del task
            xs = [[i], [i + 1]]
        return len(told)
    return asyncio.run(main())

for f, expected in ((coroutines, 40), (generators, 40), (tasks, 40)):
    for granularity in ("line", "instruction"):
        told.clear()
        trace = deskcheck.trace(f, 40, granularity=granularity)
        assert trace.result == expected, (f, trace.outcome)
print("fine")
"""


def test_what_is_shown_to_the_program_while_it_ends_is_followed_to_its_end() -> None:
    """Finalizers in C hand out an object that is about to go: its memory is read no more afterwards."""
    done = run(SHOWN_WHILE_ENDING)
    assert (done.returncode, done.stdout.strip()) == (0, "fine"), done.stderr[-2000:]


def test_reading_an_object_makes_it_no_dictionary() -> None:
    """partial() unites only partials that have none."""
    from functools import partial

    from deskcheck.tracing import _native

    inner = partial(print, 1)
    assert _native.attributes(inner) is None  # type: ignore[attr-defined]
    assert partial(inner, 2).func is print
