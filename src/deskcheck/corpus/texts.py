"""Python texts of a place: file, folder, commit, archive, rows of code, installed package, library.

    texts_of("src/")                          every *.py below it
    texts_of("project@1a2b3c4")               of a commit of the git repository in that folder
    texts_of("pkg-1.0.tar.gz")                of a source distribution, wheel or zip
    texts_of("code.jsonl.gz", columns={"code": "content"})      Parquet too
    texts_of("more-itertools"), texts_of("installed")   a package of this environment; all of them
    texts_of("python")                                  the standard library

Nothing is imported, unpacked to disk or run. A file over MOST_BYTES is left out and counted; an archive of
more than MOST_FILES files is refused.
"""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import distributions
from pathlib import Path

from msgspec import Struct

from deskcheck.corpus.library import Package, installed, standard_library
from deskcheck.data_files import read_rows
from deskcheck.errors import DataError, UserError
from deskcheck.records import Skipped

MOST_BYTES, MOST_FILES = 400_000, 20_000
ARCHIVES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar", ".zip", ".whl")
ROWS = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".parquet")
COLUMNS = {
    "code": ("code", "content", "source", "solution", "canonical_solution", "func"),
    "tests": ("tests", "test_list", "test", "assertions"),
    "license": ("license", "licence", "spdx"),
}
"""Role of a column -> names that are tried, in that order."""
PYTHON, INSTALLED = "python", "installed"


class Text(Struct, frozen=True):
    """One file, or one row of code."""

    place: str
    """Within what was named, never the path as typed: "pkg/a.py", "row 3"."""
    text: str
    licence: str = ""
    tests: str = ""
    """Asserts that stand beside the code."""


def texts_of(place: str, *, columns: Mapping[str, str] | None = None) -> Iterator[Text | Skipped]:
    """The texts of a place in a fixed order. UserError where there is none, DataError where it is broken."""
    path = Path(place)
    if path.is_file() and path.suffix == ".py":
        yield _decoded(path.name, path.read_bytes())
    elif path.is_file() and place.endswith(ROWS):
        yield from _of_rows(path, columns or {})
    elif path.is_file() and place.endswith(ARCHIVES):
        yield from _bounded(_of_archive(path), place)
    elif path.is_dir():
        if not any(path.rglob("*.py")):
            raise UserError(f"the folder {place} holds no *.py file")
        yield from _of_folder(path)
    elif path.is_file():
        raise UserError(
            f"the file {place} is none that functions are read from; read are .py, archives "
            f"({', '.join(ARCHIVES)}) and rows of code ({', '.join(ROWS)})"
        )
    elif "@" in place and Path(place.rpartition("@")[0]).is_dir():
        folder, _, commit = place.rpartition("@")
        yield from _bounded(_of_commit(Path(folder), commit), place)
    elif place == PYTHON:
        for one in standard_library():
            yield from _of_package(one)
    elif place == INSTALLED:
        for one in _all_installed():
            yield from _of_package(one)
    elif (found := installed(place) if "/" not in place else None) is not None:
        yield from _of_package(found)
    else:
        raise UserError(
            f"no file or folder at '{place}', and no installed package of that name; known too: "
            f"FOLDER@COMMIT, '{PYTHON}' (the standard library), '{INSTALLED}' (every package here)"
        )


def count_of(place: str) -> int:
    """How many texts a place has, where that is known without reading them; else 0."""
    path = Path(place)
    if path.is_file() and path.suffix == ".py":
        return 1
    if path.is_dir():
        return sum(1 for _ in _files_of(path))
    if place == PYTHON:
        return sum(len(one.paths) for one in standard_library())
    if place == INSTALLED:
        return sum(len(one.paths) for one in _all_installed())
    package = installed(place) if "/" not in place and not path.exists() else None
    return len(package.paths) if package else 0


def _all_installed() -> Iterator[Package]:
    for name in sorted({one.metadata["Name"] for one in distributions() if one.metadata["Name"]}):
        if (package := installed(name)) is not None:
            yield package


