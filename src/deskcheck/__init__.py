"""deskcheck: record what programs do, teach models to execute them, measure how well they can.

    import deskcheck
    trace = deskcheck.trace(f, 3)            # what f(3) does, in this process, not contained
    for trace in deskcheck.read_traces("out/"): ...
    deskcheck.grade("[1, 2]", expected="[1, 2]")

The names are loaded when they are used: importing deskcheck does nothing and costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # for type checkers and editors; at run time __getattr__ loads them
    from deskcheck.grading.verdict import grade as grade
    from deskcheck.storage import read_traces as read_traces
    from deskcheck.tracing.here import record as record
    from deskcheck.tracing.here import trace as trace

__version__ = "0.1.0"
__all__ = ["__version__", "grade", "read_traces", "record", "trace"]

_PUBLIC = {
    "trace": "deskcheck.tracing.here",
    "record": "deskcheck.tracing.here",
    "read_traces": "deskcheck.storage",
    "grade": "deskcheck.grading.verdict",
}


def __getattr__(name: str) -> object:
    if name in _PUBLIC:
        return getattr(importlib.import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'deskcheck' has no attribute '{name}'; it has: {', '.join(__all__)}")
