"""Code in C that the interpreter calls by itself: the guard makes states right, the net refuses wrong ones.

`guard=0` and `net=0` take one of the two out. Programs: hidden_programs.py and hidden_siblings.py. The
plain recorder beside them: hidden_recorder.py.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import msgspec
import pytest
from tests.tracing.hidden_kinds import KINDS, kind_program
from tests.tracing.hidden_programs import PLACES, HiddenProgram, hidden_program
from tests.tracing.hidden_recorder import traced
from tests.tracing.hidden_run import verdict
from tests.tracing.hidden_siblings import sibling_program
from tests.tracing.plain_text import text_of_handle
from tests.tracing.test_native import made, same, traced_native

from deskcheck.dataset.build import reason_of
from deskcheck.format.buffers import packed_of
from deskcheck.records import Granularity, JobDone, JobResult, Limits, Rejected, Returned
from deskcheck.tracing import access
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.packed import pack
from deskcheck.tracing.replay import final_heap
from deskcheck.tracing.source_facts import table_of

pytestmark = [
    pytest.mark.skipif(not access.has_native(), reason="the C extension was not built"),
    # CPython 3.13 and later warn of a `partial` in a class, which these programs use.
    pytest.mark.filterwarnings("ignore:functools.partial will be a method descriptor"),
]

EVERY_FIFTH = (Granularity.EXPRESSION, Granularity.INSTRUCTION)


@pytest.fixture(autouse=True)
def quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the programs print, and exceptions in finalisers and callbacks, are no concern of these tests."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def verdicts(
    seeds: range,
    *,
    guard: int = 1,
    net: int = 1,
    drawn: Callable[[int], HiddenProgram] = hidden_program,
    granularity: Granularity = Granularity.LINE,
) -> Counter[str]:
    programs = [drawn(seed) for seed in seeds]
    return Counter(
        verdict(program, traced(program.program, granularity=granularity, guard=guard, net=net))
        for program in programs
    )


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_a_fuzzer_finds_no_silent_difference(start: int) -> None:
    for seed in range(start, start + 50):
        program = hidden_program(seed)
        granularities = [Granularity.LINE, *(EVERY_FIFTH if seed % 5 == 0 else ())]
        for granularity in granularities:
            trace = traced(program.program, granularity=granularity)
            assert verdict(program, trace) == "right", f"seed {seed}, {granularity.name}:\n{program.source}"


REFUSED_ONCE = (1356, 1539, 1386, 1569)
"""On 3.13: a class statement whose metaclass is such code. Such code in a dictionary of a library file."""
ENDED_LATER = 1626
"""A generator dies behind the function's return, and code in C runs then."""


def test_no_protocol_and_no_library_calls_such_code_unseen() -> None:
    for seed in (*range(305), *REFUSED_ONCE, ENDED_LATER):
        program = sibling_program(seed)
        trace = traced(program.program, granularity=tuple(Granularity)[seed % 3])
        assert verdict(program, trace) == "right", f"seed {seed}:\n{program.source}"


@pytest.mark.parametrize("name", KINDS)
def test_no_further_kind_is_wrong_or_refused(name: str) -> None:
    program = kind_program(name)
    for granularity in Granularity:
        trace = traced(program.program, granularity=granularity)
        assert verdict(program, trace) == "right", f"{granularity.name}:\n{program.source}"


def test_without_guard_and_net_protocols_and_libraries_do() -> None:
    assert verdicts(range(210), guard=0, net=0, drawn=sibling_program)["silently wrong"] > 20


def test_the_programs_reach_every_place() -> None:
    assert {hidden_program(seed).place for seed in range(60)} == set(PLACES)


def test_the_guard_alone_is_right_and_without_it_states_are_wrong() -> None:
    seeds = range(1000, 1060)
    assert verdicts(seeds, net=0) == {"right": len(seeds)}
    assert verdicts(seeds, net=0, guard=0)["silently wrong"] > len(seeds) / 3


@pytest.mark.parametrize("granularity", Granularity)
def test_the_net_alone_refuses_nine_in_ten_of_the_wrong_programs(granularity: Granularity) -> None:
    seeds = range(2000, 2100)
    n_wrong = verdicts(seeds, guard=0, net=0, granularity=granularity)["silently wrong"]
    left = verdicts(seeds, guard=0, granularity=granularity)
    assert left["silently wrong"] <= n_wrong / 10
    assert left["refused"] >= n_wrong * 0.9


