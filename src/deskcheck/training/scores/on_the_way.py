"""Scores of a run from scratch while it is trained: every so many steps, on a few held-out programs.

    points(1_000, 4) -> [200, 400, 600, 800]        the run stops there, is scored, and goes on
    evals.jsonl: {"step": 200, "layout": "line-1", "question": "one step", "right": 41, "n": 188, ..}

The run goes on from the checkpoint that it leaves there, which gives the weights of an uninterrupted one to
the last bit (a test compares them). What a card says at the end is asked anew, of more programs. In the
middle of a run the rate is high: such scores say whether it learns, not how good it will be.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.models.tiny import load
from deskcheck.training.export import export
from deskcheck.training.record import TrainRun
from deskcheck.training.scores.held_out import score
from deskcheck.training.scores.long_chains import load_checkpoint
from deskcheck.training.stream import Say

NAME = "evals.jsonl"
N_PROGRAMS = 50


class Exam(Struct, frozen=True):
    """One layout and question at one step."""

    step: int
    layout: str
    question: str
    right: int
    n: int
    low: float | None
    high: float | None
    """95 % interval; None where there is none."""


def points(n_steps: int, n_times: int) -> list[int]:
    """The steps to stop at, evenly, never the last."""
    found = {round(n_steps * k / (n_times + 1)) for k in range(1, n_times + 1)}
    return sorted(found - {0, n_steps})


def examine(checkpoint: Path, run: TrainRun, out: Path, *, device: str, n: int, say: Say) -> None:
    """Score a checkpoint and add a line for each layout and question."""
    step = int(checkpoint.name.split("-")[1])
    say(f"step {step:,}, {n} held-out programs of '{run.held_out}':")
    with tempfile.TemporaryDirectory() as folder:
        if device == "cpu":  # onnxruntime is the faster one there
            model = load(str(export(str(checkpoint), folder)))
        else:
            model = load_checkpoint(str(checkpoint), device=device)
        rows = score(model, run.held_out, list(run.preset.mix.layouts), n=n, say=say)
    kept = [one for one in read(out) if one.step < step]
    for row in rows:
        low, high = (end if end == end else None for end in (row.low, row.high))
        kept.append(Exam(step, row.layout, row.question, row.right, row.n, low, high))
    (out / NAME).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in kept))


def read(out: Path) -> list[Exam]:
    """All that a run has so far; [] where there are none."""
    path = out / NAME
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=Exam) for line in lines]
