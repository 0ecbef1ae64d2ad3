"""Find a plug-in by the name of its file, and list the known names when there is none.

    load("benchmark", "cruxeval") -> module deskcheck.benchmarks.cruxeval

The name on the command line is the file name in the folder, with "-" for "_". Third parties add the same
through an entry-point group named after the folder: `[project.entry-points."deskcheck.benchmarks"]`.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from deskcheck.errors import UnknownName

FOLDERS = {
    "benchmark": "benchmarks",
    "question": "questions",
    "strategy": "strategies",
    "representation": "representations",
    "program source": "programs",
    "model": "models",
    "importer": "importers",
    "tracer": "tracers",
}


@cache
def _points(folder: str) -> tuple[EntryPoint, ...]:
    # Reads the metadata of every installed distribution: 20 ms that no loop over programs should pay.
    return tuple(entry_points(group=f"deskcheck.{folder}"))


def names(kind: str) -> list[str]:
    """All names of one kind of plug-in, sorted; files that begin with "_" are not plug-ins."""
    folder = FOLDERS[kind]
    package = importlib.import_module(f"deskcheck.{folder}")
    own = [m.name.replace("_", "-") for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_"]
    return sorted({*own, *(p.name for p in _points(folder))})


def load(kind: str, name: str) -> ModuleType:
    """The module of one plug-in. UnknownName lists what there is."""
    folder = FOLDERS[kind]
    for point in _points(folder):
        if point.name == name:
            loaded: ModuleType = point.load()
            return loaded
    if name not in names(kind):
        raise UnknownName(kind, name, names(kind))
    return importlib.import_module(f"deskcheck.{folder}.{name.replace('-', '_')}")
