"""The tracer of Python: in C (native) or in Python (reference), in the sandbox; see `tracing/`.

trace_packed(programs, Limits(), workers=2) -> (program, packed), ..
"""

from __future__ import annotations

from deskcheck.tracing.collect import trace_packed as trace_packed
