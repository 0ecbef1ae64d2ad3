"""Make the programs of a source ahead of a build, in processes of their own, with their benchmark matches.

    with Ahead("generated", options, workers=2) as ahead:
        for program in ahead: ...                    the programs of the source, in its order
        ahead.matches[source, entry]                 Match or None of this program, as `program_copy` finds it

Making and comparing a generated program takes longer than tracing it, so one process cannot keep several
workers busy. A source takes part if its programs are made from numbered parts (`part`, `joined`). The
programs and their order are the same as without these processes.
"""

from __future__ import annotations

import ctypes
import signal
import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from multiprocessing import get_context
from types import TracebackType
from typing import Any

from deskcheck.decontamination.near import Match, program_copy
from deskcheck.plugins import SourceOptions, load
from deskcheck.records import Program

AHEAD = 2
"""Parts in progress for each process."""
FEWEST = 10_000
"""Fewest executions for which the processes are worth their start."""
_PR_SET_PDEATHSIG = 1
Group = tuple[list[Program], Match | None]
"""The calls of one program, and its match in a benchmark."""


def is_worth_it(source: Any, options: SourceOptions, workers: int) -> bool:
    """Whether a build should make the programs of this source ahead."""
    n = min(filter(None, (options.n * (options.calls_each or 1), options.limit)), default=0)
    return hasattr(source, "part") and workers > 1 and n >= FEWEST


class Ahead:
    """Iterator of the programs of a source; its processes end with the `with` statement."""

    def __init__(self, name: str, options: SourceOptions, *, workers: int) -> None:
        self._name, self._options, self._workers, self._n = name, options, workers, AHEAD * workers
        self._pool = _pool(workers)
        self.matches: dict[tuple[str, str], Match | None] = {}
        """Source and entry of the program that was yielded last -> its match."""

    def __enter__(self) -> Ahead:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    def __iter__(self) -> Iterator[Program]:
        joined = load("program source", self._name).joined
        for programs, match in joined(self._options, self._parts()):
            self.matches.clear()
            self.matches[programs[0].source, programs[0].entry] = match
            yield from programs

    def _parts(self) -> Iterator[list[Group]]:
        waiting: deque[tuple[int, Future[list[Group]]]] = deque()
        for number in count():
            waiting.append((number, self._sent(number)))
            if len(waiting) == self._n:
                yield self._received(*waiting.popleft())

    def _sent(self, number: int) -> Future[list[Group]]:
        try:
            return self._pool.submit(_part, self._name, self._options, number)
        except BrokenProcessPool:  # a process was killed, perhaps for lack of memory
            self._pool = _pool(self._workers)
            return self._pool.submit(_part, self._name, self._options, number)

    def _received(self, number: int, made: Future[list[Group]]) -> list[Group]:
        try:
            return made.result()
        except BrokenProcessPool:
            return _part(self._name, self._options, number)


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_begin)


def _part(name: str, options: SourceOptions, number: int) -> list[Group]:
    """Make one part; runs in a process of the pool."""
    groups: list[list[Program]] = load("program source", name).part(options, number)
    return [(programs, program_copy(programs[0])) for programs in groups]


def _begin() -> None:
    """Leave Ctrl-C to the build, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
