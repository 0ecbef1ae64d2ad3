"""Provide rows to a training run of fixed duration; worker processes make the rows during the run.

    with Feed(preset, folder, seed=0, workers=15) as feed:
        feed.batch(step, share=0.4) -> Rows          of the stage at 40 % of the run

A part is a file of rows that `stream.py` makes; parts are read in order and then removed. AHEAD parts for
every worker are always in progress. If the next part is not ready, training does not wait: rows of a recent
part are repeated, and `n_repeated` counts them. Training waits only for the first part of a stage. Without
workers, a part is made in this process when it is needed.
"""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import Future, wait
from functools import partial
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import UserError
from deskcheck.training.data import Rows, concatenate, select
from deskcheck.training.live.workers import WorkerDied, Workers
from deskcheck.training.presets import Preset, stage_at
from deskcheck.training.stream import (
    FAILURES,
    MakeExamples,
    PartPlan,
    PartReport,
    Say,
    check_fits,
    check_seed,
    generated_examples,
    make_part,
    named,
    plan_of,
    read_part,
    total,
)

CANDIDATES = 500
"""Number of draws for a part; one core makes a part in a second or two."""
AHEAD = 2
"""Number of parts in progress for each worker."""
REMEMBERED = 64
"""Number of recent parts whose rows may be repeated."""
EMPTY = 50
"""Number of successive empty parts that a stage may have; one more is an error."""


class Place(Struct, frozen=True):
    """Position of a source of rows, as stored in a checkpoint."""

    stage: int
    part: int
    """Number of the next part to read."""


class Source(Protocol):
    """A source of the rows of a run."""

    n_steps: int
    """Number of steps that its rows suffice for; 0 = endless."""

    @property
    def place(self) -> Place:
        """Position of the source, for a checkpoint."""
        ...

    def go_to(self, place: Place) -> None:
        """Move to a stored position after a restart."""
        ...

    def batch(self, step: int, share: float) -> Rows:
        """Return the rows of a step, at this share (0 to 1) of the run."""
        ...

    def settle(self) -> None:
        """Block until background workers are idle, so that timings measure the training alone."""
        ...


class Stored:
    """A source of rows that were all made before the run; after the last row, the first follows again."""

    def __init__(self, rows: Rows, per_step: int) -> None:
        self.rows, self.per_step = rows, per_step
        self.n_steps = len(rows.ids) // per_step
        self.place = Place(0, 0)

    def go_to(self, place: Place) -> None:
        """Restore nothing: the rows follow from the number of the step."""

    def settle(self) -> None:
        """Do nothing: stored rows need no workers."""

    def batch(self, step: int, share: float) -> Rows:
        """Return the rows of one step, from the stored ones."""
        at = (step % self.n_steps) * self.per_step
        return select(self.rows, slice(at, at + self.per_step))


