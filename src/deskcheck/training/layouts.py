"""Layouts against each other at equal compute: one model for each, of one size, from scratch or from the same
weights.

    run_all(Comparison(layouts=("direct", "sub"), seeds=(0,), flops=4e12, ..), out) -> what is there

PRIMARY METRIC, fixed before any run: the share of held-out generated programs that are wholly right.

Equal compute is equal floating-point operations of training, counted (`operations`); a layout that writes
more sees fewer programs, and the figures at equal programs are read from a checkpoint of the same run, where
it has seen as many programs as the layout that sees fewest has at its end. The learning rate is chosen for
each layout by the loss on development programs, with the first seed, at a tenth of the compute. With
`start_from` every run goes on from the same weights, as Execution Tuning tunes a model that was trained
before, and what these weights do before it is asked too. Every run is a folder; one that is finished is not
made again, one that was interrupted goes on, one that is missing is "not run".
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.models.tiny import Shape, TinyModel, load
from deskcheck.training.data import Rows, encode, pack, select
from deskcheck.training.export import export, model_folder, read_shape, read_weights
from deskcheck.training.layout_programs import DIGITS, Examples, fine, scored_on, tuned_on
from deskcheck.training.layout_scores import (
    MAX_STEPS,
    MAX_TOKENS,
    LayoutScores,
    ProgramScore,
    score,
    whole_programs,
)
from deskcheck.training.long_chains import load_checkpoint
from deskcheck.training.presets import BASE_LAYOUTS, Mix, Optimiser, Preset, Stage
from deskcheck.training.stream import Say, check_same, prepare
from deskcheck.training.tokenizer import WIDE_SIZE, build_tokenizer

TUNED_SHARE = 0.1
RESULT = "result.json"


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is compared; `plan.json` of its folder."""

    layouts: tuple[str, ...]
    seeds: tuple[int, ...]
    flops: float
    """Of training, each run."""
    rates: tuple[float, ...]
    """Learning rates to choose from."""
    programs: str = DIGITS
    """"digits", or a family of generated programs."""
    n_held_out: int = 300
    hidden: int = 64
    layers: int = 3
    heads: int = 2
    row_length: int = 160
    rows_per_step: int = 4
    max_steps: int = 8
    """Steps of one program, at most, where a layout has a question a step."""
    max_chain: int = MAX_STEPS
    """Questions of one chain, at most."""
    bf16: bool = False
    """Matrix products in bfloat16."""
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


ONE_CORE = Machine()


class Half(Struct, frozen=True):
    """A checkpoint on the way: as many programs as every layout has seen."""

    n_programs: int
    scores: LayoutScores


class Point(Struct, frozen=True):
    """A checkpoint on the way, at a share of the compute; the rate has not decayed there."""

    share: float
    flops: float
    n_tokens: int
    """Without padding."""
    programs: list[ProgramScore]


class Result(Struct, frozen=True):
    """One finished run."""

    layout: str
    seed: int
    rate: float
    flops: float
    n_parameters: int
    n_programs: int
    """Seen in training, about."""
    n_tokens: int
    """Without padding."""
    n_steps: int
    scores: LayoutScores
    equal_programs: Half | None
    """None for the layout that sees fewest programs: its end is that point."""
    train_s: float
    """Of the last attempt."""
    points: list[Point] = []


class Tuned(Struct, frozen=True):
    """Loss on development programs by learning rate."""

    losses: dict[str, float]

    @property
    def rate(self) -> float:
        """The best one."""
        return float(min(self.losses, key=lambda rate: self.losses[rate]))


# -------------------------------------------------------------- compute


def row_operations(shape: Shape) -> float:
    """Floating-point operations of training on one row, but for the scores: forward, and twice that back."""
    matrices = shape.layers * (4 * shape.hidden**2 + 3 * shape.hidden * shape.intermediate)
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


