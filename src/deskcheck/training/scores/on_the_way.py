"""Score a run from scratch during training, at a few steps, on a few held-out programs.

    points(1_000, 4) -> [200, 400, 600, 800]        steps at which the run is scored
    evals.jsonl: {"step": 200, "layout": "line-1", "question": "one step", "right": 41, "n": 188, ..}

After each scoring the run continues from the checkpoint of that step. It ends with the same weights, to the
last bit, as a run without scoring (a test compares them). The scores on the card are measured separately at
the end, on more programs. In the middle of a run the learning rate is high. Scores there show whether the
model learns, not how good it will be.
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
from deskcheck.training.stream import Say

NAME = "evals.jsonl"
N_PROGRAMS = 50
"""Largest number of held-out programs of one scoring."""


class Exam(Struct, frozen=True):
    """Score of one layout and kind of question at one step of training."""

    step: int
    layout: str
    question: str
    right: int
    n: int
    low: float | None
    high: float | None
    """95 % interval; None if there are too few clusters."""


def points(n_steps: int, n_times: int) -> list[int]:
    """Return up to `n_times` steps of a run at which to score it, evenly spaced, without the last step."""
    found = {round(n_steps * k / (n_times + 1)) for k in range(1, n_times + 1)}
    return sorted(found - {0, n_steps})


def examine(checkpoint: Path, run: TrainRun, out: Path, *, n: int, say: Say) -> None:
    """Score a checkpoint on `n` held-out programs; add a line for each layout and question to evals.jsonl."""
    step = int(checkpoint.name.split("-")[1])
    say(f"step {step:,}, {n} held-out programs of '{run.held_out}':")
    with tempfile.TemporaryDirectory() as folder:
        model = load(str(export(str(checkpoint), folder)))
        rows = score(model, run.held_out, list(run.preset.mix.layouts), n=n, say=say)
    kept = [one for one in read(out) if one.step < step]
    for row in rows:
        low, high = (end if end == end else None for end in (row.low, row.high))
        kept.append(Exam(step, row.layout, row.question, row.right, row.n, low, high))
    (out / NAME).write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in kept))


def read(out: Path) -> list[Exam]:
    """Read the scores of a run so far; [] = none."""
    path = out / NAME
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return [msgspec.json.decode(line, type=Exam) for line in lines]
