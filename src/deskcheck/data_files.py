"""Read the rows of a benchmark's file, from a path or from the Hugging Face hub at a pinned revision.

    for path, number, row in rows_of(data, HUB): text_field(row, "code", path, number)

Formats are JSON lines, one JSON list (both plain or .gz), and Parquet. Lines and Parquet are streamed, so at
most some hundred rows are in memory. A malformed row is a DataError with file, row and field. The hub's
client caches its downloads; HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE have their usual meaning.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import DataError, MissingExtra, Unobtainable, UserError

REACHABLE_S = 10.0
"""Seconds to wait for the hub's first answer."""
MOST_BYTES = 512 * 2**20
"""Largest size in bytes of one line, or of a whole JSON list, after decompression."""
_ROWS_AT_ONCE = 256  # of a Parquet file
Hub = tuple[str, ...]
"""A repository of kind "dataset", its full commit, and one or more files in it."""


def rows_of(data: str, hub: Hub) -> Iterator[tuple[Path, int, dict[str, object]]]:
    """Yield (file, number from 1, row) of the file `data` if it is given, else of the hub's files, in their
    order.
    """
    for path in [given(data)] if data else [fetch(hub, file) for file in hub[2:]]:
        for number, row in read_rows(path):
            yield path, number, row


def given(data: str) -> Path:
    """Return the path of the file that the user named. UserError if there is no such file."""
    path = Path(data)
    if not path.is_file():
        what = "which is a folder: name the file in it" if path.is_dir() else "name one"
        raise UserError(f"no data file at '{data}', {what}: --data PATH")
    return path


def fetch(hub: Hub, file: str) -> Path:
    """Return one file of the hub, downloaded once; Unobtainable names a workaround if that fails."""
    repository, revision = hub[:2]
    where = f"{repository}, revision {revision}, file {file}"
    try:
        from huggingface_hub import hf_hub_download, hf_hub_url, try_to_load_from_cache
        from huggingface_hub.utils.tqdm import disable_progress_bars
    except ModuleNotFoundError:
        raise MissingExtra("huggingface_hub", "eval", f"fetching {where}") from None
    disable_progress_bars()
    try:
        kept = try_to_load_from_cache(repository, file, repo_type="dataset", revision=revision)
        if isinstance(kept, str):
            return Path(kept)
        _check_reachable(hf_hub_url(repository, file, repo_type="dataset", revision=revision))
        return Path(hf_hub_download(repository, file, repo_type="dataset", revision=revision))
    except Exception as error:  # errors of the client, the network or the disk, of any type
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise Unobtainable(
            f"cannot fetch {where}: {reason}; get the file by other means and name it with --data PATH"
        ) from None


def _check_reachable(address: str) -> None:
    """Raise at once if no server answers; the client itself would try six times, for half a minute."""
    from huggingface_hub import constants, get_session

    if not constants.HF_HUB_OFFLINE:
        try:
            get_session().head(address, timeout=REACHABLE_S)
        except (
            Exception
        ) as error:  # whatever the client's current version raises; any HTTP status counts as an answer
            raise ConnectionError(f"nobody answers at {address} ({error})") from None


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield (number from 1, row); DataError for an invalid row or a file without rows."""
    number = 0
    for number, row in enumerate(_parquet(path) if path.suffix == ".parquet" else _lines(path), 1):
        if not isinstance(row, dict):
            raise DataError(f"{path}, row {number}: a {type(row).__name__}, not an object with fields")
        yield number, row
    if number == 0:
        raise DataError(f"{path}: no rows, so there is nothing to evaluate")


def text_field(row: dict[str, object], name: str, path: Path, number: int) -> str:
    """Return one field, which must be text. DataError if it is missing or has another type."""
    if name not in row:
        raise DataError(f"{path}, row {number}: no field '{name}'; it has: {', '.join(sorted(row))}")
    value = row[name]
    if not isinstance(value, str):
        raise DataError(f"{path}, row {number}, field '{name}': {type(value).__name__} instead of text")
    return value


def list_field(row: dict[str, object], name: str, path: Path, number: int) -> list[object]:
    """Return one field, which must be a list; [] if it is missing. DataError for any other type."""
    value = row.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise DataError(f"{path}, row {number}, field '{name}': {type(value).__name__} instead of a list")
    return value


def int_field(row: dict[str, object], name: str, path: Path, number: int) -> int:
    """Return one field, which must be a whole number. DataError if it is missing or has another type."""
    value = row.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise DataError(f"{path}, row {number}, field '{name}': {value!r:.40} instead of a whole number")
    return value


def _lines(path: Path) -> Iterator[object]:
    number = 0
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            if path.name.removesuffix(".gz").endswith(".json"):
                yield from _list(_bounded(file.read(MOST_BYTES + 1), path).decode("utf-8-sig"), path)
                return
            # An overlong line is never held whole: in a small compressed file it may be a thousand times
            # larger.
            while raw := file.readline(MOST_BYTES + 1):
                number += 1
                # A byte order mark, which editors on Windows write, stands at the beginning of the file.
                line = _bounded(raw, path).decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if line:
                    yield json.loads(line)
    except (UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path}: not JSON lines in UTF-8: {error}") from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}, line {number}: not JSON: {error}") from None


def _bounded(raw: bytes, path: Path) -> bytes:
    if len(raw) > MOST_BYTES:
        raise DataError(
            f"{path}: more than {MOST_BYTES // 2**20:,} MiB in one line once decompressed; split it, or drop "
            "that line"
        )
    return raw


def _list(text: str, path: Path) -> list[object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None
    if not isinstance(found, list):
        raise DataError(f"{path}: a {type(found).__name__} instead of a list of rows")
    return found


def _parquet(path: Path) -> Iterator[object]:
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_ROWS_AT_ONCE):
                yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"{path}: not a Parquet file: {error}") from None
