"""A run that comes back to a state: a greedy model stops there, and a model that draws may yet leave."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from types import SimpleNamespace

import pytest

from deskcheck.evaluation.plan import generation
from deskcheck.inference.engine import TinyEngine
from deskcheck.records import Answer, Completion, Message, NoAnswer, Prompt
from deskcheck.states.parse import read_state
from deskcheck.states.tree import StateTree
from deskcheck.turns.chain import MAX_VISITS, Chain, stepped
from deskcheck.turns.settings import Settings


class Scripted:
    """A model that answers a prompt about a line by the next of its replies; the last one stays."""

    def __init__(self, replies: dict[str, Iterable[str]], *, is_greedy: bool) -> None:
        self.replies = {line: list(texts) for line, texts in replies.items()}
        self.is_greedy = is_greedy

    async def __call__(self, prompt: Prompt) -> Completion:
        texts = self.replies[prompt.messages[0].text.split(" ")[0]]
        return Completion(texts.pop(0) if len(texts) > 1 else texts[0], "stop")


def run(model: Scripted, **settings: object) -> tuple[Answer | NoAnswer, Chain]:
    def question(state: StateTree) -> Prompt:
        return Prompt([Message("user", str(state))], max_tokens=8)

    chain = Chain(model, Settings(**settings), read_state("@1 | n=3"))
    return asyncio.run(chain.run(question, stepped)).answer, chain


CIRCLE = {"@1": ["@2"], "@2": ["@3"], "@3": ["@2"]}


def test_a_greedy_run_ends_at_the_first_state_that_it_had():
    answer, chain = run(Scripted(CIRCLE, is_greedy=True))
    assert isinstance(answer, NoAnswer)
    assert answer.reason == "endless"
    assert answer.detail.startswith("step 3 leads to the state of step 1, so the run would never end: @2")
    assert len(chain.completions) == 3


def test_a_run_that_comes_back_to_its_beginning_ends_too():
    answer, chain = run(Scripted({"@1": ["@2"], "@2": ["@1"]}, is_greedy=True))
    assert isinstance(answer, NoAnswer) and answer.reason == "endless"
    assert len(chain.completions) == 2


def test_the_same_line_with_another_value_is_another_state():
    model = Scripted({"@1": ["@2"], "@2": ["@3 | n=4", "@3 | n=5"], "@3": ["@2", "<- 5"]}, is_greedy=True)
    answer, _ = run(model)
    assert answer == Answer("5")


def test_a_model_that_draws_its_replies_may_leave_a_circle():
    leaving = {**CIRCLE, "@3": ["@2", "@2", "<- 7"]}
    assert run(Scripted(leaving, is_greedy=False))[0] == Answer("7")
    answer, chain = run(Scripted(CIRCLE, is_greedy=False))
    assert isinstance(answer, NoAnswer) and answer.reason == "budget"
    assert len(chain.completions) > 2 * MAX_VISITS


@pytest.mark.parametrize("on_error", ["reask", "vote"])
def test_a_reply_that_was_drawn_may_be_another_one_the_next_time(on_error: str):
    """The reply to @3 cannot be read, so another one is drawn, and in the second round it ends the run."""
    drawn = ["?"] + ["@2"] * 5 * (on_error == "vote") + ["@2"] * (on_error == "reask") + ["?", "<- 9"]
    model = Scripted({**CIRCLE, "@3": drawn}, is_greedy=True)
    answer, _ = run(model, on_error=on_error)
    assert answer == Answer("9")


@pytest.mark.parametrize(
    ("engine", "temperature", "is_greedy"),
    [
        (SimpleNamespace(is_greedy=True), None, True),
        (SimpleNamespace(is_greedy=True), 0.0, True),
        (SimpleNamespace(is_greedy=True), 0.7, False),
        (SimpleNamespace(), 0.0, False),
    ],
)
def test_a_run_is_greedy_by_its_engine_and_its_temperature(
    engine: SimpleNamespace, temperature: float | None, is_greedy: bool
):
    client = pytest.importorskip("deskcheck.evaluation.client", reason="needs the extra 'eval'")
    channel = SimpleNamespace(generation=generation(temperature=temperature))
    asker = client.Asker(SimpleNamespace(api=SimpleNamespace(engine=engine)), ("a", 0), channel)
    assert asker.is_greedy is is_greedy
    assert TinyEngine.is_greedy
