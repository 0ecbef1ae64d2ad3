"""Trace programs in the sandbox: many, one trace for each, or the one that the command line asks for.

    for program, trace in trace_programs(programs, Limits()): ...         in input order
    for program, packed in trace_packed(programs, Limits()): ...          the same as raw columns, for a shard
    run_request(TraceRequest("a.py", call="f(3)"), program_of=..) -> Recorded

Time and memory limits, crashes and refusals come back as traces without events and with that outcome; a
result that is no packed trace, or fails a check, is `Rejected` with the reason. Nothing raises because of a
program. A program whose text names what could reach a neighbour's run gets a child process of its own.
Of a request the options are checked first; how files become a Program is handed in: that is the business of
the sources of programs.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import BadSource, DataError, UnknownName, UserError
from deskcheck.format.buffers import Packed, packed_of, trace_of, view_of
from deskcheck.records import (
    Granularity,
    Job,
    JobDone,
    JobResult,
    Limits,
    Outcome,
    Program,
    Refused,
    Rejected,
    Trace,
)
from deskcheck.sandbox import containment
from deskcheck.sandbox.wire import Report
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.given import check_first_call
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.packed import HAS_NATIVE_CHECK, check_native, unpack, unpack_parts
from deskcheck.tracing.program import bundle_of, encode_request, files_of
from deskcheck.tracing.trusted import run_trusted

# Modules that keep no state between two programs, or only state that the sandbox resets or compares.
PURE = frozenset(
    """__future__ abc array bisect calendar cmath collections contextlib copy dataclasses datetime decimal
    enum fractions functools heapq itertools json keyword math numbers operator random re statistics string
    struct textwrap time typing unicodedata""".split()
)
# Ways to other modules' names, to frames, to the interpreter, to files.
WORDS = frozenset(
    """open exec eval compile globals locals vars getattr setattr delattr breakpoint memoryview modules stdin
    stdout stderr f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code cr_frame
    ag_frame co_code settrace setprofile setcontext register""".split()
)
# Methods that a class may define, and the few other such names of tiny programs. Not __del__: it runs when it
# likes. Not __class__, __dict__, __globals__ and the rest that lead elsewhere.
DUNDER = frozenset(
    f"__{name}__"
    for name in """init new name main future doc repr str bytes format eq ne lt le gt ge hash bool len iter
    next getitem setitem delitem contains reversed missing call enter exit aenter aexit aiter anext await add
    radd iadd sub rsub isub mul rmul imul matmul rmatmul truediv rtruediv floordiv rfloordiv mod rmod divmod
    rdivmod pow rpow and rand iand or ror ior xor rxor ixor lshift rshift neg pos abs invert int float complex
    index round trunc floor ceil slots post_init annotations length_hint""".split()
)
_NAME = re.compile(r"[^\W\d]\w*")
_FROM = re.compile(r"^[ \t]*from[ \t]+(\S+)[ \t]+import\b", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^#\n;]+)", re.MULTILINE)
_PRIVATE = re.compile(r"\b(\w+)\s*\.\s*_(?!_)\w")


def is_suspicious(text: str) -> bool:
    """Whether a program with this text is to run in a child process of its own."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)  # as the parser reads names
    words = set(_NAME.findall(text))
    if not WORDS.isdisjoint(words):
        return True
    if "__" in text and any(word.startswith("__") and word not in DUNDER for word in words):
        return True
    if "import" not in words:
        return False
    return not _imports_only_pure(text) or not PURE.isdisjoint(_PRIVATE.findall(text))


def _imports_only_pure(text: str) -> bool:
    """Whether every `import` stands at the beginning of its line and names modules of `PURE`."""
    sources = _FROM.findall(text)
    lists = _IMPORT.findall(text)
    if len(re.findall(r"\bimport\b", text)) != len(sources) + len(lists):
        return False  # after a semicolon, over several lines, in a text: not worth telling apart
    names = [*sources, *(part.split()[0] for line in lists for part in line.split(",") if part.strip())]
    return all(name.split(".")[0] in PURE for name in names)


