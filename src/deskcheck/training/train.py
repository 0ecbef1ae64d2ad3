"""Run `deskcheck train`: make programs and rows, train a model, export it, score it, and write its card.

    train(TrainOptions(preset="tiny", out="runs/tiny", tokens=20_000_000)) -> Path("runs/tiny/model")

    run.json       record of the run            train.jsonl   loss by step
    data/          packed rows, part by part    checkpoint/   the model for transformers
    checkpoint-N/  to resume from               model/        the model for `--model tiny`, with its card
    parts/         weights in files under 15 MB failures.jsonl  data workers that died, if any did
    scores.json, long.json, drills.json, gates.json, skips.json     the scores on the card

With --tokens, all data is made first, and the same command gives the same model. With --minutes, training
ends with its time: other processes make data while the model is trained, and the learning rate has decayed
when that time is over. The card gives the number of steps. After an interruption, or an end by --set
stop_minutes, the same command with `--resume` continues the run.
"""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Struct

from deskcheck.decontamination.near import edition
from deskcheck.errors import MissingExtra, UserError
from deskcheck.format.files import commit
from deskcheck.inference.engine import Card, read_card
from deskcheck.models.tiny import Shape, load
from deskcheck.plugins import key_values
from deskcheck.programs.generated import check_family
from deskcheck.training import record
from deskcheck.training.data import select, show_batch
from deskcheck.training.disk import report_full_disk
from deskcheck.training.export import export, model_folder, read_shape, read_weights, write_parts
from deskcheck.training.feed import Feed, Source, Stored
from deskcheck.training.graph import Weights
from deskcheck.training.grown import grown, has_grown, in_words, misfit, with_words_of
from deskcheck.training.live.functions import functions_of, is_functions
from deskcheck.training.live.mixed_feed import MixedFeed
from deskcheck.training.presets import FUNCTIONS, Preset, Stage, preset, with_functions
from deskcheck.training.record import TrainRun
from deskcheck.training.scores.card import card, n_parameters
from deskcheck.training.scores.card_scores import (
    drill_scores,
    gate_scores,
    long_scores,
    on_line_scores,
    skip_scores,
)
from deskcheck.training.scores.held_out import score, write_scores
from deskcheck.training.stream import (
    FAILURES,
    Say,
    generated_examples,
    make_part,
    plan_of,
    prepare,
    read_part,
    total,
)
from deskcheck.training.tokenizer import build_tokenizer
from deskcheck.training.traces import family_of_folder

GENERATED = "generated:"
"""Beginning of a `--data` that names families of generated programs."""
SPARE_SHARE = 0.12
"""Share of the minutes that is left for scoring and export, which may take longer (docs/training.md)."""
SAVE_MINUTES = 3.0
"""Minutes between two checkpoints of a run with --minutes (a run by the clock)."""
N_HELD_OUT = 500
"""Number of held-out programs of a family."""
SCORES = "scores.json"
LONG_SCORES = "long.json"
DRILL_SCORES = "drills.json"
SKIP_SCORES = "skips.json"
GATE_SCORES = "gates.json"


TURNED = "numbers stand last digit first, as the model reads and writes them: 120 is 021"


class TrainOptions(Struct, frozen=True, kw_only=True):
    """Options of one run of training from scratch."""

    preset: str
    out: str
    tokens: int = 0
    """Length of the run in tokens, padding included; 0 = the preset's, unless `minutes` are given."""
    minutes: float = 0.0
    """Minutes of the run; 0 = a run by `tokens`.

    SPARE_SHARE of them is for export and scores, which may take longer.
    """
    layouts: list[str] = msgspec.field(default_factory=list)
    """Layouts to train; [] = the preset's."""
    row_length: int = 0
    """Tokens of a row; 0 = the preset's."""
    data: str = ""
    """Folder of `deskcheck build` whose runs replace the programs of the preset, or a file of functions.

    "" = the preset's own; "generated:easy,easy:javascript" replaces them by these families, with equal
    shares of the draws. A file of functions (`live/functions.py`) joins the programs of the preset.
    """
    seed: int = 0
    threads: int = 2
    """Processor threads of the training."""
    device: str = "cpu"
    """Device of the training: cpu or cuda."""
    workers: int = -1
    """Processes that make data.

    -1 = with a GPU, all cores but one; without a GPU, one if there are two threads or more, else none.
    """
    stop_minutes: float = 0.0
    """Minutes after which this attempt ends with a checkpoint, for `resume` to continue; 0 = no limit."""
    resume: bool = False
    start_from: str = ""
    """Folder of a model whose weights are the first ones; "tiny" = the shipped model, "" = random weights."""
    evaluations: int = 0
    """Number of evaluations on a few held-out programs during training (runs by tokens only)."""
    held_out: str = "easy"
    """Family of the held-out programs."""
    n_held_out: int = N_HELD_OUT
    """Largest number of held-out programs for the scores; 0 = no scores, and all minutes go to training."""


