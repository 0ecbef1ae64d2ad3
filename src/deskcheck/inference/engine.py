"""Interface and shared parts of engines, which run a model on this machine to answer questions.

    class TinyModel(Model): tokens, text, piece, ends        class HubModel(Model): the same for a hub model
    TinyEngine(model, Request, fingerprint=files_digest(model)) -> Stream
    load_engine("scripted", {"answers": ["[ANSWER]1[/ANSWER]"]}) -> Engine     its file in models/
    read_card(Path("my_model")) -> Card(["direct", "scratchpad", "compact", "line-1"], comments=False)

The system message of a prompt is its head, the user message its body. The attention keys and values of a head
are computed once and cached; the cache keeps the heads used last, up to HEAD_BYTES. A card states facts about
a model's training. It is the front matter of README.md in the model's folder, where training writes it:

    layouts: [direct, scratchpad, compact, line-1]
    comments: false
"""

from __future__ import annotations

import hashlib
import re
import sys
import zlib
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Struct, field

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.inference.network import Network, RowInput
from deskcheck.inference.slots import SCORES, Batch, Request, Row
from deskcheck.records import Completion, Prompt


class Question(Struct, frozen=True):
    """One prompt with its task, sample and call; `replay` and `scripted` find their answer by these."""

    prompt: Prompt
    task_id: str
    """Task.id; "" if the prompt does not come from a task."""
    sample: int
    """0-based sample of the task."""
    call: int
    """0-based number of the request within the sample: the step of a step loop."""

    @property
    def seed(self) -> int:
        """Seed of a draw at a temperature, different for every call of every sample."""
        return zlib.crc32(f"{self.task_id}\n{self.sample}\n{self.call}".encode())


