"""Sum up the cost of runs: calls, tokens, seconds and dollars, in total and per right answer.

    of_run(run) -> Spent(calls=.., tokens_in=.., dollars=-1.0, ..)      -1 = not reported, or not known

A sum is over the answers that report a value, and is unknown if none of them does. `n_silent` counts the
answers that do not report a value that others do. The cost per right answer is unknown if no answer is right,
or if the sum is partial.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.report.read import Run

UNKNOWN = -1.0


class Spent(Struct, frozen=True):
    """Tokens, time and money of one run."""

    right: int
    calls: int
    tokens_in: float
    tokens_out: float
    """Output tokens, with the hidden ones."""
    tokens_hidden: float
    seconds: float
    """Time that the model took, summed over its calls."""
    dollars: float
    n_silent: int = 0
    """Number of answers that are counted in `calls`, but did not report tokens or cost as others did."""

    @property
    def tokens(self) -> float:
        """Tokens of all answers, in and out."""
        known = self.tokens_in >= 0 and self.tokens_out >= 0
        return self.tokens_in + self.tokens_out if known else UNKNOWN

    def per_right(self, total: float) -> float:
        """Divide a total by the number of right answers; UNKNOWN if none is right or the total is partial."""
        return total / self.right if self.right and total >= 0 and not self.n_silent else UNKNOWN


def of_run(run: Run) -> Spent:
    """Sum up the cost of all answers of a run."""
    asked = [one for one in run.every if one.n_calls]  # answers that the budget left unasked cost nothing
    return Spent(
        right=run.row.right,
        calls=sum(one.n_calls for one in asked),
        tokens_in=_sum([one.tokens_in for one in asked]),
        tokens_out=_sum([one.tokens_out for one in asked]),
        tokens_hidden=_sum([one.tokens_hidden for one in asked]),
        seconds=_sum([one.seconds for one in asked]),
        dollars=_sum([one.cost_usd for one in asked]),
        n_silent=_silent(asked),
    )


def _sum(values: Sequence[float]) -> float:
    known = [value for value in values if value >= 0]
    return float(sum(known)) if known or not values else UNKNOWN


def _silent(asked: Sequence[Sampled]) -> int:
    """Count the answers that did not report a value that others of the run did."""
    columns = (
        [one.tokens_in for one in asked],
        [one.tokens_out for one in asked],
        [one.cost_usd for one in asked],
    )
    partly = [column for column in columns if any(value >= 0 for value in column)]
    return max((sum(value < 0 for value in column) for column in partly), default=0)
