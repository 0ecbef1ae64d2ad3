"""Confine a child before any foreign code runs: the layers of each containment level.

    box = prepare("kernel", folder, given)     in the zygote; OSError or SandboxUnavailable if impossible
    box.confine(keep=(result_fd,), memory_bytes=1 << 29, cpu_s=12, output_bytes=65536)          in the child
    ..foreign code..
    refusals() -> ["network:socket"]         rules that refused this process a system call, and the call

limits   rlimits; only the named descriptors; sys.path has only the interpreter's folders
seccomp  also: no capability, no_new_privs, not dumpable; system calls by allow-list: no write to the file
         system, no socket, no process, no signal to others, no new memory files
kernel   also: Landlock: only the interpreter's files are readable, and files are made only in the program's
         working folder; no TCP, no signal to others, no abstract socket
full     also: separate users, network, process numbers, host name, and a root with only those files

Covered (from level seccomp on): all system calls of a program, also from native code that it brings along.
Not covered: kernel bugs behind the allowed calls; timing; facts that `stat` gives about paths (below full);
the number of threads, which only memory limits; changes of a program to its own process. docs/sandbox.md.
"""

from __future__ import annotations

import os
import resource
import socket
import sys
import sysconfig
from collections.abc import Iterable
from typing import Any

from deskcheck.errors import SandboxUnavailable

try:
    from deskcheck.sandbox import _confine as _native
except ImportError:  # installed without a compiler: level limits
    _native = None  # type: ignore[assignment]  # a module if it was built

native: Any = _native
LINUX = sys.platform.startswith("linux")
# In the order of confine.h.
RULES = ("", "write", "network", "process", "signal", "inspect", "limits", "folder", "system-call")
MAX_FILES = 65
"""Limit of a child's open descriptors; NULL_FD is the last of them."""
NULL_FD = MAX_FILES - 1
"""Descriptor of the null device for writing; seccomp.c copies it for programs that open the device."""
# This limit does not bind root and counts all processes of the user. It only weakens a fork bomb, and only at
# level limits; the other levels forbid new processes.
MAX_PROCESSES = 4096
STACK_BYTES = 8 << 20  # limit of a child's stack
# Name of the working folder in the program, the same in every run. Below level full no other name of it is
# the same everywhere.
FOLDER, FOLDER_BELOW_FULL = "/run", "/proc/self/cwd"
# First version of Landlock that also controls truncation.
CHANGES_SINCE = 3
_FILES = ["/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/usr/share/zoneinfo"]
_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000


class Box:
    """The layers of one level, prepared for any number of children."""

    def __init__(self, level: str, *, ruleset: int = -1, mounts: int = -1, folder: str = "") -> None:
        self.level = level
        self.folder = folder
        """Name of the working folder in the program if it may make files there, else ""."""
        self._ruleset = ruleset
        self._mounts = mounts
        readable = readable_paths()
        # Real paths, because the sandbox has the target of a link but not the link.
        self._path = [real for real in map(os.path.realpath, sys.path) if _is_below(real, readable)]

    def confine(
        self,
        *,
        keep: Iterable[int],
        memory_bytes: int,
        cpu_s: int,
        output_bytes: int,
        counts: str = "address space",
    ) -> None:
        """Apply the layers for good. OSError names the layer that failed; then no program may run.

        `keep`: descriptors that stay open, besides 0, 1 and 2. `cpu_s`: processor time in seconds.
        `output_bytes`: largest size of a file.
        `counts`: the memory that is limited, "address space" or "data". An engine that reserves more address
        space than it uses, as V8 does, can only be limited by its private writable memory.
        """
        kept = sorted({0, 1, 2, self._ruleset, self._mounts, *keep} - {-1})
        (_close_all_but if native is None else native.close_all_but)(tuple(kept))
        sys.path[:] = self._path
        if self.level != "limits":
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, NULL_FD, inheritable=False)
            os.close(null)
        _limit(memory_bytes=memory_bytes, cpu_s=cpu_s, output_bytes=output_bytes, counts=counts)
        if self._mounts >= 0:
            native.setns(self._mounts, _NEWNS)
            os.close(self._mounts)
            os.chdir(FOLDER)
        if self.level != "limits":
            native.drop_privileges()
        if self._ruleset >= 0:
            native.landlock_restrict(self._ruleset)
            os.close(self._ruleset)
        if self.level != "limits":
            native.seccomp_install(self.folder)


