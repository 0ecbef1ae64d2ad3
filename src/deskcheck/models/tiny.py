"""tiny: the model that ships with deskcheck, on onnxruntime, without torch.

    model = load()
    model.generate([Request(head="[direct]\\n@1 def f(n): return n\\n", body="call f(3)\\n", max_tokens=64)])
    -> [Completion(text="<- 3", finish_reason="stop", ..)]

Greedy. Requests with one head share its keys and values: they are computed once, the first time, and kept
(the latest HEAD_BYTES of them). Requests of different lengths run in one batch: a mask says which cached
positions are there, so nothing is aligned, and a request's answer is the same alone and in company.
Trained on four layouts (`deskcheck train`); the model card beside the file says on what, and how well it
does.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct, field

from deskcheck.errors import DataError, MissingExtra
from deskcheck.models._digits import Digits
from deskcheck.records import Completion

if TYPE_CHECKING:
    import numpy as np
    from tokenizers import Tokenizer

    Array = np.ndarray[Any, np.dtype[Any]]

SHIPPED = Path(__file__).parent / "tiny_model"
FILES = ("model.onnx", "tokenizer.json", "config.json")
BOS_ID, EOS_ID = 1, 2
HEAD_BYTES = 256 << 20
BATCH_ROWS = 64
BATCH_TOKENS = 1 << 16
"""Cached positions of one batch, at most; 64 rows of 1,024 tokens."""
CACHE_GROWTH = 64


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """Size of a model; `config.json` beside the weights."""

    vocabulary: int
    hidden: int
    layers: int
    heads: int
    intermediate: int
    rope_base: float
    norm_epsilon: float
    trained_length: int
    """Longest sequence that it was trained on, in tokens."""
    max_positions: int
    """Longest sequence that it is asked about; longer ones end with finish reason "length"."""
    last_digit_first: bool = False
    """Numbers go through the model with their last digit first (`_digits.py`)."""

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden // self.heads


class Request(Struct, frozen=True):
    """One prompt in the two parts that a layout gives it."""

    head: str
    """Layout name and numbered code, ending with a newline; cached. May be empty."""
    body: str
    max_tokens: int
    stop: list[str] = field(default_factory=list)
    """The answer ends before the first of these."""
    logprobs: bool = False
    """Also tell the answer's log-probability."""


class _Cached(NamedTuple):
    """Keys and values of one head: float32 (2 * layers, heads, tokens, head size)."""

    values: Array
    n_tokens: int


class _Row:
    """One request under way."""

    def __init__(self, request: Request, head: list[int], body: list[int]) -> None:
        self.request = request
        self.head = head
        self.body = body
        self.out: list[int] = []
        self.tail = ""
        self.finish = ""
        self.latency_s = 0.0
        self.logprob = 0.0

    @property
    def n_in(self) -> int:
        return len(self.head) + len(self.body)

    def take(self, token: int, piece: str, limit: int) -> None:
        """One more token of the answer."""
        self.out.append(token)
        self.tail = (self.tail + piece)[-256:]
        if token == EOS_ID or any(s and s in self.tail for s in self.request.stop):
            self.finish = "stop"
        elif len(self.out) >= self.request.max_tokens or self.n_in + len(self.out) >= limit:
            self.finish = "length"


