"""What a comparison of layouts is: its plan, the size of its models, their compute, their rows.

    rows_for(comparison, "sub", seed=0, out=out, say=print) -> the rows that the compute allows, programs

Compute is floating-point operations of training, counted: the matrices, the attention over whole rows,
forward and twice that back, and scores of the tokens with loss alone.
"""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.models.tiny import Shape
from deskcheck.training.data import Rows, select
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.presets import BASE_LAYOUTS, Mix, Optimiser, Preset, Stage
from deskcheck.training.stream import MakeExamples, Say, check_same, prepare
from deskcheck.training.tokenizer import PLAIN_SIZE, WIDE_SIZE
from layout_study.programs import DIGITS, Examples
from layout_study.scores import MAX_STEPS, MAX_TOKENS

PLAIN = "+plain"
"""After a layout's name: the same with literals in larger tokens (`tokenizer.PLAIN_SIZE`)."""


def layout_of(variant: str) -> str:
    """The layout that a row of the comparison is written in."""
    return variant.removesuffix(PLAIN)


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is compared; `plan.json` of its folder."""

    layouts: tuple[str, ...]
    """Names of layouts; "line-1+plain" = with literals in larger tokens."""
    seeds: tuple[int, ...]
    flops: float
    """Of training, each run."""
    rates: tuple[float, ...]
    """Learning rates to choose from."""
    programs: str = DIGITS
    """"digits", or a family of generated programs."""
    drills: float = 0.0
    """Of the training candidates: the share that is drills (`drills.py`), in every layout alike."""
    n_held_out: int = 300
    hidden: int = 64
    layers: int = 3
    heads: int = 2
    shift: int = 0
    """Tokens before a token that are read with it (`Shape.shift`)."""
    row_length: int = 160
    rows_per_step: int = 4
    max_steps: int = 8
    """Steps of one program, at most, where a layout has a question a step."""
    max_chain: int = MAX_STEPS
    """Questions of one chain, at most."""
    bf16: bool = False
    """Matrix products in bfloat16."""
    muon: bool = False
    """Muon in place of AdamW."""
    start_from: str = ""
    """Folder of the weights that every run goes on from, or "tiny"; "" = random ones. They bring the size."""
    weights_sha256: str = ""
    """Of these weights (`digest_of`): another model under the same name is another comparison."""
    points: tuple[float, ...] = ()
    """Shares of the compute at which whole held-out programs are asked on the way."""


class Machine(NamedTuple):
    """What the runs are made on; no part of the comparison."""

    threads: int = 1
    device: str = "cpu"
    workers: int = 0
    """Processes that make data; 0 = this one."""
    compiles: bool = False
    """Keep torch.compile where it pays; on a GPU it is tried anyway."""


ONE_CORE = Machine()


def row_operations(shape: Shape) -> float:
    """Floating-point operations of training on one row, but for the scores: forward, and twice that back."""
    matrices = shape.layers * (4 * shape.hidden**2 + 3 * shape.hidden * shape.intermediate)
    matrices += shape.shift * shape.hidden**2
    tokens = shape.trained_length
    attention = 4 * shape.layers * tokens**2 * shape.hidden
    return 3.0 * (2 * matrices * tokens + attention)


def operations(rows: Rows, shape: Shape) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Of each row: only tokens that carry loss get scores."""
    scores = 3.0 * 2 * shape.hidden * shape.vocabulary
    return np.asarray(row_operations(shape) + rows.loss.sum(1) * scores, np.float64)


def digest_of(start_from: str) -> str:
    """sha256 over names and values of a model's weights, 16 characters; "" for none."""
    if not start_from:
        return ""
    found = hashlib.sha256()
    for name, value in sorted(read_weights(start_from).items()):
        found.update(name.encode() + np.ascontiguousarray(value).tobytes())
    return found.hexdigest()[:16]


def shape_of(comparison: Comparison, variant: str = "") -> Shape:
    """The size of every model of the comparison; only literals in larger tokens take more of them."""
    shape = _usual_shape(comparison)
    if not variant.endswith(PLAIN):
        return shape
    return msgspec.structs.replace(shape, vocabulary=PLAIN_SIZE, last_digit_first=False)


