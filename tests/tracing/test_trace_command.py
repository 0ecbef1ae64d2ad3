"""deskcheck trace: readable text, JSON, Parquet; what is asked wrongly is one clear error and exit code 2."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from deskcheck import cli
from deskcheck.format.shards import read_traces
from deskcheck.records import Trace

SOURCE = """\
def swap(xs, i):
    other = xs
    other[0], other[i] = other[i], other[0]
    return other

def fail(key):
    table = {'a': 1}
    try:
        return table[key]
    except KeyError:
        del table['a']
        raise ValueError(key)

def loop():
    n = 0
    while True:
        n += 1
"""
SWAP = """\
swap([1, 2], 1)
         1  call swap(xs=#0[1, 2], i=1)
    1    2      other = xs
                  other = #0[1, 2]
    2    3      other[0], other[i] = other[i], other[0]
                  xs = other = #0[2, 1]  ([0] = 2, [1] = 1)
    3    4      return other
         4  return #0[2, 1]
returned #0[2, 1] after 3 steps
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(SOURCE)
    return path


class Done:
    def __init__(self, returncode: int, stdout: str, stderr: str) -> None:
        self.returncode = returncode
        self.stdout = stdout
        self.stderr = stderr


@pytest.fixture
def trace_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """The command as the shell would run it, in this process."""

    def run(*arguments: str | Path) -> Done:
        monkeypatch.setattr("sys.argv", ["deskcheck", "trace", *map(str, arguments)])
        try:
            cli.main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


def test_the_run_is_readable_and_aliases_are_visible(file: Path, trace_command: Callable[..., Done]) -> None:
    done = trace_command(file, "--call", "swap([1, 2], 1)")
    assert (done.returncode, done.stdout) == (0, SWAP)
    assert done.stderr == "" or done.stderr.startswith("sandbox: ")  # said where it is less than full


def test_an_exception_is_not_shown_as_a_return(file: Path, trace_command: Callable[..., Done]) -> None:
    shown = trace_command(file, "--call", "fail('b')").stdout
    assert "raises" in shown and "left by its exception" in shown and "return None" not in shown
    assert "table = #0{}  (- ['a'])" in shown
    assert shown.endswith(
        "raised ValueError: b after 6 steps\n"
        "  line 12 in fail: raise ValueError(key)\n"
        "while handling KeyError: 'b'\n"
    )


def test_json_and_parquet_hold_the_whole_trace(
    file: Path, tmp_path: Path, trace_command: Callable[..., Done]
) -> None:
    out = tmp_path / "run.parquet"
    done = trace_command(file, "--call", "swap([1, 2], 1)", "--format", "json", "--out", out)
    trace = msgspec.json.decode(done.stdout, type=Trace)
    assert trace.n_steps == 3
    assert list(read_traces(out)) == [trace]


def test_a_long_run_is_cut_in_the_middle_and_says_how_to_see_it(
    file: Path, trace_command: Callable[..., Done]
) -> None:
    cut = trace_command(file, "--call", "loop()", "--max-steps", "500").stdout
    assert "... 340 steps not shown; --all shows them ..." in cut
    assert cut.endswith("stopped at the limit of 500 steps; --max-steps changes it\n")
    whole = trace_command(file, "--call", "loop()", "--max-steps", "500", "--all").stdout
    assert "not shown" not in whole and whole.count("n += 1") > 200


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["FILE", "--call", "nope(1)"], ["no 'nope'", "swap, fail, loop"]),
        (["FILE", "--call", "swap(1"], ["does not parse"]),
        (["FILE", "--call", "swap"], ["not a call"]),
        (["FILE", "word", "--call", "swap([1], 0)"], ["'word'", "leave --call out"]),
        (["FILE", "--call", "loop()", "--step-in", "-nope"], ["'nope'", "known: fail, loop"]),
        (["FILE", "--stdin", "missing.txt"], ["--stdin missing.txt cannot be read"]),
        (["-m", "nope"], ["no module 'nope'"]),
        (["FILE", "3", "--twice"], ["no option --twice", "deskcheck trace FILE -- --twice"]),
        (["missing.py", "--call", "f()"], ["no such file: missing.py"]),
        (["BROKEN", "--call", "f()"], ["does not parse", "line 1"]),
        (["FILE", "--call", "loop()", "--format", "xml"], ["xml", "json, text"]),
        (["FILE", "--call", "loop()", "--max-steps", "0"], ["greater than 0"]),
        (["FILE", "--call", "loop()", "--out", "x.csv"], [".parquet"]),
    ],
)
def test_what_is_asked_wrongly_is_one_clear_error(
    file: Path, tmp_path: Path, arguments: list[str], words: list[str], trace_command: Callable[..., Done]
) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def f(:\n")
    paths = {"FILE": str(file), "BROKEN": str(broken)}
    done = trace_command(*[paths.get(a, a) for a in arguments])
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in words)


