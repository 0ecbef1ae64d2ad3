"""A program asks `platform` about the machine and gets the answers of plain Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deskcheck.records import Limits
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

QUESTIONS = [
    "platform.platform()",
    "platform.platform(aliased=True, terse=True)",
    "platform.processor()",
    "(lambda name: (name.system, name[2:], len(name), name.processor))(platform.uname())",
    "[part for part in platform.uname() if part == platform.machine()]",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_machine_is_the_one_that_plain_python_names(question: str) -> None:
    command = [sys.executable, "-c", f"import platform; print(repr({question}))"]
    plain = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    program = make_program(f"import platform\ndef f():\n    return {question}\n", "f", "", origin="test")
    ((_, trace),) = trace_programs([program], Limits())
    assert outcome_text(trace) == plain.rstrip("\n")
