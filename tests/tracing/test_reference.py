"""Outcomes, budgets and steps of traced programs; what must not be catchable, what must not be lost."""

from __future__ import annotations

import subprocess
import sys
from types import CodeType, FrameType

import msgspec
import pytest
from tests.tracing.telling import at_line, moments, result, traced
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.records import (
    CompileFailure,
    EventKind,
    Limits,
    MemoryLimit,
    OutputLimit,
    Raised,
    Returned,
    StepLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.access import Reading, has_native
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.execution import MADE_ELSEWHERE
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.reference.tracer import Tracer
from deskcheck.tracing.replay import states, text_of
from deskcheck.tracing.source_facts import reads, table_of

COLLATZ = """\
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
"""


TWO_DEEP = """\
def g():
    raise ValueError('a', 1)
def f():
    return g()
"""
BAD_STR = """\
class E(Exception):
    def __str__(self):
        1/0
def f():
    raise E('m')
"""


def test_collatz_of_3038_is_619_steps() -> None:
    trace = traced(COLLATZ, "collatz(3038)")
    assert trace.n_steps == 619
    assert result(trace) == 154


def test_a_program_is_stopped_after_exactly_the_steps_it_may_take() -> None:
    trace = traced(COLLATZ, "collatz(3038)", Limits(max_steps=100))
    assert trace.outcome == StepLimit(100)
    assert trace.n_steps == 100
    assert traced(COLLATZ, "collatz(3038)", Limits(max_steps=619)).n_steps == 619
    assert isinstance(traced(COLLATZ, "collatz(3038)", Limits(max_steps=619)).outcome, Returned)


@pytest.mark.parametrize("catch", ["except Exception", "except", "except BaseException"])
def test_a_program_cannot_catch_its_step_limit(catch: str) -> None:
    source = f"def f():\n  while True:\n    try:\n      x = 1\n      x = 2\n    {catch}:\n      pass\n"
    trace = traced(source, limits=Limits(max_steps=50))
    assert trace.outcome == StepLimit(50)
    assert trace.events.kind[-1] == EventKind.LINE  # what comes after the stop is not the program's doing
    assert "Stop" not in " ".join(trace.names)


def test_a_swallowed_stop_comes_again_inside_nested_handlers() -> None:
    source = """
from contextlib import suppress
def inner():
    while True:
        with suppress(BaseException):
            x = 1
def f():
    try:
        inner()
    except BaseException:
        pass
    finally:
        y = 1
    return 'free'
"""
    assert traced(source, limits=Limits(max_steps=50)).outcome == StepLimit(50)


def test_a_trace_that_grows_too_big_is_an_outcome() -> None:
    source = "def f():\n    s = []\n    while True:\n        s.append(str(len(s)) * 50)\n"
    trace = traced(source, limits=Limits(trace_bytes=20_000))
    assert trace.outcome == OutputLimit(20_000, what="trace")


def test_a_long_value_is_cut_with_its_true_size() -> None:
    source = "def f():\n    s = 'x' * 5000\n    n = 1 << 90000\n    return 1\n"
    trace = traced(source, limits=Limits(value_bytes=1000))
    rows = zip(trace.values.kind, trace.values.data, trace.values.number, strict=True)
    assert [(d, n) for k, d, n in rows if k == ValueKind.TRUNCATED] == [(b"str", 5000), (b"int", 11251)]
    assert "values truncated" in trace.fidelity.notes


def test_what_is_too_deep_is_marked_and_what_is_reached_again_is_not() -> None:
    source = "def f():\n    a = [[[[1]]]]\n    b = a[0][0]\n    return 1\n"
    trace = traced(source, limits=Limits(depth=2))
    assert "not recorded" in at_line(trace, 3)[0].names["a"]
    assert "not recorded" not in at_line(trace, 4)[0].names["a"]


def test_a_budget_of_objects_is_kept() -> None:
    trace = traced("def f():\n    a = [[i] for i in range(500)]\n    return 1\n", limits=Limits(nodes=100))
    assert len(trace.objects.kind) <= 110
    assert "values truncated" in trace.fidelity.notes


@pytest.mark.parametrize(
    ("source", "call", "type_name", "message", "line"),
    [
        ("def f():\n    return {}['k']\n", "f()", "KeyError", "'k'", 2),
        (TWO_DEEP, "f()", "ValueError", "('a', 1)", 4),
        ("def f(x): pass\n", "f()", "TypeError", "f() missing 1 required positional argument: 'x'", -1),
        ("def f():\n    return f()\n", "f()", "RecursionError", "maximum recursion depth exceeded", 2),
        (BAD_STR, "f()", "E", "arguments 'm'", 5),
        (BAD_STR.replace("'m'", ""), "f()", "E", "", 5),
        (BAD_STR.replace("'m'", "['m'], ('a', 3), 'b'"), "f()", "E", "arguments <list>, ('a', 3), 'b'", 5),
        ("def f():\n    raise KeyError(('a', (1,)))\n", "f()", "KeyError", "('a', (1,))", 2),
        ("import sys\ndef f():\n    sys.exit(3)\n", "f()", "SystemExit", "3", 3),
        ("x = 1 / 0\ndef f():\n    pass\n", "f()", "ZeroDivisionError", "division by zero", 1),
        ("def f():\n    raise StopIteration\n", "f()", "StopIteration", "", 2),
    ],
)  # fmt: skip
def test_an_exception_is_an_outcome(source: str, call: str, type_name: str, message: str, line: int) -> None:
    outcome = traced(source, call).outcome
    assert isinstance(outcome, Raised)
    assert (outcome.type, outcome.message, outcome.line) == (type_name, message, line)


def test_source_or_call_that_do_not_parse_are_outcomes() -> None:
    assert traced("def f(:\n  pass\n").outcome == CompileFailure("SyntaxError: invalid syntax", 1)
    assert isinstance(traced("def f():\n  pass\n", "f(1 +)").outcome, CompileFailure)
    assert isinstance(traced("x = '\ud800'\ndef f(): pass\n").outcome, CompileFailure)


def test_recursion_to_the_limit_loses_no_event() -> None:
    trace = traced("def f(n):\n    return f(n + 1)\n", "f(0)")
    kinds = trace.events.kind
    assert kinds.count(EventKind.CALL) == kinds.count(EventKind.UNWIND) > 900


def test_a_method_is_called_on_a_fresh_instance_and_its_making_is_not_traced() -> None:
    source = """
class S:
    def __init__(self):
        self.k = 2
    def solve(self, x):
        return x * self.k
"""
    trace = traced(source, "S().solve(21)")
    assert result(trace) == 42
    assert trace.n_steps == 1


DIES_BEHIND_THE_RETURN = """
class Last:
    def __init__(self, log): self.log = log
    def __del__(self): self.log.append(1)
def f():
    log = []
    kept = Last(log)
    return 3
"""
SORTED_ELSEWHERE = (
    "import functools\ndef back(x):\n    return -x\nf = functools.partial(sorted, [1, 2], key=back)\n"
)


@pytest.mark.parametrize("tracer", ["reference", "native"])
def test_a_result_made_elsewhere_is_noted_and_one_with_a_finalizer_behind_it_is_not(tracer: str) -> None:
    if tracer == "native" and not has_native():
        pytest.skip("the C extension was not built")
    assert traced(DIES_BEHIND_THE_RETURN, tracer=tracer).fidelity.notes == []
    assert MADE_ELSEWHERE in traced(SORTED_ELSEWHERE, tracer=tracer).fidelity.notes


def test_arguments_are_made_before_the_trace_begins_and_not_kept_alive_by_it() -> None:
    source = """
import weakref
class C:
    pass
def make():
    return C()
def f(c, rest, k):
    w = weakref.ref(c)
    c = None
    return w() is None, rest, k
"""
    trace = traced(source, "f(make(), (1, 2), k='v')")
    assert outcome_text(trace) == "(True, (1, 2), 'v')"


def test_growing_strings_are_written_as_their_extension() -> None:
    trace = traced("def f():\n    s = 'x' * 40\n    for i in range(50):\n        s += 'ab'\n    return s\n")
    assert sum(len(data) for data in trace.values.data) < 500
    assert outcome_text(trace) == repr("x" * 40 + "ab" * 50)


def test_sorting_a_list_and_moving_a_key_are_replayed_in_order() -> None:
    source = """
def f():
    d = {'a': 1, 'b': 2, 'c': 3}
    x = d.pop('a')
    d['a'] = x
    del d['b']; d['b'] = 2
    xs = [3, 1, 2]
    xs.sort()
    xs[1:2] = [7, 8, 9]
    return list(d), xs
"""
    assert outcome_text(traced(source)) == "(['c', 'a', 'b'], [1, 7, 8, 9, 3])"


def test_a_freed_address_is_not_taken_for_the_same_object() -> None:
    source = """
def f():
    for i in range(50):
        x = [i]
        x = None
        y = [i]
        y = None
    return 1
"""
    trace = traced(source)
    lists = [n for n in range(len(trace.objects.kind)) if trace.names[trace.objects.type[n]] == "list"]
    assert len(lists) == 100


def test_an_address_that_is_used_again_within_a_line_is_a_new_object() -> None:
    source = (
        "def f():\n    xs = [[0]]\n    for i in range(20):\n        xs.pop(); xs.append([i])\n    return 1\n"
    )
    trace = traced(source)
    lists = [n for n in range(len(trace.objects.kind)) if trace.names[trace.objects.type[n]] == "list"]
    assert len(lists) == 22


def test_the_end_of_an_iterator_of_ones_own_is_raised_where_it_is_raised_only() -> None:
    source = """
class Twice:
    n = 0
    def __iter__(self):
        return self
    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration
        return self.n
def f():
    return [x for x in Twice()] + [x for x in iter(Twice())]
"""
    trace = traced(source)
    raised = [trace.codes[trace.frames.code[m.frame]].name for m in moments(trace) if m.kind == "RAISE"]
    assert raised == ["Twice.__next__"] * 2


def test_iterators_of_nested_loops_have_their_positions() -> None:
    source = "def f():\n    for i in range(2):\n        for c in 'ab':\n            x = c\n"
    found = [m.iterators for m in at_line(traced(source), 4)]
    assert len(found) == 4
    for moment, (outer, inner) in zip(found, [(1, 1), (1, 2), (2, 1), (2, 2)], strict=True):
        assert moment[0].endswith(f"position={outer})")
        assert moment[1].endswith(f"position={inner})")


def test_a_property_or_getattribute_is_never_run() -> None:
    source = """
log = []
class T:
    def __init__(self):
        self.x = 1
    def __getattribute__(self, name):
        log.append(name)
        return object.__getattribute__(self, name)
    @property
    def __class__(self):
        log.append('class')
        return int
    def __hash__(self):
        log.append('hash')
        return 1
    def __eq__(self, other):
        log.append('eq')
        return True
class M(type):
    def __hash__(cls):
        log.append('meta hash')
        return 1
    def __eq__(cls, other):
        log.append('meta eq')
        return True
class U(metaclass=M):
    pass
def f():
    t = T()
    u = U()
    k = {1: t, 2: u}
    xs = [t, U]
    return len(log)
"""
    assert result(traced(source)) == 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_watched_program_passes_the_checks_of_a_foreign_trace(name: str) -> None:
    source, entry, arguments = PROGRAMS[name]
    program = make_program(source, entry, arguments, origin="test")
    trace = traced(source, f"{entry}({arguments})")
    check(trace, program, Limits(), table_of(program))
    assert isinstance(trace.outcome, Returned)
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(trace), type=Trace) == trace


