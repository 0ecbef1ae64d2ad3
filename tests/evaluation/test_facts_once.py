"""What many samples need of a true run is made once: no sample replays a run that another one replayed."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace
from tests.strategies.programs import gold, roll_out, tasks

from deskcheck import plugins
from deskcheck.evaluation.sample_records import as_sampled, judge_all
from deskcheck.questions import NotAsked
from deskcheck.records import Event, Limits, TaskDraft, Trace
from deskcheck.states import steps, visits
from deskcheck.states.steps import run_sizes
from deskcheck.states.visits import entry_lines, entry_locals
from deskcheck.strategies import Settings
from deskcheck.tracing import replay
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.replay import State, of_a_run


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Program of each replayed event; the states before the first line are drawn for every prompt."""
    events: list[str] = []
    real = replay.states

    def counted(trace: Trace) -> Iterator[tuple[Event, State]]:
        for event, state in real(trace):
            if event.index > 1:
                events.append(trace.program_id)
            yield event, state

    for module in (steps, visits):
        monkeypatch.setattr(module, "states", counted)
    return events


@pytest.mark.parametrize("name", ["line-1", "iip-dynamic", "vanilla", "scratchpad", "line-n"])
def test_later_samples_replay_no_run_again(name: str, replayed: list[str]):
    strategy, settings = plugins.load("strategy", name), Settings(max_steps=1000, skip="1")
    answered = []
    for task in tasks()[:2]:
        task = replace(task, truth=trace_program(task.program, Limits()))  # no other test has replayed it
        done, _ = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
        answered.append((task, done, *judge_all([(task, 0, done.answer)], policy="strict")))
    replay._FACTS.clear()
    steps._cache.runs.clear()
    replayed.clear()
    for number in range(3):  # each task after the other, as answers come in
        for task, done, score in answered:
            assert as_sampled(task, done, score, (name, strategy, settings), None).state_size > 0
        if not number:
            assert set(replayed) == {task.program.id for task, *_ in answered}
            replayed.clear()
    assert replayed == []


def test_many_questions_about_one_run_list_its_visits_once(monkeypatch: pytest.MonkeyPatch):
    task, counted, real = tasks()[0], [], visits.visits_of

    def listed(*given: Any) -> Any:
        counted.append(given)
        return real(*given)

    monkeypatch.setattr(visits, "visits_of", listed)
    trace = trace_program(task.program, Limits())
    draft = TaskDraft(id=task.id, program=task.program, recorded="", cluster="c")
    for kind in ("coverage", "next-line", "halting", "hot-lines", "reached"):
        with suppress(NotAsked):
            plugins.load("question", kind).questions(draft, trace)
    assert len(counted) == 1


def test_a_fact_is_made_once_for_each_trace_and_forgotten_with_it():
    made = []

    @of_a_run
    def length(trace: Trace) -> int:
        made.append(trace.program_id)
        return trace.n_steps

    def traced(n: int) -> Trace:
        program = make_program("def f(n):\n    m = n\n    return m\n", "f", str(n), origin="test")
        return trace_program(program, Limits())

    one, other = traced(1), traced(2)
    assert [length(one), length(other), length(one)] == [2, 2, 2]
    assert made == [one.program_id, other.program_id]
    number, alive = id(one), weakref.ref(one)
    assert number in replay._FACTS
    del one
    gc.collect()
    assert alive() is None and number not in replay._FACTS


def test_two_functions_of_one_name_are_two_facts():
    def counting(by: int) -> Callable[[Trace], int]:
        def length(trace: Trace) -> int:
            return trace.n_steps * by

        return of_a_run(length)

    trace = trace_program(make_program("def f():\n    return 1\n", "f", "", origin="test"), Limits())
    assert [counting(by)(trace) for by in (1, 2)] == [1, 2]


def test_the_facts_of_an_entry_are_about_its_frame_alone():
    source = "def g(x):\n    y = x + 1\n    return y\n\ndef f(n):\n    m = g(n)\n    return [m]\n"
    trace = trace_program(make_program(source, "f", "3", origin="test"), Limits())
    assert [line for _, line in entry_lines(trace)] == [6, 7]
    assert list(entry_locals(trace).values()) == [{"n": "3"}, {"n": "3", "m": "4"}]
    assert (run_sizes(trace).call_depth, run_sizes(trace).int_bits) == (2, 3)
