"""The null device can be opened for writing, as plain Python allows; nothing else can by way of it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deskcheck.records import Limits, Refused
from deskcheck.sandbox import containment
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

SOURCE = """\
import contextlib, logging, os, pathlib, sys
def silenced():
    with open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
        print("quiet")
    return 1
def low_level():
    number = os.open(os.devnull, os.O_RDWR)
    found = os.write(number, b"abc"), os.read(number, 5)
    os.close(number)
    return found
def logged():
    handler = logging.FileHandler(os.devnull)
    log = logging.Logger("x")
    log.addHandler(handler)
    log.warning("hello")
    handler.close()
    return 1
def replaced():
    sys.stderr = open(os.devnull, "w")
    return sys.stderr.write("abc")
def modes():
    found = []
    for mode in ("w", "a", "r+", "w+", "wb", "ab", "r+b", "x", "r"):
        try:
            with open(os.devnull, mode) as nothing:
                found.append((mode, nothing.fileno() > 2, nothing.writable(), nothing.isatty()))
        except OSError as error:
            found.append((mode, type(error).__name__, error.errno))
    return found
def by_path():
    return pathlib.Path(os.devnull).write_text("abc"), pathlib.Path(os.devnull).read_text()
def many():
    return len([open(os.devnull, "w") for _ in range(20)])
"""
CALLS = ["silenced", "low_level", "logged", "replaced", "modes", "by_path", "many"]
needs_layers = pytest.mark.skipif(containment.find().level == "limits", reason="nothing is refused here")


def test_the_null_device_behaves_as_in_plain_python() -> None:
    told = f"import null\nfor name in {CALLS}:\n    print(repr(getattr(null, name)()))\n"
    code = f"import sys, types\nnull = types.ModuleType('null')\nexec({SOURCE!r}, null.__dict__)\n"
    code += "sys.modules['null'] = null\n" + told
    plain = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    made = [make_program(SOURCE, name, "", origin="test") for name in CALLS]
    assert [outcome_text(trace) for _, trace in trace_programs(made, Limits())] == plain.splitlines()


@needs_layers
@pytest.mark.parametrize(
    "call",
    [
        "open('/dev/zero', 'w')",
        "open('/dev/nullx', 'w')",
        "os.truncate(os.devnull, 0)",
        "os.unlink(os.devnull)",
        "os.rename(os.devnull, '/dev/other')",
        # Another file in the place of the prepared descriptor is not handed out as the null device.
        "[os.dup2(1, fd) for fd in range(3, 65) if is_open(fd)] and open(os.devnull, 'w')",
    ],
)
def test_nothing_else_is_opened_or_changed(call: str) -> None:
    source = "import os\ndef is_open(fd):\n    try:\n        os.fstat(fd)\n        return fd > 5\n"
    source += f"    except OSError:\n        return False\ndef f():\n    return {call}\n"
    ((_, trace),) = trace_programs([make_program(source, "f", "", origin="test")], Limits())
    assert isinstance(trace.outcome, Refused), trace.outcome


def test_the_device_is_there_after_a_program_that_closed_every_descriptor() -> None:
    closing = "import os\ndef f():\n    os.closerange(6, 70)\n    return 1\n"
    writing = "import os\ndef f():\n    return open(os.devnull, 'w').write('a')\n"
    made = [make_program(source, "f", "", origin="test") for source in (closing, writing, closing, writing)]
    assert [outcome_text(trace) for _, trace in trace_programs(made, Limits(), workers=1)] == ["1"] * 4
    assert os.path.exists(os.devnull)
