"""python: the tracer of this package, native or reference, in the sandbox (`tracing/`).

trace_packed(programs, Limits(), workers=2) -> (program, packed), ..
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from deskcheck.format.buffers import Packed
from deskcheck.records import Limits, Program
from deskcheck.tracing import collect


def trace_packed(programs: Iterable[Program], limits: Limits, **how: Any) -> Iterator[tuple[Program, Packed]]:
    """Trace Python programs in contained children; `how` as `tracing.collect.trace_packed` takes it."""
    return collect.trace_packed(programs, limits, **how)
