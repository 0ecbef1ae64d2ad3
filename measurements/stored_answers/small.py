"""Qwen2.5-Coder's runs, and the models of 1 million to 2 billion parameters, public ones beside ours.

sections(everything) -> lines

Figures of models that were asked here stand in `small_models.toml`, with the page that says how.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.report import breakdown
from deskcheck.statistics.summary import clustered_interval
from stored_answers.everything import Everything
from stored_answers.graded import Run
from stored_answers.numbers import horizon_words, percent, table

ASKED_HERE = Path(__file__).with_name("small_models.toml")
PUBLIC = {
    "phi-1": 1.3e9,
    "phi-1.5": 1.3e9,
    "deepseek-base-1.3b": 1.3e9,
    "deepseek-instruct-1.3b": 1.3e9,
    "Qwen2.5-Coder-1.5B": 1.5e9,
}
"""Models of stored answers under 2 billion parameters, as their makers state them."""
WAYS = {"direct": "asked at once", "cot": "chain of thought"}


def sections(found: Everything) -> Iterator[str]:
    """Yield the two sections."""
    yield "## Qwen2.5-Coder on CRUXEval, 2024"
    yield ""
    yield (
        "Base models, two examples with a chain of thought, one greedy answer a task, n 800. *Published* are "
        "the verdicts of the project; [the audit](audit.md) says why ours differ."
    )
    yield ""
    yield from table(
        ["run", "published", "right here", "horizon-50", "horizon-80"],
        [
            [
                f"{run.model}, {'input' if 'input' in run.source else 'output'}",
                f"{100 * run.n_published / run.n_stored:.1f}",
                percent(breakdown.share_of(run.tasks)),
                horizon_words(run.tasks, 0.5),
                horizon_words(run.tasks, 0.8),
            ]
            for run in found.qwen
        ],
    )
    yield "## Small models: 1 million to 2 billion parameters"
    yield ""
    yield (
        "*Public*: stored answers of this page. *Here*: models that were asked or trained here; the linked "
        "page says how. `easy`, `fresh`, `written` and `core` are [benchmarks](benchmarks/README.md) of this "
        "project, so their rows say nothing about the public sets. Rows of other questions are not to be "
        "compared."
    )
    yield ""
    head = ["model", "parameters", "questions", "asked", "right, %", "n", "from"]
    yield from table(head, [*_public(found), *_asked_here()])
    yield (
        "Gemma 3 270M answers 2 of 100 CRUXEval outputs before tuning and 18 after 300,000 tokens of direct "
        "answers; part of that is the form of the answer. On `fresh`, direct answers beat traces in the "
        "layout compact by 12.0 points [4.8, 20.5] (p 0.004, one of fifteen pairs, uncorrected): traces are "
        "not shown to help more than direct answers at this size."
    )
    yield ""


def _public(found: Everything) -> Iterator[list[str]]:
    questions = [
        ("LiveCodeBench outputs", found.lcb),
        ("LiveCodeBench inputs", found.lcb_input),
        ("CRUXEval outputs", [run for run in found.qwen if "input" not in run.source]),
        ("CRUXEval-X outputs", found.cruxeval_x),
    ]
    for name, runs in questions:
        for run in sorted(runs, key=lambda run: (run.model, run.way)):
            parameters = PUBLIC.get(run.model.partition(" ")[0])
            if parameters and run.tasks:
                yield _row(run, name, parameters)


def _row(run: Run, name: str, parameters: float) -> list[str]:
    language = run.model.partition(" ")[2]
    return [
        run.model.partition(" ")[0], _millions(parameters), f"{name}{f', {language}' if language else ''}",
        WAYS.get(run.way, run.way), percent(breakdown.share_of(run.tasks)),
        f"{sum(len(task.verdicts) for task in run.tasks):,}", "public",
    ]  # fmt: skip


def _asked_here() -> Iterator[list[str]]:
    rows: list[dict[str, Any]] = tomllib.loads(ASKED_HERE.read_text(encoding="utf-8"))["row"]
    for row in rows:
        right, n = row["right"], row["of"]
        interval = clustered_interval([1.0] * right + [0.0] * (n - right), range(n))
        low, high = row.get("interval", (100 * interval.low, 100 * interval.high))
        note = f"; {row['note']}" if "note" in row else ""
        yield [
            row["model"], _millions(row["parameters"]), row["questions"], f"{row['asked']}{note}",
            f"{100 * right / n:.1f} [{low:.1f}, {high:.1f}]", f"{n:,}", f"[here]({row['page']})",
        ]  # fmt: skip


def _millions(parameters: float) -> str:
    return f"{parameters / 1e6:,.0f} M" if parameters >= 1e7 else f"{parameters / 1e6:.1f} M"
