"""Families that need no code are not pooled; answers of several kinds fit together or do not."""

from __future__ import annotations

import msgspec
import pytest
from tests.report.test_compare import answered

from deskcheck.report import horizons
from deskcheck.report.coherence import coherence
from deskcheck.report.page import render
from deskcheck.report.read import Run


def run(strategy: str, right: dict[str, list[bool]], *, benchmark: str = "b") -> Run:
    """Twenty tasks a family, of 2 to 40 steps; the answers of a family differ."""
    flat = [ok for each in right.values() for ok in each]
    made = answered(flat, strategy=strategy, benchmark=benchmark)
    places = [(family, index) for family, each in right.items() for index in range(len(each))]
    samples = [
        msgspec.structs.replace(one, tags={"family": family}, n_steps=2 + 2 * index, expected=str(index))
        for one, (family, index) in zip(made.samples, places, strict=True)
    ]
    return msgspec.structs.replace(made, samples=samples)


SHORT = [index < 10 for index in range(20)]
ALL, NONE = [True] * 20, [False] * 20


def test_a_family_that_is_right_without_the_code_is_not_pooled() -> None:
    asked = run("cot", {"a": SHORT, "fame": ALL})
    control = run("no-code", {"a": NONE, "fame": ALL})
    pooled, a, fame = horizons.of_run(asked, [asked, control])
    assert (pooled.name, pooled.half.longest, pooled.note) == ("all but fame", 40, "")
    assert 16 < pooled.half.steps < 28
    assert (a.name, fame.name) == ("a", "fame")
    assert fame.note == ("apart: 100 % right without the code, 5 % by always giving the most frequent answer")
    (pooled, *_) = horizons.of_run(asked, [asked])
    assert (pooled.name, pooled.note) == ("all", "no control without the code (--strategy no-code)")
    lucky = run("no-code", {"a": [True, *NONE[1:]], "fame": NONE})  # one of twenty is chance
    assert horizons.of_run(asked, [asked, lucky])[0].name == "all"


def test_programs_that_everyone_knows_by_heart_are_apart() -> None:
    asked = run("cot", {"collatz": ALL, "sieve": SHORT}, benchmark="long")
    pooled, sieve, collatz = horizons.of_run(asked, [asked])
    assert (pooled.name, collatz.note) == ("all but collatz", "apart: known by heart")
    assert sieve.half.steps == pytest.approx(pooled.half.steps)
    assert "all but collatz" in render([asked])


def answers(kind: str, said: dict[str, str], *, right: bool = False) -> Run:
    made = answered([right] * len(said), task=kind)
    samples = [
        msgspec.structs.replace(one, task=task, answer=answer, cluster=task.partition("@")[0])
        for one, (task, answer) in zip(made.samples, said.items(), strict=True)
    ]
    return msgspec.structs.replace(made, samples=samples, folder=f"logs/{kind}")


def test_answers_fit_together_whether_they_are_right_or_not() -> None:
    runs = [
        answers("full-trace", {"x": "[2, 3, 3, 4]", "y": "[2, 3]", "z": "[2]"}),
        answers("coverage", {"x": "[4, 3, 2]", "y": "[2, 4]", "z": "[2]"}),
        answers("hot-lines", {"x": "[3]", "y": "[2, 3]", "z": "'what'"}),
        answers("reached", {"x@3": "True", "y@4": "False", "z@9": "False"}),
        answers("loop-counts", {"x": "{3: 2}", "y": "{3: 0}", "z": "{}"}),
        answers("loop-values", {"x@3": "[0, 1]", "y@3": "[5]"}),
        answers("branches", {"x": "{3: [True, False]}", "y": "{9: []}"}),
        answers("next-line", {"x@2.1": "3", "z@2.1": "0"}),
    ]
    (found,) = coherence(runs)
    assert (found.n, found.fit.mean) == (3, pytest.approx(1 / 3))  # only x
    broken = {rule: bad for rule, bad, _ in found.broken if bad}
    assert broken == {"lines": 1, "hot lines": 2, "counts": 1, "reached": 1, "rounds": 1}
    assert (found.right, found.wrong) == ((0, 0), (1, 3))


def test_an_output_that_is_an_exception_is_that_exception() -> None:
    said = {"a": "raises KeyError", "b": "7", "c": "raises KeyError", "d": "None"}
    names = {"a": "'KeyError'", "b": "None", "c": "'IndexError'", "d": "'KeyError'"}
    (found,) = coherence([answers("output", said, right=True), answers("exception", names)])
    assert (found.n, found.broken) == (4, [("ending", 2, 4)])
    assert coherence([answers("output", said)]) == []
    assert "Do the answers fit together?" in render([answers("output", said), answers("exception", names)])


def test_one_kind_of_question_binds_nothing() -> None:
    assert coherence([answers("coverage", {"x": "[1]"})]) == []