def _decoded(place: str, raw: bytes, licence: str = "") -> Text | Skipped:
    if len(raw) > MOST_BYTES:
        return Skipped(place, f"a file over {MOST_BYTES:,} bytes")
    try:
        return Text(place, raw.decode("utf-8-sig").replace("\r\n", "\n"), licence)
    except UnicodeDecodeError:
        return Skipped(place, "not UTF-8")


def _of_folder(root: Path) -> Iterator[Text | Skipped]:
    for file in _files_of(root):
        place = file.relative_to(root).as_posix()
        try:
            yield _decoded(place, file.read_bytes())
        except OSError as error:
            yield Skipped(place, f"cannot be read: {error.strerror}")


def _files_of(root: Path) -> Iterator[Path]:
    hidden = {".venv", ".git", "__pycache__", "node_modules", ".tox"}
    for file in sorted(root.rglob("*.py")):
        if file.is_file() and hidden.isdisjoint(file.relative_to(root).parts):
            yield file


def _of_package(package: Package) -> Iterator[Text | Skipped]:
    for path in package.paths:
        place = f"{package.name}:{path}"
        try:
            yield Text(place, package.text(path), package.licence)
        except (OSError, UnicodeDecodeError):
            yield Skipped(place, "not UTF-8")


def _bounded(files: Iterable[tuple[str, bytes]], place: str) -> Iterator[Text | Skipped]:
    """In the order of the names. DataError where there are too many to hold."""
    held: dict[str, bytes] = {}
    for name, raw in files:
        held[name] = raw
        if len(held) > MOST_FILES:
            raise DataError(f"{place}: over {MOST_FILES:,} Python files; unpack it and name a folder of it")
    for name in sorted(held):
        yield _decoded(name, held[name])


def _of_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        if path.suffix in (".zip", ".whl"):
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    if info.filename.endswith(".py"):
                        with archive.open(info) as file:  # a bounded read: sizes in headers can lie
                            yield info.filename, file.read(MOST_BYTES + 1)
        else:
            with tarfile.open(path) as tar:
                yield from _of_tar(tar)
    except (
        OSError,
        EOFError,
        zipfile.BadZipFile,
        tarfile.TarError,
        ValueError,
        NotImplementedError,
    ) as error:
        raise DataError(f"{path}: not an archive that can be read: {error}") from None


def _of_tar(tar: tarfile.TarFile) -> Iterator[tuple[str, bytes]]:
    for member in tar:
        if member.isfile() and member.name.endswith(".py"):
            file = tar.extractfile(member)
            if file is not None:
                # The first folder is name and version: the same code in another archive has the same place.
                yield member.name.partition("/")[2] or member.name, file.read(MOST_BYTES + 1)


def _of_commit(folder: Path, commit: str) -> Iterator[tuple[str, bytes]]:
    if commit.startswith("-"):
        raise UserError(f"'{commit}' is no commit")
    command = ["git", "-C", str(folder), "archive", "--format=tar", "--prefix=x/", commit]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError as error:
        raise UserError(f"{folder}@{commit} needs git, which cannot be run: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UserError(f"{folder}@{commit}: git says: {said[-1] if said else done.returncode}")
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as tar:
        yield from _of_tar(tar)


def _of_rows(path: Path, columns: Mapping[str, str]) -> Iterator[Text | Skipped]:
    unknown = sorted(set(columns) - set(COLUMNS))
    if unknown:
        raise UserError(f"--column {unknown[0]}=..: rows have {', '.join(COLUMNS)}")
    for number, row in read_rows(path):
        names = {role: columns.get(role) or _first(row, known) for role, known in COLUMNS.items()}
        code = row.get(names["code"])
        if number == 1 and names["code"] not in row:
            raise DataError(
                f"{path}, row 1: no column of code; it has {', '.join(sorted(row))}: --column code=NAME"
            )
        if not isinstance(code, str):
            yield Skipped(f"row {number}", "a row without code")
            continue
        tests = row.get(names["tests"], "")
        tests = "\n".join(map(str, tests)) if isinstance(tests, list) else str(tests or "")
        yield Text(f"row {number}", code.replace("\r\n", "\n"), str(row.get(names["license"]) or ""), tests)


def _first(row: Mapping[str, object], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in row), names[0])
