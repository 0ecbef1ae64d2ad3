"""Let a language model write inputs of functions, for `deskcheck build functions --inputs MODEL`.

    ask = writer("openai/gpt-4o")
    ask(["Write up to 8 calls ..", ..]) -> ["f(3)\\nf(-1)", ..]

The requests of one call go to the model together, through Inspect. Inspect keeps the replies on disk by
prompt and model, so a resumed build repeats no request and makes the same programs. The model's inputs are
parsed as literals and run in the sandbox like all inputs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from inspect_ai.model import GenerateConfig, Model, get_model

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.client import cause_text, watch
from deskcheck.grading.extraction import without_thinking

MOST_TOKENS = 1_024
"""Largest number of tokens of one reply."""


def writer(name: str) -> Callable[[Sequence[str]], list[str]]:
    """Return a function from prompts to replies. UserError if there is no such model.

    The function raises UserError if a request fails.
    """
    wanted = "known: hypothesis, or a model written provider/model as Inspect names it, such as openai/gpt-4o"
    if "/" not in name:
        close = "; did you mean 'hypothesis'?" if get_close_matches(name, ["hypothesis"]) else ""
        raise UserError(f"--inputs {name}: no source of inputs; {wanted}{close}")
    try:
        model = watch(get_model(name, memoize=False))
    except DeskcheckError:
        raise
    except Exception as error:  # whatever a provider raises when it lacks a key, a library or a name
        raise UserError(f"--inputs {name}: cannot use this model: {cause_text(error)}; {wanted}") from None

    def ask(prompts: Sequence[str]) -> list[str]:
        return asyncio.run(_all(model, prompts))

    return ask


async def _all(model: Model, prompts: Sequence[str]) -> list[str]:
    return list(await asyncio.gather(*(_reply(model, prompt) for prompt in prompts)))


async def _reply(model: Model, prompt: str) -> str:
    try:
        found = await model.generate(
            prompt, cache=True, config=GenerateConfig(max_tokens=MOST_TOKENS, temperature=0.0)
        )
    except Exception as error:  # a provider has an exception for each way in which it can fail
        raise UserError(f"--inputs {model}: {type(error).__name__}: {error}") from None
    return without_thinking(found.completion) or ""
