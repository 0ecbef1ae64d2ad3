"""Read the Python texts of a place: file, folder, commit, archive, rows of code, package, standard library.

    texts_of("src/")                          every *.py below it
    texts_of("project@1a2b3c4")               a commit of the git repository in that folder
    texts_of("https://host/p.git@1a2b3c4")    a commit of the git repository at that address
    texts_of("pypi:toolz==1.0.0")             a release of a package, from the index that pip uses
    texts_of("pkg-1.0.tar.gz")                a source distribution or zip
    texts_of("pkg-1.0-py3-none-any.whl")      a wheel, like an installed package: without tests, with license
    texts_of("code.jsonl.gz", columns={"code": "content"})      rows of code; Parquet too
    texts_of("more-itertools"), texts_of("installed")   an installed package; all installed packages
    texts_of("python")                                  the standard library

Nothing is imported, unpacked to disk, built or run. For a release, the pure-Python wheel is read. A file over
MOST_BYTES is left out and counted. An archive with more than MOST_FILES files, or with more than
MOST_UNPACKED bytes after decompression, is refused.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from email import message_from_string
from importlib.metadata import distributions
from pathlib import Path
from typing import IO

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.corpus.library import Package, installed, is_wanted, license_of, standard_library
from deskcheck.data_files import read_rows
from deskcheck.errors import DataError, Unobtainable, UserError
from deskcheck.records import Skipped

MOST_BYTES, MOST_FILES, MOST_UNPACKED = 400_000, 20_000, 2 << 30
"""Bytes of one file; Python files of an archive; bytes of an archive after decompression."""
FETCH_S = 300
"""Seconds after which git or pip is stopped."""
_ADDRESS = re.compile(r"(?:https?|ssh|git|file)://\S+@[0-9a-zA-Z][\w./-]*\Z")
_RELEASE = re.compile(r"pypi:([A-Za-z0-9][\w.-]*)==([0-9][\w.+!-]*)\Z")
WHEEL = ".whl"
ARCHIVES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar", ".zip", WHEEL)
ROWS = (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".parquet")
COLUMNS = {
    "code": ("code", "content", "source", "solution", "canonical_solution", "func"),
    "tests": ("tests", "test_list", "test", "assertions"),
    "license": ("license", "licence", "spdx"),
}
"""Role of a column -> names to look for, in order."""
PYTHON, INSTALLED = "python", "installed"


class Text(Struct, frozen=True):
    """The text of one file, or of one row of code."""

    place: str
    """Position relative to the given place: "pkg/a.py", "row 3"."""
    text: str
    license: str = ""
    tests: str = ""
    """Asserts from the same row as the code."""
    path: str = ""
    """Path of the file for `read`; "" = the text has no other files."""
    read: Callable[[str], str | None] | None = None
    """Reader of other files of the same package, folder or archive: path -> text, None if there is none."""


def texts_of(place: str, *, columns: Mapping[str, str] | None = None) -> Iterator[Text | Skipped]:
    """Yield the texts of a place in a fixed order; Skipped stands for a text that cannot be read.

    UserError for an unknown place, DataError for a damaged or too large archive, Unobtainable if git or pip
    cannot fetch it. `columns`: role in COLUMNS -> name of the column in rows of code.
    """
    path = Path(place)
    if path.is_file() and path.suffix == ".py":
        yield _decoded(path.name, path.read_bytes())
    elif path.is_file() and place.endswith(ROWS):
        yield from _of_rows(path, columns or {})
    elif path.is_file() and path.suffix == WHEEL:
        yield from _of_wheel(path, place)
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
    elif _ADDRESS.match(place):
        address, _, commit = place.rpartition("@")
        yield from _fetched(address, commit, place)
    elif place.startswith("pypi:"):
        yield from _released(place)
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
            f"FOLDER@COMMIT, ADDRESS@COMMIT, pypi:NAME==VERSION, '{PYTHON}' (the standard library), "
            f"'{INSTALLED}' (every package here)"
        )


def count_of(place: str) -> int:
    """Return the number of texts of a place if it is known without reading them, else 0."""
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


def _decoded(place: str, raw: bytes, read: Callable[[str], str | None] | None = None) -> Text | Skipped:
    if len(raw) > MOST_BYTES:
        return Skipped(place, f"a file over {MOST_BYTES:,} bytes")
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return Skipped(place, "not UTF-8")
    return Text(place, text, path=place if read else "", read=read)


def _text_of(raw: bytes) -> str | None:
    one = _decoded("", raw)
    return one.text if isinstance(one, Text) else None


def _of_folder(root: Path) -> Iterator[Text | Skipped]:
    def read(path: str) -> str | None:
        file = root / path
        inside = file.is_file() and file.resolve().is_relative_to(root.resolve())
        return _text_of(file.read_bytes()) if inside and file.stat().st_size <= MOST_BYTES else None

    for file in _files_of(root):
        place = file.relative_to(root).as_posix()
        try:
            yield _decoded(place, file.read_bytes(), read)
        except OSError as error:
            yield Skipped(place, f"cannot be read: {error.strerror}")


def _files_of(root: Path) -> Iterator[Path]:
    hidden = {".venv", ".git", "__pycache__", "node_modules", ".tox"}
    for file in sorted(root.rglob("*.py")):
        if file.is_file() and hidden.isdisjoint(file.relative_to(root).parts):
            yield file


def _of_package(package: Package) -> Iterator[Text | Skipped]:
    known = frozenset(package.paths)

    def read(path: str) -> str | None:
        return package.text(path) if path in known else None

    for path in package.paths:
        place = f"{package.name}:{path}"
        try:
            yield Text(place, package.text(path), package.license, path=path, read=read)
        except OSError as error:
            yield Skipped(place, f"cannot be read: {error.strerror or error}")
        except UnicodeDecodeError:
            yield Skipped(place, "not UTF-8")


def _bounded(files: Iterable[tuple[str, bytes]], place: str) -> Iterator[Text | Skipped]:
    """Yield the files by name. DataError if there are too many to keep in memory."""
    held: dict[str, bytes] = {}
    size = 0
    for name, raw in files:
        size += len(raw) - len(held.get(name, b""))
        held[name] = raw
        if len(held) > MOST_FILES or size > MOST_UNPACKED:
            raise DataError(
                f"{place}: over {MOST_FILES:,} Python files or {MOST_UNPACKED >> 20:,} MiB of them; unpack "
                "it and name a folder of it"
            )

    def read(path: str) -> str | None:
        return _text_of(held[path]) if path in held else None

    for name in sorted(held):
        yield _decoded(name, held[name], read)


def _of_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        if path.suffix in (".zip", ".whl"):
            with zipfile.ZipFile(path) as archive:
                for info in archive.infolist():
                    if info.filename.endswith(".py"):
                        with archive.open(info) as file:  # bounded: a header may lie
                            yield info.filename, file.read(MOST_BYTES + 1)
        else:
            with open(path, "rb") as file:
                yield from _of_tar(_decompressed(file, path.name), str(path))
    except (
        OSError,
        EOFError,
        zipfile.BadZipFile,
        tarfile.TarError,
        ValueError,
        NotImplementedError,
        lzma.LZMAError,
        zlib.error,
    ) as error:
        raise DataError(f"{path}: not an archive that can be read: {error}") from None


class _Bounded:
    """Stream that raises DataError after MOST_UNPACKED bytes; a small archive may contain huge files."""

    def __init__(self, file: IO[bytes], place: str) -> None:
        self._file, self._place, self._left = file, place, MOST_UNPACKED

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(min(size, 1 << 20) if size >= 0 else 1 << 20)
        self._left -= len(found)
        if self._left < 0:
            raise DataError(
                f"{self._place}: more than {MOST_UNPACKED >> 20:,} MiB once decompressed; unpack it and "
                "name a folder of it"
            )
        return found


def _decompressed(file: IO[bytes], name: str) -> IO[bytes]:
    if name.endswith((".gz", ".tgz")):
        return gzip.open(file)  # type: ignore[return-value]  # a stream of bytes
    if name.endswith(".bz2"):
        return bz2.open(file)
    return lzma.open(file) if name.endswith(".xz") else file


def _of_tar(file: IO[bytes], place: str) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=_Bounded(file, place), mode="r|") as tar:  # type: ignore[call-overload]  # has read
        for member in tar:
            if member.isfile() and member.name.endswith(".py"):
                inner = tar.extractfile(member)
                if inner is not None:
                    # The first folder is name and version. Without it, equal code has equal places.
                    yield member.name.partition("/")[2] or member.name, inner.read(MOST_BYTES + 1)


def _of_commit(folder: Path, commit: str, place: str = "") -> Iterator[tuple[str, bytes]]:
    if commit.startswith("-"):
        raise UserError(f"'{commit}' is no commit")
    done = _ran(
        ["git", "-C", str(folder), "archive", "--format=tar", "--prefix=x/", commit],
        place or f"{folder}@{commit}",
    )
    yield from _of_tar(io.BytesIO(done), place or f"{folder}@{commit}")


def _fetched(address: str, commit: str, place: str) -> Iterator[Text | Skipped]:
    """Read a commit of a remote repository, fetched without its history into a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="deskcheck-git-") as folder:
        _ran(["git", "init", "-q", "--bare", folder], place)
        _ran(["git", "-C", folder, "fetch", "-q", "--depth", "1", "--no-tags", address, commit], place)
        yield from _bounded(_of_commit(Path(folder), "FETCH_HEAD", place), place)


