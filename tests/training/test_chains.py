"""Steps for training come from inputs for training alone, are true, and cover every kind of step."""

from __future__ import annotations

import re
from random import Random

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")

from deskcheck import plugins
from deskcheck.layouts.sub import read_answer
from deskcheck.records import Example
from deskcheck.states.parse import read_state, read_step
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree, apply_step
from deskcheck.tracing.access import has_native
from deskcheck.training import chains
from deskcheck.training.data import split_prompt
from deskcheck.training.scores.long_runs import inputs_near

NAMES = list(chains.CHAINS)
needs_native = pytest.mark.skipif(not has_native(), reason="needs the tracer in C")
SUB = [pytest.param(name, "sub", marks=needs_native) for name in NAMES]


def state_text(example: Example) -> str:
    return split_prompt(example.prompt)[1].split("\n")[0]


@pytest.mark.parametrize("name", [n for n in NAMES if n != "collatz"])
def test_no_training_example_has_an_input_of_another_side(name: str):
    argument = chains.CHAINS[name].source.split("def f(")[1].split(")")[0]
    random = Random(1)
    seen = set()
    for _ in range(3):
        for example in chains.scattered(name, random, most=60):
            state = read_state(state_text(example))
            seen.add(int(state.frames[0].entries[argument].text))
    assert seen
    assert {chains.side(name, n) for n in seen} == {chains.TRAINING}


def test_runs_of_collatz_start_at_training_inputs_alone(monkeypatch: pytest.MonkeyPatch):
    # n changes while it runs, so the input is watched where the run is made.
    started = []
    real = chains._steps
    monkeypatch.setattr(
        chains,
        "_steps",
        lambda name, start, layout: started.append(start.n) or real(name, start, layout),
    )
    chains.scattered("collatz", Random(2), most=200)
    assert len(started) > 3
    assert {chains.side("collatz", n) for n in started} == {chains.TRAINING}


def test_all_that_the_benchmark_asks_is_for_evaluation():
    by_source = {chain.source: name for name, chain in chains.CHAINS.items()}
    drafts = [
        *plugins.load("benchmark", "long").drafts(""),
        *plugins.load("benchmark", "long").drafts("", steps="15000"),
    ]
    asked = [(by_source[i.program.source], int(i.tags["n"])) for i in drafts if i.program.source in by_source]
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


@needs_native
@pytest.mark.parametrize("name", NAMES)
def test_operations_are_those_of_the_line_that_is_shown(name: str):
    """In `sub`: each is true, and a line that was changed to begin the run elsewhere shows none of it."""
    source = chains.CHAINS[name].source
    n_operations = 0
    for seed in range(4):
        for example in chains.scattered(name, Random(seed), "sub", most=60):
            assert example.prompt.startswith("[sub]\n")
            state = read_state(state_text(example))
            names = {k: eval(str(v)) for k, v in state.frames[0].entries.items() if not k.startswith("~")}
            found, step = read_answer(example.target)
            for operation in found:
                assert eval(operation.text, {}, names) == eval(str(operation.value)), example
                assert " if " not in operation.text
            n_operations += len(found)
            assert isinstance(apply_step(state, step), StateTree) or step.mark == "<-"
            assert all(str(number) in source for number in re.findall(r"% (\d+)", example.target))
    assert n_operations > 100


@pytest.mark.parametrize(("name", "layout"), [(name, "line-1") for name in NAMES] + SUB)
def test_every_step_is_what_its_own_line_does(name: str, layout: str):
    """The line that is shown, executed by the interpreter in the state that is shown."""
    counts = getattr(plugins.load("layout", layout), "scored", str)
    lines = chains.CHAINS[name].source.split("\n")
    looked_at = set()
    for seed in range(8):
        for example in chains.scattered(name, Random(seed), layout, most=60):
            before = read_state(state_text(example))
            target = counts(example.target)
            after = apply_step(before, read_step(target))
            frame = before.frames[0]
            if frame.mark != "@":
                continue
            text = lines[frame.line - 1].strip()
            looked_at.add(frame.line)
            names = {key: eval(str(value)) for key, value in frame.entries.items()}
            iterators = {key: names.pop(key) for key in sorted(names) if key.startswith("~")}
            if text.startswith("return "):
                assert target == f"<- {eval(text[7:], {}, names)!r}"
                continue
            assert isinstance(after, StateTree)
            goes_in = after.frames[0].line == frame.line + 1
            said = {k: eval(str(v)) for k, v in after.frames[0].entries.items() if not k.startswith("~")}
            if text.startswith(("while ", "if ")):
                assert goes_in == eval(text.split(" ", 1)[1].rstrip(":"), {}, names), example
            elif text.startswith("for "):
                variable, what = text[4:].rstrip(":").split(" in ")
                begun = len(iterators) > chains._depth(lines[frame.line - 1])
                iterator = list(iterators.values())[-1] if begun else iter(eval(what, {}, names))
                values = list(iterator)
                assert goes_in == bool(values), example
                if values:
                    names[variable] = values[0]
            else:
                exec(text, {}, names)
            assert said == names, example
    assert looked_at == {n for n, line in enumerate(lines, 1) if n > 1 and line.strip() not in ("", "else:")}


@pytest.mark.parametrize("name", ["collatz-many", "counter", "fibonacci", "fibonacci-many"])
def test_ends_of_loops_are_drawn_by_themselves(name: str):
    """One step in hundreds of a run, one in ten or more of what is drawn for their sake."""
    chain = chains.CHAINS[name]
    ends = chain.alone[0]
    drawn = [e for seed in range(10) for e in chains.scattered(name, Random(seed), most=33, alone=ends)]
    states = [read_state(state_text(e)) for e in drawn]
    assert {state.frames[0].line for state in states} == set(ends.lines)
    over = sum("-~" in e.target or e.target == "@14" for e in drawn)
    assert len(drawn) > 100
    assert len(drawn) / 10 < over < len(drawn) / 2


def test_remainders_of_large_sums_are_drawn_by_themselves():
    """In most the divisor goes in at least once, which a run seldom meets; each is what Python says."""
    alone = chains.CHAINS["fibonacci-many"].alone[1]
    found = [
        e
        for seed in range(10)
        for e in chains.scattered("fibonacci-many", Random(seed), most=24, alone=alone)
    ]
    quotients = []
    for example in found:
        names = {k: eval(str(v)) for k, v in read_state(state_text(example)).frames[0].entries.items()}
        quotients.append((names["total"] + names["a"]) // chains.MODULUS)
        assert example.target.strip().endswith(f"total={(names['total'] + names['a']) % chains.MODULUS}")
    assert len(found) > 100
    assert sum(q > 0 for q in quotients) > len(quotients) * 0.6
    assert len(set(quotients)) > 20


def test_steps_of_a_whole_run_are_found_among_the_kinds():
    kinds = {(b.frames[-1].line, s.line) for b, s, _ in steps(chains.run_of("counter", 13)[1])}
    drawn = {
        (read_state(state_text(e)).frames[-1].line, read_step(e.target).line)
        for seed in range(10)
        for e in chains.scattered("counter", Random(seed), most=60)
    }
    assert kinds <= drawn
