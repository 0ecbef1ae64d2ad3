"""Read files of saved answers: plain or gzip, one JSON document, one JSON value per line, or a table."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError

csv.field_size_limit((1 << 31) - 1)  # the default refuses replies of more than 131,072 characters
_HEAD = 1 << 16  # bytes of a file that are read first, to recognize it
_TABLES = {".csv": ",", ".tsv": "\t"}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_NEXT_LINES = 50  # lines after a damaged first one in which a JSON object is looked for
_SHOWN = 60  # bytes of a file's first line in a message


def stem(path: Path) -> str:
    """Return the name of a file without its endings: "gpt-4+cot" for "gpt-4+cot.json.gz"."""
    name = path.name
    for ending in (".gz", ".jsonl", ".json", ".csv", ".tsv"):
        name = name.removesuffix(ending)
    return name


def text_of(path: Path) -> str:
    """Read the whole text of a file in UTF-8 or UTF-16. DataError for other bytes, or damaged gzip data."""
    try:
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        return content.decode("utf-16" if content[:2] in _UTF_16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8: {error}; save it again as UTF-8") from None
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
    """Yield (place, row) of JSON lines, one JSON list or a table; the place is "line 3" or "row 3".

    A line that is not JSON gives a ValueError in place of its row.
    """
    content = text_of(path)
    if (delimiter := _delimiter(path)) and content.lstrip()[:1] not in ("{", "["):
        table = csv.DictReader(io.StringIO(content, newline=""), delimiter=delimiter)
        try:
            yield from (
                (f"row {number}", {k: v for k, v in row.items() if k}) for number, row in enumerate(table, 1)
            )
        except csv.Error as error:
            raise DataError(f"{path}: no whole table: {error}; save it again as CSV or JSON lines") from None
        return
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


def _delimiter(path: Path) -> str:
    """Return the mark between the fields of a table, by the name of its file; "" if it is no table."""
    return _TABLES.get(Path(path.name.removesuffix(".gz")).suffix.lower(), "")


def first_value(path: Path) -> object:
    """Return the first JSON value of a file, from a whole line or the whole text; None if there is none.

    A damaged first line is passed over if a later one of the first lines is JSON.
    """
    if path.is_dir():
        return None
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
            head = file.read(_HEAD)
            head += b"" if b"\n" in head.lstrip() else file.readline()  # a long first row
            if head[:2] in _UTF_16 or (_delimiter(path) and head.lstrip()[:1] not in (b"{", b"[")):
                return next((row for _, row in rows_of(path) if isinstance(row, dict)), None)
            line, _, rest = head.lstrip().partition(b"\n")
            if (value := _json(line)) is not None:
                return value
            if (value := _json(head + file.read())) is not None:
                return value
            objects = (_json(one) for one in rest.split(b"\n")[:_NEXT_LINES] if one.strip()[:1] == b"{")
            return next((one for one in objects if one is not None), None)
    except (OSError, EOFError, zlib.error, DataError):
        return None


def first_words(path: Path) -> str:
    """Return ": " and the beginning of a file's first line, for a message; "" if it is no printable text."""
    with path.open("rb") as file:
        line = file.read(_SHOWN).decode("utf-8", "ignore").lstrip("\ufeff").strip().partition("\n")[0].strip()
    return f": {line}" if line.isprintable() and line else ""


def _json(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def likely_fields(row: dict[str, Any]) -> str:
    """Return options for the likeliest fields of id and reply: "--field id=qid --field completion=NAME".

    NAME stands where no field is likely.
    """
    leaves = list(_leaves(row, ""))
    ids = [path for path, value in leaves if isinstance(value, str | int) and _named(path, _ID_PARTS)]
    texts = [path for path, value in leaves if isinstance(value, str) and _named(path, _TEXT_PARTS)]
    return f"--field id={ids[0] if ids else 'NAME'} --field completion={texts[-1] if texts else 'NAME'}"


_ID_PARTS = frozenset({"id", "qid", "uid", "uuid", "idx", "index", "task", "name", "number", "nr"})
_TEXT_PARTS = frozenset(
    {"text", "content", "response", "completion", "output", "answer", "reply", "generated"}
)


def _named(path: str, words: frozenset[str]) -> bool:
    """Return whether the last name of a path, or a part of it, is one of these words."""
    last = next((part for part in reversed(path.split(".")) if not part.isdigit()), "")
    return bool(words & set(re.split(r"[\W_]+", last.lower())))


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    """Yield (dotted path, value) for the values in a row, but none from a list of several samples."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        if len(value) == 1 or (value and all(isinstance(one, dict) and "role" in one for one in value)):
            yield from _leaves(value[-1], f"{path}.{len(value) - 1}")
    else:
        yield path, value


def table(value: object, where: str) -> list[tuple[str, object]]:
    """Return the entries of a JSON object. DataError for any other value."""
    if not isinstance(value, dict):
        raise DataError(f"{where}: expected an object task id -> list")
    return list(value.items())
