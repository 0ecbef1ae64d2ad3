"""Grade saved generations against executed truth, without a model; only answers to `input` tasks run.

    grade_saved(build_tasks("cruxeval", data=..), read_single("run.json"), policy="published") -> Graded

Under `published` a text counts as in its source: the whole text is the answer, Python's == decides, and a
text that repeats the call is no answer; an importer may define another rule. Under `strict` and `lenient` the
answer is looked for at an extraction level. Every reply is read at all levels, so that errors of form can be
told from errors of execution.

Answers to `input` tasks are literal arguments and run in the sandbox before they are compared. Under
`published` the whole text is run as an expression, alone in a child process, as in its source. A task or
sample that the file lacks was never asked ("not_asked"): it is counted, but in no rate. If the file holds
verdicts of its source, every difference is listed with its reason. Answers to rows that the benchmark leaves
out are counted; an unknown id is refused.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Literal

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import BadSource, UserError
from deskcheck.evaluation.grade_unread import Unread, unread_of
from deskcheck.evaluation.sample_records import Execute, judge_all
from deskcheck.evaluation.truth import TaskSet
from deskcheck.grading.extraction import LEVELS, Level, level_name
from deskcheck.grading.run_marks import Marks
from deskcheck.grading.verdict import Raises, answer_language, answer_value, answers_of, marks_of, unchecked
from deskcheck.importers import SavedRun
from deskcheck.languages import MAX_CHARS, equal, is_literal, offers, part
from deskcheck.records import MISSING, Answer, Completion, NoAnswer, Program, Score, Task
from deskcheck.solutions.answers import execute
from deskcheck.statistics.summary import Summary, summarise


class Graded(Struct, frozen=True):
    """All verdicts and counts of one graded file."""

    policy: str
    scores: list[Score]
    summary: Summary
    differences: list[Difference]
    n_stored: int
    """Generations for which the file holds a verdict."""
    missing: list[str]
    """Tasks without a generation in the file."""
    extraction: str = ""
    """Extraction level and its version; "whole text" if the source's rule takes the whole text."""
    levels: dict[tuple[str, int], dict[str, str]] = {}
    """(task, sample) -> extraction level -> verdict of the same reply read at that level."""
    marks: Marks | None = None
    """Marks that the unread replies share around a value; these replies were read at `generous`."""
    unread: Unread = Unread()
    """Replies without a readable answer, with reasons."""
    more: list[str] = []
    """A line on the tasks that have more answers than most, if any has."""
    n_left_out: int = 0
    """Answers to rows of the benchmark that have no task: skipped by its adapter, or without a truth."""


WHOLE = "whole text"
"""Extraction of the policy `published`: the source takes the whole text."""
UNCHECKABLE = "not checkable"
"""Tag of a task whose truth no answer can meet, with the reason; only the source's rule has a verdict."""
Read = tuple[Task, int, Answer | NoAnswer]
"""Task, number of the sample, and what was read from the reply."""
Verdict = Literal["right", "wrong", "no answer"]


def named_by_number(saved: SavedRun, ids: Iterable[str]) -> SavedRun:
    """Return the run with the benchmark's ids, if the file has the number alone: 7 for sample_7.

    The run stays as it is unless every id of the file is a number and the benchmark's ids differ only in
    their numbers.
    """
    known = list(ids)
    names = saved.texts.keys() | saved.stored.keys()
    if not all(name.isdecimal() for name in names) or names & set(known):
        return saved
    found = [re.fullmatch(r"(.*?)(\d+)", one, re.DOTALL) for one in known]
    matches = [one for one in found if one is not None]
    full = {int(one[2]): one[0] for one in matches}
    if len(matches) != len(known) or len({one[1] for one in matches}) != 1 or len(full) != len(known):
        return saved
    if any(int(name) not in full for name in names):
        return saved
    columns = ("texts", "finish_reasons", "stored", "taken", "whole")
    renamed = {
        column: {full[int(name)]: value for name, value in getattr(saved, column).items()}
        for column in columns
    }
    return msgspec.structs.replace(saved, **renamed)