class Settings(Struct, frozen=True, kw_only=True):
    """Settings of `--set` for training from scratch, as in `TrainOptions`; `held_out` sets `n_held_out`."""

    row_length: Annotated[int, msgspec.Meta(ge=1)] = 0
    stop_minutes: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    evaluations: Annotated[int, msgspec.Meta(ge=1)] = 0
    held_out: Annotated[int, msgspec.Meta(ge=0, le=N_HELD_OUT)] = N_HELD_OUT


def scratch_settings(texts: list[str]) -> dict[str, Any]:
    """Return fields of `TrainOptions` from ["held_out=50"]; UserError names an unknown or impossible one."""
    values = key_values(texts, "--set")
    for name in values:
        if name not in Settings.__struct_fields__:
            known = ", ".join(Settings.__struct_fields__)
            raise UserError(
                f"--set {name} is no setting of training from scratch ({known}); "
                "for tuning a model that there is, name it: --model NAME"
            )
    try:
        settings = msgspec.structs.asdict(msgspec.convert(values, Settings, strict=False))
    except msgspec.ValidationError as error:
        raise UserError(f"--set: {error}") from None
    return {"n_held_out" if name == "held_out" else name: value for name, value in settings.items()}


def train(options: TrainOptions, *, say: Say = print) -> Path:
    """Run the training; return the folder of the exported model, or the checkpoint of a stopped attempt.

    UserError if the options contradict each other, or if `out` holds another run. MissingExtra if a library
    is absent. KeyboardInterrupt after Ctrl-C, with a checkpoint.
    """
    need_libraries(options.device)
    out = Path(options.out)
    is_new = record.is_free(out)
    run = _begin(options, out, say)
    model, checkpoint = out / "model", out / "checkpoint"
    if (out / SKIP_SCORES).is_file() and (model / "README.md").is_file():  # skips.json is written last
        say(f"the run in '{out}' is finished; its scores:\n{kept_scores(model / 'README.md')}")
        return model
    try:
        run = (_by_the_clock if run.minutes else _by_tokens)(options, run, out, say)
    except UserError:
        if is_new and not any(out.glob("checkpoint*")):  # leave the folder free for a corrected command
            record.forget(out)
        raise
    if not (checkpoint / "model.safetensors").is_file():
        return _stopped(out, say)
    export(str(checkpoint), str(model))
    if not options.n_held_out:
        (model / "README.md").write_text(card(run, [], n_programs=0), encoding="utf-8")
        say(
            f"the model is in {model}, without scores; "
            "the same command with --resume and without --set held_out=0 adds them"
        )
        return model
    loaded = load(str(model), threads=options.threads)
    layouts = list(run.preset.mix.layouts)
    scores = score(loaded, run.held_out, layouts, n=options.n_held_out, say=say) if layouts else []
    long = long_scores(loaded, run, options.n_held_out, say=say)
    drills = drill_scores(loaded, run, options.n_held_out, say=say)
    skips = skip_scores(loaded, run, options.n_held_out, say=say)
    gates = gate_scores(checkpoint, run, options.n_held_out, say=say)
    on_lines = on_line_scores(loaded, run, options.n_held_out, say=say)
    text = card(
        run,
        scores,
        n_programs=options.n_held_out,
        long=long,
        drills=drills,
        skips=skips,
        gates=gates,
        on_lines=on_lines,
    )
    (model / "README.md").write_text(text, encoding="utf-8")
    write_scores(scores, out / SCORES)
    (out / LONG_SCORES).write_bytes(msgspec.json.format(msgspec.json.encode(long)) + b"\n")
    (out / DRILL_SCORES).write_bytes(msgspec.json.format(msgspec.json.encode(drills)) + b"\n")
    (out / GATE_SCORES).write_bytes(msgspec.json.format(msgspec.json.encode(gates)) + b"\n")
    (out / SKIP_SCORES).write_bytes(msgspec.json.format(msgspec.json.encode(skips)) + b"\n")
    say(f"the model is in {model}; try: deskcheck eval --model tiny -M path={model} --benchmark core")
    return model