def shape_of(comparison: Comparison) -> Shape:
    """The size of every model of the comparison."""
    if comparison.start_from:
        base = read_shape(comparison.start_from)
        wide = not set(comparison.layouts) <= set(BASE_LAYOUTS)
        return msgspec.structs.replace(
            base,
            vocabulary=max(base.vocabulary, WIDE_SIZE if wide else 0),
            trained_length=comparison.row_length,
        )
    return Shape(
        vocabulary=WIDE_SIZE,
        hidden=comparison.hidden,
        layers=comparison.layers,
        heads=comparison.heads,
        intermediate=comparison.hidden * 5 // 2,
        rope_base=1e4,
        norm_epsilon=1e-6,
        trained_length=comparison.row_length,
        max_positions=2048,
    )


def preset_of(comparison: Comparison, layout: str, rate: float) -> Preset:
    """Everything that a run depends on but its seed, its first weights and rows."""
    return Preset(
        f"layouts-{layout}",
        shape_of(comparison),
        comparison.rows_per_step,
        Mix({layout: 1.0}, comparison.max_steps),
        (Stage(1.0, {comparison.programs: 1.0}),),
        Optimiser(learning_rate=rate),
        bf16=comparison.bf16,
        rows_per_pass=max(8, comparison.rows_per_step),
    )


def rows_for(
    comparison: Comparison, layout: str, seed: int, out: Path, *, workers: int = 0, say: Say
) -> tuple[Rows, float]:
    """As many rows as the compute allows, and the programs that they are made from."""
    preset = preset_of(comparison, layout, 0.0)
    wanted = math.ceil(comparison.flops / row_operations(preset.shape))
    rows, report = prepare(
        preset,
        wanted,
        out / "data" / f"{layout}-seed-{seed}",
        seed=seed,
        workers=workers,
        say=lambda text: None,
        make_examples=Examples(comparison),
    )
    if report.examples.n_too_long:
        say(f"{layout}: {report.examples.n_too_long} of {report.examples.n_read} examples longer than a row")
    fits = int(np.searchsorted(np.cumsum(operations(rows, preset.shape)), comparison.flops, side="right"))
    fits -= fits % comparison.rows_per_step
    if fits < comparison.rows_per_step:
        raise UserError(f"{comparison.flops:.3g} operations are less than one step of layout {layout}")
    return select(rows, slice(0, fits)), report.n_programs * fits / report.examples.n_rows


# -------------------------------------------------------------- runs


def begin(comparison: Comparison, out: Path) -> None:
    """The folder of the comparison; UserError where another one stands there."""
    unknown = [layout for layout in comparison.layouts if layout not in MAX_TOKENS]
    if unknown:
        raise UserError(f"layout '{unknown[0]}' cannot be compared; known: {', '.join(MAX_TOKENS)}")
    if comparison.weights_sha256 != digest_of(comparison.start_from):
        raise UserError(f"the weights in '{comparison.start_from}' are not those that the runs began with")
    out.mkdir(parents=True, exist_ok=True)
    check_same(out / "plan.json", msgspec.to_builtins(comparison))


def tune(
    comparison: Comparison, layout: str, out: Path, *, machine: Machine = ONE_CORE, say: Say = print
) -> Tuned:
    """The learning rate of a layout: least loss on development programs after a tenth of the compute."""
    from deskcheck.training import trainer

    path = out / f"tuned-{layout}.json"
    losses = msgspec.json.decode(path.read_bytes(), type=Tuned).losses if path.is_file() else {}
    missing = [rate for rate in comparison.rates if str(rate) not in losses]
    if not missing or len(comparison.rates) == 1:
        return Tuned(losses or {str(comparison.rates[0]): math.nan})
    seed = comparison.seeds[0]
    rows, _ = rows_for(comparison, layout, seed, out, workers=machine.workers, say=say)
    share = max(comparison.rows_per_step, int(len(rows.ids) * TUNED_SHARE))
    asked = _development_rows(comparison, layout)
    for rate in missing:
        preset = preset_of(comparison, layout, rate)
        folder = out / "tuning" / f"{layout}-{rate}"
        folder.mkdir(parents=True, exist_ok=True)
        done = trainer.run(
            preset, select(rows, slice(0, share)), folder, seed=seed, save_steps=10**9,
            weights=_weights(comparison), threads=machine.threads, device=machine.device, compiles=False,
        )  # fmt: skip
        losses[str(rate)] = _mean_loss(done.model, asked)
        path.write_bytes(msgspec.json.encode(Tuned(losses)))
        say(f"{layout}: rate {rate:g}, loss on development programs {losses[str(rate)]:.4f}")
    return Tuned(losses)


