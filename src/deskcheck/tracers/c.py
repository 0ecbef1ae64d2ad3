"""The tracer of C: probes by pycparser, gcc, a contained process; needs the extra `c` and gcc."""

from __future__ import annotations

from deskcheck.languages.c.tracer import run_one as run_one
from deskcheck.languages.c.tracer import trace_packed as trace_packed

NEEDS = "pycparser"
"""Package without which nothing is traced."""
