"""The provider: requests that come together are answered together, off the event loop, without tools."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, GenerateConfig, get_model
from inspect_ai.tool import ToolInfo

from deskcheck.errors import UnknownName, UserError
from deskcheck.evaluation.provider import Batcher, DeskcheckAPI
from deskcheck.inference.engine import TinyEngine, files_digest
from deskcheck.models import Question, load_engine
from deskcheck.records import Completion, Message, Prompt

# A library that Inspect uses, about a parameter that Inspect gives it.
pytestmark = pytest.mark.filterwarnings("ignore:The .initial. parameter is deprecated:DeprecationWarning")


def question(number: int) -> Question:
    return Question(Prompt([Message("user", "?")], max_tokens=8), f"t{number}", 0, 0)


class Engine:
    """Repeats the task's id and remembers its batches; fails on a task named "bad"."""

    fingerprint = "test"
    batch = 16

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.threads: set[int] = set()

    def answer(self, questions: list[Question]) -> list[Completion]:
        self.batches.append(len(questions))
        self.threads.add(threading.get_ident())
        if any(one.task_id == "bad" for one in questions):
            raise RuntimeError("the engine broke")
        return [Completion(one.task_id, "stop", 1, 1) for one in questions]


def test_concurrent_requests_share_batches_in_one_thread_and_keep_their_answers():
    engine = Engine()

    async def ask_all() -> list[Completion]:
        batcher = Batcher(engine, settle_s=0.05)
        return await asyncio.gather(*(batcher.ask(question(number)) for number in range(100)))

    said = asyncio.run(ask_all())
    assert [completion.text for completion in said] == [f"t{number}" for number in range(100)]
    assert max(engine.batches) == 16
    assert len(engine.batches) <= 10
    assert len(engine.threads) == 1
    assert threading.get_ident() not in engine.threads


def test_an_engine_that_breaks_fails_its_batch_and_answers_the_next_one():
    engine = Engine()

    async def ask() -> tuple[object, Completion]:
        batcher = Batcher(engine)
        bad = Question(question(0).prompt, "bad", 0, 0)
        (broken,) = await asyncio.gather(batcher.ask(bad), return_exceptions=True)
        return broken, await batcher.ask(question(1))

    broken, after = asyncio.run(ask())
    assert isinstance(broken, RuntimeError)
    assert after.text == "t1"


def test_the_thread_ends_when_the_interpreter_does():
    """Ctrl-C met onnxruntime in the middle of a call, and the process was aborted after its last words."""
    engine = Engine()
    batcher = Batcher(engine)
    assert asyncio.run(batcher.ask(question(1))).text == "t1"
    (thread,) = [one for one in threading.enumerate() if one.ident in engine.threads]
    batcher.end()
    assert not thread.is_alive()
    assert engine.batches == [1]


def test_a_request_with_tools_is_refused():
    api = DeskcheckAPI("scripted", answers=["x"])
    tool = ToolInfo(name="python", description="runs code")
    with pytest.raises(UserError, match="no tools"):
        asyncio.run(api.generate([ChatMessageUser(content="?")], [tool], "auto", GenerateConfig()))


def test_inspect_finds_the_provider_by_its_name_and_gets_text_tokens_and_finish_reason():
    async def ask() -> Any:
        model = get_model("deskcheck/scripted", answers=["one two"], memoize=False)
        return await model.generate("?")

    output = asyncio.run(ask())
    assert (output.completion, output.stop_reason) == ("one two", "stop")
    assert output.usage.output_tokens == 2


def test_for_tiny_the_system_message_is_the_head_and_the_user_message_the_body():
    asked: list[Any] = []

    class Tiny:
        def generate(self, requests: list[Any]) -> list[Completion]:
            asked.extend(requests)
            return [Completion("<- 1", "stop") for _ in requests]

    engine = TinyEngine(Tiny(), lambda **fields: fields, fingerprint="test")
    prompt = Prompt(
        [Message("system", "[line-1]\n@1 x\n"), Message("user", "@1\n")], max_tokens=9, stop=["\n"]
    )
    engine.answer([Question(prompt, "t", 0, 0)])
    parts = {"head": "[line-1]\n@1 x\n", "body": "@1\n", "max_tokens": 9, "stop": ["\n"]}
    assert [{name: one[name] for name in parts} for one in asked] == [parts]
    assert (asked[0]["temperature"], asked[0]["logprobs"], asked[0]["sequence"]) == (0.0, False, "t\n0")
    engine.answer([Question(prompt, "t", 0, 1), Question(prompt, "t", 1, 1)])
    assert len({one["seed"] for one in asked}) == 3, "every call of every sample is drawn anew"
    assert len({one["sequence"] for one in asked}) == 2


