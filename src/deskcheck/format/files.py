"""Write files whole or not at all, so that they survive a kill and a power cut; digests of files."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from deskcheck.errors import DataError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only once it is complete and on the disk, else DataError."""
    temporary = path.with_name(f".{path.name}.tmp-{os.getpid()}")
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
        sync_folder(path.parent)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        temporary.unlink(missing_ok=True)


def storage_error(path: Path, error: OSError) -> DataError:
    """What to tell people when the disk does not take a write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DataError(
            f"the disk is full: {path} could not be written; free some space and run the same command "
            "again, what was finished is kept"
        )
    return DataError(f"{path} could not be written: {error.strerror or error}")


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sha256_of(path: Path) -> str:
    """Of the file's bytes, in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
