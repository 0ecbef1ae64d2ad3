"""Rows through TRL's SFTTrainer: the model, the batches, the schedule, the log.

    run(preset, rows, out, seed=0) -> the trained model, a Hugging Face checkpoint in out/checkpoint

The trainer is TRL's, as it is; it is given row numbers as its dataset, and `Collator` turns them into
token ids, positions, labels and a mask of who sees whom. Rows come in their order: an interrupted run
goes on at the row where its last checkpoint stood and gives the losses of an uninterrupted one (a test
compares them).
"""

from __future__ import annotations

import json
import logging
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from datasets import Dataset
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, TrainerCallback
from trl import SFTConfig, SFTTrainer

from deskcheck.models.tiny import Shape
from deskcheck.training.data import Rows, labels, select, visible
from deskcheck.training.graph import Weights
from deskcheck.training.presets import Preset
from deskcheck.training.tokenizer import BOS, EOS, EOS_ID, PAD, PAD_ID, build_tokenizer

Say = Callable[[str], None]
LOG_NAME = "train.jsonl"
SAY_EVERY_S = 20.0


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


class Collator:
    """Row numbers -> what the model takes."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def __call__(self, features: list[dict[str, int]]) -> dict[str, torch.Tensor]:
        chosen = select(self.rows, [feature["row"] for feature in features])
        return {
            "input_ids": torch.from_numpy(chosen.ids.astype(np.int64)),
            "position_ids": torch.from_numpy(chosen.position.astype(np.int64)),
            "labels": torch.from_numpy(labels(chosen)),
            "attention_mask": torch.from_numpy(visible(chosen)[:, None]),
        }


class _Log(TrainerCallback):  # type: ignore[misc]
    """One JSON line per logged step; a resumed run drops the lines that it will write again."""

    def __init__(self, path: Path, n_tokens: list[int], resumed_at: int, say: Say) -> None:
        self.path = path
        self.n_tokens = n_tokens
        self.say = say
        self.started = (time.monotonic(), resumed_at)
        self.said = 0.0
        kept = [line for line in _lines(path) if json.loads(line)["step"] <= resumed_at] if resumed_at else []
        path.write_text("".join(f"{line}\n" for line in kept))

    def on_log(
        self, args: Any, state: Any, control: Any, logs: dict[str, float] | None = None, **_: Any
    ) -> None:
        if not logs or "loss" not in logs:
            return
        entry = {
            "step": state.global_step,
            "tokens": self.n_tokens[state.global_step - 1],
            "loss": logs["loss"],
            "accuracy": logs.get("mean_token_accuracy"),
            "learning_rate": logs["learning_rate"],
            "gradient_norm": logs.get("grad_norm"),
        }
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")
        self._tell(state.global_step, state.max_steps, logs["loss"])

    def _tell(self, step: int, n_steps: int, loss: float) -> None:
        now = time.monotonic()
        if now - self.said < SAY_EVERY_S and step < n_steps:
            return
        self.said = now
        left_s = (now - self.started[0]) / max(step - self.started[1], 1) * (n_steps - step)
        self.say(f"step {step:,} of {n_steps:,}, loss {loss:.3f}, {left_s / 60:.0f} min left")


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def last_checkpoint(out: Path) -> Path | None:
    """The newest whole checkpoint of a run."""
    found = [f.parent for f in out.glob("checkpoint-*/trainer_state.json")]
    return max(found, key=lambda f: int(f.name.split("-")[1])) if found else None


def config(
    preset: Preset, out: Path, *, n_steps: int, seed: int, save_steps: int, log_steps: int
) -> SFTConfig:
    """TRL's configuration; everything that cuts, pads or packs behind our back is off."""
    optimiser = preset.optimiser
    rows = min(preset.rows_per_pass, preset.rows_per_step)
    return SFTConfig(
        output_dir=str(out),
        max_steps=n_steps,
        per_device_train_batch_size=rows,
        gradient_accumulation_steps=preset.rows_per_step // rows,
        learning_rate=optimiser.learning_rate,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={
            "num_decay_steps": round(n_steps * optimiser.decay_share),
            "decay_type": "linear",
        },
        warmup_steps=max(1, round(n_steps * optimiser.warmup_share)),
        weight_decay=optimiser.weight_decay,
        adam_beta2=optimiser.beta2,
        max_grad_norm=optimiser.max_gradient_norm,
        bf16=preset.bf16,
        use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=False,
        max_length=None,
        packing=False,
        dataset_kwargs={"skip_prepare_dataset": True},
        remove_unused_columns=False,
        train_sampling_strategy="sequential",
        dataloader_pin_memory=torch.cuda.is_available(),
        seed=seed,
        save_strategy="steps",
        save_steps=save_steps,
        save_total_limit=2,
        logging_steps=log_steps,
        report_to="none",
        disable_tqdm=True,
    )


