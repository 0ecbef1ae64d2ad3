"""Write and read shards, the Parquet files of traces of which a dataset consists.

    write_traces("t.parquet", traces)        read_traces("t.parquet") -> Trace, Trace, ...
    write_pairs("t.parquet", pairs)          read_pairs("out/") -> (Program, Trace), ...   a dataset folder
    write_packed / read_packed               the same as raw columns, to make or copy many traces

A shard is written whole or not at all. With one version of pyarrow, the same rows give the same bytes: a
shard holds no times, host names or numbers of workers. A folder is read through its manifest: a shard that is
not listed is ignored, and a shard with another sha256 raises CorruptShard. The law read(write(x)) == x holds
bit for bit. Format: docs/format.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct

from deskcheck import __version__
from deskcheck.errors import CorruptShard, DataError, UserError
from deskcheck.format.arrow import (
    TRACE_SCHEMA,
    packed_rows_of,
    table_of_packed,
)
from deskcheck.format.buffers import COLUMNS, Packed, packed_of, trace_of
from deskcheck.format.files import replacing, sha256_of
from deskcheck.records import FORMAT_VERSION, Program, Trace

MANIFEST = "manifest.jsonl"
# A reader loads one row group at a time. A group ends at this many rows or this many numbers in its lists.
GROUP_ROWS = 2_000
GROUP_CELLS = 8_000_000
# With a trace of at least this many numbers, a shard stores differences of whole numbers instead of
# dictionaries: writing takes 8 to 16 bytes of memory for each number, and with dictionaries up to 130.
LONG_CELLS = 1_000_000
_LONG: dict[str, Any] = {
    "use_dictionary": False,
    "column_encoding": {
        f"{name}.list.element": "DELTA_BINARY_PACKED" for name, _, letter in COLUMNS if letter in "biq"
    },
}
Row = TypeVar("Row")
Pair = tuple[Program | None, Trace]
PackedPair = tuple[Program | None, Packed]


class ManifestEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One finished shard: a line of `manifest.jsonl`."""

    shard: str
    """File name in the folder: "traces-000000000.parquet"."""
    content: str
    """Kind of the rows: always "traces"."""
    first: int
    """Number of its first input, 0-based."""
    n_read: int
    """Number of inputs in its range."""
    n_kept: int
    """Number of rows in the shard."""
    dropped: dict[str, int]
    """Drop reason -> number of inputs without a row; n_read = n_kept + their sum."""
    n_steps: int
    """Number of line events in all rows."""
    n_events: int
    """Number of events in all rows."""
    n_bytes: int
    """Size of the file in bytes."""
    sha256: str
    """sha256 of the file, in hex."""
    inputs_sha256: str
    """sha256 of the ids of its inputs, one per line; a resumed build compares it."""


# ------------------------------------------------------------------ reading


def read_traces(path: str | Path) -> Iterator[Trace]:
    """Yield every trace of a shard or of a dataset folder, in order.

    CorruptShard names the damage; UserError for a missing path, DataError for a folder without a manifest.
    """
    for _, trace in read_rows(path):
        yield trace


def read_rows(path: str | Path) -> Iterator[Pair]:
    """Yield every trace with its program, None if the program was not stored; errors as in `read_traces`."""
    for file in _shards(Path(path)):
        yield from _read_shard(file, _unpacked_rows_of)


def read_packed(path: str | Path) -> Iterator[PackedPair]:
    """Yield every trace as raw columns with its program, None if the program was not stored."""
    for file in _shards(Path(path)):
        yield from _read_shard(file, packed_rows_of)


def _unpacked_rows_of(table: pa.Table) -> Iterator[Pair]:
    for program, packed in packed_rows_of(table):
        yield program, trace_of(packed)


def read_pairs(path: str | Path) -> Iterator[tuple[Program, Trace]]:
    """Yield every program with its trace. DataError for a shard that was written without programs."""
    for program, trace in read_rows(path):
        if program is None:
            raise DataError(f"{path} holds traces without their programs; build it with `deskcheck build`")
        yield program, trace


def read_manifest(folder: Path) -> list[ManifestEntry]:
    """Return the finished shards in the order of their inputs; a last line cut off by a crash is ignored.

    DataError for a folder without a manifest, CorruptShard for a line that is no entry.
    """
    try:
        lines = (folder / MANIFEST).read_bytes().split(b"\n")
    except FileNotFoundError:
        raise DataError(
            f"{folder} is not a dataset: it has no {MANIFEST}; `deskcheck build --out {folder}` makes one"
        ) from None
    entries: list[ManifestEntry] = []
    for number, line in enumerate(lines[:-1], 1):  # text after the last newline was never finished
        try:
            entry = msgspec.json.decode(line, type=ManifestEntry)
        except msgspec.DecodeError as error:
            raise CorruptShard(
                f"{folder / MANIFEST}, line {number} is not a manifest entry: {error}; "
                "delete the line, and the same build makes its shard again"
            ) from None
        if Path(entry.shard).name != entry.shard or entry.shard in ("", "..") or "\\" in entry.shard:
            raise CorruptShard(
                f"{folder / MANIFEST}, line {number}: shard '{entry.shard}' is no file name, and a dataset "
                "holds its shards in its own folder; whoever made it did not use deskcheck: do not use it"
            )
        if entry.n_read != entry.n_kept + sum(entry.dropped.values()):
            raise CorruptShard(f"{folder / MANIFEST}, line {number}: read is not kept + dropped: {entry}")
        entries.append(entry)
    return sorted(entries, key=lambda entry: entry.first)


