"""Functions that the YAML files name: datasets of a benchmark's prompts, and the verdict on a generation.

    core() -> {"test": Dataset of id, prompt, expected, open}      right(doc, ["[ANSWER]3[/ANSWER]"])

Loading a task executes its programs for their truth. The prompt is that of `vanilla`, word for word.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from deskcheck.evaluation.plan import load_strategy
from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import grade
from deskcheck.records import Task
from deskcheck.turns.settings import Settings

STRATEGY = "vanilla"
SEED = {"seed": "20261120", "n": "200"}


def rows_of(tasks: list[Task]) -> list[dict[str, str]]:
    """Return a row per task: its prompt, its true answer, and the program with the comparison left open."""
    strategy = load_strategy(STRATEGY)
    return [
        {
            "id": task.id,
            "prompt": strategy.opening(task, Settings()).messages[0].text,
            "expected": task.expected,
            "open": f"{task.program.source.rstrip()}\n\nassert {task.call} ==",
        }
        for task in tasks
    ]


def dataset(
    benchmark: str, options: dict[str, str] | None = None, *, data: str = "", limit: int = 0, **_: Any
) -> dict[str, Any]:
    """Return the split "test" of a benchmark; `dataset_kwargs` or `--metadata` set `data` and `limit`."""
    from datasets import Dataset

    tasks = build_tasks(benchmark, options=options, data=data, limit=limit).tasks
    return {"test": Dataset.from_list(rows_of(tasks))}


core = partial(dataset, "core")
fresh = partial(dataset, "fresh", SEED)
cruxeval = partial(dataset, "cruxeval")


def values_only(**given: Any) -> dict[str, Any]:
    """Return the rows of `core` whose answer is a value: no prompt explains exceptions to base models."""
    made = core(**given)
    return {"test": made["test"].filter(lambda row: not row["expected"].startswith("raises "))}


def target(doc: dict[str, str]) -> str:
    """Return the true answer as text; a template would read it as a literal and drop its quotes."""
    return doc["expected"]


def continuation(doc: dict[str, str]) -> str:
    """Return the true answer as the continuation of `assert f(3) ==`."""
    return f" {doc['expected']}"


def right(doc: dict[str, str], results: list[str]) -> dict[str, float]:
    """Return the verdict on one generation, as 0 or 1: right, and no readable answer."""
    verdict = grade(results[0], expected=doc["expected"]).verdict
    return {"right": float(verdict == "right"), "no_answer": float(verdict == "no answer")}


def likelihood(doc: dict[str, str], results: list[tuple[float, bool]]) -> dict[str, float]:
    """Return the natural log-likelihood of the true output, whole and per character; `greedy`: the
    likeliest."""
    (logprob, is_greedy) = results[0]
    return {
        "logprob": logprob,
        "logprob_a_character": logprob / max(1, len(doc["expected"])),
        "greedy": float(is_greedy),
    }


if __name__ == "__main__":
    print(Path(__file__).parent)
