"""The written corpus: every block is one function with six calls that end, and none is near a benchmark."""

from __future__ import annotations

import ast
from collections import Counter
from itertools import islice

import pytest

from deskcheck.decontamination.near import near_copy, units_of
from deskcheck.errors import UnknownName
from deskcheck.plugins import SourceOptions
from deskcheck.programs import written
from deskcheck.records import Limits, Program, Raised, Returned
from deskcheck.tracing.collect import trace_programs

LIMITS = Limits(max_steps=2000)
UNMEANT = {"NameError", "ImportError", "ModuleNotFoundError", "SyntaxError", "UnboundLocalError"}
BLOCKS = [
    (family, *block) for family in written.families() for block in written.blocks(written.text_of(family))
]


def test_every_block_is_python_with_six_different_calls_of_one_function():
    for family, source, calls in BLOCKS:
        where = f"{family}: {calls[0]}"
        defined: dict[str, object] = {}
        exec(compile(source, "<written>", "exec"), defined)
        assert len(set(calls)) == written.CALLS, where
        assert {written.name_of([call]) for call in calls} == {written.name_of(calls)}, where
        assert written.name_of(calls) in defined, where
        assert all(isinstance(ast.parse(call, mode="eval").body, ast.Call) for call in calls), where


def test_no_two_functions_are_the_same_or_have_one_name():
    names = Counter(written.name_of(calls) for _, _, calls in BLOCKS)
    assert [name for name, n in names.items() if n > 1] == []
    forms = Counter(
        unit.whole
        for _, source, calls in BLOCKS
        for unit in units_of(source)
        if unit.name == written.name_of(calls)
    )
    assert [form for form, n in forms.items() if n > 1] == []


def check_runs(programs: list[Program]) -> None:
    """Every run ends by itself, and by an exception only if the program means it."""
    for program, trace in trace_programs(programs, LIMITS):
        where = f"{program.origin}({program.arguments})"
        assert isinstance(trace.outcome, (Returned, Raised)), f"{where}: {trace.outcome}"
        if isinstance(trace.outcome, Raised):
            assert trace.outcome.type not in UNMEANT, f"{where}: {trace.outcome}"


def test_all_runs_end_and_no_function_is_near_a_benchmark():
    check_runs(list(written.programs(SourceOptions(source="written"))))
    near = [calls[0] for _, source, calls in BLOCKS if near_copy(source, entry=written.name_of(calls))]
    assert near == []


def test_mutated_calls_are_further_ones_of_the_same_function_and_the_same_every_time():
    options = SourceOptions(source="written", n=2, calls_each=40)
    programs = list(written.programs(options))
    assert [p.id for p in programs] == [p.id for p in written.programs(options)]
    by_function = Counter(p.source for p in programs)
    assert len(by_function) == 2 and max(by_function.values()) <= 40
    assert min(by_function.values()) > written.CALLS
    assert len({p.id for p in programs}) == len(programs)


def test_start_and_n_count_functions():
    two = list(written.programs(SourceOptions(source="written", start=1, n=1, calls_each=2)))
    assert [p.source for p in two] == [BLOCKS[1][1]] * 2
    assert len(list(islice(written.programs(SourceOptions(source="written")), 7))) == 7


def test_an_unknown_family_is_refused_by_name():
    with pytest.raises(UnknownName, match="shopp"):
        list(written.programs(SourceOptions(source="written", family="shopp")))