def _usual_shape(comparison: Comparison) -> Shape:
    if comparison.start_from:
        base = read_shape(comparison.start_from)
        wide = not {layout_of(one) for one in comparison.layouts} <= set(BASE_LAYOUTS)
        return msgspec.structs.replace(
            base,
            vocabulary=max(base.vocabulary, WIDE_SIZE if wide else 0),
            shift=max(base.shift, comparison.shift),
            trained_length=comparison.row_length,
        )
    return Shape(
        vocabulary=WIDE_SIZE,
        hidden=comparison.hidden,
        layers=comparison.layers,
        heads=comparison.heads,
        intermediate=comparison.hidden * 5 // 2,
        rope_base=1e4,
        shift=comparison.shift,
        norm_epsilon=1e-6,
        trained_length=comparison.row_length,
        max_positions=2048,
    )


def preset_of(comparison: Comparison, variant: str, rate: float) -> Preset:
    """Everything that a run depends on but its seed, its first weights and rows."""
    return Preset(
        f"layouts-{variant}",
        shape_of(comparison, variant),
        comparison.rows_per_step,
        Mix({layout_of(variant): 1.0}, comparison.max_steps),
        (Stage(1.0, {comparison.programs: 1.0}),),
        Optimiser(learning_rate=rate, muon=comparison.muon),
        bf16=comparison.bf16,
        rows_per_pass=max(8, comparison.rows_per_step),
    )


def rows_for(
    comparison: Comparison,
    variant: str,
    seed: int,
    out: Path,
    *,
    workers: int = 0,
    say: Say,
    make_examples: MakeExamples | None = None,
    share: float = 1.0,
) -> tuple[Rows, float]:
    """As many rows as (a share of) the compute allows, and the programs that they are made from."""
    preset = preset_of(comparison, variant, 0.0)
    flops = share * comparison.flops
    folder = out / "data" / f"{variant}-seed-{seed}"
    n_parts = _n_parts(folder)
    rows, report = prepare(
        preset,
        math.ceil(flops / row_operations(preset.shape)),
        folder,
        seed=seed,
        workers=workers,
        say=lambda text: None,
        make_examples=make_examples or Examples(comparison),
    )
    if report.examples.n_too_long and _n_parts(folder) > n_parts:  # said once, not by every run that asks
        lost = f"{report.examples.n_too_long} of {report.examples.n_read}"
        say(f"{variant}, seed {seed}: {lost} examples longer than a row")
    fits = int(np.searchsorted(np.cumsum(operations(rows, preset.shape)), flops, side="right"))
    fits -= fits % comparison.rows_per_step
    if fits < comparison.rows_per_step:
        raise UserError(f"{flops:.3g} operations are less than one step of layout {variant}")
    return select(rows, slice(0, fits)), report.n_programs * fits / report.examples.n_rows


def _n_parts(folder: Path) -> int:
    return len(list(folder.glob("*-part-*.npz")))


def check_compute(comparison: Comparison, *, share: float = 1.0) -> None:
    """UserError where (a share of) a run's compute may be less than one step, all tokens with loss."""
    flops = share * comparison.flops
    for variant in comparison.layouts:
        shape = shape_of(comparison, variant)
        scores = shape.trained_length * 3.0 * 2 * shape.hidden * shape.vocabulary
        a_step = comparison.rows_per_step * (row_operations(shape) + scores)
        if flops < a_step:
            part = f"{share:g} of {comparison.flops:.3g}" if share < 1 else f"{flops:.3g}"
            raise UserError(
                f"{part} operations may be less than one step of {variant}, {a_step:.3g}; "
                "ask for more by --flops or --budget-minutes"
            )


def begin(comparison: Comparison, out: Path) -> None:
    """The folder of the comparison; UserError where another one stands there."""
    unknown = [one for one in comparison.layouts if layout_of(one) not in MAX_TOKENS]
    if unknown:
        raise UserError(f"layout '{unknown[0]}' cannot be compared; known: {', '.join(MAX_TOKENS)}")
    if comparison.weights_sha256 != digest_of(comparison.start_from):
        raise UserError(f"the weights in '{comparison.start_from}' are not those that the runs began with")
    out.mkdir(parents=True, exist_ok=True)
    check_same(out / "plan.json", msgspec.to_builtins(comparison))


def read_plan(out: Path) -> Comparison | None:
    """The comparison of a folder, if it holds one."""
    path = out / "plan.json"
    return msgspec.convert(json.loads(path.read_text()), Comparison) if path.is_file() else None
