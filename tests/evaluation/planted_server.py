"""A server whose models have planted skill: it knows every task, and answers right with a known chance.

    asks = prompts_of(tasks, ["vanilla", ("cot", {"statement_language": "zh"}), "iip-single"])
    with PlantedServer(asks, skill=Skill(half=30, cot=1.5), seed=3) as server:   server.url ends with /v1

The chance to be right is logistic in log2 of executed steps; strategy and language shift it in log-odds.
Whether an answer is right is drawn from the seed, the model's name, the task and the way it was asked: the
same question gets the same answer again, so a killed run that goes on is the same run.

`faults` names what happens to a request (`http_model.FAULTS`, "404", "401", "no usage", a key of SAID, "other
model"); `writers` are the
ways in which an answer is written. Tokens are counted here, to hold against what a run says it spent.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler
from typing import Any

from msgspec import Struct, field
from tests.evaluation.http_model import Server, send

from deskcheck.evaluation.plan import load_strategy
from deskcheck.records import Task
from deskcheck.strategies import settings_of
from deskcheck.turns.settings import make_settings

Way = str | tuple[str, dict[str, Any]]
"""A strategy, or a strategy with its settings."""

TAGGED: Callable[[str], str] = lambda answer: f"[ANSWER]{answer}[/ANSWER]"  # noqa: E731


SAID: dict[str, dict[str, Any]] = {
    "empty": {"content": ""},
    "filtered": {"content": ""},
    "refusal": {"content": None, "refusal": "I can't help with that."},
    "malformed": {"content": "[ANSWER]{1, [2[/ANSWER]"},
    "tool call": {
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "run", "arguments": '{"x": 1}'}}],
    },
}
"""Fault -> what the message has in place of the answer."""


class Skill(Struct, frozen=True):
    """What a model can do, in log-odds where not said otherwise."""

    half: float = 30.0
    """Executed steps at which it is right half of the time when asked plainly."""
    slope: float = 1.0
    """Log-odds that a doubling of the steps takes."""
    effects: dict[str, float] = field(default_factory=dict)
    """Strategy -> what it adds: {"cot": 1.5, "iip-single": 0.5}."""
    chinese: float = 0.0
    """What asking in Chinese adds."""
    unreadable: float = 0.0
    """Share of replies without any answer."""

    def chance(self, n_steps: int, strategy: str, statement_language: str) -> float:
        """Chance that an answer is right."""
        odds = -self.slope * math.log2(max(1, n_steps) / self.half) + self.effects.get(strategy, 0.0)
        odds += self.chinese if statement_language == "zh" else 0.0
        return 1 / (1 + math.exp(-odds))


class Ask(Struct, frozen=True):
    """One task as one strategy asks it."""

    task: Task
    strategy: str
    statement_language: str


def prompts_of(tasks: Sequence[Task], ways: Sequence[Way]) -> dict[str, Ask]:
    """Text of the opening prompt -> what it asks."""
    asks = {}
    for way in ways:
        name, values = (way, {}) if isinstance(way, str) else way
        strategy = load_strategy(name)
        settings = settings_of(name, strategy, make_settings(values))
        for task in tasks:
            asks[key_of(message.text for message in strategy.opening(task, settings).messages)] = Ask(
                task, name, str(values.get("statement_language", "en"))
            )
    return asks


def key_of(texts: Any) -> str:
    """Messages as one text."""
    return "\0".join(texts)


class PlantedServer(Server):
    """Answers chat completions with planted skill; counts what it was asked and what that costs."""

    def __init__(
        self,
        asks: Mapping[str, Ask],
        *,
        skill: Skill | Mapping[str, Skill] = Skill(),  # noqa: B008  (frozen)
        seed: int = 0,
        faults: Callable[[int, dict[str, Any]], str] = lambda number, request: "",
        writers: Sequence[Callable[[str], str]] = (TAGGED,),
        tokens_out: int = 20,
        pause_s: float = 0.0,
    ) -> None:
        super().__init__()
        self.asks, self.skill, self.seed = asks, skill, seed
        self.faults, self.writers, self.tokens_out, self.pause_s = faults, writers, tokens_out, pause_s
        self.requests: list[dict[str, Any]] = []
        self.broken: Counter[str] = Counter()
        self.tokens = [0, 0]
        """In and out of every request that was worked on, whether its reply arrived or not."""
        self.most_at_once = 0
        self._at_once = 0
        self._lock = threading.Lock()

    def draw(self, *names: object) -> float:
        """A number in [0, 1) that depends on the seed and these names alone."""
        text = "\0".join(map(str, (self.seed, *names)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64

    def is_right(self, model: str, ask: Ask) -> bool:
        """What was drawn for this question."""
        skill = self.skill if isinstance(self.skill, Skill) else self.skill[model]
        chance = skill.chance(ask.task.truth.n_steps, ask.strategy, ask.statement_language)
        return self.draw(model, ask.task.id, ask.strategy, ask.statement_language) < chance

    def text_of(self, request: dict[str, Any]) -> str:
        """What the model writes to a request."""
        key = key_of(message["content"] for message in request["messages"])
        return self.text(request["model"], self.asks[key])

    def text(self, model: str, ask: Ask) -> str:
        """What the model writes to a question."""
        skill = self.skill if isinstance(self.skill, Skill) else self.skill[model]
        if self.draw("unreadable", model, ask.task.id, ask.strategy) < skill.unreadable:
            return "It is hard to say."
        answer = ask.task.expected if self.is_right(model, ask) else f"'not {ask.task.id}'"
        number = int(self.draw("writer", model, ask.task.id, ask.strategy) * len(self.writers))
        return self.writers[number](answer)

    def reply(self, handler: BaseHTTPRequestHandler, body: bytes) -> None:
        request = json.loads(body)
        with self._lock:
            fault = self.faults(len(self.requests), request)
            self.requests.append(request)
            self.broken[fault] += bool(fault)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        time.sleep(self.pause_s)
        try:
            self._reply(handler, request, fault)
        finally:
            with self._lock:
                self._at_once -= 1

    def _reply(self, handler: BaseHTTPRequestHandler, request: dict[str, Any], fault: str) -> None:
        handler.close_connection = bool(fault)
        if fault in ("429", "500", "404", "401"):
            send(handler, int(fault), b'{"error": {"message": "planted"}}', Retry_After="0")
            return
        key = key_of(message["content"] for message in request["messages"])
        n_in = len(key.encode()) // 4 + 1
        with self._lock:
            self.tokens[0] += n_in
            self.tokens[1] += self.tokens_out
        if fault == "hang":
            self.ended.wait(60)
            return
        if fault == "garbage":
            send(handler, 200, b"<html>It works!</html>")
            return
        message: dict[str, Any] = {
            "role": "assistant",
            "content": self.text_of(request),
            **SAID.get(fault, {}),
        }
        whole: dict[str, Any] = {
            "id": "x", "object": "chat.completion", "created": 1,
            "model": "another-model" if fault == "other model" else request["model"],
        }  # fmt: skip
        if fault != "odd":
            ends = {"filtered": "content_filter", "tool call": "tool_calls"}.get(fault, "stop")
            whole["choices"] = [{"index": 0, "message": message, "finish_reason": ends}]
        if fault != "no usage":
            whole["usage"] = {
                "prompt_tokens": n_in, "completion_tokens": self.tokens_out,
                "total_tokens": n_in + self.tokens_out,
            }  # fmt: skip
        content = json.dumps(whole).encode()
        if fault != "cut":
            send(handler, 200, content)
            return
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content[: len(content) // 2])
