"""Provide training steps that mix rows of single operations (redexes) and rows of programs.

    with MixedFeed(preset, folder, seed=8, workers=14, say=print) as feed:
        feed.batch(step, share=0.4) -> Rows          of both kinds, in the shares of the stage at 40 %

Worker processes make the rows in shards while the model trains. A shard is a pack of redexes or a part of
`stream.py`; its rows depend on preset, stage, kind, seed and number alone. Rows come again only while no new
shard is ready; `n_repeated` counts these. In contrast, a step of `feed.py` has rows of programs alone, in the
order of the parts.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.training.data import PackReport, Rows, best_fit, concatenate, select
from deskcheck.training.feed import Place
from deskcheck.training.live.workers import WorkerDied, Workers
from deskcheck.training.presets import Preset, stage_at
from deskcheck.training.redexes.programs import PRACTISED
from deskcheck.training.redexes.rows import Redexes, packed
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.stream import (
    FAILURES,
    PartReport,
    Say,
    check_fits,
    check_seed,
    make_part,
    plan_of,
    read_part,
    total,
    write_part,
)

PROGRAMS, REDEXES = "programs", "redexes"
ROWS_OF_REDEXES = 256
"""Rows of single operations in one shard."""
CANDIDATES = 500
"""Programs that are tried for one shard."""
ROWS_OF_PROGRAMS = 360
"""Approximate number of rows, of 1,024 tokens, that CANDIDATES programs fill."""
AHEAD = 2
"""Shards in progress for each worker."""
MOST_WAITING = 128
"""Largest number of finished shards that wait; at 3.3 MB a shard, this bounds the memory."""
REMEMBERED = 100
"""Number of read shards of a stage and kind whose rows may come again."""
OPEN = 6
"""Number of shards that the rows of a step are drawn from."""
LEAD = 0.05
"""Share of the run by which the shards of a stage are begun before it."""
MOST_EMPTY = 50
"""Number of successive shards that may give no rows; one more is an error."""


class Shard(Struct, frozen=True):
    """Everything that the rows of one shard depend on."""

    preset: Preset
    stage: int
    kind: str
    number: int
    seed: int

    @property
    def key(self) -> tuple[int, str]:
        """Stage and kind; the rows of a step are taken by them."""
        return self.stage, self.kind

    def __str__(self) -> str:
        return f"stage {self.stage + 1}, {self.kind}, shard {self.number}, seed {self.seed}"


def make_shard(shard: Shard, path: str) -> PartReport:
    """Make one shard and write it to `path`; runs in a worker process."""
    if shard.kind == PROGRAMS:
        plan = plan_of(shard.preset, shard.stage, seed=shard.seed, candidates=CANDIDATES)
        return make_part(replace(plan, number=shard.number), path)
    rows, n_lines = redex_rows(shard)
    n_tokens, n_loss = int((rows.group >= 0).sum()), int(rows.loss.sum())
    counts = PackReport(n_lines, n_lines, 0, len(rows.ids), n_tokens, n_loss)
    report = PartReport(0, 0, 0, 0, counts)
    write_part(rows, report, path)
    return report


def redex_rows(shard: Shard) -> tuple[Rows, int]:
    """Make rows of many redexes that do not see each other, and count their lines."""
    stage, length = shard.preset.stages[shard.stage], shard.preset.shape.trained_length
    source = Redexes(
        sizes=dict(stage.sizes),
        operations={name: OPERATIONS[name] for name in PRACTISED[stage.operations]},
        most_tokens=length // 2,
    )
    rng = Random(f"{shard.seed}:{shard.stage}:{shard.number}: redexes")
    lines = source.lines(rng, ROWS_OF_REDEXES * length)
    rows = best_fit([line.n_tokens for line in lines], length)
    rng.shuffle(rows)
    return packed([lines[n] for row in rows for n in row], length), len(lines)


class _Opened(Struct, eq=False):
    """A shard that rows are taken from, as far as it is read."""

    rows: Rows
    is_new: bool
    at: int = 0


class MixedFeed:
    """An endless source of steps with rows of both kinds (`feed.Source`). `spares`: as in `Workers`."""

    n_steps = 0
    """0 = the source is endless."""

    def __init__(
        self,
        preset: Preset,
        folder: Path,
        *,
        seed: int,
        workers: int,
        say: Say = lambda text: None,
        spares: bool = False,
    ) -> None:
        check_seed(seed)
        folder.mkdir(parents=True, exist_ok=True)
        self.preset, self.folder, self.seed = preset, folder, seed
        self.n_repeated = self.n_lost = 0
        """`n_repeated`: rows that came again. `n_lost`: shards that failed or died with their worker."""
        self.waited_s = 0.0
        """Seconds in which training waited for a shard or made one."""
        self._ahead = AHEAD * workers
        log = folder.parent / FAILURES
        self._workers = Workers(workers, log=log, say=say, spares=spares) if workers else None
        self._number = self._under_way = self._n_empty = 0
        self._share, self._owed = 0.0, 0.0  # share of the run; rows of redexes that rounding still owes
        self._random, self._lock = Random(seed), threading.RLock()
        self._asked: dict[tuple[int, str], int] = {}
        """Stage and kind -> approximate number of rows that were asked of workers."""
        self._new: dict[tuple[int, str], deque[Rows]] = {}
        self._old: dict[tuple[int, str], deque[Rows]] = {}
        self._open: dict[tuple[int, str], list[_Opened]] = {}
        self._reports: list[PartReport] = []
        self._error: BaseException | None = None

    def __enter__(self) -> MixedFeed:
        return self

    def __exit__(self, *_: object) -> None:
        self._under_way = self._ahead  # nothing more is asked of workers
        if self._workers is not None:
            self._workers.close()
        for path in self.folder.glob("shard-*"):
            path.unlink(missing_ok=True)

    @property
    def place(self) -> Place:
        """The number of the next shard: a resumed run reads no shard twice."""
        return Place(stage_at(self.preset, self._share), self._number)

    def go_to(self, place: Place) -> None:
        """Continue after the shards of an earlier attempt."""
        self._number = place.part

    def settle(self) -> None:
        """Wait until the shards in progress are made; new ones begin when rows are read."""
        while self._under_way:
            time.sleep(0.01)

    @property
    def n_parts(self) -> int:
        """Number of shards that were made."""
        return len(self._reports)

    @property
    def report(self) -> PartReport:
        """Counts of all shards that were made."""
        return total(self._reports)

    def batch(self, step: int, share: float) -> Rows:
        """Return the rows of a step, of redexes and of programs, at this share (0 to 1) of the run.

        UserError if a shard cannot be made with this preset.
        """
        if self._error is not None:
            raise self._error
        self._share = share
        self._ask()
        stage, n = stage_at(self.preset, share), self.preset.rows_per_step
        wanted = self.preset.stages[stage].redexes * n + self._owed
        n_redexes = min(n, round(wanted))
        self._owed = wanted - n_redexes
        return concatenate(
            self._taken((stage, REDEXES), n_redexes) + self._taken((stage, PROGRAMS), n - n_redexes)
        )

    def _taken(self, key: tuple[int, str], n: int) -> list[Rows]:
        """Take rows from some open shards, at random."""
        parts: list[Rows] = []
        most = -(-n // 3)  # rows from one shard at a time: about a third
        while not self._has(key) and key[0] and self._has((key[0] - 1, key[1])):
            key = key[0] - 1, key[1]  # the stage before, until a shard of this one is there
        opened = self._open.setdefault(key, [])
        while n:
            while len(opened) < OPEN and (following := self._following(key)) is not None:
                opened.append(following)
            if not opened:
                self._wait(key)
                continue
            source = self._random.choice(opened)
            part = select(source.rows, slice(source.at, source.at + min(most, n)))
            parts.append(part)
            n -= len(part.ids)
            source.at += len(part.ids)
            self.n_repeated += 0 if source.is_new else len(part.ids)
            if source.at >= len(source.rows.ids):
                opened.remove(source)
                self._old.setdefault(key, deque(maxlen=REMEMBERED)).append(source.rows)
        return parts

    def _has(self, key: tuple[int, str]) -> bool:
        return bool(self._open.get(key) or self._new.get(key) or self._old.get(key))

    def _following(self, key: tuple[int, str]) -> _Opened | None:
        with self._lock:
            new = self._new.get(key)
            if new:
                return _Opened(new.popleft(), True)
        old = self._old.get(key) if self._workers else None
        if not old or len(self._open[key]) >= 2:  # repeat as little as possible: new ones may come
            return None
        return _Opened(old.popleft(), False)

    def _wait(self, key: tuple[int, str]) -> None:
        """Wait a moment for a shard, or make one here if there are no workers."""
        started = time.monotonic()
        if self._error is not None:
            raise self._error
        if self._workers is None:
            shard, path = self._shard(key)
            self._under_way += 1
            report = make_shard(shard, str(path))
            self._read(shard, path, report)
        else:
            time.sleep(0.01)
            self._ask()
        self.waited_s += time.monotonic() - started

    def _shard(self, key: tuple[int, str]) -> tuple[Shard, Path]:
        shard = Shard(self.preset, *key, self._number, self.seed)
        self._number += 1
        return shard, self.folder / f"shard-{shard.number:06}.npz"

    def _ask(self) -> None:
        """Keep the workers busy with shards of the current stage, or of the next one if it comes soon."""
        if self._workers is None:
            return
        with self._lock:
            while self._under_way < self._ahead and self._n_waiting < MOST_WAITING:
                stage = stage_at(self.preset, min(1.0, self._share + LEAD))
                share = self.preset.stages[stage].redexes
                n_redexes, n_programs = (self._asked.get((stage, kind), 0) for kind in (REDEXES, PROGRAMS))
                is_behind = n_redexes * (1 - share) <= n_programs * share
                key = (stage, REDEXES if share and is_behind else PROGRAMS)
                self._asked[key] = self._asked.get(key, 0) + (
                    ROWS_OF_REDEXES if key[1] == REDEXES else ROWS_OF_PROGRAMS
                )
                shard, path = self._shard(key)
                future = self._workers.submit(make_shard, shard, str(path), what=str(shard))
                self._under_way += 1
                future.add_done_callback(partial(self._done, shard, path))

    @property
    def _n_waiting(self) -> int:
        return sum(map(len, self._new.values()))

    def _done(self, shard: Shard, path: Path, future: Future[PartReport]) -> None:
        """Take over a finished shard; runs in the thread of its worker."""
        if future.cancelled():
            return
        error = future.exception()
        if error is None:
            try:
                self._read(shard, path, future.result())
            except Exception as unread:
                error = unread
        if error is not None:
            with self._lock:
                self._under_way -= 1
                self.n_lost += 1
            if isinstance(error, DeskcheckError) and not isinstance(error, WorkerDied):
                self._error = error  # of the preset: the other shards would fail, too

    def _read(self, shard: Shard, path: Path, report: PartReport) -> None:
        rows, _ = read_part(path)
        path.unlink()
        check_fits(report, self.preset.shape.trained_length)
        with self._lock:
            self._under_way -= 1
            self._reports.append(report)
            if len(rows.ids):
                self._new.setdefault(shard.key, deque()).append(rows)
            self._n_empty = 0 if len(rows.ids) else self._n_empty + 1
        if self._n_empty > MOST_EMPTY:
            raise UserError(
                f"{self._n_empty} shards in a row gave no rows, the last one for {shard}; longer rows "
                "(--set row_length), or other layouts?"
            )
