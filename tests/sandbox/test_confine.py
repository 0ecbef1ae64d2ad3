"""The layers by themselves, without supervisor and zygote: each refuses what it is there to refuse."""

from __future__ import annotations

import errno
import json
import platform
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deskcheck.sandbox import confine

X86 = platform.machine() == "x86_64"
needs_layers = pytest.mark.skipif(
    confine.native is None or not confine.LINUX, reason="no C extension, or not Linux: level limits only"
)
SCRIPT = """
import ctypes, errno, json, mmap, os, resource, signal, socket, sys, tempfile, threading
from deskcheck.sandbox import confine
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
seen = []
def call(*arguments):
    ctypes.set_errno(0)
    result = libc.syscall(*[ctypes.c_long(a) for a in arguments])
    new = [one for one in confine.refusals() if one not in seen]
    seen.extend(new)
    return [result, ctypes.get_errno(), new]
def tries(function):
    try:
        return str(function())
    except OSError as error:
        return str(error)
again = lambda: confine.native.seccomp_install("")
kept, other = os.pipe()
with tempfile.TemporaryDirectory() as folder:
    given = os.path.join(folder, "input")
    open(given, "w").close()
    box = confine.prepare(sys.argv[1], folder, given)
    pid = os.fork()
    if pid == 0:
        box.confine(keep=(kept,), memory_bytes=1 << 31, cpu_s=20, output_bytes=1 << 20)
        parent = os.getppid()
        found = eval(sys.argv[2])
        os.write(1, json.dumps(found).encode())
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
sys.exit(os.waitstatus_to_exitcode(status) & 0xff)
"""


