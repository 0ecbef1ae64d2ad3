"""Run the one request of a command line with the tracer of its file's language.

run_request(TraceRequest("a.js", call="f(3)"), program_of=program_of) -> Recorded
"""

from __future__ import annotations

from collections.abc import Callable

from deskcheck.records import Program
from deskcheck.tracing.collect import Recorded, TraceRequest
from deskcheck.tracing.collect import run_request as run_python

_ENDINGS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")


def is_javascript(request: TraceRequest) -> bool:
    """Whether the request names a file in JavaScript or TypeScript."""
    return not request.code and not request.is_module and request.file.endswith(_ENDINGS)


def run_request(request: TraceRequest, *, program_of: Callable[[TraceRequest], Program]) -> Recorded:
    """Run the requested program; `program_of` makes a Python program from files."""
    if is_javascript(request):
        from deskcheck.languages.javascript.request import run_request as run_javascript

        return run_javascript(request)
    return run_python(request, program_of=program_of)
