"""Grade saved generations against executed truth: no model; only answers to `input` tasks are executed.

    grade_saved(build_tasks("cruxeval", data=..), read_single("run.json"), policy="published") -> Graded

Under `published` a text counts as its source counted it: the whole text is the answer, Python's == decides,
and a text that repeats the call is no answer. Under `strict` and `lenient` the answer is looked for as in any
reply. Answers to `input` tasks are literal arguments and run in the sandbox before they are compared; under
`published` the whole text is run as an expression, alone in its child, as its source ran it. A task or sample
that the file lacks was never asked ("not_asked"): counted, and in no rate. Where the file holds its source's
own verdicts, every difference is listed with its reason. Answers to rows that the benchmark itself leaves out
(no truth, no literal) are counted; an id that it does not know at all is refused.
"""

from __future__ import annotations

import ast
import warnings
from functools import partial

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.evaluation.answers import execute
from deskcheck.evaluation.judge import judge_all
from deskcheck.evaluation.truth import TaskSet
from deskcheck.grading.answers import answer_of
from deskcheck.grading.literals import MAX_CHARS, is_literal
from deskcheck.importers import SavedRun
from deskcheck.records import Answer, Completion, NoAnswer, Score, Task
from deskcheck.statistics.summary import Summary, summarise


class Difference(Struct, frozen=True):
    """We and the source of a file disagree on whether one generation is right."""

    task_id: str
    sample: int
    text: str
    expected: str
    verdict: str
    """Ours: "right", "wrong", "no answer"."""
    stored: bool
    """Theirs."""
    why: str
    """The rule that makes the difference, as `_why` names it; "unexplained" where none does."""


class Graded(Struct, frozen=True):
    """Everything that grading one file gives."""

    policy: str
    scores: list[Score]
    summary: Summary
    differences: list[Difference]
    n_stored: int
    """Generations for which the file holds a verdict."""
    missing: list[str]
    """Tasks for which the file holds nothing."""
    extraction: str = ""
    """Extraction level and its version; "whole text" where the source's rule takes the text as it stands."""
    levels: dict[tuple[str, int], dict[str, str]] = {}
    """(task, sample) -> extraction level -> verdict of the same reply read at that level."""
    n_left_out: int = 0
    """Answers to rows of the benchmark that are no tasks: skipped by its adapter, or without a truth."""


def grade_saved(task_set: TaskSet, saved: SavedRun, *, policy: str = "published", workers: int = 0) -> Graded:
    """Score every sample of every task. UserError for generations of tasks that are not there."""
    known = {*task_set.ids, *(task.id for task in task_set.tasks), *(row.id for row in task_set.skipped)}
    unknown = sorted(saved.texts.keys() - known)
    if unknown:
        raise UserError(
            f"{len(unknown)} ids of the generations are not in benchmark '{task_set.benchmark}': "
            f"{', '.join(unknown[:5])}; its ids look like {', '.join(task_set.ids[:3])}"
        )
    if not task_set.tasks:
        raise UserError(
            f"benchmark '{task_set.benchmark}': no task has a truth, so there is nothing to grade"
        )
    n_samples = max([len(saved.texts.get(task.id, [])) for task in task_set.tasks] + [1])
    answered = [
        (task, sample, _answer(task, saved, sample, policy))
        for task in task_set.tasks
        for sample in range(n_samples)
    ]
    run = partial(execute, whole=policy == "published", workers=workers)
    scores = judge_all(answered, policy=policy, run=run)
    clusters = {task.id: task.cluster for task in task_set.tasks}
    return Graded(
        policy=policy,
        scores=scores,
        summary=summarise(scores, clusters, n_samples=n_samples),
        differences=_differences(task_set.tasks, scores, saved),
        n_stored=sum(v is not None for task in task_set.tasks for v in saved.stored.get(task.id, [])),
        missing=[task.id for task in task_set.tasks if not saved.texts.get(task.id)],
        extraction="whole text" if policy == "published" else "usual-0",
        n_left_out=_left_out(task_set, saved),
    )


def _left_out(task_set: TaskSet, saved: SavedRun) -> int:
    """Answers to rows that have no task: their adapter skipped them, or no truth could be had."""
    rows = {row.id for row in (*task_set.skipped, *task_set.dropped)} - {task.id for task in task_set.tasks}
    return sum(len(texts) for task, texts in saved.texts.items() if task in rows)


def _answer(task: Task, saved: SavedRun, sample: int, policy: str) -> Answer | NoAnswer:
    texts = saved.texts.get(task.id, [])
    if sample >= len(texts):
        return NoAnswer("not_asked", "the file has no generation for this sample")
    text = texts[sample]
    if policy != "published":
        return answer_of(task, Completion(text, saved.finish_reason(task.id, sample)))
    if task.kind == "input":
        if f"{task.program.entry}(" not in text:
            return NoAnswer("unparsable", f"holds no call: {text[:200]}")
        return Answer(text)
    if task.program.call in text:
        return NoAnswer("unparsable", f"repeats the call: {text[:200]}")
    return Answer(text)


def _differences(tasks: list[Task], scores: list[Score], saved: SavedRun) -> list[Difference]:
    by_id = {task.id: task for task in tasks}
    found = []
    for one in scores:
        verdicts = saved.stored.get(one.task_id, [])
        if one.sample >= len(verdicts) or verdicts[one.sample] in (None, one.verdict == "right"):
            continue
        text = saved.texts[one.task_id][one.sample]
        task = by_id[one.task_id]
        why = (
            "an argument is no literal"
            if task.kind == "input"
            else _why(text, task.program.entry, one.verdict)
        )
        found.append(
            Difference(
                one.task_id, one.sample, text, one.expected, one.verdict, bool(verdicts[one.sample]), why
            )
        )
    return found


def _why(text: str, entry: str, verdict: str) -> str:
    """Which rule makes the difference; the source executes `assert output == <text>`."""
    if len(text) > MAX_CHARS:
        return "unexplained"
    if verdict == "right":
        return "answer found in a longer text"  # the source has no use for "assert f(..) == 3"
    if verdict == "wrong" and is_literal(text):
        return "equal by ==, of another type"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "unexplained"
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    if calls:
        return "calls the program" if entry in calls else "calls a library function"
    if any(isinstance(node, ast.BoolOp) for node in nodes):
        return "boolean operator"
    if any(isinstance(node, ast.BinOp) for node in nodes):
        return "arithmetic"
    return "unexplained"
