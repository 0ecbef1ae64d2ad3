"""What a program of several files needs beside its source, and where it stands in a Program.

    Bundle(path="tool/run.py", name="tool.run", files={"tool/text.py": "..."}, stdin="", no_step_in=["log"])
    prelude_of(bundle) -> "__deskcheck__ = {...}"       goes into Program.prelude: part of the identity
    bundle_of(program) -> Bundle | None              None for a program of one file

A Program is one execution that can be repeated; its `source` is the file that is called or run (number 0 in
the trace's codes). A script is a call of `__main__` with the words of its command line as arguments.
Why a prelude: docs/decisions/007-programs-of-several-files.md.
"""

from __future__ import annotations

import ast
import pprint

import msgspec
from msgspec import Struct

from deskcheck.errors import BadSource
from deskcheck.records import Program

SCRIPT = "__main__"
"""Entry of a program that is run as a script."""
_HEAD = "__deskcheck__ = "


class Bundle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The other files of a program, and how it is run."""

    path: str
    """Path of the program's source in its folder: what tracebacks show."""
    name: str
    """Name that imports know its module by: "tool.run"; a script's is `__main__` whatever this says."""
    files: dict[str, str] = {}
    """Path in the folder -> source, for the other files of the program's own."""
    data: dict[str, bytes] = {}
    """Path -> contents of files that lie in the folder in which the program runs."""
    stdin: str = ""
    """What it can read from its standard input."""
    step_in: list[str] = []
    """Functions, classes or modules: only their code is stepped into; empty = all."""
    no_step_in: list[str] = []
    """Functions, classes or modules that are not stepped into."""


def prelude_of(bundle: Bundle) -> str:
    """The bundle as an assignment of a literal."""
    return f"{_HEAD}{pprint.pformat(msgspec.to_builtins(bundle, builtin_types=(bytes,)), width=110)}\n"


def bundle_of(program: Program) -> Bundle | None:
    """The bundle in a program's prelude. BadSource where it is not one of ours."""
    if not program.prelude.startswith(_HEAD):
        return None
    try:
        found = ast.literal_eval(program.prelude[len(_HEAD) :].strip())
        return msgspec.convert(found, Bundle)
    except (ValueError, SyntaxError, RecursionError, MemoryError, msgspec.ValidationError) as error:
        raise BadSource(f"program {program.id}: its bundle of files does not parse: {error}") from None


def is_script(program: Program) -> bool:
    """Whether the program is a file that runs, not a function that is called."""
    return program.entry == SCRIPT


def arguments_of(program: Program) -> list[str]:
    """Command line of a script."""
    if not program.arguments.strip():
        return []
    return [str(value) for value in ast.literal_eval(f"[{program.arguments}]")]
