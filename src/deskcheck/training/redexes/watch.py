"""The first gate on the way: asked now and then, noted, and decisive at the end of a stage that has it.

    watch = Gates(preset, source, out, say);  watch(model, state, share) -> "" or why the run must stop

gates.jsonl: {"step": 900, "n_tokens": 1843200, "gate": {"len(s)": 0.97, ..}, "practice": {..}}
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deskcheck.training.network import Say
from deskcheck.training.presets import Preset
from deskcheck.training.redexes.gates import GateRow, first_gate, shortfall
from deskcheck.training.redexes.source import Practising
from deskcheck.training.trainer import State

NAME = "gates.jsonl"
EVERY = 500_000
"""Tokens between two looks."""
N = 100
"""Redexes of an operation at a look."""


class Gates:
    """Watches one attempt at a run."""

    def __init__(self, preset: Preset, source: Practising, out: Path, say: Say) -> None:
        self.preset, self.source, self.path, self.say = preset, source, out / NAME, say
        self._next = 0
        self._stage = -1

    def __call__(self, model: Any, state: State, share: float) -> str:
        """Why the run must stop: a stage is over whose gate is not met; "" = it goes on."""
        before, self._stage = self._stage, self.source.stage
        ended = before >= 0 and self._stage > before and self.preset.stages[before].gate
        if not self._next:
            self._next = state.n_tokens + EVERY
        if not ended and state.n_tokens < self._next:
            return ""
        self._next = state.n_tokens + EVERY
        rows = self._look(model, state)
        below = shortfall(rows)
        if ended and below:
            return f"stage {before + 1} is over and its gate is not met: {below}"
        if not below and self.preset.stages[self._stage].gate:
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
