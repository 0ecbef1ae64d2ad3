"""Pack every answer of a report for the page: a small index of all tasks, and their texts in blocks.

    index_of("easy", runs, labels, tag="family") -> {"ids": [..], "runs": [{"verdicts": [..], ..}], ..}
    Details([(runs, labels)])[0] -> {"source": .., "prompts": [..], "runs": [{"samples": [..]}]}
    packed(details, wrong_first(index)) -> Packed(blocks, places, beside)     texts within the page's budget

The index has the data for the table, the filters and their figures: one letter per sample (r right, w wrong,
n no answer, m missing). A long text is cut, with the number of missing characters; the run's `results.jsonl`
has the whole text.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.report.read import Run, told_apart

MOST_TEXT = 4_000  # characters of a text on the page
MOST_SHORT = 80  # characters in a cell of a table
MOST_CHAIN = 60  # states of a step loop
MOST_SAMPLES = 10  # samples of one run on one task
TASKS_A_BLOCK = 24  # tasks that are packed together
BUDGET_BYTES = 5_000_000
"""Largest size of the texts in a page; the texts of other tasks are written to a folder beside it."""
_LETTERS = {"right": "r", "wrong": "w", "no answer": "n"}


class Packed(Struct, frozen=True):
    """Texts of a page's tasks within its budget, and the tasks that did not fit."""

    blocks: list[str]
    """Deflated JSON in base64, each a list of tasks."""
    places: list[list[int]]
    """For each task [block, position in the block]; [-1, k] = the k-th task in `beside`."""
    beside: list[int]
    """Numbers of the tasks that did not fit."""


def index_of(name: str, runs: list[Run], labels: list[str], *, tag: str) -> dict[str, Any]:
    """Return the columns of one benchmark's tasks, in the order of `task_order`.

    `labels`: name of each run on the page; `tag`: tag by which tasks are grouped into families, "" = none.
    """
    tables = [by_task(run) for run in runs]
    order = task_order(tables)
    firsts = [next(table[task][0] for table in tables if task in table) for task in order]
    families, family = _coded([one.tags.get(tag, "") if tag else "" for one in firsts])
    clusters, cluster = _coded([one.cluster for one in firsts])
    return {
        "name": name,
        "tag": tag,
        "labels": labels,
        "samples": [run.row.n_samples for run in runs],
        "ids": order,
        "steps": [one.n_steps for one in firsts],
        "families": families,
        "family": family,
        "clusters": len(clusters),
        "cluster": cluster,
        "calls": [shortened(one.call) for one in firsts],
        "expected": [shortened(one.expected) for one in firsts],
        "runs": [
            {
                "verdicts": ["".join(_letter(one) for one in table.get(task, [])) for task in order],
                "answers": [_short_answer(table.get(task, [])) for task in order],
                "parted": [_parted(table.get(task, [])) for task in order],
            }
            for table in tables
        ],
    }


def by_task(run: Run) -> dict[str, list[Sampled]]:
    """Map each task to its samples; missing samples are included."""
    table: dict[str, list[Sampled]] = {}
    for sample in run.every:
        table.setdefault(sample.task, []).append(sample)
    return table


def task_order(tables: list[dict[str, list[Sampled]]]) -> list[str]:
    """Return the tasks in the order of the first run, then the tasks that only other runs have."""
    return list(dict.fromkeys(task for table in tables for task in table))


def _coded(names: list[str]) -> tuple[list[str], list[int]]:
    known = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return list(known), [known[name] for name in names]


def _letter(answer: Sampled) -> str:
    return "m" if answer.is_missing else _LETTERS[answer.verdict]


def _short_answer(samples: list[Sampled]) -> str:
    """Return the answer of the first sample, or the reason why there is none."""
    if not samples:
        return ""
    first = samples[0]
    return first.reason.replace("_", " ") if first.reason else shortened(first.answer)


def _parted(samples: list[Sampled]) -> int:
    """Count the first sample's right steps before its first wrong one; -1 = none is wrong, or no chain."""
    return samples[0].together if samples and samples[0].part else -1


def shortened(text: str) -> str:
    """Return the beginning of a text for a cell of a table."""
    return text if len(text) <= MOST_SHORT else f"{text[:MOST_SHORT]}…"


