"""Real programs: scripts of several files, exceptions with causes, exits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing.telling import at_line, called, moments, names, script, traced

from deskcheck.records import Limits, Raised, Returned, Trace
from deskcheck.tracing import run
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import SCRIPT, Bundle, make_program, prelude_of
from deskcheck.tracing.replay import final_state, states, text_of
from deskcheck.viewer.terminal import trace_lines

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


def test_the_handles_of_files_are_names() -> None:
    trace = script("import text\n", files={"text.py": TEXT})
    assert [trace.names[code.file] for code in trace.codes if code.file] == ["text.py"]
    assert all(text_of(trace, key) for key in trace.changes.key if key >= 0)


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


OUTSIDE = """\
import sys, warnings
print(sorted(globals()), type(__builtins__), __annotations__, __cached__, sys._getframe().f_back)
warnings.warn("x", stacklevel=2)
"""


def test_a_script_has_the_names_of_main_and_no_frame_below_its_own(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.py").write_text(OUTSIDE)
    command = [sys.executable, "run.py"]
    plain = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    with pytest.warns(UserWarning, match="x") as warned:
        script(OUTSIDE)
    assert f"{warned[0].filename}:{warned[0].lineno}: UserWarning: x\n" == plain.stderr
    assert capfd.readouterr().out == plain.stdout


@pytest.mark.parametrize(("word", "below"), [("def", "['']"), ("async def", "['asyncio']")])
def test_a_call_has_no_frame_of_ours_below_it(word: str, below: str) -> None:
    source = f"""\
import sys
{word} f():
    frame, found = sys._getframe(1), set()
    while frame:
        found.add(frame.f_globals.get("__name__", "").partition(".")[0])
        frame = frame.f_back
    return sorted(found)
"""
    assert outcome_text(called(source, "f()", {})) == below


BINDINGS = {
    "assignment": "sum = 5",
    "loop": "for sum in [5]: pass",
    "from m import *": "from tool import *",
    "global": "def f():\n    global sum\n    sum = 5\nf()",
    "dictionary": "globals()['sum'] = 5",
    "exec": "exec('sum = 5')",
    "attribute of the module": "import sys\nsys.modules[__name__].__dict__.update(sum=5)",
}


@pytest.mark.parametrize("tracer", ["reference", "native"])
@pytest.mark.parametrize("way", BINDINGS)
def test_a_global_that_has_the_name_of_a_builtin_is_shown(way: str, tracer: str) -> None:
    source = f"{BINDINGS[way]}\nx = 1\nsum += x\n"
    files = {"tool.py": "sum = 5\n", "other.py": source}
    for text, file in ((source, ""), ("import other\n", "other.py")):
        bundle = Bundle(path="run.py", name="run", files=files)
        program = make_program(text, SCRIPT, "", origin="test", prelude=prelude_of(bundle))
        trace = run.trace_program(program, Limits(), tracer=tracer)
        assert names(final_state(trace), file)["sum"] == "6"


@pytest.mark.parametrize("tracer", ["reference", "native"])
def test_a_call_can_bind_such_a_global(tracer: str) -> None:
    source = "def f():\n    global sum\n    sum = 5\n    return len([sum])\n"
    trace = traced(source, tracer=tracer)
    assert names(final_state(trace), "")["sum"] == "5"
    assert "len" not in names(final_state(trace), "")
