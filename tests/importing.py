"""Imports every module of a package in this process and prints, as JSON, what each did beside defining.

    python importing.py PACKAGE FOLDER PATH -> {"deskcheck.records": ["reads the environment: HOME"], ...}

Only what the package's own code asks for counts: which code asked is the nearest frame that is not the
standard library's. A library that is not installed here is reported as "absent: torch".
Run by test_imports.py, in a fresh interpreter with a bare environment.
"""

from __future__ import annotations

import atexit
import importlib
import json
import logging
import os
import pkgutil
import random
import signal
import sys
import sysconfig
import threading
import warnings
from collections.abc import Iterator
from typing import Any

SEEN: list[str] = []
STANDARD = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), "<frozen"})
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND


def asked_by(folder: str) -> bool:
    """Whether the nearest frame outside the standard library and this file is one of the package."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if "site-packages" in name or not (name.startswith(STANDARD) or name == __file__):
            return "site-packages" not in name and name.startswith(folder)
        if (
            frame.f_code.co_name == "<module>"
        ):  # the library does that when it is imported, whoever imports it
            return False
        frame = frame.f_back
    return False


def watch(owner: Any, name: str, what: str, folder: str) -> None:
    """Replaces owner.name by a function that notes each call which the package asked for."""
    original = getattr(owner, name)

    def noted(*arguments: Any, **options: Any) -> Any:
        if asked_by(folder):
            SEEN.append(f"{what}: {' '.join(str(a) for a in arguments if isinstance(a, str | int))}")
        return original(*arguments, **options)

    setattr(owner, name, noted)


def watch_events(folder: str) -> None:
    """Files opened for writing, folders, processes, sockets, tracing: audit events of the interpreter."""
    plain = ("subprocess.Popen", "os.fork", "os.mkdir", "os.chdir", "socket.connect", "sys.settrace")

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITES and asked_by(folder):
            SEEN.append(f"writes a file: {arguments[0]}")
        elif event in plain and asked_by(folder):
            SEEN.append(f"{event}: {arguments[:1]}")

    sys.addaudithook(hook)


def watch_everything(folder: str) -> None:
    environment = type(os.environ)
    for name in ("__getitem__", "__iter__", "__setitem__"):
        watch(environment, name, "touches the environment", folder)
    for name in ("basicConfig", "disable", "captureWarnings"):
        watch(logging, name, "sets up logging", folder)
    for name in ("addHandler", "setLevel"):
        watch(logging.Logger, name, "sets up logging", folder)
    for name in ("simplefilter", "filterwarnings"):
        watch(warnings, name, "sets up warnings", folder)
    watch(threading.Thread, "start", "starts a thread", folder)
    watch(signal, "signal", "handles a signal", folder)
    watch(atexit, "register", "registers for the end", folder)
    watch(sys, "setrecursionlimit", "sets the recursion limit", folder)
    watch(random, "seed", "seeds randomness", folder)
    watch_events(folder)


def names(package: str) -> Iterator[str]:
    yield package
    root = importlib.import_module(package)
    for module in pkgutil.walk_packages(root.__path__, package + "."):
        yield module.name


def main(package: str, folder: str) -> dict[str, list[str]]:
    watch_everything(folder)
    report: dict[str, list[str]] = {}
    for name in names(package):
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if not error.name or error.name.split(".")[0] == package:
                raise
            SEEN.append(f"absent: {error.name}")
        report[name] = list(SEEN)
        SEEN.clear()
    return report


if __name__ == "__main__":
    sys.path.append(sys.argv[3])
    print(json.dumps(main(sys.argv[1], sys.argv[2])))
