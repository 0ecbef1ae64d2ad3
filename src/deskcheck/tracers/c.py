"""The tracer of C: puts probes into the source with pycparser, compiles it with gcc and runs it contained.

It needs the extra `c`, and gcc.
"""

from __future__ import annotations

from deskcheck.languages.c.tracer import run_one as run_one
from deskcheck.languages.c.tracer import trace_packed as trace_packed

NEEDS = "pycparser"
"""Package without which nothing is traced."""
