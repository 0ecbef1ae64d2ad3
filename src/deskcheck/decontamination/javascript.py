"""Decide whether a program in JavaScript or TypeScript has the form of a benchmark's: it is no training data.

    copy_of(program) -> Match("cruxeval-x", "js-12", 1.0, True, "f", 1) or None

Two functions have one form if they differ in names of variables, types, brackets and layout alone. It is
looked for in every function at the top of a file and in methods. Unlike in Python, near copies are not found,
nor a translation of a program in another language. `javascript.msgpack` holds hashes of the programs of
CRUXEval-X (js, ts) and of the twins of `core` and `easy`.
`python measurements/fingerprints_javascript.py --write` makes it.
"""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from deskcheck.decontamination.canonical import Match
from deskcheck.errors import BadSource
from deskcheck.languages.javascript.reading import tables
from deskcheck.records import Program

LANGUAGES = frozenset({"javascript", "typescript"})
FILE = "javascript.msgpack"
LEAST_NODES = 8
"""Nodes of a function; a smaller one (`return false`) is no benchmark's."""


@lru_cache(maxsize=512)
def forms_of(source: str, language: str) -> tuple[tuple[str, int, int], ...]:
    """Return name, line and hash of the form of each function. BadSource if the source does not parse."""
    return tuple(
        (name, line, number_of(form))
        for name, line, n_nodes, form in tables(source, language)["forms"]
        if n_nodes >= LEAST_NODES
    )


def number_of(form: str) -> int:
    """Return the first 8 bytes of the SHA-256 of a form, as a whole number."""
    return int.from_bytes(hashlib.sha256(form.encode("utf-8", "surrogatepass")).digest()[:8], "big")


@cache
def known() -> dict[int, tuple[str, str]]:
    """Return hash -> (benchmark, id) of every program that is kept out."""
    text = (files(__package__) / FILE).read_bytes()
    rows = msgspec.msgpack.decode(text, type=dict[str, dict[str, int]])
    return {number: (name, id) for name, programs in rows.items() for id, number in programs.items()}


def copy_of(program: Program) -> Match | None:
    """Return the benchmark's program with the form of one of these functions. SyntaxError: does not parse."""
    try:
        forms = forms_of(program.source, program.language)
    except BadSource as error:
        raise SyntaxError(str(error)) from None
    for name, line, number in forms:
        if number in known():
            benchmark, id = known()[number]
            return Match(benchmark, id, 1.0, True, name, line)
    return None
