"""A trace as text: what is shown of values, files, calls, output; what to do about a run that went wrong."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracing.telling import checked, script, traced

from deskcheck.languages import colors
from deskcheck.records import Limits, Refused, Returned
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.program import SCRIPT, Bundle, make_program, prelude_of
from deskcheck.tracing.replay import State, final_state
from deskcheck.tracing.run import trace_program
from deskcheck.viewer import text as texts
from deskcheck.viewer.terminal import Paint, n_columns, paint_of, printable, shown_call, trace_lines
from deskcheck.viewer.text import Sources, fitting_text, hint_lines, outcome_lines, output_lines, value_text

TEXT = """\
SEEN = []

def size(word):
    SEEN.append(word)
    return len(word)
"""


def test_a_program_of_several_files_names_the_file_of_each_call() -> None:
    source = "from text import size\nprint(size('ab'))\n"
    files = {"text.py": TEXT}
    trace = script(source, files=files)
    lines = list(trace_lines(trace, source, call="python run.py", files=files))
    assert "         3    call size(word='ab')  in text.py" in lines
    assert "    6    5        return len(word)" in lines


def test_the_command_line_of_a_script_is_shown_as_it_would_be_typed() -> None:
    bundle = Bundle(path="run.py", name="run")
    program = make_program("", SCRIPT, "'a b', '-v'", origin="test", prelude=prelude_of(bundle))
    assert shown_call(program) == "python run.py 'a b' -v"
    for path, name in (("tool/__main__.py", "tool.__main__"), ("tool/deep.py", "tool.deep")):
        program = make_program(
            "", SCRIPT, "", origin="test", prelude=prelude_of(Bundle(path=path, name=name))
        )
        assert shown_call(program) == f"python -m {name.removesuffix('.__main__')}"


def shown(source: str, call: str = "f()") -> list[str]:
    return [line.strip() for line in trace_lines(traced(source, call), source, call=call)]


def test_variables_of_a_closure_are_not_arguments() -> None:
    source = """\
def f():
    total = 2
    def add(x):
        return total + x
    return add(1)
"""
    assert "3    call f.<locals>.add(x=1)  closure total=2" in shown(source)


def test_a_class_body_shows_its_data_and_nothing_of_the_interpreters() -> None:
    source = """\
def f():
    class A(Exception):
        size = 3
        def __init__(self, n):
            super().__init__(n)
        def grow(self):
            pass
    return A(4).size
"""
    lines = shown(source)
    assert "size = 3" in lines
    assert not [line for line in lines if "cell" in line or "grow = " in line]
    assert next(line for line in lines if "call f.<locals>.A.__init__" in line).endswith("n=4)")


def test_a_module_level_name_that_goes_is_a_del_of_a_global() -> None:
    source = "x = 1\ndel x\ny = __file__, __name__\n"
    lines = [line.strip() for line in trace_lines(script(source), source, call="run")]
    assert "global x = 1" in lines and "del global x" in lines
    assert any(line.startswith("global y = (") for line in lines)
    assert not any(line.startswith("global __") for line in lines), "every module has those"


def last_state(source: str) -> tuple[State, int]:
    trace = traced(source)
    assert isinstance(trace.outcome, Returned)
    return final_state(trace), trace.outcome.value


def test_a_value_is_written_with_as_many_levels_as_fit() -> None:
    state, value = last_state("def f():\n    return [[[1], {'k': [2]}], 3]\n")
    assert fitting_text(state, value) == value_text(state, value) == "#0[#1[#2[1], #3{'k': #4[2]}], 3]"
    long = "def f():\n    return [[[n] * 9 for n in range(20)], {'k': (1, [2])}, []]\n"
    state, value = last_state(long)
    text = fitting_text(state, value)  # from 3.12 on a comprehension has no frame, and lists other numbers
    assert re.sub(r"#\d+", "#", text) == "#[#[…], #{…}, #[]]"
    assert len(value_text(state, value)) > 500


def test_what_refers_to_itself_and_to_everything_is_shown_at_once() -> None:
    # Each of 30 nodes knows all others: with seven levels that would be 30 ** 3 texts.
    source = """\
def f():
    nodes = [{} for _ in range(30)]
    for node in nodes:
        node['all'] = nodes
    return nodes[0]
"""
    state, value = last_state(source)
    assert fitting_text(state, value).endswith("[…]}")


def test_a_caught_recursion_without_end_is_told_in_two_screens() -> None:
    source = """\
def g():
    return g()
def f():
    try:
        g()
    except RecursionError:
        return 1
