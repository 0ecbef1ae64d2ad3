"""Write the calls that the pytest plug-in records: each test process writes parts, which are merged later.

    folder = CallFolder(Path("out"), scope=["toolz"], limits=limits, max_calls=20)  made by the first process
    part = Part(folder.path, worker="gw0")
    part.add(program, packed) -> False if the call is known already
    part.close(counts, tests_s=12.5)
    folder.merge() -> Merged                              write the calls of all parts, by id, into shards

No process waits for another. A worker that dies loses only its unwritten calls, at most PART_ROWS. Parts of a
killed run are merged by the next run with the same folder. A call is identified by the id of its program:
source of its file, function and arguments. The result is a dataset folder, which `deskcheck data out` shows.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pyarrow
import pyarrow.parquet as pq
from msgspec import Struct

from deskcheck import __version__
from deskcheck.dataset.folder import DatasetConfig, open_folder
from deskcheck.decontamination.near import edition, program_copy
from deskcheck.decontamination.removed import REASON
from deskcheck.format.buffers import Packed
from deskcheck.format.files import replacing
from deskcheck.format.shards import ManifestEntry, check_shard, read_manifest, read_packed, write_packed
from deskcheck.plugins import SourceOptions
from deskcheck.records import FORMAT_VERSION, Limits, Program, Raised, Returned
from deskcheck.tracing.access import has_native
from deskcheck.tracing.calls import Counts, function_name
from deskcheck.tracing.execution import runtime_name
from deskcheck.tracing.literal import is_literal

PARTS = ".parts"
PART_ROWS, SHARD_ROWS = 500, 2_000
"""Largest number of calls in one part and in one shard."""


class PartCounts(Struct, frozen=True):
    """Counts of one process, in a file beside its parts."""

    dropped: dict[str, int]
    """Reason -> number of calls that were not recorded."""
    recorded_s: float
    """Seconds during which calls were recorded."""
    tests_s: float
    """Seconds of wall clock of the tests, added up, with the time that recording took."""


class Merged(Struct, frozen=True, kw_only=True):
    """Calls that a run added to the folder, and the summed counts of its processes."""

    n_seen: int
    """Number of calls that were kept or dropped."""
    n_kept: int
    n_literal: int
    """Number of kept calls whose arguments are literals."""
    n_events: int
    n_cut: int
    """Number of kept calls whose recording ended before they returned or raised."""
    n_bytes: int
    """Bytes of the new shards on disk."""
    dropped: dict[str, int]
    recorded_s: float
    tests_s: float


class CallFolder:
    """Dataset folder of recorded calls, for the one process that creates and merges it."""

    def __init__(self, path: Path, *, scope: list[str], limits: Limits, max_calls: int) -> None:
        self.path = path
        self._max_calls = max_calls
        self._config = DatasetConfig(
            format_version=FORMAT_VERSION,
            deskcheck=__version__,
            pyarrow=pyarrow.__version__,
            runtime=runtime_name(),
            native=has_native(),
            sandbox="none",
            source=SourceOptions(source="pytest", path=",".join(scope)),
            limits=limits,
            shard_size=SHARD_ROWS,
            decontamination=edition(),
        )
        with open_folder(path, self._config):
            (path / PARTS).mkdir(exist_ok=True)

    def merge(self) -> Merged:
        """Write the calls of all parts into shards, delete the parts and sum their counts."""
        parts = sorted((self.path / PARTS).glob("*.parquet"))
        counts = [
            msgspec.json.decode(file.read_bytes(), type=PartCounts)
            for file in sorted((self.path / PARTS).glob("*.json"))
        ]
        dropped: Counter[str] = Counter()
        for one in counts:
            dropped.update(one.dropped)
        rows = self._chosen_programs(parts, dropped)
        n_bytes = self._write(rows, dropped)
        for file in (self.path / PARTS).iterdir():
            file.unlink()
        n_kept = len(rows)
        return Merged(
            n_seen=n_kept + sum(dropped.values()),
            n_kept=n_kept,
            n_literal=sum(is_literal(program.arguments) for program, _ in rows),
            n_events=sum(packed.n_events for _, packed in rows),
            n_cut=sum(not isinstance(packed.outcome, Returned | Raised) for _, packed in rows),
            n_bytes=n_bytes,
            dropped=dict(sorted(dropped.items())),
            recorded_s=sum(one.recorded_s for one in counts),
            tests_s=sum(one.tests_s for one in counts),
        )

    def _chosen_programs(self, parts: list[Path], dropped: Counter[str]) -> list[tuple[Program, Packed]]:
        """Return each new call once, by id, with at most `max_calls` of one function; count the others."""
        known = Known(self.path)
        programs: dict[str, tuple[Program, Packed]] = {}
        for part in parts:
            for program, packed in read_packed(part):
                assert program is not None
                if program.id in known.ids or program.id in programs:
                    dropped["same arguments as a recorded call"] += 1
                elif program_copy(program):
                    dropped[REASON] += 1
                else:
                    programs[program.id] = program, packed
        counts = Counter(known.n_kept)
        rows = []
        for _, row in sorted(programs.items()):
            name = function_name(row[0])
            counts[name] += 1
            if counts[name] > self._max_calls:
                dropped["over the budget of calls of one function"] += 1
            else:
                rows.append(row)
        return rows

    def _write(self, rows: list[tuple[Program, Packed]], dropped: Counter[str]) -> int:
        n_bytes = 0
        with open_folder(self.path, self._config) as folder:
            first = sum(entry.n_read for entry in folder.done.values())
            for start in range(0, len(rows), SHARD_ROWS):
                part = rows[start : start + SHARD_ROWS]
                last = start + SHARD_ROWS >= len(rows)
                lost = dict(sorted(dropped.items())) if last else {}
                entry = folder.add_shard(_entry(first, part, lost), part, quarantined=[])
                first += entry.n_read
                n_bytes += entry.n_bytes
        return n_bytes


def _entry(first: int, rows: list[tuple[Program, Packed]], dropped: dict[str, int]) -> ManifestEntry:
    return ManifestEntry(
        shard=f"traces-{first:09d}.parquet",
        content="traces",
        first=first,
        n_read=len(rows) + sum(dropped.values()),
        n_kept=len(rows),
        dropped=dropped,
        n_steps=sum(packed.n_steps for _, packed in rows),
        n_events=sum(packed.n_events for _, packed in rows),
        n_bytes=-1,
        sha256="",
        inputs_sha256=hashlib.sha256("".join(f"{p.id}\n" for p, _ in rows).encode()).hexdigest(),
    )


class Known:
    """Calls already in the folder: their ids, and their number for each function."""

    def __init__(self, path: Path) -> None:
        self.ids: set[str] = set()
        self.n_kept: Counter[str] = Counter()
        for entry in read_manifest(path):
            columns = ["program_id", "program.entry", "program.origin"]
            with pq.ParquetFile(check_shard(path, entry)) as file:
                rows = file.read(columns=columns).to_pylist()
            for row in rows:
                self.ids.add(row["program_id"])
                self.n_kept[f"{row['program']['origin'].split(':')[1]}:{row['program']['entry']}"] += 1


class Part:
    """Files of recorded calls that one worker process writes."""

    def __init__(self, path: Path, *, worker: str) -> None:
        self._path = path / PARTS
        self._path.mkdir(parents=True, exist_ok=True)
        known = Known(path)
        self.n_kept = dict(known.n_kept)
        self._known = known.ids
        self._name = f"{worker}-{os.getpid()}"
        self._rows: list[tuple[Program, Packed]] = []
        self._n_files = 0

    def add(self, program: Program, packed: Packed) -> bool:
        """Keep a recorded call; return False if it is known already."""
        if program.id in self._known:
            return False
        self._known.add(program.id)
        self._rows.append((program, packed))
        if len(self._rows) >= PART_ROWS:
            self._flush()
        return True

    def close(self, counts: Counts, *, tests_s: float) -> None:
        """Write the remaining calls, and the counts of this process."""
        self._flush()
        found = PartCounts(
            dict(sorted(counts.dropped.items())),
            counts.wall_s,
            tests_s,
        )
        with replacing(self._path / f"{self._name}.json") as file:
            file.write(msgspec.json.encode(found))

    def _flush(self) -> None:
        rows: Sequence[tuple[Program, Packed]] = self._rows
        if self._rows:
            write_packed(self._path / f"{self._name}-{self._n_files:05d}.parquet", rows)
            self._n_files += 1
            self._rows = []
