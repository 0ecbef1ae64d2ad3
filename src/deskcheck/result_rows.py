"""The results schema: a table with one row per answer, for every command that reads or writes results.

    write_results("x.parquet", rows)            rows of `grade`, `merge`, .. as Parquet
    read_results("x.parquet") -> [Result, ..]   the same rows; DataError for another file or a newer schema
    results_of_folder(folder) -> [Result, ..]   a finished cell of `deskcheck eval`, as rows
    rows_at("logs") -> [Result, ..]             the rows of a Parquet file, or of all cells in a log folder
    merge(rows) -> [Result, ..]                 parts of one run as one run; each answer once
    split_name("a=x.parquet") -> ("a", "x.parquet")

A run is here one model with one strategy and its settings on one benchmark (a cell of a study). The reply
itself stays in the log: `log` names file and place, `reply_sha256` is the hash of its text. Repeated texts
are stored once in a group of rows (dictionary columns). Unknown numbers are null in Parquet and -1 in
`Result`. docs/decisions/014-one-results-schema.md gives the reason for each column.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import field

from deskcheck.cell_files import (
    CELL,
    RESULTS,
    AnswerRow,
    CellFile,
    Sampled,
    cell_folders,
    check_logs,
    read_cell,
    read_samples,
    shard_of_cell,
)
from deskcheck.errors import DataError, MissingExtra, UserError
from deskcheck.format.files import replacing
from deskcheck.pace import counted
from deskcheck.records import MISSING

VERSION = 1
"""Raised when a column is removed or changes its meaning; a new column does not raise it."""
MARK = b"deskcheck.results"
"""Key of the version in the file's metadata."""
_ROWS_A_GROUP = 20_000  # rows that are held in memory at once


class Result(AnswerRow, frozen=True, kw_only=True):
    """One answer to one task: the model, the question, the verdict and its circumstances. -1 = not known."""

    run: str
    """Name of the run: unique within a file."""
    model: str
    strategy: str
    benchmark: str
    benchmark_version: str
    """Hash of the benchmark's data file, or the version of the deskcheck that ships the benchmark."""
    question: str
    """Kind of question: "output", "input", "next-line", .."""
    settings: dict[str, str] = field(default_factory=dict)
    """All other settings that can change an answer: effort, temperature, budgets, settings of the strategy.
    """
    stored: str = ""
    """Verdict of the source of the answers: "right", "not right"; "" = the source has none."""
    log: str = ""
    """Place of the reply: "path#task[sample]"."""
    reply_sha256: str = ""
    oracle: bool = False
    marks: list[str] = field(default_factory=list)
    """Reasons why this row is not comparable with others: "injected states", .."""


NULLABLE = tuple(column.name for column in msgspec.structs.fields(AnswerRow) if column.default in (-1, -1.0))
"""Columns in which -1 is written as null: those whose value may be unknown."""


def hash_of(reply: str) -> str:
    """Return the sha256 of a reply's text, 64 hex digits."""
    return hashlib.sha256(reply.encode("utf-8", "surrogatepass")).hexdigest()


def split_name(place: str) -> tuple[str, str]:
    """Return name ("" = none) and path of "NAME=PATH" or "PATH"."""
    name, equals, path = place.partition("=")
    if equals and "/" not in name and not Path(place).exists():
        return name, path
    return "", place


def is_results(path: Path) -> bool:
    """Tell whether a path names a Parquet file; the contents are not examined."""
    return path.suffix == ".parquet" and path.is_file()


# ------------------------------------------------------------------ Parquet


def write_results(path: str | Path, rows: Iterable[Result]) -> int:
    """Write rows as they come, completely or not at all, and return their number.

    DataError if the file cannot be written, MissingExtra without pyarrow.
    """
    _, parquet = _arrow(f"writing {path}")
    schema, n_rows = _schema(), 0
    waiting = iter(rows)
    with replacing(Path(path)) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while group := list(islice(waiting, _ROWS_A_GROUP)):
            writer.write_table(_table(group, schema))
            n_rows += len(group)
    return n_rows


