"""The source `files`: calls given, or named by the file itself, and one clear error for each mistake."""

from __future__ import annotations

import ast
import codecs
import json
from encodings.aliases import aliases
from pathlib import Path

import pytest

from deskcheck.api.trace import Trace
from deskcheck.data_files import read_rows
from deskcheck.errors import BadSource, UserError
from deskcheck.importers._files import document_of, lines_of
from deskcheck.plugins import SourceOptions, check_options
from deskcheck.programs.files import program_of, programs, read_source
from deskcheck.records import Limits, Program, Returned
from deskcheck.solutions.samples import Problem, read_samples
from deskcheck.tracing.collect import TraceRequest, run_request
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import functions_of, split_call
from deskcheck.tracing.run import trace_program
from deskcheck.viewer.terminal import request_lines

SOURCE = '''\
# deskcheck: f(3)
from math import sqrt

def f(x, k=None):
    return x  # deskcheck: not.a.comment.line(1)

class Solution:
    def solve(self, a):
        return a

class Plain:
    """No methods."""

double = lambda x: 2 * x
if True:
    def late(): ...
LIMIT = 3
    # deskcheck: f(4, k=[1])
'''


def found(path: Path, **fields: object) -> list[Program]:
    return list(programs(SourceOptions(source="files", path=str(path), **fields)))  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.py"
    path.write_text(SOURCE)
    return path


def test_a_file_names_its_own_calls_in_comment_lines(file: Path):
    assert [p.call for p in found(file)] == ["f(3)", "f(4, k=[1])"]


def test_given_calls_stand_in_place_of_those_in_the_file(file: Path):
    (one,) = found(file, calls=["f( 5 )"], license="MIT")
    assert (one.entry, one.arguments, one.license, one.origin) == ("f", "5", "MIT", "files:a.py")
    assert one.source == SOURCE


def test_a_folder_is_read_in_order_of_names(tmp_path: Path, file: Path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.py").write_text("# deskcheck: g()\ndef g(): ...\n")
    assert [p.call for p in found(tmp_path)] == ["f(3)", "f(4, k=[1])", "g()"]


def test_a_calls_file_says_which_file_of_a_folder_is_meant(tmp_path: Path, file: Path):
    (tmp_path / "b.py").write_text("def g(): ...\n")
    calls = tmp_path / "calls.jsonl"
    calls.write_text(
        json.dumps({"call": "g()", "file": "b.py"}) + "\n\n" + json.dumps({"call": "f(1)", "file": "a.py"})
    )
    assert [p.call for p in found(tmp_path, calls_file=str(calls))] == ["f(1)", "g()"]
    calls.write_text('{"call": "g()", "file": "c.py"}')
    with pytest.raises(UserError, match=r"no file 'c\.py' at .*; there is: a\.py, b\.py"):
        found(tmp_path, calls_file=str(calls))
    with pytest.raises(UserError, match=r"call 'g\(\)': there is no file 'c\.py' at .*; there is: a\.py"):
        found(file, calls_file=str(calls))
    calls.write_text('{"call": "f(1)"}\n{"call": "f(2)", "file": "a.py"}\n')
    assert [p.call for p in found(file, calls_file=str(calls))] == ["f(1)", "f(2)"]
    calls.write_text('{"calls": "g()"}')
    with pytest.raises(UserError, match="line 1 is not"):
        found(tmp_path, calls_file=str(calls))
    with pytest.raises(UserError, match="name one file"):
        found(tmp_path, calls=["g()"])


@pytest.mark.parametrize(
    ("call", "entry", "arguments"),
    [
        ("f(3)", "f", "3"),
        ("  f (3, k=[1]) # why", "f", "3, k=[1]"),
        ("Solution().solve([1, ')'])", "Solution().solve", "[1, ')']"),
        ("(f)(3)", "f", "3"),
        ("f('é', (1, 2),)", "f", "'é', (1, 2),"),
        ("double(4)", "double", "4"),
        ("late()", "late", ""),
    ],
)
def test_a_call_is_cut_into_entry_and_arguments(call: str, entry: str, arguments: str):
    assert split_call(call, SOURCE, file="a.py") == (entry, arguments)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("g(3)", r"defines no 'g' .* it defines: f, Solution\(\)\.solve, Plain, double, late"),
        ("sqrt(4)", "defines no 'sqrt'"),
        ("LIMIT(4)", "defines no 'LIMIT'"),
        ("f(3", "does not parse"),
        ("f", r"is not a call; write it with its arguments: 'f\(3\)'"),
        ("", "does not parse"),
        ("f(3)[0]", r'not a call; run .*: deskcheck trace -c "from a import f; print\(f\(3\)\[0\]\)"'),
        ("sum(double(4))", r"defines no 'sum'.*from a import double; print\(sum\(double\(4\)\)\)"),
        ("f(3) == f(4)", r'not a call; run .*print\(f\(3\) == f\(4\)\)"'),
        ('len(f("a"))', "--call makes one call of a function of the file; run a script"),
    ],
)
def test_a_call_that_cannot_be_made_says_why_and_what_can(call: str, message: str):
    with pytest.raises(BadSource, match=message):
        split_call(call, SOURCE, file="a.py")


