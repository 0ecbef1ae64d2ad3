"""Rows of a benchmark's file: from a path, or from the Hugging Face hub at a pinned revision.

    for number, row in read_rows(locate(data, HUB)): text_field(row, "code", ..)

JSON lines, plain or .gz, and Parquet. A malformed row is a DataError with file, row and field.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import DataError, UserError

Hub = tuple[str, str, str]  # repository of kind "dataset", full commit, file in it


def locate(data: str, hub: Hub) -> Path:
    """The file to read: `data` where it is given, else the hub's, downloaded once."""
    if not data:
        return _download(hub)
    path = Path(data)
    if not path.is_file():
        raise UserError(f"no data file at '{data}' (--data PATH)")
    return path


def read_rows(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """(number from 1, row). DataError for what is no row, and for a file without rows."""
    number = 0
    for number, row in enumerate(_parquet(path) if path.suffix == ".parquet" else _lines(path), 1):
        if not isinstance(row, dict):
            raise DataError(f"{path}, row {number}: a {type(row).__name__}, not an object with fields")
        yield number, row
    if number == 0:
        raise DataError(f"{path}: no rows, so there is nothing to evaluate")


def text_field(row: dict[str, object], name: str, path: Path, number: int) -> str:
    """One field that must be text."""
    if name not in row:
        raise DataError(f"{path}, row {number}: no field '{name}'; it has: {', '.join(sorted(row))}")
    value = row[name]
    if not isinstance(value, str):
        raise DataError(f"{path}, row {number}, field '{name}': {type(value).__name__} instead of text")
    return value


def sha256_of(path: Path) -> str:
    """Hash of the whole file, as hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _lines(path: Path) -> Iterator[object]:
    raw = path.read_bytes()
    try:
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8")
    except (UnicodeDecodeError, OSError, EOFError) as error:
        raise DataError(f"{path}: not JSON lines in UTF-8: {error}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}, line {number}: not JSON: {error}") from None


def _parquet(path: Path) -> Iterator[object]:
    import pyarrow
    import pyarrow.parquet

    try:
        yield from pyarrow.parquet.read_table(path).to_pylist()
    except pyarrow.ArrowException as error:
        raise DataError(f"{path}: not a Parquet file: {error}") from None


def _download(hub: Hub) -> Path:
    repository, revision, file = hub
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = cache / "deskcheck" / "hub" / repository / revision / file
    if path.is_file():
        return path
    endpoint = (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")
    address = f"{endpoint}/datasets/{repository}/resolve/{revision}/{file}"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            content: bytes = answer.read()
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise UserError(
            f"cannot fetch {address}: {error}; get the file by other means and name it with --data PATH"
        ) from None
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file_object:
        file_object.write(content)
    Path(temporary).replace(path)  # a killed download leaves no half file under the real name
    return path
