"""The pytest plugin: what tests call is recorded, and no test's outcome changes."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deskcheck.dataset.calls import CallFolder, Part
from deskcheck.errors import UserError
from deskcheck.format.buffers import packed_of, trace_of
from deskcheck.format.shards import read_pairs
from deskcheck.records import Limits, Program, Raised, Returned, StepLimit, Trace
from deskcheck.tracing.access import has_native
from deskcheck.tracing.calls import CallRecorder, Counts, package_files
from deskcheck.tracing.literal import is_literal, outcome_text
from deskcheck.tracing.program import bundle_of, make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.replay import events
from deskcheck.tracing.run import trace_program
from deskcheck.tracing.source_facts import table_of
from deskcheck.viewer.text import Sources

pytest_plugins = ["pytester"]
pytestmark = [
    pytest.mark.skipif(not has_native(), reason="calls are recorded by the C extension, which is not built"),
    pytest.mark.skipif(sys.gettrace() is not None, reason="under another tracer nothing is recorded"),
]

CORE = """\
from .util import half

SEEN = []

def add(a, b=1, *rest, k=0, **more):
    SEEN.append(a)
    return a + b + sum(rest) + k + len(more)

def pairs(xs):
    for i, x in enumerate(xs):
        yield i, half(x)

def boom(n):
    if n > 2:
        raise ValueError("big")
    return boom(n + 1)

def loop(n):
    total = 0
    for i in range(n):
        total += i
    return total

class Box:
    def __init__(self, v):
        self.v = v
    def get(self, key):
        return key(self.v)

async def later(n):
    return n + 1
"""
TESTS = """\
import asyncio, sys, threading
import pytest
from lib.core import *

def test_add():
    assert add(1) == 2
    assert add(1, 1) == 2
    assert add(1, 2, 3, k=4, z=5) == 11

def test_generators():
    assert list(pairs([2, 4])) == [(0, 1.0), (1, 2.0)]
    first, second = pairs([1]), pairs([3])
    assert next(first) == next(second, None) or True

def test_boom():
    with pytest.raises(ValueError):
        boom(0)

def test_box():
    assert Box([1]).get(lambda v: add(*v)) == 2

def test_fails():
    assert add(1, 5) == 3

@pytest.mark.xfail
def test_expected():
    assert add(2, 5) == 3

def test_loop():
    assert loop(5000) == sum(range(5000))

def test_thread():
    thread = threading.Thread(target=add, args=(7,))
    thread.start()
    thread.join()

def test_async():
    assert asyncio.run(later(1)) == 2

def test_tracer_of_its_own():
    seen = []
    sys.settrace(lambda frame, event, argument: seen.append(frame.f_code.co_name))
    add(8, 8)
    sys.settrace(None)
    assert "add" in seen

def test_memory():
    import tracemalloc
    tracemalloc.start()
    add(9, 9)
    tracemalloc.stop()

def test_nothing_is_left():
    assert sys.gettrace() is None
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    pytester.mkpydir("lib")
    (pytester.path / "lib" / "core.py").write_text(CORE)
    (pytester.path / "lib" / "util.py").write_text("def half(x):\n    return x / 2\n")
    (pytester.path / "lib" / "test_inside.py").write_text(
        "from lib.core import add\ndef test_in():\n    add(3, 3)\n"
    )
    pytester.makepyfile(test_lib=TESTS)
    monkeypatch.syspath_prepend(pytester.path)
    return pytester