def _released(place: str) -> Iterator[Text | Skipped]:
    """Read the pure-Python wheel of a release, so that nothing is built or run."""
    found = _RELEASE.match(place)
    if found is None:
        raise UserError(f"'{place}': write a package with its version: pypi:toolz==1.0.0")
    name, version = found.groups()
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps"]
    command += ["--only-binary", ":all:", "--platform", "any", "--abi", "none", "--implementation", "py"]
    with tempfile.TemporaryDirectory(prefix="deskcheck-pip-") as folder:
        _ran([*command, "-d", folder, f"{name}=={version}"], place)
        for wheel in sorted(Path(folder).glob("*.whl")):
            yield from _of_wheel(wheel, place)


def _of_wheel(path: Path, place: str) -> Iterator[Text | Skipped]:
    """Read the files of a wheel; their places are "name-version:path"."""
    own = "-".join(path.name.split("-")[:2])
    license = _license_in(path)
    files = ((name, raw) for name, raw in _of_archive(path) if is_wanted(name))
    for text in _bounded(files, place):
        if isinstance(text, Text):
            yield replace(text, place=f"{own}:{text.place}", license=license)
        else:
            yield Skipped(f"{own}:{text.id}", text.reason)


def _license_in(wheel: Path) -> str:
    try:
        with zipfile.ZipFile(wheel) as archive:
            names = [one for one in archive.namelist() if one.endswith(".dist-info/METADATA")]
            with archive.open(names[0]) as file:
                found = message_from_string(file.read(MOST_BYTES).decode("utf-8", "replace"))
    except (OSError, IndexError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        return ""  # reading the files reports what is wrong with the archive
    return license_of(found)  # type: ignore[arg-type]  # a message, as importlib.metadata gives it


def _ran(command: list[str], place: str) -> bytes:
    """Run a command without prompts; return its output. Unobtainable, with its last line, if it fails."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
             "PIP_NO_INPUT": "1"}  # fmt: skip
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, timeout=FETCH_S, env=os.environ | quiet
        )
    except OSError as error:
        raise Unobtainable(f"{place} needs {command[0]}, which cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise Unobtainable(f"{place}: {command[0]} gave no answer in {FETCH_S} s") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        tool = "pip" if "pip" in command else command[0]
        raise Unobtainable(f"{place}: {tool} says: {said[-1] if said else done.returncode}")
    return done.stdout


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