def read_results(path: str | Path) -> Iterator[Result]:
    """Yield all rows of a file; DataError for another kind of file, a damaged one or a newer schema.

    MissingExtra without pyarrow.
    """
    _, parquet = _arrow(f"reading {path}")
    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: not a whole Parquet file: {_first_line(error)}; {_RESTORE}") from None
    version = int((file.schema_arrow.metadata or {}).get(MARK, b"0"))
    if not version:
        raise DataError(
            f"{path}: Parquet, but not results of deskcheck; `deskcheck grade --out x.parquet` writes such "
            "a file, and `deskcheck view` opens traces"
        )
    if version > VERSION:
        raise DataError(
            f"{path}: results of schema {version}; this deskcheck reads up to {VERSION}: update it"
        )
    try:
        for batch in file.iter_batches(batch_size=_ROWS_A_GROUP):
            for row in batch.to_pylist():
                yield msgspec.convert(_from_arrow(row), Result)
    except (
        OSError,
        ValueError,
        TypeError,
        KeyError,
    ) as error:  # errors of pyarrow and msgspec for damaged pages
        raise DataError(f"{path}: damaged inside: {_first_line(error)}; {_RESTORE}") from None


_RESTORE = "restore it from a copy, or run the command again that wrote it"


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0][:300].rstrip(".")


