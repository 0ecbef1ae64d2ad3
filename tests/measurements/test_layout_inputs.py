"""Predicted inputs are run, and any that give the outcome are right."""

from __future__ import annotations

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

from deskcheck.decontamination.canonical import normal_form
from deskcheck.models.tiny import Request
from deskcheck.records import Completion
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.stream import PartPlan
from layout_study import digits
from layout_study import inputs as layout_inputs
from layout_study import programs as layout_programs
from layout_study.inputs import InputExamples, commonest, input_scores, judged, question
from layout_study.plan import Comparison, preset_of
from layout_study.scores import HeldOut


def held_out(source: str, arguments: str) -> HeldOut:
    program = make_program(source, "f", arguments, origin="t")
    return HeldOut(program, trace_program(program, layout_inputs.LIMITS), normal_form(source))


SQUARE = held_out("def f(n):\n    return n * n\n", "3")
FAILS = held_out("def f(n, m):\n    return n // m\n", "3, 0")


class Says:
    """Answers every question alike."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts
        self.asked: list[Request] = []

    def generate(self, requests: list[Request]) -> list[Completion]:
        self.asked += requests
        return [Completion(text, "stop", n_tokens_out=3) for text in self.texts]


def test_the_question_shows_code_and_outcome_and_never_the_call():
    example = question(SQUARE.program, SQUARE.trace)
    assert example.prompt == "[input]\n@1 def f(n):\n@2     return n * n\ngives <- 9\n"
    assert example.target == "f(3)"
    assert "gives !!ZeroDivisionError(" in question(FAILS.program, FAILS.trace).prompt


@pytest.mark.parametrize(
    ("first", "second", "right"),
    [
        ("f(3)", "f(3, 0)", [True, True]),
        ("f(-3)", "f(7, 0)", [True, True]),
        ("f(4)", "f(3, 1)", [False, False]),
        ("f('a')", "f(3)", [False, False]),
    ],
)
def test_any_arguments_that_give_the_outcome_are_right(first: str, second: str, right: list[bool]):
    found = input_scores(Says(first, second), [SQUARE, FAILS])
    assert [one.right for one in found] == right
    assert all(one.is_finished for one in found)


@pytest.mark.parametrize("text", ["f(n)", "f(open('x', 'w'))", "g(3)", "3", "", "f(3", "f(1 + 2)"])
def test_what_is_no_call_with_literals_is_not_run(text: str, monkeypatch: pytest.MonkeyPatch):
    ran: list[str] = []
    real = layout_inputs.trace_programs

    def spy(programs, *rest, **more):  # type: ignore[no-untyped-def]
        ran.extend(one.arguments for one in programs)
        return real(programs, *rest, **more)

    monkeypatch.setattr(layout_inputs, "trace_programs", spy)
    (found,) = input_scores(Says(text), [SQUARE])
    assert (found.right, found.is_finished, ran) == (False, False, [])


def test_an_answer_that_never_ends_is_wrong():
    loops = held_out("def f(n):\n    while n:\n        n -= 1\n    return n\n", "3")
    found = judged([loops, SQUARE], ["-1", "-3"], [0, 0])
    assert [one.right for one in found] == [False, True]


def test_no_training_question_is_about_the_form_of_a_held_out_program(monkeypatch: pytest.MonkeyPatch):
    small = Comparison(layouts=("direct",), seeds=(0,), flops=1e9, rates=(0.1,), n_held_out=8, hidden=16)
    forms = frozenset(normal_form(digits.candidate(seed=0, number=n).source) for n in range(5))
    monkeypatch.setattr(layout_programs, "kept_out", lambda source, seeds, n: forms)
    plan = PartPlan(0, 0, {"digits": 1.0}, preset_of(small, "direct", 0.1).mix, 0, 128, candidates=20)
    examples, counts = InputExamples(small)(plan)
    made = list(examples)
    assert counts().n_held_out >= 5
    assert len(made) == counts().n_programs == 20 - counts().n_held_out
    seeds = (layout_programs.HELD_OUT_SEED, layout_programs.DEVELOPMENT_SEED)
    assert InputExamples(small).programs.seeds == seeds


def test_without_a_model_the_commonest_arguments_with_as_many_of_them_are_tried():
    more = [held_out("def f(n):\n    return n + 1\n", text) for text in ("5", "-3", "-3")]
    found = commonest([SQUARE, FAILS], more)
    assert [(one.right, one.is_finished) for one in found] == [(True, True), (False, False)]
