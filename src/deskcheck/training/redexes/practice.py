"""Progress of an operation in training: the fall of its error from earlier to recent tokens."""

from __future__ import annotations

import math

from msgspec import Struct

FAST, SLOW = 15_000, 75_000
"""Tokens of an operation over which its recent and its earlier error are averaged."""


class Practice(Struct):
    """Counts and average errors of one operation in training."""

    n_tokens: float = 0.0
    n_redexes: int = 0
    fast: float = 1.0
    """Average error over the last FAST tokens."""
    slow: float = 1.0
    """Average error over the last SLOW tokens."""

    def hear(self, n_tokens: float, n_redexes: int, error: float) -> None:
        """Update the averages with the error of more redexes, which have `n_tokens` tokens together."""
        self.n_tokens += n_tokens
        self.n_redexes += n_redexes
        self.fast += (error - self.fast) * (1 - math.exp(-n_tokens / FAST))
        self.slow += (error - self.slow) * (1 - math.exp(-n_tokens / SLOW))

    @property
    def progress(self) -> float:
        """Fall of the error; an operation with few tokens so far counts as learned fast."""
        return max(0.02 * self.slow, self.slow - self.fast, 0.3 if self.n_tokens < FAST / 5 else 0.0)

    @property
    def length(self) -> float:
        """Average number of tokens of a redex; 1 = there was none so far."""
        return self.n_tokens / self.n_redexes if self.n_redexes else 1.0
