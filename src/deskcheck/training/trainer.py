"""Rows through a small model: the loop, the schedule, the log, the checkpoints.

    run(preset, rows, out, seed=0) -> Done: the trained model, and how much it was trained

Model and optimiser are those of transformers and torch; the loop is our own. TRL's computes scores of all
tokens, and their entropy, at every step: of a model this small that is most of the work. Here only tokens
that carry loss get scores (a test compares the losses with those of transformers). Rows come in their order:
an interrupted run goes on at the row where its last checkpoint stood and gives the losses of an uninterrupted
one (a test compares them).

The rate warms up, stays, and decays to nothing; how far the run is goes by its rows, or, with `minutes`, by
the clock: on a machine that slows down such a run sees less, and still ends with its decay, in time.
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

import numpy as np
import torch
import transformers
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from deskcheck.models.tiny import Shape
from deskcheck.training.data import Rows, select, visible
from deskcheck.training.graph import Weights
from deskcheck.training.presets import Optimiser, Preset
from deskcheck.training.tokenizer import BOS, EOS, EOS_ID, PAD, PAD_ID, build_tokenizer

Say = Callable[[str], None]
LOG_NAME = "train.jsonl"
STATE_NAME = "training_state.pt"
SAY_EVERY_S = 20.0
FINE = 1_000_000  # a run that goes by the clock has this many moments


class Done(NamedTuple):
    """A model after a run."""

    model: Any
    n_steps: int
    interrupted: bool


def build_model(shape: Shape, *, seed: int, deviation: float = 0.02, weights: Weights | None = None) -> Any:
    """A Llama-shaped model with random weights, or with these."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.max_positions,
        rms_norm_eps=shape.norm_epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": shape.rope_base},
        tie_word_embeddings=True,
        initializer_range=deviation,
        pad_token_id=PAD_ID,
        bos_token_id=1,
        eos_token_id=EOS_ID,
        use_cache=False,
        attn_implementation="sdpa",
    )
    config.deskcheck_trained_length = shape.trained_length
    config.deskcheck_last_digit_first = shape.last_digit_first
    model = LlamaForCausalLM(config)
    if weights is not None:
        tensors = {name: torch.tensor(np.asarray(w, np.float32)) for name, w in weights.items()}
        model.load_state_dict(tensors, strict=False)
    return model


def _tokenizer() -> Any:
    return PreTrainedTokenizerFast(
        tokenizer_object=build_tokenizer(),
        pad_token=PAD,
        bos_token=BOS,
        eos_token=EOS,
        split_special_tokens=True,
    )


def loss_of(model: Any, rows: Rows, *, bf16: bool) -> Any:
    """Sum of the losses of the tokens that carry loss; a token's scores come from the place before it."""
    wanted = torch.from_numpy(rows.loss)
    ids = torch.from_numpy(rows.ids.astype(np.int64))
    with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
        hidden = model.model(
            input_ids=ids,
            position_ids=torch.from_numpy(rows.position.astype(np.int64)),
            attention_mask=torch.from_numpy(visible(rows)[:, None]),
        ).last_hidden_state
        scores = model.lm_head(hidden[:, :-1][wanted[:, 1:]])
    return cross_entropy(scores.float(), ids[wanted], reduction="sum")


def share_of_rate(step: int, n_steps: int, optimiser: Optimiser) -> float:
    """Warm-up, plateau, linear decay: what transformers calls warmup_stable_decay."""
    warmup = max(1, round(n_steps * optimiser.warmup_share))
    decay = round(n_steps * optimiser.decay_share)
    if step < warmup:
        return step / warmup
    left = n_steps - step
    return 1.0 if left > decay else max(0.0, left / decay)