class Streaming(Engine):
    """Answers one question a step, the last that came first; breaks at "bad", refuses "worse"."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Question, object]] = []

    def submit(self, question: Question, ticket: object) -> None:
        if question.task_id == "worse":
            raise ValueError("no such question")
        self.waiting.append((question, ticket))

    def step(self) -> list[tuple[object, Completion]]:
        self.batches.append(len(self.waiting))
        if any(one.task_id == "bad" for one, _ in self.waiting):
            raise RuntimeError("the engine broke")
        one, ticket = self.waiting.pop()
        return [(ticket, Completion(one.task_id, "stop", 1, 1))]

    def clear(self) -> None:
        self.waiting = []


def test_a_stream_takes_questions_while_others_are_answered():
    engine = Streaming()

    async def chain(batcher: Batcher, number: int) -> list[str]:
        return [(await batcher.ask(question(number))).text for _ in range(5)]

    async def ask_all() -> list[list[str]]:
        batcher = Batcher(engine)
        return await asyncio.gather(*(chain(batcher, number) for number in range(20)))

    assert asyncio.run(ask_all()) == [[f"t{number}"] * 5 for number in range(20)]
    assert len(engine.batches) == 100
    assert max(engine.batches) > 10, "questions waited for each other"


def test_a_stream_that_breaks_fails_those_under_way_and_a_refused_question_ends_alone():
    engine = Streaming()

    async def ask() -> tuple[list[Any], Completion]:
        batcher = Batcher(engine)
        names = ("worse", "bad", "t5")
        asked = [batcher.ask(Question(question(0).prompt, name, 0, 0)) for name in names]
        broken = await asyncio.gather(*asked, return_exceptions=True)
        return broken, await batcher.ask(question(1))

    broken, after = asyncio.run(ask())
    assert isinstance(broken[0], ValueError)
    assert isinstance(broken[1], RuntimeError)
    assert after.text == "t1"


def test_messages_of_inspect_become_the_question_that_they_were_made_from():
    seen: list[Question] = []

    def speak(asked: Question) -> Completion:
        seen.append(asked)
        return Completion("x", "stop")

    api = DeskcheckAPI("scripted", answers=speak)
    place = {"task": "t", "sample": 3, "call": 2}
    messages = [
        ChatMessageSystem(content="head"),
        ChatMessageUser(content="body", metadata={"deskcheck": place}),
    ]
    config = GenerateConfig(max_tokens=5, stop_seqs=["\n"])
    asyncio.run(api.generate(messages, [], "none", config))
    prompt = Prompt([Message("system", "head"), Message("user", "body")], max_tokens=5, stop=["\n"])
    assert seen == [Question(prompt, "t", 3, 2)]


def test_a_model_that_is_not_ours_and_an_argument_that_is_not_taken_are_named():
    with pytest.raises(UnknownName, match="tiny"):
        load_engine("huge", {})
    with pytest.raises(UserError, match="colour"):
        load_engine("scripted", {"answers": ["x"], "colour": "red"})


def test_numbers_written_into_a_card_make_no_other_model(tmp_path: Path):
    card = tmp_path / "README.md"

    def digest(text: str, weights: bytes = b"1") -> str:
        card.write_text(text)
        (tmp_path / "model.onnx").write_bytes(weights)
        return files_digest(SimpleNamespace(path=tmp_path))

    first = digest("---\nlayouts: [direct]\n---\n# tiny\n")
    assert digest("---\nlayouts: [direct]\n---\n# tiny\n31 %\n\n---\n") == first
    assert digest("---\nlayouts: [line-1]\n---\n# tiny\n") != first
    assert digest("---\nlayouts: [direct]\n---\n# tiny\n", b"2") != first