class Feed:
    """An endless source of rows, which are made while the model is trained."""

    n_steps = 0
    """0 = the source is endless."""

    def __init__(
        self,
        preset: Preset,
        folder: Path,
        *,
        seed: int,
        workers: int,
        make_examples: MakeExamples = generated_examples,
        candidates: int = 0,
        say: Say = lambda text: None,
    ) -> None:
        check_seed(seed)
        self.preset, self.seed, self.make = preset, seed, make_examples
        self.candidates = candidates or CANDIDATES
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.ahead = AHEAD * workers
        self._pool = Workers(workers, log=folder.parent / FAILURES, say=say) if workers else None
        self._under_way: deque[tuple[Path, Future[PartReport]]] = deque()
        self._stage = self._next = self._submitted = 0
        self._rows: Rows | None = None
        self._at = 0
        self._last: deque[Rows] = deque(maxlen=REMEMBERED)
        self._random = Random(seed)
        self._reports: list[PartReport] = []
        self._n_empty = 0
        self.n_repeated = 0
        """Number of rows that were repeated."""
        self.n_lost = 0
        """Number of parts that were lost with their worker."""
        self.waited_s = 0.0
        """Seconds in which training waited for a part or made one."""

    def __enter__(self) -> Feed:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.close()
        for path, _ in self._under_way:
            path.unlink(missing_ok=True)
            path.with_suffix(".tmp").unlink(missing_ok=True)

    @property
    def place(self) -> Place:
        """Position to resume at; rows of the current part count as read."""
        return Place(self._stage, self._next)

    def go_to(self, place: Place) -> None:
        """Move to the position of an earlier attempt."""
        self._stage, self._next, self._submitted = place.stage, place.part, place.part

    def settle(self) -> None:
        """Wait for the parts in progress; new ones begin when rows are read."""
        wait([future for _, future in self._under_way])

    @property
    def n_parts(self) -> int:
        """Number of parts that were read."""
        return len(self._reports)

    @property
    def report(self) -> PartReport:
        """Counts of the draws of all parts that were read."""
        return total(self._reports)

    def batch(self, step: int, share: float) -> Rows:
        """Return the rows of one optimizer step. UserError if a stage gives no rows (EMPTY)."""
        self._enter(stage_at(self.preset, share))
        wanted = self.preset.rows_per_step
        rows: list[Rows] = []
        while wanted:
            if self._rows is None or self._at >= len(self._rows.ids):
                self._rows, self._at = self._following(), 0
            taken = select(self._rows, slice(self._at, self._at + wanted))
            self._at += len(taken.ids)
            wanted -= len(taken.ids)
            rows.append(taken)
        return rows[0] if len(rows) == 1 else concatenate(rows)

    def _enter(self, stage: int) -> None:
        if stage <= self._stage:
            return
        for path, future in self._under_way:
            if not future.cancel():
                future.add_done_callback(partial(_remove, path))
        self._under_way.clear()
        self._stage, self._next, self._submitted = stage, 0, 0
        self._last.clear()
        self._rows = None

    def _following(self) -> Rows:
        """Return the rows of the next part, or of a recent one if the next is not ready."""
        self._submit()
        if self._under_way and not self._under_way[0][1].done() and self._last:
            again = self._random.choice(self._last)
            self.n_repeated += len(again.ids)
            return again
        return self._new()

    def part(self) -> int:
        """Read a new part; return its number of tokens without padding (for `measurements/training.py`)."""
        self._submit()
        return int((self._new().group >= 0).sum())

    def _new(self) -> Rows:
        """Return the rows of the next part, which is made here or awaited, and then removed."""
        started = time.monotonic()
        if self._pool is None:
            path = self._path(self._next)
            make_part(self._plan(self._next), str(path), self.make)
        else:
            path = self._next_part()
        self.waited_s += time.monotonic() - started
        rows, report = read_part(path)
        path.unlink()
        check_fits(report, self.preset.shape.trained_length)
        self._next += 1
        self._submit()
        self._reports.append(report)
        self._n_empty = 0 if len(rows.ids) else self._n_empty + 1
        if self._n_empty > EMPTY:
            raise UserError(
                f"stage {self._stage + 1} of preset '{self.preset.name}' gives no rows: {EMPTY} parts of "
                f"{self.candidates} candidates; longer rows (--set row_length), or other layouts?"
            )
        if len(rows.ids):
            self._last.append(rows)
        return rows

    def _next_part(self) -> Path:
        """Wait for the next part that did not die with its worker."""
        while True:
            path, future = self._under_way.popleft()
            try:
                future.result()
            except WorkerDied:
                self.n_lost += 1
                self._next += 1
                self._submit()
                continue
            return path

    def _plan(self, number: int) -> PartPlan:
        plan = plan_of(self.preset, self._stage, seed=self.seed, candidates=self.candidates)
        return replace(plan, number=number)

    def _path(self, number: int) -> Path:
        return self.folder / f"fed-{self._stage}-part-{number:05}.npz"

    def _submit(self) -> None:
        if self._pool is None:
            return
        self._submitted = max(self._submitted, self._next)
        while len(self._under_way) < self.ahead:
            path = self._path(self._submitted)
            plan = self._plan(self._submitted)
            task = self._pool.submit(make_part, plan, str(path), self.make, what=named(plan))
            self._under_way.append((path, task))
            self._submitted += 1


def _remove(path: Path, _: Future[None]) -> None:
    """Remove a part of a finished stage after it is made."""
    path.unlink(missing_ok=True)