FACTORY = """
from collections import defaultdict
def f():
    stock = [4, 3, 2]
    ids = defaultdict(stock.pop)
    first = ids['a'] + ids['b']
    n = len(stock)
    return first, n, stock
"""
DIES_EARLY = """
import functools
class Gone:
    pass
def g():
    seen = []
    Gone.__neg__ = functools.partial(seen.append, 1)
    -Gone()
    n = len(seen)
    seen = None
    Gone.__neg__ = None
    return n
def f():
    return [g(), g()]
"""
RESULT_AT_THE_END = """
import functools
def f():
    log = []
    class Last:
        __del__ = functools.partial(log.append, 'end')
    kept = Last()
    return log
"""
SEVERAL_ON_A_LINE = """
from collections import defaultdict
def f():
    stock = [4, 3, 2]
    ids = defaultdict(stock.pop); a = ids[1]; b = ids[2]
    n = len(stock)
    return a, b, n, stock
"""
REPLACED_LATER = """
import functools
class Box:
    def __len__(self):
        return 1
def f():
    log, box = [], Box()
    n = len(box)
    type(box).__len__ = functools.partial(log.__len__)
    type(box).__bool__ = functools.partial(log.append, 2)
    try:
        m = 1 if box else 2
    except TypeError:
        m = 3
    return n, m, len(log), log
"""
OUTPUT = """
import sys
def f():
    lines = []
    class Out:
        write = lines.append
        flush = lines.clear
    before, sys.stdout = sys.stdout, Out
    print('one', 2)
    sys.stdout = before
    n = len(lines)
    print('more', file=Out)
    return n, lines
"""
LOW_THREAD = """
import _thread, time
def f():
    log = []
    _thread.start_new_thread(log.extend, ('ab',)); time.sleep(0.05)
    n = len(log)
    return n, log
"""
HOOK = """
import functools, sys
async def numbers():
    yield 1
def f():
    ended = []
    before = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(finalizer=ended.append)
    one = numbers()
    try:
        one.__anext__().send(None)
    except StopIteration:
        n = 1
    del one
    n = len(ended)
    sys.set_asyncgen_hooks(*before)
    return n
"""
BUFFER = """
import ctypes
def f():
    data = bytearray(3)
    view = (ctypes.c_ubyte * 3).from_buffer(data)
    n = 1
    view[1] = 7
    n = data[1]
    view[2] += 4
    m = data[2]
    return n, m
"""
EXECUTED = """
def f():
    names = {}
    text = "a = [1]\\nb = 2\\ndef g():\\n    global c\\n    c = 3\\n    return a\\n"
    code = compile(text, "<program>", "exec")
    exec(code, names)
    n = len(names)
    names["g"]()
    return n, len(names), names["c"]
"""
MODULE = """
import types
def f():
    asked = []
    box = types.ModuleType('box')
    box.__getattr__ = asked.append
    box.size
    n = len(asked)
    box.__dir__ = asked.copy
    names = dir(box)
    return n, names, asked
"""
ANSWERS = """
class Box:
    def __init__(self, stock):
        self.stock = stock
    def __getattr__(self, name):
        return self.stock.pop
def f():
    stock = [4, 3, 2]
    box = Box(stock)
    try:
        dict(box)
    except TypeError:
        pass
    n = len(stock)
    return n, stock
"""
CODEC = """
import codecs
def f():
    seen = []
    codecs.register_error('own', seen.append)
    text = 'caf\\u00e9'
    try:
        text.encode('ascii', 'own')
    except TypeError:
        m = 1
    n = len(seen)
    return n
"""
OVER = """
import io
def f():
    rest = [b'', b'b', b'a']
    class Lines(io.IOBase):
        readline = staticmethod(rest.pop)
    for line in Lines():
        n = len(rest)
    return n, rest
"""
GROUPS = """
import itertools
def f():
    seen = []
    keys = [key for key, group in itertools.groupby([1, 2], seen.append)]
    n = len(seen)
    return n, keys, seen
"""
PROGRAMS = {
    "a factory": (FACTORY, "tuple[int 0x5, int 0x1, list[int 0x4]]"),
    "an object that dies before the end": (DIES_EARLY, "list[int 0x1, int 0x1]"),
    "a finaliser at the end": (RESULT_AT_THE_END, "list[str 'end']"),
    "several on a line": (SEVERAL_ON_A_LINE, "tuple[int 0x2, int 0x3, int 0x1, list[int 0x4]]"),
    "a method that is replaced": (REPLACED_LATER, "tuple[int 0x1, int 0x3, int 0x1, list[int 0x2]]"),
    "sys.stdout replaced": (OUTPUT, None),
    "a thread of _thread": (LOW_THREAD, "tuple[int 0x2, list[str 'a', str 'b']]"),
    "a hook of asynchronous generators": (HOOK, "int 0x1"),
    "own names of executed code": (EXECUTED, "tuple[int 0x4, int 0x5, int 0x3]"),
    "a module that answers for any name": (MODULE, "tuple[int 0x1, list[str 'size'], list[str 'size']]"),
    "Python code that gives a method of a list": (ANSWERS, "tuple[int 0x2, list[int 0x4, int 0x3]]"),
    "a handler of a codec's errors": (CODEC, "int 0x1"),
    "a method over that of a base in C": (OVER, "tuple[int 0x1, list[]]"),
    "a key of groups": (GROUPS, "tuple[int 0x2, list[NoneType None], list[int 0x1, int 0x2]]"),
    "an array over a buffer": (BUFFER, "tuple[int 0x7, int 0x4]"),
}  # fmt: skip
# `brute` alone compares at the next line what the look-up of an attribute has changed.
LATE = {"a module that answers for any name"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_result_is_right_at_every_granularity(name: str) -> None:
    source, expected = PROGRAMS[name]
    for granularity in Granularity:
        trace = traced_native(made(source), granularity=granularity)
        if name not in LATE or granularity is not Granularity.EXPRESSION:
            same(trace, traced_native(made(source), granularity=granularity, brute=True))
        assert isinstance(trace.outcome, Returned), trace.outcome
        assert expected in (None, text_of_handle(final_heap(trace), trace.outcome.value))


@pytest.mark.parametrize("name", ["a factory", "an object that dies before the end", "several on a line"])
def test_without_the_guard_the_net_refuses_the_run(name: str) -> None:
    trace = traced(made(PROGRAMS[name][0]), guard=0)
    assert isinstance(trace.outcome, Rejected)
    assert trace.outcome.check.startswith("unexplained: ")
    assert "type list" in trace.outcome.check


def test_the_parent_takes_only_this_reason_from_a_child() -> None:
    program = made(FACTORY)
    trace = traced(program, guard=0)
    for reason, expected in ((trace.outcome, "unexplained"), (Rejected("harmless"), "rejected")):
        sent = packed_of(msgspec.structs.replace(trace, outcome=reason))
        done = JobResult("0", JobDone(pack(sent)), b"", 0.0, prepared=table_of(program))
        read = read_result(done, program, Limits())
        assert reason_of(read.outcome) == expected
        assert not read.events.kind


ORDINARY = """
import abc, collections, contextlib, dataclasses, enum, functools, io, operator, typing, weakref
class Color(enum.IntEnum):
    RED = 1
class Flags(enum.Flag):
    A = 1
    B = 2
@dataclasses.dataclass(order=True, frozen=True)
class Point:
    x: int
    tags: list = dataclasses.field(default_factory=list)
class Base(abc.ABC):
    @abc.abstractmethod
    def size(self): ...
@functools.total_ordering
class Part(Base):
    __hash__ = object.__hash__
    def __init__(self, n): self.n = n
    def size(self): return self.n
    def __eq__(self, other): return self.n == other.n
    def __lt__(self, other): return self.n < other.n
    def __del__(self): pass
    @functools.cached_property
    def twice(self): return 2 * self.n
    first = property(operator.attrgetter('n'))
class Stack(typing.Generic[typing.TypeVar('T')]):
    def __init__(self): self.items = []
class Missing(dict):
    def __missing__(self, key): return [key]
Pair = collections.namedtuple('Pair', 'a b')
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
def f():
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    counts[1][2] += 1
    nested = collections.defaultdict(functools.partial(collections.defaultdict, list))
    nested[1][2].append(3)
    known = weakref.WeakValueDictionary(a=Part(1))
    part = Part(2)
    ref = weakref.ref(part)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        print(Point(1), Pair(1, 2), Color.RED, Flags.A | Flags.B)
    print('end', end='', file=out)
    return fib(8), part.first, Missing()['x'], Stack[int]().items, out.getvalue()[-3:]
"""


def test_ordinary_classes_and_callbacks_do_not_trip_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    from deskcheck.tracing import run

    cores = []
    start = run.Native.start
    monkeypatch.setattr(run.Native, "start", lambda self: (cores.append(self.core), start(self))[1])
    trace = traced_native(made(ORDINARY))
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert [core.hidden for core in cores] == [0]
    same(trace, traced_native(made(ORDINARY), brute=True))
