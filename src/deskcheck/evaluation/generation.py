"""What is asked of a model beyond the prompt, as far as it can change an answer.

Generation(temperature=0.2).config(prompt, timeout_s=600, own=False) -> arguments of Inspect's GenerateConfig
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.records import Prompt

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


class Generation(Struct, frozen=True):
    """Settings of every call of a cell."""

    max_tokens: int = 0
    """Budget of a completion; 0 = the strategy's own."""
    temperature: float = -1.0
    """-1 = the strategy's, or the provider's default."""
    effort: str = ""
    """How hard a reasoning model is to think; "" = the provider's default."""
    reasoning_tokens: int = 0
    """Budget of its thinking; 0 = the provider's default."""

    def config(self, prompt: Prompt, *, timeout_s: int, own: bool) -> dict[str, Any]:
        """Arguments of GenerateConfig. Stop strings go to our own models only: others may be thinking."""
        chosen: dict[str, Any] = {"max_tokens": prompt.max_tokens}
        if prompt.temperature >= 0:
            chosen["temperature"] = prompt.temperature
        if prompt.stop and own:
            chosen["stop_seqs"] = prompt.stop
        if prompt.logprobs:
            chosen["logprobs"] = True
        if self.effort:
            chosen["reasoning_effort"] = self.effort
        if self.reasoning_tokens:
            chosen["reasoning_tokens"] = self.reasoning_tokens
        if timeout_s and not own:
            chosen["attempt_timeout"] = timeout_s
        return chosen


def check_generation(generation: Generation) -> Generation:
    """The same; UserError for an effort that nobody has and a number that cannot be."""
    if generation.effort and generation.effort not in EFFORTS:
        raise UserError(f"--effort {generation.effort}: one of {', '.join(EFFORTS)}")
    if generation.temperature < 0 and generation.temperature != -1:
        raise UserError(
            f"--temperature {generation.temperature}: 0 or more; -1 leaves it to the strategy or the provider"
        )
    for option, tokens in (
        ("--max-tokens", generation.max_tokens),
        ("--reasoning-tokens", generation.reasoning_tokens),
    ):
        if tokens < 0:
            raise UserError(
                f"{option} {tokens}: a number of tokens; 0 leaves it to the strategy or the provider"
            )
    return generation
