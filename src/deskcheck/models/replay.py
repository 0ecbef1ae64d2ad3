"""replay: a model that repeats saved generations, so that they go through the same steps as a live model's.

    -M path=generations.json      sample n of a task gets the file's text n for it
    -M importer=exerscope         if the format of the file is not recognized

It reads every format that has an importer, with one run per file. A task or sample that the file lacks counts
as an error of the model ("no answer: error"), never as a wrong answer.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from deskcheck.errors import UserError
from deskcheck.importers import SavedRun, read_single
from deskcheck.models import Question
from deskcheck.records import Completion


class Replay:
    """An engine that answers from one saved run."""

    batch = 1  # larger batches bring no gain

    def __init__(self, saved: SavedRun, *, fingerprint: str) -> None:
        self.saved = saved
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Hash of the file of answers."""
        return self._fingerprint

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Look up the stored answer to each question."""
        return [self._completion(question) for question in questions]

    def _completion(self, question: Question) -> Completion:
        texts = self.saved.texts.get(question.task_id, [])
        if question.call:
            return Completion("saved generations hold one answer, not a chain of steps", "error")
        if question.sample >= len(texts):
            return Completion(f"{len(texts)} saved texts for task '{question.task_id}'", "error")
        reply = self.saved.in_our_marks(texts[question.sample])
        return Completion(reply, self.saved.finish_reason(question.task_id, question.sample))


def engine(path: str = "", importer: str = "") -> Replay:
    """Make an engine from a file of stored answers, read by `importer`. UserError if there is no file."""
    if not path:
        raise UserError("deskcheck/replay needs a file of saved generations: -M path=generations.json")
    if not Path(path).is_file():
        raise UserError(f"no saved generations at '{path}' (-M path=FILE)")
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    return Replay(read_single(path, importer), fingerprint=digest)
