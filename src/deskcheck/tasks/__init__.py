"""Kinds of task: one file each, found by its name; what is asked about a run, and its true answer.

    tasks_of("next-line", item, trace, benchmark="core") -> [Task] or Unasked(reason)

A file holds `QUESTION` and `FORM` ({"en": .., "zh": ..}; blanks in braces), optionally `GRADING` (how an
answer is compared, see `records.Task`; "value" if absent) and `NUMBERED` (the question names lines), and
`probes(item, trace) -> list[Probe]`, which raises `NotAsked` where the run has no such question. Everything
comes from the one stored trace. Where a run has many places to ask at, a few are drawn, the same ones
whenever the program is the same (`_runs.draw`).
"""

from __future__ import annotations

from msgspec import Struct

from deskcheck import plugins
from deskcheck.records import Item, Task, Trace


class NotAsked(Exception):
    """This run has no question of this kind; the text says why, in a few words that can be counted."""


class Unasked(Struct, frozen=True):
    """An item without a task."""

    reason: str
    """Short and countable: "time limit", "no loop"."""
    detail: str


def tasks_of(kind: str, item: Item, trace: Trace, *, benchmark: str) -> list[Task] | Unasked:
    """All tasks of one kind about one run."""
    module = plugins.load("task", kind)
    try:
        probes = module.probes(item, trace)
    except NotAsked as why:
        reason, _, detail = str(why).partition(": ")
        return Unasked(reason, detail)
    return [
        Task(
            id=f"{item.id}@{probe.at}" if probe.at else item.id,
            benchmark=benchmark,
            kind=kind,
            program=item.program,
            expected=probe.expected,
            truth=trace,
            cluster=item.cluster,
            tags=item.tags,
            question={language: text.format(**probe.words) for language, text in module.QUESTION.items()},
            form={language: text.format(**probe.words) for language, text in module.FORM.items()},
            statement=item.statement,
            grading=getattr(module, "GRADING", "value"),
            numbered=getattr(module, "NUMBERED", False),
        )
        for probe in probes
    ]
