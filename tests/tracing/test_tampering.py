"""A program that changes how it is traced or hides steps has a note that says so; others have none."""

from __future__ import annotations

import pytest

from deskcheck.format.buffers import trace_of
from deskcheck.records import Granularity, Limits
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.execution import CHANGED, HOOKED
from deskcheck.tracing.given import NOT_IN_SOURCE
from deskcheck.tracing.here import run_here
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import Bundle, make_program, prelude_of
from deskcheck.tracing.replay import states
from deskcheck.tracing.run import packed_program
from deskcheck.viewer.text import fitting_text

pytestmark = pytest.mark.skipif(not has_native(), reason="without the C extension it is not seen")
SWITCHES_OFF = """
import sys
D = type(sys._getframe()).__dict__
def f(n):
    frame = sys._getframe()
    {change}
    return n
"""
CODES = """
import types
def g(n):
    return n + 1
def f(n):
    return n + 1
{change}
"""
CHANGES = [
    (SWITCHES_OFF, "frame.f_trace_lines = False"),
    (SWITCHES_OFF, "D['f_trace_lines'].__set__(frame, False); frame.f_trace_lines = True"),
    (CODES, "f.__code__ = g.__code__"),
    (CODES, "f.__code__ = f.__code__.replace(co_filename='other')"),
    (CODES, "f.__code__ = f.__code__.replace(co_linetable=g.__code__.co_linetable[:-1])"),
    (CODES, "types.FunctionType.__code__.__set__(f, g.__code__)"),
    (CODES, "g = types.FunctionType(g.__code__.replace(co_filename='other'), globals())"),
    (CODES, "g.__code__.replace(co_filename='other', co_name='h')"),
]
HONEST = [
    (SWITCHES_OFF, "frame.f_trace_lines = True; seen = frame.f_trace_lines, frame.f_trace_opcodes"),
    (CODES, "f.__code__ = f.__code__.replace(co_flags=f.__code__.co_flags)"),
    (CODES, "f = types.coroutine(f)"),
    (CODES, "import sys; seen = sys.getprofile(), sys.gettrace(); sys.audit('work.please')"),
]
ORDINARY = """
import asyncio, collections, contextlib, copy, dataclasses, enum, functools, marshal, operator
import pickle, types, typing
@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: typing.Any = dataclasses.field(default_factory=list)
Pair = collections.namedtuple("Pair", "a b")
class Row(typing.NamedTuple):
    n: int
    def twice(self): return self.n * 2
class Color(enum.Enum):
    RED = 1
    def name_of(self): return {"RED": 0.0, "": -0.0, b"": 1j}.get(self.name)
def logged(function):
    @functools.wraps(function)
    def inner(*a, **k): return function(*a, **k)
    return inner
@functools.lru_cache
@logged
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
@contextlib.contextmanager
def opened(n):
    yield n in {1, 2, "ab", "c d", (3, None), frozenset({1.5, -0.0}), ...}
@types.coroutine
def wait():
    yield
async def work(n):
    await wait()
    return [i async for i in numbers(n)]
async def numbers(n):
    for i in range(n): yield i
exec("def made(n):\\n    return n + 1")
again = {}
exec(compile(TEXT, fib.__wrapped__.__code__.co_filename, "exec"), again)
same = types.FunctionType(marshal.loads(marshal.dumps(logged.__code__)), globals())
def f(n):
    with opened(n) as x:
        p = copy.deepcopy(Point(n)), Pair(n, x)._replace(a=2), Row(n).twice()
        p = *p, Color.RED.name_of(), same(len)("ab")
    q = pickle.loads(pickle.dumps(fib))(n), made(n), sorted([n, 1], key=lambda v: -v)
    q = *q, (lambda: [v for v in [n]])()
    return asyncio.run(work(n)), again["twice"](n), eval("n + 1"), repr(p), q, operator.attrgetter("x")(p[0])
TEXT_END = 0
"""
# Text that the program executes once more, under its own file's name and on the same lines.
ORDINARY = ORDINARY.replace("TEXT,", "text,").replace("TEXT_END = 0\n", "def twice(n):\n    return n * 2\n")
ORDINARY = ORDINARY.replace("again = {}\n", "again, text = {}, TWICE\n")
LINE = ORDINARY.splitlines().index("def twice(n):")
ORDINARY = ORDINARY.replace("TWICE", repr("\n" * LINE + "def twice(n):\n    return n * 2\n"))
OWN = "exec(compile({text!r}, f.__code__.co_filename, 'exec'))\n"
UNKNOWN = [
    "def g(n):\n    return n\ndef f(n):\n    return g(n)\n"
    + OWN.format(text="def g(n):\n    return n + 1\n"),
    "def g(n):\n    return n\ndef f(n):\n    return g(n)\n" + OWN.format(text="\ndef g(n):\n    return n\n"),
    "def f(n):\n    exec(compile('n + 1', f.__code__.co_filename, 'exec'))\n    return n\n",
    "def g(n):\n    return 0.0\nc = g.__code__\n"
    "g.__code__ = c.replace(co_consts=tuple(-0.0 if v == 0.0 else v for v in c.co_consts))\n"
    "def f(n):\n    return g(n)\n",
]
HOOKS = [
    "sys.setprofile(note)",
    "sys.addaudithook(note)",
    "threading.setprofile(note); t = threading.Thread(target=len, args=('a',)); t.start(); t.join()",
]
HOOKED_PROGRAM = """
import sys, threading
box, armed = [0], []
def note(*seen):
    if armed and not box[0]:
        box[0] = 7
def f(n):
    CHANGE
    armed.append(n)
    n += len(armed)
    n += 1
    return box
"""