def grade_saved(
    task_set: TaskSet,
    saved: SavedRun,
    *,
    policy: str = "published",
    level: Level = "usual",
    workers: int = 0,
) -> Graded:
    """Score every sample of every task.

    `policy` is "published", "strict" or "lenient". `level` is the extraction level of the verdicts; `workers`
    the number of processes that run answers to `input` tasks, 0 = one per core. UserError for generations of
    unknown tasks, or if no task has a truth.
    """
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
    asked = [(task, sample) for task in task_set.tasks for sample in range(n_samples)]
    published = policy == "published"
    run = partial(execute, whole=published, workers=workers)
    read: dict[tuple[str, str, str], dict[Level, Answer | NoAnswer]] = {}
    by_level = [_at_levels(task, saved, sample, read) for task, sample in asked]
    found = _shared_marks(asked, by_level, saved)
    if found is not None:
        read.clear()
        by_level = [_at_levels(task, saved, sample, read, found) for task, sample in asked]
    if published and (is_right := getattr(plugins.load("importer", saved.layout), "is_right", None)):
        scores = [_by_source(task, sample, saved, is_right) for task, sample in asked]
    else:
        answered = [
            (task, sample, _published(task, saved, sample) if published else at[level])
            for (task, sample), at in zip(asked, by_level, strict=True)
        ]
        scores = judge_all(answered, policy=policy, run=run)
    clusters = {task.id: task.cluster for task in task_set.tasks}
    levels = _levels(asked, by_level, policy, partial(execute, workers=workers))
    return Graded(
        policy=policy,
        scores=scores,
        summary=summarise(scores, clusters, n_samples=n_samples),
        differences=differences(task_set.tasks, scores, saved),
        n_stored=sum(v is not None for task in task_set.tasks for v in saved.stored.get(task.id, [])),
        missing=[task.id for task in task_set.tasks if not saved.texts.get(task.id)],
        extraction=WHOLE if published else level_name(level),
        levels=levels,
        marks=found,
        unread=unread_of(scores, saved, levels, found, whole=published),
        more=_more(task_set, saved),
        n_left_out=_left_out(task_set, saved),
    )


def _more(task_set: TaskSet, saved: SavedRun) -> list[str]:
    """Return a line on the tasks with more answers than most have, or none."""
    counts = {task.id: len(saved.texts[task.id]) for task in task_set.tasks if task.id in saved.texts}
    usual = statistics.median_low(counts.values()) if counts else 0
    more = [f"{task} ({n})" for task, n in counts.items() if n > usual]
    if not more:
        return []
    shown = ", ".join([*more[:5], *([".."] if len(more) > 5 else [])])
    return [
        f"{saved.path}: {usual} answers a task, but more for {len(more)}: {shown}; each counts as another "
        "sample, so leave out rows that are there twice"
    ]


def _at_levels(
    task: Task,
    saved: SavedRun,
    sample: int,
    read: dict[tuple[str, str, str], dict[Level, Answer | NoAnswer]],
    shared: Marks | None = None,
) -> dict[Level, Answer | NoAnswer]:
    """Return the answer read at every level; equal texts of a task are read once."""
    texts = saved.texts.get(task.id, [])
    if sample >= len(texts):
        missing = NoAnswer("not_asked", "the file has no generation for this sample")
        return dict.fromkeys(LEVELS, missing)
    if UNCHECKABLE in task.tags:
        return dict.fromkeys(LEVELS, NoAnswer("not_asked", task.tags[UNCHECKABLE]))
    key = (task.id, texts[sample], saved.finish_reason(task.id, sample))
    if key not in read:
        read[key] = answers_of(task, Completion(saved.in_our_marks(key[1]), key[2]), shared=shared)
    return read[key]


def _shared_marks(
    asked: Sequence[tuple[Task, int]],
    by_level: Sequence[dict[Level, Answer | NoAnswer]],
    saved: SavedRun,
) -> Marks | None:
    """Return the marks that the replies which are unread at `usual` share around a readable value."""
    unread = [
        saved.in_our_marks(saved.texts[task.id][sample])
        for (task, sample), at in zip(asked, by_level, strict=True)
        if isinstance(answer := at["usual"], NoAnswer) and answer.reason == "unparsable"
    ]
    return marks_of(asked[0][0], unread) if unread else None


def _levels(
    asked: Sequence[tuple[Task, int]],
    by_level: Sequence[dict[Level, Answer | NoAnswer]],
    policy: str,
    run: Execute,
) -> dict[tuple[str, int], dict[str, str]]:
    """Return the verdict on every reply at every level; equal answers of two levels are graded once.

    What was never asked has no reply, and is left out.
    """
    replied = [(one, at) for one, at in zip(asked, by_level, strict=True) if not _is_missing(at)]
    reads: list[Read] = []
    places: list[list[int]] = []
    known: dict[tuple[str, int], list[int]] = {}
    for (task, sample), answers in replied:
        if (before := known.get((task.id, id(answers)))) is not None:  # the same text, read once
            places.append(before)
            continue
        numbers: list[int] = known.setdefault((task.id, id(answers)), [])
        for number, level in enumerate(LEVELS):
            answer = answers[level]
            if number and answer == answers[LEVELS[number - 1]]:
                numbers.append(numbers[-1])
            else:
                numbers.append(len(reads))
                reads.append((task, sample, answer))
        places.append(numbers)
    verdicts = [score.verdict for score in judge_all(reads, policy=policy, run=run)]
    return {
        (task.id, sample): {level: verdicts[place] for level, place in zip(LEVELS, numbers, strict=True)}
        for ((task, sample), _), numbers in zip(replied, places, strict=True)
    }


