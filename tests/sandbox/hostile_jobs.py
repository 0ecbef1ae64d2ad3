"""Job functions that misbehave, one way each; only ever run inside the sandbox's children."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from pathlib import Path

from deskcheck.sandbox.wire import DONE, FRAME, FRAME_MAGIC


def echo(payload: bytes) -> bytes:
    return payload


def loop(payload: bytes) -> bytes:
    while True:
        pass


def busy_in_c(payload: bytes) -> bytes:
    return str(len(str(7 ** (7**9)))).encode()


def ignore_everything(payload: bytes) -> bytes:
    for number in range(1, 32):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    while True:
        time.sleep(10)


def sleep(payload: bytes) -> bytes:
    time.sleep(float(payload))
    return b"slept"


def stop_self(payload: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGSTOP)
    return b"went on"


def take_all_memory(payload: bytes) -> bytes:
    held = []
    while True:
        held.append(bytearray(1 << 24))


def print_a_gigabyte(payload: bytes) -> bytes:
    for _ in range(1 << 14):
        print("x" * (1 << 16))
    return b"printed"


def print_and_catch(payload: bytes) -> bytes:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for _ in range(1000):
        try:
            print("x" * (1 << 16), flush=True)
        except OSError:
            continue
    return b"printed"


def print_exactly(payload: bytes) -> bytes:
    sys.stdout.write("x" * int(payload))
    return b"printed"


def big_result(payload: bytes) -> bytes:
    return bytes(int(payload))


def leave(payload: bytes) -> bytes:
    os._exit(int(payload))


def system_exit(payload: bytes) -> bytes:
    sys.exit(int(payload))


def kill_self(payload: bytes) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def kill_zygote(payload: bytes) -> bytes:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(30)
    return b"lived"


def stop_zygote(payload: bytes) -> bytes:
    os.kill(os.getppid(), signal.SIGSTOP)
    return b"done"


def segfault(payload: bytes) -> bytes:
    return ctypes.string_at(0)


def deep_recursion(payload: bytes) -> bytes:
    sys.setrecursionlimit(1 << 30)
    value: object = None
    for _ in range(100_000):
        value = [value]
    return repr(value).encode()


def raise_key_error(payload: bytes) -> bytes:
    raise KeyError("a")


def close_everything(payload: bytes) -> bytes:
    os.closerange(0, 256)
    return b"closed"


def forge_frames(payload: bytes) -> bytes:
    frame = FRAME.pack(FRAME_MAGIC, 0, DONE, b"\0\0\0", 0, 0, 0, 2, bytes(16), 0) + b"42"
    for fd in range(3, 64):
        try:
            os.write(fd, frame)
        except OSError:
            continue
    os._exit(0)


def write_after_the_frame(payload: bytes) -> bytes:
    if os.fork() == 0:
        os.setsid()
        time.sleep(0.2)
        forge_frames(payload)
    return b"mine"


def fork_many(payload: bytes) -> bytes:
    """60 children that outlive the run: half of them in sessions of their own. Their pids are printed."""
    for number in range(60):
        pid = os.fork()
        if pid == 0:
            if number % 2:
                os.setsid()
            time.sleep(60)
            os._exit(0)
        print(pid)
    return b"forked"


def limits(payload: bytes) -> bytes:
    names = ("RLIMIT_AS", "RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE")
    return repr({name: resource.getrlimit(getattr(resource, name)) for name in names}).encode()


def surroundings(payload: bytes) -> bytes:
    """What a program can see of its surroundings."""
    import random

    seen = {
        "fds": sorted(int(name) for name in os.listdir("/proc/self/fd")),
        "environ": dict(os.environ),
        "argv": sys.argv,
        "hash": hash("a"),
        "random": random.random(),
        "folder": os.listdir("."),
        "leader": os.getsid(0) == os.getpid() == os.getpgid(0),
        "no_new_privs": "NoNewPrivs:\t1" in Path("/proc/self/status").read_text(),
        "stdin": sys.stdin.read(),
    }
    with open("left-behind", "w") as file:
        file.write("x")
    return repr(seen).encode()


# ------------------------------------------------------------------ what the layers refuse, or must not


def write_a_file(payload: bytes) -> bytes:
    try:
        Path("/usr/written").write_bytes(b"x")
    except PermissionError as error:
        return str(error).encode()
    return b"written"


def open_a_socket(payload: bytes) -> bytes:
    import socket

    try:
        socket.socket()
    except PermissionError:
        return b"refused"
    return b"opened"


def signal_the_parent(payload: bytes) -> bytes:
    try:
        os.kill(os.getppid(), 0)
    except PermissionError:
        return b"refused"
    return b"sent"


def attach(payload: bytes) -> bytes:
    return str(ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)).encode()


def raise_a_limit(payload: bytes) -> bytes:
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
    except (OSError, ValueError):
        return b"refused"
    return b"set"


def change_folder(payload: bytes) -> bytes:
    try:
        os.chdir("/")
    except PermissionError:
        return b"refused"
    return b"changed"


def start_a_program(payload: bytes) -> bytes:
    return str(os.system("true")).encode()


def start_threads(payload: bytes) -> bytes:
    import threading

    threads = [threading.Thread(target=len, args=(b"",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return b"joined"


def run_an_event_loop(payload: bytes) -> bytes:
    import asyncio

    return asyncio.run(asyncio.sleep(0.001, b"slept"))


def import_much(payload: bytes) -> bytes:
    import decimal
    import multiprocessing
    import sqlite3
    import ssl
    import unittest
    import uuid
    import zoneinfo

    modules = (decimal, multiprocessing, sqlite3, ssl, unittest, uuid, zoneinfo)
    return str(len(modules)).encode()


def read_folder(payload: bytes) -> bytes:
    """Names and contents of all files in the working folder."""
    found = {str(path): path.read_bytes() for path in Path(".").rglob("*") if path.is_file()}
    return repr(dict(sorted(found.items()))).encode()
