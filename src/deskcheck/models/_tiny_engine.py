"""A model of tiny's kind as an engine: the system message is the head, the user message the body.

TinyEngine(model, fingerprint=files_digest(model)) -> Stream
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deskcheck.models import Question
from deskcheck.records import Completion

BATCH = 64
"""Questions that are answered at once."""


class TinyEngine:
    """The shipped model as an engine: system message = head, user message = body."""

    batch = BATCH

    def __init__(self, model: Any, request: Callable[..., Any], *, fingerprint: str) -> None:
        self.model = model
        self.request = request
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Hash of the model's files."""
        return self._fingerprint

    def answer(self, questions: list[Question]) -> list[Completion]:
        """One batch of the model."""
        completions: list[Completion] = self.model.generate([self._request(one) for one in questions])
        return completions

    def submit(self, question: Question, ticket: object) -> None:
        """Take one question; its ticket comes back with the answer."""
        self.model.batch.submit(self._request(question), ticket)

    def step(self) -> list[tuple[object, Completion]]:
        """Advance all questions under way; return the finished ones."""
        done: list[tuple[object, Completion]] = self.model.batch.step()
        return done

    def clear(self) -> None:
        """Forget all questions under way, after an error."""
        self.model.reset()

    def _request(self, question: Question) -> Any:
        prompt = question.prompt
        head = "".join(message.text for message in prompt.messages if message.role == "system")
        body = "".join(message.text for message in prompt.messages if message.role != "system")
        return self.request(
            head=head,
            body=body,
            max_tokens=prompt.max_tokens,
            stop=prompt.stop,
            logprobs=prompt.logprobs,
            sequence=f"{question.task_id}\n{question.sample}" if question.task_id else "",
            temperature=max(0.0, prompt.temperature),
            seed=question.seed,
        )


def files_digest(model: Any) -> str:
    """Of the model's files; of its card what is read of it, so that numbers written there change nothing."""
    folder = Path(str(getattr(model, "path", "")))
    digest = hashlib.sha256()
    files = sorted(folder.iterdir()) if folder.is_dir() else [folder] if folder.is_file() else []
    for file in files:
        if file.is_file():
            content = file.read_bytes()
            read = content.split(b"\n---\n")[0] if file.name == "README.md" else content
            digest.update(file.name.encode() + b"\0" + read)
    return digest.hexdigest()[:16] if files else "shipped"