def _from_arrow(row: dict[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in row.items() if value is not None}
    for name in ("settings", "levels", "tags"):
        known[name] = dict(known.get(name, ()))
    return known


def _table(rows: list[Result], schema: Any) -> Any:
    pyarrow, _ = _arrow("writing results")
    columns = {}
    for name in schema.names:
        values = [getattr(row, name) for row in rows]
        if name in NULLABLE:
            values = [None if value == -1 else value for value in values]
        elif name in ("settings", "levels", "tags"):
            values = [list(value.items()) for value in values]
        columns[name] = values
    return pyarrow.table(columns, schema=schema)


def column_types() -> dict[str, str]:
    """Return the type of every column of `Result`, the run first: "str", "int", "dict[str, str]", .."""
    required = {one.name for one in msgspec.structs.fields(Result) if one.required}
    of_run = {name: kind for name, kind in Result.__annotations__.items() if name in required}
    return of_run | dict(AnswerRow.__annotations__) | dict(Result.__annotations__)


def _schema() -> Any:
    """Derive column types from the annotations of `Result`; repeated texts become dictionaries."""
    pyarrow, _ = _arrow("results as Parquet")
    text = pyarrow.string()
    repeated = pyarrow.dictionary(pyarrow.int32(), text)
    kinds = {
        "str": text, "int": pyarrow.int64(), "float": pyarrow.float64(), "bool": pyarrow.bool_(),
        "list[str]": pyarrow.list_(text), "dict[str, str]": pyarrow.map_(text, text),
    }  # fmt: skip
    alone = {"answer", "log", "reply_sha256", "task"}
    return pyarrow.schema(
        [
            (name, repeated if kind == "str" and name not in alone else kinds[kind])
            for name, kind in column_types().items()
        ],
        metadata={MARK: str(VERSION).encode()},
    )


def _arrow(what: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("pyarrow", "data", what) from None
    return pyarrow, pyarrow.parquet


# ------------------------------------------------------------------ cells of `deskcheck eval`


def results_of_folder(folder: Path) -> list[Result]:
    """Return the rows of a finished cell; DataError names a file that an evaluation did not write."""
    cell = read_cell(folder)
    check_logs(folder, cell)
    return [_of_sampled(sampled, cell, folder) for sampled in read_samples(folder)]


def rows_at(path: Path) -> list[Result]:
    """Return the rows of a results file or of every cell in a log folder; UserError if there are none."""
    if is_results(path):
        return list(counted(read_results(path), "answers read"))
    if not path.exists():
        raise UserError(f"no log folder or results file at '{path}'")
    folders = cell_folders(path) if path.is_dir() else []
    if not folders:
        raise UserError(f"no finished evaluation in '{path}'; `deskcheck eval --log-dir {path}` makes one")
    return [row for folder in counted(folders, "runs read") for row in results_of_folder(folder)]


def absent_parts(places: Iterable[Path]) -> list[str]:
    """Return a line for each run whose log folders are parts of `--shard`, and not all of them."""
    parts: dict[str, set[str]] = {}
    for file in (file for place in places if place.is_dir() for file in place.glob(f"**/{CELL}")):
        if shard := shard_of_cell(read_cell(file.parent)):
            parts.setdefault(file.parent.name, set()).add(shard)
    lines = []
    for run, present in sorted(parts.items()):
        n = {shard.partition("/")[2] for shard in present}
        absent = sorted({f"{k}/{of}" for of in n for k in range(1, int(of) + 1)} - present)
        if absent:
            lines.append(f"{run}: part {', '.join(absent)} is not among them; merge again with it")
    return lines


def merge(rows: Iterable[Result]) -> list[Result]:
    """Merge rows with the same model, strategy, benchmark and settings into one run, each answer once.

    Two rows of one answer count once if reply and verdict agree; otherwise DataError names both. A row that
    was never asked, or whose request failed, is replaced by one with an answer.
    """
    runs: dict[str, dict[tuple[str, int], Result]] = {}
    names: dict[str, str] = {}
    for row in rows:
        identity = _identity(row)
        if identity not in runs:
            taken = set(names.values())
            free = (row.run if k == 1 else f"{row.run}-{k}" for k in count(1))
            names[identity] = next(name for name in free if name not in taken)
        answers = runs.setdefault(identity, {})
        before = answers.get((row.task, row.sample))
        if before is None or (before.reason in MISSING and row.reason not in MISSING):
            answers[row.task, row.sample] = msgspec.structs.replace(row, run=names[identity])
        elif row.reason not in MISSING and _reply(row) != _reply(before):
            raise DataError(
                f"task {row.task}, sample {row.sample} of {row.model} with {row.strategy} has two answers: "
                f"{before.verdict} in {before.log}, {row.verdict} in {row.log}; leave one of the two out"
            )
    return [row for answers in runs.values() for row in answers.values()]


def _identity(row: Result) -> str:
    """Return what all rows of one run share, as text; the version of the benchmark's data is a part."""
    parts = (
        row.model, row.strategy, row.benchmark, row.benchmark_version, row.question, row.policy,
        row.extraction, sorted(row.settings.items()), row.oracle, row.marks,
    )  # fmt: skip
    return msgspec.json.encode(parts).decode()


def _reply(row: Result) -> tuple[str, str, str]:
    return row.reply_sha256, row.verdict, row.answer


def _of_sampled(answer: Sampled, file: CellFile, folder: Path) -> Result:
    return Result(
        run=folder.name,
        model=file.row.model,
        strategy=file.row.strategy,
        benchmark=file.row.benchmark,
        benchmark_version=_version_of(file.run),
        question=file.row.task,
        settings=_settings_of(file.cell),
        **answer.columns(),
        log=f"{folder / RESULTS}#{answer.task}[{answer.sample}]",
        reply_sha256=hash_of(answer.text),
        oracle=file.row.oracle,
        marks=file.row.marks,
    )


def _version_of(run: Mapping[str, Any]) -> str:
    versions = run.get("versions")
    shipped = versions.get("deskcheck", "") if isinstance(versions, dict) else ""
    return str(run.get("data") or shipped)


def _settings_of(cell: Mapping[str, Any]) -> dict[str, str]:
    """Return the values of a cell that have no column, as flat texts; empty, 0 and -1 are left out."""
    settings: dict[str, str] = {}
    for part in ("options", "knobs", "generation", "model_args"):
        inner = cell.get(part)
        for name, value in inner.items() if isinstance(inner, dict) else ():
            if value not in (None, "", -1, 0, {}, []):
                settings[name] = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return settings


def sampled_of(row: Result) -> Sampled:
    """Convert a row to a sample of a report; prompt, reply and chain, which only a folder has, are empty."""
    columns = row.columns() | {"n_calls": max(row.n_calls, 0)}
    return Sampled(prompt=[], text="", chain=[], **columns)


def check_output(path: str, option: str = "--out") -> None:
    """Raise UserError if a results file cannot be written: wrong ending, or it exists already.

    "" is no file.
    """
    if not path:
        return
    if Path(path).suffix != ".parquet":
        raise UserError(f"{option} {path}: the ending says the format, and results are written as .parquet")
    if Path(path).exists():
        raise UserError(f"{option} {path} is there already; remove it first, or name another file")
