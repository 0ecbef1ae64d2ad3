"""Which files belong to an installed package or module, found without importing it.

    package_files("toolz") -> function: "/usr/../toolz/itertoolz.py" -> "toolz/itertoolz.py", None for others
    package_files("toolz.itertoolz")      one module of it

A package's own tests (folders called test or tests, files test_*.py and conftest.py) are not part of it:
they call it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder

from deskcheck.errors import UserError


def package_files(name: str) -> Callable[[str], str | None]:
    """A code's file name -> its path from the package's parent folder. UserError: no such package."""
    places = _places(name)
    parents = [(place, len(os.path.dirname(_top(place, name))) + 1) for place in places]
    known: dict[str, str | None] = {}

    def file_of(filename: str) -> str | None:
        if filename not in known:
            known[filename] = None
            full = os.path.abspath(filename) if filename[:1] != "<" else ""
            for place, skip in parents:
                if full == place or full.startswith(place + os.sep):
                    below = full[skip:].replace(os.sep, "/")
                    known[filename] = None if _is_test(below) else below
        return known[filename]

    return file_of


def _places(name: str) -> list[str]:
    """The package's folder or the module's file; both as it was found and with links followed."""
    path: list[str] | None = None
    spec = None
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:end]), path)
        if spec is None:
            break
        path = list(spec.submodule_search_locations or [])
    if spec is None:
        raise UserError(
            f"no package or module '{name}' can be found; it is looked for in: {', '.join(sys.path[:5])} .."
        )
    places = path or ([spec.origin] if spec.origin and spec.origin.endswith(".py") else [])
    if not places:
        raise UserError(f"'{name}' ({spec.origin}) is not written in Python: there is nothing to step into")
    return list(
        dict.fromkeys(
            found for place in places for found in (os.path.abspath(place), os.path.realpath(place))
        )
    )


def _top(place: str, name: str) -> str:
    """Path of the outermost package."""
    for _ in range(name.count(".")):
        place = os.path.dirname(place)
    return place


def _is_test(path: str) -> bool:
    folders, _, file = path.rpartition("/")
    return (
        file == "conftest.py" or file.startswith("test_") or bool({"test", "tests"} & set(folders.split("/")))
    )
