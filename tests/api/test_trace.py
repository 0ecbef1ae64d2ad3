"""deskcheck.Trace: results, steps and variables as Python values, held against the interpreter."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import deskcheck
from deskcheck.api.trace import Trace
from deskcheck.benchmarks import core, cruxeval
from deskcheck.errors import NoResult, UserError
from deskcheck.programs.generated import traced
from deskcheck.records import Limits, Program
from deskcheck.records import Trace as Record
from deskcheck.tracing.access import has_native
from deskcheck.tracing.run import trace_program


class Node:
    def __init__(self, value: int, after: object = None) -> None:
        self.value = value
        self.after = after


def total(n: int, xs: list[int]) -> int:
    xs.append(n)
    result = 0
    for x in xs:
        result += x
    return result


def misses(n: int) -> int:
    names = {"a": n}
    return names["b"]


def endless() -> None:
    while True:
        pass


def executed(program: Program) -> object:
    """What the interpreter makes of the call; the exception's class name where it raises."""
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(program.prelude, namespace)
    exec(compile(program.source, "<program>", "exec"), namespace)
    try:
        return eval(program.call, namespace)
    except Exception as error:
        return type(error).__name__


def drawn() -> list[tuple[Program, Record]]:
    """A thousand runs: the programs of `core`, and generated ones."""
    runs = [
        (i.program, trace_program(i.program, Limits()))
        for i in core.drafts("")
        if "effects" not in str(i.tags)
    ]
    for family, n in (("easy", 400), ("medium", 250), ("real-1", 200)):
        runs += list(traced(family, seed=11, n=n))
    return runs


def compared(runs: Iterable[tuple[Program, Record]]) -> tuple[int, int]:
    """How many results are plain values, and stand-ins; each is compared with what the interpreter gives."""
    n_plain = n_stand_ins = 0
    for program, record in runs:
        trace = Trace(program, record)
        expected = executed(program)
        if trace.raised:
            assert trace.raised.type.rpartition(".")[2] == expected, program.source
            continue
        result = trace.result
        if isinstance(result, deskcheck.StandIn):
            assert result.type_name.rpartition(".")[2] == type(expected).__name__
            n_stand_ins += 1
            continue
        n_plain += 1
        assert type(result) is type(expected), program.source
        assert result == expected or (result != result and expected != expected), program.source
    return n_plain, n_stand_ins


def test_the_result_is_what_the_call_returns_for_a_thousand_programs():
    runs = drawn()
    assert len(runs) >= 1_000
    n_plain, _ = compared(runs)
    assert n_plain >= 950


@pytest.mark.slow
def test_the_result_is_what_the_call_returns_for_every_program_of_the_public_sets(
    data: Callable[[str], Path],
):
    """All of CRUXEval, in this process: its programs are known by hash."""
    items = list(cruxeval.drafts(str(data("cruxeval/cruxeval.jsonl"))))
    runs = [(item.program, trace_program(item.program, Limits())) for item in items]
    n_plain, n_stand_ins = compared(runs)
    assert (len(runs), n_plain) == (800, 800 - n_stand_ins)


def test_a_trace_reads_as_one_expects_of_a_sequence_of_steps():
    t = deskcheck.trace(total, 3, [5])
    assert repr(t) == "<trace of total(3, [5]): 8 steps, returned 8>"
    assert (t.result, len(t), t.outcome, t.raised, t.granularity) == (8, 8, "returned", None, "line")
    assert [step.number for step in t] == list(range(1, 9))
    assert t.steps[0].text == "xs.append(n)" and t[-1].text == "return result"
    assert all(t.source.split("\n")[step.line - 1].strip() == step.text for step in t)
    assert t.steps[0].locals == {"n": 3, "xs": [5]}
    assert t.at(2).locals == {"n": 3, "xs": [5, 3]}
    assert t.at(2).line == t.steps[1].line and t.at(2).number == 2
    assert t.steps[7].locals == {"n": 3, "xs": [5, 3], "result": 8, "x": 3}
    assert [step.number for step in t[2:4]] == [3, 4]
    assert str(t).startswith("total(3, [5])\n")


def test_variables_before_each_step_are_those_that_python_had():
    seen: list[dict[str, object]] = []

    def grows(n: int) -> list[int]:
        out: list[int] = []
        for i in range(n):
            out.append(i * i)
        return out

    for step in deskcheck.trace(grows, 3):
        seen.append(step.locals)
    values = [state.get("out") for state in seen]
    assert values == [None, [], [], [0], [0], [0, 1], [0, 1], [0, 1, 4], [0, 1, 4]]


def test_looking_back_and_forth_gives_the_same_states():
    t = deskcheck.trace(total, 3, [5, 6])
    forward = [t.at(k).locals for k in range(1, len(t) + 1)]
    backward = [t.at(k).locals for k in range(len(t), 0, -1)]
    assert forward == backward[::-1]


@pytest.mark.parametrize("number", [0, -1, 9])
def test_a_step_that_does_not_exist_is_named(number: int):
    with pytest.raises(UserError, match=f"no step {number}: <trace of total.* 8 steps, .*count from 1"):
        deskcheck.trace(total, 3, [5]).at(number)


