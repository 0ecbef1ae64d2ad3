"""python: the tracer of this package, native or reference, in the sandbox (`tracing/`).

trace_packed(programs, Limits(), workers=2) -> (program, packed), ..
"""

from __future__ import annotations

from deskcheck.tracing.collect import trace_packed as trace_packed
