"""A module of jobs whose payloads are prepared before any of them runs."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable

HIDDEN = "hidden from the programs before"


def preparer() -> Callable[[bytes], tuple[object, bytes]]:
    seen: list[bytes] = []

    def prepare(payload: bytes) -> tuple[object, bytes]:
        seen.append(payload)
        if payload == b"dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        while payload == b"never ends":
            pass
        if payload == b"prints":
            print("prepared", flush=True)
        code = compile(f"x = ('{HIDDEN}', {payload!r})", "<prepared>", "exec")
        return (code, str(len(seen))), b"said of " + payload

    return prepare


def run(payload: bytes, prepared: tuple[object, str]) -> bytes:
    if payload == b"looks":
        held = [one for one in gc.get_objects() if type(one) is tuple and HIDDEN in map(str, one)]
        return b"%d" % len(held)
    print(payload.decode())
    return prepared[1].encode()