def test_a_run_that_did_not_return_has_no_result_and_says_why():
    t = deskcheck.trace(misses, 1)
    line = misses.__code__.co_firstlineno + 2
    assert repr(t) == f"<trace of misses(1): 2 steps, raised KeyError: 'b' on line {line}>"
    assert t.raised is not None and (t.raised.type, t.raised.message) == ("KeyError", "'b'")
    with pytest.raises(NoResult, match=r"misses\(1\) has no result: it raised KeyError"):
        _ = t.result
    stopped = deskcheck.trace(endless, limits=Limits(max_steps=5))
    with pytest.raises(NoResult, match="its run ended by: step limit"):
        _ = stopped.result


def kinds() -> dict[str, object]:
    shared: list[int] = [1]
    loop: list[object] = []
    loop.append(loop)
    return {
        "aliases": (shared, shared),
        "loop": loop,
        "floats": [math.inf, -0.0, 1e300],
        "big": 1 << 200,
        "text": ["é", "\x00", "\ud800"],
        "bytes": [b"\xff", bytearray(b"ab")],
        "sets": [{1, 2}, frozenset({"a"})],
        "queue": deque([1, 2]),
        "ordered": OrderedDict(a=1),
        "counts": Counter("aab"),
        "ranges": [range(1, 9, 2), slice(1, None)],
        "flags": [True, None, ..., 1j],
    }


def test_values_are_of_the_exact_type_and_aliases_stay_aliases():
    read = deskcheck.trace(kinds).result
    assert isinstance(read, dict)
    expected = kinds()
    assert read["aliases"][0] is read["aliases"][1]
    assert read["loop"][0] is read["loop"]
    for name in expected.keys() - {"loop"}:
        assert read[name] == expected[name]
        assert type(read[name]) is type(expected[name]), name


def makes() -> object:
    node: Node = Node(1, Node(2))
    node.after.after = node  # type: ignore[attr-defined]
    return node


def test_an_instance_is_a_stand_in_with_its_attributes_that_equals_nothing_but_itself():
    t = deskcheck.trace(makes)
    node = t.result
    assert isinstance(node, deskcheck.StandIn)
    assert repr(node) == "Node(value=1, after=Node(value=2, after=Node(...)))"
    assert node.after.after is node  # type: ignore[attr-defined]
    assert node != t.result and node == node
    with pytest.raises(AttributeError, match="no recorded attribute 'next'; recorded: value, after"):
        _ = node.next


def chain(n: int) -> Node | None:
    head = None
    for i in range(n):
        head = Node(i, head)
    return head


def test_a_linked_list_longer_than_the_stack_is_deep_is_read():
    node: Any = deskcheck.trace(chain, 3_000).result
    length = 0
    while isinstance(node, deskcheck.StandIn) and node.type_name.endswith("Node"):
        length, node = length + 1, node.attributes.get("after")
    assert length == 3_000


@pytest.mark.skipif(not has_native(), reason="finer steps are recorded by the C extension")
def test_finer_steps_count_from_1_too():
    t = deskcheck.trace(total, 3, [5], granularity="expression")
    assert [step.number for step in t] == list(range(1, len(t) + 1))
    assert t.steps[0].text == "xs.append(n)" and t.steps[0].value is None
    with pytest.raises(UserError, match="a line step has no value"):
        _ = deskcheck.trace(total, 3, [5]).steps[0].value
    fine = deskcheck.trace(total, 3, [5], granularity="instruction")
    assert fine.steps[0].text in ("LOAD_FAST", "RESUME")
    with pytest.raises(
        UserError, match="no granularity called 'lines'; known: expression, instruction, line"
    ):
        deskcheck.trace(total, 3, [5], granularity="lines")


def test_a_run_is_saved_and_loaded_and_several_are_refused(tmp_path: Path):
    t = deskcheck.trace(total, 3, [5])
    loaded = deskcheck.load(t.save(tmp_path / "run.parquet"))
    assert (repr(loaded), loaded.source, loaded.at(2).locals) == (repr(t), t.source, t.at(2).locals)
    with pytest.raises(UserError, match=r"run.txt cannot be written: name a file that ends in .deskcheck or"):
        t.save(tmp_path / "run.txt")


def test_a_file_is_traced_with_arguments_limits_and_finer_steps(tmp_path: Path):
    file = tmp_path / "told.py"
    file.write_text("import sys\nword = sys.argv[1]\nn = 2 + len(word)\nwhile True:\n    n += 1\n")
    run = deskcheck.trace_file(file, arguments=["abc"], limits=Limits(max_steps=50), granularity="expression")
    assert run.outcome == "step limit" and run.granularity == "expression"
    assert "abc" in [step.value for step in run]
    with pytest.raises(UserError, match="max_steps and time_s of its limits alone"):
        deskcheck.trace_file(file, limits=Limits(depth=3))


def test_a_data_frame_has_a_row_a_step():
    pytest.importorskip("pandas", reason="needs the extra 'eval'")
    frame = deskcheck.trace(total, 3, [5]).to_pandas()
    assert list(frame.columns) == ["step", "function", "line", "text", "locals"]
    assert list(frame["step"]) == list(range(1, 9))
    assert frame["locals"][1] == {"n": 3, "xs": [5, 3]}


def test_the_package_lists_its_names():
    assert {"trace", "record", "load", "read_traces", "grade", "Trace"} <= set(dir(deskcheck))
    assert all(getattr(deskcheck, name) is not None for name in dir(deskcheck))
    with pytest.raises(AttributeError, match="no attribute 'tracee'; it has: __version__, trace"):
        _ = deskcheck.tracee
