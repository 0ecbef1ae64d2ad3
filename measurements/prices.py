"""Make the table of prices anew from LiteLLM's, which many people keep up to date.

    pip download --no-deps litellm
    python measurements/prices.py litellm-1.109.1-....whl 2026-11       writes evaluation/prices.csv
    python measurements/prices.py                                       says what is in it

Only models for chat, of providers that Inspect has, under Inspect's names; standard rates. LiteLLM's table
(model_prices_and_context_window_backup.json) is under the MIT license. What it lacks stands in `OURS` of
evaluation/prices.py.
"""

from __future__ import annotations

import json
import sys
import zipfile
from collections import Counter
from pathlib import Path

from deskcheck.evaluation.prices import FILE, known_prices

INSIDE = "litellm/model_prices_and_context_window_backup.json"
PROVIDERS = {
    "openai": "openai", "anthropic": "anthropic", "gemini": "google", "mistral": "mistral", "xai": "grok",
    "groq": "groq", "together_ai": "together", "fireworks_ai": "fireworks", "openrouter": "openrouter",
    "perplexity": "perplexity", "deepseek": "openai-api/deepseek", "dashscope": "openai-api/dashscope",
}  # fmt: skip
"""LiteLLM's provider -> Inspect's."""


def rows_of(wheel: Path) -> list[tuple[str, float, float]]:
    """Model by Inspect's name, dollars per million tokens in and out."""
    with zipfile.ZipFile(wheel) as archive:
        table = json.loads(archive.read(INSIDE))
    found = {}
    for name, facts in table.items():
        provider = PROVIDERS.get(facts.get("litellm_provider", ""))
        costs = [facts.get("input_cost_per_token"), facts.get("output_cost_per_token")]
        if provider is None or facts.get("mode") not in ("chat", "responses"):
            continue
        if None in costs or not any(costs):
            continue
        model = name.removeprefix(f"{facts['litellm_provider']}/")
        if not model.startswith("ft:"):
            found[f"{provider}/{model}"] = tuple(round(1e6 * float(cost), 6) for cost in costs)
    return sorted((model, *costs) for model, costs in found.items())


def main() -> None:
    if len(sys.argv) == 3:
        wheel, date = Path(sys.argv[1]), sys.argv[2]
        source = "LiteLLM " + wheel.name.split("-")[1]
        lines = [f"{model},{tokens_in:g},{tokens_out:g}" for model, tokens_in, tokens_out in rows_of(wheel)]
        FILE.write_text("\n".join([f"{date},{source}", *lines]) + "\n", encoding="utf-8")
    known = Counter(model.partition("/")[0] for model in known_prices())
    said = ", ".join(f"{name} {count}" for name, count in known.most_common())
    print(f"{FILE.name}: {known.total()} models; {said}")


if __name__ == "__main__":
    main()
