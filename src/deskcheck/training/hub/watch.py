"""Define the callbacks of a fine-tuning run: they write its log, end it at a signal, and score the model.

    trainer.add_callback(Logged(path, say))     writes the loss of every step to train.jsonl
    trainer.add_callback(Stopping(stop))        Ctrl-C or SIGTERM: stops after this step, with a checkpoint
    trainer.add_callback(Examined(..))          held-out programs: answers and loss by layout, evals.jsonl

An answer is right if each of its tokens, its end included, has the highest score after the true tokens before
the token. Exactly then the greedy answer is the true answer, so one pass through the network decides. Source
of the idea: teacher forcing (Williams and Zipser, A learning algorithm for continually running recurrent
networks, 1989).
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from transformers import TrainerCallback

from deskcheck.statistics.summary import clustered_interval

Say = Callable[[str], None]
LOG, EVALS = "train.jsonl", "evals.jsonl"


class Stop:
    """Flag whether a signal asked for the end of the run."""

    asked = False


@contextmanager
def signals(stop: Stop) -> Iterator[None]:
    """Delay the first Ctrl-C or SIGTERM to the end of the step; a second one acts at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(kind) for kind in kinds]

    def restore() -> None:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)

    def remember(number: int, frame: object) -> None:
        stop.asked = True
        restore()

    for kind in kinds:
        signal.signal(kind, remember)
    try:
        yield
    finally:
        restore()


class Stopping(TrainerCallback):  # type: ignore[misc]  # mypy skips transformers
    """Callback that ends the run after a step, with a checkpoint; all processes stop after the same step."""

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Stop after this step if a signal asked for it."""
        if args.world_size > 1:
            import torch

            flag = torch.tensor(int(self.stop.asked), device=args.device)
            torch.distributed.all_reduce(flag)
            self.stop.asked = bool(flag.item())
        if self.stop.asked:
            control.should_save = control.should_training_stop = True


class Logged(TrainerCallback):  # type: ignore[misc]  # mypy skips transformers
    """Callback that writes every log entry to a file, and prints the loss about fifty times per run."""

    def __init__(self, path: Path, say: Say) -> None:
        self.path, self.say = path, say

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Drop the lines after the checkpoint, which a resumed run writes again."""
        if state.is_world_process_zero:
            keep_until(self.path, state.global_step)

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """Write the losses of a step to the log."""
        if not logs or not state.is_world_process_zero:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**logs, "step": state.global_step}) + "\n")
        every = max(1, state.max_steps // 50)
        if "loss" in logs and state.global_step % every == 0:
            self.say(f"step {state.global_step:,} of {state.max_steps:,}, loss {float(logs['loss']):.4f}")


def keep_until(path: Path, step: int) -> None:
    """Drop the lines of later steps, and a last line that was cut by a crash; at step 0, drop all lines."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else []:
        try:
            is_kept = json.loads(line)["step"] <= step and step > 0
        except (ValueError, KeyError):
            continue
        if is_kept:
            lines.append(line)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


class Exam(Struct, frozen=True):
    """Score on the held-out examples of one layout at one step."""

    step: int
    layout: str
    n: int
    right: int
    """Number of right greedy answers."""
    low: float | None
    high: float | None
    """95 % interval, clustered by program; None if there are too few clusters."""
    loss: float | None
    """Mean loss of the tokens with loss; None if it is NaN."""


class Examined(TrainerCallback):  # type: ignore[misc]  # mypy skips transformers
    """Callback that scores the held-out examples before the first step, regularly, and after the last."""

    def __init__(self, labels: list[tuple[str, str]], path: Path, every: int, say: Say) -> None:
        self.labels, self.path, self.every, self.say = labels, path, every, say
        self.trainer: Any = None
        self.asked_at = -1

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Score the model before tuning; a resumed run has these scores in its file already."""
        if state.is_world_process_zero:
            keep_until(self.path, state.global_step)
        if state.global_step == 0:
            self._ask(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Score the model if an evaluation is due after this step."""
        if state.global_step % (self.every or max(1, state.max_steps // 10)) == 0:
            self._ask(state)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Score the model at the end of training."""
        if self.asked_at != state.global_step and state.global_step >= state.max_steps:
            self._ask(state)

    def _ask(self, state: Any) -> None:
        self.asked_at = state.global_step
        found = exams(self.trainer, self.labels, state.global_step)
        if not state.is_world_process_zero:
            return
        with self.path.open("ab") as file:
            file.write(b"".join(msgspec.json.encode(one) + b"\n" for one in found))
        told = "; ".join(f"{e.layout} {e.right} of {e.n} right, loss {number(e.loss)}" for e in found)
        self.say(f"step {state.global_step:,}, held out: {told}")


def exams(trainer: Any, labels: list[tuple[str, str]], step: int) -> list[Exam]:
    """Score all held-out examples of the trainer by layout; `labels` are their (layout, program)."""
    import torch

    model, args = trainer.model, trainer.args
    was_training = model.training
    model.eval()
    answers: dict[str, list[tuple[bool, float, int, str]]] = {}
    for row, (layout, program) in zip(trainer.eval_dataset, labels, strict=True):
        ids = torch.as_tensor(row["input_ids"], device=args.device)[None]
        wanted = torch.as_tensor(row["labels"], device=args.device)[None]
        with torch.no_grad(), torch.autocast(args.device.type, torch.bfloat16, enabled=args.bf16):
            result = model(input_ids=ids, labels=wanted, fused_lm_head=True)
        right = bool(result.is_top1[result.label_mask].all())
        loss, n = float(-result.log_probs.sum()), int(result.label_mask.sum())
        answers.setdefault(layout, []).append((right, loss, n, program))
    model.train(was_training)
    return [_exam(step, layout, result) for layout, result in answers.items()]


def _exam(step: int, layout: str, answers: list[tuple[bool, float, int, str]]) -> Exam:
    right, losses, counts, programs = zip(*answers, strict=True)
    interval = clustered_interval([float(one) for one in right], programs)
    ends = [end if end == end else None for end in (interval.low, interval.high)]
    loss = sum(losses) / sum(counts)
    return Exam(step, layout, len(answers), sum(right), ends[0], ends[1], loss if loss == loss else None)


def number(loss: float | None) -> str:
    """Render a loss with few digits."""
    return "nan" if loss is None else f"{loss:.4f}"


def read_exams(path: Path) -> list[Exam]:
    """Read all scores that were written; [] if the file does not exist."""
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=Exam) for line in lines]
