"""Real programs: scripts, several files, methods, generators, tasks, threads, exceptions with causes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tracing.telling import at_line, moments

from deskcheck.errors import BadSource, UserError
from deskcheck.programs._project import program_of
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.bundle import SCRIPT, Bundle, bundle_of, prelude_of
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.replay import State, final_state, states, text_of
from deskcheck.tracing.request import TraceRequest
from deskcheck.tracing.validate import check
from deskcheck.viewer.terminal import shown_call, trace_lines, value_text

COUNTER = """\
from tool import text
total = 0

def main(words):
    global total
    for word in words:
        total += text.size(word)
    return total

if __name__ == "__main__":
    import sys
    print("sum", main(sys.argv[1:]), sys.stdin.read())
"""
TEXT = """\
SEEN = []

def size(word):
    SEEN.append(word)
    return len(word)
"""


def script(
    source: str,
    *arguments: str,
    files: dict[str, str] | None = None,
    limits: Limits | None = None,
    **more: object,
) -> Trace:
    """The checked trace of a program that runs as a script."""
    bundle = Bundle(path="run.py", name="run", files=files or {}, **more)  # type: ignore[arg-type]
    words = ", ".join(map(repr, arguments))
    return checked(make_program(source, SCRIPT, words, origin="test", prelude=prelude_of(bundle)), limits)


def called(source: str, call: str, files: dict[str, str], **more: object) -> Trace:
    """The checked trace of a call into a program of several files."""
    bundle = Bundle(path="run.py", name="run", files=files, **more)  # type: ignore[arg-type]
    entry, _, arguments = call.partition("(")
    return checked(make_program(source, entry, arguments[:-1], origin="test", prelude=prelude_of(bundle)))


def checked(program: Program, limits: Limits | None = None) -> Trace:
    limits = limits or Limits()
    trace = trace_program(program, limits)
    check(trace, program, limits)
    return trace


def names(state: State, file: str) -> dict[str, str]:
    """Module-level names of one of the program's files."""
    number = state.trace.names.index(file) if file else 0
    return {name: value_text(state, handle) for name, handle in state.modules.get(number, {}).items()}


def files_of(trace: Trace) -> dict[str, str]:
    """Code -> file that it stands in."""
    return {code.name: trace.names[code.file] if code.file else "" for code in trace.codes}


# ------------------------------------------------------------------ scripts and files


def test_a_script_runs_as_main_with_its_arguments_and_input(capsys: pytest.CaptureFixture[str]) -> None:
    trace = script(
        COUNTER, "ab", "c", files={"tool/__init__.py": "", "tool/text.py": TEXT}, stdin="from stdin"
    )
    assert capsys.readouterr().out == "sum 3 from stdin\n"
    assert isinstance(trace.outcome, Returned)
    assert at_line(trace, 4)[0].module["total"] == "0"
    assert names(final_state(trace), "")["total"] == "3"


def test_every_file_of_the_program_is_stepped_into_and_libraries_are_not() -> None:
    source = "import json\nfrom tool.text import size\nprint(size(json.dumps([1])))\n"
    trace = script(source, files={"tool/text.py": TEXT})
    assert files_of(trace) == {"<module>": "tool/text.py", "size": "tool/text.py"}
    assert {code.file for code in trace.codes if code.name == "<module>"} >= {0}
    assert not any("dumps" in code.name for code in trace.codes)


def test_names_of_other_modules_are_part_of_the_state() -> None:
    trace = script(COUNTER, "ab", "c", files={"tool/__init__.py": "", "tool/text.py": TEXT})
    seen = [names(state, "tool/text.py").get("SEEN") for event, state in states(trace) if event.line == 5]
    assert "['ab']" in str(seen) and "['ab', 'c']" in str(names(final_state(trace), "tool/text.py"))


