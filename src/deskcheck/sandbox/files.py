"""Files that a job finds in its working folder: written by the zygote before it forks the child.

    pack_files({"data/a.csv": b"..."}, fd)        in the supervisor, to a file without a name
    place_files(fd, folder)                       in the zygote, in an empty folder of its own

Names are relative and lie below the folder. No link is followed and nothing is written over.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

import msgspec

from deskcheck.errors import UserError


def check_names(files: Iterable[str]) -> None:
    """UserError for a name that is not below the folder."""
    for name in files:
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/") or "\0" in name:
            raise UserError(f"a program's file must lie in its folder: '{name}' does not")


def pack_files(files: Mapping[str, bytes], fd: int) -> None:
    """Write names and contents to the descriptor."""
    rest = memoryview(msgspec.msgpack.encode(dict(files)))
    while rest:
        rest = rest[os.write(fd, rest) :]


def place_files(fd: int, folder: str) -> None:
    """Make the files. OSError where they cannot be made."""
    with open(os.dup(fd), "rb") as source:
        source.seek(0)
        files = msgspec.msgpack.decode(source.read(), type=dict[str, bytes])
    for name, contents in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        made = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o644)
        with open(made, "wb") as target:
            target.write(contents)
