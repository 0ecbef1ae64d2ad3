"""Training text: one prompt and its target."""

from __future__ import annotations

from msgspec import Struct


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """One prompt and the text that a model is to write after it."""

    program_id: str
    representation: str
    """Name of the representation: "line-1"."""
    prompt: str
    target: str
    """Only this part carries loss."""
    step: int
    """Step of the trace that the prompt stands at; 0 = the call."""
    n_steps: int
    """Line events of the whole run."""
