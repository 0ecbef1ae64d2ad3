"""The native core says what the reference says, and what comparing everything at every event would say."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tracing.drawn_programs import sources
from tests.tracing.frames_corpus import FRAMES
from tests.tracing.handed_programs import PROGRAMS as HANDED
from tests.tracing.shapes_corpus import SHAPES
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.corpus.grammar import write_program
from deskcheck.errors import UserError
from deskcheck.programs.generated import FAMILIES
from deskcheck.records import (
    Granularity,
    Limits,
    OutputLimit,
    Program,
    Raised,
    Returned,
    StepLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing import access, execution, reference, run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.replay import text_of
from deskcheck.tracing.source_facts import table_of

pytestmark = pytest.mark.skipif(not access.has_native(), reason="the C extension was not built")

CORPUS = SHAPES | FRAMES
FOLDER = Path(__file__).parents[1] / "fidelity_programs"
DEFAULT = Limits(max_steps=20_000)

# Where the two must differ, and why; everything else about these programs is asserted in test_fidelity.py.
DIFFERENT = {
    "tamper": "a tracer in Python is put out by sys.settrace(None)",
    "thread": "threading numbers the threads of a process: Thread-1, Thread-2",
    "thrclosure": "what two threads do in turn is not the same twice",
    "recdepth": "the frames of the reference tracer's own callback lie on the stack as well",
}


def made(source: str, call: str = "f()") -> Program:
    entry, _, arguments = call.partition("(")
    return make_program(source, entry, arguments[:-1], origin="test")


def traced_native(
    program: Program,
    limits: Limits = DEFAULT,
    *,
    brute: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Trace:
    """`brute`: every object is compared at every event."""
    if not brute:
        return run.trace_program(program, limits, granularity=granularity, tracer="native")
    original = run.Native.__init__

    def start_brute(self: run.Native, *args: object, **more: object) -> None:
        original(self, *args, **more)  # type: ignore[arg-type]
        self.core.brute = 1

    run.Native.__init__ = start_brute  # type: ignore[method-assign]
    try:
        return run.trace_program(program, limits, granularity=granularity, tracer="native")
    finally:
        run.Native.__init__ = original  # type: ignore[method-assign]


def same(one: Trace, other: Trace) -> None:
    """Byte-equal but for the tracer's name. Columns first: a difference is then shown where it is."""
    if msgspec.msgpack.encode(named(one)) == msgspec.msgpack.encode(named(other)):
        return
    for group in ("events", "changes", "values", "objects", "frames"):
        for column in getattr(one, group).__struct_fields__:
            mine, theirs = getattr(getattr(one, group), column), getattr(getattr(other, group), column)
            assert mine == theirs, f"{group}.{column}"
    assert named(one) == named(other)


def named(trace: Trace) -> Trace:
    return msgspec.structs.replace(trace, fidelity=msgspec.structs.replace(trace.fidelity, tracer="either"))


def all_agree(program: Program, limits: Limits = DEFAULT) -> Trace:
    native = traced_native(program, limits)
    same(native, traced_native(program, limits, brute=True))
    same(reference.trace_program(program, limits), native)
    check(native, program, limits, table_of(program))
    return native


@pytest.mark.parametrize("name", CORPUS)
def test_both_tracers_say_the_same_about_every_shape(name: str) -> None:
    trace = all_agree(made(CORPUS[name]))
    assert isinstance(trace.outcome, Returned), trace.outcome


@pytest.mark.parametrize("name", PROGRAMS)
def test_both_tracers_say_the_same_about_watched_programs(name: str) -> None:
    source, entry, arguments = PROGRAMS[name]
    all_agree(make_program(source, entry, arguments, origin="test"))


@pytest.mark.parametrize("name", HANDED)
def test_both_tracers_say_the_same_about_what_libraries_change(name: str) -> None:
    source, entry, arguments = HANDED[name]
    trace = all_agree(make_program(source, entry, arguments, origin="test"))
    assert isinstance(trace.outcome, Returned), trace.outcome


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.py")))
def test_both_tracers_say_the_same_about_fidelity_programs(name: str) -> None:
    if name in DIFFERENT:
        pytest.skip(DIFFERENT[name])
    all_agree(made((FOLDER / f"{name}.py").read_text()))