def test_long_texts_read_back_as_they_were() -> None:
    trace = traced("def f():\n    s = '\\ud800é' * 40\n    s = s + 'x'\n    return s\n")
    assert text_of(trace, trace.outcome.value) == "\ud800é" * 40 + "x"  # type: ignore[union-attr]


def test_a_function_that_makes_a_generator_returns_it_without_an_event() -> None:
    trace = traced("def f(n):\n    yield n\n", "f(1)")
    assert trace.n_steps == 0
    assert not is_plain(trace)


def test_without_the_extension_the_trace_is_the_same_but_for_iterators_and_says_so() -> None:
    source, entry, arguments = PROGRAMS["aliases"]
    with_it = traced(source, f"{entry}({arguments})")
    without = traced(source, f"{entry}({arguments})", native=False)
    assert without.fidelity.sees == ["cells", "exceptions", "globals", "identity", "values"]
    assert (
        "no C extension: iterators and temporaries not recorded; locals read through f_locals"
        in without.fidelity.notes
    )
    assert [m.names for m in moments(without)] == [m.names for m in moments(with_it)]
    assert without.outcome == with_it.outcome


def test_a_suspended_generator_is_part_of_the_state() -> None:
    source = """
def g(n):
    x = n
    yield x
def f():
    it = g(5)
    next(it)
    return 1
"""
    trace = traced(source)
    suspended = [dict(s.suspended[1].bindings) for e, s in states(trace) if e.line == 8 and 1 in s.suspended]
    assert len(suspended) >= 1


