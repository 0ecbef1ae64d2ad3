"""Send one prompt of one sample to a model, through Inspect or to our own engine; repeat failed requests.

    asker = Asker(model, ("sample_0", 0), channel);  completion = await asker(prompt)
    watch(model)                              once for each model that runs in no engine of ours
    probe(model, say=print)                   before the first request: does a server answer?

Inspect logs, limits and retries every request. In a long step loop only the first LOGGED requests leave their
prompts in the log; the chain in results.jsonl holds the states of all. From the second request of a sample
on, a model that runs here is asked without Inspect, which needs 2 ms a request. No request carries a tool.
Reasoning is removed before stop strings are applied and before the reply is read. A stop string is never sent
to a provider's model.

Inspect repeats a request after 408, 429, 5xx, a timeout and a lost connection. This module also repeats a
request after a reply that cannot be decoded, at most BROKEN times. A wrong address or model (404) and a wrong
key (401) are permanent: the first such failure ends the run, and its message gives the right spelling. Under
--max-cost a failed request is paid at its worst case, the most that it can cost, if a server may have worked
on it. It is repeated only if the budget has room.
"""

from __future__ import annotations

import asyncio
import email.utils
import http.client
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any

from inspect_ai.log import Transcript, transcript
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
from tenacity import RetryCallState, wait_exponential_jitter
from tenacity.wait import wait_base

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.plan import Generation
from deskcheck.evaluation.prices import Budget, Ledger, OutOfMoney, Price, cost_usd, most_tokens
from deskcheck.evaluation.provider import DeskcheckAPI
from deskcheck.grading.extraction import without_thinking
from deskcheck.models import Question
from deskcheck.records import Completion, NoAnswer, Prompt, Rollout, Task
from deskcheck.strategies import Settings, Strategy

FATAL = (401, 404)
"""HTTP statuses after which no request is repeated."""
RETRIES = 8
"""Largest number of repeated tries of one request; the waits between them grow to minutes, which lets a rate
limit pass."""
BROKEN = 2
"""Largest number of repeated requests after replies that cannot be decoded."""
PAUSE_S = 10.0
"""Seconds between two lines about failed requests."""
PROBE_S = 8.0
"""Seconds that a server has for its answer before the first request."""
SILENT_S = 4.0
"""Seconds without a reply before the server is probed, and time limit of that probe."""
WAIT: wait_base = wait_exponential_jitter(multiplier=3, max=30 * 60, jitter=3)
"""Seconds between two tries of a request, the same as Inspect's."""


class ModelGone(DeskcheckError):
    """Raised if no server answers or if all requests fail: the run stops asking and keeps its answers."""


class RequestRetries:
    """One request under way, and the decision whether it is sent again after a failure.

    `worst`: the most that one try may cost, in dollars. `charge` is called for each failed try that is paid.
    """

    def __init__(
        self,
        worst: float,
        budget: Budget | None,
        say: Callable[[str], None],
        *,
        charge: Callable[[], None] = lambda: None,
    ) -> None:
        self.worst, self.budget, self.say, self.charge = worst, budget, say, charge
        self.n_broken = 0
        self.n_tries = 1
        self.is_out_of_money = False
        self.is_unbilled = False
        """Whether the last try failed before a server can have worked on it."""

    def may_send_again(self, error: BaseException, *, retry: bool) -> bool:
        """Return whether the request is repeated after this failure; `retry` is Inspect's own decision."""
        if isinstance(error, (DeskcheckError, LimitExceededError)) or status_of(error) in FATAL:
            return False
        if not retry:
            if status_of(error) is not None or not isinstance(error, Exception):
                return False
            self.n_broken += 1
            if self.n_broken > BROKEN:
                return False
        if self.n_tries > RETRIES or not self._paid(error):
            return False
        self.n_tries += 1
        self.say(f"try {self.n_tries} of {RETRIES + 1}: {brief(error)}")
        return True

    def _paid(self, error: BaseException) -> bool:
        """Pay for a failed try that a server may have worked on; False if no money is left for another."""
        if self.budget is None or not _may_be_billed(error):
            return True
        if not self.budget.has_room(self.worst):
            self.is_out_of_money = True
            return False
        self.budget.charge(self.worst)
        self.charge()
        return True


