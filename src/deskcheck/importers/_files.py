"""Read files of saved answers: plain or gzip, one JSON document or one JSON value per line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError

_HEAD = 1 << 16
_NEXT_LINES = 50


def stem(path: Path) -> str:
    """Return the name of a file without its endings: "gpt-4+cot" for "gpt-4+cot.json.gz"."""
    name = path.name
    for ending in (".gz", ".jsonl", ".json", ".csv"):
        name = name.removesuffix(ending)
    return name


def text_of(path: Path) -> str:
    """Read the whole text of a file. DataError if it is not UTF-8, or a .gz file that is not whole gzip."""
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8: {error}") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise DataError(f"{path}: not whole gzip data: {error}") from None


def document_of(path: Path) -> object:
    """Read a file that is one JSON value. DataError for any other content."""
    content = text_of(path)
    if not content.strip():
        raise DataError(f"{path}: empty; expected saved generations")
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}: not JSON: {error}") from None


def lines_of(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield (number, value) of every line that is not blank; the value is a ValueError if it is not JSON."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, ValueError(f"not JSON: {error}")


def rows_of(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield (place, row) of JSON lines or of one JSON list; the row is a ValueError if it is not JSON."""
    content = text_of(path)
    if content.lstrip()[:1] == "[":
        document = _json(content.encode("utf-8", "surrogatepass"))
        if isinstance(document, list):
            yield from ((f"row {number}", row) for number, row in enumerate(document, 1))
            return
    yield from ((f"line {number}", row) for number, row in lines_of(path))


def inner(row: object, path: str) -> Any:
    """Return a value inside a row by a dotted path, "choices.0.message.content"; None if it is not there."""
    if isinstance(row, dict) and path in row:
        return row[path]
    for part in path.split("."):
        if isinstance(row, dict):
            row = row.get(part)
        elif isinstance(row, list) and part.isdigit() and int(part) < len(row):
            row = row[int(part)]
        else:
            return None
    return row


def first_value(path: Path) -> object:
    """Return the first JSON value of a file, from a whole line or the whole text; None if there is none.

    A damaged first line is passed over if a later one of the first lines is JSON.
    """
    if path.is_dir():
        return None
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            head = file.read(_HEAD)
            line, newline, rest = head.lstrip().partition(b"\n")
            if (newline or len(head) < _HEAD) and (value := _json(line)) is not None:
                return value
            if (value := _json(head + file.read())) is not None:
                return value
            objects = (_json(one) for one in rest.split(b"\n")[:_NEXT_LINES] if one.strip()[:1] == b"{")
            return next((one for one in objects if one is not None), None)
    except (OSError, EOFError, zlib.error):
        return None


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def table(value: object, where: str) -> list[tuple[str, object]]:
    """Return the entries of a JSON object. DataError for any other value."""
    if not isinstance(value, dict):
        raise DataError(f"{where}: expected an object task id -> list")
    return list(value.items())
