"""Write a dataset folder: lock, configuration, shards, quarantine, manifest, run log.

    with open_folder(out, config) as folder:
        folder.done                        finished shards: {first input: ManifestEntry}
        folder.add_shard(entry, rows, quarantined=...)
    keep_unfinished(out, rows)         on Ctrl-C, write the rows of the open shard to `unfinished.parquet`
    take_up_unfinished(out, trace)     return a tracer that takes these rows first and runs only the rest

A build can be killed at any moment. Each shard is written first (temporary name, fsync, rename), then its
lines of quarantined, removed and dropped programs, then its manifest line. A shard without a manifest line is
made again. The files are described in docs/format.md.
`unfinished.parquet` is not part of the dataset: no manifest names it, and the next build deletes it after
reading it. After SIGKILL, the programs of the open shard are run again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from deskcheck.decontamination.removed import REMOVED, Removed
from deskcheck.errors import CorruptShard, UserError
from deskcheck.format.buffers import MARK, Packed, escape, unescape
from deskcheck.format.files import replacing, sha256_of, storage_error
from deskcheck.format.shards import (
    MANIFEST,
    ManifestEntry,
    check_shard,
    read_manifest,
    read_packed,
    write_packed,
)
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Outcome, Program, RunInfo
from deskcheck.sandbox.wire import Report

CONFIG, LOCK, QUARANTINE, RUNS = "dataset.json", ".lock", "quarantine.jsonl", "run.jsonl"
DROPPED = "dropped.jsonl"
Line = TypeVar("Line")
_ESCAPED = MARK.encode()  # a line with it has escaped texts


class DatasetConfig(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Everything that the bytes of the shards depend on; stored as `dataset.json`."""

    format_version: int
    deskcheck: str
    """Version of the package."""
    pyarrow: str
    """Version of the library that writes the Parquet bytes."""
    runtime: str
    """"CPython 3.11"."""
    native: bool
    """Whether the C extension was available to the tracer."""
    sandbox: str
    """Containment level."""
    source: SourceOptions
    limits: Limits
    shard_size: int
    """Inputs in the range of one shard."""
    confirm: bool = False
    """Whether every program ran twice, with the result in `determinism.confirmed`."""
    filters: list[str] = []
    """"near-duplicate=0.8", "trivial=3"; for a filter file, its name and 16 hex digits of its sha256."""
    decontamination: str = ""
    """Digest of the fingerprints that programs were compared with; "" = programs were not compared."""


class Quarantined(Struct, frozen=True, kw_only=True):
    """An input whose run another machine might not repeat; a line of `quarantine.jsonl`."""

    shard: str
    """Shard in whose range the input lies; the line counts only once the shard is in the manifest."""
    input: int
    """Number of the input."""
    program: Program
    outcome: Outcome
    compared: list[bytes] = []
    """Bytes of the run in a shared process and alone, if they differed (a defect of the sandbox)."""


class Dropped(Struct, frozen=True, kw_only=True):
    """An input that is in no shard, with the drop reason; a line of `dropped.jsonl`."""

    shard: str
    """Shard in whose range the input lies; the line counts only once the shard is in the manifest."""
    input: int
    """Number of the input."""
    origin: str
    """Origin of the program, or id of an input that gave no program."""
    call: str = ""
    """Call of the program: a file may have several."""
    reason: str
    like: str = ""
    """Origin of the earlier program that it repeats."""
    text: str = ""
    """Exception that came before the call, with its line, or what a generator's call lacks; else ""."""


class RunStarted(Struct, frozen=True, kw_only=True, tag="started"):
    """First line of a build (one run of `deskcheck build`) in `run.jsonl`."""

    info: RunInfo
    host: str
    workers: int
    """Number of processes; 0 = one per core."""


class RunEnded(Struct, frozen=True, kw_only=True, tag="ended"):
    """Last line of a build in `run.jsonl`; a build that was killed has none."""

    ended_unix_s: float
    how: str
    """"finished", or the name of the exception that ended the build."""
    n_programs: int
    """Programs that this attempt at the build executed."""
    wall_s: float
    n_tried: int = 0
    """Number of trial runs from which the programs were selected."""
    sandbox: Report | None = None
    """Report on how programs were grouped, run again and compared; None if no program ran."""