def run_alone(*words: str) -> subprocess.CompletedProcess[str]:
    """`alone.py`, in a process of one thread."""
    command = [sys.executable, "-m", "tests.tracing.alone", *words]
    return subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)


def test_they_also_do_where_one_thread_lets_the_core_ask_what_a_line_can_change() -> None:
    done = run_alone()
    assert done.returncode == 0, done.stderr[-2000:]
    assert "all agree" in done.stdout


def test_a_step_with_unknown_code_does_not_cost_what_is_alive() -> None:
    done = run_alone("flat")
    assert done.stdout == "flat\n", done.stderr[-2000:]


@settings(max_examples=60)
@given(sources())
def test_both_tracers_say_the_same_about_drawn_programs(source: str) -> None:
    all_agree(made(source))


@settings(max_examples=60)
@given(st.sampled_from(sorted(FAMILIES)), st.integers(0, 10**6))
def test_both_tracers_say_the_same_about_generated_programs(family: str, seed: int) -> None:
    source, entry, arguments = written(family, seed)
    all_agree(make_program(source, entry, arguments, origin="test"), Limits(max_steps=500))


def written(family: str, seed: int) -> tuple[str, str, str]:
    source, entry, arguments, _ = write_program(Random(seed), FAMILIES[family])
    return source, entry, arguments


@pytest.mark.parametrize(
    "body",
    [
        "a[0], a[1] = a[1], a[0]",
        "a[i], a[i + 1], a[0] = [], a[i], {1: a[2]}",
        "a[5], a[3], a[4] = [5], [3], [4]",
        "a[i], a[0:2] = 5, [7, 8, 9]",
        "a[i] = 1; a.append(a[i])",
        "d[i], d['x'] = d.get('x'), [i]",
        "d['x'], d[i] = 1, 2",
        "a[i], b[i] = b[i], a[i]; a[0] = [1]",
    ],
)
def test_a_line_may_store_at_several_places(body: str) -> None:
    first = "  a = [[k] if k % 3 else k for k in range(20)]\n  b, d = a[:], dict(x=1, y=[2])\n"
    all_agree(made(f"def f():\n{first}  for i in range(7):\n    {body}\n    z = i\n  return a\n"))


# ------------------------------------------------------------------ budgets


def test_budgets_are_those_of_the_reference() -> None:
    endless = "def f():\n    a = []\n    while True:\n        a.append([str(len(a)) * 50])\n"
    for limits in (
        Limits(max_steps=7),
        Limits(trace_bytes=20_000),
        Limits(max_steps=400, nodes=50),
        Limits(max_steps=50, value_bytes=60),
    ):
        trace = all_agree(made(endless), limits)
        assert trace.outcome in (StepLimit(limits.max_steps), OutputLimit(limits.trace_bytes, what="trace"))
    nested = "def f():\n    a = [[[[[1]]]]]\n    b = a[0][0]\n    c = b[0]\n    c[0].append(2)\n"
    for depth in range(5):
        all_agree(made(nested), Limits(depth=depth))


@pytest.mark.parametrize("catch", ["except Exception", "except", "except BaseException"])
def test_a_program_cannot_catch_its_step_limit(catch: str) -> None:
    source = f"def f():\n  while True:\n    try:\n      x = 1\n      x = 2\n    {catch}:\n      pass\n"
    assert traced_native(made(source), Limits(max_steps=50)).outcome == StepLimit(50)


# ------------------------------------------------------------------ growth: changes written, never reprints


def n_changes(source: str, call: str) -> tuple[int, int]:
    trace = traced_native(made(source, call), Limits(max_steps=10**6))
    return len(trace.changes.op), trace.n_steps


