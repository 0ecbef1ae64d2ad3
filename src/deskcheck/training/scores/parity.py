"""Compare an exported file with transformers on the same weights, on held-out questions.

    parity("runs/tiny", "out") -> Parity(n=24, worst=2.7e-05, largest=18.4, ..)

The questions are the first ones of `direct` and `line-1` about held-out programs. The logits of every token
of a question, and the whole greedy answer, are compared with those of transformers on the exported weights
(rounded values, products in fp32). A difference over TOLERANCE or one different answer is an error of the
export. A second comparison counts the answers that differ with the checkpoint's own weights: the cost of
rounding. It is left out if nothing was rounded.
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import DataError, MissingExtra
from deskcheck.inference.network import RowInput
from deskcheck.models.tiny import Request, Shape, load
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.training.data import split_prompt
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.graph import Weights
from deskcheck.training.tokenizer import EOS_ID, PAD_ID

TOLERANCE = 1e-5
"""Largest allowed difference of a logit, as a share of the largest logit (30 in the shipped model)."""
FAMILY = "easy"
LAYOUTS = ("direct", "line-1")
N_QUESTIONS = 24
MAX_TOKENS = 64
"""Token limit of an answer."""


class Parity(Struct, frozen=True):
    """Result of comparing an exported file with transformers."""

    n: int
    """Number of questions."""
    worst: float
    """Largest difference of a logit on the same weights."""
    largest: float
    """Largest logit."""
    n_tokens: int
    """Number of tokens whose logits were compared."""
    n_highest: int
    """Number of these for which the same token has the highest logit."""
    n_other: int
    """Greedy answers that differ from those of the same weights; `checked` raises unless it is 0."""
    n_rounded: int = -1
    """Greedy answers that differ from those of the checkpoint's weights; -1 = nothing was rounded."""


def parity(checkpoint: str, exported: str, *, n: int = N_QUESTIONS) -> Parity:
    """Compare an exported model with its checkpoint in transformers.

    MissingExtra without torch or transformers.
    """
    weights, asked, stored = read_weights(checkpoint), _Asked(exported, n), read_weights(exported)
    found = asked.beside(_Reference(read_shape(exported), stored))
    if all(np.array_equal(weights[name], value) for name, value in stored.items()):
        return found
    n_rounded = asked.n_other(_Reference(read_shape(exported), weights))
    return msgspec.structs.replace(found, n_rounded=n_rounded)


def checked(parity: Parity) -> Parity:
    """Return the result of a faithful export. DataError if answers or logits differ from transformers'."""
    if parity.n_other or not parity.worst <= TOLERANCE * parity.largest:
        raise DataError(
            f"the exported file is not the model: {parity.n_other} of {parity.n} greedy answers are not "
            f"those of transformers, logits differ by up to {parity.worst:.2g} of {parity.largest:.2g}"
        )
    return parity


def line(parity: Parity) -> str:
    """Render the result of the comparison as text."""
    rounded = (
        f"{parity.n_rounded} of the answers are others with the checkpoint's own weights (8 bits round them)"
    )
    return (
        f"all {parity.n} greedy answers to held-out questions are those of transformers, logits of "
        f"{parity.n_tokens:,} tokens within {parity.worst:.1g} of {parity.largest:.3g}"
        + (f"; {rounded}" if parity.n_rounded >= 0 else "")
    )


class _Asked:
    """An exported model and its answers to held-out questions."""

    def __init__(self, exported: str, n: int) -> None:
        self.model = load(exported)
        questions = _questions(n)
        said = self.model.generate([Request(*q, MAX_TOKENS) for q in questions])
        self.answers = [one.text for one in said]
        self.ids = [[*self.model.head_tokens(head), *self.model.tokens(body)] for head, body in questions]

    def beside(self, reference: _Reference) -> Parity:
        """Compare the model's logits and answers with a reference's."""
        worst = largest = 0.0
        n_highest = 0
        for ids in self.ids:
            expected = reference.logits(ids)
            logits = self.model.network.cache(rows=1).forward(
                [RowInput(0, 0, ids)], wanted=list(range(len(ids)))
            )
            worst = max(worst, float(np.abs(logits - expected).max()))
            largest = max(largest, float(np.abs(expected).max()))
            n_highest += int((logits.argmax(axis=-1) == expected.argmax(axis=-1)).sum())
        n_tokens = sum(map(len, self.ids))
        return Parity(len(self.ids), worst, largest, n_tokens, n_highest, self.n_other(reference))

    def n_other(self, reference: _Reference) -> int:
        """Count the answers that differ from the reference's."""
        own = [self.model.text(reference.answer(ids)) for ids in self.ids]
        return sum(a != b for a, b in zip(self.answers, own, strict=True))


def _questions(n: int) -> list[tuple[str, str]]:
    """Return `n` questions about held-out programs, with equal numbers from each layout if possible."""
    modules = [plugins.load("layout", layout) for layout in LAYOUTS]
    found: list[list[tuple[str, str]]] = [[] for _ in LAYOUTS]
    for program, trace in traced(FAMILY, seed=HELD_OUT[FAMILY], n=n):
        for own, module in zip(found, modules, strict=True):
            own += [split_prompt(example.prompt) for example in module.render(trace, program)]
    share = -(-n // len(LAYOUTS))
    return [question for own in found for question in own[:share]][:n]


class _Reference:
    """A model of transformers with our weights."""

    def __init__(self, shape: Shape, weights: Weights) -> None:
        try:
            import torch

            from deskcheck.training.network import build_model
        except ImportError as error:
            raise MissingExtra(error.name or "torch", "train", "checking an export") from None
        self.torch: Any = torch
        self.model = build_model(shape, seed=0, weights=weights).eval()

    def logits(self, ids: list[int]) -> Any:
        with self.torch.no_grad():
            return self.model(self.torch.tensor([ids])).logits[0].numpy()

    def answer(self, ids: list[int]) -> list[int]:
        asked = self.torch.tensor([ids])
        with self.torch.no_grad():
            said = self.model.generate(
                asked,
                attention_mask=self.torch.ones_like(asked),
                max_new_tokens=MAX_TOKENS,
                do_sample=False,
                eos_token_id=EOS_ID,
                pad_token_id=PAD_ID,
            )[0, len(ids) :].tolist()
        return [token for token in said if token != EOS_ID]
