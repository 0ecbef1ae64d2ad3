"""What a drawing keeps from state to state is what it would draw anew."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskcheck.programs.generated import traced
from deskcheck.records import EventKind, Limits, Trace
from deskcheck.states import steps as steps_module
from deskcheck.states.render import TreeBuilder
from deskcheck.states.steps import run_of, steps
from deskcheck.states.tree import StateTree, texts
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.replay import states

PROGRAMS = {
    path.stem: path for path in sorted((Path(__file__).parents[1] / "layouts" / "programs").glob("*.py"))
}
assert PROGRAMS
GRAPHS = """
def f(n):
    inner = [n]
    outer = [inner, (inner, 2)]
    pair = {"a": outer, "b": [0]}
    inner.append(3)
    pair["b"].append(inner)
    inner.append(outer)
    del pair["a"]
    inner.pop()
    pair["b"] = {"k": [1]}
    pair["b"]["k"].append(pair["b"])
    outer.clear()
    for one in [[1], [2]]:
        one.append(outer)
        outer.append(n)
    return pair
"""


def _trace(name: str) -> Trace:
    if name == "graphs":
        program = make_program(GRAPHS, "f", "1", origin="test")
    else:
        call, source = PROGRAMS[name].read_text().split("\n", 1)
        entry, arguments = call.removeprefix("# call: ").removesuffix(")").split("(", 1)
        program = make_program(source, entry, arguments, origin="test")
    return trace_program(program, Limits(max_steps=500))


def lines_drawn(trace: Trace) -> Iterator[StateTree]:
    """The state at every line event, each drawn anew."""
    places: dict[int, tuple[int, int]] = {}
    for event, state in states(trace):
        places.setdefault(event.frame, (event.line, -1))
        if event.kind == EventKind.LINE:
            yield TreeBuilder(trace).build_state(state, state.frames, mark="@", value=-1, places=places)


def check(trace: Trace) -> int:
    kept = TreeBuilder(trace)
    places: dict[int, tuple[int, int]] = {}
    n_states = 0
    for event, state in states(trace):
        kept.note_changes(event)
        places.setdefault(event.frame, (event.line, -1))
        if event.kind != EventKind.LINE:
            continue
        what = {"mark": "@", "value": -1, "places": places}
        fresh = TreeBuilder(trace).build_state(state, state.frames, **what)
        drawn = kept.build_state(state, state.frames, **what)
        assert drawn == fresh
        assert str(drawn) == str(fresh)
        n_states += 1
    return n_states


@pytest.mark.parametrize("name", ["graphs", *PROGRAMS])
def test_a_kept_drawing_is_a_fresh_one(name: str) -> None:
    assert check(_trace(name)) > 0


def test_a_kept_drawing_is_a_fresh_one_on_generated_programs() -> None:
    assert sum(check(trace) for _, trace in traced("medium", seed=12, n=25)) > 300


def test_the_kept_run_is_that_of_the_trace_that_is_asked_for() -> None:
    one, other = _trace("graphs"), next(trace for _, trace in traced("easy", seed=1, n=1))
    for trace in (one, other, other, one):
        assert run_of(trace) == list(steps(trace))


@pytest.mark.parametrize("name", ["graphs", *PROGRAMS])
def test_the_texts_of_many_states_are_those_of_each(name: str) -> None:
    run = run_of(_trace(name))
    assert texts(after for _, _, after in run) == [str(after) for _, _, after in run]


def test_the_steps_of_a_trace_are_kept_while_it_lives_and_no_longer() -> None:
    trace = _trace("graphs")
    first = run_of(trace)
    assert run_of(trace) is first
    kept = weakref.ref(trace)
    number = id(trace)
    assert number in steps_module._cache.runs
    del trace
    gc.collect()
    assert kept() is None
    assert number not in steps_module._cache.runs


def test_the_runs_of_many_traces_are_kept_up_to_a_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [trace for _, trace in traced("easy", seed=1, n=3)]
    sizes = [len(run_of(trace)) for trace in runs]
    firsts = [run_of(trace) for trace in runs]
    assert all(run_of(trace) is first for trace, first in zip(runs, firsts, strict=True))
    monkeypatch.setattr(steps_module, "MOST_CACHED", sum(sizes))
    other = _trace("graphs")
    assert run_of(other) is run_of(other) and run_of(runs[0]) is not firsts[0]
    monkeypatch.setattr(steps_module, "MOST_CACHED", 0)
    assert run_of(runs[1]) is run_of(runs[1])
    assert list(steps_module._cache.runs) == [id(runs[1])]


def test_a_tuple_that_stands_twice_has_no_label_and_a_list_has_one() -> None:
    """Only what closes a circle, or has an identity, is labeled where it is met again."""
    source = (
        "def f():\n    one = (1, (2,))\n    both = [one, one]\n"
        "    own = [3]\n    two = [own, own]\n    return 1\n"
    )
    trace = trace_program(make_program(source, "f", "", origin="test"), Limits())
    *_, text = [str(state) for state in lines_drawn(trace)]
    assert "both=[(1, (2,)), (1, (2,))]" in text and "#" in text.partition("two=")[2]
