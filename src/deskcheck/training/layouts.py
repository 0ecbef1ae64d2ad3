"""Layouts against each other at equal compute: one model from scratch for each, of one size.

    run_all(Comparison(out="runs/layouts", layouts=("direct", "sub"), flops=4e12)) -> what is there

PRIMARY METRIC, fixed before any run: the share of held-out generated programs that are wholly right.

Equal compute is equal floating-point operations of training, counted (`operations`); a layout that writes
more sees fewer programs, and the figures at equal programs are read from a checkpoint of the same run, where
it has seen as many programs as the layout that sees fewest has at its end. The learning rate is chosen for
each layout by the loss on development programs, with the first seed, at a tenth of the compute. Every run
is a folder; one that is finished is not made again, one that is missing is "not run".
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.models.tiny import Shape, TinyModel, load
from deskcheck.programs._forms import evaluation_forms
from deskcheck.programs._normal import normal_form
from deskcheck.records import Example, Granularity, Limits, Program, Trace
from deskcheck.training import digits
from deskcheck.training.data import Rows, select
from deskcheck.training.layout_scores import MAX_TOKENS, HeldOut, LayoutScores, score
from deskcheck.training.long_chains import load_checkpoint
from deskcheck.training.presets import Mix, Optimiser, Preset, Stage
from deskcheck.training.stream import Counted, PartPlan, Say, check_same, prepare, program_examples
from deskcheck.training.tokenizer import WIDE_SIZE, build_tokenizer

HELD_OUT_SEED, DEVELOPMENT_SEED = 900_100, 900_200
DIGITS = "digits"
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
    bf16: bool = False
    """Matrix products in bfloat16."""


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


class Tuned(Struct, frozen=True):
    """Loss on development programs by learning rate."""

    losses: dict[str, float]

    @property
    def rate(self) -> float:
        """The best one."""
        return float(min(self.losses, key=lambda rate: self.losses[rate]))


# -------------------------------------------------------------- programs


def fine(layouts: Iterable[str]) -> Granularity:
    """The granularity that these layouts need."""
    found = {getattr(plugins.load("representation", one), "GRANULARITY", Granularity.LINE) for one in layouts}
    return max(found, key=lambda one: one is not Granularity.LINE)


def drawn(source: str, seed: int, number: int, granularity: Granularity) -> tuple[Program, Trace] | None:
    """Candidate `number`, traced; None where it does not keep to its family."""
    from deskcheck.programs.generated import candidate, family_of
    from deskcheck.tracing.run import trace_program

    if source == DIGITS:
        program = digits.candidate(seed=seed, number=number)
        return program, trace_program(program, Limits(max_steps=1000), granularity=granularity)
    found = candidate(family_of(source), seed, number)
    if found is None or granularity is Granularity.LINE:
        return found
    return found[0], trace_program(found[0], found[1].limits, granularity=granularity)


@cache
def programs_of(source: str, seed: int, n: int, granularity: Granularity) -> tuple[HeldOut, ...]:
    """The first `n` programs of a seed, no two of one form."""
    found: dict[str, HeldOut] = {}
    number = 0
    while len(found) < n:
        made = drawn(source, seed, number, granularity)
        number += 1
        if made is not None:
            form = normal_form(made[0].source)
            found.setdefault(form, HeldOut(*made, form))
    return tuple(found.values())


@cache
def kept_out(source: str, n: int) -> frozenset[str]:
    """Forms that no training program may have: what this is scored and tuned on, and every evaluation."""
    own = (
        one.form
        for seed in (HELD_OUT_SEED, DEVELOPMENT_SEED)
        for one in programs_of(source, seed, n, Granularity.LINE)
    )
    return evaluation_forms() | frozenset(own)


class Examples:
    """`MakeExamples` of a comparison: the programs of a part, in its layout."""

    def __init__(self, comparison: Comparison) -> None:
        self.source = comparison.programs
        self.n_held_out = comparison.n_held_out

    def __call__(self, plan: PartPlan) -> tuple[Iterable[Example], Callable[[], Counted]]:
        forms = kept_out(self.source, self.n_held_out)
        granularity = fine(plan.mix.layouts)
        layouts = {layout: plugins.load("representation", layout) for layout in plan.mix.layouts}
        counts = [0, 0, 0, 0]
        lost: list[str] = []

        def examples() -> Iterator[Example]:
            first = plan.number * plan.candidates
            for number in range(first, first + plan.candidates):
                found = drawn(self.source, plan.seed, number, granularity)
                counts[0] += 1
                if found is None:
                    counts[1] += 1
                elif normal_form(found[0].source) in forms:
                    counts[2] += 1
                else:
                    counts[3] += 1
                    rng = Random(f"{plan.seed}:{number}")
                    yield from program_examples(*found, layouts, plan.mix, rng, lost=lost)

        return examples(), lambda: Counted(counts[0], counts[1], counts[2], counts[3], len(lost))


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


def shape_of(comparison: Comparison) -> Shape:
    """The size of every model of the comparison."""
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
    """Everything that a run depends on but its seed and rows."""
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
    out.mkdir(parents=True, exist_ok=True)
    check_same(out / "plan.json", msgspec.to_builtins(comparison))


def tune(
    comparison: Comparison, layout: str, out: Path, *, machine: Machine = ONE_CORE, say: Say = print
) -> Tuned:
    """The learning rate of a layout: least loss on development programs after a tenth of the compute."""
    from deskcheck.training import trainer
    from deskcheck.training.data import encode, pack

    path = out / f"tuned-{layout}.json"
    losses = msgspec.json.decode(path.read_bytes(), type=Tuned).losses if path.is_file() else {}
    missing = [rate for rate in comparison.rates if str(rate) not in losses]
    if not missing or len(comparison.rates) == 1:
        return Tuned(losses or {str(comparison.rates[0]): math.nan})
    seed = comparison.seeds[0]
    rows, _ = rows_for(comparison, layout, seed, out, workers=machine.workers, say=say)
    share = max(comparison.rows_per_step, int(len(rows.ids) * TUNED_SHARE))
    write = plugins.load("representation", layout)
    developed = programs_of(comparison.programs, DEVELOPMENT_SEED, comparison.n_held_out, fine([layout]))
    examples = [example for one in developed[:100] for example in write.render(one.trace, one.program)]
    asked, _ = pack(encode(examples, build_tokenizer(size=WIDE_SIZE)), max_length=comparison.row_length)
    for rate in missing:
        preset = preset_of(comparison, layout, rate)
        folder = out / "tuning" / f"{layout}-{rate}"
        folder.mkdir(parents=True, exist_ok=True)
        done = trainer.run(
            preset, select(rows, slice(0, share)), folder, seed=seed, save_steps=10**9,
            threads=machine.threads, device=machine.device, compiles=False,
        )  # fmt: skip
        losses[str(rate)] = _mean_loss(done.model, asked)
        path.write_bytes(msgspec.json.encode(Tuned(losses)))
        say(f"{layout}: rate {rate:g}, loss on development programs {losses[str(rate)]:.4f}")
    return Tuned(losses)


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
    from deskcheck.training import trainer
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
    preset = preset_of(comparison, layout, rate)
    started = time.monotonic()
    done = trainer.run(
        preset,
        rows,
        folder,
        seed=seed,
        threads=machine.threads,
        device=machine.device,
        save_steps=10**9,
        keep={at: folder / "equal-programs", n_steps: folder / "checkpoint"},
        say=say,
    )
    train_s = time.monotonic() - started
    if done.interrupted:
        raise KeyboardInterrupt
    held_out = programs_of(comparison.programs, HELD_OUT_SEED, comparison.n_held_out, fine([layout]))

    def scored(name: str) -> LayoutScores:
        return score(_model(folder / name, machine), layout, held_out)

    result = Result(
        layout,
        seed,
        rate,
        float(operations(rows, preset.shape).sum()),
        n_parameters(preset),
        round(n_programs),
        int((rows.group >= 0).sum()),
        n_steps,
        scored("checkpoint"),
        Half(round(fewest), scored("equal-programs")) if at < n_steps else None,
        train_s,
    )
    (folder / RESULT).write_bytes(msgspec.json.encode(result))
    right = sum(one.right for one in result.scores.programs)
    say(f"{layout}, seed {seed}: {right} of {len(held_out)} programs, {train_s:.0f} s of training")
    return result


def _model(checkpoint: Path, machine: Machine) -> TinyModel:
    """As a user runs it; with a GPU the checkpoint itself."""
    from deskcheck.training.export import export

    if machine.device != "cpu":
        return load_checkpoint(str(checkpoint), device=machine.device)
    folder = export(str(checkpoint), str(checkpoint.with_name(f"{checkpoint.name}-model")))
    return load(str(folder), threads=machine.threads)


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
