"""How an operation's practice goes: its error of late and before, and so its progress."""

from __future__ import annotations

import math

from msgspec import Struct

FAST, SLOW = 15_000, 75_000
"""Own tokens over which an operation's error is averaged; the difference is its progress."""


class Practice(Struct):
    """What is known of one operation's practice."""

    n_tokens: float = 0.0
    n_redexes: int = 0
    fast: float = 1.0
    """Error of late."""
    slow: float = 1.0
    """Error before."""

    def hear(self, n_tokens: float, n_redexes: int, error: float) -> None:
        """Take in the error of some more redexes, of so many tokens together."""
        self.n_tokens += n_tokens
        self.n_redexes += n_redexes
        self.fast += (error - self.fast) * (1 - math.exp(-n_tokens / FAST))
        self.slow += (error - self.slow) * (1 - math.exp(-n_tokens / SLOW))

    @property
    def progress(self) -> float:
        """The fall of the error; what has hardly been met counts as learned fast."""
        return max(0.02 * self.slow, self.slow - self.fast, 0.3 if self.n_tokens < FAST / 5 else 0.0)

    @property
    def length(self) -> float:
        """Tokens of one redex on average, as counted; 1 = none was met."""
        return self.n_tokens / self.n_redexes if self.n_redexes else 1.0