"""
    program = make_program(source, "f", "", origin="test")
    lines = list(trace_lines(trace_program(program, Limits()), source, call="f()"))
    assert len(lines) < 500 and lines[-2].endswith("return 1")
    assert sum("events not shown; --all shows them" in line for line in lines) == 1


def test_a_recursion_without_end_is_told_in_two_screens() -> None:
    program = make_program("def f():\n    return f()\n", "f", "", origin="test")
    trace = trace_program(program, Limits())
    lines = list(trace_lines(trace, program.source, call="f()"))
    assert len(lines) < 500
    assert any(
        re.fullmatch(r" +\.\.\. \d+ events not shown; --all shows them \.\.\.", line) for line in lines
    )
    at = lines.index("  line 2 in f: return f()")
    assert lines[at + 1 : at + 3] == [lines[at]] * 2
    assert re.fullmatch(r"  \[the line above \d+ more times\]", lines[at + 3])
    assert len(list(trace_lines(trace, program.source, call="f()", whole=True))) > 2_000


def test_much_output_is_cut_in_the_middle_and_says_how_to_see_it() -> None:
    output = "".join(f"line {n}\n" for n in range(100)).encode()
    lines = list(output_lines(output))
    assert lines[:2] == [f"it printed {len(output)} bytes:", "| line 0"] and lines[-1] == "| line 99"
    assert lines[41] == "  ... 40 lines not shown; --all shows them ..."
    assert list(output_lines(output, whole=True))[1:] == [f"| line {n}" for n in range(100)]
    (line,) = list(output_lines(b"x" * 1000))[1:]
    assert line == f"| {'x' * 400} … 600 more characters"


@pytest.mark.filterwarnings("ignore::ImportWarning")
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("input()\n", "--stdin FILE"),
        ("from . import near\n", "deskcheck trace -m"),
        ("open('no.txt')\n", "--file PATH"),
        ("def f():\n    pass\n", "--call 'f(3)'"),
    ],
)
def test_a_run_that_this_command_can_mend_says_how(
    source: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    program = make_program(
        source, SCRIPT, "", origin="test", prelude=prelude_of(Bundle(path="run.py", name="run"))
    )
    (hint,) = hint_lines(checked(program), program)
    assert hint.startswith("note: ") and words in hint


def test_a_refused_call_is_said_in_words() -> None:
    trace = empty_trace("p", Limits(), Refused("write:openat, network:socket"))
    lines = list(outcome_lines(trace, Sources(trace, "", {})))
    assert lines[0] == "refused: write:openat, network:socket"
    assert "tried to create or change a file (openat); the sandbox refuses that" in lines[1]
    assert "deskcheck trace --trust" in lines[2]
    (line,) = outcome_lines(empty_trace("p", Limits(), Refused("no tracer for java")), Sources(trace, "", {}))
    assert line == "refused: no tracer for java"


SORTED = """\
def f(xs, table):
    for x in xs:
        if x:
            table[x] = xs
    xs.append(7)
    xs.insert(0, 9)
    del xs[1]
    return xs
