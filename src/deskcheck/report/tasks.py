"""The task table: one row a task, one column a run, and behind each row what was asked and answered.

    task_rows(runs) -> [TaskRow]        runs of one benchmark

What is long is cut with a mark that says how much is missing; everything stands in `results.jsonl` of the
run.
"""

from __future__ import annotations

from msgspec import Struct

from deskcheck.report.names import told_apart
from deskcheck.report.read import Run
from deskcheck.results import Sampled

MOST_TEXT = 4_000
MOST_CHAIN = 60
MOST_SAMPLES = 10
SIGNS = {"right": "✓", "wrong": "✗", "no answer": "∅"}


class Shown(Struct, frozen=True):
    """One sample as it is shown."""

    title: str
    sign: str
    verdict: str
    answer: str
    text: str
    chain: list[str]
    note: str
    """What was left out."""


class Verdict(Struct, frozen=True):
    """One run's cell in a task's row."""

    text: str
    """"✓ right", "✗ wrong", "∅ truncated", or "3 of 10 right"."""
    kind: str
    """Class for the style: "right", "wrong", "none", "some"."""


class TaskRow(Struct, frozen=True):
    """One task in the table of tasks."""

    id: str
    n_steps: int
    family: str
    call: str
    source: str
    expected: str
    verdicts: list[Verdict]
    prompts: list[tuple[str, list[list[str]]]]
    """(strategy, messages) of each prompt."""
    shown: list[Shown]
    n_hidden: int
    """Samples that are not shown."""


def task_rows(runs: list[Run], labels: list[str], *, tag: str) -> list[TaskRow]:
    """Rows in the order of the first run; a task that a run lacks has the verdict "not asked"."""
    tables = [_by_task(run) for run in runs]
    order = list(dict.fromkeys(task for table in tables for task in table))
    names = told_apart(runs)
    strategies = [names[run.folder] for run in runs]
    return [_row(task, tables, strategies, labels, tag) for task in order]


def _by_task(run: Run) -> dict[str, list[Sampled]]:
    table: dict[str, list[Sampled]] = {}
    for sample in run.every:
        table.setdefault(sample.task, []).append(sample)
    return table


def _row(
    task: str, tables: list[dict[str, list[Sampled]]], strategies: list[str], labels: list[str], tag: str
) -> TaskRow:
    first = next(table[task][0] for table in tables if task in table)
    prompts: dict[str, list[list[str]]] = {}
    shown: list[Shown] = []
    n_hidden = 0
    for table, strategy, label in zip(tables, strategies, labels, strict=True):
        samples = table.get(task, [])
        if samples:
            prompts.setdefault(strategy, [[role, cut(text)] for role, text in samples[0].prompt])
        shown += [_shown(sample, label, len(samples)) for sample in samples[:MOST_SAMPLES]]
        n_hidden += max(0, len(samples) - MOST_SAMPLES)
    return TaskRow(
        id=task,
        n_steps=first.n_steps,
        family=first.tags.get(tag, "") if tag else "",
        call=cut(first.call, 300),
        source=cut(first.source),
        expected=cut(first.expected),
        verdicts=[_verdict(table.get(task, [])) for table in tables],
        prompts=list(prompts.items()),
        shown=shown,
        n_hidden=n_hidden,
    )


def _verdict(samples: list[Sampled]) -> Verdict:
    if not samples:
        return Verdict("– not asked", "absent")
    if len(samples) == 1:
        only = samples[0]
        kind = {"right": "right", "wrong": "wrong"}.get(only.verdict, "none")
        return Verdict(f"{SIGNS[only.verdict]} {only.reason or only.verdict}", kind)
    right = sum(sample.verdict == "right" for sample in samples)
    kind = "right" if right == len(samples) else "some" if right else "wrong"
    sign = {"right": "✓", "some": "◐", "wrong": "✗"}[kind]
    return Verdict(f"{sign} {right} of {len(samples)} right", kind)


def _shown(sample: Sampled, label: str, n_samples: int) -> Shown:
    chain = [cut(state, 400) for state in sample.chain[:MOST_CHAIN]]
    notes = []
    if len(sample.chain) > MOST_CHAIN:
        notes.append(
            f"{len(sample.chain) - MOST_CHAIN} more of {len(sample.chain)} steps are in results.jsonl"
        )
    tokens = f", {sample.tokens_out} tokens written" if sample.tokens_out >= 0 else ""
    calls = f", {sample.n_calls} calls" if sample.n_calls != 1 else ""
    notes.append(f"finish reason {sample.finish_reason}{calls}{tokens}")
    if sample.apart >= 0:
        notes.append(f"jumps that went elsewhere than single steps: {sample.apart}")
    return Shown(
        title=label + (f", sample {sample.sample}" if n_samples > 1 else ""),
        sign=SIGNS[sample.verdict],
        verdict=sample.reason or sample.verdict,
        answer=cut(sample.answer),
        text=cut(sample.text),
        chain=chain,
        note="; ".join(notes),
    )


def cut(text: str, most: int = MOST_TEXT) -> str:
    """The text, or its beginning and how much is missing."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters are in results.jsonl)"
