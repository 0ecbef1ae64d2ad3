"""tiny: the model that ships with deskcheck, on onnxruntime, without torch.

    model = load()
    model.generate([Request(head="[direct]\\n@1 def f(n): return n\\n", body="call f(3)\\n", max_tokens=64)])
    -> [Completion(text="<- 3", finish_reason="stop", ..)]

Greedy unless a request says otherwise. Requests with one head share its keys and values: they are computed
once, the first time, and kept (the latest HEAD_BYTES of them). Requests of any length run together
(`_slots.py`), and a request's answer is the same alone and in company. Trained on the layouts that its card
names; the card lies beside the file and says how well it does.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from deskcheck.errors import DataError, MissingExtra
from deskcheck.models._digits import Digits
from deskcheck.models._network import Fed, Network, OnnxNetwork
from deskcheck.models._network import Shape as Shape
from deskcheck.models._slots import BOS_ID, EOS_ID, SCORES, Batch, Row
from deskcheck.models._slots import Request as Request
from deskcheck.records import Completion

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SHIPPED = Path(__file__).parent / "tiny_model"
FILES = ("model.onnx", "tokenizer.json", "config.json")
HEAD_BYTES = 256 << 20


class _Head(NamedTuple):
    """Tokens of a head and, once computed, its keys and values."""

    ids: list[int]
    values: Any
    n_bytes: int


class TinyModel:
    """A loaded model. Not for several threads at once."""

    def __init__(self, path: Path, network: Network, tokenizer: Tokenizer) -> None:
        self.path = path
        self.shape = network.shape
        self.network = network
        self._tokenizer = tokenizer
        self._digits = Digits(tokenizer.token_to_id)
        self.pieces = [tokenizer.decode([n]) for n in range(self.shape.vocabulary)]
        self.batch = Batch(self)
        self._heads: OrderedDict[str, _Head] = OrderedDict()
        self._heads_bytes = 0
        self.n_heads_computed = 0
        """Heads whose keys and values were computed rather than found."""

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

    def tokens(self, text: str) -> list[int]:
        """A text as the model reads it."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return self._digits.turned(ids) if self.shape.last_digit_first else ids

    def text(self, tokens: list[int]) -> str:
        """The inverse."""
        ids = self._digits.turned(tokens) if self.shape.last_digit_first else tokens
        return str(self._tokenizer.decode(ids))

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
        """What a finished row has to say."""
        text = self.text([t for t in row.out if t != EOS_ID])
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
        return self._keep(head, _Head([BOS_ID, *self.tokens(head)], None, 1 << 10))

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
    if "pick" not in {one.name for one in session.get_inputs()}:
        raise DataError(
            f"the model in '{folder}' was exported by an older deskcheck; "
            f"write it again: deskcheck export {path or 'tiny'} --out DIR"
        )
    return TinyModel(folder, OnnxNetwork(session, shape), tokenizer)