def test_a_call_starts_where_imports_are_done_and_sees_what_the_other_module_holds() -> None:
    trace = called(COUNTER, "main(['x'])", {"tool/text.py": TEXT})
    assert (outcome_text(trace), trace.n_steps) == ("1", 6)
    assert moments(trace)[0].kind == "CALL" and moments(trace)[0].module["total"] == "0"


def test_files_that_import_the_program_back_get_the_module_that_runs() -> None:
    back = "import run\n\ndef read():\n    return run.VALUE\n"
    source = "VALUE = [7]\n\ndef f():\n    import back\n    return back.read() is VALUE\n"
    assert outcome_text(called(source, "f()", {"back.py": back})) == "True"


def test_nothing_of_a_run_is_left_in_this_process() -> None:
    import random

    before = sys.argv, sys.stdin, list(sys.meta_path), list(sys.path), set(sys.modules)
    source = "import sys\nimport random, tool.text\nsys.path.append('x')\nprint(random.MINE)\n"
    script(source, "a", files={"tool/text.py": TEXT, "random.py": "MINE = 1\n"}, stdin="x")
    assert (sys.argv, sys.stdin, list(sys.meta_path), list(sys.path)) == before[:4]
    assert sys.modules["random"] is random
    assert not {name for name in set(sys.modules) - before[4] if name.startswith("tool")}


