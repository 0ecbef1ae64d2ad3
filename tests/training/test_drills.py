"""Drills: programs that run within bounds, whose lines compute what they are there to practise."""

from __future__ import annotations

from random import Random

import pytest

from deskcheck.records import Returned
from deskcheck.representations._steps import steps
from deskcheck.training import drills

ALL = [found for n in range(300) if (found := drills.drawn(Random(n)))]


def test_most_drills_run_and_keep_to_their_bounds():
    assert len(ALL) > 200
    for program, trace in ALL:
        assert isinstance(trace.outcome, Returned), program.source
        assert 2 <= trace.n_steps <= drills.BOUNDS.steps[1]


def test_a_drill_is_its_random_stream():
    for n in range(20):
        one, again = drills.write(Random(n)), drills.write(Random(n))
        assert one == again


@pytest.mark.parametrize("kind", [kind for kind, _ in drills.KINDS], ids=lambda kind: kind.__name__)
def test_every_kind_of_drill_can_be_drawn(kind, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(drills, "KINDS", ((kind, 1.0),))
    found = [drills.drawn(Random(n)) for n in range(40)]
    assert sum(one is not None for one in found) >= 8


def test_what_a_drill_returns_is_what_python_returns():
    for program, trace in ALL[:60]:
        names: dict[str, object] = {}
        exec(program.source, names)
        assert repr(eval(program.call, names)) in str(list(steps(trace))[-1][1])


def test_steps_that_make_a_value_are_more_frequent_than_in_generated_programs():
    """What drills are for: a line whose right side computes something."""
    made = n = 0
    for program, trace in ALL:
        lines = program.source.split("\n")
        for before, _, _ in steps(trace):
            line = lines[before.frames[-1].line - 1]
            n += 1
            made += any(sign in line for sign in "+*%/([") and not line.startswith(("def", "    return"))
    assert made / n > 0.5
