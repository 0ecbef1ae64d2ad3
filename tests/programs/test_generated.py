"""Generated programs: made anew from their seed, within their family, and the held-out ones frozen."""

from __future__ import annotations

import hashlib
import sys
from itertools import islice
from random import Random

import pytest

from deskcheck.corpus.expressions import Family, Written
from deskcheck.corpus.grammar import write_program
from deskcheck.corpus.plain_run import plain_run, plain_steps
from deskcheck.decontamination.canonical import normal_form
from deskcheck.errors import UnknownName, UserError
from deskcheck.plugins import SourceOptions, check_options, load
from deskcheck.programs import generated
from deskcheck.programs.generated import (
    FAMILIES,
    FROZEN_SHA256,
    HELD_OUT,
    N_HELD_OUT,
    candidate,
    family_of,
    further_calls,
    programs,
    traced,
)
from deskcheck.records import Limits, Place, Program, Raised, Returned, ValueKind
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="steps are counted as CPython 3.11 does")
def test_the_held_out_programs_are_the_frozen_ones() -> None:
    ids = [program.id for program, _ in traced("easy", seed=HELD_OUT["easy"], n=N_HELD_OUT)]
    assert hashlib.sha256("\n".join(ids).encode()).hexdigest() == FROZEN_SHA256


def test_a_range_of_programs_can_be_made_anew() -> None:
    options = {"source": "generated", "family": "easy", "seed": 5}
    whole = [p.id for p in programs(SourceOptions(**options, n=12))]
    part = [p.id for p in programs(SourceOptions(**options, n=4, start=8))]
    assert part == whole[8:]


@pytest.mark.parametrize("family", ["first", "easy", "hard", "real-1", "states-1", "idioms"])
def test_further_calls_are_other_calls_of_the_same_program_within_its_bounds(family: str) -> None:
    options = {"source": "generated", "family": family, "seed": 3, "n": 30}
    alone = list(programs(SourceOptions(**options)))
    each = list(programs(SourceOptions(**options, calls_each=4)))
    assert [one for one in each if one.origin.count(":") == 3] == alone
    by_source: dict[str, list[Program]] = {}
    for one in each:
        by_source.setdefault(one.source, []).append(one)
    n_calls = [len(calls) for calls in by_source.values()]
    assert max(n_calls) == 4
    assert sum(n_calls) > 2 * len(alone)
    bounds = family_of(family)
    for calls in by_source.values():
        assert len({one.id for one in calls}) == len(calls)
        assert len({one.entry for one in calls}) == 1
        for one in calls[1:]:
            assert one.origin.rpartition(":")[0] == calls[0].origin
            if isinstance(bounds, Family):
                n_steps = trace_program(one, Limits(max_steps=1_000)).n_steps
            else:
                ran = plain_run(one.source, one.call, bounds)
                assert ran is not None
                n_steps = ran.moves
            assert bounds.steps[0] <= n_steps <= bounds.steps[1]
    part = list(programs(SourceOptions(**{**options, "start": 20, "n": 10}, calls_each=4)))
    assert part == each[-len(part) :]


def test_a_program_without_parameters_has_no_further_calls() -> None:
    program = next(programs(SourceOptions(source="generated", family="easy", seed=3, n=1)))
    with_none = Written(program.source, "f", "", ())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(generated, "write_program", lambda random, family: with_none)
        assert list(further_calls(program, 3)) == []


def test_calls_each_counts_from_one() -> None:
    with pytest.raises(UserError, match="--calls-each is 0; every program is called at least once"):
        check_options(SourceOptions(source="generated", family="easy", n=1, calls_each=0))


@pytest.mark.parametrize("name", list(FAMILIES))
def test_a_family_keeps_to_its_limits(name: str) -> None:
    family = FAMILIES[name]
    for _, trace in islice(traced(name, seed=6, n=40), 40):
        assert family.steps[0] <= trace.n_steps <= family.steps[1]
        assert isinstance(trace.outcome, Returned | Raised)
        numbers = [
            abs(number)
            for kind, number in zip(trace.values.kind, trace.values.number, strict=True)
            if kind == ValueKind.INT
        ]
        assert max(numbers, default=0) <= family.max_int
        lengths = [
            index + 1
            for place, index in zip(trace.changes.place, trace.changes.index, strict=True)
            if place == Place.ELEMENT
        ]
        assert max(lengths, default=0) <= family.max_length


@pytest.mark.parametrize("name", ["first", "easy", "medium"])
def test_the_plain_run_counts_the_steps_of_the_trace(name: str) -> None:
    """So a candidate of too few steps is never traced."""
    family, n_compared = FAMILIES[name], 0
    for number in range(60):
        source, entry, arguments, _ = write_program(Random(f"{name}:8:{number}"), family)
        program = make_program(source, entry, arguments, origin="test")
        n_steps = plain_steps(program, family)
        if n_steps >= 0:
            n_compared += 1
            assert n_steps == trace_program(program, Limits(max_steps=family.steps[1] + 1)).n_steps
    assert n_compared > 20


def test_candidates_that_would_explode_are_left_out() -> None:
    """Squares of squares and tripled strings end at the first line that is too large, not in memory."""
    for number in range(300):
        candidate(FAMILIES["hard"], 7, number)


def test_renaming_and_constants_do_not_make_another_program() -> None:
    one = "def f(n, xs):\n    for x in xs:\n        n += x * 2\n    return n\n"
    other = "def g(k, ys):\n    for y in ys:\n        k += y * -35\n    return k\n"
    third = "def g(k, ys):\n    for y in ys:\n        k -= y * 35\n    return k\n"
    assert normal_form(one) == normal_form(other)
    assert normal_form(one) != normal_form(third)


def test_an_unknown_family_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="known: easy, first, hard, idioms, medium"):
        next(traced("esay", seed=1, n=1))


def test_the_benchmark_easy_is_the_held_out_programs() -> None:
    drafts = list(islice(load("benchmark", "easy").drafts(""), 5))
    held_out = [program.id for program, _ in traced("easy", seed=HELD_OUT["easy"], n=5)]
    assert [draft.program.id for draft in drafts] == held_out


def test_ctrl_c_while_a_candidate_runs_is_not_taken_for_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import signal\ndef f():\n    signal.raise_signal(signal.SIGINT)\n"
    monkeypatch.setattr(generated, "write_program", lambda random, family: Written(source, "f", "", ()))
    monkeypatch.setattr(generated, "plain_steps", lambda program, family: 999)
    with pytest.raises(KeyboardInterrupt):
        generated.candidate(generated.FAMILIES["easy"], 0, 0)
