"""Score only the tokens with loss where TRL scores all: on the CPU.

    scores = Scores(model)
    with scores.only(inputs) as fewer:      # inputs of a training step
        model(**fewer, fused_lm_head=True)

Few tokens of a row have loss, and the last layer computes a score for each entry of the vocabulary. This took
two thirds of the time of a model of 270 million parameters with a large vocabulary. TRL's own head leaves the
other tokens out on GPUs only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from deskcheck.training.hub.shared import IGNORED


class Scores:
    """Hook after a model's backbone, which keeps the positions whose next token has loss."""

    def __init__(self, model: Any) -> None:
        backbone = getattr(model, "get_base_model", lambda: model)().base_model
        self._columns: Any = None
        backbone.register_forward_hook(self)

    def __call__(self, module: Any, args: Any, output: Any) -> Any:
        if self._columns is not None:
            output.last_hidden_state = output.last_hidden_state[:, self._columns]
        return output

    @contextmanager
    def only(self, inputs: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the inputs with the labels of the kept positions as `shift_labels`: int64 (rows, kept)."""
        import torch

        found = dict(inputs)
        following = torch.nn.functional.pad(inputs["labels"][:, 1:], (0, 1), value=IGNORED)
        columns = (following != IGNORED).any(0).nonzero()[:, 0]
        if columns.numel() and inputs["labels"].device.type == "cpu":
            found["shift_labels"] = following[:, columns]
            self._columns = columns
        try:
            yield found
        finally:
            self._columns = None
