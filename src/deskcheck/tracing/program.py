"""Make a Program record: one execution that can be repeated, known by the digest of what determines it.

make_program("def f(n): ...", "f", "3", origin="files:a.py") -> Program
"""

from __future__ import annotations

import hashlib

from deskcheck.records import Program


def make_program(
    source: str,
    entry: str,
    arguments: str,
    *,
    origin: str,
    licence: str = "unknown",
    prelude: str = "",
    language: str = "python",
) -> Program:
    """A Program with its id."""
    return Program(
        id=program_id(source, entry, arguments, prelude=prelude, language=language),
        language=language,
        source=source,
        entry=entry,
        arguments=arguments,
        origin=origin,
        licence=licence,
        prelude=prelude,
    )


def program_id(
    source: str, entry: str, arguments: str, *, prelude: str = "", language: str = "python"
) -> str:
    """First 16 hex digits of sha256 over language, prelude, source, entry and arguments."""
    digest = hashlib.sha256()
    for part in (language, prelude, source, entry, arguments):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()[:16]
