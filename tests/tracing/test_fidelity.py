"""The 33 fidelity programs: what other tracers get wrong, as assertions about the trace of each of ours.

Each program keeps its own result, and its trace says what it must. What a tracer cannot do stands in NOT_MET,
with what happens instead; those programs are asserted to fail exactly so.

reference   Python logic, frames read by the C extension
fallback    the same without the extension, over sys.settrace and f_locals
native      the core in C
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.tracing.telling import Moment, at_line, moments, numbers, result, traced

from deskcheck.records import Limits, Returned, Trace, ValueKind
from deskcheck.tracing import access

FOLDER = Path(__file__).parents[1] / "fidelity_programs"
TRACERS = ("reference", "fallback", "native")
LIMITS = Limits(max_steps=5_000_000, trace_bytes=1 << 30)  # thrclosure waits in a loop


class Miss(NamedTuple):
    """What happens instead of what should."""

    what: str
    note: str = ""
    """The trace says so."""
    results: tuple[object, ...] = ()
    """What the program itself gets, where tracing changes it."""
    dies: type[Exception] | None = None
    """Our own failure."""
    until: tuple[int, int] = (9, 9)
    """First Python where it is met."""
    always: bool = True
    """False: a race, it may also go well."""


NOT_MET: dict[str, dict[str, Miss]] = {
    "reference": {
        "tamper": Miss(
            "4321 is never seen: the program put our tracer out",
            "program called sys.settrace: what it did afterwards is not recorded",
        ),
    },
    "fallback": {
        "tamper": Miss(
            "4321 is never seen: the program put our tracer out",
            "program called sys.settrace: what it did afterwards is not recorded",
        ),
        "locals_del": Miss("a later name appears in a kept locals()", results=(True,), until=(3, 13)),
        "strrefs": Miss("f_locals and what is looked into hold more references", results=(2, 3, 4)),
        "exc_life": Miss("an object of a frame that an exception has left is still held", results=(0,)),
        "recdepth": Miss("the callback runs out of the program's own depth", dies=RecursionError),
        "thrclosure": Miss(
            "f_locals is written back over what the other thread added", until=(3, 13), always=False
        ),
        "yieldret": Miss("what was sent in lies on the value stack, which Python code cannot see"),
    },
    "native": {},
}


def source_of(name: str, rounds: int = 1500) -> str:
    """The program; fewer rounds for the one that a Python tracer takes a minute for."""
    source = (FOLDER / f"{name}.py").read_text()
    return source.replace("30000", str(rounds)) if name == "thrclosure" else source


def trace_with(tracer: str, source: str) -> Trace:
    if tracer == "native":
        return traced(source, limits=LIMITS, tracer="native")
    return traced(source, limits=LIMITS, native=tracer == "reference")


def skip_without(tracer: str) -> None:
    if tracer != "fallback" and not access.has_native():
        pytest.skip(f"{tracer}: the C extension is not built")
    if tracer == "native":
        pytest.importorskip("deskcheck.tracing.run")


def untraced(source: str) -> object:
    namespace: dict[str, object] = {"__name__": "untraced"}
    exec(compile(source, "<untraced>", "exec"), namespace)
    return namespace["f"]()  # type: ignore[operator]


def history(trace: Trace, name: str) -> list[str]:
    """Different values of a variable of any frame, in order."""
    found: list[str] = []
    for moment in moments(trace):
        value = moment.names.get(name)
        if value is not None and (not found or found[-1] != value):
            found.append(value)
    return found


def kinds(trace: Trace) -> list[tuple[str, int, str]]:
    return [(m.kind, m.line, m.value) for m in moments(trace) if m.kind not in ("LINE", "CALL")]


def last(trace: Trace) -> Moment:
    return moments(trace)[-1]


CHECKS: dict[str, Callable[[Trace], bool]] = {
    "addr": lambda t: "0x" not in "".join(t.names) and last(t).names["o"] == "#1C()",
    "bad_repr": lambda t: history(t, "x") == ["123", "124"] and last(t).names["b"] == "#1B()",
    "closure": lambda t: history(t, "n") == ["10", "11", "12"] and at_line(t, 5)[1].frames[0]["n"] == "11",
    "cycle": lambda t: last(t).names == {"a": "#0[1, #0]", "x": "61"},
    "deepnest": lambda t: "888" in last(t).names["a"] and last(t).names["a"].count("#") == 6,
    "del": lambda t: list(at_line(t, 5)[0].names) == ["y"],
    "eqbad": lambda t: last(t).names["l"] == "#2[#1E()]" and history(t, "x") == ["61"],
    "exc_life": lambda t: result(t) == 1,
    "exc_noreturn": lambda t: (
        [k[:2] for k in kinds(t)] == [("RAISE", 3), ("UNWIND", 3), ("RAISE", 6), ("RETURN", 9)]
    ),
    "finally_ret": lambda t: (
        kinds(t)[-2:] == [("RETURN", 5, "65"), ("RETURN", 7, "65")] and kinds(t)[0][:2] == ("RAISE", 3)
    ),
    "generator": lambda t: (
        [k[2] for k in kinds(t) if k[0] == "YIELD"] == ["0", "100", "200"]
        and not [k for k in kinds(t) if k[0] == "RAISE"]
    ),
    "hugeint": lambda t: last(t).names["x"] == "1" + "0" * 5000 and last(t).names["y"] == "77",
    "identical_id": lambda t: [numbers(x) for x in history(t, "x")] == [["0"], ["1"], ["2"]],
    "inplace": lambda t: history(t, "a") == ["#0[1]", "#0[1, 2]"],
    "lifetime": lambda t: result(t) == 1,
    "locals_del": lambda t: result(t) is False,
    "lock": lambda t: history(t, "x") == ["555"] and "lock" in last(t).names["l"],
    "longlist": lambda t: ", 999, 31, " in last(t).names["a"],
    "nan": lambda t: last(t).names == {"x": "nan", "y": "2"},
    "nested_inplace": lambda t: last(t).names["a"] == "#0[#1[0], #2[7]]" and last(t).names["r"] == "#2[7]",
    "objattr": lambda t: history(t, "o") == ["#1C()", "#1C(x=1)", "#1C(x=2)"],
    "oneline": lambda t: history(t, "i") == ["0", "1", "2", "3"],
    "recdepth": lambda t: result(t) == untraced_depth(t),
    "recursion": lambda t: len(t.frames.code) == 4 and t.frames.parent == [-1, 0, 1, 2],
    "sets": lambda t: last(t).names["s"] == "#0{'apple', 'fig', 'kiwi', 'pear'}",
    "side_repr": lambda t: result(t) == 0,
    "strrefs": lambda t: result(t) == (2 if sys.version_info < (3, 14) else 1),
    "tamper": lambda t: "4321" in history(t, "b"),
    "thrclosure": lambda t: result(t) in (1500, 30_000),
    "thread": lambda t: "987" in history(t, "tt"),
    "walrus_comp": lambda t: "100" in history(t, "y") and result(t) == 200,
    "weakref": lambda t: result(t) is True,
    "yieldret": lambda t: ("RESUME", 2, "321") in kinds(t) and "321" in history(t, "got"),
}


def untraced_depth(trace: Trace) -> int:
    """What the program reaches without a tracer, called at this depth: one frame a call."""
    calls = sum(kind == 0 for kind in trace.events.kind)
    refused = max(trace.events.frame) + 1
    assert calls == refused
    return calls - 1  # every r but the outer f was entered; the one that was refused made no event


def test_every_program_has_its_check() -> None:
    assert sorted(CHECKS) == sorted(path.stem for path in FOLDER.glob("*.py"))
    assert len(CHECKS) == 33
    assert all(set(misses) <= set(CHECKS) for misses in NOT_MET.values())


@pytest.mark.filterwarnings("ignore:'return' in a 'finally':SyntaxWarning")  # of 3.14
@pytest.mark.parametrize("name", sorted(CHECKS))
@pytest.mark.parametrize("tracer", TRACERS)
def test_the_trace_says_what_happened(tracer: str, name: str) -> None:
    skip_without(tracer)
    source = source_of(name, 30_000 if tracer == "native" else 1500)
    miss = NOT_MET[tracer].get(name)
    if miss is not None and sys.version_info >= miss.until:
        miss = None
    if miss is not None and miss.dies is not None:
        with pytest.raises(miss.dies):
            trace_with(tracer, source)
        return
    trace = trace_with(tracer, source)
    assert isinstance(trace.outcome, Returned)
    if miss is not None:
        if not miss.always:
            return
        assert not CHECKS[name](trace), f"{name} is met now: take it out of NOT_MET"
        assert not miss.note or miss.note in trace.fidelity.notes
        assert result(trace) in (miss.results or (untraced(source),))
        return
    assert CHECKS[name](trace)
    if name not in ("recdepth", "addr"):
        assert result(trace) == untraced(source)


DEPTH = """
import sys
D = [0]
def r():
    D[0] += 1
    r()
def f():
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        r()
    except RecursionError:
        pass
    sys.setrecursionlimit(before)
    return D[0]
"""


@pytest.mark.parametrize("tracer", ["reference", "native"])
def test_the_program_meets_its_recursion_limit_where_it_would_alone(tracer: str) -> None:
    skip_without(tracer)
    alone = subprocess.run(
        [sys.executable, "-c", f"{DEPTH}\nprint(f())"], capture_output=True, text=True, check=True
    )
    assert result(trace_with(tracer, DEPTH)) == int(alone.stdout)


@pytest.mark.parametrize("tracer", TRACERS)
def test_the_huge_int_is_exact(tracer: str) -> None:
    skip_without(tracer)
    trace = trace_with(tracer, (FOLDER / "hugeint.py").read_text())
    rows = [d for k, d in zip(trace.values.kind, trace.values.data, strict=True) if k == ValueKind.INT and d]
    assert [int(row, 16) for row in rows] == [10**5000]