def run(
    preset: Preset,
    rows: Rows,
    out: Path,
    *,
    seed: int,
    threads: int = 2,
    resume: bool = False,
    weights: Weights | None = None,
    save_steps: int = 500,
    log_steps: int = 20,
    stop_after: int = 0,
    extra: TrainerCallback | None = None,
    say: Say = lambda text: None,
) -> Any:
    """Train on all rows once, in order. `stop_after` steps interrupts on purpose (tests, measuring)."""
    torch.set_num_threads(threads)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("trl").setLevel(logging.ERROR)
    n_steps = len(rows.ids) // preset.rows_per_step
    model = build_model(preset.shape, seed=seed, deviation=preset.initial_deviation, weights=weights)
    found = last_checkpoint(out) if resume else None
    resumed_at = int(found.name.split("-")[1]) if found else 0
    per_step = (rows.group >= 0).sum(1)[: n_steps * preset.rows_per_step].reshape(n_steps, -1).sum(1)
    stop = _Stop(stop_after)
    with warnings.catch_warnings(), stop.on_interrupt():
        warnings.simplefilter(
            "ignore"
        )  # of torch, accelerate and TRL about themselves; none is about our data
        trainer = SFTTrainer(
            model=model,
            args=config(preset, out, n_steps=n_steps, seed=seed, save_steps=save_steps, log_steps=log_steps),
            train_dataset=Dataset.from_dict({"row": list(range(n_steps * preset.rows_per_step))}),
            data_collator=Collator(rows),
            processing_class=_tokenizer(),
            callbacks=[
                _Log(out / LOG_NAME, np.cumsum(per_step).tolist(), resumed_at, say),
                stop,
                *([extra] if extra else []),
            ],
        )
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.create_model_card = lambda **_: None  # card.py writes one that says what happened
        trainer.train(resume_from_checkpoint=str(found) if found else None)
    if stop.interrupted:
        raise KeyboardInterrupt
    return trainer.model


class _Stop(TrainerCallback):  # type: ignore[misc]
    """Ends a run after a step, with a checkpoint: when it was asked to, or at Ctrl-C."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.interrupted = False

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if self.interrupted or 0 < self.after <= state.global_step:
            control.should_training_stop = True
            control.should_save = True

    @contextmanager
    def on_interrupt(self) -> Iterator[None]:
        """While this lasts, the first Ctrl-C waits for the end of the step; a second one does not."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def remember(number: int, frame: object) -> None:
            self.interrupted = True
            signal.signal(signal.SIGINT, before)

        before = signal.signal(signal.SIGINT, remember)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def save(model: Any, folder: Path) -> None:
    """The model and its tokenizer as transformers reads them."""
    model.save_pretrained(str(folder))
    _tokenizer().save_pretrained(str(folder))


def tokens_per_second(preset: Preset, rows: Rows, folder: Path, *, threads: int, for_s: float) -> float:
    """Speed of training on this machine, padding included; the model is thrown away."""
    clock = _Clock(for_s)
    n_rows = 1000 * preset.rows_per_step
    many = select(rows, [n % len(rows.ids) for n in range(n_rows)])
    run(preset, many, folder, seed=0, threads=threads, save_steps=n_rows, extra=clock)
    steps = np.diff(clock.times)
    return preset.rows_per_step * preset.shape.trained_length / float(np.mean(steps[len(steps) // 4 :]))


class _Clock(TrainerCallback):  # type: ignore[misc]
    """Remembers when each step ended, and ends the run after some seconds."""

    def __init__(self, for_s: float) -> None:
        self.for_s = for_s
        self.times: list[float] = []

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.times.append(time.monotonic())
        control.should_training_stop = len(self.times) > 5 and self.times[-1] - self.times[0] > self.for_s