def test_traced_is_untraced_on_a_script_of_several_files(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    files = {
        "shop/__init__.py": "from .cart import Cart\n",
        "shop/cart.py": "from dataclasses import dataclass, field\nfrom . import prices\n\n@dataclass\n"
        "class Cart:\n    items: list = field(default_factory=list)\n    def add(self, name, n=1):\n"
        "        self.items += [name] * n\n        return self\n    def total(self):\n"
        "        return sum(prices.of(i) for i in self.items)\n",
        "shop/prices.py": "TABLE = {'tea': 3, 'jam': 5}\n\ndef of(name):\n    try:\n"
        "        return TABLE[name]\n"
        "    except KeyError as error:\n        raise LookupError(name) from error\n",
    }
    source = (
        "import pickle, sys, traceback\nfrom shop import Cart\n\nclass Mine(Cart):\n    pass\n\n"
        "cart = Mine().add('tea', 2).add(sys.argv[1])\nprint(pickle.loads(pickle.dumps(cart)) == cart)\n"
        "print(__name__)\n"
        "try:\n    print(cart.total())\nexcept LookupError:\n    traceback.print_exc(file=sys.stdout)\n"
    )
    for path, text in (files | {"run.py": source}).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    for word in ("jam", "ink"):
        plain = subprocess.run(
            [sys.executable, "run.py", word], cwd=tmp_path, capture_output=True, text=True, check=False
        ).stdout.replace(f"{tmp_path}/", "")
        trace = script(source, word, files=files)
        traced = capfd.readouterr().out
        assert isinstance(trace.outcome, Returned)
        assert [line for line in traced.splitlines() if "^" not in line] == [
            line for line in plain.splitlines() if "^" not in line
        ]


def test_steps_into_are_switched_per_function_class_and_module() -> None:
    files = {"tool/text.py": TEXT}
    source = "from tool.text import size\nclass Node:\n    def grow(self):\n        return inner()\n"
    source += "def inner():\n    return size('ab')\nprint(Node().grow())\n"

    def entered(**rules: list[str]) -> set[str]:
        trace = script(source, files=files, **rules)
        return {trace.codes[code].name for code in trace.frames.code} - {"<module>", "Node"}

    assert entered() == {"Node.grow", "inner", "size"}
    assert entered(no_step_in=["Node.grow"]) == {"inner", "size"}
    assert entered(no_step_in=["Node", "tool.text"]) == {"inner"}
    assert entered(step_in=["inner"]) == {"inner"}
    assert entered(step_in=["tool"]) == {"size"}


# ------------------------------------------------------------------ which files belong to it


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = {
        "run.py": "import tool.deep\nimport json\nprint(tool.deep.f())\n",
        "alone.py": "def f(n):\n    return n\nasync def g(n):\n    return n\n"
        "class A:\n    async def h(self):\n        return 1\n",
        "tool/__init__.py": "",
        "tool/__main__.py": "from . import deep\nprint(deep.f())\n",
        "tool/deep.py": "from .near import X\nfrom . import far as other\ndef f():\n    return X\n",
        "tool/near.py": "X = 1\ndef lazy():\n    from tool.late import y\n",
        "tool/far.py": "import broken\n",
        "tool/late.py": "y = 2\n",
        "tool/unused.py": "z = 3\n",
        "broken.py": "def (:\n",
    }
    for path, text in made.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bundled(**request: object) -> Bundle:
    found = bundle_of(program_of(TraceRequest(**request)))  # type: ignore[arg-type]
    assert found is not None
    return found


def test_the_files_that_imports_reach_belong_to_the_program(project: Path) -> None:
    reached = {f"tool/{name}.py" for name in ("__init__", "deep", "near", "far", "late")} | {"broken.py"}
    assert set(bundled(file="run.py").files) == reached
    assert set(bundled(file="run.py", files=["tool/unused.py"]).files) == reached | {"tool/unused.py"}


def test_a_file_inside_a_package_is_known_by_its_full_name(project: Path) -> None:
    found = bundled(file="tool/deep.py", call="f()")
    assert (found.path, found.name) == ("tool/deep.py", "tool.deep")
    assert outcome_text(checked(program_of(TraceRequest("tool/near.py", call="lazy()")))) == "None"


def test_a_package_runs_as_python_m_does(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "tool" / "far.py").write_text("")
    program = program_of(TraceRequest("tool", is_module=True))
    assert isinstance(checked(program).outcome, Returned)
    assert capsys.readouterr().out == "1\n"


def test_one_file_without_more_is_the_program_it_always_was(project: Path) -> None:
    program = program_of(TraceRequest("alone.py", call="f(3)"))
    assert program.prelude == "" and program.call == "f(3)"


def test_data_files_and_modules_are_given_by_name(project: Path) -> None:
    (project / "words.txt").write_text("a b")
    assert bundled(file="alone.py", files=["words.txt"]).data == {"words.txt": b"a b"}
    with pytest.raises(UserError, match=r"nope.txt: no such file"):
        program_of(TraceRequest("alone.py", files=["nope.txt"]))


def test_what_cannot_be_found_is_said_with_what_there_is(project: Path) -> None:
    with pytest.raises(BadSource, match="no module 'nope'"):
        program_of(TraceRequest("nope", is_module=True))
    (project / "tool" / "__main__.py").unlink()
    with pytest.raises(BadSource, match=r"needs a __main__.py"):
        program_of(TraceRequest("tool", is_module=True))
    with pytest.raises(
        UserError, match=r"'g2' is no function, class or module here; known: A, A.h, alone, f, g"
    ):
        program_of(TraceRequest("alone.py", call="f(3)", no_step_in=["g2"]))


@settings(max_examples=30)
@given(
    st.builds(
        Bundle,
        path=st.text(),
        name=st.text(),
        files=st.dictionaries(st.text(), st.text()),
        data=st.dictionaries(st.text(), st.binary()),
        stdin=st.text(),
        step_in=st.lists(st.text()),
    )
)
def test_a_bundle_is_read_back_as_it_was_written(bundle: Bundle) -> None:
    program = make_program("", "f", "", origin="test", prelude=prelude_of(bundle))
    assert bundle_of(program) == bundle


def test_what_is_not_a_bundle_of_ours_is_refused() -> None:
    for prelude in ("__deskcheck__ = {'a': ", "__deskcheck__ = f()\n", "__deskcheck__ = {'path': 1}\n"):
        with pytest.raises(BadSource, match="bundle"):
            bundle_of(make_program("", "f", "", origin="test", prelude=prelude))
    assert bundle_of(make_program("", "f", "", origin="test", prelude="import math\n")) is None


# ------------------------------------------------------------------ exceptions and exits

FAILING = """\
def read(key):
    try:
        return {}[key]
    except KeyError as error:
        raise ValueError("no " + key) from error

def main():
    try:
        read("a")
    except ValueError:
        try:
            [][1]
        except IndexError:
            raise RuntimeError("late")
main()
"""


def shown(trace: Trace, source: str) -> list[str]:
    return list(trace_lines(trace, source, call="run"))


def test_an_exception_is_shown_with_its_lines_and_with_what_was_being_handled() -> None:
    lines = shown(script(FAILING), FAILING)
    at = next(
        number for number, line in enumerate(lines) if line.startswith("raised RuntimeError: late after")
    )
    assert lines[at + 1 :] == [
        "  line 15 in <module>: main()",
        '  line 14 in main: raise RuntimeError("late")',
        "while handling IndexError: 'list index out of range'",
        "while handling ValueError: 'no a'",
        "caused by KeyError: 'a'",
    ]


def test_from_none_takes_the_context_away() -> None:
    source = "try:\n    {}[1]\nexcept KeyError:\n    raise ValueError from None\n"
    assert shown(script(source), source)[-2:] == [
        "raised ValueError after 4 steps",
        "  line 4 in <module>: raise ValueError from None",
    ]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("sys.exit(3)", "exited with 3"),
        ("sys.exit()", "exited with no code"),
        ("sys.exit('bad')", "exited with bad"),
    ],
)
def test_an_exit_is_an_outcome_with_its_code(end: str, words: str) -> None:
    source = f"import sys\n{end}\n"
    trace = script(source)
    assert isinstance(trace.outcome, Raised) and trace.outcome.type == "SystemExit"
    assert any(line.startswith(words) for line in shown(trace, source))


