"""Load plug-ins (benchmarks, layouts, strategies, ..) by name, and check the options of program sources.

    load("benchmark", "cruxeval") -> module deskcheck.benchmarks.cruxeval
    SourceOptions(source="generated", family="easy", seed=1, n=1000)
    SourceOptions(source="files", path="examples/easy.py", calls=["f(3, [5])"])

The name on the command line is the file name in the folder, with "-" for "_". Third parties add a plug-in by
an entry point, in a group named after the folder: `[project.entry-points."deskcheck.benchmarks"]`. A source
of programs names the fields that it reads; all of `SourceOptions` is stored with the dataset.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from msgspec import Struct, field, structs

from deskcheck.errors import UnknownName, UserError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

FOLDERS = {
    "benchmark": "benchmarks",
    "question": "questions",
    "strategy": "strategies",
    "layout": "layouts",
    "program source": "programs",
    "model": "models",
    "importer": "importers",
    "tracer": "tracers",
    "summary": "summaries",
    "language": "languages",
}


@cache
def _are_declared() -> bool:
    """Whether an installed distribution may declare a plug-in of ours.

    The files are read here, because `importlib.metadata` loads fifty modules. A worker compares all its
    loaded modules after each program, so each module costs time there.
    """
    for folder in sys.path:
        try:
            names_there = os.listdir(folder or ".")
        except NotADirectoryError:
            return True  # an archive on sys.path, which cannot be listed here
        except OSError:
            continue
        for name in names_there:
            if name.endswith(".egg"):
                return True
            if name.endswith((".dist-info", ".egg-info")):
                try:
                    with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                        text = file.read()
                except OSError:
                    continue
                if b"[deskcheck." in text:
                    return True
    return False


@cache
def _points(folder: str) -> tuple[EntryPoint, ...]:
    """The entry points of other distributions for one folder of plug-ins."""
    # Cached: reading the metadata of every installed distribution takes 20 ms, too long to repeat for each
    # program.
    if not _are_declared():
        return ()
    from importlib.metadata import entry_points

    return tuple(entry_points(group=f"deskcheck.{folder}"))


@cache
def _shipped(paths: tuple[str, ...]) -> tuple[str, ...]:
    # Cached: listing folders three times per sample would take a twentieth of an evaluation's processor time.
    from pkgutil import iter_modules

    found = iter_modules(paths)
    return tuple(one.name.replace("_", "-") for one in found if one.name[0] != "_")


def names(kind: str) -> list[str]:
    """List the names of one kind of plug-in, sorted; files that begin with "_" are not plug-ins."""
    folder = FOLDERS[kind]
    package = importlib.import_module(f"deskcheck.{folder}")
    return sorted({*_shipped(tuple(package.__path__)), *(point.name for point in _points(folder))})


def listed(kind: str) -> list[str]:
    """List the names that help and messages show: all but plug-ins whose file says `EXPERIMENTAL = True`."""
    return [name for name in names(kind) if not getattr(load(kind, name), "EXPERIMENTAL", False)]


def load(kind: str, name: str) -> ModuleType:
    """Load the module of one plug-in; UnknownName, with the known names, if there is none.

    `kind`: a key of FOLDERS. An entry point comes before a file of the same name.
    """
    folder = FOLDERS[kind]
    for point in _points(folder):
        if point.name == name:
            loaded: ModuleType = point.load()
            return loaded
    if name not in names(kind):
        raise unknown(kind, name)
    return importlib.import_module(f"deskcheck.{folder}.{name.replace('-', '_')}")


def unknown(kind: str, name: str) -> UnknownName:
    """Return the error for a name that no plug-in of a kind has, with a hint at the one that may be meant.

    The hint is a kind that has the name, or a plug-in whose file begins with these words: `chain-of-thought`
    leads to `cot`, whose first line is "cot: chain of thought; ..".
    """
    known = listed(kind)
    if other := next((other for other in FOLDERS if name in names(other)), ""):
        return UnknownName(kind, name, known, hint=f"'{name}' is the name of a {other}")
    words = re.compile(rf"\b{re.escape(re.sub('[-_]', ' ', name))}\b", re.IGNORECASE)
    meant = [one for one in known if words.search(str(load(kind, one).__doc__).partition("\n")[0])]
    return UnknownName(kind, name, known, hint=f"did you mean '{meant[0]}'?" if name and meant else "")


class SourceOptions(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options that decide which programs a source yields."""

    source: str
    """Name of the source: "files", "functions", "generated", "real", "written"."""
    path: str = ""
    """files: a file or a folder; functions: packages, a file, a folder or rows of code; real: one package."""
    calls: list[str] = field(default_factory=list)
    """files: calls in the spelling of the language: "f(3)"; empty = the calls that the files name."""
    calls_file: str = ""
    """files: JSON lines with "call" and, for a folder, "file"."""
    family: str = ""
    """generated: name of the family of programs: "easy"; real: "train" or "held-out"."""
    seed: int = 0
    """generated: same family, seed and start = same programs."""
    start: int = 0
    """generated: number of the first program."""
    n: int = 0
    """generated: number of programs; 0 = all that the source has."""
    calls_each: int | None = None
    """Calls of each program; None = generated: 1, functions: up to 6. `n` and `start` count programs."""
    limit: int = 0
    """Stop after this many programs, whatever the source; 0 = all."""
    columns: dict[str, str] = field(default_factory=dict)
    """functions: role of a column -> its name in the rows of code: {"code": "content"}."""
    inputs: list[str] = field(default_factory=list)
    """functions: origins of further inputs: "hypothesis", or a model as Inspect names it."""
    license: str = field(default="unknown", name="licence")  # the name in stored files
    """files: SPDX name to store with every program; functions: the same where the code names none."""


TYPED = {
    "path": "PATH",
    "calls": "--call",
    "calls_file": "--call FILE.jsonl",
    "columns": "--column",
    "calls_each": "--calls-each",
}
"""Name on the command line of each option whose field has another name."""


def check_options(options: SourceOptions, takes: Sequence[str] = ()) -> SourceOptions:
    """Return the options; UserError names an impossible number, or an option that the source does not read.

    `takes`: names of the options that the source reads besides `limit`; empty = not known.
    """
    unread = [
        TYPED.get(name, f"--{name}")
        for name in SourceOptions.__struct_fields__
        if takes and name not in ("source", "limit", *takes) and getattr(options, name) != _UNTYPED[name]
    ]
    if unread:
        read = ", ".join(TYPED.get(name, f"--{name}") for name in takes)
        raise UserError(f"{options.source} takes no {' or '.join(unread)}; it reads {read}")
    for name in ("start", "n", "limit"):
        value = getattr(options, name)
        if value < 0:
            raise UserError(f"--{name} is {value}; it counts programs and cannot be negative")
    if options.calls_each is not None and options.calls_each < 1:
        raise UserError(f"--calls-each is {options.calls_each}; every program is called at least once")
    return options


_UNTYPED = structs.asdict(SourceOptions(source=""))
"""Default value of every option."""


def key_values(values: list[str], flag: str) -> dict[str, str]:
    """Turn ["seed=1"] into {"seed": "1"}.

    UserError, with the flag's name, for a text of another form, and for a key that is there twice.
    """
    pairs: dict[str, str] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UserError(f"{flag} '{value}': write it as key=value")
        if key in pairs:
            raise UserError(
                f"{flag} {key} is given twice, as '{pairs[key]}' and as '{text}'; only one counts: leave the "
                "other out"
            )
        pairs[key] = text
    return pairs
