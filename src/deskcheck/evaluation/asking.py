"""Ask one prompt of one sample: through Inspect, or straight to our own engine.

    asker = Asker(model, place, generation, health);  completion = await asker(prompt)

Inspect logs, limits and retries every call. The steps after the first of a chain on one of our own models go
straight to its queue: Inspect needs 2 ms a call and would store the prompt of each step, where the chain's
table already says everything. No request carries a tool.
"""

from __future__ import annotations

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
from msgspec import Struct

from deskcheck.errors import DeskcheckError
from deskcheck.models import Question
from deskcheck.models._provider import DeskcheckAPI
from deskcheck.records import Attempt, Completion, NoAnswer, Prompt, Task
from deskcheck.strategies import Strategy

FINISH_REASONS = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}
# A dead server: after so many failures in a row, over all samples, the run stops and says so.
FAILURES_IN_A_ROW = 20
_SHOWN = 500  # characters of a failure that are kept


class ModelFailed(Exception):
    """The model gave nothing to read; the attempt ends with reason "error"."""


class ModelGone(DeskcheckError):
    """Nothing but failures: the run stops; what was answered is kept."""


class Health:
    """Counts a foreign model's failures in a row over all samples of a run."""

    def __init__(self) -> None:
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


class Generation(Struct, frozen=True):
    """What is asked of the model beyond the prompt."""

    max_tokens: int = 0
    """Budget of a completion; 0 = the strategy's own."""
    temperature: float = -1.0
    """-1 = the provider's default."""


class Asker:
    """The `ask` of one sample; keeps every completion."""

    def __init__(
        self, model: Model, question: tuple[str, int], generation: Generation, health: Health
    ) -> None:
        self.model = model
        self.task_id, self.sample = question
        self.generation = generation
        self.health = health
        self.completions: list[Completion] = []
        self.messages: list[ChatMessage] = []
        self.output: ModelOutput | None = None

    async def __call__(self, prompt: Prompt) -> Completion:
        """Ask; ModelFailed where there is no completion to read."""
        if self.generation.max_tokens:
            prompt = Prompt(prompt.messages, max_tokens=self.generation.max_tokens, stop=prompt.stop)
        call = len(self.completions)
        if call and isinstance(self.model.api, DeskcheckAPI):
            completion = await self.model.api.batcher.ask(Question(prompt, self.task_id, self.sample, call))
        else:
            completion = await self._through_inspect(prompt, call)
        self.completions.append(completion)
        if not isinstance(self.model.api, DeskcheckAPI):
            self.health.saw(completion)
        if completion.finish_reason == "error":
            raise ModelFailed(completion.text[:_SHOWN])
        return completion

    async def _through_inspect(self, prompt: Prompt, call: int) -> Completion:
        place: dict[str, str | int] = {"task": self.task_id, "sample": self.sample, "call": call}
        messages = as_messages(prompt, place)
        config = GenerateConfig(max_tokens=prompt.max_tokens, stop_seqs=prompt.stop or None)
        if self.generation.temperature >= 0:
            config.temperature = self.generation.temperature
        try:
            output = await self.model.generate(messages, tools=[], config=config)
        except (LimitExceededError, DeskcheckError):
            raise
        except Exception as error:  # a provider's failure is data, whatever library it comes from
            return Completion(f"{type(error).__name__}: {error}"[:_SHOWN], "error")
        if output.error:
            return Completion(output.error[:_SHOWN], "error")
        if not self.messages:
            self.messages, self.output = messages, output
        return as_completion(output)


async def attempt(strategy: Strategy, task: Task, asker: Asker, *, max_steps: int) -> Attempt:
    """Let the strategy ask; a model that failed leaves an attempt without an answer, with its calls."""
    try:
        return await strategy.run(task, asker, max_steps=max_steps)
    except ModelFailed as failure:
        return Attempt(NoAnswer("error", str(failure)), list(asker.completions))
    except RecursionError:  # a text can be nested deeper than any reader of it can follow
        return Attempt(NoAnswer("unparsable", "nested too deeply to be read"), list(asker.completions))


def as_messages(prompt: Prompt, place: dict[str, str | int]) -> list[ChatMessage]:
    """A prompt as Inspect's messages; the last one carries which question it is, for our own models."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    messages: list[ChatMessage] = [kinds[message.role](content=message.text) for message in prompt.messages]
    messages[-1].metadata = {"deskcheck": place}
    return messages


def as_completion(output: ModelOutput) -> Completion:
    """Inspect's output as our record; reasoning that the provider keeps apart is not part of the text."""
    usage = output.usage
    n_in = -1
    if usage is not None:
        n_in = (
            usage.input_tokens + (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
        )
    return Completion(
        text=output.completion,
        finish_reason=FINISH_REASONS.get(str(output.stop_reason), "unknown"),
        n_tokens_in=n_in,
        n_tokens_out=usage.output_tokens if usage is not None else -1,
        latency_s=round(output.time, 3) if output.time is not None else -1.0,
    )