class TinyModel:
    """A loaded model. Not for several threads at once."""

    def __init__(self, path: Path, shape: Shape, session: Any, tokenizer: Tokenizer) -> None:
        import numpy as np

        self.path = path
        self.shape = shape
        self._session = session
        self._tokenizer = tokenizer
        self._digits = Digits(tokenizer.token_to_id)
        self._pieces = [tokenizer.decode([n]) for n in range(shape.vocabulary)]
        self._heads: OrderedDict[tuple[int, ...], _Cached] = OrderedDict()
        self._heads_bytes = 0
        self._no_head = _Cached(np.zeros((2 * shape.layers, shape.heads, 0, shape.head_size), np.float32), 0)
        self.n_heads_computed = 0
        """Heads whose keys and values were computed rather than found."""

    def generate(self, requests: list[Request]) -> list[Completion]:
        """One completion per request, in order. Greedy; `n_tokens_out` counts the end mark."""
        rows = [self._row(request) for request in requests]
        ready = [row for row in rows if not row.finish]
        for batch in _batches(sorted(ready, key=lambda r: (r.n_in, r.request.head))):
            started = perf_counter()
            _Batch(self, batch).run()
            for row in batch:
                row.latency_s = perf_counter() - started
        return [self._completion(row) for row in rows]

    def _row(self, request: Request) -> _Row:
        if not request.head.endswith("\n"):  # a token could span head and body: nothing to cache
            whole = request.head + request.body
            request = Request("", whole, request.max_tokens, request.stop, request.logprobs)
        head = [BOS_ID, *self._tokens(request.head)]
        row = _Row(request, head, self._tokens(request.body))
        if not row.body:  # something has to be asked: the end of the head
            row.head, row.body = head[:-1], head[-1:]
        if request.max_tokens < 1 or row.n_in >= self.shape.max_positions:
            row.finish = "length"
        return row

    def _tokens(self, text: str) -> list[int]:
        return self._turned(self._tokenizer.encode(text).ids)

    def _turned(self, tokens: list[int]) -> list[int]:
        return self._digits.turned(tokens) if self.shape.last_digit_first else tokens

    def _completion(self, row: _Row) -> Completion:
        text: str = self._tokenizer.decode(self._turned([t for t in row.out if t != EOS_ID]))
        for stop in row.request.stop:
            if stop:
                text = text.split(stop)[0]
        return Completion(
            text=text,
            finish_reason=row.finish,
            n_tokens_in=row.n_in,
            n_tokens_out=len(row.out),
            latency_s=row.latency_s,
            logprob=row.logprob if row.request.logprobs else 1.0,
        )

    # -------------------------------------------------------------- the network

    def forward(
        self, ids: Array, positions: Array, past_mask: Array, past: list[Array], wanted: Array
    ) -> list[Array]:
        """Logits (rows, wanted, vocabulary), then new keys and values by layer, shaped as `past`.

        `past` holds keys and values by layer, (rows, heads, past, head size); `past_mask` (rows, past) says
        which of them are there; `wanted` (rows, wanted) are the indices into `ids` whose logits are returned.
        """
        feed = {"input_ids": ids, "position_ids": positions, "past_mask": past_mask, "wanted": wanted}
        for layer in range(self.shape.layers):
            feed[f"past_key_{layer}"], feed[f"past_value_{layer}"] = past[2 * layer], past[2 * layer + 1]
        out: list[Array] = self._session.run(None, feed)
        return out

    def heads(self, rows: list[_Row]) -> list[_Cached]:
        """The cached heads of these rows; those that are missing are computed together."""
        missing = {tuple(row.head): row for row in rows if row.head and tuple(row.head) not in self._heads}
        found = {
            tuple(row.head): self._heads[tuple(row.head)] for row in rows if tuple(row.head) in self._heads
        }
        for key in found:
            self._heads.move_to_end(key)
        for part in _batches(sorted(missing.values(), key=lambda r: len(r.head))):
            for row, cached in zip(part, self._compute_heads([row.head for row in part]), strict=True):
                found[tuple(row.head)] = cached
                self._keep(tuple(row.head), cached)
        return [found.get(tuple(row.head), self._no_head) for row in rows]

    def _keep(self, key: tuple[int, ...], cached: _Cached) -> None:
        self._heads[key] = cached
        self._heads_bytes += cached.values.nbytes
        while self._heads_bytes > HEAD_BYTES and len(self._heads) > 1:
            self._heads_bytes -= self._heads.popitem(last=False)[1].values.nbytes

    def _compute_heads(self, heads: list[list[int]]) -> list[_Cached]:
        import numpy as np

        self.n_heads_computed += len(heads)
        ids, positions = _padded(heads, [0] * len(heads))
        shape = self.shape
        past = [np.zeros((len(heads), shape.heads, 1, shape.head_size), np.float32)] * (2 * shape.layers)
        mask = np.zeros((len(heads), 1), np.bool_)
        new = self.forward(ids, positions, mask, past, np.zeros((len(heads), 1), np.int64))[1:]
        # copies: a slice would keep the whole batch alive
        return [
            _Cached(np.stack([layer[n, :, : len(head)] for layer in new]), len(head))
            for n, head in enumerate(heads)
        ]


