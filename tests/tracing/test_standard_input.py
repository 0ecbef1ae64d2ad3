"""A program in the sandbox finds its input at descriptor 0, as after `python a.py < FILE`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deskcheck.programs.files import program_of
from deskcheck.records import Granularity, Limits
from deskcheck.tracing.collect import TraceRequest, run_request
from deskcheck.tracing.printing import printed_at

INPUT = "1 2 3\nsecond é\nthird\n"
SCRIPTS = [
    "print(open(0).read())",
    "import os\nprint(os.read(0, 4), os.read(0, 100), os.read(0, 100))",
    "import sys\ns = sys.stdin\n"
    "print(s.name, s.fileno(), s.mode, s.encoding, s.errors, s.isatty(), s.seekable(), s.readable())\n"
    "print(type(s.buffer), type(s.buffer.raw), s.buffer.name, s.line_buffering, s.closed)",
    "import sys\nprint(sys.stdin.buffer.readline(), input(), sys.stdin.readlines(), sys.stdin.read())",
    "import fileinput\nprint(list(fileinput.input()))",
    "print(input(), input(), input())\ntry:\n    input()\nexcept EOFError as error:\n    print(error)",
    "import sys\nsys.stdin.seek(2)\nprint(sys.stdin.read(3))\nsys.stdin.close()\nprint(sys.stdin.closed)",
    "import os, sys\nprint(os.listdir('.'), os.fstat(0).st_size, sys.__stdin__ is sys.stdin)",
    "import os, sys\nprint(os.path.exists('/dev/stdin'), open('/dev/stdin').read(), sys.stdin.read())\n"
    "with open('/dev/stdin') as given:\n    print(given.readlines())",
    "with open(0, 'rb', closefd=False) as given:\n    print(given.read(7), given.name, given.mode)",
]


@pytest.mark.parametrize("source", SCRIPTS)
def test_a_script_reads_its_input_as_plain_python_does(tmp_path: Path, source: str) -> None:
    (tmp_path / "a.py").write_text(source)
    (tmp_path / "empty").mkdir()
    (tmp_path / "in.txt").write_text(INPUT, encoding="utf-8")
    with open(tmp_path / "in.txt", "rb") as given:
        plain = subprocess.run(
            [sys.executable, "../a.py"], cwd=tmp_path / "empty", stdin=given, capture_output=True, check=True,
            env=os.environ | {"PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"},
        )  # fmt: skip
    request = TraceRequest(str(tmp_path / "a.py"), stdin=str(tmp_path / "in.txt"))
    recorded = run_request(request, program_of=program_of)
    assert recorded.output == plain.stdout
    n_events = recorded.packed.n_events
    again, _ = printed_at(recorded.program, Limits(), Granularity.LINE, recorded.output, n_events)
    assert again == plain.stdout  # the second run has the same input


def test_an_input_larger_than_the_programs_output_may_be_is_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import sys\nN = len(sys.stdin.read())\nprint(N)\n")
    size = 2 * Limits().output_bytes
    (tmp_path / "in.txt").write_text("x" * size)
    request = TraceRequest(str(tmp_path / "a.py"), stdin=str(tmp_path / "in.txt"))
    assert run_request(request, program_of=program_of).output == f"{size}\n".encode()