def test_a_file_of_the_program_that_does_not_compile_is_the_programs_own_error() -> None:
    trace = script("import broken\n", files={"broken.py": "def (:\n"})
    assert isinstance(trace.outcome, Raised) and trace.outcome.type == "SyntaxError"


# ------------------------------------------------------------------ generators, tasks, threads


def kinds(trace: Trace, name: str) -> list[str]:
    """Kinds of the events of one function, LINE left out."""
    events = zip(trace.events.kind, trace.events.frame, strict=True)
    names = [trace.codes[code].name for code in trace.frames.code]
    return [EventKind(kind).name for kind, frame in events if names[frame] == name and kind != EventKind.LINE]


def test_generators_are_suspended_and_go_on_whoever_drives_them() -> None:
    source = """\
def inner():
    got = yield 1
    try:
        yield got
    finally:
        print("closed")

def outer():
    yield from inner()

g = outer()
print(next(g), g.send("x"))
g.close()
"""
    trace = script(source)
    pattern = ["CALL", "YIELD", "RESUME", "YIELD", "RESUME", "RAISE", "UNWIND"]
    assert kinds(trace, "inner") == pattern
    assert kinds(trace, "outer") == pattern


ASYNC = """\
import asyncio

async def count(name, log):
    for i in range(2):
        await asyncio.sleep(0)
        log.append(name + str(i))
    return name

async def numbers():
    for i in range(2):
        yield i
        await asyncio.sleep(0)

class Door:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self
    async def __aexit__(self, *error):
        await asyncio.sleep(0)

async def main():
    log = []
    async with Door():
        names = await asyncio.gather(count("a", log), count("b", log))
    return names, log, [i async for i in numbers()]
"""


def test_tasks_have_numbers_and_take_turns() -> None:
    trace = called(ASYNC, "asyncio.run(main())", {})
    assert outcome_text(trace) == "(['a', 'b'], ['a0', 'b0', 'a1', 'b1'], [0, 1])"
    code = {name: number for number, name in enumerate(c.name for c in trace.codes)}
    threads: dict[int, set[int]] = {}
    for frame, thread in zip(trace.events.frame, trace.events.thread, strict=True):
        threads.setdefault(frame, set()).add(thread)
    of_count = [threads[frame] for frame, c in enumerate(trace.frames.code) if c == code["count"]]
    of_main = [threads[frame] for frame, c in enumerate(trace.frames.code) if c == code["main"]]
    assert (of_main, of_count) == ([{0}], [{1}, {2}])
    assert kinds(trace, "count")[:4] == ["CALL", "YIELD", "CALL", "YIELD"]