def test_objects_that_another_thread_writes_do_not_break_the_trace() -> None:
    source = """
import threading, sys
class Box:
    pass
def f():
    box, xs, d, s = Box(), [], {}, set()
    done = []
    def work():
        for i in range(1000):
            setattr(box, f'a{i % 50}', i)
            xs.append(i)
            d[i % 70] = [i]
            s.add(i % 90)
            if i % 7 == 0:
                xs.clear(); d.clear(); s.clear(); box.__dict__.clear()
        done.append(1)
    sys.setswitchinterval(1e-6)
    t = threading.Thread(target=work)
    t.start()
    n = 0
    while not done and n < 400:
        n += 1
    t.join()
    sys.setswitchinterval(5e-3)
    return len(xs)
"""
    program = make_program(source, "f", "", origin="test")
    trace = traced(source)
    check(trace, program, Limits(), table_of(program))
    assert isinstance(trace.outcome, Returned)
    assert set(trace.events.thread) == {0, 1}


def test_keys_and_members_that_share_a_row_do_not_break_replay() -> None:
    source = """
def f():
    nan = float('nan')
    d = {nan: 1, float('nan'): 2, 'x' * 60: 3, 'y' * 60: 4}
    s = {float('nan'), float('nan'), 'x' * 60, 'y' * 60}
    d.clear()
    s.clear()
    return len(d)
"""
    program = make_program(source, "f", "", origin="test")
    limits = Limits(value_bytes=50)
    check(traced(source, limits=limits), program, limits, table_of(program))