def run(expression: str, level: str = "seccomp") -> Any:
    """Value of the expression in a confined child; a signal's number if one killed it."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, level, expression], capture_output=True, text=True, check=False
    )
    if done.returncode > 128:
        return -(256 - done.returncode)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# What a process may do with what it has; an opinion of its own, by number, beside the list in seccomp.c.
READING = {0, 3, 4, 5, 6, 7, 8, 17, 19, 21, 23, 79, 89, 217, 262, 267, 269, 271, 270, 332, 439, 436}
WRITING = {1, 18, 20, 22, 32, 33, 77, 292, 293, 290, 213, 232, 233, 281, 291, 221}
MEMORY = {9, 10, 11, 12, 25, 28}
RUNNING = {24, 202, 273, 218, 334, 204, 324, 309, 219, 60, 231, 14, 15, 127, 128, 130, 131, 34, 37, 13}
TIMES = {35, 36, 38, 96, 98, 99, 100, 201, 228, 229, 230, 318, 63, 95}
IDENTITY = {39, 102, 104, 107, 108, 110, 111, 115, 118, 120, 121, 124, 186, 140, 97, 61, 247}
PAIRS = {45, 47, 48, 51, 52, 55}
# The kernel answers these itself, whatever a filter says: SIGILL for whoever is not its own trampoline.
PROBES = {335, 336}
BY_ARGUMENTS = {2, 257, 16, 72, 157, 62, 234, 13, 56, 302, 53, 44}
ALLOWED = READING | WRITING | MEMORY | RUNNING | TIMES | IDENTITY | PAIRS | PROBES | BY_ARGUMENTS


@needs_layers
@pytest.mark.skipif(not X86, reason="the numbers are those of x86-64")
def test_every_other_system_call_is_refused():
    numbers = [number for number in range(600) if number not in ALLOWED]
    found = run(f"[call(n, -1, -1, -1, -1, -1, -1) for n in {numbers}]")
    through = [
        number
        for number, (result, code, _) in zip(numbers, found, strict=True)
        if result != -1 or code not in (errno.EPERM, errno.ENOSYS)
    ]
    assert through == []


@needs_layers
@pytest.mark.skipif(not X86, reason="the numbers are those of x86-64")
@pytest.mark.parametrize(
    ("expression", "rule"),
    [
        ("call(41, 2, 1, 0)", "network:socket"),
        ("call(53, 2, 1, 0, 0)", "network:socketpair"),  # socketpair, but of the internet
        ("call(44, kept, 0, 0, 0, id(parent), 16)", "network:sendto"),  # sendto with an address
        ("call(46, kept, 0, 0)", "network:sendmsg"),
        ("call(257, -100, 0, os.O_RDWR, 0)", "write:openat"),
        ("call(257, -100, 0, os.O_CREAT, 0)", "write:openat"),
        ("call(2, 0, os.O_TRUNC, 0)", "write:open"),
        ("call(87, 0)", "write:unlink"),
        ("call(319, 0, 0)", "write:memfd_create"),  # memfd_create
        ("call(57)", "process:fork"),
        ("call(56, signal.SIGCHLD, 0, 0, 0, 0)", "process:clone"),
        ("call(56, 0x10f00 | 0x40000000, 0, 0, 0, 0)", "process:clone"),  # a thread in a network of its own
        ("call(59, 0, 0, 0)", "process:execve"),
        ("call(62, parent, 0)", "signal:kill"),
        ("call(62, 0, 0)", "signal:kill"),
        ("call(62, -1, 0)", "signal:kill"),
        ("call(234, parent, parent, 0)", "signal:tgkill"),
        ("call(424, kept, 0, 0, 0)", "signal:pidfd_send_signal"),
        ("call(101, 16, parent, 0, 0)", "inspect:ptrace"),
        ("call(310, parent, 0, 0, 0, 0, 0)", "inspect:process_vm_readv"),
        ("call(434, parent, 0)", "inspect:pidfd_open"),
        ("call(302, parent, 7, 0, 0)", "inspect:prlimit64"),
        ("call(302, 0, 7, id(parent), 0)", "limits:prlimit64"),
        ("call(80, 0)", "folder:chdir"),
        ("call(165, 0, 0, 0, 0, 0)", "system-call:165"),
        ("call(157, 4, 1)", "system-call:157"),  # prctl(PR_SET_DUMPABLE)
        ("call(272, 0x10000000)", "system-call:272"),
        ("call(425, 1, 0)", "system-call:425"),  # io_uring
    ],
)
def test_a_refused_call_gives_eperm_and_is_noted(expression: str, rule: str):
    assert run(expression) == [-1, errno.EPERM, [rule]]


@needs_layers
@pytest.mark.skipif(not X86, reason="the numbers are those of x86-64")
def test_what_libraries_try_and_do_without_is_refused_without_a_note():
    calls = ["435, 0, 0", "437, 0, 0, 0, 0", "157, 1, 0", "16, 0, 0x5412, 0", "13, 31, 0, 0, 8"]
    found = run(f"[{', '.join(f'call({one})' for one in calls)}]")
    assert [code for _, code, _ in found] == [
        errno.ENOSYS,
        errno.ENOSYS,
        errno.EPERM,
        errno.ENOTTY,
        errno.EPERM,
    ]
    assert [rules for _, _, rules in found] == [[]] * 5


@needs_layers
def test_a_refused_call_is_noted_whatever_signals_are_blocked():
    def masked(how: str, signals: str) -> str:
        return f"sorted(map(int, signal.pthread_sigmask(signal.SIG_{how}, {signals})))"

    steps = [masked("BLOCK", "signal.valid_signals()"), masked("UNBLOCK", "[2]"), "call(112)"]
    before, every, refused, *rest = run(
        f"[{', '.join([*steps, masked('SETMASK', '[3]'), masked('BLOCK', '[]')])}]"
    )
    assert before == []
    assert set(map(int, signal.valid_signals())) - set(every) == {
        signal.SIGSYS,
        signal.SIGKILL,
        signal.SIGSTOP,
    }
    assert refused == [-1, errno.EPERM, ["process:setsid"]]
    assert rest == [sorted(set(every) - {2}), [3]]


@needs_layers
@pytest.mark.skipif(not X86, reason="the other architecture's way in exists on x86-64 only")
def test_another_architectures_system_calls_kill():
    """mov eax, 20; int 0x80; ret: getpid of i386, whose numbers mean something else."""
    code = (
        "[page := mmap.mmap(-1, 4096, prot=7), page.write(bytes.fromhex('b814000000cd80c3')), "
        "ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()]"
    )
    assert run(code) == -signal.SIGSYS
    assert run("call(0x40000000 + 39)") == -signal.SIGSYS  # x32


@needs_layers
def test_the_child_has_no_privilege_and_cannot_get_any():
    status = run("open('/proc/self/status').read()")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")} == {"0" * 16}
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")


@needs_layers
def test_only_the_descriptors_that_are_named_stay_open():
    assert run("{0, 1, 2, kept} < {int(fd) for fd in os.listdir('/proc/self/fd')}")
    # And the one that lists, and the null device for writing.
    assert run("[len(os.listdir('/proc/self/fd')), os.readlink('/proc/self/fd/64')]") == [6, "/dev/null"]


@needs_layers
def test_python_goes_on_as_it_should():
    assert run("[threading.Thread(target=print).start(), os.urandom(2) != b'', os.cpu_count() > 0]") == [
        None,
        True,
        True,
    ]
    assert run("__import__('asyncio').run(__import__('asyncio').sleep(0, 3))") == 3
    assert run("ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 3)()") == 3
    assert run("[os.kill(os.getpid(), 0), confine.refusals()]") == [None, []]
    assert run("call(434, os.getpid(), 0)") == [-1, errno.ENOSYS, []]  # pidfd_open, which asyncio tries


@needs_layers
@pytest.mark.skipif(confine.native is None or confine.native.landlock_abi() == 0, reason="no Landlock here")
def test_landlock_leaves_only_the_interpreters_files():
    readable = run("[os.access(os.__file__, os.R_OK), len(open(os.__file__).read()) > 0]", "kernel")
    assert readable == [True, True]
    for path in ("/etc/passwd", "/proc/self/maps", str(Path(__file__))):
        tried = f"(lambda: [open({path!r}).read(1), 'read'])() if os.path.exists({path!r}) else 'absent'"
        done = subprocess.run([sys.executable, "-c", SCRIPT, "kernel", tried], capture_output=True, text=True)
        assert "PermissionError: [Errno 13]" in done.stderr, path


def test_only_import_paths_of_the_interpreter_are_readable():
    readable = confine.readable_paths()
    assert any(Path(json.__file__).resolve().is_relative_to(path) for path in readable)
    assert not any(Path(__file__).resolve().is_relative_to(path) for path in readable)
    for path in readable:
        assert not any(path != other and Path(path).is_relative_to(other) for other in readable)


@needs_layers
def test_a_program_takes_no_refusal_back():
    text = "[tries(socket.socket), confine.refusals(), confine.refusals(), tries(again), confine.refusals()]"
    found = run(text)
    assert found[1] == found[2] == found[4] and found[1][0].startswith("network:")
    assert "Errno 1" in found[3]
