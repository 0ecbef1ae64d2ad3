"""Translate generated Python programs into C, so that the same program exists twice.

in_c(program) -> Program(language="c", ..)      the same call of the same function
"""

from __future__ import annotations

import ast

from deskcheck.corpus.twins.c_expressions import HELPERS, name_of
from deskcheck.corpus.twins.c_statements import Function
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

_HEADERS = {
    "labs": "stdlib.h", "snprintf": "stdio.h", "strlen": "string.h", "strcmp": "string.h", "NULL": "stddef.h",
    "strcat": "string.h", "strchr": "string.h", "strspn": "string.h", "strcpy": "string.h",
}  # fmt: skip
"""Function of the library -> the header that declares it."""


def in_c(program: Program) -> Program:
    """Return the twin of a generated program. Untranslated if these rules cannot write the program in C."""
    values = ast.literal_eval(f"({program.arguments},)")
    helpers: set[str] = set()
    structs: list[str] = []
    lines: list[str] = []
    arguments: list[str] = []
    for node in ast.parse(program.source).body:
        assert isinstance(node, ast.FunctionDef)
        is_entry = node.name == program.entry
        writer = Function(node, list(values) if is_entry else [0], helpers, structs)
        lines += [*writer.lines, ""]
        arguments = writer.arguments if is_entry else arguments
    text = "\n".join([*structs, *(line for name in sorted(helpers) for line in (*HELPERS[name], "")), *lines])
    headers = sorted(
        {
            header
            for word, header in _HEADERS.items()
            if f"{word}(" in text or (word == "NULL" and word in text)
        }
    )
    head = "".join(f"#include <{header}>\n" for header in headers)
    return make_program(
        f"{head}\n{text}" if head else text,
        name_of(program.entry),
        ", ".join(arguments),
        origin=f"{program.origin}:c",
        license=program.license,
        language="c",
    )