def _is_missing(answers: dict[Level, Answer | NoAnswer]) -> bool:
    first = answers[LEVELS[0]]
    return isinstance(first, NoAnswer) and first.reason in MISSING


def _by_source(
    task: Task, sample: int, saved: SavedRun, is_right: Callable[[str, str, str], bool | None]
) -> Score:
    """Return the verdict of the source's own rule, which gives None for no answer."""
    texts = (saved.taken or saved.texts).get(task.id, [])
    reply = texts[sample] if sample < len(texts) else None
    right = is_right(task.kind, reply, task.expected) if reply is not None else None
    reason = "not_asked" if reply is None else "unparsable" if right is None else ""
    verdict: Verdict = "no answer" if right is None else "right" if right else "wrong"
    found = Score(task.id, sample, verdict, reason, "published", (reply or "")[-200:], task.expected)
    return unchecked(found) if task.grading == "witness" and verdict == "wrong" else found


def _left_out(task_set: TaskSet, saved: SavedRun) -> int:
    """Count answers to rows without a task: their adapter skipped them, or they have no truth."""
    rows = {row.id for row in (*task_set.skipped, *task_set.dropped)} - {task.id for task in task_set.tasks}
    return sum(len(texts) for task, texts in saved.texts.items() if task in rows)


def _published(task: Task, saved: SavedRun, sample: int) -> Answer | NoAnswer:
    """Return the whole text, if its source takes it as an answer."""
    texts = saved.texts.get(task.id, [])
    if sample >= len(texts):
        return NoAnswer("not_asked", "the file has no generation for this sample")
    text = texts[sample]
    if task.kind == "input":
        if f"{task.program.entry}(" not in text:
            return NoAnswer("unparsable", f"holds no call: {text[:200]}")
        return Answer(text)
    if task.program.call in text:
        return NoAnswer("unparsable", f"repeats the call: {text[:200]}")
    return Answer(text)


def _why_equal(text: str, score: Score, language: str) -> str:
    """Return how a literal and the truth are equal or differ under the rules of this project and Python."""
    try:
        answer, truth = (answer_value(each, language=language) for each in (text, score.expected))
    except BadSource:
        return "unexplained"
    if isinstance(answer, Raises) or isinstance(truth, Raises):
        return "unexplained"
    if score.verdict == "right":
        return "unexplained"
    if equal(answer, truth, "published", language=language):
        return "equal by ==, of another type"
    if equal(answer, truth, "lenient", language=language):
        return "equal but for list and tuple or number types"
    if str(answer) == str(truth):
        return "equal as text, of another type"
    return "unexplained"


class Difference(Struct, frozen=True):
    """One generation on which our verdict and its source's differ."""

    task_id: str
    sample: int
    text: str
    expected: str
    verdict: str
    """The verdict given here: "right", "wrong" or "no answer"."""
    stored: bool
    """The source's own verdict: whether its file calls this generation right."""
    why: str
    """The rule that makes the difference, as named by `_why`; "unexplained" if none does."""


def differences(tasks: list[Task], scores: list[Score], saved: SavedRun) -> list[Difference]:
    """List the generations whose stored verdict differs from ours, with the rule behind it."""
    by_id = {task.id: task for task in tasks}
    why_of = getattr(plugins.load("importer", saved.layout), "why_differs", None)
    rows = []
    for score in scores:
        verdicts = saved.stored.get(score.task_id, [])
        if score.sample >= len(verdicts) or verdicts[score.sample] in (None, score.verdict == "right"):
            continue
        text = saved.texts[score.task_id][score.sample]
        task = by_id[score.task_id]
        if why_of is not None:
            why = why_of(task, (saved.taken.get(score.task_id) or [text])[score.sample], score)
        elif task.kind == "input":
            why = "an argument is no literal"
        else:
            why = _why(text, task.program, score, answer_language(task.tags))
        rows.append(
            Difference(
                score.task_id,
                score.sample,
                text,
                score.expected,
                score.verdict,
                bool(verdicts[score.sample]),
                why,
            )
        )
    return rows


def _why(text: str, program: Program, score: Score, language: str = "python") -> str:
    """Return the rule that makes the difference, by comparing; "unexplained" if none of them does."""
    if len(text) > MAX_CHARS:
        return "unexplained"
    if is_literal(text, language=language):
        return _why_equal(text, score, language)
    if score.verdict == "right":
        return "answer found in a longer text" if score.answer.strip() in text else "unexplained"
    if score.verdict == "wrong" and score.answer.strip() == score.expected.strip("'\""):
        return "equal as text, without quotes"
    if not offers(program.language, "form_of"):
        return "unexplained"
    form: str = part(program.language, "form_of")(text, program.entry)
    return form or "unexplained"
