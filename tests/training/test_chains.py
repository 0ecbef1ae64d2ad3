"""Steps for training come from inputs for training alone, are true, and cover every kind of step."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck import plugins
from deskcheck.representations._reader import read_state, read_step
from deskcheck.representations._steps import steps
from deskcheck.representations._tree import StateTree, apply_step
from deskcheck.training import chains
from deskcheck.training.data import split_prompt
from deskcheck.training.long_runs import inputs_near

NAMES = list(chains.CHAINS)


@pytest.mark.parametrize("name", [n for n in NAMES if n != "collatz"])
def test_no_training_example_has_an_input_of_another_side(name: str):
    argument = chains.CHAINS[name].source.split("def f(")[1].split(")")[0]
    random = Random(1)
    seen = set()
    for _ in range(3):
        for example in chains.scattered(name, random, most=60):
            state = read_state(split_prompt(example.prompt)[1].rstrip("\n"))
            seen.add(int(state.frames[0].entries[argument].text))
    assert seen
    assert {chains.side(name, n) for n in seen} == {chains.TRAINING}


def test_runs_of_collatz_start_at_training_inputs_alone(monkeypatch: pytest.MonkeyPatch):
    # n changes while it runs, so the input is watched where the run is made.
    started = []
    real = chains._steps
    monkeypatch.setattr(chains, "_steps", lambda name, start: started.append(start.n) or real(name, start))
    chains.scattered("collatz", Random(2), most=200)
    assert len(started) > 3
    assert {chains.side("collatz", n) for n in started} == {chains.TRAINING}


def test_all_that_the_benchmark_asks_is_for_evaluation():
    by_source = {chain.source: name for name, chain in chains.CHAINS.items()}
    items = [
        *plugins.load("benchmark", "long").items(""),
        *plugins.load("benchmark", "long").items("", steps="15000"),
    ]
    asked = [(by_source[i.program.source], int(i.tags["n"])) for i in items if i.program.source in by_source]
    assert len(asked) > 80
    assert {chains.side(name, n) for name, n in asked} == {chains.EVALUATION}


def test_the_three_sides_share_no_input_and_each_has_enough():
    for name in NAMES:
        inputs = range(1, min(400, chains.CHAINS[name].inputs.stop))
        count = {
            which: sum(chains.side(name, n) == which for n in inputs)
            for which in (chains.TRAINING, chains.DEVELOPMENT, chains.EVALUATION)
        }
        assert sum(count.values()) == len(inputs)
        assert count[chains.TRAINING] > count[chains.DEVELOPMENT] > 0
        near = inputs_near(name, chains.EVALUATION, 100, 10)
        assert len(set(near)) == 10
        assert {chains.side(name, n) for n in near} == {chains.EVALUATION}


@pytest.mark.parametrize("name", NAMES)
def test_scattered_steps_are_what_the_program_does(name: str):
    """A step from anywhere, applied, is a state from which the program itself goes on to the same end."""
    for example in chains.scattered(name, Random(3), most=30):
        before = read_state(split_prompt(example.prompt)[1].rstrip("\n"))
        after = apply_step(before, read_step(example.target))
        assert isinstance(after, StateTree)
        if name == "collatz" and before.frames[0].line in (4, 5, 7):
            n = int(before.frames[0].entries["n"].text)
            line = before.frames[0].line
            if line == 4:
                assert after.frames[0].line == (7 if n % 2 else 5)
            else:
                assert int(after.frames[0].entries["n"].text) == (n // 2 if line == 5 else 3 * n + 1)


def test_steps_of_a_whole_run_are_found_among_the_kinds():
    kinds = {(b.frames[-1].line, s.line) for b, s, _ in steps(chains.run_of("counter", 13)[1])}
    drawn = {
        (read_state(split_prompt(e.prompt)[1].rstrip("\n")).frames[-1].line, read_step(e.target).line)
        for seed in range(4)
        for e in chains.scattered("counter", Random(seed), most=60)
    }
    assert kinds <= drawn