def _weights(comparison: Comparison) -> Any:
    return read_weights(comparison.start_from) if comparison.start_from else None


def _development_rows(comparison: Comparison, layout: str) -> Rows:
    """The first hundred development programs in a layout."""
    shape = shape_of(comparison)
    write = plugins.load("representation", layout)
    developed = tuned_on(comparison, fine(layout))[:100]
    examples = [example for one in developed for example in write.render(one.trace, one.program)]
    tokenizer = build_tokenizer(size=shape.vocabulary)
    questions = encode(examples, tokenizer, last_digit_first=shape.last_digit_first)
    return pack(questions, max_length=shape.trained_length)[0]


def _mean_loss(model: Any, rows: Rows) -> float:
    """Of all tokens that carry loss."""
    import torch

    from deskcheck.training.network import loss_of

    model.eval()
    with torch.no_grad():
        total = sum(float(loss_of(model, select(rows, [n]), bf16=False)) for n in range(len(rows.ids)))
    return total / int(rows.loss.sum())


def run_one(
    comparison: Comparison, layout: str, seed: int, out: Path, *, rate: float, machine: Machine, say: Say
) -> Result:
    """Train, export, score one model."""
    folder = out / f"{layout}-seed-{seed}"
    if (folder / RESULT).is_file():
        return msgspec.json.decode((folder / RESULT).read_bytes(), type=Result)
    from deskcheck.training.card import n_parameters

    folder.mkdir(parents=True, exist_ok=True)
    seen = {
        one: rows_for(comparison, one, seed, out, workers=machine.workers, say=say)
        for one in comparison.layouts
    }
    rows, n_programs = seen[layout]
    fewest = min(n for _, n in seen.values())
    n_steps = len(rows.ids) // comparison.rows_per_step
    at = max(1, round(n_steps * fewest / n_programs))
    shares = {share: max(1, round(n_steps * share)) for share in comparison.points}
    preset = preset_of(comparison, layout, rate)
    started = time.monotonic()
    _trained(comparison, preset, rows, folder, {at, *shares.values(), n_steps}, seed, machine, say)
    train_s = time.monotonic() - started
    held_out = scored_on(comparison, fine(layout))
    spent, n_tokens = np.cumsum(operations(rows, preset.shape)), np.cumsum((rows.group >= 0).sum(1))

    def point(share: float, step: int) -> Point:
        last = step * comparison.rows_per_step - 1
        programs = whole_programs(
            _model(_kept(folder, step), machine), layout, held_out, max_steps=comparison.max_chain
        )
        return Point(share, float(spent[last]), int(n_tokens[last]), programs)

    def scored(step: int) -> LayoutScores:
        return score(_model(_kept(folder, step), machine), layout, held_out, max_steps=comparison.max_chain)

    result = Result(
        layout,
        seed,
        rate,
        float(spent[-1]),
        n_parameters(preset),
        round(n_programs),
        int(n_tokens[-1]),
        n_steps,
        scored(n_steps),
        Half(round(fewest), scored(at)) if at < n_steps else None,
        train_s,
        [point(share, step) for share, step in shares.items()],
    )
    (folder / RESULT).write_bytes(msgspec.json.encode(result))
    right = sum(one.right for one in result.scores.programs)
    say(f"{layout}, seed {seed}: {right} of {len(held_out)} programs, {train_s:.0f} s of training")
    return result


def _kept(folder: Path, step: int) -> Path:
    """Where the weights after a step are kept."""
    return folder / f"kept-{step}"


