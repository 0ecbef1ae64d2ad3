"""Read files of a public repository at a pinned commit, from a URL or a local git directory alike.

    with opened(Repository("https://..", "d00b99c.."), "https://.. or a path") as tree:
        tree.paths(r"results/.*\\.txt")     the paths that match, in order
        tree.read("README.md")             bytes; None if the file is not in this copy

A local directory is read where it lies, with or without a work tree. A URL is cloned without a work tree,
into a folder that is removed afterwards. In both cases only the pinned commit is read.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import UserError


class Repository(Struct, frozen=True):
    """A public repository and the commit that is read."""

    url: str
    commit: str


def git(directory: Path, *arguments: str) -> bytes:
    """Return the output of a git command. UserError quotes git if the command fails."""
    done = subprocess.run(["git", "-C", str(directory), *arguments], capture_output=True)
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip()
        raise UserError(f"git {arguments[0]} in {directory}: {reason}")
    return done.stdout


class Tree:
    """Files of one commit, read by one process of git."""

    def __init__(self, directory: Path, commit: str) -> None:
        self.directory = directory
        self.commit = git(directory, "rev-parse", "--verify", f"{commit}^{{commit}}").decode().strip()
        self._all = git(directory, "ls-tree", "-r", "-z", "--name-only", self.commit).decode().split("\0")
        self._reader = subprocess.Popen(
            ["git", "-C", str(directory), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def paths(self, pattern: str) -> list[str]:
        """Return the paths that match a regular expression as a whole, in the order of git."""
        return [path for path in self._all if path and re.fullmatch(pattern, path)]

    def read(self, path: str) -> bytes | None:
        """Return a file's content; None if the commit or this copy of it lacks the file."""
        assert self._reader.stdin is not None and self._reader.stdout is not None
        self._reader.stdin.write(f"{self.commit}:{path}\n".encode())
        self._reader.stdin.flush()
        head = self._reader.stdout.readline().split()
        if head[-1] == b"missing":
            return None
        content = self._reader.stdout.read(int(head[2]) + 1)
        return content[:-1]

    def text(self, path: str) -> str | None:
        """Return a file's text in UTF-8; None if the commit lacks the file."""
        content = self.read(path)
        return None if content is None else content.decode("utf-8")

    def close(self) -> None:
        """End the process of git that reads the files."""
        self._reader.communicate()


@contextmanager
def opened(source: Repository, place: str = "") -> Iterator[Tree]:
    """Open a source at its commit; `place` is another URL or a local git directory."""
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(place)
        if not place or not directory.is_dir():
            directory = Path(folder)
            git(directory, "clone", "--bare", "--filter=blob:none", "--quiet", place or source.url, ".")
        tree = Tree(directory, source.commit)
        try:
            yield tree
        finally:
            tree.close()
