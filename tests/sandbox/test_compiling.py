"""Sets of constants have one order, whatever the process compiled before."""

from __future__ import annotations

import os
import subprocess
import sys

from deskcheck.format.buffers import Packed
from deskcheck.records import Limits, Program
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.program import make_program

SETS = """
import sys

def names(parts):
    return [sys.intern("".join(part)) for part in parts]

known = names([("aab", "bbc"), ("AB", "BA")]) if sys.argv[1] == "known" else []
from deskcheck.sandbox.compiling import steady_code
code = steady_code("found = list({'100%', 'ABBA', '-17', 'aabbbc'})", "<test>")
space = {}
exec(code, space)
print(space["found"])
"""


def order(seed: int, which: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run(
        [sys.executable, "-c", SETS, which], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_order_does_not_depend_on_strings_that_are_known() -> None:
    found = [(order(seed, "known"), order(seed, "new")) for seed in range(6)]
    assert all(known == new for known, new in found)
    assert len({known for known, _ in found}) > 1, "the hash seeds do order the set"


def texts(programs: list[Program]) -> list[Packed]:
    return [packed for _, packed in trace_packed(programs, Limits(), workers=1)]


def test_a_program_traces_the_same_behind_one_that_has_its_strings() -> None:
    before = make_program("def f(n):\n    return ['aabbbc', 'ABBA'][n]\n", "f", "0", origin="before")
    spells = "{'100%', 'ABBA', '-17', 'aabbbc'}"
    programs = [
        make_program("def f(xs):\n    return [x for x in xs]\n", "f", spells, origin="argument"),
        make_program(f"def f():\n    return [x for x in {spells}]\n", "f", "", origin="constant"),
        make_program(f"def f():\n    s = {spells}\n    return list(s)\n", "f", "", origin="variable"),
    ]
    alone = [texts([program])[0] for program in programs]
    behind = texts([before, *programs])[1:]
    assert all(one.same(other) for one, other in zip(alone, behind, strict=True))