def _trained(
    comparison: Comparison,
    preset: Preset,
    rows: Rows,
    folder: Path,
    steps: set[int],
    seed: int,
    machine: Machine,
    say: Say,
) -> None:
    """Train on all rows, keeping the weights after these steps; an interrupted run goes on."""
    from deskcheck.training import trainer

    if all((_kept(folder, step) / "model.safetensors").is_file() for step in steps):
        return
    done = trainer.run(
        preset,
        rows,
        folder,
        seed=seed,
        resume=True,
        weights=_weights(comparison),
        threads=machine.threads,
        device=machine.device,
        save_steps=10**9,
        keep={step: _kept(folder, step) for step in steps},
        say=say,
    )
    if done.interrupted:
        raise KeyboardInterrupt


def _model(checkpoint: Path, machine: Machine) -> TinyModel:
    """As a user runs it; with a GPU the checkpoint itself."""
    if machine.device != "cpu":
        return load_checkpoint(str(checkpoint), device=machine.device)
    folder = export(str(checkpoint), str(checkpoint.with_name(f"{checkpoint.name}-model")))
    return load(str(folder), threads=machine.threads)


def before_tuning(
    comparison: Comparison, layout: str, out: Path, *, machine: Machine = ONE_CORE
) -> LayoutScores | None:
    """What the weights that the runs begin with do in a layout; None where they are random."""
    if not comparison.start_from:
        return None
    path = out / f"before-{layout}.json"
    if path.is_file():
        return msgspec.json.decode(path.read_bytes(), type=LayoutScores)
    folder = model_folder(comparison.start_from)
    exported = machine.device == "cpu" and (folder / "model.onnx").is_file()
    model = (
        load(str(folder), threads=machine.threads)
        if exported
        else load_checkpoint(comparison.start_from, device=machine.device)
    )
    held_out = scored_on(comparison, fine(layout))
    found = score(model, layout, held_out, max_steps=comparison.max_chain)
    path.write_bytes(msgspec.json.encode(found))
    return found


def before(comparison: Comparison, out: Path) -> dict[str, LayoutScores]:
    """What is there of that, by layout."""
    paths = {layout: out / f"before-{layout}.json" for layout in comparison.layouts}
    return {
        layout: msgspec.json.decode(path.read_bytes(), type=LayoutScores)
        for layout, path in paths.items()
        if path.is_file()
    }


def kept_model(layout: str, seed: int, out: Path) -> Path | None:
    """The exported model of a finished run, or None."""
    folder = out / f"{layout}-seed-{seed}"
    if not (folder / RESULT).is_file():
        return None
    done = msgspec.json.decode((folder / RESULT).read_bytes(), type=Result)
    kept = _kept(folder, done.n_steps)
    return Path(export(str(kept), f"{kept}-model"))


def run_all(
    comparison: Comparison,
    out: Path,
    *,
    until: float = math.inf,
    machine: Machine = ONE_CORE,
    say: Say = print,
) -> list[Result]:
    """Every run that is not finished, seed by seed, until the clock (`time.monotonic`) says `until`."""
    begin(comparison, out)
    for seed in comparison.seeds:
        for layout in comparison.layouts:
            if time.monotonic() >= until:
                return finished(comparison, out)
            before_tuning(comparison, layout, out, machine=machine)
            rate = tune(comparison, layout, out, machine=machine, say=say).rate
            if time.monotonic() < until:
                run_one(comparison, layout, seed, out, rate=rate, machine=machine, say=say)
    return finished(comparison, out)


def finished(comparison: Comparison, out: Path) -> list[Result]:
    """What is there."""
    paths = [
        out / f"{layout}-seed-{seed}" / RESULT for layout in comparison.layouts for seed in comparison.seeds
    ]
    return [msgspec.json.decode(p.read_bytes(), type=Result) for p in paths if p.is_file()]


def read_plan(out: Path) -> Comparison | None:
    """The comparison of a folder, if it holds one."""
    path = out / "plan.json"
    return msgspec.convert(json.loads(path.read_text()), Comparison) if path.is_file() else None
