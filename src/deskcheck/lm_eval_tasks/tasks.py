"""Functions that the YAML files of this folder name: datasets of prompts, and verdicts, for lm-eval-harness.

    core() -> {"test": Dataset with the columns id, prompt, expected, open_assert}
    verdict_metrics(doc, ["[ANSWER]3[/ANSWER]"]) -> {"right": 1.0, "no_answer": 0.0}
    python -m deskcheck.lm_eval_tasks.tasks      prints the folder of the YAML files, for --include_path

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
FRESH_OPTIONS = {"seed": "20261120", "n": "200"}
"""Options of `fresh`, pinned so that every installation asks about the same 200 programs."""


def dataset_rows(tasks: list[Task]) -> list[dict[str, str]]:
    """Return a row per task: its prompt, its true answer, and the program with the comparison left open."""
    strategy = load_strategy(STRATEGY)
    return [
        {
            "id": task.id,
            "prompt": strategy.opening(task, Settings()).messages[0].text,
            "expected": task.expected,
            "open_assert": f"{task.program.source.rstrip()}\n\nassert {task.call} ==",
        }
        for task in tasks
    ]


def dataset(
    benchmark: str, options: dict[str, str] | None = None, *, data: str = "", limit: int = 0, **_: Any
) -> dict[str, Any]:
    """Return {"test": rows}. `options` are those of the benchmark (-T).

    lm-evaluation-harness passes `data` and `limit` from a YAML file's `dataset_kwargs` or its option
    `--metadata`. It adds the task's version and all model arguments, which are ignored here.
    """
    from datasets import Dataset

    tasks = build_tasks(benchmark, options=options, data=data, limit=limit).tasks
    return {"test": Dataset.from_list(dataset_rows(tasks))}


# Named by core.yaml, fresh.yaml and cruxeval.yaml.
core = partial(dataset, "core")
fresh = partial(dataset, "fresh", FRESH_OPTIONS)
cruxeval = partial(dataset, "cruxeval")


def values_only(**options: Any) -> dict[str, Any]:
    """Return the rows of `core` whose true answer is a value.

    A continuation of `assert f(3) ==` cannot express an exception.
    """
    splits = core(**options)
    return {"test": splits["test"].filter(lambda row: not row["expected"].startswith("raises "))}


def target(doc: dict[str, str]) -> str:
    """Return the true answer as text; a Jinja template in YAML would read it as a literal, without quotes."""
    return doc["expected"]


def continuation(doc: dict[str, str]) -> str:
    """Return the true answer as the continuation of `assert f(3) ==`."""
    return f" {doc['expected']}"


def verdict_metrics(doc: dict[str, str], results: list[str]) -> dict[str, float]:
    """Return {"right": 0 or 1, "no_answer": 0 or 1} for the first of `results`; no other is read."""
    verdict = grade(results[0], expected=doc["expected"]).verdict
    return {"right": float(verdict == "right"), "no_answer": float(verdict == "no answer")}


def likelihood(doc: dict[str, str], results: list[tuple[float, bool]]) -> dict[str, float]:
    """Return the natural log-likelihood of the true answer, whole and per character, without its first space.

    `greedy` is 1 if each token of the true answer is the model's likeliest.
    """
    (logprob, is_greedy) = results[0]
    return {
        "logprob": logprob,
        "logprob_per_character": logprob / max(1, len(doc["expected"])),
        "greedy": float(is_greedy),
    }


if __name__ == "__main__":
    print(Path(__file__).parent)
