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


def first_value(path: Path) -> object:
    """Return the first JSON value of a file, from its first line or the whole text; None if there is none."""
    if path.is_dir():
        return None
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            head = file.read(_HEAD)
            line, newline, _ = head.lstrip().partition(b"\n")
            if (newline or len(head) < _HEAD) and (value := _json(line)) is not None:
                return value
            return _json(head + file.read())
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