def test_an_async_function_named_in_a_call_is_run(project: Path) -> None:
    for call, answer in (("g(3)", "3"), ("A().h()", "1")):
        assert outcome_text(checked(program_of(TraceRequest("alone.py", call=call)))) == answer


THREADS = """\
import threading
lock = threading.Lock()
total = 0

def work(n):
    global total
    for i in range(n):
        with lock:
            total += i

class Worker(threading.Thread):
    def run(self):
        self.found = sum(range(4))

threads = [threading.Thread(target=work, args=(3,)) for _ in range(2)] + [Worker()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total, threads[-1].found)
"""


def test_threads_are_recorded_each_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    trace = script(THREADS)
    assert capsys.readouterr().out == "6 6\n"
    assert set(trace.events.thread) == {0, 1, 2, 3}
    parents = {
        trace.frames.parent[f] for f, t in zip(trace.events.frame, trace.events.thread, strict=True) if t
    }
    assert parents == {-1}
    assert kinds(trace, "work").count("RETURN") == 2 and kinds(trace, "Worker.run") == ["CALL", "RETURN"]
    assert names(final_state(trace), "")["total"] == "6"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_raises_leaves_its_exception_in_the_trace() -> None:
    source = "import threading\ndef work():\n    raise KeyError(1)\n"
    source += "t = threading.Thread(target=work)\nt.start(); t.join()\n"
    trace = script(source)
    assert isinstance(trace.outcome, Returned)
    assert kinds(trace, "work") == ["CALL", "RAISE", "UNWIND"]


def test_a_thread_that_goes_on_and_one_that_is_not_seen_are_said() -> None:
    source = """\
import threading
go = threading.Event()
def f():
    def work():
        go.wait()
    threading.Thread(target=work, daemon=True).start()
    return 1
"""
    trace = called(source, "f()", {})
    assert any("went on after the call" in note for note in trace.fidelity.notes)
    source = "import _thread\ndef f():\n    _thread.start_new_thread(print, ())\n"
    assert "threads started by _thread not recorded" in called(source, "f()", {}).fidelity.notes


def test_a_script_waits_for_its_threads_as_python_does() -> None:
    source = "import threading, time\ndone = []\ndef work():\n    time.sleep(0.02)\n    done.append(1)\n"
    source += "threading.Thread(target=work).start()\n"
    assert (
        "#" in names(final_state(script(source)), "")["done"]
        and kinds(script(source), "work")[-1] == "RETURN"
    )


# ------------------------------------------------------------------ as text


def test_a_program_of_several_files_names_the_file_of_each_call() -> None:
    source = "from text import size\nprint(size('ab'))\n"
    files = {"text.py": TEXT}
    trace = script(source, files=files)
    lines = list(trace_lines(trace, source, call="python run.py", files=files))
    assert "         3    call size(word='ab')  in text.py" in lines
    assert "    6    5    return len(word)" in lines


def test_the_command_line_of_a_script_is_shown_as_it_would_be_typed() -> None:
    bundle = Bundle(path="run.py", name="run")
    program = make_program("", SCRIPT, "'a b', '-v'", origin="test", prelude=prelude_of(bundle))
    assert shown_call(program) == "python run.py 'a b' -v"


def test_the_handles_of_files_are_names() -> None:
    trace = script("import text\n", files={"text.py": TEXT})
    assert [trace.names[code.file] for code in trace.codes if code.file] == ["text.py"]
    assert all(text_of(trace, key) for key in trace.changes.key if key >= 0)
