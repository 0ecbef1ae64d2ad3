"""Rules for programs cut out of modules: names that they may use, and their maximum length.

Pinned functions (`PINNED`) use only modules in `ALLOWED`, whose functions have no state and no effects, and
give the same result on every run. Any code (`ANY_CODE`) runs in the sandbox, and is dropped if two runs
differ.

    check_imports(statement, PINNED)        raise Unfit if a program may not have this statement
    imports_of(statement, "dedent", PINNED) -> ["from textwrap import dedent"]
"""

from __future__ import annotations

import ast
import sys

from msgspec import Struct

from deskcheck.corpus.library_module import Unfit
from deskcheck.tracing.collect import PURE, WORDS

# `types` would let in functions that were not there when the pinned ones were chosen.
_NOT_PINNED = {"time", "random", "datetime", "types", "__future__"}
ALLOWED = (PURE - _NOT_PINNED) | {"html.entities", "binascii", "stringprep"}
FORBIDDEN = (WORDS - {"getattr", "register", "compile"}) | {
    "id", "hash", "input", "print", "help", "exit", "quit", "breakpoint", "__import__",
    "__name__", "__file__", "__package__", "__doc__", "__builtins__",
}  # fmt: skip
MOST_CHARS, MOST_LINES, MOST_PIECES = 4_000, 100, 12
"""Bounds on the program of a pinned function (`Rules`)."""


class Rules(Struct, frozen=True):
    """Names that a function may use, and bounds on the length of its program."""

    modules: frozenset[str] = ALLOWED
    """Modules whose names it may use, submodules included."""
    words: frozenset[str] = FORBIDDEN
    """Names that the cut program may not use."""
    chars: int = MOST_CHARS
    """Largest number of characters of the program."""
    lines: int = MOST_LINES
    """Largest number of lines of the program."""
    pieces: int = MOST_PIECES
    """Largest number of statements of its modules that the program may consist of, imports not counted."""
    whole: bool = False
    """Whether a program may have decorators, and names that are bound in branches or several times."""
    attributes: frozenset[str] = FORBIDDEN - {"help", "id", "exit", "open"}
    """Attributes that the program may not read."""


PINNED = Rules()
"""Rules of the functions in library_pins.json, whose programs may never change."""
# Modules of the standard library that act on the machine or on the interpreter.
_MACHINE = frozenset(
    """antigravity asyncio concurrent ctypes curses dbm faulthandler fcntl ftplib gc getpass
    idlelib imaplib lib2to3 mmap msvcrt multiprocessing nntplib ossaudiodev pdb poplib pty pwd
    readline resource secrets select selectors shelve signal smtplib socket socketserver spwd sqlite3
    ssl subprocess syslog telnetlib termios test this tkinter tracemalloc tty turtle
    turtledemo venv webbrowser winreg winsound wsgiref xmlrpc zoneinfo""".split()
)
ANY_CODE = Rules(
    modules=frozenset(sys.stdlib_module_names) - _MACHINE,
    words=frozenset(
        """open exec eval input breakpoint exit quit help id __import__ globals locals settrace
        setprofile modules stdin f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code
        cr_frame ag_frame _getframe __file__ __builtins__""".split()
    ),
    chars=40_000,
    lines=1_000,
    pieces=60,
    whole=True,
    attributes=frozenset(
        """__globals__ settrace setprofile f_back f_globals f_locals f_builtins f_code tb_frame tb_next
        gi_frame gi_code cr_frame ag_frame _getframe __builtins__""".split()
    ),
)
"""Rules of any code, which runs in the sandbox and is dropped if two runs differ."""


def too_long(rules: Rules) -> Unfit:
    """Make the reason for a program that exceeds the rules' length."""
    return Unfit(f"longer than {rules.lines} lines or {rules.chars:,} characters")


def check_imports(statement: ast.stmt, rules: Rules) -> None:
    """Raise Unfit if a statement imports a module or reads an attribute that the rules forbid."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Import):
            for alias in node.names:
                _allowed(alias.name, 0, rules)
        elif isinstance(node, ast.ImportFrom):
            _allowed(node.module or "", node.level, rules)
        elif isinstance(node, ast.Attribute) and node.attr in rules.attributes:
            raise Unfit("reads files, identities or the interpreter")


def imports_of(statement: ast.Import | ast.ImportFrom, name: str, rules: Rules) -> list[str]:
    """Write the imports that bind `name`; there are two for `os` in `import os, os.path`.

    Unfit if the rules forbid a module.
    """
    if isinstance(statement, ast.Import):
        found = [one for one in statement.names if (one.asname or one.name.split(".")[0]) == name]
        for one in found:
            _allowed(one.name, 0, rules)
        return [f"import {one.name}" + (f" as {one.asname}" if one.asname else "") for one in found]
    one = next(one for one in statement.names if (one.asname or one.name) == name)
    _allowed(statement.module or "", statement.level, rules)
    return [f"from {statement.module} import {one.name}" + (f" as {one.asname}" if one.asname else "")]


def _allowed(module: str, level: int, rules: Rules) -> None:
    if level:
        raise Unfit("needs another module of its package")
    if module not in rules.modules and module.partition(".")[0] not in rules.modules:
        raise Unfit("needs a module that acts on the machine, or a package")