def test_confirm_says_whether_a_second_run_gave_the_same_bytes(
    file: Path, tmp_path: Path, trace_command: Callable[..., Done]
) -> None:
    done = trace_command(file, "--call", "swap([1, 2], 1)", "--confirm", "--format", "json")
    assert "a second run elsewhere gave the same bytes" in done.stderr
    assert msgspec.json.decode(done.stdout, type=Trace).determinism.confirmed
    clock = tmp_path / "clock.py"
    clock.write_text("import time\ndef now():\n    return time.perf_counter_ns()\n")
    done = trace_command(clock, "--call", "now()", "--confirm")
    assert "a second run elsewhere gave other bytes" in done.stderr


SCRIPT = """\
import sys
from words import longest
print(longest(sys.argv[1:] + sys.stdin.read().split()))
sys.exit(3)
"""


def test_a_script_runs_in_the_sandbox_with_its_files_arguments_and_input(
    tmp_path: Path, trace_command: Callable[..., Done]
) -> None:
    (tmp_path / "run.py").write_text(SCRIPT)
    (tmp_path / "words.py").write_text("def longest(words):\n    return max(words, key=len)\n")
    (tmp_path / "in.txt").write_text("from stdin")
    done = trace_command(tmp_path / "run.py", "--stdin", tmp_path / "in.txt", "--", "a", "-bcd")
    assert done.returncode == 3
    assert "python run.py a -bcd" in done.stdout
    assert "call longest(words=#" in done.stdout and "in words.py" in done.stdout
    assert "exited with 3" in done.stdout
    assert done.stdout.endswith("| stdin\n")


def test_a_data_file_is_there_when_the_program_opens_it(
    tmp_path: Path, trace_command: Callable[..., Done]
) -> None:
    (tmp_path / "run.py").write_text("print(open('d.txt').read())\n")
    (tmp_path / "d.txt").write_text("found")
    assert "| found" in trace_command(tmp_path / "run.py", "--file", tmp_path / "d.txt").stdout
    without = trace_command(tmp_path / "run.py").stdout
    assert "raised FileNotFoundError" in without and "--file PATH gives it one more" in without


def test_a_file_that_only_defines_says_how_to_call(file: Path, trace_command: Callable[..., Done]) -> None:
    shown = trace_command(file).stdout
    assert shown.endswith("note: the file only defines things; --call 'f(3)' traces a call\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the file is empty: there is nothing to run"),
        ("\n \n", "the file is empty: there is nothing to run"),
        ("# a remark\n", "the file holds comments alone: there is nothing to run"),
        ("import os\n", "the file only imports; code of other files is one step"),
        ("pass\n", "no statement of the file changes a variable or calls a function of its own"),
    ],
)
def test_a_file_that_does_nothing_says_why(
    text: str, said: str, tmp_path: Path, trace_command: Callable[..., Done]
) -> None:
    (tmp_path / "idle.py").write_text(text)
    assert trace_command(tmp_path / "idle.py").stdout.endswith(f"note: {said}\n")
