"""Contracts of the C headers: each function that is declared there says what it does and what it returns.

A caller in another layer reads the header alone. The comment above a declaration says what the function does,
who owns the references, and the value or exception of a failure.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "deskcheck"
LIBRARY = SOURCE / "languages" / "c" / "headers"
"""Headers that C programs find in place of the library's; the C standard says what they declare."""
HEADERS = [path for path in sorted(SOURCE.rglob("*.h")) if path.parent != LIBRARY]
NATIVE = SOURCE / "tracing" / "native"
OUTSIDE = (" ", "\t", "}", "#", "/", "*", "typedef", "enum", "struct {")
DECLARED = re.compile(r"^(?:extern )?(?:(?:const|unsigned|long|struct) )*\w+(?: long)?[ *]+(\w+)\(")
INLINE = re.compile(r"^(\w+)\(.*\)$")
"""The second line of a `static inline` function; its type stands on the first."""
FILE_ALONE = re.compile(r"^/\* (?:[\w.]+\.c[,:; ]*)+(?:[^.]*)\*/$")
"""A comment that only names the files of the functions below it."""


def functions(text: str) -> list[tuple[int, str, str]]:
    """Line number, name and declaration of every function that a header declares, inline ones included."""
    found: list[tuple[int, str, str]] = []
    lines, depth = text.split("\n"), 0
    for number, line in enumerate(lines):
        if depth == 0 and line and not line.startswith(OUTSIDE):
            if (match := DECLARED.match(line)) and not line.startswith(("static", "return")):
                found.append((number, match[1], line))
            elif (match := INLINE.match(line)) and number and lines[number - 1].startswith("static inline"):
                found.append((number - 1, match[1], lines[number - 1]))
        depth += line.count("{") - line.count("}")
    return found


def comment_above(lines: list[str], number: int) -> str:
    """The comment that ends on the line above, or stands behind the declaration; "" if there is none."""
    if "/*" in lines[number]:
        return lines[number][lines[number].index("/*") :]
    if number == 0 or not lines[number - 1].rstrip().endswith("*/"):
        return ""
    first = number - 1
    while "/*" not in lines[first]:
        first -= 1
    comment = " ".join(line.strip() for line in lines[first:number])
    return "" if FILE_ALONE.match(comment) else comment


def without_contract(text: str) -> list[str]:
    """Names of the functions that have no comment, or whose comment is too short to be a contract."""
    lines = text.split("\n")
    return [name for number, name, _ in functions(text) if len(comment_above(lines, number).split()) < 5]


@pytest.mark.parametrize("path", HEADERS, ids=lambda path: path.name)
def test_every_declared_function_has_a_contract(path: Path) -> None:
    assert without_contract(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", sorted(NATIVE.rglob("*.h")), ids=lambda path: path.name)
def test_every_declared_function_is_defined_in_the_same_layer(path: Path) -> None:
    code = "\n".join(part.read_text(encoding="utf-8") for part in path.parent.glob("*.c"))
    text = path.read_text(encoding="utf-8")
    absent = [
        name
        for _, name, line in functions(text)
        if not line.startswith("static inline") and not re.search(rf"^(?:[\w *]*\b)?{name}\(", code, re.M)
    ]
    assert absent == [], "declared here, and defined in no file of this folder"


@pytest.mark.parametrize(
    ("header", "faults"),
    [
        ("int size_of(Trace *t);\n", ["size_of"]),
        ("/* sizes.c */\nint size_of(Trace *t);\n", ["size_of"]),
        ("/* Number of rows; cannot fail. */\nint size_of(Trace *t);\n", []),
        ("int size_of(Trace *t); /* number of rows; cannot fail */\n", []),
        ("static inline int\nsize_of(Trace *t)\n{\n    return 1;\n}\n", ["size_of"]),
        ("enum { A = 1 };\ntypedef struct {\n    int (*died)(int);\n} Row;\n", []),
    ],
)
def test_a_declaration_without_a_contract_is_seen(header: str, faults: list[str]) -> None:
    assert without_contract(header) == faults


def test_the_headers_declare_what_they_did() -> None:
    counts = {path.name: len(functions(path.read_text(encoding="utf-8"))) for path in HEADERS}
    assert sum(counts.values()) > 250, counts
