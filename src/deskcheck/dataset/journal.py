"""Keep the calls that a build chose for each function, so that a resumed build tries none of them again.

    journal = Journal(folder)        the choices of earlier attempts: {key: Choice}
    with journal.writing():          once the folder is locked: new choices are written from now on
        journal[key] = Choice(...)

Trial runs take most of a build's time, and a run near its time limit may have another outcome next time. The
file `choices.jsonl` in the dataset's folder has a line for each function. It is not part of the dataset:
without this file, a resumed build tries every call again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from deskcheck.dataset.folder import decoded, lines_of
from deskcheck.format.files import storage_error
from deskcheck.tracers import Choice

CHOICES = "choices.jsonl"


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    choice: Choice


class Journal(dict[str, Choice]):
    """Choices of a build by function, also in a file of its folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._path = folder / CHOICES
        self._file: BinaryIO | None = None
        self._waiting: list[str] = []
        """Keys that were set before the folder was open."""
        self._n_bytes = 0
        """Size of the whole lines at the start of the file."""
        self._read()

    def _read(self) -> None:
        try:
            lines = self._path.read_bytes().split(b"\n")[:-1]
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            raise storage_error(self._path, error) from error
        for data in lines:
            try:
                line = decoded(data, _Line)
            except ValueError:
                return  # the lines from here on are written anew
            super().__setitem__(line.key, line.choice)
            self._n_bytes += len(data) + 1

    def __setitem__(self, key: str, choice: Choice) -> None:
        super().__setitem__(key, choice)
        self._waiting.append(key)
        self._write()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write the choices so far, and each further one at once. DataError if the disk refuses it."""
        self._file = self._opened()
        try:
            self._write()
            yield
        finally:
            with suppress(OSError):  # what a full disk refused was said before
                self._file.close()
            self._file = None

    def _opened(self) -> BinaryIO:
        """Open the file behind its last whole line."""
        try:
            self._path.touch()
            file = self._path.open("r+b")
            file.truncate(self._n_bytes)
            file.seek(self._n_bytes)
        except OSError as error:
            raise storage_error(self._path, error) from error
        return file

    def _write(self) -> None:
        if self._file is None:
            return
        data = lines_of(_Line(key, self[key]) for key in self._waiting)
        self._waiting.clear()
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise storage_error(self._path, error) from error
