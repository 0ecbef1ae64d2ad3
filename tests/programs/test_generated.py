"""Generated programs: made anew from their seed, within their family, and the held-out ones frozen."""

from __future__ import annotations

import hashlib
import sys
from itertools import islice
from random import Random

import pytest

from deskcheck.corpus.grammar import write_program
from deskcheck.decontamination.canonical import normal_form
from deskcheck.errors import UnknownName
from deskcheck.plugins import SourceOptions, load
from deskcheck.programs import generated
from deskcheck.programs.generated import (
    FAMILIES,
    FROZEN_SHA256,
    HELD_OUT,
    N_HELD_OUT,
    _plain_steps,
    candidate,
    programs,
    traced,
)
from deskcheck.records import Limits, Place, Raised, Returned, ValueKind
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
        source, call = write_program(Random(f"{name}:8:{number}"), family)
        program = make_program(source, *call.split("\0"), origin="test")
        n_steps = _plain_steps(program, family)
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
    with pytest.raises(UnknownName, match="known: easy, first, hard, medium"):
        next(traced("esay", seed=1, n=1))


def test_the_benchmark_easy_is_the_held_out_programs() -> None:
    items = list(islice(load("benchmark", "easy").items(""), 5))
    held_out = [program.id for program, _ in traced("easy", seed=HELD_OUT["easy"], n=5)]
    assert [item.program.id for item in items] == held_out


def test_ctrl_c_while_a_candidate_runs_is_not_taken_for_its_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import signal\ndef f():\n    signal.raise_signal(signal.SIGINT)\n"
    monkeypatch.setattr(generated, "write_program", lambda random, family: (source, "f\0"))
    monkeypatch.setattr(generated, "_plain_steps", lambda program, family: 999)
    with pytest.raises(KeyboardInterrupt):
        generated.candidate(generated.FAMILIES["easy"], 0, 0)