def run(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    # Where deskcheck is installed, this process has the plugin already, of which pytest would warn.
    quiet = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
    plugins = ("-p", "deskcheck.pytest_plugin", "-p", "no:cacheprovider")
    return project.runpytest_inprocess(*quiet, *plugins, *arguments)


def record(project: pytest.Pytester, *arguments: str, scope: str = "lib") -> pytest.RunResult:
    return run(project, "--deskcheck-out", "calls", "--deskcheck-scope", scope, *arguments)


def kept(project: pytest.Pytester) -> dict[str, tuple[Program, Trace]]:
    return {program.call: (program, trace) for program, trace in read_pairs(project.path / "calls")}


def counts(result: pytest.RunResult) -> tuple[int, int, dict[str, int]]:
    """Seen, recorded, and the reasons of the others, from the summary."""
    text = result.stdout.str()
    seen, recorded = re.search(r"(\d+) outermost calls into .*: (\d+) recorded", text).groups()  # type: ignore[union-attr]
    reasons = re.findall(r"^ +(\d+) ([a-z].*)$", text, re.MULTILINE)
    return int(seen), int(recorded), {reason: int(n) for n, reason in reasons}


def test_no_outcome_changes_and_every_call_is_recorded_or_counted(project: pytest.Pytester) -> None:
    plain = run(project).parseoutcomes()
    result = record(project)
    assert result.parseoutcomes() == plain == {"failed": 1, "xfailed": 1, "passed": 11}
    seen, recorded, dropped = counts(result)
    assert seen == recorded + sum(dropped.values())
    found = kept(project)
    assert recorded == len(found)
    assert set() == {
        "add(1, 1, k=0)", "add(1, 2, 3, k=4, z=5)", "add(1, 5, k=0)", "add(2, 5, k=0)", "add(3, 3, k=0)",
        "pairs([2, 4])", "boom(0)", "Box.__init__(<#0 Box()>, [1])", "loop(5000)", "later(1)",
    } - set(found)  # fmt: skip
    assert dropped["same arguments as a recorded call"] >= 1
    assert dropped["the test measures memory (tracemalloc)"] == 1
    assert dropped["in a thread that the tests started (counted once a thread)"] == 1


def test_each_trace_is_whole_and_says_where_it_comes_from(project: pytest.Pytester) -> None:
    record(project)
    found = kept(project)
    for program, trace in found.values():
        check(trace, program, trace.limits, table_of(program))
        assert program.origin.startswith("pytest:lib/core.py:")
    program, trace = found["pairs([2, 4])"]
    bundle = bundle_of(program)
    assert bundle is not None and bundle.files == {"lib/util.py": "def half(x):\n    return x / 2\n"}
    lines = Sources(trace, program.source, bundle.files)
    assert "return x / 2" in [lines.line(event) for event in events(trace)]
    program, trace = found["boom(0)"]
    assert bundle_of(program) is None
    assert isinstance(trace.outcome, Raised) and trace.outcome.message == "big"
    assert program.origin == "pytest:lib/core.py:test_lib.py::test_boom"
    program, trace = found["pairs([2, 4])"]
    assert isinstance(trace.outcome, Returned)
    assert [trace.names[code.file] for code in trace.codes if code.file] == ["lib/util.py"]


def test_calls_with_literal_arguments_can_be_made_again(project: pytest.Pytester) -> None:
    record(project)
    again = [p for p, _ in kept(project).values() if is_literal(p.arguments) and p.entry in ("add", "boom")]
    assert len(again) >= 5
    for program in again:
        alone = make_program(CORE.replace("from .util", "#"), program.entry, program.arguments, origin="test")
        recorded = kept(project)[program.call][1]
        assert outcome_text(trace_program(alone, recorded.limits)) == outcome_text(recorded)


def test_a_budget_ends_the_record_and_not_the_test(project: pytest.Pytester) -> None:
    result = record(
        project,
        "--deskcheck-max-steps",
        "50",
        "--deskcheck-max-calls",
        "2",
        "-k",
        "add or loop or fails or expected",
    )
    assert result.parseoutcomes()["passed"] >= 2
    found = kept(project)
    assert found["loop(5000)"][1].outcome == StepLimit(50)
    assert sum(call.startswith("add(") for call in found) == 2
    assert counts(result)[2]["over the budget of calls of one function"] >= 1


def test_the_same_command_goes_on_with_its_folder(project: pytest.Pytester) -> None:
    record(project, "-k", "add or boom")
    before = kept(project)
    result = record(project, "-k", "boom or loop")
    assert {*before, "loop(5000)"} == set(kept(project))
    assert counts(result)[1] == 1
    assert "with other options" in record(project, "--deskcheck-max-steps", "7").stderr.str()


def test_a_module_of_the_package_can_be_the_scope(project: pytest.Pytester) -> None:
    record(project, "-k", "generators", scope="lib.util")
    assert set(kept(project)) == {"half(2)", "half(4)", "half(1)", "half(3)"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--deskcheck-out", "calls"], "needs --deskcheck-scope PKG"),
        (["--deskcheck-scope", "lib"], "needs --deskcheck-out DIR"),
        (["--deskcheck-out", "calls", "--deskcheck-scope", "nope"], "no package or module 'nope'"),
        (["--deskcheck-out", "calls", "--deskcheck-scope", "math"], "not written in Python"),
        (
            ["--deskcheck-out", "calls", "--deskcheck-scope", "lib", "--deskcheck-max-steps", "0"],
            "greater than 0",
        ),
        (["--deskcheck-out", ".", "--deskcheck-scope", "lib"], "holds other things"),
    ],
)
def test_what_is_asked_wrongly_is_said(project: pytest.Pytester, arguments: list[str], words: str) -> None:
    result = run(project, *arguments)
    assert words in result.stderr.str() + result.stdout.str()
    assert result.ret == pytest.ExitCode.USAGE_ERROR


