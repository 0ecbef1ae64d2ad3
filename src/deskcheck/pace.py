"""Show the progress of a long command on one line of a terminal: "588 of 1,000 programs, 29/s, 0:14 left".

    line = CountLine("programs", total=1000)
    line.count() for every program; line.end()

    with shown():                          around a command: `counted` now shows its progress
        for run in counted(runs, "runs"):  anywhere below; only the outermost count is shown

Nothing is printed to a pipe or a file, so that logs hold no progress.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TextIO, TypeVar

EVERY_S = 0.2  # seconds between two drawings of the line
T = TypeVar("T")


class _Line:
    """The terminal's progress line inside one `shown`; the first count takes it."""

    is_free = True


_line: ContextVar[_Line | None] = ContextVar("the line of the enclosing `shown`", default=None)


def left_text(left_s: float) -> str:
    """Render the remaining time in minutes and seconds: "0:14 left"."""
    whole = max(0, round(left_s))
    return f"{whole // 60}:{whole % 60:02} left"


def pace_text(n_done: int, total: int, passed_s: float) -> str:
    """Render the rate and the remaining time of a count: "29/s, 0:14 left"; "" before the first item."""
    if n_done <= 0 or passed_s <= 0:
        return ""
    rate = n_done / passed_s
    shown = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
    return f"{shown}, {left_text((total - n_done) / rate)}" if total else shown


class CountLine:
    """Count of finished items, redrawn on a terminal a few times a second.

    `noun`: what is counted, "programs". `total`: number of items to come, 0 = not known. `most`: an upper
    bound of an unknown total; no remaining time is estimated from it.
    """

    def __init__(self, noun: str, *, total: int = 0, most: int = 0, stream: TextIO | None = None) -> None:
        self._noun, self._total, self._most = noun, total, most
        self._stream = stream or sys.stderr
        self._is_shown = self._stream.isatty()
        self._n_done = 0
        self._started = self._shown = time.monotonic()

    def count(self, n_done: int = 0, total: int = 0) -> None:
        """Add one finished item, or set the number of finished ones; redraw the line if it is due."""
        self._n_done = n_done or self._n_done + 1
        self._total = total or self._total
        now = time.monotonic()
        if self._is_shown and now - self._shown >= EVERY_S:
            self._shown = now
            self._stream.write(f"\r\x1b[K  {self.text(now - self._started)}")
            self._stream.flush()

    def text(self, passed_s: float) -> str:
        """Render the line without its control characters."""
        whole = f" of {self._total:,}" if self._total else f" of at most {self._most:,}" if self._most else ""
        pace = pace_text(self._n_done, self._total, passed_s)
        return f"{self._n_done:,}{whole} {self._noun}" + (f", {pace}" if pace else "")

    def end(self) -> None:
        """Clear the line for other output."""
        if self._is_shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


@contextmanager
def shown() -> Iterator[None]:
    """Show the counts of `counted` inside this block; outside it, `counted` prints nothing."""
    token = _line.set(_Line())
    try:
        yield
    finally:
        _line.reset(token)


def counted(items: Iterable[T], noun: str, *, total: int = 0) -> Iterator[T]:
    """Yield the items and, inside `shown`, count them on the terminal.

    A count of a single item is not shown, so that a count inside it can be.
    """
    total = total or (len(items) if isinstance(items, Sized) else 0)
    # An abandoned iteration may be closed long after its `shown` block ended. It then frees the line of that
    # block, not of a later one.
    place = _line.get()
    if place is None or not place.is_free or total == 1:
        yield from items
        return
    line = CountLine(noun, total=total)
    place.is_free = False
    try:
        for item in items:
            yield item
            line.count()
    finally:
        place.is_free = True
        line.end()
