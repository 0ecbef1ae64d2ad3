"""One trace as the command line asks for it: checked options in, the program, its trace and its output out.

    run_request(TraceRequest("a.py", call="f(3)"), program_of=..) -> Recorded

How files become a Program is handed in: that is the business of the sources of programs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deskcheck import sandbox
from deskcheck.errors import BadSource, UnknownName, UserError
from deskcheck.format.buffers import Packed, trace_of, view_of
from deskcheck.records import Granularity, Job, Limits, Program, Trace
from deskcheck.tracing.bundle import bundle_of
from deskcheck.tracing.collect import compared, read_packed
from deskcheck.tracing.job import FUNCTION, encode_request, files_of

_FORMATS = ["json", "text"]
_GRANULARITIES = [granularity.name.lower() for granularity in Granularity]


class TraceRequest(Struct, frozen=True):
    """Options of `deskcheck trace`."""

    file: str
    """A path, or a module's dotted name."""
    call: str = ""
    """"" = run it as a script."""
    arguments: list[str] = []
    """Command line of a script."""
    is_module: bool = False
    stdin: str = ""
    """What the program reads from its standard input."""
    files: list[str] = []
    """More of its own modules, and data files."""
    step_in: list[str] = []
    no_step_in: list[str] = []
    granularity: str = "line"
    """line, expression or instruction."""
    format: str = "text"
    out: str = ""
    max_steps: int = 100_000
    time_limit_s: float = 10.0
    confirm: bool = False
    """Run it once more elsewhere; `determinism.confirmed` says whether the bytes were the same."""


class Recorded(Struct, frozen=True):
    """What one run did."""

    program: Program
    packed: Packed
    """Its trace as it came, in memory or in a file of this process's."""
    output: bytes
    """What it printed, up to `Limits.output_bytes`."""
    sources: dict[str, str]
    """Name of a file in the trace -> its text; "" is the program's source."""

    @property
    def trace(self) -> Trace:
        """For going through it, however long it is (`buffers.view_of`)."""
        return view_of(self.packed)

    def in_memory(self) -> Trace:
        """The record itself, of lists: for a run of moderate length."""
        return trace_of(self.packed)


def run_request(request: TraceRequest, *, program_of: Callable[[TraceRequest], Program]) -> Recorded:
    """Run it in the sandbox. UserError or BadSource says what is wrong with the request."""
    _check(request)
    program = program_of(request)
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s)
    granularity = Granularity[request.granularity.upper()]
    payload = encode_request(program, limits, granularity=granularity)
    job = Job("0", FUNCTION, payload, limits, files=files_of(program))
    again = [replace(job, id="1", alone=True)] if request.confirm else []
    result, *second = sandbox.run([job, *again], workers=1)
    packed = read_packed(result, program, limits)
    if second:
        packed = compared(packed, result, second[0])
    bundle = bundle_of(program)
    sources = {"": program.source} | (bundle.files if bundle else {})
    return Recorded(program, packed, result.output, sources)


def read_stdin(name: str) -> str:
    """Text of the file that a program reads from its standard input; "-" is ours, "" is none."""
    if not name:
        return ""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--stdin {name} cannot be read as UTF-8 text: {error}") from None


def _check(request: TraceRequest) -> None:
    if request.format not in _FORMATS:
        raise UnknownName("format", request.format, _FORMATS)
    if request.granularity not in _GRANULARITIES:
        raise UnknownName("granularity", request.granularity, _GRANULARITIES)
    if request.max_steps < 1 or request.time_limit_s <= 0:
        raise UserError("--max-steps and --time-limit must be greater than 0")
    if request.is_module and request.call:
        raise UserError(
            "-m runs a module as a script; to trace a call, name its file: deskcheck trace FILE --call 'f(3)'"
        )
    if request.call and request.arguments:
        raise UserError(
            f"--call and the arguments {' '.join(request.arguments)!r} of a script do not go together: "
            "write the arguments into the call, or leave --call out"
        )
    if not request.is_module:
        _check_path(request.file)
    if request.out and not request.out.endswith(".parquet"):
        raise UserError(f"--out {request.out} must end in .parquet")
    if request.out and not Path(request.out).resolve().parent.is_dir():
        raise UserError(f"--out {request.out}: its folder does not exist")


def _check_path(file: str) -> None:
    path = Path(file)
    if path.is_dir():
        raise BadSource(f"{file} is a folder: name a file in it, or run its package with -m")
    if not path.is_file():
        near = sorted(found.name for found in path.parent.glob("*.py"))[:8] if path.parent.is_dir() else []
        raise BadSource(f"no such file: {file}" + (f"; there are: {', '.join(near)}" if near else ""))
