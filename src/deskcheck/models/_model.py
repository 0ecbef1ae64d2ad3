"""What any model that reads heads and bodies shares: tokens of requests, heads read once, answers.

    class TinyModel(Model): tokens, text, piece, ends        class HubModel(Model): the same for a hub model

A head's keys and values are computed once, the first time, and kept (the latest HEAD_BYTES of them).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import msgspec

from deskcheck.models._network import Fed, Network
from deskcheck.models._slots import SCORES, Batch, Request, Row
from deskcheck.records import Completion

HEAD_BYTES = 256 << 20


class _Head(NamedTuple):
    """Tokens of a head and, once computed, its keys and values."""

    ids: list[int]
    values: Any
    n_bytes: int


class Model(ABC):
    """A loaded model. Not for several threads at once."""

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
        """Heads whose keys and values were computed rather than found."""

    @abstractmethod
    def tokens(self, text: str) -> list[int]:
        """Encode a text as the model reads it."""

    @abstractmethod
    def text(self, tokens: list[int]) -> str:
        """Decode tokens into the text that they spell."""

    @abstractmethod
    def piece(self, token: int) -> str:
        """Text of one token by itself."""

    @abstractmethod
    def head_tokens(self, head: str) -> list[int]:
        """A head as the model reads it, with what begins every sequence."""

    def generate(self, requests: list[Request]) -> list[Completion]:
        """One completion per request, in order; `n_tokens_out` counts the end mark."""
        for number, request in enumerate(requests):
            self.batch.submit(request, number)
        answers: dict[int, Completion] = {}
        while len(answers) < len(requests):
            answers.update(self.batch.step())
        return [answers[number] for number in range(len(requests))]

    def reset(self) -> None:
        """Forget the requests under way and their keys: after an error nobody knows what is there."""
        self.batch = Batch(self)

    def row(self, request: Request, ticket: Any) -> Row:
        """A request in tokens; it is finished already where nothing may be written."""
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
        """Compute the keys and values of those that are not there yet, together."""
        missing = {head: self._head(head) for head in heads if self._head(head).values is None}
        for part in _parts(missing, self.shape.heads):
            cache = self.network.cache(rows=len(part))
            fed = [Fed(row, 0, missing[head].ids) for row, head in enumerate(part)]
            cache.forward(fed, wanted=[])
            self.n_heads_computed += len(part)
            for row, head in enumerate(part):
                ids = missing[head].ids
                n_bytes = len(ids) * self.shape.position_bytes
                self._keep(head, _Head(ids, cache.read(row, len(ids)), n_bytes))

    def head_values(self, head: str) -> Any:
        """Keys and values of a head, as a cache's `write` takes them."""
        self.read_heads([head])
        return self._heads[head].values

    def _head(self, head: str) -> _Head:
        if head in self._heads:
            self._heads.move_to_end(head)
            return self._heads[head]
        return self._keep(head, _Head(self.head_tokens(head), None, 1 << 10))

    def _keep(self, head: str, found: _Head) -> _Head:
        old = self._heads.pop(head, None)
        self._heads_bytes += found.n_bytes - (old.n_bytes if old else 0)
        self._heads[head] = found
        while self._heads_bytes > HEAD_BYTES and len(self._heads) > 1:
            self._heads_bytes -= self._heads.popitem(last=False)[1].n_bytes
        return found


def _parts(heads: dict[str, _Head], n_heads: int) -> list[list[str]]:
    """Heads of like length together, as many as one call may read."""
    parts: list[list[str]] = []
    for head in sorted(heads, key=lambda head: len(heads[head].ids)):
        n = len(heads[head].ids)
        if not parts or (len(parts[-1]) + 1) * n * n * n_heads > SCORES:
            parts.append([])
        parts[-1].append(head)
    return parts