@pytest.mark.parametrize(
    "body",
    ["a.append(i)", "a[i % 50] = i", "d[i] = i", "d[i % 7] = i", "s.add(i)", "s.add((i, i))", "t += 'x'"],
)
def test_a_step_writes_as_much_in_a_big_container_as_in_a_small_one(body: str) -> None:
    source = f"def f(n):\n  a, d, s, t = [0] * 50, {{}}, set(), ''\n  for i in range(n):\n    {body}\n"
    small, n_small = n_changes(source, "f(300)")
    big, n_big = n_changes(source, "f(3000)")
    assert (big - small) / (n_big - n_small) < 4


@pytest.mark.parametrize("granularity", Granularity)
def test_a_growing_string_is_written_once(granularity: Granularity) -> None:
    source = "def f(n):\n    s = ''\n    for i in range(n):\n        s += 'ab'\n    return s\n"
    program = made(source, "f(3000)")
    trace = run.trace_program(program, DEFAULT, granularity=granularity, tracer="native")
    check(trace, program, DEFAULT, table_of(program))
    assert sum(map(len, trace.values.data)) < 60_000
    assert trace.values.kind.count(ValueKind.CONCAT) > 2800


def test_a_text_that_was_an_extension_is_found_again_however_it_is_made() -> None:
    source = """
def f():
    s, seen = 'a' * 40, []
    for i in range(400):
        s += 'bé\\ud800'[i % 3]
        if i % 50 == 49:
            seen.append(''.join(list(s)))
    t = 'a' * 40
    for i in range(400):
        t = t + 'bé\\ud800'[i % 3]
    return s == t, seen
"""
    trace = all_agree(made(source))
    kinds = (ValueKind.STR, ValueKind.CONCAT)
    texts = [text_of(trace, handle) for handle, kind in enumerate(trace.values.kind) if kind in kinds]
    assert len(texts) == len(set(texts)) > 400


# ------------------------------------------------------------------ harmless


def test_nothing_of_the_program_is_held_or_kept_alive() -> None:
    source = """
import sys, weakref
class C: pass
def f():
    a, c = [1], C()
    counts = sys.getrefcount(a), sys.getrefcount(c), sys.getrefcount(f)
    w = weakref.ref(c)
    c = None
    gone = w() is None
    return counts, gone, weakref.getweakrefcount(f)
"""
    namespace: dict[str, object] = {"__name__": "untraced"}
    exec(compile(source, "<untraced>", "exec"), namespace)
    untraced = namespace["f"]()  # type: ignore[operator]
    from deskcheck.tracing.literal import outcome_text

    assert outcome_text(traced_native(made(source))) == repr(untraced)


def test_a_list_nested_sixty_thousand_deep_goes_without_a_crash() -> None:
    done = run_alone("deep")
    assert done.returncode == 0, done.stderr[-2000:]
    assert "gone" in done.stdout


def test_after_a_trace_the_interpreter_is_as_it_was() -> None:
    before = sys.gettrace()
    settrace = sys.settrace
    traced_native(made("import sys\ndef f():\n    sys.settrace(None)\n    return sys.gettrace() is None\n"))
    assert sys.gettrace() is before and sys.settrace is settrace
    assert weakref.ref(made).__callback__ is None
    junk = [[i] for i in range(1000)]
    del junk
    gc.collect()


def test_what_the_program_does_to_settrace_does_not_silence_the_tracer() -> None:
    source = "import sys\ndef f():\n    sys.settrace(None)\n    a = 1\n    b = a + 1\n    return b\n"
    trace = traced_native(made(source))
    assert trace.n_steps == 4
    assert trace.fidelity.notes == []
    other = "import sys\ndef f():\n    sys.settrace(lambda *a: None)\n    a = 1\n    return a\n"
    assert any("sys.settrace" in note for note in traced_native(made(other)).fidelity.notes)


def test_frames_of_a_thread_that_has_its_own_tracer_are_not_looked_at_again() -> None:
    source = """
import sys, threading
def g():
    sys.settrace(lambda *a: None)
    return [1]
def f():
    thread = threading.Thread(target=g)
    thread.start()
    thread.join()
    a = 1
    b = 2
    return b
"""
    trace = traced_native(made(source))  # g's frame is gone when the lines after join() run
    assert isinstance(trace.outcome, Returned)
    assert any("sys.settrace" in note for note in trace.fidelity.notes)