class Engine(Protocol):
    """Interface of a model that answers batches of questions; called from one thread only."""

    batch: int
    """Number of questions in an efficient batch."""

    @property
    def fingerprint(self) -> str:
        """Hash of weights, file or script, which changes when the answers may change."""
        ...

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Return one completion per question, in order; a failed one has finish reason "error"."""
        ...


class Stream(Engine, Protocol):
    """An engine that takes questions while it works on others, and returns each answer when it is ready."""

    def submit(self, question: Question, ticket: object) -> None:
        """Take a question; its ticket is returned with the answer."""
        ...

    def step(self) -> list[tuple[object, Completion]]:
        """Advance all questions a little, and return the answers that are ready."""
        ...

    def clear(self) -> None:
        """Forget all questions and answers under way, after an error."""
        ...


HEAD_BYTES = 256 << 20
"""Bytes of cached keys and values of heads, over all heads of one model."""


class _Head(NamedTuple):
    """Tokens of a head and, once computed, its keys and values."""

    ids: list[int]
    values: Any
    n_bytes: int


class Model(ABC):
    """A loaded model: its files (`path`), network and cached heads. One thread at a time may use it."""

    ends: frozenset[int]
    """Tokens that end an answer."""

    def __init__(self, path: Path, network: Network) -> None:
        self.path = path
        self.shape = network.shape
        self.network = network
        self.batch = Batch(self)
        self._heads: OrderedDict[str, _Head] = OrderedDict()
        self._heads_bytes = 0
        self.n_heads_computed = 0
        """Number of heads whose keys and values were computed rather than found in the cache."""

    @abstractmethod
    def tokens(self, text: str) -> list[int]:
        """Encode a text as the model reads it."""

    @abstractmethod
    def text(self, tokens: list[int]) -> str:
        """Decode tokens into the text that they spell."""

    @abstractmethod
    def piece(self, token: int) -> str:
        """Return the text of one token by itself."""

    @abstractmethod
    def head_tokens(self, head: str) -> list[int]:
        """Encode a head as the model reads it, with the token that begins every sequence."""

    def generate(self, requests: list[Request]) -> list[Completion]:
        """Return one completion per request, in order; `n_tokens_out` counts an answer's end token, too."""
        for number, request in enumerate(requests):
            self.batch.submit(request, number)
        answers: dict[int, Completion] = {}
        while len(answers) < len(requests):
            answers.update(self.batch.step())
        return [answers[number] for number in range(len(requests))]

    def reset(self) -> None:
        """Forget the requests under way and their keys, which an error may have left incomplete."""
        self.batch = Batch(self)

    def row(self, request: Request, ticket: Any) -> Row:
        """Encode a request as a row of tokens; it is finished already if no token may be written."""
        if request.head and not request.head.endswith("\n"):  # a token could span head and body
            whole = request.head + request.body
            request = msgspec.structs.replace(request, head="", body=whole)
        guess = self.tokens(request.guess) if request.guess else []
        row = Row(request, self._head(request.head).ids, self.tokens(request.body), ticket, guess)
        if request.max_tokens < 1 or len(row.prompt) >= self.shape.max_positions:
            row.finish = "length"
        return row

    def completion(self, row: Row) -> Completion:
        """Make the completion of a finished row."""
        text = self.text([t for t in row.out if t not in self.ends])
        for stop in row.request.stop:
            if stop:
                text = text.split(stop)[0]
        return Completion(
            text=text,
            finish_reason=row.finish,
            n_tokens_in=len(row.prompt),
            n_tokens_out=len(row.out),
            latency_s=perf_counter() - row.started,
            logprob=min(0.0, row.logprob) if row.request.logprobs else 1.0,
        )

    # -------------------------------------------------------------- heads

    def read_heads(self, heads: list[str]) -> None:
        """Compute the keys and values of those heads that have none yet, in few calls of the network."""
        missing = {head: self._head(head) for head in heads if self._head(head).values is None}
        for part in _parts(missing, self.shape.heads):
            cache = self.network.cache(rows=len(part))
            inputs = [RowInput(row, 0, missing[head].ids) for row, head in enumerate(part)]
            cache.forward(inputs, wanted=[])
            self.n_heads_computed += len(part)
            for row, head in enumerate(part):
                ids = missing[head].ids
                n_bytes = len(ids) * self.shape.position_bytes
                self._keep(head, _Head(ids, cache.read(row, len(ids)), n_bytes))

    def head_values(self, head: str) -> Any:
        """Return the keys and values of a head, in the form that a cache's `write` takes."""
        self.read_heads([head])
        return self._heads[head].values

    def _head(self, head: str) -> _Head:
        if head in self._heads:
            self._heads.move_to_end(head)
            return self._heads[head]
        return self._keep(head, _Head(self.head_tokens(head), None, 1 << 10))

    def _keep(self, head: str, entry: _Head) -> _Head:
        old = self._heads.pop(head, None)
        self._heads_bytes += entry.n_bytes - (old.n_bytes if old else 0)
        self._heads[head] = entry
        while self._heads_bytes > HEAD_BYTES and len(self._heads) > 1:
            self._heads_bytes -= self._heads.popitem(last=False)[1].n_bytes
        return entry


def _parts(heads: dict[str, _Head], n_heads: int) -> list[list[str]]:
    """Group heads of similar length, each group within the SCORES of one call."""
    parts: list[list[str]] = []
    for head in sorted(heads, key=lambda head: len(heads[head].ids)):
        n = len(heads[head].ids)
        if not parts or (len(parts[-1]) + 1) * n * n * n_heads > SCORES:
            parts.append([])
        parts[-1].append(head)
    return parts


BATCH = 64
"""Number of questions that `TinyEngine` answers at once."""