"""


def test_lines_keep_their_indentation_and_a_change_shows_the_object_and_its_mark() -> None:
    trace = traced(SORTED, "f([1], {})")
    lines = list(trace_lines(trace, SORTED, call="f([1], {})"))
    assert "    3    4              table[x] = xs" in lines
    assert f"{'':26}table = #1{{1: #0[1]}}  ([1] = #0[1])" in lines
    assert "                  xs = #0[1, 7]  (+ 7)" in lines
    assert "                  xs = #0[9, 1, 7]  (+ 9 at 0)" in lines
    assert "                  xs = #0[9, 7]  (- [1])" in lines


def test_a_large_object_shows_its_changes_alone() -> None:
    source = "def f(xs):\n    ys = xs\n    xs[40] = -5\n    return 1\n"
    trace = traced(source, "f(list(range(100)))")
    lines = [line.strip() for line in trace_lines(trace, source, call="f")]
    assert "xs = ys: [40] = -5" in lines


def test_a_line_is_never_wider_than_the_terminal_and_colors_do_not_count() -> None:
    trace = traced(SORTED, "f([1], {})")
    plain = list(trace_lines(trace, SORTED, call="f([1], {})", paint=Paint(width=30)))
    assert max(map(len, plain)) == 30 and any(line.endswith("…") for line in plain)
    painted = list(trace_lines(trace, SORTED, call="f([1], {})", paint=Paint(color=True, width=30)))
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in painted] == plain
    assert any("\x1b[35mfor\x1b[0m" in line for line in painted)


def test_no_color_and_pipes_are_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "77")
    assert paint_of(Terminal()) == Paint(color=True, width=77)
    assert paint_of(io.StringIO()) == Paint()
    monkeypatch.setenv("NO_COLOR", "1")
    assert paint_of(Terminal()) == Paint(color=False, width=77)


def test_escape_sequences_are_shown_and_never_obeyed() -> None:
    source = "def f(s):\n    t = s  # \x1b[2J \u202e\n    return t\n"
    trace = traced(source, r"f('\x1b[31m\u202e')")
    text = "\n".join(trace_lines(trace, source, call="f('\x1b[2J')"))
    assert "\x1b" not in text and "\u202e" not in text
    assert r"# \x1b[2J \u202e" in text and r"t = '\x1b[31m\u202e'" in text


MADE = [
    "list(range({n}))",
    "tuple(range({n}))",
    "set(range({n}))",
    "dict.fromkeys(range({n}), 0)",
    "Box({n})",
]
BOX = "class Box:\n    def __init__(self, n):\n        vars(self).update({f'a{i}': i for i in range(n)})\n"


@pytest.mark.parametrize("made", MADE)
def test_text_that_is_not_printed_is_not_made(made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []
    write = texts._Writer.value

    def counted(writer: texts._Writer, handle: int, *rest: object) -> str:
        written.append(handle)
        return write(writer, handle, *rest)  # type: ignore[arg-type]  # as the writer itself passes them

    monkeypatch.setattr(texts._Writer, "value", counted)
    for n in (3, 60, 600):
        trace = traced(f"{BOX}def f():\n    return {made.format(n=n)}\n", "f()")
        assert isinstance(trace.outcome, Returned)
        state, handle = final_state(trace), trace.outcome.value
        written.clear()
        line = fitting_text(state, handle)
        assert len(written) < 200 and len(line) <= 200
        if n == 3:
            assert line == value_text(state, handle)
            continue
        # Both ends are the object's own, and the number of the others is right.
        head, left, tail = re.split(r", … ([\d,]+) more …, ", line)
        whole = value_text(state, handle)
        assert whole.startswith(head) and whole.endswith(tail)
        members = len(re.findall(r"\d+(?=[,)\]}]|$)", head)) + len(re.findall(r"\d+(?=[,)\]}]|$)", tail))
        assert members + int(left.replace(",", "")) == n


def test_long_members_leave_room_for_the_number_of_the_others() -> None:
    for n, expected in ((2, ""), (3, "… 1 more …"), (900, "… 898 more …")):
        trace = traced(f"def f():\n    return ['a' * 100 for _ in range({n})]\n", "f()")
        assert isinstance(trace.outcome, Returned)
        line = fitting_text(final_state(trace), trace.outcome.value)
        assert expected in line and (len(line) <= 160) == bool(expected)
        assert expected or line == value_text(final_state(trace), trace.outcome.value)


@pytest.mark.parametrize("width", [20, 33, 40, 60, 80, 200])
@pytest.mark.parametrize("color", [True, False])
def test_no_line_is_wider_than_the_terminal(width: int, color: bool) -> None:
    source = "def f(text):\n    wide = text * 20  # 한국어 日本語 ｆｕｌｌ\n"
    source += "    many = [wide, text] * 9\n    return many\n"
    for text in ("'漢字かな'", "'ab'", "'e\u0301한\\t\\x1b'"):
        lines = list(trace_lines(traced(source, f"f({text})"), source, call="f", paint=Paint(color, width)))
        plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
        assert all(line == printable(line) for line in plain)
        widest = max(map(n_columns, plain))
        assert widest == width if width < 200 else width / 2 < widest <= width
    assert (n_columns("ab"), n_columns("漢a"), n_columns("e\u0301")) == (2, 3, 2)


@pytest.mark.parametrize("width", [0, 40, 60, 80])
def test_a_deep_call_shows_its_code_and_not_its_indentation(width: int) -> None:
    source = "def f(n):\n    if n:\n        return f(n - 1)\n    return 0\n"
    lines = list(trace_lines(traced(source, "f(45)"), source, call="f(45)", paint=Paint(width=width)))
    assert sum("if n:" in line for line in lines) == 46 and sum("call f(n=" in line for line in lines) == 46
    assert "[44] call f(n=1)" in next(line for line in lines if "n=1)" in line)
    assert max(map(n_columns, lines)) <= (width or 90)


def test_the_wrapper_of_a_cache_is_shown_by_its_function() -> None:
    source = "import functools\n@functools.lru_cache\ndef g(n):\n    return n\n\n"
    source += "def f():\n    h = g\n    return h(1)\n"
    text = "\n".join(trace_lines(traced(source, "f()"), source, call="f()"))
    assert "h = #0<cached function g>" in text and "cache_parameters" not in text


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of POSIX")
def test_the_command_writes_no_line_wider_than_its_terminal(tmp_path: Path) -> None:
    import pty

    file = tmp_path / "wide.py"
    file.write_text(
        "def f(n):\n    rows = {'キー' * k: ['漢字' * 20] * k for k in range(n)}\n    return rows\n"
    )
    main, end = pty.openpty()
    command = [sys.executable, "-m", "deskcheck", "trace", str(file), "--call", "f(4)"]
    environment = os.environ | {"COLUMNS": "40", "TERM": "xterm"}
    started = subprocess.Popen(command, stdout=end, stderr=end, stdin=end, env=environment)
    os.close(end)
    printed = b""
    with contextlib.suppress(OSError):  # Linux ends a pseudo-terminal with an error
        while piece := os.read(main, 65536):
            printed += piece
    os.close(main)
    assert started.wait() == 0
    lines = re.sub(r"\x1b\[[\d;]*m", "", printed.decode()).replace("\r", "").splitlines()
    assert len(lines) > 8 and max(map(n_columns, lines)) == 40


@pytest.mark.parametrize(
    ("language", "line", "comment"),
    [("python", "s = '😀😀'  # end", "# end"), ("javascript", "s = '😀😀';  // end", "// end"),
     ("c", 's = "😀😀";  // end', "// end")],
)  # fmt: skip
def test_colors_count_characters_behind_an_emoji(language: str, line: str, comment: str) -> None:
    start, length, _ = colors(line, language)[-1]
    assert line[start : start + length] == comment
