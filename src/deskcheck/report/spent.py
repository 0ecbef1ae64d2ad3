"""What runs took: calls, tokens, seconds, dollars, in all and for every right answer.

    of_run(run) -> Spent(calls=.., tokens_in=.., dollars=-1.0, ..)      -1 = not reported, or not known

A sum is over the answers that tell, and says how many do not; it is unknown where none does. Per right answer
is unknown where none is right, or where the sum is partial.
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
    """Hidden ones included."""
    tokens_hidden: float
    seconds: float
    """The model's own time, summed over its calls."""
    dollars: float
    n_silent: int = 0
    """Answers that are in the sums of calls but did not report tokens or cost."""

    @property
    def tokens(self) -> float:
        """Tokens of an answer, in and out."""
        known = self.tokens_in >= 0 and self.tokens_out >= 0
        return self.tokens_in + self.tokens_out if known else UNKNOWN

    def per_right(self, total: float) -> float:
        """Of a total, for each right answer."""
        return total / self.right if self.right and total >= 0 and not self.n_silent else UNKNOWN


def of_run(run: Run) -> Spent:
    """All answers of a run."""
    asked = [one for one in run.every if one.n_calls]  # money that ran out before the first call costs none
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
    """Answers that did not report what others of the run did."""
    columns = (
        [one.tokens_in for one in asked],
        [one.tokens_out for one in asked],
        [one.cost_usd for one in asked],
    )
    partly = [column for column in columns if any(value >= 0 for value in column)]
    return max((sum(value < 0 for value in column) for column in partly), default=0)
