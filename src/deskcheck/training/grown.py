"""Put the weights of a trained model into a larger model that computes the same.

    grown(weights, small, large, seed=0) -> weights of `large`

The idea is Net2Net's (arXiv 1511.05641). New rows of the matrices that read the hidden values are random; new
rows and columns of the matrices that write hidden values are zero. Every old hidden value therefore keeps its
place and its value. The new hidden values are zero until training changes them; their gradients are not zero,
because the random rows read them. A norm takes the mean over more values, the new zeros included, so its
weights are scaled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from deskcheck.models.tiny import Shape
from deskcheck.training.graph import Weights, sizes_of

Array = np.ndarray[Any, np.dtype[Any]]

DEVIATION = 0.04
"""Standard deviation of the random rows, as of a model's first weights (`Preset.initial_deviation`)."""
SIZES = ("hidden", "layers", "heads", "intermediate")
"""Sizes of a model that can grow."""
READERS = ("q_proj", "k_proj", "v_proj", "gate_proj", "up_proj")


def in_words(shape: Shape) -> str:
    """Describe the sizes that can grow in words: "4 layers of 128, 4 heads, 320 between"."""
    return f"{shape.layers} layers of {shape.hidden}, {shape.heads} heads, {shape.intermediate} between"


def has_grown(small: Shape, large: Shape) -> bool:
    """Whether the two shapes differ in a size that can grow."""
    return any(getattr(small, name) != getattr(large, name) for name in SIZES)


def with_words_of(small: Shape, large: Shape) -> Shape:
    """Return `large` with the vocabulary and the shift of `small` where these are larger.

    Each vocabulary begins with the tokens of every smaller one, so nothing learned has to be dropped.
    """
    vocabulary, shift = max(small.vocabulary, large.vocabulary), max(small.shift, large.shift)
    return replace(large, vocabulary=vocabulary, shift=shift)


def misfit(small: Shape, large: Shape) -> str:
    """Return the reason why a model of shape `large` cannot use weights of `small`; "" if it can.

    New tokens and another order of digits can be learned. The size of a head and the constants of positions
    and norms must be the same.
    """
    if small.head_size != large.head_size:
        return f"its heads have {small.head_size} values, not {large.head_size}"
    for name in ("rope_base", "norm_epsilon"):
        if getattr(small, name) != getattr(large, name):
            return f"its {name} is {getattr(small, name):g}, not {getattr(large, name):g}"
    for name in (*SIZES, "vocabulary", "shift"):
        if getattr(small, name) > getattr(large, name):
            more = f"{getattr(small, name)}, more than {getattr(large, name)}"
            return f"its {name} is {more}, and a model only grows"
    return ""


def grown(weights: Weights, small: Shape, large: Shape, *, seed: int) -> Weights:
    """Return fp32 weights of `large` that compute the same as `weights` of `small` (`misfit` must return "").

    New layers come last. `build_model` adds tokens and shifts that only `large` has.
    """
    rng = np.random.default_rng(seed)
    sizes = sizes_of(replace(large, vocabulary=small.vocabulary, shift=small.shift))
    return {name: _matrix(name, weights.get(name), size, rng) for name, size in sizes.items()}


def _matrix(name: str, old: Array | None, size: tuple[int, ...], rng: np.random.Generator) -> Array:
    if len(size) == 1:
        return _norm(old, size[0])
    is_reader = name.split(".")[-2] in READERS
    new = DEVIATION * rng.standard_normal(size) if is_reader else np.zeros(size)
    if old is not None:
        new[: old.shape[0], : old.shape[1]] = old
    return new.astype(np.float32)


def _norm(old: Array | None, hidden: int) -> Array:
    if old is None:
        return np.ones(hidden, np.float32)
    scaled = old.astype(np.float32) * np.float32(np.sqrt(len(old) / hidden))
    return np.concatenate([scaled, np.full(hidden - len(old), scaled.mean(), np.float32)])