def test_all_frames_of_a_thread_that_ends_its_trace_in_the_midst_of_calls_are_forgotten() -> None:
    source = """
import sys, threading
def h(xs):
    ys = [xs]
    sys.settrace(lambda *a: None)
    return ys
def g():
    xs = [[1], [2]]
    return k(xs)
def k(xs):
    zs = [xs, h(xs)]
    return zs
def f():
    for i in range(3):
        thread = threading.Thread(target=g)
        thread.start()
        thread.join()
        a = [[i] for i in range(50)]
        b = [i]
    return b
"""
    for _ in range(3):
        trace = traced_native(made(source))
        assert isinstance(trace.outcome, Returned)
        check(trace, made(source), DEFAULT, table_of(made(source)))
        (note,) = trace.fidelity.notes  # and none that a thread still runs
        assert "sys.settrace" in note


@pytest.mark.parametrize(
    "body",
    [
        "d.clear(); d[(i, i)] = 0",
        "del d[k]; k = (i, i); d[k] = 0",
        "d.popitem(); d[(i,)] = 0",
        "k = None; d.clear(); d[(i, i)] = None",
    ],
)
def test_a_key_that_dies_is_not_taken_for_the_one_made_at_its_place(body: str) -> None:
    source = "def f():\n    k = (0, 0)\n    d = {k: 0}\n    for i in range(9):\n        BODY\n    return d\n"
    all_agree(made(source.replace("BODY", body)))


def test_containers_with_values_that_were_cut_are_compared_whole() -> None:
    """What lies deeper than the limit, or beyond the objects of one event, is cut with a mark."""
    source = (
        "def f():\n    d = {'a': [1], 'b': {'c': [2]}, 'e': 0}\n    inner = d['b']\n    s = {(1, 2)}\n"
        "    for i in range(4):\n        d['e'] = i\n        inner['c'] = [i, [i]]\n        d['a'] = [[i]]\n"
        "        d['a'] = i\n        inner['n'] = d['a']\n        s.add((i, (i,)))\n"
        "        del d['a']\n    return d\n"
    )
    for depth in range(1, 5):
        for nodes in (2, 3, 5, 100):
            all_agree(made(source), Limits(depth=depth, nodes=nodes))


def test_a_lack_of_memory_of_the_programs_own_is_its_outcome() -> None:
    trace = traced_native(made("def f():\n    x = [0] * (1 << 60)\n"))
    assert isinstance(trace.outcome, Raised)
    assert trace.outcome.type == "MemoryError"


# ------------------------------------------------------------------ the front door


def test_the_front_door_knows_its_tracers() -> None:
    program = made("def f():\n    return 1\n")
    assert run.trace_program(program, DEFAULT).fidelity.tracer == "native"
    assert run.trace_program(program, DEFAULT, tracer="reference").fidelity.tracer == "reference"
    with pytest.raises(UserError, match="no tracer is called 'fast'; known: auto, native, reference"):
        run.trace_program(program, DEFAULT, tracer="fast")


def test_a_second_trace_at_the_same_time_is_refused() -> None:
    program = made("def f():\n    return 1\n")
    with execution.ready_program(program) as ready:
        one = run.Native(ready.program_file, [(0, ready.namespace, ready.names)], limits=DEFAULT)
        other = run.Native(ready.program_file, [(0, ready.namespace, ready.names)], limits=DEFAULT)
        one.core.start()
        try:
            with pytest.raises(RuntimeError, match="already"):
                other.core.start()
        finally:
            one.core.stop()


@pytest.mark.parametrize("tracer", ["native", "reference"])
def test_a_tracer_that_a_program_leaves_behind_does_not_raise_in_ours(tracer: str) -> None:
    source = """
import sys
def f():
    sys.settrace(lambda *a: dict(None))
    return 1
"""
    for _ in range(2):  # and nothing stays switched on
        trace = run.trace_program(make_program(source, "f", "", origin="test"), Limits(), tracer=tracer)
        assert isinstance(trace.outcome, Returned)
        assert any("tracer" in note or "settrace" in note for note in trace.fidelity.notes)
    assert sys.gettrace() is None