def prepare(level: str, folder: str, given: str = "") -> Box:
    """Prepare the layers of a level once, for all children.

    `given`: file of their standard input, which they may also open as `/dev/stdin`; "": none.
    `folder`: working folder of the children, in which they may make files from level kernel on. At level full
    the process forks: the function returns in the new process, which is number 1 of a process namespace, and
    the old process only waits for it.
    """
    if level == "limits":
        return Box(level)
    if native is None:
        raise SandboxUnavailable("no C extension deskcheck.sandbox._confine")
    if not LINUX:
        raise SandboxUnavailable("not Linux")
    if level == "seccomp":
        return Box(level)
    paths = [os.open(path, os.O_PATH | os.O_CLOEXEC) for path in [*readable_paths(), given, folder] if path]
    mounts = _enter_namespaces(folder, given) if level == "full" else -1
    ruleset: int = native.landlock_ruleset()
    changes = native.landlock_abi() >= CHANGES_SINCE
    if changes:
        native.landlock_allow_changes(ruleset, paths[-1])
    for path in paths:
        native.landlock_allow(ruleset, path)
        os.close(path)
    if level == "full":
        _enter_process_numbers()
    name = (FOLDER if level == "full" else FOLDER_BELOW_FULL) if changes else ""
    return Box(level, ruleset=ruleset, mounts=mounts, folder=name)


def refusals() -> list[str]:
    """Return the rules that have refused this process a system call, each with its first call."""
    if native is None:
        return []
    return [f"{RULES[rule]}:{call}" for rule, call in native.refusals()]


def readable_paths() -> list[str]:
    """Return real paths that Python needs for imports and shared libraries; none is below another."""
    wanted = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    wanted |= {
        entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages", "lib-dynload"))
    }
    wanted.add(os.path.dirname(os.path.dirname(__file__)))
    wanted |= {*_library_folders(), *_FILES}
    real = sorted({os.path.realpath(path) for path in wanted if path and os.path.exists(path)}, key=len)
    return [path for number, path in enumerate(real) if not _is_below(path, real[:number])]


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _library_folders() -> set[str]:
    """Return the folders of the shared libraries that this process has loaded."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return set()
    paths = {line.split(maxsplit=5)[-1] for line in lines if ".so" in line and "/" in line}
    return {os.path.dirname(path) for path in paths if os.path.exists(path)}


def _close_all_but(descriptors: tuple[int, ...]) -> None:
    next_fd = 0
    for fd in descriptors:
        if fd > next_fd:  # closerange(0, 0) would close everything
            os.closerange(next_fd, fd)
        next_fd = fd + 1
    os.closerange(next_fd, max(next_fd, resource.getrlimit(resource.RLIMIT_NOFILE)[0]))


def _limit(*, memory_bytes: int, cpu_s: int, output_bytes: int, counts: str) -> None:
    """Set the limits of the kernel for this process (rlimits)."""
    _cap(resource.RLIMIT_CORE, 0)
    _cap(resource.RLIMIT_NOFILE, MAX_FILES)
    _cap(resource.RLIMIT_CPU, cpu_s)
    # One byte more than allowed: a file of that size proves that the limit was exceeded.
    _cap(resource.RLIMIT_FSIZE, output_bytes + 1)
    _cap(resource.RLIMIT_STACK, STACK_BYTES)
    if LINUX:  # macOS counts shared libraries into AS and refuses any useful value
        _cap(resource.RLIMIT_NPROC, MAX_PROCESSES)
        _cap(resource.RLIMIT_DATA if counts == "data" else resource.RLIMIT_AS, memory_bytes)


def _cap(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(what, (value, value))


def _enter_namespaces(folder: str, given: str) -> int:
    """Enter new namespaces and return the descriptor of a mount namespace for the children.

    This process keeps a copy of its mounts, so that it can load more modules; only children leave it.
    """
    uid, gid = os.getuid(), os.getgid()
    others = _NEWNS | _NEWNET | _NEWIPC | _NEWUTS | _NEWCGROUP
    try:
        native.unshare(_NEWUSER | others)
    except OSError:
        if uid != 0:
            raise
        native.unshare(others)  # root of a machine without user namespaces
    else:
        for name, line in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(line)
    socket.sethostname("localhost")
    native.make_private()
    here = os.getcwd()
    home = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    native.unshare(_NEWNS)
    mounts = os.open("/proc/self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC)
    readable = readable_paths()
    root = f"{folder}.root"  # beside the folder, because paths below a mount point are hidden
    os.mkdir(root)
    native.mount_empty(root)
    for name in os.listdir("/"):  # /lib -> usr/lib
        if os.path.islink(f"/{name}"):
            os.symlink(os.readlink(f"/{name}").lstrip("/"), f"{root}/{name}")
    for path in readable:
        _bind(path, root + path)
    if given:
        _bind(given, root + "/dev/stdin")
    os.makedirs(root + FOLDER, exist_ok=True)
    native.bind(folder, root + FOLDER)
    native.pivot(root)
    native.setns(home, _NEWNS)
    os.close(home)
    os.chdir(here)
    return mounts


def _bind(path: str, target: str) -> None:
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "ab").close()
    native.bind_read_only(path, target)


def _enter_process_numbers() -> None:
    """Fork into a new process namespace; only the new process returns, the old one waits for its end."""
    native.unshare(_NEWPID)
    pid = os.fork()
    if pid == 0:
        native.die_with_parent()
        return
    os.closerange(0, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    code = 70  # should the wait fail; the same as `child.BROKEN`
    try:
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        os._exit(code if code >= 0 else 128 - code)
