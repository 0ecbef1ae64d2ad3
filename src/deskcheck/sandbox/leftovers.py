"""Empty a folder of whatever programs left in it, without an error and without following a link.

    empty("/tmp/deskcheck-x/run") -> []              everything is gone
    remove("/tmp/deskcheck-x") -> ["run/stuck: Operation not permitted", "run: not empty"]
                                                     what stays, and why

The walk holds two descriptors and no stack of calls, so the depth of a folder does not matter. It opens
folders by name relative to their parent, never through a symbolic link. It climbs back by ".." and checks
that this is the folder it came from. Folders without permissions get them first. It ends after `MOST`
removals.
Not covered: files that only an administrator can remove (immutable ones, mount points); they are named.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable

MOST = 1_000_000
"""Most files and folders that one call removes, so that no program can keep a build waiting for ever."""
NAMED = 20
"""Most leftovers that are named."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove(folder: str) -> list[str]:
    """Remove a folder with its contents; return what could not be removed, with reasons (NAMED at most)."""
    left = empty(folder)
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        return left or [f"{folder}: {error.strerror}"]
    return left


def empty(folder: str) -> list[str]:
    """Remove the contents of a folder; return what could not be removed, with reasons (NAMED at most)."""
    try:
        fd = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return []
    except OSError as error:
        return [f"{folder}: {error.strerror}"]
    walk = _Walk(fd)
    try:
        walk.run()
    except OSError as error:  # the way back is gone: somebody else moves these folders
        walk.note("..", error)
    finally:
        os.close(walk.fd)
    return walk.left


class _Level:
    """One folder on the way down: its name, its parent's identity, and the folders left in the parent."""

    def __init__(self, name: str, parent: tuple[int, int], folders: list[str]) -> None:
        self.name = name
        self.parent = parent
        self.folders = folders


class _Walk:
    """A walk through one folder, which removes everything below it, the deepest files first."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.left: list[str] = []
        self._levels: list[_Level] = []
        self._room = MOST

    def run(self) -> None:
        """Remove everything below the folder, and note what stays."""
        folders = self._unlink_entries()
        while True:
            if folders:
                name = folders.pop()
                if self._room <= 0:
                    self.note(name, OSError(0, f"more than {MOST:,} leftovers"))
                    folders.clear()
                elif not self._remove_folder(name) and self._descend(name, folders):
                    folders = self._unlink_entries()
            elif self._levels:
                level = self._levels.pop()
                self._climb(level.parent)
                folders = level.folders
                if not self._remove_folder(level.name):
                    self.note(level.name, OSError(0, "not empty"))
            else:
                return

    def note(self, name: str, error: OSError) -> None:
        """Note a name that stays, with the reason and the end of its path (up to three folders)."""
        if len(self.left) < NAMED:
            path = "/".join([*(level.name for level in self._levels[-3:]), name])
            self.left.append(f"{ascii(path)[1:-1][-200:]}: {error.strerror}")

    def _unlink_entries(self) -> list[str]:
        """Unlink everything but folders in the open folder; return the folders' names."""
        folders: dict[str, None] = {}
        stuck: set[str] = set()
        removed = True
        while removed and self._room > 0:  # a file system may leave out names while others go
            removed = False
            with os.scandir(self.fd) as entries:
                for entry in entries:
                    if self._room <= 0:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        folders[entry.name] = None
                    elif entry.name not in stuck:
                        self._room -= 1
                        if self._unlink(entry.name):
                            removed = True
                        else:
                            stuck.add(entry.name)
        return list(folders)

    def _unlink(self, name: str) -> bool:
        try:
            self._with_permission(os.unlink, name)
        except FileNotFoundError:
            return True
        except OSError as error:
            self.note(name, error)
            return False
        return True

    def _remove_folder(self, name: str) -> bool:
        """Remove a folder if it is empty; return whether it is gone."""
        self._room -= 1
        try:
            self._with_permission(os.rmdir, name)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return True

    def _with_permission(self, remove: Callable[..., None], name: str) -> None:
        """Remove a name; if the open folder forbids it, once more with all permissions of its owner."""
        try:
            remove(name, dir_fd=self.fd)
        except PermissionError:
            os.fchmod(self.fd, stat.S_IRWXU)
            remove(name, dir_fd=self.fd)

    def _descend(self, name: str, folders: list[str]) -> bool:
        """Open the named subfolder in place of the open folder; return False if it cannot be opened."""
        try:
            inner = _open_folder(name, self.fd)
        except OSError as error:
            self.note(name, error)
            return False
        self._levels.append(_Level(name, _identity(self.fd), folders))
        os.close(self.fd)
        self.fd = inner
        return True

    def _climb(self, parent: tuple[int, int]) -> None:
        """Make the parent the open folder again. OSError if the folder was moved meanwhile."""
        outer = os.open("..", _FOLDER, dir_fd=self.fd)
        os.close(self.fd)
        self.fd = outer
        if _identity(outer) != parent:
            raise OSError(0, "a folder was moved while it was removed")


def _identity(fd: int) -> tuple[int, int]:
    status = os.fstat(fd)
    return status.st_dev, status.st_ino


def _open_folder(name: str, parent: int) -> int:
    """Open a folder for reading; if permission is denied, give its owner all permissions first."""
    try:
        return os.open(name, _FOLDER, dir_fd=parent)
    except PermissionError:
        _permit(name, parent)
        return os.open(name, _FOLDER, dir_fd=parent)


def _permit(name: str, parent: int) -> None:
    """Give the owner of a folder all permissions for it, without following a link."""
    if hasattr(os, "O_PATH"):
        fd = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
        try:
            os.chmod(f"/proc/self/fd/{fd}", stat.S_IRWXU)
        finally:
            os.close(fd)
        return
    with contextlib.suppress(NotImplementedError):
        os.chmod(name, stat.S_IRWXU, dir_fd=parent, follow_symlinks=False)
