"""Load and run `tiny`, the model that ships with deskcheck, on onnxruntime without torch.

    model = load()
    model.generate([Request(head="[direct]\\n@1 def f(n): return n\\n", body="call f(3)\\n", max_tokens=64)])
    -> [Completion(text="<- 3", finish_reason="stop", ..)]

Sampling is greedy unless a request has a temperature. Requests with the same head (the beginning of a prompt)
share its attention keys and values, computed once and cached (`inference/engine.py`). Requests of any length
run in one batch (`inference/slots.py`); batching does not change an answer. The card, `tiny_model/README.md`,
names the layouts that it was trained on and its scores.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from deskcheck.errors import DataError, MissingExtra
from deskcheck.inference.engine import Model, TinyEngine, files_digest
from deskcheck.inference.network import Digits, Network, OnnxNetwork
from deskcheck.inference.network import Shape as Shape
from deskcheck.inference.slots import Request as Request

if TYPE_CHECKING:
    from tokenizers import Tokenizer

SHIPPED = Path(__file__).parent / "tiny_model"
FILES = ("model.onnx", "tokenizer.json", "config.json")
BOS_ID, EOS_ID = 1, 2  # tokens that begin a sequence and end an answer
STRATEGY = "direct"
"""Default strategy: tiny reads the layouts that it was trained on, and is no chat model."""
STRONGER = "sub"
"""Strategy that asks the shipped model step by step, and is right more often (its card)."""


class TinyModel(Model):
    """The shipped model, or another one in its format."""

    ends = frozenset({EOS_ID})

    def __init__(self, path: Path, network: Network, tokenizer: Tokenizer) -> None:
        super().__init__(path, network)
        self._tokenizer = tokenizer
        self._digits = Digits(tokenizer.token_to_id)
        self._pieces = [tokenizer.decode([n]) for n in range(self.shape.vocabulary)]

    def tokens(self, text: str) -> list[int]:
        """Encode a text as the model reads it."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return self._digits.turned(ids) if self.shape.last_digit_first else ids

    def text(self, tokens: list[int]) -> str:
        """Decode tokens into the text that they spell."""
        ids = self._digits.turned(tokens) if self.shape.last_digit_first else tokens
        return str(self._tokenizer.decode(ids))

    def piece(self, token: int) -> str:
        """Return the text of one token by itself."""
        return self._pieces[token]

    def head_tokens(self, head: str) -> list[int]:
        """Encode a head, after the token that begins every sequence."""
        return [BOS_ID, *self.tokens(head)]


def load(path: str = "", *, threads: int = 0) -> TinyModel:
    """Load the shipped model, or the one in the folder `path` (as `deskcheck export` writes it).

    `threads`: processor threads of one pass; 0 = as many as OMP_NUM_THREADS says, or 2.
    """
    try:
        import numpy  # noqa: F401
        import onnxruntime
        import tokenizers
    except ImportError as error:
        raise MissingExtra(
            error.name or "onnxruntime", "eval", f"the model in '{path}'" if path else "the model 'tiny'"
        ) from None
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
        options.intra_op_num_threads = threads or threads_of(os.environ)
        options.log_severity_level = 3
        options.enable_mem_pattern = False  # batch shapes vary
        session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the libraries raise many types
        raise DataError(
            f"the model in '{folder}' cannot be read: {error}; restore it from a copy, or write it "
            "again: deskcheck export RUN --out DIR"
        ) from error
    tokenizer.encode_special_tokens = True  # "</s>" in a program is text; tokenizer.json does not store this
    if "pick" not in {one.name for one in session.get_inputs()}:
        raise DataError(
            f"the model in '{folder}' was exported by an older deskcheck; "
            f"write it again: deskcheck export {path or 'tiny'} --out DIR"
        )
    return TinyModel(folder, OnnxNetwork(session, shape), tokenizer)


def threads_of(environment: Mapping[str, str]) -> int:
    """Return the threads that an environment asks of numerical libraries; 2 if it names no number."""
    asked = environment.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and int(asked) else 2


def engine(path: str = "", threads: int = 0) -> TinyEngine:
    """Load the engine of the shipped model, or of the one in the folder `path`."""
    model = load(path, threads=threads)
    return TinyEngine(model, Request, fingerprint=files_digest(model))
