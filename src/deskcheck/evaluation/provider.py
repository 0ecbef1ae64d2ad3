"""Offer the models that deskcheck runs itself to Inspect, as its provider `deskcheck/<name>`.

    inspect eval ... --model deskcheck/tiny        deskcheck eval --model tiny

Concurrent requests wait in a queue. One thread takes up to a batch of them and runs the engine, so the event
loop is never blocked and the engine never runs twice at a time. An engine that is a Stream (tiny) takes new
questions between any two calls of its network, so no chain waits for another's answer. A request with tools
is refused.
"""

from __future__ import annotations

import asyncio
import atexit
import queue
import threading
from concurrent.futures import Future
from typing import Any, cast

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from deskcheck.errors import UserError
from deskcheck.inference.engine import Engine, Question, Stream, load_engine
from deskcheck.records import Completion, Message, Prompt

# Most requests at once; a batch is never larger. Inspect's default of 10 would leave the engine idle.
# With more requests than tiny has slots, chains would displace each other's keys.
MAX_CONNECTIONS = 64
# Seconds for which the thread waits for one more request before it runs a batch. The answers of a batch
# wake its coroutines, which ask again one after the other; without this pause the next batch would hold
# one question.
SETTLE_S = 0.005
DEFAULT_MAX_TOKENS = 1024  # of a reply, for requests that set no limit

# Finish reason of a completion -> Inspect's stop reason.
STOP_REASONS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}

# Question that wakes the thread so that it can end, and the seconds that its current call may take.
NOTHING = Question(Prompt(messages=[], max_tokens=1), "", 0, 0)
LAST_CALL_S = 30.0


class Batcher:
    """A queue in front of an engine, emptied by one thread."""

    def __init__(self, engine: Engine, *, settle_s: float = SETTLE_S) -> None:
        self.engine = engine
        self.settle_s = settle_s
        self._queue: queue.SimpleQueue[tuple[Question, Future[Completion]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended = False

    async def ask(self, question: Question) -> Completion:
        """Put a question into the queue and return its answer, without holding up the event loop."""
        future: Future[Completion] = Future()
        self._queue.put((question, future))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="deskcheck-model", daemon=True)
            self._thread.start()
            # If the interpreter ended while the thread is in a C++ library, that library would abort it.
            atexit.register(self.end)
        return await asyncio.wrap_future(future)

    def end(self) -> None:
        """End the thread after its current call; questions that still wait are not answered."""
        self._ended = True
        if self._thread is not None:
            self._queue.put((NOTHING, Future()))
            self._thread.join(timeout=LAST_CALL_S)

    def _work(self) -> None:
        if hasattr(self.engine, "step"):
            self._stream(cast("Stream", self.engine))
        while not self._ended:
            batch = self._next()
            if self._ended:
                return
            try:
                answers = self.engine.answer([question for question, _ in batch])
                if len(answers) != len(batch):
                    raise RuntimeError(f"the engine gave {len(answers)} answers to {len(batch)} questions")
            except Exception as error:  # passed on to all waiting requests; the thread continues
                for _, future in batch:
                    future.set_exception(error)
                continue
            for (_, future), answer in zip(batch, answers, strict=True):
                future.set_result(answer)

    def _stream(self, engine: Stream) -> None:
        """Take questions and return answers between the engine's steps, until the end."""
        live: set[Future[Completion]] = set()
        while not self._ended:
            try:
                while len(live) < MAX_CONNECTIONS:
                    question, future = self._queue.get(block=not live)
                    if self._ended:
                        return
                    if future.set_running_or_notify_cancel():
                        live.add(future)
                        engine.submit(question, future)
            except queue.Empty:
                pass
            except Exception as error:  # only the question that cannot be taken fails
                live.discard(future)
                future.set_exception(error)
                continue
            try:
                done = engine.step()
            except Exception as error:  # passed on to all waiting requests; the thread continues
                engine.clear()
                for waiting in live:
                    waiting.set_exception(error)
                live = set()
                continue
            for ticket, answer in done:
                answered = cast("Future[Completion]", ticket)
                live.discard(answered)
                answered.set_result(answer)

    def _next(self) -> list[tuple[Question, Future[Completion]]]:
        waiting = [self._queue.get()]
        while len(waiting) < self.engine.batch:
            try:
                waiting.append(self._queue.get(timeout=self.settle_s))
            except queue.Empty:
                break
        # Requests cancelled while they waited (Ctrl-C) are dropped; the others can no longer be cancelled.
        started = [
            (question, future) for question, future in waiting if future.set_running_or_notify_cancel()
        ]
        return started or self._next()


class DeskcheckAPI(ModelAPI):  # type: ignore[misc]  # mypy skips Inspect
    """Inspect's view of one of our models."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  (Inspect's own signature)
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.engine = load_engine(model_name, model_args)
        self.batcher = Batcher(self.engine)

    async def generate(
        self,
        input: list[ChatMessage],  # Inspect calls it so
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer one conversation by our own engine."""
        if tools:
            raise UserError(f"deskcheck/{self.model_name} takes no tools; {len(tools)} were in the request")
        completion = await self.batcher.ask(as_question(input, config))
        if completion.finish_reason == "error":
            return ModelOutput(model=self.model_name, error=completion.text or "the model failed")
        return as_output(self.model_name, completion)

    def max_connections(self) -> int:
        """Return the number of connections, enough for a full batch."""
        return MAX_CONNECTIONS

    def connection_key(self) -> str:
        """Return the model's name: each of our models has its own pool."""
        return str(self.model_name)


modelapi(name="deskcheck")(DeskcheckAPI)


def as_question(messages: list[ChatMessage], config: GenerateConfig) -> Question:
    """Convert Inspect's messages to a question, with task, sample and call from the last one's metadata."""
    turns = [Message(_role(message), message.text) for message in messages]
    place = (messages[-1].metadata or {}).get("deskcheck", {}) if messages else {}
    prompt = Prompt(
        turns,
        max_tokens=config.max_tokens or DEFAULT_MAX_TOKENS,
        stop=list(config.stop_seqs or []),
        logprobs=bool(config.logprobs),
        temperature=-1.0 if config.temperature is None else config.temperature,
    )
    return Question(
        prompt, str(place.get("task", "")), int(place.get("sample", 0)), int(place.get("call", 0))
    )


def _role(message: ChatMessage) -> Any:
    if message.role == "tool":
        raise UserError("a conversation with tool results was sent to a model that takes no tools")
    return message.role


def as_output(model_name: str, completion: Completion) -> ModelOutput:
    """Convert a completion to Inspect's output."""
    usage = None
    if completion.n_tokens_in >= 0 and completion.n_tokens_out >= 0:
        total = completion.n_tokens_in + completion.n_tokens_out
        usage = ModelUsage(
            input_tokens=completion.n_tokens_in, output_tokens=completion.n_tokens_out, total_tokens=total
        )
    message = ChatMessageAssistant(content=completion.text, source="generate", model=model_name)
    stop_reason: Any = STOP_REASONS.get(completion.finish_reason, "unknown")
    known = completion.logprob <= 0  # of the whole answer, reported as that of one token
    said = Logprobs(content=[Logprob(token="", logprob=completion.logprob)]) if known else None
    choice = ChatCompletionChoice(message=message, stop_reason=stop_reason, logprobs=said)
    return ModelOutput(model=model_name, choices=[choice], usage=usage)
