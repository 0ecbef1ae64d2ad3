"""Ask one prompt of one sample: through Inspect, or straight to our own engine.

    asker = Asker(model, ("sample_0", 0), channel);  completion = await asker(prompt)

Inspect logs, limits and retries every call. In a long step loop only the first LOGGED calls leave their
prompts in the log: the chain's one table says the rest. The later steps on one of our own models go
straight to its queue, since Inspect needs 2 ms a call. No request carries a tool. Thinking is taken off
before stop strings and before anything is read: a stop string is never sent to a model that may think.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from inspect_ai.log import _transcript as inspect_transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
)
from inspect_ai.util import LimitExceededError
from msgspec.structs import replace

from deskcheck.errors import DeskcheckError
from deskcheck.evaluation.budget import Budget, OutOfMoney
from deskcheck.evaluation.generation import Generation
from deskcheck.evaluation.prices import Price, cost_usd, most_tokens
from deskcheck.evaluation.sending import (
    BROKEN,
    FATAL,
    ModelGone,
    Tries,
    brief,
    refused,
    status_of,
    tries,
)
from deskcheck.grading.extraction import without_thinking
from deskcheck.models import Question
from deskcheck.models._provider import DeskcheckAPI
from deskcheck.records import Attempt, Completion, NoAnswer, Prompt, Task
from deskcheck.strategies import Knobs, Strategy

FINISH_REASONS = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}
# A dead server: after so many failures in a row, over all samples, the run stops and says so.
FAILURES_IN_A_ROW = 20
LOGGED = 20
NO_CHOICE = "the reply holds no choice"
_SHOWN = 500  # characters of a failure that are kept


class ModelFailed(Exception):
    """The model gave nothing to read; the attempt ends with reason "error"."""


class Channel:
    """What all samples of a cell share: settings, the budget of the run, and a count of failures in a row."""

    def __init__(
        self,
        generation: Generation = Generation(),  # noqa: B008  (frozen)
        *,
        timeout_s: int = 0,
        budget: Budget | None = None,
        price: Price | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self.generation = generation
        self.timeout_s = timeout_s
        self.budget = budget
        self.price = price
        self.say = say or (lambda line: None)
        self.failures = 0

    def saw(self, completion: Completion) -> None:
        """Note one call; ModelGone when there is nobody there any more."""
        self.failures = self.failures + 1 if completion.finish_reason == "error" else 0
        if self.failures >= FAILURES_IN_A_ROW:
            raise ModelGone(
                f"the model failed {self.failures} times in a row; the last failure: "
                f"{completion.text or 'no message'}; what was answered is kept, run the same command again "
                "once the model is back"
            )


class Asker:
    """The `ask` of one sample; keeps every completion."""

    def __init__(self, model: Model, question: tuple[str, int], channel: Channel) -> None:
        self.model = model
        self.task_id, self.sample = question
        self.channel = channel
        self.completions: list[Completion] = []
        self.own = isinstance(model.api, DeskcheckAPI)

    async def __call__(self, prompt: Prompt) -> Completion:
        """Ask; ModelFailed where there is no completion to read."""
        chosen = self.channel.generation
        if chosen.max_tokens:
            prompt = replace(prompt, max_tokens=chosen.max_tokens)
        # A question that is to be sampled (a vote, a second try) would get the same answer again at 0.
        if chosen.temperature > 0 or (chosen.temperature == 0 and prompt.temperature <= 0):
            prompt = replace(prompt, temperature=chosen.temperature)
        completion = await self._paid(prompt)
        self.completions.append(completion)
        if not self.own:
            self.channel.saw(completion)
        if completion.finish_reason == "error":
            raise ModelFailed(completion.text[:_SHOWN])
        return completion

    async def _paid(self, prompt: Prompt) -> Completion:
        """Ask, and ask again where the reply is no reply; each time paid from the budget."""
        budget, price = self.channel.budget, self.channel.price
        for _ in range(1 + BROKEN):
            if budget is None or price is None:
                completion = await self._asked(prompt, Tries(0.0, None, self.channel.say))
            else:
                most_out = prompt.max_tokens + self.channel.generation.reasoning_tokens
                worst = price.of(most_tokens(prompt), most_out)
                async with budget.pay(worst) as paid:
                    sending = Tries(worst, budget, self.channel.say)
                    completion = await self._asked(prompt, sending)
                    if completion.finish_reason != "error":  # what a failed request cost is not known
                        paid.append(cost_usd(completion, price))
                if sending.is_out_of_money:
                    raise budget.exhausted()
            if completion.finish_reason != "error" or completion.text != NO_CHOICE:
                break
        return completion

    async def _asked(self, prompt: Prompt, sending: Tries) -> Completion:
        call = len(self.completions)
        if call and self.own:
            question = Question(prompt, self.task_id, self.sample, call)
            return _readable(await self.model.api.batcher.ask(question), prompt.stop)
        with unlogged() if call >= LOGGED else nullcontext(), tries(sending):
            return await self._through_inspect(prompt, call)

    async def _through_inspect(self, prompt: Prompt, call: int) -> Completion:
        place: dict[str, str | int] = {"task": self.task_id, "sample": self.sample, "call": call}
        messages = as_messages(prompt, place)
        config = self.channel.generation.config(prompt, timeout_s=self.channel.timeout_s, own=self.own)
        try:
            output = await self.model.generate(messages, tools=[], config=GenerateConfig(**config))
        except (LimitExceededError, DeskcheckError):
            raise
        except Exception as error:  # a provider's failure is data, whatever library it comes from
            if not self.own and status_of(error) in FATAL:
                raise refused(self.model, error) from None
            return Completion(brief(error)[:_SHOWN], "error")
        if output.error:
            return Completion(output.error[:_SHOWN], "error")
        if not output.choices:
            return Completion(NO_CHOICE, "error")
        completion = as_completion(output)
        if completion.finish_reason == "unknown" and getattr(self.model.api, "stream", False):
            # A stream that broke off between two events: its half an answer would be read as a whole one.
            return replace(completion, text="the stream ended without a finish reason", finish_reason="error")
        return _readable(completion, prompt.stop)


async def attempt(strategy: Strategy, task: Task, asker: Asker, knobs: Knobs) -> Attempt:
    """Let the strategy ask; a model that failed leaves an attempt without an answer, with its calls."""
    try:
        return await strategy.run(task, asker, knobs)
    except ModelFailed as failure:
        return Attempt(NoAnswer("error", str(failure)), list(asker.completions))
    except OutOfMoney as out:
        return Attempt(NoAnswer("not_asked", f"money: {out}"), list(asker.completions))
    except RecursionError:  # a text can be nested deeper than any reader of it can follow
        return Attempt(NoAnswer("unparsable", "nested too deeply to be read"), list(asker.completions))


def was_not_asked(done: Attempt) -> bool:
    """Want of money, or of a server, ended this attempt: the next run asks it again."""
    return isinstance(done.answer, NoAnswer) and done.answer.reason == "not_asked"


@contextmanager
def unlogged() -> Iterator[None]:
    """What Inspect does meanwhile goes into a transcript that nobody keeps."""
    token = inspect_transcript._transcript.set(inspect_transcript.Transcript())
    try:
        yield
    finally:
        inspect_transcript._transcript.reset(token)


def _readable(completion: Completion, stop: list[str]) -> Completion:
    """The text after the thinking, cut before the first stop string."""
    text = without_thinking(completion.text)
    text = "" if text is None else text
    for one in stop:
        if one:
            text = text.split(one, 1)[0]
    return completion if text == completion.text else replace(completion, text=text)


def as_messages(prompt: Prompt, place: dict[str, str | int]) -> list[ChatMessage]:
    """A prompt as Inspect's messages; the last one carries which question it is, for our own models."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    messages: list[ChatMessage] = [kinds[message.role](content=message.text) for message in prompt.messages]
    messages[-1].metadata = {"deskcheck": place}
    return messages


def as_completion(output: ModelOutput) -> Completion:
    """Inspect's output as our record; reasoning that the provider keeps apart is not part of the text."""
    usage = output.usage
    n_in, n_hidden = -1, -1
    if usage is not None:
        n_in = (
            usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        )
        n_hidden = -1 if usage.reasoning_tokens is None else usage.reasoning_tokens
    said = output.choices[0].logprobs
    return Completion(
        text=output.completion,
        finish_reason=FINISH_REASONS.get(str(output.stop_reason), "unknown"),
        n_tokens_in=n_in,
        n_tokens_out=usage.output_tokens if usage is not None else -1,
        latency_s=round(output.time, 3) if output.time is not None else -1.0,
        n_tokens_hidden=n_hidden,
        logprob=min(0.0, sum(one.logprob for one in said.content)) if said and said.content else 1.0,
    )
