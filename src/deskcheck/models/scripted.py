"""scripted: a model that gives prepared answers, for tests and for trying out a pipeline.

    -M answers='["[ANSWER]1[/ANSWER]"]'      text number sample + call; after the last comes the first
    -M path=answers.jsonl                     rows {"task": "sample_0", "sample": 0, "text": "..."}
    -M fault=truncate                         every answer fails in one way: truncate, refuse, error, empty

In a row, a missing `task` or `sample` means "any", `texts` gives one text for each request of a step loop
(its "call"), and the default of `finish_reason` is "stop". An answer depends only on task, sample and call.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import msgspec

from deskcheck.errors import DataError, UserError
from deskcheck.models import Question
from deskcheck.records import Completion

FAULTS = {"truncate": "length", "refuse": "content_filter", "error": "error", "empty": "stop"}


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of an answers file."""

    text: str = ""
    texts: list[str] = []
    """One text for each call; empty = `text` alone."""
    task: str = ""
    """Id of the task; "" = any."""
    sample: int = -1
    """0-based number of the sample; -1 = any."""
    finish_reason: str = "stop"


class Scripted:
    """An engine around a function from question to completion."""

    batch = 1  # larger batches bring no gain

    def __init__(self, speak: Callable[[Question], Completion], *, fingerprint: str) -> None:
        self.speak = speak
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Hash of the script, or the name that its maker gave it."""
        return self._fingerprint

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Answer the questions, one after the other."""
        return [self.speak(question) for question in questions]


def engine(
    answers: list[str] | Callable[[Question], Completion] | None = None,
    path: str = "",
    fault: str = "",
) -> Scripted:
    """Make the engine from exactly one of: a list or function, a file, a fault. UserError for any other."""
    if fault and fault not in FAULTS:
        raise UserError(f"deskcheck/scripted knows no fault '{fault}'; known: {', '.join(sorted(FAULTS))}")
    if sum(bool(given) for given in (answers, path, fault)) != 1:
        raise UserError(
            "deskcheck/scripted needs exactly one of: -M answers=[..], -M path=FILE.jsonl, -M fault=NAME"
        )
    if fault:
        broken = Completion("", FAULTS[fault], n_tokens_in=0, n_tokens_out=0)
        return Scripted(lambda question: broken, fingerprint=f"fault:{fault}")
    if path:
        lines = read_lines(path)
        return Scripted(lambda question: _from_lines(lines, question), fingerprint=_digest(repr(lines)))
    if callable(answers):
        return Scripted(
            answers, fingerprint=f"function:{getattr(answers, '__qualname__', type(answers).__name__)}"
        )
    texts = _texts(answers)
    return Scripted(
        lambda question: _completion(texts[(question.sample + question.call) % len(texts)], "stop"),
        fingerprint=_digest(json.dumps(texts)),
    )


def _texts(answers: object) -> list[str]:
    """Check the list and return it. UserError for numbers, which `-M answers=[1,2]` gives."""
    if isinstance(answers, list) and all(isinstance(one, str) for one in answers):
        return list(answers)
    raise UserError(
        f"deskcheck/scripted, -M answers={json.dumps(answers)[:60]}: expected a list of texts, for example "
        """-M answers='["[ANSWER]1[/ANSWER]"]'"""
    )


def read_lines(path: str) -> list[Line]:
    """Read an answers file. DataError names the line that is not a row; UserError if there is no file."""
    file = Path(path)
    if not file.is_file():
        raise UserError(
            f"no answers file at '{path}'; deskcheck/scripted reads JSON lines with task, sample, text"
        )
    lines: list[Line] = []
    for number, text in enumerate(file.read_text(encoding="utf-8-sig").splitlines(), start=1):
        if text.strip():
            try:
                lines.append(msgspec.json.decode(text, type=Line))
            except msgspec.MsgspecError as error:
                raise DataError(f"{path}:{number}: not an answer row: {error}") from None
    if not lines:
        raise DataError(f"{path}: no answers in it")
    return lines


def _from_lines(lines: list[Line], question: Question) -> Completion:
    for line in lines:
        if line.task in ("", question.task_id) and line.sample in (-1, question.sample):
            texts = line.texts or [line.text]
            if question.call < len(texts):
                return _completion(texts[question.call], line.finish_reason)
    place = f"task '{question.task_id}', sample {question.sample}, call {question.call}"
    return Completion(f"the script has nothing for {place}", "error", n_tokens_in=0, n_tokens_out=0)


def _completion(text: str, finish_reason: str) -> Completion:
    return Completion(text, finish_reason, n_tokens_in=0, n_tokens_out=len(text.split()))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
