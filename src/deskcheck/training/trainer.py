"""Train a small model on packed rows of tokens: loop, schedule, log and checkpoints.

    run(preset, rows, out, seed=0) -> Done: the trained model, its steps and its tokens

The model is built on transformers' Llama (`network.py`), and AdamW is torch's; the loop and Muon (`muon.py`)
are ours. TRL's loop computes the scores of all tokens, and their entropy, at every step. With so small a
model, that is most of the work. Here only tokens with loss get scores (a test compares the losses with those
of transformers). Rows come in order. An interrupted run continues at the row of its last checkpoint, with the
losses of an uninterrupted run (a test compares them). The same loop runs on a GPU (`device`), where the
model's layers are compiled first. On a CPU, a run by the clock of at least TRIED_FROM_MINUTES tries bf16 and
torch.compile, and keeps what is faster. Runs by the clock are not reproducible in any case.

The learning rate warms up, stays, and decays to zero. The schedule follows the rows. In a run by the clock
(`minutes`), it follows the time: on a slow machine, such a run has fewer steps but still ends with its decay,
in time. The rows of such a run can also come from an endless source (`feed.py`).
"""

from __future__ import annotations

import json
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import torch
import transformers
from msgspec import Struct

from deskcheck.errors import DataError
from deskcheck.pace import left_text
from deskcheck.training.data import Rows, select
from deskcheck.training.disk import report_full_disk
from deskcheck.training.feed import Place, Source, Stored
from deskcheck.training.graph import Weights
from deskcheck.training.muon import MuonAndAdamW, adamw
from deskcheck.training.network import (
    Say,
    backward,
    build_model,
    compile_layer,
    keep_if_faster,
    loss_of,
    save,
    suited,
    wait,
)
from deskcheck.training.presets import Optimiser, Preset
from deskcheck.training.record import LOG_NAME
from deskcheck.training.tokenizer import EOS_ID, build_tokenizer

STATE_NAME = "training_state.pt"
SAY_EVERY_S = 20.0
"""Seconds between two printed lines of progress."""
SCHEDULE_RESOLUTION = 1_000_000  # place in the schedule of a run by the clock, in millionths
TRIED_FROM_MINUTES = 10.0
"""Shortest run by the clock that compares precisions and torch.compile first, which takes a minute."""


class Done(NamedTuple):
    """A trained model, with its steps and tokens."""

    model: Any
    n_steps: int
    n_tokens: int
    """Tokens read, without padding."""
    n_loss: int
    """Tokens with loss among `n_tokens`."""
    interrupted: bool
    """Whether the run is not finished: `stop_minutes` or `stop_after` ended this attempt."""


def share_of_rate(step: int, n_steps: int, optimiser: Optimiser) -> float:
    """Return the share of the learning rate at a step: warm-up, plateau, linear decay."""
    warmup = max(1, round(n_steps * optimiser.warmup_share))
    decay = round(n_steps * optimiser.decay_share)
    if step < warmup:
        return step / warmup
    left = n_steps - step
    return 1.0 if left > decay else max(0.0, left / decay)


def stepper_of(model: Any, wanted: Optimiser) -> Any:
    """Make a new optimizer for the model."""
    return MuonAndAdamW(model, wanted) if wanted.muon else adamw(model, wanted)


class _Log:
    """Log of one JSON line every `every` steps; a resumed run drops the lines that it will write again."""

    def __init__(self, path: Path, resumed_at: int, every: int, say: Say) -> None:
        self.path = path
        self.every = every
        self.say = say
        self.last_line_s = 0.0
        self.losses: list[torch.Tensor] = []
        kept = [line for line in _lines(path) if json.loads(line)["step"] <= resumed_at] if resumed_at else []
        path.write_text("".join(f"{line}\n" for line in kept))

    def take(
        self,
        step: int,
        loss: torch.Tensor,
        norm: torch.Tensor,
        is_last: bool,
        pace: Pace,
        sample: Callable[[], str] = lambda: "",
        **more: float,
    ) -> None:
        """Note the loss of a step; write and print the mean of the losses when a line is due.

        `sample`: returns an answer of the model, for the printed line. `more`: further fields of the written
        line.
        """
        self.losses.append(loss)
        now = time.monotonic()
        is_due = is_last or now - self.last_line_s >= SAY_EVERY_S
        is_written = is_last or step % self.every == 0
        if not (is_due or is_written):
            return
        mean = float(torch.stack(self.losses).mean())  # the only place that waits for the GPU
        if is_due:
            self.last_line_s = now
            self.say(f"step {step:,}{pace.text()}, loss {mean:.3f}{sample()}")
        if not is_written:
            return
        self.losses = []
        with self.path.open("a") as file:
            file.write(json.dumps({"step": step, "loss": mean, **more, "gradient_norm": float(norm)}) + "\n")


