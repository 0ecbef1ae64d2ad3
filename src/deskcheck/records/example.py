"""The record of one training example: a prompt and its target."""

from __future__ import annotations

from msgspec import Struct


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt and the target text that a model should write after it."""

    program_id: str
    layout: str
    """Name of the layout, for instance "line-1"."""
    prompt: str
    target: str
    """Text on which the training loss is computed; the prompt has no loss."""
    step: int
    """Step of the trace at which the prompt is asked; 0 = the call."""
    n_steps: int
    """Number of steps (executed lines) of the whole run."""
