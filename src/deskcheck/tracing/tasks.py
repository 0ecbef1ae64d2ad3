"""Number the threads and asyncio tasks of a run, in the order in which they are first seen.

    numbers = Numbers()
    numbers.thread()             number of the running thread; who is asked about first is 0
    numbers.task()               number of the running asyncio task, else of the thread
    numbers.new_thread()         a thread begins: an ident that was used before is another thread now

A task is known by its address and a weak reference, so nothing is kept alive and no code of the program runs.
Not covered: tasks of other event loops than asyncio's count as their thread.
"""

from __future__ import annotations

import sys
import weakref
from _thread import get_ident


class Numbers:
    """Threads and tasks of one run."""

    def __init__(self) -> None:
        self._threads: dict[int, int] = {}
        self._tasks: dict[int, tuple[weakref.ref[object], int]] = {}
        self._next = 0

    def thread(self) -> int:
        """Number of the thread that runs now."""
        number = self._threads.get(get_ident())
        if number is None:
            number = self._threads[get_ident()] = self._new()
        return number

    def new_thread(self) -> None:
        """The running thread has just begun: it is not the one that had its ident before."""
        self._threads.pop(get_ident(), None)

    def task(self) -> int:
        """The running asyncio task; the thread where there is none."""
        task = _running_task()
        if task is None:
            return self.thread()
        known = self._tasks.get(id(task))
        if known is not None and known[0]() is task:
            return known[1]
        number = self._new()
        self._tasks[id(task)] = weakref.ref(task), number
        return number

    def _new(self) -> int:
        number = self._next
        self._next += 1
        return number


def _running_task() -> object:
    module = sys.modules.get("asyncio.tasks")
    if module is None:
        return None
    try:
        return module.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None