@pytest.mark.parametrize(
    ("line", "name", "is_known"),
    [
        ("from .b import g", "g", True),
        ("from p.b import g as h", "h", True),
        ("from p.b import g as h", "g", False),
        ("from .c import *", "g", True),
        ("try:\n    from .b import g\nexcept ImportError:\n    g = None", "g", True),
        ("def late():\n    from .b import g", "g", False),
        ("from .b import nothing", "nothing", False),
        ("from math import sqrt", "sqrt", False),
    ],
)
def test_a_call_may_name_what_the_file_imports_from_the_program(
    line: str, name: str, is_known: bool, tmp_path: Path
):
    (tmp_path / "p").mkdir()
    for file, text in {
        "__init__": f"{line}\n", "b": "def g(n):\n    return n + 1\n", "c": "from .b import *\n"
    }.items():  # fmt: skip
        (tmp_path / "p" / f"{file}.py").write_text(text)
    main = tmp_path / "p" / "__init__.py"
    if not is_known:
        with pytest.raises(BadSource, match=f"defines no '{name}'"):
            found(main, calls=[f"{name}(3)"])
        return
    for program in (
        found(main, calls=[f"{name}(3)"])[0],
        program_of(TraceRequest(str(main), call=f"{name}(3)")),
    ):
        trace = trace_program(program, Limits())
        assert (outcome_text(trace), trace.n_steps) == ("4", 1)


def test_what_a_file_defines_is_listed_in_order():
    assert functions_of(SOURCE) == ["f", "Solution().solve", "Plain", "double", "late"]


@pytest.mark.parametrize(
    "binding",
    [
        "f, LIMIT = (lambda n: n), 2",
        "(f := lambda n: n)",
        "f: object = lambda n: n",
        "LIMIT, (f, *rest) = make()",
        "try:\n    import fast\nexcept ImportError:\n    def f(n): return n",
        "match 1:\n    case 1:\n        def f(n): return n",
        "while True:\n    def f(n): return n\n    break",
    ],
)
def test_a_function_may_be_bound_in_any_way(binding: str):
    assert "f" in functions_of(binding)
    assert split_call("f(3)", binding, file="a.py") == ("f", "3")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"def f(:\n", "line 1 does not parse"),
        (b"x = '\xff'\n", "is not UTF-8"),
        (b"# coding: nope\n", "is not UTF-8 text, and names no encoding that fits .* nope"),
        (b"x = '\0'\n", "does not parse"),
        (b"def f(): ...\n", "no call to make"),
    ],
)
def test_a_file_that_is_no_program_is_one_error(tmp_path: Path, content: bytes, message: str):
    (tmp_path / "a.py").write_bytes(content)
    with pytest.raises(UserError, match=message):
        found(tmp_path / "a.py")


def test_paths_that_are_not_there_are_named(tmp_path: Path):
    with pytest.raises(UserError, match="no such file or folder"):
        found(tmp_path / "no.py")
    with pytest.raises(UserError, match=r"holds no program: no file \*\.py, \*\.js,"):
        found(tmp_path)
    with pytest.raises(UserError, match="name a file or folder"):
        list(programs(SourceOptions(source="files")))


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfx = '\xc3\xa9'\r\n", b"# coding: latin-1\nx = '\xe9'\n"])
def test_a_source_is_read_in_the_encoding_that_python_takes(content: bytes, tmp_path: Path):
    (tmp_path / "a.py").write_bytes(content)
    assert read_source(tmp_path / "a.py").strip().endswith("x = 'é'")