_under_way: ContextVar[RequestRetries | None] = ContextVar("deskcheck_tries", default=None)


def watch(model: Model) -> Model:
    """Return the same model, with this module deciding which failed requests are repeated."""
    if not isinstance(model.api, DeskcheckAPI):
        model.should_retry = partial(_decide, model.should_retry)
        # OpenAI's and Anthropic's clients would repeat requests unseen, and the cost would not be counted.
        client: Any = getattr(model.api, "client", None)
        if hasattr(client, "max_retries"):
            client.max_retries = 0
        model.api.retry_wait = lambda: _wait
    return model


def _decide(theirs: Callable[[BaseException], bool], error: BaseException) -> bool:
    sending = _under_way.get()
    retry = theirs(error)
    return retry if sending is None else sending.may_send_again(error, retry=retry)


def _wait(state: RetryCallState) -> float:
    """Return the seconds before the next try: growing, and at least the time that the server asked for."""
    error = state.outcome.exception() if state.outcome is not None else None
    return max(WAIT(state), retry_after_s(error) if error is not None else 0.0)


def retry_after_s(error: BaseException) -> float:
    """Return the seconds that a refusal's header Retry-After names (a number or a date); 0 without one."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    said = str(headers.get("retry-after", "")).strip()
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - time.time())
    except (ValueError, TypeError):
        return 0.0


@contextmanager
def tries(sending: RequestRetries) -> Iterator[RequestRetries]:
    """Let `sending` decide on the failures inside the block."""
    token = _under_way.set(sending)
    try:
        yield sending
    finally:
        _under_way.reset(token)


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of a failure; None if there was no HTTP reply."""
    for name in ("status_code", "code"):
        if isinstance(status := getattr(error, name, None), int):
            return status
    return None


def _may_be_billed(error: BaseException) -> bool:
    """Return whether a server may have worked on the request: no status came, but a connection was made."""
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and len(chain) < 8:
        chain.append(cause)
    connected = not any(type(one).__name__ in ("ConnectError", "ConnectTimeout") for one in chain)
    return status_of(error) is None and connected


def brief(error: BaseException) -> str:
    """Return the type of an exception and the first 160 characters of its message."""
    text = " ".join(str(error).split())[:160]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class RetryReporter:
    """Printer of lines about failed requests that are repeated: the first, then at most one in PAUSE_S."""

    def __init__(self, model: str, say: Callable[[str], None]) -> None:
        self.model, self._say = model, say
        self._n, self._last = 0, 0.0

    def __call__(self, failure: str) -> None:
        self._n += 1
        now = time.monotonic()
        if self._n == 1 or now - self._last >= PAUSE_S:
            times = f" ({self._n} times by now)" if self._n > 1 else ""
            self._say(f"{self.model}: a request failed and is sent again{times}, {failure}")
            self._last = now


def cause_text(error: Exception) -> str:
    """Return a provider's message about a missing key, library or name, on one line without colors."""
    return re.sub(r"\[/?[a-z ]+\]", "", " ".join(str(error).split())) or type(error).__name__


def address_of(model: Model) -> str:
    """Return the server address that the user gave for the model; "" = the provider's own address."""
    said = getattr(model.api, "base_url", None)
    if not said and str(model).startswith("openai/"):
        said = os.environ.get("OPENAI_BASE_URL")
    return said if isinstance(said, str) else ""