def trace_programs(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Trace]]:
    """(program, trace) in input order; `workers` 0 = one per core, `require` = containment level needed."""
    for program, packed in trace_packed(
        programs, limits, workers=workers, require=require, granularity=granularity
    ):
        yield program, trace_of(packed)


def trace_packed(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    report: Callable[[Report], None] | None = None,
    confirm: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Packed]]:
    """The same, checked but not unpacked. `report` is given what the sandbox did, once, at the end.

    `confirm`: every program runs once more, alone in a process: company that changes a run would change a run
    in other such company too. `determinism.confirmed` says that both gave the same bytes, and a note that
    they did not.
    """
    waiting: deque[Program] = deque()

    def jobs() -> Iterator[Job]:
        number = count()
        for program in programs:
            waiting.append(program)
            yield _job(next(number), program, limits, granularity)
            if confirm:
                yield _job(next(number), program, limits, granularity, alone=True)

    results = containment.run(jobs(), workers=workers, require=require, report=report)
    for result in results:
        program = waiting.popleft()
        packed = read_packed(result, program, limits)
        yield program, compared(packed, result, next(results)) if confirm else packed


_DIFFERED = "a second run elsewhere gave other bytes"


def _job(
    number: int, program: Program, limits: Limits, granularity: Granularity, *, alone: bool = False
) -> Job:
    alone = alone or is_suspicious(program.source + program.prelude + program.arguments)
    request = encode_request(program, limits, granularity=granularity)
    return Job(str(number), FUNCTION, request, limits, alone=alone, files=files_of(program))


def compared(packed: Packed, first: JobResult, second: JobResult) -> Packed:
    """The trace with the word of a second run on it."""
    if not isinstance(first.result, JobDone):  # stopped from outside: there is nothing to confirm
        return packed
    same = second.result == first.result
    head = packed.head
    if same:
        head = replace(head, determinism=replace(head.determinism, confirmed=True))
    else:
        head = replace(head, fidelity=replace(head.fidelity, notes=sorted([*head.fidelity.notes, _DIFFERED])))
    return Packed(head, packed.columns, packed.offsets)


def read_result(result: JobResult, program: Program, limits: Limits) -> Trace:
    """The trace in a job's result; what is wrong with it is its outcome."""
    return trace_of(read_packed(result, program, limits))


def read_packed(result: JobResult, program: Program, limits: Limits) -> Packed:
    """The checked trace in a job's result; what is wrong with it is its outcome."""
    if not isinstance(result.result, JobDone):
        packed = _without_events(program, limits, result.result.outcome)
        packed.compared = [_sent(one) for one in result.compared]
        return packed
    if result.refusals:
        return _without_events(program, limits, Refused(", ".join(result.refusals)))
    try:
        done = result.result
        packed = unpack_parts(done.payload, done.parts) if done.parts else unpack(done.payload)
        check_packed(packed, program, limits, result.prepared)
        check_first_call(packed, program, limits, result.prepared)
    except DataError as error:
        return _without_events(program, limits, Rejected(f"{type(error).__name__}: {error}"[:200]))
    return packed


def check_packed(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Invalid where no tracer of ours can have written this about the program: in C where that was built."""
    if HAS_NATIVE_CHECK:
        check_native(packed, program, limits, table)
        return
    from deskcheck.tracing.reference.check import check  # where there is no compiler

    check(trace_of(packed), program, limits, table)


def _sent(result: JobResult) -> bytes:
    """What a run sent, or how it ended."""
    done = result.result
    return done.payload if isinstance(done, JobDone) else repr(done.outcome).encode("utf-8", "replace")


def _without_events(program: Program, limits: Limits, outcome: Outcome) -> Packed:
    return packed_of(empty_trace(program.id, limits, outcome))


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
    result, *second = containment.run([job, *again], workers=1)
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