def kept_scores(path: Path) -> str:
    """Return the part of a card with the scores."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("## Scores") : text.index("\n## Training")].strip()


def _by_tokens(options: TrainOptions, run: TrainRun, out: Path, say: Say) -> TrainRun:
    """Make all data, then train on it; the number of steps does not depend on the machine."""
    n_rows = run.budget // run.preset.shape.trained_length
    n_rows -= n_rows % run.preset.rows_per_step
    started = time.monotonic()
    try:
        rows, data = prepare(
            run.preset, n_rows, out / "data", seed=run.seed, workers=_workers(options), say=say
        )
    finally:
        run = msgspec.structs.replace(run, data_s=run.data_s + time.monotonic() - started)
        record.write(run, out)
    run = record.write(msgspec.structs.replace(run, data=data), out)
    say(
        f"{n_parameters(run.preset):,} parameters, {n_rows:,} rows, {int(rows.loss.sum()):,} tokens with loss"
    )
    return _fit(options, run, Stored(rows, run.preset.rows_per_step), out, say)


def _by_the_clock(options: TrainOptions, run: TrainRun, out: Path, say: Say) -> TrainRun:
    """Train while other processes make more data."""
    say(f"{n_parameters(run.preset):,} parameters, {run.minutes:g} minutes")
    with _feed(options, run, out, say) as feed:
        run = _fit(options, run, feed, out, say)
        if not feed.n_parts:
            return run
        n_repeated = run.n_repeated + feed.n_repeated
        lost = f"; {feed.n_lost:,} parts were lost with a worker ({FAILURES})" if feed.n_lost else ""
        say(f"{feed.n_repeated:,} rows came again; {feed.waited_s:.0f} s were spent waiting for data{lost}")
        done = msgspec.structs.replace(
            run,
            data=feed.report if run.data == record.NOTHING else total([run.data, feed.report]),
            data_s=run.data_s + feed.waited_s,
            train_s=max(0.0, run.train_s - feed.waited_s),
            n_repeated=n_repeated,
            n_lost=run.n_lost + feed.n_lost,
        )
        return record.write(done, out)


def _feed(options: TrainOptions, run: TrainRun, out: Path, say: Say) -> Feed | MixedFeed:
    """Return the source that makes data beside the training."""
    n, folder = _workers(options), out / "data"
    if run.preset.mixed:
        return MixedFeed(
            run.preset, folder, seed=run.seed, workers=n, say=say, spares=options.device != "cpu"
        )
    return Feed(run.preset, folder, seed=run.seed, workers=n, say=say)


def _workers(options: TrainOptions) -> int:
    """Return the number of processes that make data; 0 = this process makes it."""
    if options.workers >= 0:
        return options.workers
    if options.device != "cpu":
        return max(1, (os.cpu_count() or 2) - 1)
    return 1 if options.threads > 1 else 0


def _stopped(out: Path, say: Say) -> Path:
    """Return the newest checkpoint of a run that was stopped."""
    from deskcheck.training.trainer import last_checkpoint

    checkpoint = last_checkpoint(out)
    assert checkpoint is not None, "a run that was stopped leaves a checkpoint"
    say(f"stopped at {checkpoint.name}; the same command with --resume continues")
    return checkpoint


def need_libraries(device: str) -> None:
    """Raise MissingExtra if a library is absent, UserError if the device cannot be used."""
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
        import torch
        import transformers  # noqa: F401
    except ImportError as error:
        raise MissingExtra(error.name or "torch", "train", "training") from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        first = str(error).splitlines()[0]
        raise UserError(f"--device {device}: {first}; `deskcheck doctor` says what is there") from None


def _begin(options: TrainOptions, out: Path, say: Say) -> TrainRun:
    """Return the stored record of the run to resume, or write the record of a new run."""
    stored = record.read(out)
    if stored is not None:
        if not options.resume:
            raise UserError(
                f"'{out}' already holds a run; continue it with --resume, or choose another --out"
            )
        if (stored.preset.name, stored.seed) != (options.preset, options.seed):
            raise UserError(
                f"'{out}' holds a run of preset {stored.preset.name} with seed {stored.seed}; "
                f"asked to resume {options.preset} with seed {options.seed}"
            )
        _check_same(options, stored)
        return stored
    if options.resume:
        say(f"no run in '{out}' to resume: it begins")
    chosen = _checked(options)
    budget = _budget(options, chosen)
    run = TrainRun(
        command=_command(options, budget),
        preset=chosen,
        seed=options.seed,
        budget=budget,
        minutes=options.minutes,
        start_from=options.start_from,
        decontamination=edition(),
        start_decontamination=record.decontamination_of(options.start_from),
        grown_from=_grown_from(options, chosen),
        held_out=options.held_out,
        versions=record.versions(),
        commit=commit(),
        machine=record.machine(options.threads, options.device, _workers(options)),
    )
    return record.write(run, out)


def _checked(options: TrainOptions) -> Preset:
    """Return the preset of a new run. UserError if the options contradict each other or the preset."""
    if options.tokens and options.minutes:
        raise UserError("--tokens and --minutes both name the length of the run; give one")
    if options.evaluations and options.minutes:
        raise UserError(
            "--set evaluations goes with --tokens: scores would take their time from a run by the clock"
        )
    if not options.minutes and preset(options.preset).practises:
        raise UserError(
            f"preset '{options.preset}' mixes redexes and programs for a time: give its --minutes"
        )
    if options.stop_minutes and not options.minutes:
        raise UserError("--set stop_minutes goes with --minutes: the length of the whole run")
    chosen = preset(options.preset, options.layouts, row_length=options.row_length)
    chosen = with_functions(chosen, options.data if is_functions(options.data) else "")
    if is_functions(options.data):
        functions_of(f"{FUNCTIONS}:{options.data}")
    elif options.data:
        if chosen.practises:
            raise UserError(f"--data: the runs of a dataset cannot replace the redexes of '{chosen.name}'")
        chosen = msgspec.structs.replace(chosen, stages=(Stage(1.0, _families(options.data)),))
    if options.start_from:
        first = read_shape(options.start_from)
        chosen = msgspec.structs.replace(chosen, shape=with_words_of(first, chosen.shape))
        if why := misfit(first, chosen.shape):
            raise UserError(
                f"preset '{options.preset}' cannot go on from '{options.start_from}': {why}; "
                "name a larger --preset, or another model"
            )
    budget, a_step = _budget(options, chosen), chosen.rows_per_step * chosen.shape.trained_length
    if not options.minutes and budget < a_step:
        raise UserError(
            f"{budget:,} tokens are less than one step of preset '{chosen.name}', {a_step:,}; ask for more"
        )
    return chosen


def _families(data: str) -> dict[str, float]:
    """Return the families that `--data` names, each with its share of the draws."""
    if not data.startswith(GENERATED):
        return {family_of_folder(data): 1.0}
    names = data.removeprefix(GENERATED).split(",")
    for name in names:
        check_family(name)
    return dict.fromkeys(names, 1.0)


def _budget(options: TrainOptions, preset: Preset) -> int:
    """Return the tokens for which data is made before the run; 0 = the clock decides."""
    return 0 if options.minutes else options.tokens or preset.tokens


def _check_same(options: TrainOptions, stored: TrainRun) -> None:
    """Raise UserError if the options of a resumed run differ from its record; they would have no effect."""
    kept = {
        "--layouts": (sorted(options.layouts), sorted(stored.preset.mix.layouts)),
        "--set row_length": (options.row_length, stored.preset.shape.trained_length),
        "--tokens": (options.tokens, stored.budget),
        "--minutes": (options.minutes, stored.minutes),
        "--from": (options.start_from, stored.start_from),
    }
    if is_functions(options.data):
        kept["--data"] = (
            True,
            with_functions(preset(options.preset), options.data).stages == stored.preset.stages,
        )
    elif options.data:
        kept["--data"] = (list(_families(options.data)), list(stored.preset.stages[0].families))
    changed = [flag for flag, (asked, has) in kept.items() if asked and asked != has]
    if changed:
        raise UserError(
            f"the run in '{options.out}' has another {', '.join(changed)}; a resumed run keeps its own"
        )


def _command(options: TrainOptions, budget: int) -> str:
    words = ["deskcheck", "train", "--preset", options.preset, "--out", "DIR"]
    words += ["--minutes", f"{options.minutes:g}"] if options.minutes else ["--tokens", str(budget)]
    words += ["--layouts", ",".join(options.layouts)] if options.layouts else []
    words += ["--set", f"row_length={options.row_length}"] if options.row_length else []
    words += ["--data", Path(options.data).name] if options.data else []
    words += ["--device", options.device] if options.device != "cpu" else []
    words += ["--seed", str(options.seed), "--threads", str(options.threads)]
    words += ["--from", options.start_from] if options.start_from else []
    return shlex.join(words)


def _fit(options: TrainOptions, run: TrainRun, source: Source, out: Path, say: Say) -> TrainRun:
    """Train, unless the checkpoint of the finished run exists."""
    from deskcheck.training import network, trainer

    if (out / "checkpoint" / "model.safetensors").is_file():
        return run
    weights = _first_weights(run, say) if run.start_from else None
    started = time.monotonic()
    resume = _on_the_way(options, run, source, out, weights, say) or options.resume
    try:
        done = trainer.fed(
            run.preset,
            source,
            out,
            seed=run.seed,
            resume=resume,
            weights=weights,
            say=say,
            threads=options.threads,
            device=options.device,
            minutes=run.minutes * (1 - SPARE_SHARE * bool(options.n_held_out)),
            stop_minutes=options.stop_minutes,
            save_minutes=SAVE_MINUTES if run.minutes else 0.0,
            save_steps=10**9 if run.minutes else 500,
            saved=lambda model: _write_parts(model, run, out),
        )
    finally:
        run = record.write(
            msgspec.structs.replace(run, train_s=run.train_s + time.monotonic() - started), out
        )
    seen = {"n_steps": done.n_steps, "n_tokens": done.n_tokens, "n_loss": done.n_loss}
    run = record.write(msgspec.structs.replace(run, **seen), out)
    if not done.interrupted:
        network.save(done.model, out / "checkpoint")
    return run


def _write_parts(model: Any, run: TrainRun, out: Path) -> None:
    """Write the weights of a run in small files."""
    from deskcheck.training.network import weights_of

    with report_full_disk(out):
        write_parts(weights_of(model), run.preset.shape, out / "parts")


def _grown_from(options: TrainOptions, preset: Preset) -> Shape | None:
    """Return the size of the first model if the preset is larger, else None."""
    small = read_shape(options.start_from) if options.start_from else preset.shape
    return small if has_grown(small, preset.shape) else None


def _card_of(path: str) -> Card:
    """Read the card of the model in `path`; a training folder has it beside the checkpoint."""
    folder = model_folder(path)
    return read_card(folder if (folder / "README.md").is_file() else folder.parent / "model")


def _first_weights(run: TrainRun, say: Say) -> Weights:
    """Read the first weights; if the preset is larger than their model, grow them to its size."""
    weights, large = read_weights(run.start_from), run.preset.shape
    if other := _card_of(run.start_from).comprehensions:
        say(f"note: {other} New data would teach it both ways; train on the model's Python to keep one")
    if run.grown_from is None:
        return weights
    say(f"the model in '{run.start_from}' grows from {in_words(run.grown_from)} to {in_words(large)}")
    return grown(weights, run.grown_from, large, seed=run.seed)


def _on_the_way(
    options: TrainOptions, run: TrainRun, source: Source, out: Path, weights: Weights | None, say: Say
) -> bool:
    """Train up to each point and score its checkpoint; return whether any checkpoint was reached."""
    from deskcheck.training import trainer
    from deskcheck.training.scores import on_the_way

    if not options.evaluations:
        return False
    before = trainer.last_checkpoint(out) if options.resume else None
    reached = int(before.name.split("-")[1]) if before else 0
    for step in on_the_way.points(source.n_steps, options.evaluations):
        if step <= reached:
            continue
        trainer.fed(
            run.preset,
            source,
            out,
            seed=run.seed,
            resume=reached > 0,
            weights=weights,
            say=say,
            threads=options.threads,
            device=options.device,
            stop_after=step,
        )
        reached = step
        n = min(on_the_way.N_PROGRAMS, options.n_held_out)
        on_the_way.examine(out / f"checkpoint-{step}", run, out, n=n, say=say)
    return reached > 0


def first_rows(options: TrainOptions, n_rows: int = 2) -> str:
    """Render the first rows for `--show-batch`, with marks around tokens with loss.

    UserError if the options contradict each other, or if no example fits into a row.
    """
    chosen = _checked(options)
    tokenizer = build_tokenizer(size=chosen.shape.vocabulary)
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of(chosen, 0, seed=options.seed, candidates=50)
        make_part(plan, str(Path(folder) / "part.npz"), generated_examples)
        rows, _ = read_part(Path(folder) / "part.npz")
    if not len(rows.ids):
        length = chosen.shape.trained_length
        raise UserError(f"no example fits into rows of {length:,} tokens; give a larger --set row_length")
    shown = show_batch(select(rows, slice(0, n_rows)), tokenizer)
    return f"{TURNED}\n{shown}" if chosen.shape.last_digit_first else shown