def test_a_plugin_that_is_not_asked_imports_nothing_of_ours() -> None:
    code = (
        "import deskcheck.pytest_plugin, sys; print([m for m in sys.modules if m.startswith('deskcheck.')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert ast.literal_eval(found) == ["deskcheck.pytest_plugin"]


def test_parts_of_several_processes_become_one_dataset(tmp_path: Path) -> None:
    limits = Limits(max_steps=100)

    def call(n: int) -> tuple[Program, Trace]:
        program = make_program("def f(n):\n    return n\n", "f", str(n), origin="pytest:lib/a.py:t")
        return program, trace_program(program, limits)

    folder = CallFolder(tmp_path / "out", scope=["lib"], limits=limits, max_calls=4)
    for worker, numbers in (("gw0", [1, 2, 3]), ("gw1", [2, 3, 4, 5])):
        part = Part(folder.path, worker=worker)
        for program, trace in map(call, numbers):
            part.add(program, packed_of(trace))
        part.close(Counts(), tests_s=1.0)
    merged = folder.merge()
    assert (merged.n_kept, merged.n_seen) == (4, 7)
    assert merged.dropped == {
        "same arguments as a recorded call": 2,
        "over the budget of calls of one function": 1,
    }
    ids = [program.id for program, _ in read_pairs(tmp_path / "out")]
    assert ids == sorted(ids) and len(ids) == 4
    again = Part(folder.path, worker="gw0")
    assert not any(
        again.add(program, packed_of(trace)) for program, trace in map(call, [2, 3]) if program.id in ids
    )


def test_a_package_is_found_without_being_imported(project: pytest.Pytester) -> None:
    file_of = package_files("lib")
    lib = project.path / "lib"
    assert file_of(str(lib / "core.py")) == "lib/core.py"
    assert file_of(str(lib / "test_inside.py")) is None and file_of(str(project.path / "test_lib.py")) is None
    assert package_files("lib.util")(str(lib / "util.py")) == "lib/util.py"
    assert package_files("lib.util")(str(lib / "core.py")) is None
    assert "lib" not in sys.modules
    with pytest.raises(UserError, match="nope"):
        package_files("lib.nope")


def called(*arguments: object, **named: object) -> object:
    return arguments, named


SCALARS = [st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)]
PLAIN = st.recursive(
    st.one_of(*SCALARS, st.text(max_size=5), st.binary(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.text(max_size=3), inner, max_size=2),
    ),
    max_leaves=4,
)


@settings(max_examples=15)
@given(st.lists(PLAIN, max_size=3), st.dictionaries(st.sampled_from(["k", "names"]), PLAIN))
def test_plain_arguments_are_recorded_as_their_literals(
    arguments: list[object], named: dict[str, object]
) -> None:
    found: list[tuple[Program, Trace]] = []

    def keep(program: Program, packed: object) -> bool:
        found.append((program, trace_of(packed)))  # type: ignore[arg-type]
        return True

    recorder = CallRecorder({__file__: "here.py"}.get, keep, limits=Limits(), max_calls=100)
    with recorder.recording(where="t"):
        called(*arguments, **named)
    ((program, _),) = [one for one in found if one[0].entry == "called"]
    if is_literal(program.arguments):  # else one object stands in two places
        assert repr(eval(f"called({program.arguments})")) == repr((tuple(arguments), named))
    else:
        assert "#" in program.arguments
