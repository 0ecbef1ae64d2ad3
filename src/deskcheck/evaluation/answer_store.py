"""What was answered, one JSON line per sample, appended as it comes: nothing paid for is asked again.

    kept = Kept.open(folder);  kept.find(task_id, sample, asked)  -> Attempt | None;  kept.add(...)

A line is found again only under the same question (a hash over program and first prompt), so a changed data
file or prompt is asked anew. Attempts that ended in an error of the model are not found: the next run asks
them again. The last line may be torn by a kill; it is ignored. The chain of a step loop is stored once, as
columns.

    with locked(folder): ..     one run at a time asks a cell; another one is refused and told so
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.records import Answer, Attempt, Completion, NoAnswer, Prompt, Task

FILE = "answers.jsonl"
_Number = TypeVar("_Number", int, float)


class Calls(Struct, frozen=True, omit_defaults=True):
    """The completions of one sample as columns, one entry a call."""

    text: list[str]
    finish: list[str]
    tokens_in: list[int]
    tokens_out: list[int]
    latency_s: list[float]
    hidden: list[int] = []
    """Empty where no call reported any."""
    logprob: list[float] = []
    """Empty where no call reported one."""


class Line(Struct, frozen=True, omit_defaults=True):
    """One stored sample, a line of the file."""

    task: str
    sample: int
    asked: str
    """Hash of the question (`question_hash`)."""
    answer: Answer | NoAnswer
    calls: Calls
    chain: list[str] = []
    chain_is_text: bool = False
    """The chain is the text of the calls, word for word, and not stored twice."""
    apart: int = -1


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a cell's folder. UserError where another run holds it; the system lets go when a run dies."""
    folder.mkdir(parents=True, exist_ok=True)
    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                raise UserError(
                    f"another run is asking {folder}: its answers would be paid for twice; wait for it, or "
                    "name another --log-dir"
                ) from None
            # A file system without locks: as without this.
        yield
    finally:
        os.close(held)


class Kept:
    """The answers of one cell: read at the beginning, appended to as samples finish."""

    is_paid = False
    """Each answer is on the disk before the next one counts: it cost money."""

    def __init__(self, path: Path, lines: dict[tuple[str, int], Line]) -> None:
        self.path = path
        self.lines = lines
        self._file: BufferedWriter | None = None

    @classmethod
    def open(cls, folder: Path) -> Kept:
        """Read what a folder has; a folder without answers is an empty start."""
        path = folder / FILE
        return cls(path, {(line.task, line.sample): line for line in read_lines(path)})

    def find(self, task_id: str, sample: int, asked: str) -> Attempt | None:
        """The finished attempt at exactly this question."""
        line = self.lines.get((task_id, sample))
        if line is None or line.asked != asked:
            return None
        if isinstance(line.answer, NoAnswer) and line.answer.reason == "error":
            return None
        return as_attempt(line)

    def add(self, task_id: str, sample: int, asked: str, attempt: Attempt) -> None:
        """Append one finished sample; it is on its way to the disk when this returns."""
        line = as_line(task_id, sample, asked, attempt)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            _end_torn_line(self.path)
            self._file = self.path.open("ab")
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()  # a sample is asked once a run: nobody looks for it again
        if self.is_paid:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Flush the stored answers to the disk."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None


def read_lines(path: Path) -> Iterator[Line]:
    """All whole lines; what a kill tore is skipped, because it was never finished."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for text in file:
            try:
                yield msgspec.json.decode(text, type=Line)
            except msgspec.MsgspecError:
                continue


def _end_torn_line(path: Path) -> None:
    if path.exists() and path.stat().st_size:
        with path.open("rb+") as file:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")


def as_line(task_id: str, sample: int, asked: str, attempt: Attempt) -> Line:
    """An attempt as one line."""
    texts = [completion.text for completion in attempt.completions]
    calls = Calls(
        text=texts,
        finish=[completion.finish_reason for completion in attempt.completions],
        tokens_in=[completion.n_tokens_in for completion in attempt.completions],
        tokens_out=[completion.n_tokens_out for completion in attempt.completions],
        latency_s=[completion.latency_s for completion in attempt.completions],
        hidden=_told([completion.n_tokens_hidden for completion in attempt.completions], -1),
        logprob=_told([completion.logprob for completion in attempt.completions], 1.0),
    )
    same = bool(attempt.chain) and attempt.chain == texts
    chain = [] if same else attempt.chain
    return Line(task_id, sample, asked, attempt.answer, calls, chain, same, attempt.apart)


def as_attempt(line: Line) -> Attempt:
    """The attempt that a line was made from."""
    columns = line.calls
    n = len(columns.text)
    rows = zip(
        columns.text,
        columns.finish,
        columns.tokens_in,
        columns.tokens_out,
        columns.latency_s,
        columns.hidden or [-1] * n,
        columns.logprob or [1.0] * n,
        strict=True,
    )
    completions = [Completion(*row) for row in rows]
    chain = list(columns.text) if line.chain_is_text else line.chain
    return Attempt(line.answer, completions, chain, line.apart)


def _told(column: list[_Number], unknown: _Number) -> list[_Number]:
    return [] if all(entry == unknown for entry in column) else column


def question_hash(task: Task, prompt: Prompt) -> str:
    """16 hex digits over kind, program, task and first prompt: another question has another hash."""
    digest = hashlib.sha256(f"{task.kind}\0{task.program.id}\0{task.id}\0".encode())
    asked = msgspec.to_builtins(prompt)
    if not asked["schema"]:  # so that answers to prompts without one keep their hash
        del asked["schema"]
    digest.update(msgspec.json.encode(asked))
    return digest.hexdigest()[:16]
