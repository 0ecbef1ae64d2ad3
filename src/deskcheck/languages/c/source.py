"""Parse a C program: gcc preprocesses its text with our own headers, and pycparser makes the syntax tree.

    parse(source) -> the tree             Uncompiled(message, line) for a text that is no program

A program can call the library functions that `headers/` declares, and can include no other file. Attributes
and inline assembly are refused, so that no code of a program runs when it is loaded.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from deskcheck.errors import MissingExtra, UserError

HERE = Path(__file__).parent
HEADERS = HERE / "headers"
FILE = "program.c"
TIME_S = 30  # seconds for one run of the preprocessor or the compiler
_MOST_BYTES = 4 << 20  # size of a program's text after the preprocessor, headers included
_MARK = re.compile(r'^# (\d+) "([^"]*)"')
_REFUSED = {
    "__attribute__": "attributes",
    "__asm__": "inline assembly",
    "asm": "inline assembly",
    "__asm": "inline assembly",
    "goto": "goto",
    "_Atomic": "_Atomic",
    "_Complex": "complex numbers",
    "_Thread_local": "threads",
}
"""Words that a program may not have -> name of the construct, for the message."""


class Uncompiled(Exception):
    """Error of a text that does not compile, with its line; 0 = not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Refusal(Exception):
    """Refusal of a program with a construct that is not traced."""


def need_compiler() -> None:
    """Raise MissingExtra without pycparser, UserError without gcc."""
    if importlib.util.find_spec("pycparser") is None:
        raise MissingExtra("pycparser", "c", "C")
    if not shutil.which("gcc"):
        raise UserError(
            "C programs need gcc, and there is none on the PATH: install it (Debian: apt-get install gcc)"
        )


@cache
def version() -> str:
    """Return the version of the compiler: "gcc 12.2.0"."""
    run = subprocess.run(
        ["gcc", "-dumpfullversion"], capture_output=True, text=True, check=True, timeout=TIME_S
    )
    return f"gcc {run.stdout.strip()}"


@lru_cache(maxsize=256)
def preprocessed(source: str) -> str:
    """Return the text after the preprocessor, with marks of its lines.

    Uncompiled if gcc refuses the text, Refusal if it includes another file.
    """
    need_compiler()
    command = [
        "gcc",
        "-E",
        "-x",
        "c",
        "-std=gnu11",
        "-nostdinc",
        "-undef",
        "-fmax-include-depth=8",
        "-I",
        str(HEADERS),
        "-",
    ]
    try:
        run = subprocess.run(
            command, input=source.encode(), capture_output=True, check=False, timeout=TIME_S, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        raise Uncompiled("the preprocessor did not come to an end") from None
    errors = run.stderr.decode("utf-8", "replace")
    if run.returncode:
        raise uncompiled(errors, "<stdin>")
    text = run.stdout.decode("utf-8", "replace")
    lines = []
    for line in text.split("\n"):
        mark = _MARK.match(line)
        is_elsewhere = mark is not None and mark[2] not in ("<stdin>", "<built-in>", "<command-line>", "")
        if mark and is_elsewhere and Path(mark[2]).parent != HEADERS:
            raise Refusal(f"a program of several files: it includes {Path(mark[2]).name}")
        lines.append(line.replace('"<stdin>"', f'"{FILE}"') if mark else line)
    if len(text) > _MOST_BYTES:
        raise Uncompiled(f"its text has more than {_MOST_BYTES} bytes after the preprocessor")
    return "\n".join(lines)


def limit() -> None:
    """Bound memory (2 GiB), processor time and file size (64 MiB) of a compiler that is about to start."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (TIME_S, TIME_S))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))


def uncompiled(errors: str, file: str) -> Uncompiled:
    """Return the first error that the compiler wrote about a file."""
    errors = re.sub(r"dk_own_| \[-Werror=[\w-]+\]", "", errors)
    match = re.search(rf"^{re.escape(file)}:(\d+):(?:\d+:)? (?:fatal )?error: (.*)$", errors, re.MULTILINE)
    if match:
        return Uncompiled(match[2].strip(), int(match[1]))
    if match := re.search(r"^call:\d+:(?:\d+:)? (?:fatal )?error: (.*)$", errors, re.MULTILINE):
        return Uncompiled(f"its call: {match[1].strip()}")
    first = next((line for line in errors.split("\n") if "error" in line), "the compiler failed")
    return Uncompiled(first.strip()[-200:])


@lru_cache(maxsize=256)
def parse(source: str, more: str = "") -> Any:
    """Return the tree of a source, with `more` text after it.

    Uncompiled for a text that does not parse, Refusal for a construct that is not traced.
    """
    text = preprocessed(source)
    for number, line in numbered(text):
        for word in re.findall(r"[A-Za-z_]\w*", re.sub(r'"(?:[^"\\]|\\.)*"', '""', line)):
            if word in _REFUSED:
                raise Refusal(f"line {number}: {_REFUSED[word]}")
    from pycparser import c_parser

    try:
        return c_parser.CParser().parse(f'{text}\n# 1 "call"\n{more}' if more else text, FILE)
    except RecursionError:
        raise Uncompiled("nested too deeply") from None
    except c_parser.ParseError as error:
        match = re.match(r"(?:([^:]*):)?(\d+)(?::\d+)?:\s*(.*)", str(error))
        raise Uncompiled(
            f"syntax error: {match[3] if match else error}", int(match[2]) if match else 0
        ) from None


def numbered(text: str) -> list[tuple[int, str]]:
    """Return the lines of the program's own file with their numbers."""
    rows, number, is_own = [], 0, False
    for line in text.split("\n"):
        if mark := _MARK.match(line):
            number, is_own = int(mark[1]), mark[2] == FILE
            continue
        if is_own:
            rows.append((number, line))
        number += 1
    return rows