def refused(model: Model, error: BaseException) -> UserError:
    """Return the error for a wrong address, name or key, with the right spelling."""
    place = address_of(model) or "the provider"
    if status_of(error) == 401:
        return UserError(
            f"{place} refuses the key for {model} (401: {brief(error)}); set the provider's key in the "
            "environment (OPENAI_API_KEY, ..), or give it with -M api_key=.."
        )
    return UserError(
        f"{place} has no such address or model for {model} (404: {brief(error)}); a server of your own that "
        "speaks OpenAI's chat protocol is named openai-api/SERVICE/NAME, NAME as the server calls the model: "
        "--model openai-api/SERVICE/NAME --base-url http://HOST:PORT/v1 -M api_key=x"
    )


def probe(model: Model, *, say: Callable[[str], None], timeout_s: float = PROBE_S) -> None:
    """Raise ModelGone if nothing listens at the model's own address; report a server that does not answer."""
    url = address_of(model)
    if isinstance(model.api, DeskcheckAPI) or not url.startswith("http"):
        return
    try:
        with urllib.request.urlopen(url.rstrip("/") + "/models", timeout=timeout_s):
            return
    except urllib.error.HTTPError:
        return  # a server answered
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            say(f"{model}: {url} has not answered for {timeout_s:g} s; asking all the same")
        elif isinstance(reason, OSError) and not isinstance(reason, http.client.HTTPException):
            raise ModelGone(
                f"no server answers at {url} for {model}: {brief(reason)}; nothing was asked. "
                "Start it, or name another address with --base-url"
            ) from None


