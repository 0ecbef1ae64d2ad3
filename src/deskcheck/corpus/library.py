"""Find the modules of the standard library and of installed packages, from which functions are cut out.

    standard_library() -> Package("python:textwrap", "3.11.7", "PSF-2.0", ..) ...      one for each module
    installed("more-itertools") -> Package(..), or None

Modules are read as text from disk and never imported. The side of a package, training or held-out, depends
only on a hash of its name, not on its version; half of all names are held out. Tests, vendored copies and
tables of data are left out.
"""

from __future__ import annotations

import hashlib
import platform
import re
import sysconfig
from collections.abc import Iterator
from importlib.metadata import PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path

from msgspec import Struct

TRAIN, HELD_OUT = "train", "held-out"
STANDARD = "python:"
# Folders and modules that are left out.
_LEFT_OUT = frozenset(
    """test tests testing idle_test idlelib site-packages dist-packages encodings pydoc_data lib2to3
    turtledemo __pycache__ _vendor vendored vendor __phello__ ensurepip config""".split()
)
_MOST_BYTES = 400_000  # files of this size or more are left out
# Searched in this order in the license text of a package's metadata.
_LICENSES = (
    ("Apache-2.0", ("apache",)), ("MIT", ("mit",)), ("BSD-3-Clause", ("bsd", "new bsd", "3-clause")),
    ("PSF-2.0", ("python software foundation", "psf")), ("ISC", ("isc",)), ("Unlicense", ("unlicense",)),
)  # fmt: skip
# Words in the name of a license that does not let functions be passed on freely.
_COPYLEFT = ("gpl", "mozilla", "mpl", "eupl")


class Package(Struct, frozen=True):
    """One installed package, or one top-level module of the standard library."""

    name: str
    """Name on the package index, or "python:" and a module: "more-itertools", "python:textwrap"."""
    version: str
    license: str
    """SPDX name or expression; "" if the license is unknown or does not let functions be passed on freely."""
    folder: str
    """Folder to which `paths` are relative."""
    paths: list[str]
    """Sorted paths of its modules: "textwrap.py", "more_itertools/recipes.py"."""

    def text(self, path: str) -> str:
        """Read the text of a module. OSError or UnicodeDecodeError if it cannot be read."""
        return (Path(self.folder) / path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def side_of(name: str) -> str:
    """Return the side of a package: "train" or "held-out"."""
    return HELD_OUT if hashlib.sha256(f"deskcheck real {name}".encode()).digest()[0] < 128 else TRAIN


def find_package(name: str) -> Package | None:
    """Find a package or a part of the standard library; None if it is not installed."""
    return _standard(name) if name.startswith(STANDARD) else installed(name)


def standard_library() -> Iterator[Package]:
    """Yield every top-level module or package of the standard library."""
    folder = Path(sysconfig.get_paths()["stdlib"])
    for entry in sorted(folder.iterdir()):
        if entry.suffix == ".py" or (entry / "__init__.py").is_file():
            package = _standard(f"{STANDARD}{entry.stem}")
            if package is not None and package.paths:
                yield package


def _standard(name: str) -> Package | None:
    folder, top = Path(sysconfig.get_paths()["stdlib"]), name.removeprefix(STANDARD)
    if not top.isidentifier() or top in _LEFT_OUT:
        return None
    files = (
        [folder / f"{top}.py"] if (folder / f"{top}.py").is_file() else sorted((folder / top).rglob("*.py"))
    )
    paths = _wanted(folder, [file.relative_to(folder).as_posix() for file in files])
    return Package(name, platform.python_version(), "PSF-2.0", str(folder), paths) if paths else None


def installed(name: str) -> Package | None:
    """Find an installed package by name; None if there is none."""
    try:
        found = distribution(name)
    except (PackageNotFoundError, ValueError):
        return None
    folder = Path(str(found.locate_file("")))
    paths = _wanted(folder, [file.as_posix() for file in found.files or [] if file.suffix == ".py"])
    license = license_of(found.metadata)
    return Package(re.sub(r"[-_.]+", "-", name).lower(), found.version, license, str(folder), paths)


def _wanted(folder: Path, paths: list[str]) -> list[str]:
    return [
        path
        for path in sorted(paths)
        if is_wanted(path) and (folder / path).is_file() and (folder / path).stat().st_size < _MOST_BYTES
    ]


def is_wanted(path: str) -> bool:
    """Whether a file of a package is used; tests, vendored copies and tables of data are not."""
    file = path.rpartition("/")[2]
    if file.startswith("test_") or file in ("conftest.py", "setup.py", "__main__.py") or ".." in path:
        return False
    return _LEFT_OUT.isdisjoint(path.split("/"))


def license_of(metadata: PackageMetadata) -> str:
    """Return the SPDX name of a package's license; "" if it is unknown or copyleft."""
    expression = _first_value(metadata, "License-Expression")
    classifiers = [one for one in metadata.get_all("Classifier") or [] if one.startswith("License ::")]
    words = (expression or " ".join(classifiers) or _first_value(metadata, "License")[:60]).lower()
    if any(word in words for word in _COPYLEFT):
        return ""
    return expression or next((name for name, signs in _LICENSES if any(sign in words for sign in signs)), "")


def _first_value(metadata: PackageMetadata, field: str) -> str:
    return str((metadata.get_all(field) or [""])[0])
