"""What the YAML files name: data sets of a benchmark's prompts, and the verdict on a generation.

    core() -> {"test": Dataset of id, prompt, expected, open}      right(doc, ["[ANSWER]3[/ANSWER]"])

Programs are executed for their truth when a task is loaded. The prompt is `vanilla`'s, word for word.
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
    """A row a task: its prompt, its true answer, and the program with the comparison left open."""
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
    """The split "test" of a benchmark; `data` and `limit` come from `dataset_kwargs` or `--metadata`."""
    from datasets import Dataset

    tasks = build_tasks(benchmark, options=options, data=data, limit=limit).tasks
    return {"test": Dataset.from_list(rows_of(tasks))}


core = partial(dataset, "core")
fresh = partial(dataset, "fresh", SEED)
cruxeval = partial(dataset, "cruxeval")


def values_only(**given: Any) -> dict[str, Any]:
    """The rows of `core` whose answer is a value: a base model is not told how to write an exception."""
    made = core(**given)
    return {"test": made["test"].filter(lambda row: not row["expected"].startswith("raises "))}


def target(doc: dict[str, str]) -> str:
    """The true answer as text: a template would be read as a literal and lose its quotes."""
    return doc["expected"]


def continuation(doc: dict[str, str]) -> str:
    """The true answer as it goes on after `assert f(3) ==`."""
    return f" {doc['expected']}"


def right(doc: dict[str, str], results: list[str]) -> dict[str, float]:
    """Verdict on one generation: share right, and share without an answer that can be read."""
    verdict = grade(results[0], expected=doc["expected"]).verdict
    return {"right": float(verdict == "right"), "no_answer": float(verdict == "no answer")}


def likelihood(doc: dict[str, str], results: list[tuple[float, bool]]) -> dict[str, float]:
    """Natural logarithm of the true output's probability, by character too; `greedy`: the likeliest text."""
    (logprob, is_greedy) = results[0]
    return {
        "logprob": logprob,
        "logprob_a_character": logprob / max(1, len(doc["expected"])),
        "greedy": float(is_greedy),
    }


if __name__ == "__main__":
    print(Path(__file__).parent)