class Pace(NamedTuple):
    """Speed of a run and the time left."""

    n_steps: int
    """Steps of the whole run; 0 = a run by the clock."""
    tokens_a_second: float
    left_s: float

    def text(self) -> str:
        """Render the progress as text: " of 400, 5,100 tokens/s, 3:20 left"."""
        whole = f" of {self.n_steps:,}" if self.n_steps else ""
        return f"{whole}, {self.tokens_a_second:,.0f} tokens/s, {left_text(self.left_s)}"


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def last_checkpoint(out: Path) -> Path | None:
    """Return the newest complete checkpoint of a run; None = none."""
    found = [f.parent for f in out.glob(f"checkpoint-*/{STATE_NAME}")]
    return max(found, key=lambda f: int(f.name.split("-")[1])) if found else None


class Settings(NamedTuple):
    """Settings of a run that do not belong to its recipe."""

    threads: int = 2
    device: str = "cpu"
    compiles: bool | None = None
    """Whether to try torch.compile; None = on a GPU and in a long run by the clock.

    A run by the clock is long from TRIED_FROM_MINUTES on. On a CPU, such a run also compares fp32 and bf16.
    """
    minutes: float = 0.0
    """Length of a run by the clock; 0 = the run ends with its rows."""
    stop_minutes: float = 0.0
    """Minutes after which this attempt ends with a checkpoint; 0 = no limit."""
    save_steps: int = 500
    """Steps between two checkpoints."""
    save_minutes: float = 0.0
    """Minutes after which a checkpoint is due as well; 0 = never."""
    log_steps: int = 20
    """Steps between two lines of the log."""
    stop_after: int = 0
    """Step after which the run is interrupted on purpose, to score it or in tests; 0 = none."""


def run(
    preset: Preset,
    rows: Rows,
    out: Path,
    *,
    seed: int,
    resume: bool = False,
    weights: Weights | None = None,
    keep: dict[int, Path] | None = None,
    say: Say = lambda text: None,
    **settings: Any,
) -> Done:
    """Train on the rows once, in order, as far as they fill whole steps.

    With `minutes`, train for that time, beginning again after the last row. Parameters: as in `fed`.
    """
    source = Stored(rows, preset.rows_per_step)
    return fed(preset, source, out, seed=seed, resume=resume, weights=weights, keep=keep, say=say, **settings)


def fed(
    preset: Preset,
    source: Source,
    out: Path,
    *,
    seed: int,
    resume: bool = False,
    weights: Weights | None = None,
    keep: dict[int, Path] | None = None,
    say: Say = lambda text: None,
    saved: Callable[[Any], None] = lambda model: None,
    **settings: Any,
) -> Done:
    """Train on the rows of a source until its steps are done; `resume` begins at the last checkpoint.

    `keep` maps a step to the folder in which the model is saved after it. `saved` is called with the model
    after every checkpoint on the way, and at the end. `settings`: fields of `Settings`. KeyboardInterrupt
    after Ctrl-C, with a checkpoint; DataError if the disk is full.
    """
    run_settings = Settings(**settings)
    torch.set_num_threads(run_settings.threads)
    torch.set_float32_matmul_precision("high")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    model = build_model(preset.shape, seed=seed, deviation=preset.initial_deviation, weights=weights)
    model.to(run_settings.device).train()
    stepper = stepper_of(model, preset.optimiser)
    found = last_checkpoint(out) if resume else None
    state = _restore(found, model, stepper) if found else State()
    source.go_to(state.place)
    log = _Log(out / LOG_NAME, state.step, run_settings.log_steps, say)
    with _interrupts() as stop:
        loop = _Loop(preset, source, model, stepper, run_settings, state)
        if run_settings.device != "cpu" and run_settings.compiles is not False:
            compile_layer(model, preset, source.batch(state.step, loop.share), say)
            loop.restart_clock()
        elif run_settings.compiles is None and run_settings.minutes >= TRIED_FROM_MINUTES:
            first = source.batch(state.step, loop.share)
            source.settle()
            loop.preset = suited(model, preset, first, say)
        elif run_settings.compiles:
            keep_if_faster(model, preset, source.batch(state.step, loop.share), say)
        try:
            while not (loop.is_over or stop):
                loop.step(log)
                if keep and loop.state.step in keep:
                    save(model, keep[loop.state.step])
                if loop.should_save:
                    loop.save(out)
                    saved(model)
        except DataError:  # a full disk: no other checkpoint can be written
            raise
        except Exception:  # any other end: keep the progress in a checkpoint
            if loop.state.step:
                loop.save(out)
            raise
    interrupted = loop.share < 1
    if interrupted:
        loop.save(out)
    saved(model)
    if stop:
        raise KeyboardInterrupt
    return Done(model, loop.state.step, loop.state.n_tokens, loop.state.n_loss, interrupted)