class DatasetFolder:
    """Dataset folder that is open for writing; made by `open_folder`."""

    def __init__(self, path: Path, entries: list[ManifestEntry], *, sandbox: str = "") -> None:
        self.path = path
        self._sandbox = sandbox
        self.done = {entry.first: entry for entry in entries}

    def add_shard(
        self,
        entry: ManifestEntry,
        rows: Sequence[tuple[Program, Packed]],
        *,
        quarantined: list[Quarantined],
        removed: Sequence[Removed] = (),
        left_out: Sequence[Dropped] = (),
    ) -> ManifestEntry:
        """Write a shard and its manifest line; return the entry with size and checksum filled in."""
        path = self.path / entry.shard
        write_packed(path, rows, sandbox=self._sandbox)
        entry = msgspec.structs.replace(entry, n_bytes=path.stat().st_size, sha256=sha256_of(path))
        append_lines(self.path / QUARANTINE, quarantined)
        append_lines(self.path / REMOVED, removed)
        append_lines(self.path / DROPPED, left_out)
        append_lines(self.path / MANIFEST, [entry])
        self.done[entry.first] = entry
        return entry

    def log(self, line: RunStarted | RunEnded) -> None:
        """Append one line to the run log."""
        append_lines(self.path / RUNS, [line])


@contextmanager
def open_folder(path: Path, config: DatasetConfig) -> Iterator[DatasetFolder]:
    """Lock a dataset folder and open it for writing; create it if needed.

    UserError if it holds other files, is in use, or was built with other options.
    """
    _check_free(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
        (path / LOCK).touch()
    except OSError as error:
        raise UserError(
            f"--out {path} cannot be written: {error.strerror or error}; name a folder that can"
        ) from None
    with _locked(path):
        _check_config(path, config)
        for left in path.glob(".*.tmp-*"):  # left by a build that was killed while writing
            left.unlink()
        manifest = path / MANIFEST
        _cut_torn_line(manifest)
        manifest.touch()
        entries = read_manifest(path)
        for entry in entries:
            check_shard(path, entry)
        finished = {entry.shard for entry in entries}
        _clean(path / QUARANTINE, Quarantined, finished)
        _clean(path / REMOVED, Removed, finished)
        _clean(path / DROPPED, Dropped, finished)
        _cut_torn_line(path / RUNS)
        yield DatasetFolder(path, entries, sandbox=config.sandbox)


def read_config(path: Path) -> DatasetConfig:
    """Read the configuration of a dataset. CorruptShard if it cannot be read."""
    try:
        return decoded((path / CONFIG).read_bytes(), DatasetConfig)
    except FileNotFoundError:
        raise CorruptShard(f"{path} has no {CONFIG}; build it again into a new folder") from None
    except ValueError as error:
        raise CorruptShard(
            f"{path / CONFIG} is not a configuration of this deskcheck: {error}; build into a new folder"
        ) from None


def read_quarantine(path: Path) -> list[Quarantined]:
    """Read the quarantined inputs of finished shards."""
    finished = {entry.shard for entry in read_manifest(path)}
    return [line for line in _read_lines(path / QUARANTINE, Quarantined) if line.shard in finished]


def read_dropped(path: Path) -> list[Dropped]:
    """Read the dropped inputs of finished shards, with their drop reasons."""
    finished = {entry.shard for entry in read_manifest(path)}
    return [line for line in _read_lines(path / DROPPED, Dropped) if line.shard in finished]


def read_runs(path: Path) -> list[RunStarted | RunEnded]:
    """Read the log of the builds that made a dataset."""
    union: Any = RunStarted | RunEnded
    runs: list[RunStarted | RunEnded] = _read_lines(path / RUNS, union)
    return runs


def append_lines(path: Path, lines: Iterable[Struct]) -> None:
    """Append JSON lines and flush them to disk. After a failed write, an incomplete line does not count."""
    data = lines_of(lines)
    if not data:
        return
    try:
        with open(path, "ab") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise storage_error(path, error) from error


def lines_of(records: Iterable[Struct]) -> bytes:
    """Encode records as JSON lines, which `decoded` reads."""
    return b"".join(msgspec.json.encode(_escaped(record)) + b"\n" for record in records)


def _escaped(record: Struct) -> Any:
    """Convert a record to plain data whose texts JSON can hold; `decoded` undoes it."""
    return _with_texts(msgspec.to_builtins(record), escape)


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """Apply `change` to each text in plain data, keys excepted."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_with_texts(v, change) for v in value]
    if isinstance(value, dict):
        return {k: _with_texts(v, change) for k, v in value.items()}
    return value


def _read_lines(path: Path, kind: type[Line]) -> list[Line]:
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    try:
        return [decoded(line, kind) for line in lines]
    except ValueError as error:
        raise CorruptShard(f"{path} holds a line that is none of ours: {error}; delete that line") from None


def decoded(data: bytes, kind: type[Line]) -> Line:
    """Decode a line that `_escaped` and JSON made. ValueError (or msgspec's subclass) for any other data."""
    if _ESCAPED not in data:
        return msgspec.json.decode(data, type=kind)
    return msgspec.convert(_with_texts(msgspec.json.decode(data), unescape), type=kind)


def _check_free(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise UserError(f"--out {path} is a file; name a folder")
    if path.is_dir() and not (path / CONFIG).exists():
        others = [
            p.name for p in path.iterdir() if p.name != LOCK and not p.name.startswith(f".{CONFIG}.tmp-")
        ]
        if others:
            raise UserError(
                f"--out {path} holds other things ({sorted(others)[0]}, ..); name a new or empty folder"
            )


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with open(path / LOCK, "a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise UserError(
                f"{path} is being written by another process ({file.read().strip() or 'unknown'}); "
                "wait for it, or name another folder"
            ) from None
        file.truncate(0)
        file.write(f"pid {os.getpid()}")
        file.flush()
        yield


def _check_config(path: Path, config: DatasetConfig) -> None:
    file = path / CONFIG
    if not file.exists():
        with replacing(file) as out:
            out.write(msgspec.json.format(msgspec.json.encode(_escaped(config)), indent=2) + b"\n")
        return
    there, here = (_flat(_escaped(c)) for c in (read_config(path), config))
    different = [f"{name} is {there.get(name)!r} there and {here.get(name)!r} now"
                 for name in sorted({*there, *here}) if there.get(name) != here.get(name)]  # fmt: skip
    if different:
        raise UserError(
            f"{path} was built with other options: {'; '.join(different)}; "
            "give the same options to go on with it, or name a new folder"
        )


def _flat(value: object, name: str = "") -> dict[str, object]:
    if isinstance(value, dict):
        parts = (_flat(v, f"{name}.{k}" if name else str(k)) for k, v in value.items())
        return {k: v for part in parts for k, v in part.items()}
    return {name: value}


def _cut_torn_line(path: Path) -> None:
    """Remove an incomplete last line, left by a process that died while writing."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole != len(data):
        os.truncate(path, whole)


def _clean(file: Path, kind: type[Quarantined] | type[Removed] | type[Dropped], finished: set[str]) -> None:
    """Remove the lines of shards that are not in the manifest."""
    _cut_torn_line(file)
    lines: list[Any] = _read_lines(file, kind)
    kept = [line for line in lines if line.shard in finished]
    if len(kept) != len(lines):
        with replacing(file) as out:
            out.write(lines_of(kept))


UNFINISHED = "unfinished.parquet"
# Tracer: programs in order, limits -> each program with its trace.
Tracing = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Packed]]]


def keep_unfinished(folder: Path, rows: list[tuple[Program, Packed]]) -> int:
    """Write the rows of an open shard to `unfinished.parquet`; return their number."""
    if rows:
        write_packed(folder / UNFINISHED, rows)
    return len(rows)


def take_up_unfinished(folder: Path, trace: Tracing) -> Tracing:
    """Return a tracer that takes the kept traces of the first programs and traces the others."""
    store = _read(folder / UNFINISHED)

    def run(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
        waiting = iter(programs)
        for program in waiting:
            if program.id not in store:
                yield from trace(chain([program], waiting), limits)
                return
            yield program, store.pop(program.id)

    return run


def _read(path: Path) -> dict[str, Packed]:
    if not path.exists():
        return {}
    try:
        kept = {program.id: packed for program, packed in read_packed(path) if program is not None}
    except CorruptShard:
        kept = {}  # the file only saves work; its programs are run again
    path.unlink()
    return kept