def notes_of(source: str, granularity: Granularity = Granularity.LINE) -> list[str]:
    program = make_program(source, "f", "3", origin="t")
    return packed_program(program, Limits(), granularity=granularity).head.fidelity.notes


@pytest.mark.parametrize(("source", "change"), CHANGES)
def test_a_change_is_noted_and_holds(source: str, change: str) -> None:
    assert CHANGED in notes_of(source.replace("{change}", change))
    assert CHANGED not in notes_of("def f(n):\n    return n\n")  # and is no other program's


def test_instructions_that_are_switched_off_are_noted() -> None:
    source = SWITCHES_OFF.replace("{change}", "frame.f_trace_opcodes = False")
    assert CHANGED in notes_of(source, Granularity.INSTRUCTION)


@pytest.mark.parametrize(("source", "change"), HONEST)
def test_what_changes_nothing_is_not_noted(source: str, change: str) -> None:
    assert CHANGED not in notes_of(source.replace("{change}", change))


def test_the_switches_of_a_frame_are_what_they_are_without_us() -> None:
    source = SWITCHES_OFF.replace("return n", "return frame.f_trace_lines, seen")
    change = """try:
        frame.f_trace_lines = 1
    except TypeError as error:
        seen = str(error)
    frame.f_trace_lines = False"""
    packed = packed_program(make_program(source.replace("{change}", change), "f", "3", origin="t"), Limits())
    assert outcome_text(trace_of(packed)) == "(False, 'attribute value type must be bool')"


def quiet(n: int) -> int:
    import sys

    sys._getframe().f_trace_lines = False
    n += 1
    return n


def test_in_ones_own_process_it_is_noted_too() -> None:
    assert CHANGED in run_here(quiet, (3,))[1].fidelity.notes
    assert CHANGED not in run_here(notes_of, ("def f(n):\n    return n\n",))[1].fidelity.notes


@pytest.mark.parametrize("prelude", ["", prelude_of(Bundle(path="a/b.py", name="a.b"))])
def test_an_ordinary_program_has_no_such_note(prelude: str) -> None:
    program = make_program(ORDINARY, "f", "3", origin="t", prelude=prelude)
    trace = trace_of(packed_program(program, Limits()))
    assert {CHANGED, HOOKED, NOT_IN_SOURCE}.isdisjoint(trace.fidelity.notes), trace.fidelity.notes
    assert outcome_text(trace).startswith("([0, 1, 2], 6, 4, ")
    assert {"fib", "logged.<locals>.inner", "twice", "Row.twice", "work"} <= {
        code.name for code in trace.codes
    }


@pytest.mark.parametrize("source", UNKNOWN)
def test_code_that_is_not_in_the_source_is_one_step_with_a_note(source: str) -> None:
    packed = packed_program(make_program(source, "f", "3", origin="t"), Limits())
    trace = trace_of(packed)
    assert NOT_IN_SOURCE in trace.fidelity.notes
    assert {code.name for code in trace.codes} == {"f"}
    namespace: dict[str, object] = {}
    exec(compile(source, "m.py", "exec"), namespace)
    assert outcome_text(trace) == repr(namespace["f"](3))  # type: ignore[operator]  # a function, as its text says


@pytest.mark.parametrize("place", ["f", "body"])
@pytest.mark.parametrize("hook", HOOKS)
def test_a_hook_is_noted_and_what_it_changes_is_seen(hook: str, place: str) -> None:
    source = HOOKED_PROGRAM
    if "threading" in hook:  # its thread ends at once, and the hook of the thread with it
        source = source.replace("armed.append(n)", "pass").replace("[0], []", "[0], [1]")
    if "audit" in hook:
        source = source.replace("len(armed)", "id(armed) > 0")
    source = source.replace("CHANGE", hook if place == "f" else "pass")
    source = source.replace("def f", f"{hook}\ndef f" if place == "body" else "def f")
    # In a process of its own: where other threads live, the tracer compares everything anyhow.
    ((_, trace),) = trace_programs([make_program(source, "f", "3", origin="t")], Limits(), workers=1)
    assert HOOKED in trace.fidelity.notes
    boxes = [fitting_text(state, state.globals["box"]) for _, state in states(trace)]
    assert boxes[-3].endswith("[7]"), boxes  # before the line that names it
    assert HOOKED not in notes_of("def f(n):\n    return n\n")


THREADS = """
import threading, time
from concurrent.futures import ThreadPoolExecutor
def f(n):
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda v: v + 1, range(n)))
    for thread in [threading.Thread(target=len, args=("a",)), threading.Timer(0, made.clear)]:
        thread.start()
        thread.join()
    return made
"""


def test_threads_that_threading_starts_have_no_note() -> None:
    assert notes_of(THREADS) == []