class HangWatcher:
    """Watcher for a server that hangs: after SILENT_S without a reply, its list of models is requested.

    A model that reasons for minutes is not reported, because its server still answers that request.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self._heard = self._asked = 0.0

    @contextmanager
    def listening(self, model: Model) -> Iterator[None]:
        """Watch the server while the request inside the block is under way."""
        if not address_of(model).startswith("http"):
            yield
            return
        loop = asyncio.get_running_loop()
        begun = time.monotonic()
        waiting = loop.call_later(SILENT_S, self._ask, model, begun, loop)
        try:
            yield
            self._heard = time.monotonic()
        finally:
            waiting.cancel()

    def _ask(self, model: Model, begun: float, loop: asyncio.AbstractEventLoop) -> None:
        now = time.monotonic()
        # Half a second of slack: this is called SILENT_S after the request began, give or take.
        if max(self._heard, begun) + SILENT_S > now + 0.5 or now - self._asked < PAUSE_S:
            return
        self._asked = now
        loop.run_in_executor(None, self._check_reachable, model)

    def _check_reachable(self, model: Model) -> None:
        said: list[str] = []
        try:
            probe(model, say=said.append, timeout_s=SILENT_S)
        except ModelGone as gone:
            said.append(brief(gone))
        if said:
            self.say(
                f"{model}: {address_of(model)} hangs: no reply for {2 * SILENT_S:g} s; the requests wait "
                "(-G attempt_timeout) and are sent again"
            )


# Inspect's stop reason -> finish reason of a completion.
FINISH_REASONS = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "content_filter": "content_filter",
}
# After this number of failures in a row, over all samples, the server counts as dead and the run stops.
FAILURES_IN_A_ROW = 20
LOGGED = 20  # requests of one sample that Inspect's log shows
NO_CHOICE = "the reply holds no choice"
_SHOWN = 500  # characters of a failure that are kept


class ModelFailed(Exception):
    """The model gave no readable completion; the rollout ends with reason "error"."""


class Channel:
    """Objects that all samples of a cell share: settings, the budget of the run, a count of failures."""

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
        self.ledger: Ledger | None = None
        """Record of the money of a cell; None = no cell stores the answers."""
        self.silence = HangWatcher(self.say)

    def saw(self, completion: Completion) -> None:
        """Count one completion; raise ModelGone after FAILURES_IN_A_ROW failures."""
        self.failures = self.failures + 1 if completion.finish_reason == "error" else 0
        if self.failures >= FAILURES_IN_A_ROW:
            raise ModelGone(
                f"the model failed {self.failures} times in a row; the last failure: "
                f"{completion.text or 'no message'}; what was answered is kept, run the same command again "
                "once the model is back"
            )


class Asker:
    """The function with which a strategy asks the model about one sample; it keeps every completion."""

    def __init__(self, model: Model, question: tuple[str, int], channel: Channel) -> None:
        self.model = model
        self.task_id, self.sample = question
        self.channel = channel
        self.completions: list[Completion] = []
        self.requests: list[int] = []
        """Numbers of this sample's paid requests in the ledger."""
        self.is_ours = isinstance(model.api, DeskcheckAPI)
        engine = getattr(model.api, "engine", None)
        self.is_greedy = getattr(engine, "is_greedy", False) and channel.generation.temperature <= 0
        """Whether equal prompts have equal replies (`turns/chain.py`)."""

    async def __call__(self, prompt: Prompt) -> Completion:
        """Ask one prompt; ModelFailed if there is no completion to read."""
        chosen = self.channel.generation
        if chosen.max_tokens:
            prompt = replace(prompt, max_tokens=chosen.max_tokens)
        # A prompt to be sampled (a vote, a second try) would get the same answer again at temperature 0.
        if chosen.temperature > 0 or (chosen.temperature == 0 and prompt.temperature <= 0):
            prompt = replace(prompt, temperature=chosen.temperature)
        completion = await self._paid(prompt)
        self.completions.append(completion)
        if not self.is_ours:
            self.channel.saw(completion)
        if completion.finish_reason == "error":
            raise ModelFailed(completion.text[:_SHOWN])
        return completion

    async def _paid(self, prompt: Prompt) -> Completion:
        """Ask, and ask again if the reply has no choice; pay for each request from the budget."""
        budget, price = self.channel.budget, self.channel.price
        for _ in range(1 + BROKEN):
            if price is None:
                completion = await self._asked(prompt, RequestRetries(0.0, None, self.channel.say))
            elif budget is None:
                completion, _ = await self._recorded(prompt, price)
            else:
                async with budget.pay(self._worst(prompt, price)) as paid:
                    completion, cost = await self._recorded(prompt, price)
                    paid.extend([] if cost is None else [cost])
            if completion.finish_reason != "error" or completion.text != NO_CHOICE:
                break
        return completion

    def _worst(self, prompt: Prompt, price: Price) -> float:
        most_out = prompt.max_tokens + self.channel.generation.reasoning_tokens
        return price.of(most_tokens(prompt), most_out)

    async def _recorded(self, prompt: Prompt, price: Price) -> tuple[Completion, float | None]:
        """Ask, with the request and its failed tries in the ledger; the cost is None if it is not known."""
        worst, ledger = self._worst(prompt, price), None if price.is_free else self.channel.ledger
        numbers = [ledger.sent(worst)] if ledger else []

        def charge() -> None:
            if ledger:  # the failed try stays at its worst case; the next one is a request of its own
                numbers.append(ledger.sent(worst))

        sending = RequestRetries(worst, self.channel.budget, self.channel.say, charge=charge)
        completion = await self._asked(prompt, sending)
        cost = cost_usd(completion, price) if completion.finish_reason != "error" else -1.0
        if sending.is_unbilled:
            cost = 0.0
        if ledger and cost >= 0:
            ledger.settled(numbers[-1], cost)
        self.requests += numbers[-1:]
        if sending.is_out_of_money and self.channel.budget is not None:
            why = f"not sent again, because {self.channel.budget.exhausted()}"
            completion = replace(completion, text=f"{completion.text}; {why}")
        return completion, None if cost < 0 else cost

    async def _asked(self, prompt: Prompt, sending: RequestRetries) -> Completion:
        call = len(self.completions)
        if call and self.is_ours:
            question = Question(prompt, self.task_id, self.sample, call)
            return _readable(await self.model.api.batcher.ask(question), prompt.stop)
        with unlogged() if call >= LOGGED else nullcontext(), tries(sending):
            return await self._through_inspect(prompt, call)

    async def _through_inspect(self, prompt: Prompt, call: int) -> Completion:
        place: dict[str, str | int] = {"task": self.task_id, "sample": self.sample, "call": call}
        messages = as_messages(prompt, place)
        config = self.channel.generation.of(prompt, timeout_s=self.channel.timeout_s, ours=self.is_ours)
        try:
            with self.channel.silence.listening(self.model):
                output = await self.model.generate(messages, tools=[], config=GenerateConfig(**config))
        except (LimitExceededError, DeskcheckError):
            raise
        except Exception as error:  # a provider's failure is data, whatever library it comes from
            if (sending := _under_way.get()) is not None:
                sending.is_unbilled = not _may_be_billed(error)
            if not self.is_ours and status_of(error) in FATAL:
                raise refused(self.model, error) from None
            return Completion(brief(error)[:_SHOWN], "error")
        if output.error:
            return Completion(output.error[:_SHOWN], "error")
        if not output.choices:
            return Completion(NO_CHOICE, "error")
        completion = as_completion(output)
        if self.is_ours:
            completion = replace(completion, served="")
        if completion.finish_reason == "unknown" and getattr(self.model.api, "stream", False):
            # The stream broke off between two events; half an answer would be read as a whole one.
            return replace(completion, text="the stream ended without a finish reason", finish_reason="error")
        return _readable(completion, prompt.stop)