def check_shard(folder: Path, entry: ManifestEntry) -> Path:
    """Return the shard's path. CorruptShard if its bytes are not those that the manifest names."""
    path = folder / entry.shard
    found = sha256_of(path) if path.exists() else "missing"
    if found != entry.sha256:
        raise CorruptShard(
            f"{path} is {'missing' if found == 'missing' else 'not what was written'} (sha256 {found[:12]}, "
            f"the manifest says {entry.sha256[:12]}); delete its line in {MANIFEST} and run the same "
            "`deskcheck build` again, which makes this shard anew"
        )
    return path


def _shards(path: Path) -> Iterator[Path]:
    if not path.exists():
        raise UserError(f"no such file or folder: {path}")
    if not path.is_dir():
        yield path
        return
    for entry in read_manifest(path):
        yield check_shard(path, entry)


def _read_shard(path: Path, rows: Callable[[pa.Table], Iterator[Row]]) -> Iterator[Row]:
    try:
        with pq.ParquetFile(path) as file:
            found = file.schema_arrow
            if not found.equals(TRACE_SCHEMA):
                raise CorruptShard(_schema_message(path, found, TRACE_SCHEMA))
            for group in range(file.num_row_groups):
                yield from rows(file.read_row_group(group))
    # EOFError, OSError: a cut or unreadable file; ValueError: ArrowInvalid, or contents we never write.
    except (OSError, EOFError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        what = _damage(path) or f"{type(error).__name__}: {str(error)[:300]}"
        advice = (
            "restore it from a copy or build it again"
            if path.suffix == ".parquet"
            else "name the folder of a dataset, or one .parquet file of it"
        )
        raise CorruptShard(f"{path} is not a readable shard: {what}; {advice}") from error


def _damage(path: Path) -> str:
    """Return the damage that the marks at both ends of a Parquet file show; "" if both are there.

    Also "" for a file that cannot be opened.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(4)
            file.seek(-min(4, file.seek(0, 2)), 2)
            end = file.read(4)
    except OSError:
        return ""
    if begin != b"PAR1":
        return "it is no Parquet file"
    return "" if end == b"PAR1" else "its end is missing"


def _schema_message(path: Path, schema: pa.Schema, wanted: pa.Schema) -> str:
    version = (schema.metadata or {}).get(b"deskcheck.format_version", b"none").decode("ascii", "replace")
    for field in wanted:
        at = schema.get_field_index(field.name)
        if at < 0:
            return (
                f"{path} has no column '{field.name}' (format version {version}, this deskcheck reads "
                f"{FORMAT_VERSION}); it is not a shard of this kind"
            )
        if not schema.field(at).equals(field):
            return f"{path}: column '{field.name}' is {schema.field(at).type}, not {field.type}"
    return (
        f"{path} has columns that this deskcheck does not know: {sorted({*schema.names} - {*wanted.names})}"
    )


# ------------------------------------------------------------------ writing


def write_traces(path: str | Path, traces: Iterable[Trace]) -> int:
    """Write one shard, whole or not at all; return the number of rows."""
    return write_pairs(path, ((None, trace) for trace in traces))


def write_pairs(path: str | Path, pairs: Iterable[Pair]) -> int:
    """Write one shard with each trace's program in its row; return the number of rows."""
    return write_packed(path, [(program, packed_of(trace)) for program, trace in pairs])


def write_packed(path: str | Path, rows: Sequence[PackedPair], *, sandbox: str = "") -> int:
    """Write one shard from packed traces, without making Python objects per event; return the number of rows.

    `sandbox`: containment level of the programs, for the shard's metadata.
    """
    about = {"deskcheck.sandbox": sandbox} if sandbox else {}
    own = {"deskcheck.format_version": str(FORMAT_VERSION), "deskcheck.version": __version__}
    described = TRACE_SCHEMA.with_metadata(own | about)
    encoding = _LONG if any(packed.n_cells >= LONG_CELLS for _, packed in rows) else {}
    with (
        replacing(Path(path)) as file,
        pq.ParquetWriter(file, described, version="2.6", compression="zstd", **encoding) as writer,
    ):
        for group in _groups(rows):
            writer.write_table(
                table_of_packed(group).replace_schema_metadata(described.metadata), row_group_size=GROUP_ROWS
            )
    return len(rows)


def _groups(rows: Sequence[PackedPair]) -> Iterator[list[PackedPair]]:
    """Split the rows into groups; a group ends when it reaches GROUP_ROWS or GROUP_CELLS."""
    group: list[PackedPair] = []
    n_cells = 0
    for row in rows:
        group.append(row)
        n_cells += row[1].n_cells
        if len(group) >= GROUP_ROWS or n_cells >= GROUP_CELLS:
            yield group
            group, n_cells = [], 0
    if group:
        yield group