class State(Struct, frozen=True):
    """Progress of a run; with weights and optimizer, everything that a resumed run needs."""

    step: int = 0
    spent_s: float = 0.0
    n_tokens: int = 0
    n_loss: int = 0
    place: Place = Place(0, 0)


class _Loop:
    """One attempt at a run: steps, schedule and checkpoints."""

    def __init__(
        self, preset: Preset, source: Source, model: Any, stepper: Any, settings: Settings, state: State
    ) -> None:
        self.preset, self.source, self.model, self.stepper = preset, source, model, stepper
        self.settings, self.state = settings, state
        self.started = self.saved = time.monotonic()
        self.first, self.before_s = state.step, state.spent_s
        self.first_tokens = state.n_tokens

    def restart_clock(self) -> None:
        """Begin the schedule now; the time since `__init__`, spent on compilation, is taken off the run."""
        left_s = 60 * self.settings.minutes - (time.monotonic() - self.started)
        if self.settings.minutes:
            self.settings = self.settings._replace(minutes=max(left_s, 1.0) / 60)
        self.started = self.saved = time.monotonic()

    @property
    def spent_s(self) -> float:
        return self.before_s + time.monotonic() - self.started

    @property
    def share(self) -> float:
        """Share of the run that is done."""
        if self.settings.minutes:
            return self.spent_s / (60 * self.settings.minutes)
        return self.state.step / self.source.n_steps

    @property
    def is_over(self) -> bool:
        """Whether the run, or this attempt at it, has ended."""
        settings = self.settings
        late = 0 < 60 * settings.stop_minutes <= time.monotonic() - self.started
        return self.share >= 1 or late or 0 < settings.stop_after <= self.state.step

    @property
    def rate(self) -> float:
        n_steps = self.source.n_steps
        if self.settings.minutes:
            return share_of_rate(
                round(self.share * SCHEDULE_RESOLUTION), SCHEDULE_RESOLUTION, self.preset.optimiser
            )
        return share_of_rate(self.state.step, n_steps, self.preset.optimiser)

    def step(self, log: _Log) -> None:
        """Train on one batch and log the step."""
        rate, state = self.rate * self.preset.optimiser.learning_rate, self.state
        for group in self.stepper.param_groups:
            group["lr"] = rate
        batch = self.source.batch(state.step, self.share)
        loss, norm = _step(self.model, self.stepper, batch, self.preset)
        n_tokens = state.n_tokens + int((batch.group >= 0).sum())
        n_loss = state.n_loss + int(batch.loss.sum())
        self.state = state = State(state.step + 1, self.spent_s, n_tokens, n_loss, self.source.place)
        is_last = not self.settings.minutes and state.step == self.source.n_steps
        log.take(
            state.step,
            loss,
            norm,
            is_last,
            self._pace,
            lambda: self._sample(batch),
            tokens=n_tokens,
            learning_rate=rate,
        )

    def _sample(self, batch: Rows) -> str:
        """Render an answer; "" on a GPU, where a row alone has another shape and would be compiled for."""
        return sample_text(self.model, batch, self.preset) if self.settings.device == "cpu" else ""

    @property
    def _pace(self) -> Pace:
        spent_s = time.monotonic() - self.started
        n_steps = 0 if self.settings.minutes else self.source.n_steps
        return Pace(n_steps, (self.state.n_tokens - self.first_tokens) / spent_s, self._left_s)

    @property
    def _left_s(self) -> float:
        if self.settings.minutes:
            return 60 * self.settings.minutes - self.spent_s
        return self.spent_s / (self.state.step - self.first) * (self.source.n_steps - self.state.step)

    @property
    def should_save(self) -> bool:
        late = 0 < 60 * self.settings.save_minutes <= time.monotonic() - self.saved
        return late or self.state.step % self.settings.save_steps == 0

    def save(self, out: Path) -> None:
        """Write a checkpoint, whole or not at all; the newest two stay."""
        self.saved = time.monotonic()
        state = msgspec.structs.replace(self.state, spent_s=self.spent_s)
        _checkpoint(out, state, self.model, self.stepper)