async def roll_out(strategy: Strategy, task: Task, asker: Asker, settings: Settings) -> Rollout:
    """Let the strategy ask; return a rollout without an answer if the model fails or the money is spent.

    Such a rollout has the completions so far.
    """
    try:
        return await strategy.run(task, asker, settings)
    except ModelFailed as failure:
        return Rollout(NoAnswer("error", str(failure)), list(asker.completions))
    except OutOfMoney as out:
        return Rollout(NoAnswer("not_asked", f"money: {out}"), list(asker.completions))
    except RecursionError:  # the text is nested too deeply for every reader
        return Rollout(NoAnswer("unparsable", "nested too deeply to be read"), list(asker.completions))


def was_not_asked(done: Rollout) -> bool:
    """Return whether no money or no server ended this rollout; the next run asks it again."""
    return isinstance(done.answer, NoAnswer) and done.answer.reason == "not_asked"


@contextmanager
def unlogged() -> Iterator[None]:
    """Let Inspect write to a transcript that is thrown away while the block runs."""
    # Inspect has no public setter, so the variable is found by the transcript that it holds.
    current = transcript()
    held = [variable for variable, value in copy_context().items() if value is current]
    tokens = [(variable, variable.set(Transcript())) for variable in held]
    try:
        yield
    finally:
        for variable, token in tokens:
            variable.reset(token)


def _readable(completion: Completion, stop: list[str]) -> Completion:
    """Return the completion with its text after the reasoning, cut before the first stop string."""
    text = without_thinking(completion.text)
    text = "" if text is None else text
    for one in stop:
        if one:
            text = text.split(one, 1)[0]
    return completion if text == completion.text else replace(completion, text=text)


def as_messages(prompt: Prompt, place: dict[str, str | int]) -> list[ChatMessage]:
    """Convert a prompt to Inspect's messages; the last one names task, sample and call for our models."""
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    messages: list[ChatMessage] = [kinds[message.role](content=message.text) for message in prompt.messages]
    messages[-1].metadata = {"deskcheck": place}
    return messages


def as_completion(output: ModelOutput) -> Completion:
    """Convert Inspect's output to our record; reasoning in a separate field is not part of the text."""
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
        # 1.0, which no logarithm of a probability reaches, stands for "not reported".
        logprob=min(0.0, sum(one.logprob for one in said.content)) if said and said.content else 1.0,
        served=output.model,
    )
