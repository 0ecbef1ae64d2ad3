"""One trace as the command line asks for it: checked options in, the program, its trace and its output out.

    run_request(TraceRequest("a.py", call="f(3)"), program_of=..) -> Recorded

How files become a Program is handed in: that is the business of the sources of programs.
"""

from __future__ import annotations

import os
import re
import stat
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
from deskcheck.tracing.trusted import run_trusted

_FORMATS = ["json", "text"]
_GRANULARITIES = [granularity.name.lower() for granularity in Granularity]


class TraceRequest(Struct, frozen=True):
    """Options of one `deskcheck trace` command."""

    file: str
    """A path, or a module's dotted name; "" where `code` is the program."""
    code: str = ""
    """Text of the program, as `python -c` takes it."""
    call: str = ""
    """"" = run it as a script."""
    arguments: list[str] = []
    """Command line of a script."""
    is_module: bool = False
    is_trusted: bool = False
    """Run it in a process of its own with everything that its user may do, not in the sandbox."""
    stdin: str = ""
    """File that a contained program reads as its input; "-" is this command's, "" is that if piped."""
    files: list[str] = []
    """More of its own modules, and data files."""
    step_in: list[str] = []
    no_step_in: list[str] = []
    granularity: str = "line"
    """line, expression or instruction."""
    format: str = "text"
    out: str = ""
    max_steps: int = 100_000
    time_limit_s: float | None = None
    """None = 10 s in the sandbox, no limit for a trusted program."""
    confirm: bool = False
    """Run it once more elsewhere; `determinism.confirmed` says whether the bytes were the same."""


class Recorded(Struct, frozen=True):
    """Result of one `deskcheck trace` command."""

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
    if not request.is_trusted:
        request = replace(request, stdin=_stdin_text(request))
    program = program_of(request)
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s or Limits().time_s)
    granularity = Granularity[request.granularity.upper()]
    bundle = bundle_of(program)
    sources = {"": program.source} | (bundle.files if bundle else {})
    if request.is_trusted:
        packed = run_trusted(
            program,
            limits,
            granularity=granularity,
            folder=_folder(request),
            time_limit_s=request.time_limit_s,
            output_to_stderr=request.format == "json",
        )
        return Recorded(program, packed, b"", sources)
    payload = encode_request(program, limits, granularity=granularity)
    job = Job("0", FUNCTION, payload, limits, files=files_of(program))
    again = [replace(job, id="1", alone=True)] if request.confirm else []
    result, *second = sandbox.run([job, *again], workers=1)
    packed = read_packed(result, program, limits)
    if second:
        packed = compared(packed, result, second[0])
    return Recorded(program, packed, result.output, sources)


def _folder(request: TraceRequest) -> Path:
    """Where the program's own files lie."""
    return Path.cwd() if request.is_module or request.code else Path(request.file).parent


def _stdin_text(request: TraceRequest) -> str:
    """Text of the program's standard input: the file that was named, or what is piped to this command.

    A pipe is read only for a program that names its input, so that one that does not never waits for its end.
    """
    name = request.stdin
    if not name and _is_piped() and _READS_STDIN.search(request.code or _source_text(request)):
        name = "-"
    if not name:
        return ""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--stdin {name} cannot be read as UTF-8 text: {error}") from None


_READS_STDIN = re.compile(r"\b(?:stdin|input|fileinput)\b|open\(\s*0\b")


def _is_piped() -> bool:
    """Whether standard input is a pipe or a file, not a terminal, a null device or nothing."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # closed, or replaced by something without a number
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _source_text(request: TraceRequest) -> str:
    """The program's own file, as far as it can be read here; what is wrong with it is said later."""
    name = request.file.replace(".", "/") + ".py" if request.is_module else request.file
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def _check(request: TraceRequest) -> None:
    if request.format not in _FORMATS:
        raise UnknownName("format", request.format, _FORMATS)
    if request.granularity not in _GRANULARITIES:
        raise UnknownName("granularity", request.granularity, _GRANULARITIES)
    if request.max_steps < 1 or (request.time_limit_s is not None and request.time_limit_s <= 0):
        raise UserError("--max-steps and --time-limit must be greater than 0")
    if not request.file and not request.code:
        raise UserError(
            "name a program: a file, -m MODULE, or -c CODE. "
            "For example: deskcheck trace examples/collatz.py --call 'f(3)'"
        )
    if request.is_trusted and (request.stdin or request.confirm):
        option = "--stdin" if request.stdin else "--confirm"
        raise UserError(
            f"{option} is for the sandbox; a trusted program has this command's own standard input"
        )
    if request.code and request.is_module:
        raise UserError("-c runs code and -m a module: give one of them")
    if request.is_module and request.call:
        raise UserError(
            "-m runs a module as a script; to trace a call, name its file: deskcheck trace FILE --call 'f(3)'"
        )
    if request.call and request.arguments:
        raise UserError(
            f"--call and the arguments {' '.join(request.arguments)!r} of a script do not go together: "
            "write the arguments into the call, or leave --call out"
        )
    if not request.is_module and not request.code:
        _check_path(request.file)
    if request.out and not request.out.endswith((".deskcheck", ".parquet")):
        raise UserError(f"--out {request.out} must end in .deskcheck or .parquet")
    if request.out and not Path(request.out).resolve().parent.is_dir():
        raise UserError(f"--out {request.out}: its folder does not exist")


def _check_path(file: str) -> None:
    path = Path(file)
    if path.is_dir():
        raise BadSource(f"{file} is a folder: name a file in it, or run its package with -m")
    if not path.is_file():
        near = sorted(found.name for found in path.parent.glob("*.py"))[:8] if path.parent.is_dir() else []
        raise BadSource(f"no such file: {file}" + (f"; there are: {', '.join(near)}" if near else ""))
