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

import math
import time
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck import plugins
from deskcheck.models.tiny import TinyModel, load
from deskcheck.training.data import Rows, encode, pack, select
from deskcheck.training.export import export, model_folder, read_weights
from deskcheck.training.presets import Preset
from deskcheck.training.scores.long_chains import load_checkpoint
from deskcheck.training.stream import Say
from deskcheck.training.tokenizer import build_tokenizer
from layout_study.inputs import BEFORE, Start
from layout_study.plan import (
    ONE_CORE,
    PLAIN,
    Comparison,
    Machine,
    begin,
    layout_of,
    operations,
    preset_of,
    rows_for,
    shape_of,
)
from layout_study.programs import fine, scored_on, tuned_on
from layout_study.scores import LayoutScores, ProgramScore, score, whole_programs
from layout_study.sets import Model

TUNED_SHARE = 0.1
RESULT = "result.json"


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


def _development_rows(comparison: Comparison, variant: str) -> Rows:
    """The first hundred development programs in a layout."""
    shape = shape_of(comparison, variant)
    write = plugins.load("representation", layout_of(variant))
    developed = tuned_on(comparison, fine(layout_of(variant)))[:100]
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
    from deskcheck.training.scores.card import n_parameters

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
    held_out = scored_on(comparison, fine(layout_of(layout)))
    spent, n_tokens = np.cumsum(operations(rows, preset.shape)), np.cumsum((rows.group >= 0).sum(1))

    def point(share: float, step: int) -> Point:
        last = step * comparison.rows_per_step - 1
        programs = whole_programs(
            _model(_kept(folder, step), machine), layout_of(layout), held_out, max_steps=comparison.max_chain
        )
        return Point(share, float(spent[last]), int(n_tokens[last]), programs)

    def scored(step: int) -> LayoutScores:
        return score(
            _model(_kept(folder, step), machine), layout_of(layout), held_out, max_steps=comparison.max_chain
        )

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
        compiles=machine.compiles or None,
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


def first_model(comparison: Comparison, machine: Machine) -> TinyModel:
    """The weights that the runs begin with, as a model."""
    folder = model_folder(comparison.start_from)
    if machine.device == "cpu" and (folder / "model.onnx").is_file():
        return load(str(folder), threads=machine.threads)
    return load_checkpoint(comparison.start_from, device=machine.device)


def before_tuning(
    comparison: Comparison, layout: str, out: Path, *, machine: Machine = ONE_CORE
) -> LayoutScores | None:
    """What the weights that the runs begin with do in a layout; None where these are random, or new words."""
    if not comparison.start_from or layout.endswith(PLAIN):
        return None
    path = out / f"before-{layout}.json"
    if path.is_file():
        return msgspec.json.decode(path.read_bytes(), type=LayoutScores)
    held_out = scored_on(comparison, fine(layout_of(layout)))
    model = first_model(comparison, machine)
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


def models(comparison: Comparison, out: Path, machine: Machine = ONE_CORE) -> list[Model]:
    """Those of the finished runs, after the weights that they began with, in every layout."""
    first = [
        Model(f"{BEFORE}, {layout}", layout, -1, partial(first_model, comparison, machine))
        for layout in comparison.layouts
        if comparison.start_from and not layout.endswith(PLAIN)
    ]
    return first + [
        Model(one.layout, layout_of(one.layout), one.seed, partial(_model, last_weights(one, out), machine))
        for one in finished(comparison, out)
    ]


def starts(comparison: Comparison, out: Path) -> list[Start]:
    """Weights that are asked about inputs: those before, then those of the finished runs."""
    done = [Start(one.layout, one.seed, str(last_weights(one, out))) for one in finished(comparison, out)]
    return [Start(BEFORE, -1, comparison.start_from), *done]


def last_weights(result: Result, out: Path) -> Path:
    """The checkpoint at the end of a run."""
    return _kept(out / f"{result.layout}-seed-{result.seed}", result.n_steps)


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
