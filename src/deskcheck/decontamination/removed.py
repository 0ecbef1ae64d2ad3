"""List the programs left out of a dataset or a training run, in `removed.jsonl` of its folder.

    removed_of(program, match) -> Removed(..)
    as_text(one, benchmark_text) -> both texts, one below the other

The file does not contain the benchmark's text. `deskcheck data` shows that text if the benchmark's data is
available.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.decontamination.near import Match
from deskcheck.errors import DataError
from deskcheck.records import Program

REMOVED = "removed.jsonl"
REASON = "near a benchmark"


class Removed(Struct, frozen=True, kw_only=True):
    """One program that was left out; a line of `removed.jsonl`.

    The fields `benchmark` to `line` are those of the program's `Match`.
    """

    shard: str = ""
    """In a dataset: shard with the input in its range; the line counts only if the manifest has the shard."""
    origin: str
    benchmark: str
    id: str
    similarity: float
    same: bool
    unit: str
    line: int
    source: str


def removed_of(program: Program, match: Match, *, shard: str = "") -> Removed:
    """Make the record of a program that is too similar to a benchmark."""
    return removed_text(program.source, program.origin, match, shard=shard)


def removed_text(source: str, origin: str, match: Match, *, shard: str = "") -> Removed:
    """Make the record of any text; characters that UTF-8 cannot encode are written as escapes."""
    return Removed(
        shard=shard,
        origin=_plain(origin),
        benchmark=match.benchmark,
        id=match.id,
        similarity=round(match.similarity, 3),
        same=match.same,
        unit=_plain(match.unit),
        line=match.line,
        source=_plain(source),
    )


def write_removed(folder: Path, removed: Iterable[Removed]) -> None:
    """Write `removed.jsonl`, replacing an old one; it is empty if nothing was left out."""
    data = b"".join(msgspec.json.encode(one) + b"\n" for one in removed)
    (folder / REMOVED).write_bytes(data)


def read_removed(folder: Path) -> list[Removed]:
    """Read `removed.jsonl`; return no records if there is no file. DataError if a line is malformed."""
    path = folder / REMOVED
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            rows.append(msgspec.json.decode(line, type=Removed))
        except msgspec.DecodeError as error:
            raise DataError(f"{path}, line {number}: {error}; make the folder again") from None
    return rows


def as_text(row: Removed, published: str) -> str:
    """Write the similarity of both programs, then their texts."""
    how = "the same as" if row.same else f"{100 * row.similarity:.0f} % of"
    text = published or "(its text is not at hand: name a folder of public data in DESKCHECK_DATA)"
    return "\n".join([
        f"{row.origin}: '{row.unit}', line {row.line}, is {how} {row.benchmark} {row.id}",
        *_indented("left out", row.source),
        *_indented(f"{row.benchmark} {row.id}", text),
    ])  # fmt: skip


def _indented(head: str, text: str) -> Sequence[str]:
    return [f"  {head}:", *(f"    {line}" for line in text.rstrip().split("\n"))]


def _plain(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