class Details(Sequence[dict[str, Any]]):
    """Prompts and answers of every task of some benchmarks, the tasks in the order of `index_of`.

    A task's dictionary is made when it is read: the dictionaries of 100,000 answers would take 130 MB.
    """

    def __init__(self, benchmarks: Iterable[tuple[list[Run], list[str]]]) -> None:
        self._benchmarks: list[tuple[list[dict[str, list[Sampled]]], list[str], list[str]]] = []
        self._tasks: list[tuple[int, str]] = []
        for runs, labels in benchmarks:
            tables = [by_task(run) for run in runs]
            names = told_apart(runs)
            self._tasks += [(len(self._benchmarks), task) for task in task_order(tables)]
            self._benchmarks.append((tables, [names[run.folder] for run in runs], labels))

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, number: int) -> dict[str, Any]:  # type: ignore[override]  # no slices
        benchmark, task = self._tasks[number]
        return _detail(task, *self._benchmarks[benchmark])


def _detail(
    task: str, tables: list[dict[str, list[Sampled]]], strategies: list[str], labels: list[str]
) -> dict[str, Any]:
    first = next(table[task][0] for table in tables if task in table)
    prompts: dict[str, list[list[str]]] = {}
    for table, strategy in zip(tables, strategies, strict=True):
        if samples := table.get(task):
            prompts.setdefault(strategy, [[role, cut(text)] for role, text in samples[0].prompt])
    return {
        "id": task,
        "source": cut(first.source),
        "call": cut(first.call, 1_000),
        "expected": cut(first.expected),
        "tags": {name: cut(value, 200) for name, value in first.tags.items() if value},
        "runs": [
            {
                "label": label,
                "samples": [_sample(one) for one in table.get(task, [])[:MOST_SAMPLES]],
                "hidden": max(0, len(table.get(task, [])) - MOST_SAMPLES),
            }
            for table, label in zip(tables, labels, strict=True)
        ],
        "prompts": [[strategy, messages] for strategy, messages in prompts.items() if messages],
    }


def _sample(row: Sampled) -> dict[str, Any]:
    notes = [f"finish reason {row.finish_reason}"]
    if len(row.chain) > MOST_CHAIN:
        notes.insert(0, f"{len(row.chain) - MOST_CHAIN} more of {len(row.chain)} steps are in results.jsonl")
    if row.n_calls != 1:
        notes.append(f"{row.n_calls} calls")
    if row.tokens_out >= 0:
        notes.append(f"{row.tokens_out:,} tokens written")
    if row.part:
        notes.append(
            f"first wrong step after {row.together} right ones: {row.part}, at a line with {row.cause}"
        )
    if row.apart >= 0:
        notes.append(f"jumps that went elsewhere than single steps: {row.apart}")
    return {
        "number": row.sample,
        "letter": _letter(row),
        "reason": row.reason,
        "answer": cut(row.answer),
        "text": "" if row.text == row.answer else cut(row.text),
        "chain": [cut(state, 400) for state in row.chain[:MOST_CHAIN]],
        "note": "; ".join(notes),
    }


def cut(text: str, most: int = MOST_TEXT) -> str:
    """Return the text, or its beginning with the number of missing characters."""
    if len(text) <= most:
        return text
    return f"{text[:most]} … ({len(text) - most:,} more characters are in results.jsonl)"


def packed(details: Sequence[dict[str, Any]], order: Iterable[int], *, budget: int = BUDGET_BYTES) -> Packed:
    """Pack the texts of tasks in the given order of importance, until `budget` (in bytes) is spent."""
    blocks: list[str] = []
    places = [[-1, -1] for _ in details]
    beside: list[int] = []
    wanted, spent = list(order), 0
    for start in range(0, len(wanted), TASKS_A_BLOCK):
        inside = wanted[start : start + TASKS_A_BLOCK]
        text = encoded([details[number] for number in inside]) if spent < budget else ""
        if not text or spent + len(text) > budget:
            spent = budget
            for number in inside:
                places[number] = [-1, len(beside)]
                beside.append(number)
            continue
        for at, number in enumerate(inside):
            places[number] = [len(blocks), at]
        blocks.append(text)
        spent += len(text)
    return Packed(blocks, places, beside)


def encoded(content: Any) -> str:
    """Encode a value as ASCII JSON, deflated, in base64, which preserves every character, even surrogates."""
    data = json.dumps(content, separators=(",", ":")).encode("ascii")
    return base64.b64encode(zlib.compress(data, 9)).decode("ascii")


def wrong_first(index: dict[str, Any]) -> list[int]:
    """Return the numbers of the tasks by share of right answers, then by steps, the smallest first.

    Tasks without any answer come last.
    """

    def rank(number: int) -> tuple[float, int, int]:
        letters = "".join(run["verdicts"][number] for run in index["runs"]).replace("m", "")
        share = letters.count("r") / len(letters) if letters else 2.0
        return share, index["steps"][number], number

    return sorted(range(len(index["ids"])), key=rank)
