"""What can be asked of a source of programs: one record, read by every file in `programs/`.

    SourceOptions(source="generated", family="easy", seed=1, n=1000)
    SourceOptions(source="files", path="examples/a.py", calls=["f(3)"])

A source reads the fields it knows and ignores the others; the whole record is stored with the dataset.
"""

from __future__ import annotations

from msgspec import Struct, field

from deskcheck.errors import UserError


class SourceOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which programs a source is to yield."""

    source: str
    """Name of the source: "files", "generated", "real"."""
    path: str = ""
    """files: a file or a folder; functions: code of any kind; real: one package."""
    calls: list[str] = field(default_factory=list)
    """files: calls as the language writes them: "f(3)"; empty = those that the files name themselves."""
    calls_file: str = ""
    """files: JSON lines with "call" and, for a folder, "file"."""
    family: str = ""
    """generated: name of the family of programs: "easy"; real: "train" or "held-out"."""
    seed: int = 0
    """generated: same family, seed and start = same programs."""
    start: int = 0
    """generated: number of the first program."""
    n: int = 0
    """generated: how many; 0 = the source's own end."""
    limit: int = 0
    """Stop after this many programs, whatever the source; 0 = all."""
    columns: dict[str, str] = field(default_factory=dict)
    """functions: role of a column of rows of code -> its name: {"code": "content"}."""
    licence: str = "unknown"
    """files: SPDX name to write into every program."""


def check_options(options: SourceOptions) -> SourceOptions:
    """The same options; UserError names a number that cannot be."""
    for name in ("start", "n", "limit"):
        value = getattr(options, name)
        if value < 0:
            raise UserError(f"--{name} is {value}; it counts programs and cannot be negative")
    return options


def key_values(values: list[str], flag: str) -> dict[str, str]:
    """{"seed": "1"} of ["seed=1"]. UserError names the flag and what is not of that form."""
    found = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UserError(f"{flag} '{value}': write it as key=value")
        found[key] = text
    return found
