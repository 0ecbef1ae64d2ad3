"""No forgery is taken for the trace of `f(3)`: programs over eleven ways, a file each.

Of each, `f(3)` truly gives 9, runs every line marked `# step` and none marked `# never`. What the parent
accepts without a note must say so; everything else that a program claims must be refused: rejected, refused,
crashed, or noted as a record that is not whole. Those "listed" in their first line are named in
docs/sandbox.md.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from deskcheck.records import EventKind, Limits, Program, Raised, Rejected, Returned, Trace
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.execution import CHANGED, HOOKED, PUT_OUT, UNTRACED
from deskcheck.tracing.given import NOT_IN_SOURCE
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

FOLDER = Path(__file__).parent / "forgeries"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
NOTES = {PUT_OUT, CHANGED, HOOKED, UNTRACED, NOT_IN_SOURCE}
HONEST = "def f(x):\n    a = 6  # step\n    return a + x  # step\n"


def _program(name: str, source: str) -> Program:
    # A forger can work his own id out; here he is simply told it.
    made = make_program(source, "f", "3", origin="", license="")
    return replace(made, id=f"forgery_{name.partition('_')[0]}")


@cache
def _traces() -> dict[str, tuple[Program, Trace]]:
    programs = [_program(name, (FOLDER / f"{name}.py").read_text(encoding="utf-8")) for name in NAMES]
    programs.append(_program("honest", HONEST))
    traced = trace_programs(programs, Limits(), workers=1)
    return dict(zip([*NAMES, "honest"], traced, strict=True))


def _untruths(program: Program, trace: Trace) -> list[str]:
    """What an accepted trace says of `f(3)` that is not so."""
    if not isinstance(trace.outcome, Returned | Raised) or NOTES & {*trace.fidelity.notes}:
        return []
    found = []
    if isinstance(trace.outcome, Returned) and not outcome_text(trace).startswith(("9", "opaque")):
        found.append(f"it returned {outcome_text(trace)}")
    text = program.source.splitlines()
    marked, never = (
        {number for number, line in enumerate(text, 1) if line.endswith(mark)}
        for mark in ("# step", "# never")
    )
    events = trace.events
    ran = {line for line, kind in zip(events.line, events.kind, strict=True) if kind == EventKind.LINE}
    if marked - ran and isinstance(trace.outcome, Returned):
        found.append(f"lines {sorted(marked - ran)} did not run")
    if never & ran:
        found.append(f"lines {sorted(never & ran)} ran")
    if "    return 42" in text and events.kind and text.index("    return 42") + 1 in ran:
        found.append("it ran what was not called")
    return found


def test_an_honest_program_is_accepted():
    program, trace = _traces()["honest"]
    assert outcome_text(trace) == "9" and len(trace.events.kind) == 4
    assert _untruths(program, trace) == []


def test_there_are_sixty_over_eleven_ways():
    heads = [(FOLDER / f"{name}.py").read_text(encoding="utf-8").partition("\n")[0] for name in NAMES]
    assert len(NAMES) >= 60
    assert len({head.partition(" | ")[0] for head in heads}) == 11


@pytest.mark.parametrize("name", NAMES)
def test_a_forgery_is_refused(name: str):
    program, trace = _traces()[name]
    assert _untruths(program, trace) == [], outcome_text(trace)


@pytest.mark.parametrize("name", ["51_other_names", "55_name_and_lines_of_the_entry"])
def test_code_that_stands_in_for_the_entry_is_rejected(name: str):
    _, trace = _traces()[name]
    assert isinstance(trace.outcome, Rejected) and "not in its source" in str(trace.outcome)
