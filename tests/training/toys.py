"""Examples in the form of the layouts, made without tracing: what the training tests learn from."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from deskcheck.models.tiny import Shape
from deskcheck.records import Example
from deskcheck.training.data import IGNORE, Rows
from deskcheck.training.presets import PRESETS, Mix, Optimiser, Preset, Stage

SHAPE = Shape(
    vocabulary=PRESETS["micro"].shape.vocabulary,
    hidden=32,
    layers=2,
    heads=2,
    intermediate=64,
    rope_base=1e5,
    norm_epsilon=1e-6,
    trained_length=160,
    max_positions=512,
)


def toy_preset(
    *, rows_per_step: int = 4, rows_per_pass: int = 4, learning_rate: float = 3e-3, muon: bool = False
) -> Preset:
    """Trains in a second or two on one core."""
    return Preset(
        name="toy",
        shape=SHAPE,
        rows_per_step=rows_per_step,
        rows_per_pass=rows_per_pass,
        mix=Mix({"direct": 1.0}),
        stages=(Stage(1.0, {"easy": 1.0}),),
        optimiser=Optimiser(muon=muon, learning_rate=learning_rate, weight_decay=0.0, warmup_share=0.05),
        bf16=False,
    )


def examples(seed: int, n: int) -> Iterator[Example]:
    """Five examples of each of `n` programs: three heads, one of them with three questions."""
    for number in range(n):
        rng = Random(f"{seed}:{number}")
        a, b, v = rng.randint(0, 99), rng.randint(0, 99), rng.choice("xyz")
        code = f"1 def f({v}, n):\n2     {v} = {v} + n\n3     return {v}\n"
        call = f"call f({a}, {b})\n"
        rows = [
            ("direct", call, f"<- {a + b}", 0),
            ("compact", call, f">1 | {v}={a}; n={b}\n@2\n@3 | {v}={a + b}\n<- {a + b}", 0),
            ("line-1", f">1 | {v}={a}; n={b}\n", "@2", 0),
            ("line-1", f"@2 | {v}={a}; n={b}\n", f"@3 | {v}={a + b}", 1),
            ("line-1", f"@3 | {v}={a + b}; n={b}\n", f"<- {a + b}", 2),
        ]
        for layout, body, target, step in rows:
            yield Example(f"{seed}:{number}", layout, f"[{layout}]\n{code}{body}", target, step, 2)


def visible(rows: Rows) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the mask of visible tokens: bool (rows, query, key).

    A key is visible if it is earlier, in the same group, and in the head or the same question.
    """
    group, question = rows.group, rows.question
    same_group = group[:, :, None] == group[:, None, :]
    same_question = (question[:, :, None] == question[:, None, :]) | (question[:, None, :] == 0)
    earlier = np.tril(np.ones((group.shape[1], group.shape[1]), np.bool_))
    seen: np.ndarray[Any, np.dtype[Any]] = same_group & same_question & earlier
    return seen


def labels(rows: Rows) -> np.ndarray[Any, np.dtype[Any]]:
    """Return the token itself if it carries loss, else IGNORE: int64 (rows, max_length)."""
    wanted: np.ndarray[Any, np.dtype[Any]] = np.where(rows.loss, rows.ids.astype(np.int64), IGNORE)
    return wanted
