"""Job functions that leave files behind in odd ways; they run at level "limits", which allows all of it.

"plant deep /outside" plants one kind in the working folder; "list" returns the folder's contents.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable


def _nest(name: str, depth: int) -> None:
    fd = os.open(".", os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=fd)
        inner = os.open(name, os.O_RDONLY, dir_fd=fd)
        os.close(fd)
        fd = inner
    os.close(fd)


def deep(outside: str) -> None:
    _nest("d", 1_500)


def deep_beyond_any_path(outside: str) -> None:
    _nest("long" * 60, 200)  # 48,000 characters


def many_files(outside: str) -> None:
    for number in range(2_000):
        open(str(number), "w").close()


def many_folders(outside: str) -> None:
    for number in range(500):
        os.makedirs(f"{number}/a")


def wide_and_deep(outside: str) -> None:
    for number in range(20):
        os.makedirs(f"{number}/" + "/".join("abcdefgh"))
        open(f"{number}/a/b/c/file", "w").close()


def folder_without_permissions(outside: str) -> None:
    os.makedirs("a/b/c")
    open("a/b/c/file", "w").close()
    os.chmod("a/b/c", 0)
    os.chmod("a/b", 0)
    os.chmod("a", 0)


def folder_that_forbids_writing(outside: str) -> None:
    os.makedirs("a/b")
    open("a/file", "w").close()
    os.chmod("a", 0o500)


def own_folder_without_permissions(outside: str) -> None:
    open("file", "w").close()
    os.mkdir("folder")
    os.chmod(".", 0)


def file_without_permissions(outside: str) -> None:
    os.close(os.open("file", os.O_WRONLY | os.O_CREAT, 0))


def bits_of_privilege(outside: str) -> None:
    os.mkdir("a")
    open("a/file", "w").close()
    os.chmod("a/file", 0o6777)
    os.chmod("a", 0o1777)


def pipe(outside: str) -> None:
    os.mkfifo("pipe")


def bound_socket(outside: str) -> None:
    socket.socket(socket.AF_UNIX).bind("socket")


def links_out_of_the_folder(outside: str) -> None:
    os.symlink(outside, "folder")
    os.symlink(f"{outside}/precious", "file")
    os.mkdir("a")
    os.symlink(outside, "a/folder")
    os.symlink("..", "a/up")
    os.symlink("/", "root")


def links_in_a_circle(outside: str) -> None:
    os.symlink("b", "a")
    os.symlink("a", "b")
    os.symlink("self", "self")
    os.symlink(".", "here")
    os.symlink("nowhere", "dangling")


def hard_links(outside: str) -> None:
    os.link(f"{outside}/precious", "precious")
    os.mkdir("a")
    os.link("precious", "a/precious")


def names_that_are_no_text(outside: str) -> None:
    for name in (b"\xff\xfe", b"a\xc3", b"\x01\x02\x7f"):
        os.mkdir(name)
        open(name + b"/\xff", "w").close()


def names_of_several_lines(outside: str) -> None:
    os.mkdir("a\nb")
    open("a\nb/\r\n\t\x1b[2J", "w").close()


def names_like_options_and_patterns(outside: str) -> None:
    for name in ("-rf", "--", "*", "~", "$HOME", "a b", "...", "'", '"', "\\", "%s", "{}"):
        os.mkdir(name)
        open(f"{name}/{name}", "w").close()


def the_longest_names(outside: str) -> None:
    os.mkdir("n" * 255)
    open("n" * 255 + "/" + "ü" * 127, "w").close()


def open_files_without_names(outside: str) -> None:
    for number in range(8):
        os.open(str(number), os.O_RDWR | os.O_CREAT)
        os.unlink(str(number))
    os.open("still-there", os.O_RDWR | os.O_CREAT)


def files_with_holes(outside: str) -> None:
    with open("file", "wb") as file:
        file.seek(60_000)
        file.write(b"x")


def the_folder_it_stands_in(outside: str) -> None:
    os.mkdir("a")
    os.chdir("a")
    os.rmdir("../a")


def names_of_the_sandbox(outside: str) -> None:
    for name in ("run", "run.root", "deskcheck-", ".nfs000"):
        os.makedirs(f"{name}/{name}")


def a_moved_tree(outside: str) -> None:
    os.makedirs("a/b/c")
    os.makedirs("d")
    os.rename("a/b", "d/b")
    os.symlink("../d/b", "a/b")


PLANTS: dict[str, Callable[[str], None]] = {
    plant.__name__: plant
    for plant in (
        deep, deep_beyond_any_path, many_files, many_folders, wide_and_deep, folder_without_permissions,
        folder_that_forbids_writing, own_folder_without_permissions, file_without_permissions,
        bits_of_privilege, pipe, bound_socket, links_out_of_the_folder, links_in_a_circle, hard_links,
        names_that_are_no_text, names_of_several_lines, names_like_options_and_patterns, the_longest_names,
        open_files_without_names, files_with_holes, the_folder_it_stands_in, names_of_the_sandbox,
        a_moved_tree,
    )
}  # fmt: skip


def act(payload: bytes) -> bytes:
    """One function for all jobs, because a batch has one."""
    match payload.decode().split(" "):
        case ["plant", name, outside]:
            PLANTS[name](outside)
            return b"planted"
        case _:
            return repr(sorted(os.listdir(b"."))).encode()
