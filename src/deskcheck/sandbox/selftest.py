"""Jobs that the self-test runs in a child: each tries what a level promises to stop."""

from __future__ import annotations

import os
import resource


def report_limits(payload: bytes) -> bytes:
    """Soft limits of this child as "core=0 files=64 ..", and whether the parent's environment leaked in."""
    core = resource.getrlimit(resource.RLIMIT_CORE)[0]
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    leaked = payload.decode() in os.environ
    return f"core={core} files={files} leaked={leaked}".encode()


def take_memory(payload: bytes) -> bytes:
    """Ask for more memory than the limits allow."""
    return str(len(bytearray(int(payload)))).encode()


def loop(payload: bytes) -> bytes:
    """Never come back."""
    while True:
        pass


def print_much(payload: bytes) -> bytes:
    """Print more than the limits allow."""
    while True:
        print(payload.decode())