class TinyEngine:
    """Engine of a `Model`: system messages are the head of a request, all other messages its body.

    `request`: the class of the model's requests; `fingerprint`: hash of the model's files.
    """

    batch = BATCH
    is_greedy = True
    """Whether equal prompts have equal replies, unless a temperature is asked for."""

    def __init__(self, model: Any, request: Callable[..., Any], *, fingerprint: str) -> None:
        self.model = model
        self.request = request
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> str:
        """Hash of the model's files."""
        return self._fingerprint

    def answer(self, questions: list[Question]) -> list[Completion]:
        """Answer all questions as one batch of the model."""
        completions: list[Completion] = self.model.generate([self._request(one) for one in questions])
        return completions

    def submit(self, question: Question, ticket: object) -> None:
        """Take one question; its ticket is returned with the answer."""
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
    """Hash the model's files to 16 hex digits; "shipped" if it has no files.

    Of the card only the front matter counts, so that a change of its text changes nothing.
    """
    folder = Path(str(getattr(model, "path", "")))
    digest = hashlib.sha256()
    files = sorted(folder.iterdir()) if folder.is_dir() else [folder] if folder.is_file() else []
    for file in files:
        if file.is_file():
            content = file.read_bytes()
            read = content.split(b"\n---\n")[0] if file.name == "README.md" else content
            digest.update(file.name.encode() + b"\0" + read)
    return digest.hexdigest()[:16] if files else "shipped"


_LAYOUTS = re.compile(r"^layouts:\s*\[([^\]\n]*)\]\s*$", re.MULTILINE)
_PYTHON = re.compile(r'^python:\s*"?(\d+)\.(\d+)"?\s*$', re.MULTILINE)
_NO_COMMENTS = re.compile(r"^comments:\s*false\s*$", re.MULTILINE)


INLINED = (3, 12)
"""First version of CPython that executes a comprehension inside its function (PEP 709)."""


class Card(Struct, frozen=True):
    """Facts about a model's training, from its card."""

    layouts: list[str] = field(default_factory=list)
    """Layouts of its training; empty = not stated."""
    comments: bool = True
    """False if the card states that no program of its training had a comment."""
    python: tuple[int, int] | None = None
    """Version of CPython that made the traces of its training; None = not stated."""

    @property
    def comprehensions(self) -> str:
        """Explain how the model's Python and this one execute a comprehension; "" if alike or not stated."""
        here = sys.version_info[:2]
        if self.python is None or (self.python >= INLINED) == (here >= INLINED):
            return ""
        theirs, ours = (
            f"Python {major}.{minor}, which executes a comprehension "
            + ("inside its function" if (major, minor) >= INLINED else "as a call of its own")
            for major, minor in (self.python, here)
        )
        return f"The model learned from runs of {theirs}. This is {ours}."


def read_card(folder: Path) -> Card:
    """Read the card in a folder; an empty card if there is none."""
    file = folder / "README.md"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    parts = text.split("---\n", 2)
    front = parts[1] if len(parts) == 3 and not parts[0].strip() else ""
    found = _LAYOUTS.search(front)
    layouts = [name.strip() for name in found.group(1).split(",")] if found else []
    version = _PYTHON.search(front)
    return Card(
        [name for name in layouts if name],
        comments=not _NO_COMMENTS.search(front),
        python=(int(version.group(1)), int(version.group(2))) if version else None,
    )


# ------------------------------------------------------------------ engines by their names

PROVIDER = "deskcheck/"
"""Beginning of an engine's full name: "deskcheck/tiny"."""


def load_engine(name: str, args: dict[str, Any]) -> Engine:
    """Return the engine of that name, a file in models/, made with these arguments.

    UnknownName for another name; UserError names an argument that the engine does not take.
    """
    if name not in plugins.names("model"):
        raise UnknownName("deskcheck model", name, plugins.names("model"))
    module = plugins.load("model", name)
    try:
        engine: Engine = module.engine(**args)
    except TypeError as error:
        if "argument" not in str(error):
            raise
        raise UserError(
            f"{PROVIDER}{name}: {error}; given with -M: {', '.join(sorted(args)) or 'nothing'}"
        ) from None
    return engine


def suited_strategy(model: str) -> str:
    """Return the strategy for which an engine's model was trained; "" for chat models and other providers.

    `model`: name with its provider, "deskcheck/tiny".
    """
    return _declared(model, "STRATEGY")


def stronger_strategy(model: str) -> str:
    """Return a slower strategy with which an engine's own model is right more often; "" = none is known."""
    return _declared(model, "STRONGER")


def _declared(model: str, what: str) -> str:
    name = model.removeprefix(PROVIDER)
    if name == model or name not in plugins.names("model"):
        return ""
    return str(getattr(plugins.load("model", name), what, ""))
