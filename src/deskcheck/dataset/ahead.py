"""Make the programs of a source ahead of a build, in separate processes, and compare them with benchmarks.

    with Ahead("generated", options, workers=2) as ahead:
        for program in ahead: ...                    the programs of the source, in its order
        ahead.matches[source, entry]                 Match or None of this program, as `program_copy` finds it

Making and comparing a generated program takes longer than tracing it, so one process cannot keep several
workers busy. A source is made ahead if its plug-in makes programs in numbered parts (functions `part` and
`joined`). The programs and their order are the same as without these processes.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from types import TracebackType
from typing import IO, Any

from deskcheck.decontamination.near import Match, program_copy
from deskcheck.plugins import SourceOptions, load
from deskcheck.records import Program

AHEAD = 2
"""Number of parts in progress for each process."""
_COMMAND = "import sys; sys.path[:] = {path!r}; from deskcheck.dataset.ahead import main; main()"
Group = tuple[list[Program], Match | None]
"""The calls of one program, and its match in a benchmark."""


class Ahead:
    """Iterator over the programs of the source `name`; its processes end with the `with` statement."""

    def __init__(self, name: str, options: SourceOptions, *, workers: int) -> None:
        self._name, self._options = name, options
        self._helpers: list[subprocess.Popen[bytes] | None] = [None] * workers
        self.matches: dict[tuple[str, str], Match | None] = {}
        """Source and entry of the program that was yielded last -> its match."""

    def __enter__(self) -> Ahead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for helper in filter(None, self._helpers):
            _end(helper)

    def __iter__(self) -> Iterator[Program]:
        joined = load("program source", self._name).joined
        for programs, match in joined(self._options, self._parts()):
            self.matches.clear()
            self.matches[programs[0].source, programs[0].entry] = match
            yield from programs

    def _parts(self) -> Iterator[list[Group]]:
        """Yield the parts in order; part n is made by helper n % workers."""
        n_waiting = AHEAD * len(self._helpers)
        for number in range(n_waiting):
            self._ask(number)
        for number in count():
            yield self._received(number)
            self._ask(number + n_waiting)

    def _ask(self, number: int) -> None:
        at = number % len(self._helpers)
        helper = self._helpers[at] = self._helpers[at] or _started()
        with contextlib.suppress(OSError):  # it was killed, perhaps for lack of memory: `_received` notices
            _write(helper.stdin, (self._name, self._options, number))

    def _received(self, number: int) -> list[Group]:
        """Return a part; if its process is gone, start another one and make the part here."""
        at = number % len(self._helpers)
        helper = self._helpers[at]
        if helper is not None:
            try:
                found: list[Group] = _read(helper.stdout)
                return found
            except (EOFError, OSError, pickle.UnpicklingError):
                _end(helper)
                self._helpers[at] = None
                for ahead in range(1, AHEAD):
                    self._ask(number + ahead * len(self._helpers))
        return _part(self._name, self._options, number)


def _started() -> subprocess.Popen[bytes]:
    # No process of multiprocessing, which would run the main module of the caller again.
    command = [sys.executable, "-c", _COMMAND.format(path=sys.path)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def _end(helper: subprocess.Popen[bytes]) -> None:
    helper.kill()
    helper.communicate()


def _write(file: IO[bytes] | None, what: object) -> None:
    assert file is not None
    data = pickle.dumps(what)
    file.write(len(data).to_bytes(8, "little") + data)
    file.flush()


def _read(file: IO[bytes] | None) -> Any:
    """Read one object. EOFError if the other side has ended."""
    assert file is not None
    size = file.read(8)
    data = file.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    if not data:
        raise EOFError
    return pickle.loads(data)  # of our own process


def _part(name: str, options: SourceOptions, number: int) -> list[Group]:
    groups: list[list[Program]] = load("program source", name).part(options, number)
    return [(programs, program_copy(programs[0])) for programs in groups]


def main() -> None:
    """Make the parts that are asked for on stdin, until the build closes it or is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the build
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a program of the source that prints
    try:
        while True:
            _write(out, _part(*_read(sys.stdin.buffer)))
    except (EOFError, BrokenPipeError):
        os._exit(0)  # the build has ended; nothing is left to flush