def adamw(model: Any, wanted: Optimiser) -> torch.optim.Optimizer:
    """AdamW as transformers sets it up: norms do not decay."""
    decays = [p for p in model.parameters() if p.ndim > 1]
    others = [p for p in model.parameters() if p.ndim <= 1]
    groups = [
        {"params": decays, "weight_decay": wanted.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=wanted.learning_rate, betas=(0.9, wanted.beta2), fused=True)


class _Log:
    """One JSON line every some steps; a resumed run drops the lines that it will write again."""

    def __init__(self, path: Path, resumed_at: int, every: int, say: Say) -> None:
        self.path = path
        self.every = every
        self.say = say
        self.said = 0.0
        self.losses: list[float] = []
        kept = [line for line in _lines(path) if json.loads(line)["step"] <= resumed_at] if resumed_at else []
        path.write_text("".join(f"{line}\n" for line in kept))

    def take(self, step: int, loss: float, is_last: bool, left_s: float, **more: float) -> None:
        self.losses.append(loss)
        if step % self.every and not is_last:
            return
        mean = sum(self.losses) / len(self.losses)
        self.losses = []
        with self.path.open("a") as file:
            file.write(json.dumps({"step": step, "loss": mean, **more}) + "\n")
        now = time.monotonic()
        if is_last or now - self.said >= SAY_EVERY_S:
            self.said = now
            self.say(f"step {step:,}, loss {mean:.3f}, {left_s / 60:.0f} min left")


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def last_checkpoint(out: Path) -> Path | None:
    """The newest whole checkpoint of a run."""
    found = [f.parent for f in out.glob(f"checkpoint-*/{STATE_NAME}")]
    return max(found, key=lambda f: int(f.name.split("-")[1])) if found else None


def run(
    preset: Preset,
    rows: Rows,
    out: Path,
    *,
    seed: int,
    threads: int = 2,
    minutes: float = 0.0,
    resume: bool = False,
    weights: Weights | None = None,
    save_steps: int = 500,
    log_steps: int = 20,
    stop_after: int = 0,
    keep: dict[int, Path] | None = None,
    say: Say = lambda text: None,
) -> Done:
    """Train on all rows once, in order; with `minutes` so long, from the first row again after the last.

    `keep` says after which steps the model is saved, and where; `stop_after` interrupts on purpose (tests).
    """
    torch.set_num_threads(threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    per_step, optimiser = preset.rows_per_step, preset.optimiser
    n_steps = len(rows.ids) // per_step
    n_real = np.cumsum((rows.group >= 0).sum(1)[: n_steps * per_step].reshape(n_steps, -1).sum(1))
    model = build_model(preset.shape, seed=seed, deviation=preset.initial_deviation, weights=weights)
    model.train()
    stepper = adamw(model, optimiser)
    found = last_checkpoint(out) if resume else None
    step, before_s = _restore(found, model, stepper) if found else (0, 0.0)
    log = _Log(out / LOG_NAME, step, log_steps, say)
    started, first = time.monotonic(), step
    with _interrupts() as stop:
        while True:
            spent_s = before_s + time.monotonic() - started
            share = spent_s / (60 * minutes) if minutes else step / n_steps
            if share >= 1 or stop or 0 < stop_after <= step:
                break
            rate = (
                share_of_rate(round(share * FINE), FINE, optimiser)
                if minutes
                else share_of_rate(step, n_steps, optimiser)
            )
            for group in stepper.param_groups:
                group["lr"] = rate * optimiser.learning_rate
            batch = (step % n_steps) * per_step
            loss, norm = _step(model, stepper, select(rows, slice(batch, batch + per_step)), preset)
            step += 1
            rounds, at = divmod(step - 1, n_steps)
            left_s = 60 * minutes - spent_s if minutes else spent_s / (step - first) * (n_steps - step)
            log.take(
                step,
                loss,
                not minutes and step == n_steps,
                left_s,
                tokens=int(rounds * n_real[-1] + n_real[at]),
                learning_rate=rate * optimiser.learning_rate,
                gradient_norm=norm,
            )
            if keep and step in keep:
                save(model, keep[step])
            if step % save_steps == 0:
                _checkpoint(out, step, model, stepper, before_s + time.monotonic() - started)
    interrupted = share < 1
    if interrupted:
        _checkpoint(out, step, model, stepper, spent_s)
    if stop:
        raise KeyboardInterrupt
    return Done(model, step, interrupted)


def _step(model: Any, stepper: Any, batch: Rows, preset: Preset) -> tuple[float, float]:
    """One step of the optimiser; mean loss and norm of the gradient."""
    n_loss = int(batch.loss[:, 1:].sum())
    total = 0.0
    for at in range(0, len(batch.ids), preset.rows_per_pass):
        loss = loss_of(model, select(batch, slice(at, at + preset.rows_per_pass)), bf16=preset.bf16) / n_loss
        loss.backward()
        total += float(loss.detach())
    norm = torch.nn.utils.clip_grad_norm_(model.parameters(), preset.optimiser.max_gradient_norm)
    stepper.step()
    stepper.zero_grad()
    return total, float(norm)


def _checkpoint(out: Path, step: int, model: Any, stepper: Any, spent_s: float) -> None:
    """Whole or not at all; the newest two stay."""
    part = out / f"checkpoint-{step}.part"
    model.save_pretrained(str(part))
    state = {"step": step, "spent_s": spent_s, "optimiser": stepper.state_dict()}
    torch.save(state, part / STATE_NAME)
    final = out / f"checkpoint-{step}"
    shutil.rmtree(final, ignore_errors=True)
    part.rename(final)
    for old in sorted(out.glob("checkpoint-*[0-9]"), key=lambda f: int(f.name.split("-")[1]))[:-2]:
        shutil.rmtree(old)


def _restore(folder: Path, model: Any, stepper: Any) -> tuple[int, float]:
    """Steps and seconds so far."""
    from safetensors.torch import load_file

    model.load_state_dict(load_file(str(folder / "model.safetensors")), strict=False)
    state = torch.load(folder / STATE_NAME, weights_only=True)
    stepper.load_state_dict(state["optimiser"])
    return state["step"], state["spent_s"]


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """While this lasts, the first Ctrl-C waits for the end of the step; a second one does not."""
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


def save(model: Any, folder: Path) -> None:
    """The model and its tokenizer as transformers reads them."""
    model.save_pretrained(str(folder))
    _tokenizer().save_pretrained(str(folder))


def tokens_per_second(preset: Preset, rows: Rows, folder: Path, *, threads: int, for_s: float) -> float:
    """Speed of training on this machine, padding included; the model is thrown away."""
    many = select(rows, [n % len(rows.ids) for n in range(max(len(rows.ids), preset.rows_per_step))])
    started = time.monotonic()
    done = run(preset, many, folder, seed=0, threads=threads, minutes=max(for_s, 0.01) / 60, save_steps=10**9)
    a_step = preset.rows_per_step * preset.shape.trained_length
    return done.n_steps * a_step / (time.monotonic() - started)
