"""Training data as files made beforehand: for a GPU, which reads faster than processors make.

    make(preset, folder, rows={0: 2_000, 1: 9_000}, seed=0, workers=15)      stage -> rows
    source = Shards(preset, folder);  source.batch(step, share) -> Rows       all of one length

A shard is a part of `stream.py` (lines of programs) or a pack of redexes, so its bytes depend on its number
alone, and what an interrupted call had finished is kept. Redexes are drawn with even shares, since nothing is
known of the practice yet; a look-up share is fixed. When the shards of a stage are at their end they come
again, and `n_repeated` counts the rows.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DataError
from deskcheck.training.data import Rows, concatenate, select
from deskcheck.training.feed import Place
from deskcheck.training.presets import Preset
from deskcheck.training.redexes.practice import Practice
from deskcheck.training.redexes.programs import PRACTISED
from deskcheck.training.redexes.rows import Line, Redexes, packed
from deskcheck.training.redexes.source import stage_at
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.stream import Say, check_seed, make_part, plan_of, read_part

PROGRAMS, REDEXES = "programs", "redexes"
ROWS_OF_REDEXES = 256
"""Rows of single operations in one shard."""
CANDIDATES = 500
"""Programs that are tried for one shard."""


class Task(Struct, frozen=True):
    """What a worker needs to make one shard: preset, stage, kind and number."""

    preset: Preset
    stage: int
    kind: str
    number: int
    seed: int
    path: str


def make(
    preset: Preset, folder: Path, rows: dict[int, int], *, seed: int, workers: int, say: Say
) -> dict[str, int]:
    """Make shards until every stage has so many rows, redexes and programs by its shares; rows by kind."""
    check_seed(seed)
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, int] = {}
    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if workers > 1 else None
    try:
        for stage, n_rows in rows.items():
            share = preset.stages[stage].redexes
            for kind, wanted in ((REDEXES, n_rows * share), (PROGRAMS, n_rows * (1 - share))):
                n = number = 0
                while n < round(wanted):
                    tasks = [
                        Task(preset, stage, kind, k, seed, str(_path(folder, stage, kind, k)))
                        for k in range(number, number + max(1, workers))
                    ]
                    number += len(tasks)
                    n += sum(pool.map(made, tasks) if pool else map(made, tasks))
                    say(f"stage {stage + 1}, {kind}: {n:,} of {round(wanted):,} rows")
                found[kind] = found.get(kind, 0) + n
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)
    return found


def made(task: Task) -> int:
    """Make one shard, unless it is there; its rows."""
    path = Path(task.path)
    if path.exists():
        return len(read(path).ids)
    if task.kind == PROGRAMS:
        plan = plan_of(task.preset, task.stage, seed=task.seed, candidates=CANDIDATES)
        make_part(replace(plan, number=task.number), task.path)
        return len(read_part(path)[0].ids)
    rows = redex_rows(task.preset, task.stage, seed=task.seed, number=task.number)
    temporary = path.with_suffix(".tmp")
    with temporary.open("wb") as file:
        np.savez(file, **rows._asdict())
    os.replace(temporary, path)
    return len(rows.ids)


def redex_rows(preset: Preset, stage: int, *, seed: int, number: int) -> Rows:
    """Rows of the preset's length, each with many redexes that do not see each other."""
    chosen, length = preset.stages[stage], preset.shape.trained_length
    names = PRACTISED[chosen.operations]
    source = Redexes(
        seed=seed, sizes=dict(chosen.sizes), operations={name: OPERATIONS[name] for name in names}
    )
    rng, lines, n_tokens = Random(f"{seed}:{stage}:{number}: redexes"), list[Line](), 0
    while n_tokens < ROWS_OF_REDEXES * length:
        line = source.line(rng)
        if line is not None:
            lines.append(line)
            n_tokens += line.n_tokens
    return packed(lines, length)


def read(path: Path) -> Rows:
    """Read a shard that `python measurements/gpu_shards.py` has written, as rows."""
    with np.load(path) as file:
        return Rows(*(file[name] for name in Rows._fields))


def _path(folder: Path, stage: int, kind: str, number: int) -> Path:
    return folder / f"stage-{stage}-{kind}-{number:05}.npz"


def _nothing(preset: Preset) -> Rows:
    return packed([], preset.shape.trained_length)


class Shards:
    """A Source (`feed.py`) of rows from files, by stage and kind in the shares of the preset."""

    n_steps = 0
    """0: such a source gives rows without end."""
    n_repeated = 0

    def __init__(self, preset: Preset, folder: Path) -> None:
        self.preset, self.folder = preset, folder
        self.practice: dict[str, Practice] = {}
        self.stage, self._reached = -1, 0
        self._given = {REDEXES: 0, PROGRAMS: 0}
        self._open: dict[str, tuple[int, Rows]] = {}
        """Kind -> number of the next shard, and the rows that are left of this one."""
        self._again: set[tuple[int, str]] = set()

    @property
    def place(self) -> Place:
        """The stage, and what was given of it; a resumed run reads its shards from the first one."""
        return Place(max(self.stage, 0), 0, self._reached, sum(self._given.values()))

    @property
    def is_spent(self) -> bool:
        """Whether the stage has had all of its tokens."""
        return 0 < self.preset.stages[self.stage].tokens <= sum(self._given.values())

    def go_to(self, place: Place) -> None:
        """Go on at the stage that a resumed run had reached."""
        self._reached = place.reached

    def settle(self) -> None:
        """Do nothing: no data is made beside the training."""

    def advance(self) -> None:
        """The gate of this stage is met, or its tokens are spent."""
        self._reached = min(self.stage + 1, len(self.preset.stages) - 1)

    def batch(self, step: int, share: float) -> Rows:
        """The rows of a step, of redexes or of programs."""
        number = max(self._reached, stage_at(self.preset, share))
        if number == self.stage and self.is_spent:
            self.advance()
            number = self._reached
        if number != self.stage:
            self.stage, self._given, self._open = number, dict.fromkeys(self._given, 0), {}
        wanted, given = self.preset.stages[number].redexes, self._given
        behind = given[REDEXES] * (1 - wanted) <= given[PROGRAMS] * wanted
        kind = REDEXES if wanted and (behind or wanted == 1) else PROGRAMS
        rows = self._next(kind)
        given[kind] += int((rows.group >= 0).sum())
        return rows

    def _next(self, kind: str) -> Rows:
        n = self.preset.rows_per_step
        number, rows = self._open.get(kind, (0, _nothing(self.preset)))
        parts, n_found = [], 0
        while n_found < n:
            if not len(rows.ids):
                path = _path(self.folder, self.stage, kind, number)
                if not path.exists() and number == 0:
                    raise DataError(f"'{self.folder}' has no {kind} of stage {self.stage + 1}")
                if not path.exists():
                    self._again.add((self.stage, kind))
                    number, path = 0, _path(self.folder, self.stage, kind, 0)
                rows, number = read(path), number + 1
            part = select(rows, slice(0, n - n_found))
            rows = select(rows, slice(n - n_found, None))
            parts.append(part)
            n_found += len(part.ids)
            self.n_repeated += len(part.ids) * ((self.stage, kind) in self._again)
        self._open[kind] = (number, rows)
        return concatenate(parts)
