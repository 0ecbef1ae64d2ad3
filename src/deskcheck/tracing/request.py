"""One trace as the command line asks for it: checked options in, the program and its trace out.

    run_request(TraceRequest("a.py", "f(3)"), read_source=.., split_call=..) -> (Program, Trace)

How a source file is read and a call is taken apart is handed in: that is the business of the sources of
programs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import BadSource, UnknownName, UserError
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program

_FORMATS = ["json", "text"]


class TraceRequest(Struct, frozen=True):
    """Options of `deskcheck trace`."""

    file: str
    call: str
    format: str = "text"
    out: str = ""
    max_steps: int = 100_000
    time_limit_s: float = 10.0


def run_request(
    request: TraceRequest, *, read_source: Callable[[Path], str], split_call: Callable[..., tuple[str, str]]
) -> tuple[Program, Trace]:
    """The program and its trace. UserError or BadSource says what is wrong with the request."""
    path = Path(request.file)
    if request.format not in _FORMATS:
        raise UnknownName("format", request.format, _FORMATS)
    if request.max_steps < 1 or request.time_limit_s <= 0:
        raise UserError("--max-steps and --time-limit must be greater than 0")
    if not path.is_file():
        raise BadSource(f"no such file: {request.file}")
    if request.out and not request.out.endswith(".parquet"):
        raise UserError(f"--out {request.out} must end in .parquet")
    if request.out and not Path(request.out).resolve().parent.is_dir():
        raise UserError(f"--out {request.out}: its folder does not exist")
    if not request.call.strip():
        raise UserError(f"say what to call in {request.file}: --call 'f(3)'")
    source = read_source(path)
    entry, arguments = split_call(request.call, source, file=request.file)
    program = make_program(source, entry, arguments, origin=f"files:{path.as_posix()}")
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s)
    ((_, trace),) = trace_programs([program], limits, workers=1)
    return program, trace
