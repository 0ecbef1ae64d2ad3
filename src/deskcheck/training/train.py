"""deskcheck train: programs, rows, a trained model, its export, its scores, its card; one command.

    train(TrainOptions(preset="tiny", out="runs/tiny", tokens=20_000_000)) -> Path("runs/tiny/model")

    run.json       what the run depends on      train.jsonl   loss by step       scores.json
    data/          packed rows, part by part    checkpoint/   the model for transformers
    checkpoint-N/  to resume from               model/        the model for `--model tiny`, with its card

With --tokens the same command gives the same model. With --minutes the clock decides: data is made for as
many tokens as a short measurement promises, training takes what is left, and its decay ends when the time
does; how many steps that were stands on the card. Interrupted, the same command with `--resume` goes on.
"""

from __future__ import annotations

import shlex
import tempfile
import time
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck.errors import MissingExtra, UserError
from deskcheck.models.tiny import Shape
from deskcheck.training import record
from deskcheck.training.card import card, n_parameters
from deskcheck.training.chains import EVALUATION
from deskcheck.training.data import Rows, select, show_batch
from deskcheck.training.evaluate import LayoutScore, score, write_scores
from deskcheck.training.export import export, read_shape, read_weights
from deskcheck.training.long_runs import LongRow, long_rows
from deskcheck.training.long_runs import line as long_line
from deskcheck.training.presets import CHAINS, Preset, preset
from deskcheck.training.record import TrainRun
from deskcheck.training.stream import Say, generated_examples, make_part, plan_of, prepare, read_part
from deskcheck.training.tokenizer import build_tokenizer

MEASURED_S = 20.0
SPARE_SHARE = 0.12
"""Of the minutes: left for scoring, export and a machine that slows down."""
N_HELD_OUT = 500
SCORES = "scores.json"
LONG_SCORES = "long.json"


class TrainOptions(Struct, frozen=True, kw_only=True):
    """What can be asked of a run."""

    preset: str
    out: str
    tokens: int = 0
    """Padding included; 0 = the preset's own."""
    minutes: float = 0.0
    """Of everything: data, training, and a share for export and scores."""
    layouts: list[str] = msgspec.field(default_factory=list)
    seed: int = 0
    threads: int = 2
    resume: bool = False
    start_from: str = ""
    """Folder of a model to go on from; "tiny" = the shipped one."""
    held_out: str = "easy"
    n_held_out: int = N_HELD_OUT


def train(options: TrainOptions, *, say: Say = print) -> Path:
    """Run it all; the folder of the exported model."""
    _need_libraries()
    out = Path(options.out)
    run = _begin(options, out, say)
    n_rows = run.budget // run.preset.shape.trained_length
    n_rows -= n_rows % run.preset.rows_per_step
    workers = options.threads if options.threads > 1 else 0  # 0 = in this process
    started = time.monotonic()
    try:
        rows, data = prepare(run.preset, n_rows, out / "data", seed=run.seed, workers=workers, say=say)
    finally:
        run = msgspec.structs.replace(run, data_s=run.data_s + time.monotonic() - started)
        record.write(run, out)
    run = record.write(msgspec.structs.replace(run, data=data), out)
    say(
        f"{n_parameters(run.preset):,} parameters, {n_rows:,} rows, {int(rows.loss.sum()):,} tokens with loss"
    )
    run = _fit(options, run, rows, out, say)
    model = export(str(out / "checkpoint"), str(out / "model"))
    scores = held_out_scores(model, run, n=options.n_held_out, threads=options.threads, say=say)
    long = long_scores(model, run, threads=options.threads, say=say)
    text = card(run, scores, n_programs=options.n_held_out, long=long)
    (model / "README.md").write_text(text, encoding="utf-8")
    write_scores(scores, out / SCORES)
    (out / LONG_SCORES).write_bytes(msgspec.json.format(msgspec.json.encode(long)) + b"\n")
    say(f"the model is in {model}; try: deskcheck eval --model tiny -M path={model} --benchmark core")
    return model


def _need_libraries() -> None:
    try:
        import datasets  # noqa: F401
        import onnx  # noqa: F401
        import torch  # noqa: F401
        import trl  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "torch", "train", "training") from None


def _begin(options: TrainOptions, out: Path, say: Say) -> TrainRun:
    """The plan of the run: the stored one where it goes on, else a new one."""
    stored = record.read(out)
    if stored is not None:
        if not options.resume:
            raise UserError(
                f"'{out}' holds a run already; go on with it by --resume, or choose another --out"
            )
        if (stored.preset.name, stored.seed) != (options.preset, options.seed):
            raise UserError(
                f"'{out}' holds a run of preset {stored.preset.name} with seed {stored.seed}; "
                f"asked to resume {options.preset} with seed {options.seed}"
            )
        return stored
    if options.tokens and options.minutes:
        raise UserError("--tokens and --minutes both name the length of the run; give one")
    chosen = preset(options.preset, options.layouts)
    if options.start_from and _size(read_shape(options.start_from)) != _size(chosen.shape):
        raise UserError(
            f"the model in '{options.start_from}' has another size than preset '{options.preset}'"
        )
    budget = options.tokens or chosen.tokens
    if options.minutes:
        budget = _tokens_in(options.minutes, chosen, options, say)
    a_step = chosen.rows_per_step * chosen.shape.trained_length
    if budget < a_step:
        raise UserError(
            f"{budget:,} tokens are less than one step of preset '{chosen.name}', {a_step:,}; ask for more"
        )
    run = TrainRun(
        command=_command(options, budget),
        preset=chosen,
        seed=options.seed,
        budget=budget,
        minutes=options.minutes,
        start_from=options.start_from,
        held_out=options.held_out,
        versions=record.versions(),
        commit=record.commit(),
        machine=record.machine(options.threads),
    )
    return record.write(run, out)


