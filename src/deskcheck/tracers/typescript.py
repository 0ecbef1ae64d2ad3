"""The tracer of TypeScript: that of JavaScript, once the types in the source have been replaced by spaces."""

from __future__ import annotations

from deskcheck.languages.javascript.tracer import run_one as run_one
from deskcheck.languages.javascript.tracer import trace_packed as trace_packed

NEEDS = "py_mini_racer"
"""Package without which nothing is traced."""
