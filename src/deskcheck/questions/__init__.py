"""Kinds of question: each file, found by its name, asks about a run and gives the true answer.

    tasks_of("next-line", draft, trace, benchmark="core") -> [Task] or Unasked(reason)
    outcome_of(trace) -> "[1, 2]" | "raises KeyError";  NotAsked with a short reason if there is none

A file holds `QUESTION` and `FORM` ({"en": .., "zh": ..}; blanks in braces) and
`questions(draft, trace) -> list[RunQuestion]`, which raises `NotAsked` if the run has no such question. A
kind that must run programs has `questions_of_all(runs)` instead. All other kinds use only the stored trace.
A file may also hold

    GRADING        how an answer is compared, see `records.Task`; "value" if absent
    NUMBERED       true if the question names lines
    ABOUT_STATES   true if it asks for intermediate values, not for the result
    left_out       function: places of a run that were drawn and cannot be asked about, with the reason

If a run has many moments to ask about, a few are drawn, the same ones for the same program (`_drawn.draw`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import ModuleType

from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import BadSource, DataError, UnknownName
from deskcheck.grading.verdict import answer_value
from deskcheck.languages import MissingPart, words_of
from deskcheck.records import Raised, Returned, RunQuestion, Task, TaskDraft, Trace
from deskcheck.tracing.literal import outcome_text


class NotAsked(Exception):
    """Raised if a run has no question of this kind; the text is a short reason, counted in reports."""


class Unasked(Struct, frozen=True):
    """A draft for which no task was made, with the reason."""

    reason: str
    """A short reason that reports count: "time limit", "no loop"."""
    detail: str
    """What the reason is about, such as the limit that was reached; "" = nothing."""


def is_about_states(kind: str) -> bool:
    """Tell whether a kind of question asks for intermediate values; False if it is not installed."""
    try:
        return bool(getattr(plugins.load("question", kind), "ABOUT_STATES", False))
    except UnknownName:
        return False


def runs_something(kind: str) -> bool:
    """Tell whether a kind of question runs programs to find its answers."""
    return hasattr(plugins.load("question", kind), "questions_of_all")


def tasks_of(kind: str, draft: TaskDraft, trace: Trace, *, benchmark: str) -> list[Task] | Unasked:
    """Make all tasks of one kind about one run; Unasked, with the reason, if there is none."""
    (found,) = tasks_of_all(kind, [(draft, trace)], benchmark=benchmark)
    return found


def tasks_of_all(
    kind: str, runs: Sequence[tuple[TaskDraft, Trace]], *, benchmark: str
) -> Iterator[list[Task] | Unasked]:
    """Yield, for each of many runs in order, its tasks of one kind, or Unasked with the reason."""
    module = plugins.load("question", kind)
    if runs_something(kind):
        found: Iterator[list[RunQuestion] | NotAsked] = module.questions_of_all(runs)
    else:
        found = (_questions_of(module, draft, trace) for draft, trace in runs)
    for (draft, trace), questions in zip(runs, found, strict=True):
        if isinstance(questions, NotAsked):
            reason, _, detail = str(questions).partition(": ")
            yield Unasked(reason, detail)
        else:
            yield [_task(kind, module, draft, trace, question, benchmark) for question in questions]


def places_left_out(
    kind: str, draft: TaskDraft, trace: Trace, tasks: Sequence[Task]
) -> list[tuple[str, str, str]]:
    """Return (id, reason, detail) of each drawn place of a run that has no task.

    `tasks`: the tasks that were made for the run.
    """
    module = plugins.load("question", kind)
    if not hasattr(module, "left_out"):
        return []
    places: list[tuple[str, str, str]] = module.left_out(draft, trace, n_asked=len(tasks))
    return [(f"{draft.id}@{at}", reason, detail) for at, reason, detail in places]


def _questions_of(module: ModuleType, draft: TaskDraft, trace: Trace) -> list[RunQuestion] | NotAsked:
    try:
        questions: list[RunQuestion] = module.questions(draft, trace)
        return questions
    except NotAsked as why:
        return why
    except MissingPart as why:
        return NotAsked(str(why))
    except BadSource as why:
        return NotAsked(f"the source does not parse: {why}")


def _task(
    kind: str, module: ModuleType, draft: TaskDraft, trace: Trace, question: RunQuestion, benchmark: str
) -> Task:
    return Task(
        id=f"{draft.id}@{question.at}" if question.at else draft.id,
        benchmark=benchmark,
        kind=kind,
        program=draft.program,
        expected=question.expected,
        truth=trace,
        cluster=draft.cluster,
        tags=draft.tags
        if draft.program.language == "python"
        else {"language": draft.program.language} | draft.tags,
        question=filled(module.QUESTION, draft.program.language, question.words),
        form=filled(module.FORM, draft.program.language, question.words),
        statement=draft.statement,
        grading=getattr(module, "GRADING", "value"),
        numbered=getattr(module, "NUMBERED", False),
    )


def filled(texts: dict[str, str], language: str, words: dict[str, str]) -> dict[str, str]:
    """Fill the blanks of a question or a form, for each statement language.

    `words`: blank -> text from the run; the other blanks get the words for the programming language.
    """
    return {spoken: text.format(**{**words_of(language, spoken), **words}) for spoken, text in texts.items()}


def outcome_of(trace: Trace) -> str:
    """Return the answer to the question for the output.

    NotAsked if the run neither returned nor raised, or its value has no literal.
    """
    outcome = trace.outcome
    if not isinstance(outcome, Returned | Raised):
        raise NotAsked(f"{outcome.__struct_config__.tag}: {outcome}")
    try:
        text = outcome_text(trace)
    except DataError as error:
        raise NotAsked(f"value is not plain: {error}") from None
    try:
        answer_value(text, language=trace.language)
    except BadSource as error:
        raise NotAsked(f"answer is no literal: {error}") from None
    return text
