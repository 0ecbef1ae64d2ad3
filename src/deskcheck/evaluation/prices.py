"""What tokens cost: a small dated table, and what the user says with --price.

    price_of("openai/gpt-4o", {})                    -> Price(2.5, 10.0)
    price_of("openai/new", {"openai/new": Price(1, 2)})  a price given with --price wins
    price_of("deskcheck/tiny", {})                   -> Price(0, 0): it runs here
    price_of("somewhere/unknown", {})                -> None, and whoever shows it says so

US dollars per million tokens, standard rates without caches, batches or long-context surcharges. Providers
change them: the table is as of TABLE_DATE, from memory of their public price pages, and --price overrules it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.records import Completion, Prompt

TABLE_DATE = "2025-09"
# Longest name first decides: "gpt-4o-mini-2024-07-18" is a gpt-4o-mini.
TABLE = {
    "openai/gpt-5": (1.25, 10.0),
    "openai/gpt-5-mini": (0.25, 2.0),
    "openai/gpt-5-nano": (0.05, 0.4),
    "openai/gpt-4.1": (2.0, 8.0),
    "openai/gpt-4.1-mini": (0.4, 1.6),
    "openai/gpt-4.1-nano": (0.1, 0.4),
    "openai/gpt-4o": (2.5, 10.0),
    "openai/gpt-4o-mini": (0.15, 0.6),
    "openai/o3": (2.0, 8.0),
    "openai/o4-mini": (1.1, 4.4),
    "anthropic/claude-opus-4": (15.0, 75.0),
    "anthropic/claude-sonnet-4": (3.0, 15.0),
    "anthropic/claude-3-5-haiku": (0.8, 4.0),
    "google/gemini-2.5-pro": (1.25, 10.0),
    "google/gemini-2.5-flash": (0.3, 2.5),
    "google/gemini-2.5-flash-lite": (0.1, 0.4),
    "deepseek/deepseek-chat": (0.27, 1.1),
    "deepseek/deepseek-reasoner": (0.55, 2.19),
}
HERE = ("deskcheck/", "ollama/", "hf/", "vllm/", "sglang/", "llama-cpp-python/", "mockllm/", "none/")
"""Providers that run on the user's own machine."""
CHARACTERS_A_TOKEN = 3
"""Code has about three: an estimate good to a factor of about 1.5, and free."""


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    tokens_in: float
    tokens_out: float
    """Hidden reasoning costs as much as what is shown."""

    def of(self, n_in: int, n_out: int) -> float:
        """Dollars."""
        return (n_in * self.tokens_in + n_out * self.tokens_out) / 1e6


def price_of(model: str, given: Mapping[str, Price]) -> Price | None:
    """The price of a model named "provider/model"; None = not known."""
    for name in (model, model.partition("/")[2], ""):
        if name in given:
            return given[name]
    if model.startswith(HERE):
        return Price(0.0, 0.0)
    known = [name for name in TABLE if re.match(re.escape(name) + r"($|[-@:])", model)]
    return Price(*TABLE[max(known, key=len)]) if known else None


def parse_prices(values: list[str]) -> dict[str, Price]:
    """--price IN,OUT for every model, --price MODEL=IN,OUT for one."""
    found = {}
    for value in values:
        name, _, numbers = value.rpartition("=")
        parts = numbers.split(",")
        if len(parts) != 2 or not all(re.fullmatch(r"\d+(\.\d*)?|\.\d+", part.strip()) for part in parts):
            raise UserError(
                f"--price '{value}': write dollars per million tokens in and out as IN,OUT or MODEL=IN,OUT"
            )
        found[name] = Price(float(parts[0]), float(parts[1]))
    return found


def cost_usd(completion: Completion, price: Price | None) -> float:
    """Dollars of one call; -1 where the price or a count is not known."""
    if price is None or completion.n_tokens_in < 0 or completion.n_tokens_out < 0:
        return 0.0 if price == Price(0.0, 0.0) else -1.0
    return price.of(completion.n_tokens_in, completion.n_tokens_out)


def tokens_of(prompt: Prompt) -> int:
    """Estimated tokens of a prompt."""
    return sum(len(message.text) for message in prompt.messages) // CHARACTERS_A_TOKEN + 1
