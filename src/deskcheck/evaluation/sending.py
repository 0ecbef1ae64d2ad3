"""One request and its tries: which failures are sent again, which end the run, and who pays for them.

    watch(model)                              once for each model that is not our own
    with tries(channel, worst) as sending:    around one request of it
        output = await model.generate(..)
    probe(model, say=print)                   before the first request: is there a server at all?

Inspect sends a request again after 408, 429, 5xx, a timeout and a lost connection. Here besides: a reply that
cannot be read, at most BROKEN times. A wrong address or model (404) and a wrong key (401) cannot get better:
the first one ends the run and names the right spelling. Under --max-cost a try that may have been worked on
before it failed is paid at its worst case, and it is only sent again where the budget has room.
"""

from __future__ import annotations

import email.utils
import http.client
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any

from inspect_ai.model import Model
from inspect_ai.util import LimitExceededError
from tenacity import RetryCallState, wait_exponential_jitter
from tenacity.wait import wait_base

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.budget import Budget
from deskcheck.models._provider import DeskcheckAPI

FATAL = (401, 404)
BROKEN = 2
"""How often a reply that cannot be read is asked for again."""
PAUSE_S = 10.0
"""Between two lines about requests that failed."""
PROBE_S = 8.0
WAIT: wait_base = wait_exponential_jitter(multiplier=3, max=30 * 60, jitter=3)
"""Seconds between the tries of a request, as Inspect has them."""


class ModelGone(DeskcheckError):
    """Nothing but failures, or no server at all: asking stops; what was answered is kept."""


class Tries:
    """One request under way: what its next try could cost, and what became of the earlier ones."""

    def __init__(self, worst: float, budget: Budget | None, say: Callable[[str], None]) -> None:
        self.worst, self.budget, self.say = worst, budget, say
        self.n_broken = 0
        self.is_out_of_money = False

    def may_send_again(self, error: BaseException, *, retry: bool) -> bool:
        """Whether the request goes out again after this failure."""
        if isinstance(error, (DeskcheckError, LimitExceededError)) or status_of(error) in FATAL:
            return False
        if not retry:
            if status_of(error) is not None or not isinstance(error, Exception):
                return False
            self.n_broken += 1
            if self.n_broken > BROKEN:
                return False
        if not self._paid(error):
            return False
        self.say(brief(error))
        return True

    def _paid(self, error: BaseException) -> bool:
        """Pay for the failed try where it may have been worked on; False where no other one fits."""
        if self.budget is None or not _may_be_billed(error):
            return True
        if not self.budget.has_room(self.worst):
            self.is_out_of_money = True
            return False
        self.budget.charge(self.worst)
        return True


_under_way: ContextVar[Tries | None] = ContextVar("deskcheck_tries", default=None)


def watch(model: Model) -> Model:
    """The same model; its failed requests are decided on here."""
    if not isinstance(model.api, DeskcheckAPI):
        model.should_retry = partial(_decide, model.should_retry)
        # OpenAI's and Anthropic's clients would send again by themselves, unseen and unpaid.
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
    """Seconds before the next try: growing, and never before the server said to come back."""
    error = state.outcome.exception() if state.outcome is not None else None
    return max(WAIT(state), retry_after_s(error) if error is not None else 0.0)


def retry_after_s(error: BaseException) -> float:
    """What a refusal says in its header Retry-After, as seconds or as a date; 0 where it says nothing."""
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
def tries(sending: Tries) -> Iterator[Tries]:
    """What fails inside is decided on by `sending`."""
    token = _under_way.set(sending)
    try:
        yield sending
    finally:
        _under_way.reset(token)


def status_of(error: BaseException) -> int | None:
    """The HTTP status of a failure; None where there was no HTTP reply."""
    for name in ("status_code", "code"):
        if isinstance(status := getattr(error, name, None), int):
            return status
    return None


def _may_be_billed(error: BaseException) -> bool:
    """Whether a server may have worked on the request: no status came, but a connection was made."""
    chain: list[BaseException] = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None and len(chain) < 8:
        chain.append(cause)
    connected = not any(type(one).__name__ in ("ConnectError", "ConnectTimeout") for one in chain)
    return status_of(error) is None and connected


def brief(error: BaseException) -> str:
    """A failure in a few words."""
    text = " ".join(str(error).split())[:160]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Words:
    """Says that requests fail and are sent again: the first time, then at most once in PAUSE_S."""

    def __init__(self, model: str, say: Callable[[str], None]) -> None:
        self.model, self._say = model, say
        self._n, self._last = 0, 0.0

    def __call__(self, failure: str) -> None:
        self._n += 1
        now = time.monotonic()
        if self._n == 1 or now - self._last >= PAUSE_S:
            times = f" ({self._n} times by now)" if self._n > 1 else ""
            self._say(f"{self.model}: a request failed and is sent again{times}: {failure}")
            self._last = now


def address_of(model: Model) -> str:
    """Where the user says that the model is served; "" = the provider's own address."""
    said = getattr(model.api, "base_url", None)
    if not said and str(model).startswith("openai/"):
        said = os.environ.get("OPENAI_BASE_URL")
    return said if isinstance(said, str) else ""


def refused(model: Model, error: BaseException) -> UserError:
    """A wrong address, name or key, with the right spelling."""
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


def probe(model: Model, *, say: Callable[[str], None]) -> None:
    """ModelGone where nobody listens at the model's own address; one that does not answer is said."""
    url = address_of(model)
    if isinstance(model.api, DeskcheckAPI) or not url.startswith("http"):
        return
    try:
        with urllib.request.urlopen(url.rstrip("/") + "/models", timeout=PROBE_S):
            return
    except urllib.error.HTTPError:
        return  # somebody is there
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, TimeoutError):
            say(f"{model}: {url} has not answered for {PROBE_S:g} s; asking all the same")
        elif isinstance(reason, OSError) and not isinstance(reason, http.client.HTTPException):
            raise ModelGone(
                f"no server answers at {url} for {model}: {brief(reason)}; nothing was asked. "
                "Start it, or name another address with --base-url"
            ) from None
