"""Write files whole or not at all, so that they survive a kill and a power cut; identify files and commits.

with replacing(path) as file: file.write(data)      every output file is written here
sha256_of(path) -> "9f86d081.."
commit() -> "4ca4619f.. with changes"       the source tree that made a dataset, a run or a model
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from deskcheck.errors import DataError

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that appears under its name only when it is complete and on the disk.

    A link stays, and its target is written. What exists and is no regular file, such as a device or a pipe,
    is written directly, and so is a file of this process that is open, such as /dev/stdout. DataError if the
    disk refuses it.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    temporary = os.path.join(folder, f".{name}.tmp-{os.getpid()}")
    try:
        number = _descriptor(path)
        if number is not None or (path.exists() and not path.is_file()):
            with open(path if number is None else os.dup(number), "wb") as file:
                yield file
            return
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
        sync_folder(folder)
    except OSError as error:
        raise storage_error(path, error) from error
    finally:
        with suppress(OSError):
            os.unlink(temporary)


def _descriptor(path: Path) -> int | None:
    """Return the number of the open file of this process that a name such as /dev/stdout stands for."""
    name = os.path.abspath(path)
    while os.path.realpath(os.path.dirname(name)) != os.path.realpath("/proc/self/fd"):
        if not os.path.islink(name):
            return None
        name = os.path.join(os.path.dirname(name), os.readlink(name))
    return int(os.path.basename(name)) if os.path.lexists(name) else None


def storage_error(path: Path, error: OSError) -> DataError:
    """Make the DataError for a write that the disk refused; the message says what to do."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return DataError(
            f"the disk is full: {path} could not be written; free some space and run the same command "
            "again, what was finished is kept"
        )
    return DataError(f"{path} could not be written: {error.strerror or error}; name another place")


def sync_folder(folder: Path | str) -> None:
    """Make a rename in this folder survive a power cut."""
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sha256_of(path: Path) -> str:
    """Return the sha256 of the file's bytes, in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


UNKNOWN = "unknown"


def commit() -> str:
    """Return the commit of this package's source tree, marked "with changes" if the package differs from it.

    "unknown" for an installed wheel, and without git. Only changes of the package itself count.
    """
    import subprocess  # only here: a process that runs programs loads as little as it can

    folder = os.path.dirname(os.path.dirname(__file__))

    def git(*words: str) -> str:
        command = ["git", "-C", folder, *words, "--", folder]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    try:
        found = git("log", "-1", "--format=%H")
        changed = bool(found and git("status", "--porcelain"))
    except OSError:
        return UNKNOWN
    return f"{found} with changes" if changed else found or UNKNOWN