_BODIES = [b"x = 'a'\n", b'x = 1\ry = 2\r\nz = """a\rb"""\n', b"x = '\xe9'\n", b"x = 'a\\\nb'\n"]


def test_every_encoding_is_read_or_refused_as_python_does(tmp_path: Path):
    names = {*aliases.values(), "nope", "undefined", "idna", "punycode", "unicode_escape", "mbcs"}
    differing = []
    for name in sorted(names):
        for body in _BODIES:
            data = b"# coding: " + name.encode() + b"\n" + body
            (tmp_path / "a.py").write_bytes(data)
            try:
                truth = ast.dump(ast.parse(data))
            except (SyntaxError, ValueError, LookupError):
                truth = "refused"
            try:
                read = ast.dump(ast.parse(read_source(tmp_path / "a.py")))
            except BadSource:
                read = "refused"
            if read != truth:
                differing.append((name, body))
    assert len(names) > 90 and differing == []


@pytest.mark.parametrize("trusted", [False, True])
def test_every_step_shows_the_line_that_runs_whatever_ends_the_lines(tmp_path: Path, trusted: bool):
    lines = ["def f(n):", "    x = n + 1  # \x0c \u2028", "    return x * 2", "y = f(3)", "z = y"]
    plain = None
    for ends in ("\n" * 5, "\r" * 5, "\n\r\n\r\r"):
        text = "".join(line + end for line, end in zip(lines, ends, strict=True))
        (tmp_path / "a.py").write_bytes(text.encode())
        recorded = run_request(
            TraceRequest(str(tmp_path / "a.py"), is_trusted=trusted), program_of=program_of
        )
        steps = [(step.line, step.text) for step in Trace(recorded.program, recorded.in_memory())]
        plain = plain or steps
        assert steps == plain == [(n, lines[n - 1].strip()) for n in (1, 4, 2, 3, 5)]
        shown = "\n".join(request_lines(recorded))
        assert all(line.strip()[:9] in shown for line in lines) and "after 5 steps" in shown


def test_files_that_begin_with_a_byte_order_mark_are_read(tmp_path: Path):
    def marked(name: str, text: str) -> Path:
        (tmp_path / name).write_bytes(codecs.BOM_UTF8 + text.encode())
        return tmp_path / name

    rows = '{"id": "a", "code": "é"}\n{"id": "b"}\n'
    assert [row["id"] for _, row in read_rows(marked("rows.jsonl", rows))] == ["a", "b"]
    assert [row["id"] for _, row in read_rows(marked("rows.json", '[{"id": "a"}]'))] == ["a"]
    assert [row["id"] for _, row in lines_of(marked("answers.jsonl", rows))] == ["a", "b"]
    assert document_of(marked("answers.json", '{"a": ["1"]}')) == {"a": ["1"]}
    marked("code.py", "def f(x):\n    return x\n")
    calls = marked("calls.jsonl", '{"call": "f(1)"}\n')
    assert [p.call for p in found(tmp_path / "code.py", calls_file=str(calls))] == ["f(1)"]
    samples = marked("samples.jsonl", '{"task_id": "T/0", "solution": "x = 1"}\n')
    assert read_samples(str(samples), {"T/0": Problem("T/0", "", "", "f", "")}) == {"T/0": ["x = 1"]}


@pytest.mark.parametrize("name", ["notes.txt", "v1.2.py", "a-b.py", "tool"])
def test_a_script_may_have_any_name(name: str, tmp_path: Path):
    (tmp_path / name).write_text("x = 1\n")
    recorded = run_request(TraceRequest(str(tmp_path / name)), program_of=program_of)
    assert isinstance(recorded.packed.head.outcome, Returned)


def test_a_negative_count_is_refused():
    with pytest.raises(UserError, match="--limit is -1"):
        check_options(SourceOptions(source="files", limit=-1))
