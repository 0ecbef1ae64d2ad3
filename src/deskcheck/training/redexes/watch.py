"""Test the first gate (accuracies that operations must reach) during training, and log it.

    watch = Gates(preset, source, out, say);  watch(model, state, share) -> reason to stop, or ""

A stage with a gate ends early when it is met; the run stops if the stage ends without meeting it.

gates.jsonl: {"step": 900, "n_tokens": 1843200, "gate": {"len(s)": 0.97, ..}, "practice": {..}}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol

from deskcheck.training.network import Say
from deskcheck.training.presets import Preset
from deskcheck.training.redexes.gates import GateRow, first_gate, shortfall
from deskcheck.training.redexes.practice import Practice
from deskcheck.training.trainer import State

NAME = "gates.jsonl"
EVERY = 500_000
"""Training tokens between two tests of the gate."""
N = 100
"""Redexes for each operation in one test."""


class Staged(Protocol):
    """A source of training data with a curriculum of stages."""

    @property
    def stage(self) -> int:
        """Stage of the last rows; -1 before the first."""
        ...

    @property
    def is_spent(self) -> bool:
        """Whether that stage has had all of its tokens."""
        ...

    @property
    def practice(self) -> dict[str, Practice]:
        """Practice of each operation so far; empty if the source does not track it."""
        ...

    def advance(self) -> None:
        """Begin the next stage before its scheduled share of the run."""
        ...


class Gates:
    """Test the first gate during one run, and advance or stop it."""

    def __init__(self, preset: Preset, source: Staged, out: Path, say: Say, *, every: int = EVERY) -> None:
        self.preset, self.source, self.path, self.say = preset, source, out / NAME, say
        self.every = every
        self._next = 0
        self._seen: tuple[int, bool] | None = None
        """Stage and `is_spent` at the previous step."""

    def __call__(self, model: Any, state: State, share: float) -> str:
        """Return the reason to stop (a stage ended without meeting its gate), or "" to continue."""
        before, self._seen = self._seen, (self.source.stage, self.source.is_spent)
        stage, was_spent = before or self._seen
        ended = self._seen != (stage, was_spent) and not was_spent and self.preset.stages[stage].gate
        if not self._next:
            self._next = state.n_tokens + self.every
        if not ended and state.n_tokens < self._next:
            return ""
        self._next = state.n_tokens + self.every
        rows = self._look(model, state)
        below = shortfall(rows)
        if ended and below:
            return f"stage {stage + 1} ended without meeting its gate: {below}"
        if not below and self.preset.stages[self.source.stage].gate:
            self.source.advance()
        return ""

    def _look(self, model: Any, state: State) -> list[GateRow]:
        rows = first_gate(model, n=N, bf16=self.preset.bf16)
        practice = {
            name: [round(one.n_tokens), round(one.fast, 3)] for name, one in self.source.practice.items()
        }
        told = {
            "step": state.step,
            "n_tokens": state.n_tokens,
            "gate": {row.operation: row.share for row in rows},
            "practice": practice,
        }
        with self.path.open("a") as file:
            file.write(json.dumps(told) + "\n")
        self.say(f"{state.n_tokens:,} tokens; first gate: {shortfall(rows) or 'met'}")
        return rows