class _Batch:
    """Rows that run together until all are finished."""

    def __init__(self, model: TinyModel, rows: list[_Row]) -> None:
        import numpy as np

        self.np = np
        self.model = model
        self.rows = rows
        cached = model.heads(rows)
        self.lengths = [c.n_tokens for c in cached]
        shape = model.shape
        capacity = max(r.n_in for r in rows) + CACHE_GROWTH
        self.mask = np.zeros((len(rows), capacity), np.bool_)
        self.past = [
            np.zeros((len(rows), shape.heads, capacity, shape.head_size), np.float32)
            for _ in range(2 * shape.layers)
        ]
        for number, head in enumerate(cached):
            self.mask[number, : head.n_tokens] = True
            for layer in range(2 * shape.layers):
                self.past[layer][number, :, : head.n_tokens] = head.values[layer]

    def run(self) -> None:
        """Read the bodies, then one token at a time."""
        tokens = [row.body for row in self.rows]
        while True:
            self._step(tokens)
            live = [n for n, row in enumerate(self.rows) if not row.finish]
            if not live:
                return
            if len(live) < len(self.rows):
                self._keep(live)
            tokens = [row.out[-1:] for row in self.rows]

    def _step(self, tokens: list[list[int]]) -> None:
        np, model = self.np, self.model
        ids, positions = _padded(tokens, self.lengths)
        self._grow(ids.shape[1])
        wanted = np.array([[len(t) - 1] for t in tokens], np.int64)
        logits, *new = model.forward(ids, positions, self.mask, self.past, wanted)
        for number, own in enumerate(tokens):
            start, end = self.lengths[number], self.lengths[number] + len(own)
            self.mask[number, start:end] = True
            for layer, values in enumerate(new):
                self.past[layer][number, :, start:end] = values[number, :, : len(own)]
            self.lengths[number] = end
        for row, scores in zip(self.rows, logits[:, 0], strict=True):
            if row.request.logprobs:
                highest = scores.max()
                row.logprob -= float(np.log(np.exp(scores - highest).sum()))
        for row, token in zip(self.rows, logits[:, 0].argmax(-1).tolist(), strict=True):
            row.take(token, model._pieces[token], model.shape.max_positions)

    def _grow(self, n_tokens: int) -> None:
        np = self.np
        short = max(self.lengths) + n_tokens - self.mask.shape[1]
        if short > 0:
            more = -(-short // CACHE_GROWTH) * CACHE_GROWTH
            self.mask = np.pad(self.mask, ((0, 0), (0, more)))
            self.past = [np.pad(p, ((0, 0), (0, 0), (0, more), (0, 0))) for p in self.past]

    def _keep(self, live: list[int]) -> None:
        self.rows = [self.rows[n] for n in live]
        self.lengths = [self.lengths[n] for n in live]
        self.mask = self.mask[live]
        self.past = [p[live] for p in self.past]


def _batches(rows: list[_Row]) -> Iterator[list[_Row]]:
    batch: list[_Row] = []
    longest = 0
    for row in rows:
        longest = max(longest, row.n_in + row.request.max_tokens)
        if batch and (len(batch) >= BATCH_ROWS or (len(batch) + 1) * longest > BATCH_TOKENS):
            yield batch
            batch, longest = [], row.n_in + row.request.max_tokens
        batch.append(row)
    if batch:
        yield batch


def _padded(tokens: list[list[int]], starts: list[int]) -> tuple[Array, Array]:
    """Token ids and positions (rows, longest). What pads comes last, so no real token sees it."""
    import numpy as np

    width = max(map(len, tokens))
    ids = np.zeros((len(tokens), width), np.int64)
    for number, own in enumerate(tokens):
        ids[number, : len(own)] = own
    return ids, np.array(starts, np.int64)[:, None] + np.arange(width, dtype=np.int64)


def load(path: str = "", *, threads: int = 2) -> TinyModel:
    """The shipped model, or the one in the folder `path` (as `deskcheck export` writes it)."""
    try:
        import numpy  # noqa: F401
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtra(error.name or "onnxruntime", "eval", "the model 'tiny'") from None
    folder = Path(path) if path else SHIPPED
    absent = [name for name in FILES if not (folder / name).is_file()]
    if absent:
        what = f"no model in '{folder}'" if path else "this installation ships no model"
        raise DataError(
            f"{what}: {', '.join(absent)} missing; make one with: deskcheck train --preset tiny --out DIR"
        )
    try:
        shape = msgspec.json.decode((folder / "config.json").read_bytes(), type=Shape)
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        options.enable_mem_pattern = False  # every batch has another shape
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # foreign formats, foreign exceptions
        raise DataError(f"the model in '{folder}' cannot be read: {error}") from error
    tokenizer.encode_special_tokens = True  # "</s>" in a program is text; the file does not keep this setting
    return TinyModel(folder, shape, session, tokenizer)
