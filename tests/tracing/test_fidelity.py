"""The 33 fidelity programs: what other tracers get wrong, as assertions about the trace.

Each program keeps its own result, and its trace says what it must. What a Python tracer of one thread
cannot do stands in NOT_MET, with what happens instead; those programs are asserted to fail exactly so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tracing.telling import Moment, at_line, moments, numbers, result, traced

from deskcheck.records import Returned, Trace, ValueKind

FOLDER = Path(__file__).parents[1] / "fidelity_programs"

# program -> what the trace does not say although it happened (and the note that says so)
NOT_MET = {
    "thread": ("987 is never seen: other threads are not recorded", "threads not recorded"),
    "tamper": (
        "4321 is never seen: the program put our tracer out",
        "program called sys.settrace: what it did afterwards is not recorded",
    ),
}


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
    "strrefs": lambda t: result(t) == 2,
    "tamper": lambda t: "4321" in history(t, "b"),
    "thrclosure": lambda t: result(t) == 30000,
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


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_the_trace_says_what_happened(name: str) -> None:
    source = (FOLDER / f"{name}.py").read_text()
    trace = traced(source)
    assert isinstance(trace.outcome, Returned)
    if name not in ("recdepth", "addr"):
        assert result(trace) == untraced(source)
    if name in NOT_MET:
        assert not CHECKS[name](trace), f"{name} is met now: take it out of NOT_MET"
        assert NOT_MET[name][1] in trace.fidelity.notes
    else:
        assert CHECKS[name](trace)


def test_the_program_meets_its_recursion_limit_where_it_would_alone() -> None:
    source = (FOLDER / "recdepth.py").read_text()
    trace = traced(source)
    namespace: dict[str, object] = {}
    exec(compile(source, "<untraced>", "exec"), namespace)

    # The same frames around it as there: traced, trace_program, run_traced, the call made by eval.
    def as_traced() -> object:
        return (lambda: (lambda: (lambda: eval("f()", namespace))())())()

    assert result(trace) == as_traced()


def test_the_huge_int_is_exact() -> None:
    trace = traced((FOLDER / "hugeint.py").read_text())
    rows = [d for k, d in zip(trace.values.kind, trace.values.data, strict=True) if k == ValueKind.INT and d]
    assert [int(row, 16) for row in rows] == [10**5000]
    assert sys.getsizeof(trace.values.data) > 0
