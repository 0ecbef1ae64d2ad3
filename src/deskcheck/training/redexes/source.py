"""Source of rows for a run that practises redexes, alone or mixed with rows of programs.

    source = Practising(preset, feed, seed=0);  source.batch(step, share) -> Rows;  source.hear(right)

A stage of a preset gives the share of its tokens that are redexes. The rows of a step are all redexes or all
programs: the kind that is behind its share.
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.training.data import Integers, Rows
from deskcheck.training.feed import Feed, Place
from deskcheck.training.presets import Preset, Stage
from deskcheck.training.redexes.practice import Practice
from deskcheck.training.redexes.programs import PRACTISED
from deskcheck.training.redexes.rows import Batch, Redexes
from deskcheck.training.redexes.table import OPERATIONS


class Practising:
    """A Source (`feed.py`) of redexes and, if the stages have programs, of a feed's rows."""

    n_steps = 0
    """0 = the source is endless."""

    def __init__(self, preset: Preset, feed: Feed | None, *, seed: int) -> None:
        self.preset, self.feed, self.seed = preset, feed, seed
        self._stage, self._reached = -1, 0
        self._place = Place(0, 0)
        self._given = {True: 0, False: 0}
        """Tokens given in this stage: True = of redexes, False = of programs."""
        self._redexes: Redexes | None = None
        self._asked: Batch | None = None

    @property
    def place(self) -> Place:
        """Position of the feed, tokens of the stage, and practice of every operation."""
        place = self.feed.place if self.feed else Place(0, 0)
        n_tokens = sum(self._given.values())
        return replace(
            place,
            reached=self._reached,
            stage_tokens=n_tokens,
            stage_redexes=self._given[True],
            practice=dict(self.practice),
        )

    @property
    def practice(self) -> dict[str, Practice]:
        """Practice of each operation so far."""
        return self._redexes.practice if self._redexes else self._place.practice

    @property
    def stage(self) -> int:
        """Stage of the last rows; -1 before the first."""
        return self._stage

    @property
    def is_spent(self) -> bool:
        """Whether the stage has had all of its tokens."""
        return 0 < self.preset.stages[self._stage].tokens <= sum(self._given.values())

    def advance(self) -> None:
        """Begin the next stage before its scheduled share of the run."""
        self._reached = min(self._stage + 1, len(self.preset.stages) - 1)

    def go_to(self, place: Place) -> None:
        """Move to a stored position after a restart."""
        self._place, self._reached = place, place.reached
        if self.feed:
            self.feed.go_to(place)

    def settle(self) -> None:
        """Wait until the feed's workers are idle."""
        if self.feed:
            self.feed.settle()

    def batch(self, step: int, share: float) -> Rows:
        """Return the rows of a step, of redexes or of programs."""
        number = max(self._reached, stage_at(self.preset, share))
        if number == self._stage and self.is_spent:
            self.advance()
            number = self._reached
        stage, redexes = self._entered(number)
        given = self._given
        behind = given[True] * (1 - stage.redexes) <= given[False] * stage.redexes
        self._asked = None
        if self.feed is None or not stage.families or behind:
            n_tokens = self.preset.rows_per_step * self.preset.shape.trained_length
            self._asked = redexes.batch(n_tokens, step)
            rows = self._asked.rows
        else:
            rows = self.feed.batch(step, max(share, stage_start(self.preset, number)))
        given[self._asked is not None] += int((rows.group >= 0).sum())
        return rows

    def hear(self, right: Integers) -> None:
        """Update the practice of operations; `right` is bool for each token with loss of the last rows."""
        if self._asked is not None and self._redexes is not None:
            self._redexes.hear(self._asked, right)

    def _entered(self, number: int) -> tuple[Stage, Redexes]:
        stage = self.preset.stages[number]
        if number != self._stage or self._redexes is None:
            practice = dict(self.practice)
            self._redexes = Redexes(
                seed=self.seed,
                sizes=dict(stage.sizes),
                operations={name: OPERATIONS[name] for name in PRACTISED[stage.operations]},
                practice=practice,
            )
            n_tokens = self._place.stage_tokens if self._stage < 0 else 0  # of an earlier attempt
            n_redexes = self._place.stage_redexes
            if n_redexes < 0 or not n_tokens:
                n_redexes = round(n_tokens * stage.redexes)
            self._stage = number
            self._given = {True: n_redexes, False: n_tokens - n_redexes}
        return stage, self._redexes


def stage_start(preset: Preset, number: int) -> float:
    """Return the share of a run at which a stage begins by the clock."""
    return sum(stage.share for stage in preset.stages[:number])


def stage_at(preset: Preset, share: float) -> int:
    """Return the number of the stage at this share of a run."""
    end = 0.0
    for number, stage in enumerate(preset.stages):
        end += stage.share
        if share < end:
            return number
    return len(preset.stages) - 1