def sample_text(model: Any, batch: Rows, preset: Preset) -> str:
    """Render the first answer of a batch, and the number of its tokens that the model now predicts.

    Every token is predicted from the true tokens before it: ", 6 of 8 tokens of '@5 | n=7' right".
    """
    row = select(batch, [0])
    (places,) = np.nonzero(row.loss[0])
    if not len(places):
        return ""
    ends = [at for at, token in enumerate(row.ids[0][places]) if token == EOS_ID]
    n_tokens = ends[0] + 1 if ends else len(places)
    marks: list[torch.Tensor] = []
    with torch.no_grad():
        loss_of(model, row, bf16=preset.bf16, right=marks)
    right = int(torch.cat(marks)[:n_tokens].sum())
    tokenizer = build_tokenizer(size=preset.shape.vocabulary)
    answer = tokenizer.decode(row.ids[0][places[:n_tokens]].tolist()).strip()
    shown = answer if len(answer) <= 50 else f"{answer[:47]}..."
    return f", {right} of {n_tokens} tokens of {shown!r} right"


def _step(model: Any, stepper: Any, batch: Rows, preset: Preset) -> tuple[torch.Tensor, torch.Tensor]:
    """Run one step of the optimizer; return mean loss and norm of the gradient, still on the device."""
    loss = backward(model, batch, preset)
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), preset.optimiser.max_gradient_norm)
    stepper.step()
    stepper.zero_grad()
    return loss, norm


def _checkpoint(out: Path, state: State, model: Any, stepper: Any) -> None:
    """Write a checkpoint by way of a temporary folder; keep the newest two."""
    part = out / f"checkpoint-{state.step}.part"
    try:
        with report_full_disk(out):
            model.save_pretrained(str(part))
            told = {"run": msgspec.to_builtins(state), "optimiser": stepper.state_dict()}
            torch.save(told, part / STATE_NAME)
    except DataError:
        shutil.rmtree(part, ignore_errors=True)
        raise
    final = out / f"checkpoint-{state.step}"
    shutil.rmtree(final, ignore_errors=True)
    part.rename(final)
    for old in sorted(out.glob("checkpoint-*[0-9]"), key=lambda f: int(f.name.split("-")[1]))[:-2]:
        shutil.rmtree(old)


def _restore(folder: Path, model: Any, stepper: Any) -> State:
    """Load weights and optimizer from a checkpoint; return the progress of the run."""
    from safetensors.torch import load_file

    model.load_state_dict(load_file(str(folder / "model.safetensors")), strict=False)
    told = torch.load(folder / STATE_NAME, weights_only=True, map_location="cpu")
    stepper.load_state_dict(told["optimiser"])
    return msgspec.convert(told["run"], State)


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """Delay the first Ctrl-C to the end of the step; a second one acts at once."""
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return

    def remember(number: int, frame: object) -> None:
        seen.append(number)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def tokens_per_second(
    preset: Preset,
    rows: Rows,
    folder: Path,
    *,
    threads: int,
    for_s: float,
    device: str = "cpu",
    compiles: bool = False,
    say: Say = lambda text: None,
) -> float:
    """Measure the tokens per second of training on this machine, padding included."""
    many = select(rows, [n % len(rows.ids) for n in range(max(len(rows.ids), preset.rows_per_step))])
    model = build_model(preset.shape, seed=0, deviation=preset.initial_deviation).to(device).train()
    source, stepper = Stored(many, preset.rows_per_step), stepper_of(model, preset.optimiser)
    run_settings = Settings(threads=threads, device=device, minutes=60.0)
    torch.set_num_threads(threads)
    if compiles and device != "cpu":
        compile_layer(model, preset, source.batch(0, 0.0), say)
    log = _Log(folder / LOG_NAME, 0, run_settings.log_steps, lambda text: None)
    loop = _Loop(preset, source, model, stepper, run_settings, State())
    loop.step(log)
    wait(model.device)
    started, n_steps = time.monotonic(), 0
    while not n_steps or time.monotonic() - started < for_s:
        loop.step(log)
        n_steps += 1
    wait(model.device)
    a_step = preset.rows_per_step * preset.shape.trained_length
    return n_steps * a_step / (time.monotonic() - started)
