"""Find runs of C programs that depend on memory without a value: other bytes there change their trace.

    both_runs(first, again) -> Reply              compares runs; `again(1)` runs with the second pattern
    check_course(checked, reply)                  compares the run with sanitizers, whose memory holds zeros

Both raise DependsOnUnassigned. Memory without a value is filled with the byte of a pattern
(`engine.PATTERNS`), and the recorder shows memory that holds the pattern as unassigned. So memory that is
never read looks alike in runs with two patterns. A program that itself assigns the bytes of one pattern
differs in that run alone; so if two runs differ, two more decide: three of four must agree. The course of a
run is a hash of its lines, of the numbers that its functions return, and of the lengths of its printed texts.
The hash does not depend on the order of these, because gcc may evaluate operands in another order with
sanitizers. A read that gives the same result with all of these bytes is not found.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence

from deskcheck.languages.c.worker import Reply
from deskcheck.records import EventKind, TimeLimit

_AT = {"kind": 0, "frame": 1, "line": 2, "value": 3, "changes_end": 4, "key": 8, "new": 11}
"""Indexes of columns among the parts of a reply; the texts, its first part, do not count."""
# Indexes of the values' kind, number, real, type; of the ends and bytes of their texts; of the last column.
_VALUES, _TEXT_ENDS, _TEXTS, _LAST = (12, 13, 14, 15), 16, 17, 22


class DependsOnUnassigned(Exception):
    """Raised if a value or a decision of a run depends on memory that was never assigned.

    `line`: line of the statement; 0 = not known.
    """

    def __init__(self, line: int) -> None:
        place = f" in line {line}" if line else ""
        super().__init__(
            f"undefined behavior{place}: a value depends on memory that was never assigned, or on an address"
        )
        self.line = line


def both_runs(first: Reply, again: Callable[[int], Reply | TimeLimit]) -> Reply:
    """Return the reply that both patterns give, or three of four. DependsOnUnassigned if there is none.

    A second run that reaches its time limit proves nothing, so the first reply is returned.
    """
    second = again(1)
    if isinstance(second, TimeLimit) or second == first:
        return first
    others = again(2), again(3)
    for reply in (first, second):
        if others == (reply, reply):
            return reply
    try:
        line = line_of(parts_of(first.data), parts_of(second.data))
    except (ValueError, IndexError):  # a program may write where the recorder does
        line = 0
    raise DependsOnUnassigned(line)


def check_course(checked: Reply, reply: Reply) -> None:
    """Raise DependsOnUnassigned if checked and traced run both ended and took different courses."""
    match = re.search(rb"deskcheck: course ([0-9a-f]+)\n\Z", checked.data)
    texts = (parts_of(reply.data) or [b""])[0].split(b"\n")
    if match is not None and texts[0] == b"0" and texts[-2] != match[1]:
        raise DependsOnUnassigned(0)


def parts_of(data: bytes) -> list[bytes]:
    """Return the texts and the columns that the recorder wrote, each as its bytes."""
    parts, at = [], 0
    while at < len(data):
        end = at + 8 + int.from_bytes(data[at : at + 8], "little")
        parts.append(data[at + 8 : end])
        at = end
    return parts


def line_of(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """Return the line of the statement after which two runs of a program differ; 0 for a crash."""
    if min(len(first), len(second)) <= _LAST:
        return 0
    ours, other = first[1:], second[1:]
    row = min(
        _difference(ours[at], other[at], width) for at, width in zip(_VALUES, (1, 8, 8, 4), strict=True)
    )
    row = min(row, _text_row(ours, other))
    events = min(
        _difference(ours[_AT[name]], other[_AT[name]], width)
        for name, width in (("kind", 1), ("frame", 4), ("line", 4), ("value", 4), ("changes_end", 4))
    )
    changes = min(_difference(ours[at], other[at], 4) for at in (_AT["key"], _AT["new"]))
    handles = [array("i", ours[_AT[name]]) for name in ("key", "new")]
    changes = min([changes, *(at for column in handles for at, handle in enumerate(column) if handle >= row)])
    ends = array("i", ours[_AT["changes_end"]])
    values = array("i", ours[_AT["value"]])
    event = min(
        events,
        next((at for at, end in enumerate(ends) if end > changes), len(ends)),
        next((at for at, handle in enumerate(values) if handle >= row), len(values)),
    )
    lines = array("i", ours[_AT["line"]])
    if event >= len(lines):
        return lines[-1] if lines else 0
    # A line event comes before its statement, so the statement of the event before made the difference.
    is_before = event > 0 and ours[_AT["kind"]][event] == EventKind.LINE
    return lines[event - is_before]


def _difference(ours: bytes, other: bytes, width: int) -> int:
    """Return the number of the first row that differs; a large number if none does."""
    if ours == other:
        return 1 << 62
    low, high = 0, min(len(ours), len(other))
    while low < high:  # the longest beginning that both share
        middle = (low + high + 1) // 2
        if ours[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low // width


def _text_row(ours: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Return the first value whose text differs; a large number if none does."""
    ends = _difference(ours[_TEXT_ENDS], other[_TEXT_ENDS], 4)
    byte = _difference(ours[_TEXTS], other[_TEXTS], 1)
    rows = array("i", ours[_TEXT_ENDS])
    return min(ends, next((row for row, end in enumerate(rows) if end > byte), 1 << 62))