class Narrow(Tracer):
    """A tracer that lacks memory once: at its reading number `at`."""

    at = 0

    def start(self) -> None:
        read, left = self.access.read, type(self).at

        def narrow(frame: FrameType, facts: CodeFacts) -> Reading:
            nonlocal left
            left -= 1
            if left < 0:
                left = 1 << 30
                raise MemoryError
            return read(frame, facts)

        self.access.read = narrow  # type: ignore[method-assign]
        super().start()


def test_a_lack_of_memory_in_the_tracer_ends_the_run_after_the_last_whole_event() -> None:
    """Also where the program catches it; each row of the record is whole."""
    source = """def g(n):
    return [n] * 2
def f(n):
    found = []
    for i in range(n):
        try:
            found += g(i)
        except MemoryError:
            found = "caught"
    return found
"""
    program = make_program(source, "f", "2", origin="test")
    whole = trace_program(program, Limits())
    for at in range(len(whole.events.kind)):
        Narrow.at = at
        cut = trace_program(program, Limits(), tracer_class=Narrow)
        assert cut.outcome == MemoryLimit(Limits().memory_bytes)
        assert cut.events.kind == whole.events.kind[: len(cut.events.kind)]
        assert len(cut.events.kind) <= at
        check(cut, program, Limits(), table_of(program))


def test_no_process_that_does_not_trace_in_python_loads_the_tracer_in_python() -> None:
    parents = "collect counterfactual here job packed run trusted" if has_native() else "packed"
    script = "import sys\n" + "".join(f"import deskcheck.tracing.{name}\n" for name in parents.split())
    script += "print([name for name in sys.modules if name.startswith('deskcheck.tracing.reference')])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_program_with_its_own_id_reads_no_identity() -> None:
    own = traced("def id(x):\n    return 1\ndef f(x):\n    return id(x)\n")
    builtin = traced("def f(x):\n    return id(x) != 0\n")
    assert (own.determinism.reads, builtin.determinism.reads) == ([], ["identity"])
    both = compile("def f(x):\n    return id(x)\nprint(id(3))\n", "a.py", "exec")
    function = next(code for code in both.co_consts if isinstance(code, CodeType))
    assert (reads(both), reads(function)) == (["identity"], ["identity"])


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("def f(x):\n    return open(x).read()\n", ["files"]),
        ("from pathlib import Path\ndef f(x):\n    return Path(x).is_file()\n", ["files"]),
        ("import os\ndef f(x):\n    return os.path.exists(x)\n", ["files"]),
        ("import glob\ndef f(x):\n    return glob.glob('*.csv')\n", ["files"]),
        ("class Door:\n    def open(self):\n        return 1\ndef f(x):\n    return Door().open()\n", []),
        (
            "class D:\n    def __init__(self):\n        self.open = 1\ndef f(x):\n    return D().open\n",
            [],
        ),
        ("import io\ndef f(x):\n    return io.open(x)\n", ["files"]),
        ("print(open('a.txt').read())\n", ["files"]),
        ("class Q:\n    exists = 1\ndef f(x):\n    return Q.exists\n", []),
        ("import random\ndef f(x):\n    return random.gauss(0, x)\n", ["random"]),
        ("import time\ndef f(x):\n    return time.perf_counter_ns()\n", ["time"]),
    ],
)
def test_what_a_program_reads_is_asked_of_its_names(source: str, what: list[str]) -> None:
    assert reads(compile(source, "a.py", "exec")) == what