def _size(shape: Shape) -> Shape:
    """What weights depend on; the order of digits can be learned anew."""
    return msgspec.structs.replace(shape, last_digit_first=False)


def _command(options: TrainOptions, budget: int) -> str:
    words = ["deskcheck", "train", "--preset", options.preset, "--out", "DIR"]
    words += ["--minutes", f"{options.minutes:g}"] if options.minutes else ["--tokens", str(budget)]
    words += ["--layouts", ",".join(options.layouts)] if options.layouts else []
    words += ["--seed", str(options.seed), "--threads", str(options.threads)]
    words += ["--from", options.start_from] if options.start_from else []
    return shlex.join(words)


def _fit(options: TrainOptions, run: TrainRun, rows: Rows, out: Path, say: Say) -> TrainRun:
    """Train, unless the checkpoint of the finished run is there already."""
    from deskcheck.training import trainer

    if (out / "checkpoint" / "model.safetensors").is_file():
        return run
    weights = read_weights(run.start_from) if run.start_from else None
    started = time.monotonic()
    try:
        done = trainer.run(
            run.preset,
            rows,
            out,
            seed=run.seed,
            threads=options.threads,
            minutes=max(run.minutes * (1 - SPARE_SHARE) - run.data_s / 60, run.minutes / 10),
            resume=options.resume,
            weights=weights,
            say=say,
        )
    finally:
        run = record.write(
            msgspec.structs.replace(run, train_s=run.train_s + time.monotonic() - started), out
        )
    run = record.write(_seen(run, rows, done.n_steps), out)
    trainer.save(done.model, out / "checkpoint")
    return run


def _seen(run: TrainRun, rows: Rows, n_steps: int) -> TrainRun:
    """The record with what so many steps have read; after the last row they begin again at the first."""
    n_rows = n_steps * run.preset.rows_per_step
    usable = len(rows.ids) - len(rows.ids) % run.preset.rows_per_step
    times = np.full(usable, n_rows // usable)
    times[: n_rows % usable] += 1
    per_row = [column[:usable].sum(1) for column in (rows.group >= 0, rows.loss)]
    n_tokens, n_loss = (int((times * counts).sum()) for counts in per_row)
    return msgspec.structs.replace(run, n_steps=n_steps, n_tokens=n_tokens, n_loss=n_loss)


def held_out_scores(model: Path, run: TrainRun, *, n: int, threads: int, say: Say) -> list[LayoutScore]:
    """Scores of an exported model in the layouts that it was trained on."""
    from deskcheck.models.tiny import load

    return score(load(str(model), threads=threads), run.held_out, list(run.preset.mix.layouts), n=n, say=say)


def long_scores(model: Path, run: TrainRun, *, threads: int, say: Say) -> list[LongRow]:
    """Whole runs of `long` on unseen inputs, where its steps were trained on."""
    from deskcheck.models.tiny import load

    if not any(CHAINS in stage.families for stage in run.preset.stages):
        return []
    rows = []
    for row in long_rows(load(str(model), threads=threads), which=EVALUATION):
        rows.append(row)
        say(long_line(row))
    return rows


def _tokens_in(minutes: float, chosen: Preset, options: TrainOptions, say: Say) -> int:
    """How many tokens fit: making the data and training are measured for some seconds each."""
    from deskcheck.training import trainer

    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of(chosen, len(chosen.stages) - 1, seed=options.seed, candidates=400)
        started = time.monotonic()
        make_part(plan, str(Path(folder) / "part.npz"), generated_examples)
        rows, _ = read_part(Path(folder) / "part.npz")
        made_s = (time.monotonic() - started) / rows.ids.size / options.threads
        trained_s = 1.0 / trainer.tokens_per_second(
            chosen, rows, Path(folder), threads=options.threads, for_s=MEASURED_S
        )
    tokens = int(minutes * 60 * (1 - SPARE_SHARE) / (made_s + trained_s))
    say(
        f"{minutes:g} minutes: {tokens:,} tokens "
        f"(data {1 / made_s:,.0f}, training {1 / trained_s:,.0f} tokens a second)"
    )
    return tokens


def first_rows(options: TrainOptions, n_rows: int = 2) -> str:
    """`--show-batch`: the first rows as text, with what carries loss."""
    chosen = preset(options.preset, options.layouts)
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of(chosen, 0, seed=options.seed, candidates=50)
        make_part(plan, str(Path(folder) / "part.npz"), generated_examples)
        rows, _ = read_part(Path(folder) / "part.npz")
    return show_batch(select(rows, slice(0, n_rows)), build_tokenizer())
