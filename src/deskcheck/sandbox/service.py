"""Start, ask and end a process of deskcheck that runs programs in another language, such as C or JavaScript.

    service = Service("deskcheck.languages.c.worker", "full", prefix="deskcheck-c-")
    service.start(START_S)       its first message, or b"" / None as below
    service.ask(data, 10.0)      its answer; b"" if the process has ended, None after 10 seconds
    read_message(stream); write_message(stream, data)      the other end, inside the process

The process gets a folder of its own, which is removed at the end. Time is measured here, by the wall clock. A
message is its length in eight bytes, little end first, and then its bytes.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import IO

_HEAD = 8
_ENVIRONMENT = {"TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}


def read_message(stream: IO[bytes]) -> bytes:
    """Return the next message; EOFError at the end of the stream."""
    head = stream.read(_HEAD)
    if len(head) < _HEAD:
        raise EOFError
    n_bytes = int.from_bytes(head, "little")
    data = stream.read(n_bytes)
    if len(data) < n_bytes:
        raise EOFError
    return data


def write_message(stream: IO[bytes], data: bytes) -> None:
    """Write one message and flush it."""
    stream.write(len(data).to_bytes(_HEAD, "little"))
    stream.write(data)
    stream.flush()


class Service:
    """One process that serves messages: `python -I -m MODULE LEVEL FOLDER [WORD ..]`.

    `level`: containment level, which the module applies. `prefix` begins the name of the temporary folder;
    `more` are further environment variables.
    """

    def __init__(
        self, module: str, level: str, *words: str, prefix: str, more: Mapping[str, str] | None = None
    ) -> None:
        self._command: Sequence[str] = (sys.executable, "-I", "-m", module, level)
        self._words = words
        self._prefix = prefix
        self._environment = _ENVIRONMENT | dict(more or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started and not closed; it may have ended by itself since."""
        return self._process is not None

    def start(self, time_s: float) -> bytes | None:
        """Start the process and return its first message, as `ask` does."""
        self._folder = tempfile.TemporaryDirectory(prefix=self._prefix, ignore_cleanup_errors=True)
        inside = os.path.join(self._folder.name, "run")
        os.mkdir(inside)
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the process
        self._process = subprocess.Popen(
            [*self._command, inside, *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=self._environment,
            start_new_session=True,
        )
        return self._read(time.monotonic() + time_s)

    def ask(self, data: bytes, time_s: float) -> bytes | None:
        """Send a message and return the answer; b"" if the process has ended, None if the time is up."""
        assert self._process is not None and self._process.stdin is not None
        try:
            write_message(self._process.stdin, data)
            return self._read(time.monotonic() + time_s)
        except OSError:  # it died before it had read the request
            return b""

    def _read(self, deadline: float) -> bytes | None:
        """Read one message from the process; the results are those of `ask`."""
        assert self._process is not None and self._process.stdout is not None
        fd = self._process.stdout.fileno()
        data = bytearray()
        wanted = _HEAD
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([fd], [], [], left)[0]:
                return None
            piece = os.read(fd, min(wanted - len(data), 1 << 20))
            if not piece:
                return b""
            data += piece
            if len(data) == wanted:
                if wanted > _HEAD or not (n_bytes := int.from_bytes(data, "little")):
                    return bytes(data[_HEAD:])
                wanted = _HEAD + n_bytes

    def exit_code(self) -> int:
        """Return the exit code of a process that has ended, negative for a signal; -SIGKILL if it hangs."""
        assert self._process is not None
        try:
            return self._process.wait(10.0)
        except subprocess.TimeoutExpired:
            return -signal.SIGKILL

    def errors(self) -> str:
        """Return what it wrote to standard error, at most 64 KiB."""
        if self._errors is None:
            return ""
        self._errors.seek(0)
        return self._errors.read(1 << 16).decode("utf-8", "replace")

    def close(self) -> None:
        """End the process and everything that it started."""
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # a request that nobody reads any more
                        stream.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._errors is not None:
            self._errors.close()
            self._errors = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
