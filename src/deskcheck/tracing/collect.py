"""Trace programs in the sandbox: a stream of programs, or the one request of a command line.

    for program, trace in trace_programs(programs, Limits()): ...         in input order
    for program, packed in trace_packed(programs, Limits()): ...          the same as raw columns, for a shard
    run_request(TraceRequest("a.py", call="f(3)"), program_of=..) -> Recorded

A run that the sandbox ended (a limit of time, memory or output, a crash, a refusal) comes back as a trace
without events, with that outcome. A result that is no packed trace, or fails a check, is `Rejected` with the
reason. No program causes an exception here. A program gets a child process for itself if its text has a name
(`getattr`, `f_back`, ..) through which it could reach another program's run. `run_request` checks the options
first. Its caller passes in `program_of`, which makes a Program from files.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import unicodedata
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import count
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TextIO

from msgspec.structs import replace

from deskcheck.errors import BadSource, DataError, UnknownName, UserError
from deskcheck.format.buffers import COLUMN_NUMBER, Packed, packed_of, trace_of
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
    ValueKind,
)
from deskcheck.sandbox import containment
from deskcheck.sandbox.wire import Report
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.given import check_first_call
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.packed import HAS_NATIVE_CHECK, check_native, is_unexplained, unpack, unpack_parts
from deskcheck.tracing.program import bundle_of, encode_request, files_of
from deskcheck.tracing.redaction.tables import SIGNS
from deskcheck.tracing.requests import Recorded as Recorded
from deskcheck.tracing.requests import TraceRequest as TraceRequest
from deskcheck.tracing.trusted import run_trusted

# Modules that keep no state between two programs, or only state that the sandbox resets or compares.
PURE = frozenset(
    """__future__ abc array bisect calendar cmath collections contextlib copy dataclasses datetime decimal
    enum fractions functools heapq itertools json keyword math numbers operator random re statistics string
    struct textwrap time types typing unicodedata""".split()
)
# Names that lead to other modules' variables, to frames, to the interpreter or to files.
WORDS = frozenset(
    """open exec eval compile globals locals vars getattr setattr delattr breakpoint memoryview modules stdin
    stdout stderr f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code cr_frame
    ag_frame co_code settrace setprofile setcontext register""".split()
)
# Names in harmless modules that do the same, that run or look up a text made at run time, or that make code.
_INDIRECT = frozenset(
    """attrgetter methodcaller builtins bltns make_dataclass get_type_hints ForwardRef Formatter
    CodeType FunctionType LambdaType""".split()
)
# A pattern of a class reads the attributes that its `__match_args__` names. A class with names that are made
# at run time needs these words.
_MATCHING = {"match", "case"}
_CLASSES = {"type", "import"}
# Harmless double-underscore names: methods that a class may define, and a few others that tiny programs use.
# __del__ is missing, because it runs at an unpredictable time; __class__, __dict__, __globals__ and the like
# are missing, because they lead to other objects.
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
# `getattr(a.b, "name")` reads what `a.b.name` reads, and its name is among the words of the text.
_READS = re.compile(r"""\bgetattr\(\s*[\w.]+\s*,\s*(["'])(?!_)\w+\1\s*[,)]""")
_COMPILES = re.compile(r"(?<![\w.])re\.compile\(")
_BARE_RE = re.compile(r"(?<![\w.])re\b(?!\.)")
_IMPORT_RE = re.compile(r"^[ \t]*import[ \t]+re[ \t]*$", re.MULTILINE)


def is_suspicious(text: str) -> bool:
    """Whether a program with this text must run in a separate child process."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)  # as the parser reads names
    words = set(_NAME.findall(text))
    if not _INDIRECT.isdisjoint(words) or not all(_is_plain(word, text) for word in WORDS & words):
        return True
    if words >= _MATCHING and not _CLASSES.isdisjoint(words):
        return True
    if "__" in text and any(word.startswith("__") and word not in DUNDER for word in words):
        return True
    if "import" not in words:
        return False
    imported = _imported(text)
    return imported is None or not all(
        name in PURE and _ways_out(name).isdisjoint(words) for name in imported
    )


@cache
def _ways_out(pure: str) -> frozenset[str]:
    """Return the names by which a module of `PURE`, or one that it leads to, gives more than its public self.

    These are names of modules that are not pure (`contextlib.os`), of submodules that are not loaded
    (`json.tool`), and of what the module keeps for itself (`random._inst`). They are asked of the modules, so
    that no list of them can be incomplete.
    """
    ways: set[str] = set()
    seen: set[int] = set()  # not by name: `_collections_abc` is named as `collections.abc` is
    waiting = [import_module(pure)]
    while waiting:
        module = waiting.pop()
        if id(module) in seen:
            continue
        seen.add(id(module))
        for name, value in vars(module).items():
            if isinstance(value, ModuleType) and value.__name__.split(".")[0] in PURE:
                waiting.append(value)
            elif isinstance(value, ModuleType) or (name.startswith("_") and not name.startswith("__")):
                ways.add(name)
        inside = (one.name for one in iter_modules(getattr(module, "__path__", [])))
        ways.update(name for name in inside if f"{module.__name__}.{name}" not in sys.modules)
    return frozenset(ways)


def _is_plain(word: str, text: str) -> bool:
    """Whether a word of `WORDS` stands only for an attribute with a literal name, or for `re.compile`."""
    if word == "getattr":
        return len(re.findall(r"\bgetattr\b", text)) == len(_READS.findall(text))
    if word == "compile":  # and `re` is the module
        is_module = len(_BARE_RE.findall(text)) == len(_IMPORT_RE.findall(text))
        return is_module and len(re.findall(r"\bcompile\b", text)) == len(_COMPILES.findall(text))
    return False


def _imported(text: str) -> set[str] | None:
    """Return the packages that are imported; None if an import statement does not begin its line."""
    sources = _FROM.findall(text)
    lists = _IMPORT.findall(text)
    if len(re.findall(r"\bimport\b", text)) != len(sources) + len(lists):
        return None  # after a semicolon, over several lines or in a string: not told apart
    names = [*sources, *(part.split()[0] for line in lists for part in line.split(",") if part.strip())]
    return {name.split(".")[0] for name in names}


def trace_programs(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Trace]]:
    """Yield (program, trace) in input order.

    `workers`: 0 = one per core; `require`: the lowest containment level that is accepted. Errors as in
    `trace_packed`.
    """
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
    """Yield (program, packed trace), checked but not unpacked. `report` gets the sandbox's Report at the end.

    `confirm`: every program runs once more, in a child of another zygote (`Job.is_second`). If both runs gave
    the same bytes, `determinism.confirmed` is set; otherwise a note of the fidelity says that they
    differed. SandboxUnavailable if the containment level `require` does not hold here.
    """
    waiting: deque[Program] = deque()

    def jobs() -> Iterator[Job]:
        number = count()
        for program in programs:
            waiting.append(program)
            yield _job(next(number), program, limits, granularity)
            if confirm:
                yield _job(next(number), program, limits, granularity, is_second=True)

    results = containment.run(jobs(), workers=workers, require=require, report=report)
    for result in results:
        program = waiting.popleft()
        packed = read_packed(result, program, limits)
        yield program, compared(packed, result, next(results)) if confirm else packed


_DIFFERED = "a second run elsewhere gave other bytes"


def _job(
    number: int, program: Program, limits: Limits, granularity: Granularity, *, is_second: bool = False
) -> Job:
    alone = is_suspicious(program.source + program.prelude + program.arguments)
    request = encode_request(program, limits, granularity=granularity)
    files = files_of(program)
    return Job(str(number), FUNCTION, request, limits, alone=alone, is_second=is_second, files=files)


def compared(packed: Packed, first: JobResult, second: JobResult) -> Packed:
    """Return the trace, marked as confirmed by a second run or as different from it.

    If the sandbox stopped the first run, the trace is returned unmarked.
    """
    if not isinstance(first.result, JobDone):  # the sandbox stopped it: there is no result to confirm
        return packed
    same = second.result == first.result
    head = packed.head
    if same:
        head = replace(head, determinism=replace(head.determinism, confirmed=True))
    else:
        head = replace(head, fidelity=replace(head.fidelity, notes=sorted([*head.fidelity.notes, _DIFFERED])))
    return Packed(head, packed.columns, packed.offsets)


def read_result(result: JobResult, program: Program, limits: Limits) -> Trace:
    """Return the trace of a job's result, as `read_packed` does, unpacked."""
    return trace_of(read_packed(result, program, limits))


def read_packed(result: JobResult, program: Program, limits: Limits) -> Packed:
    """Return the checked trace of a job's result.

    If the job failed or the trace is invalid, the trace has no events and its outcome gives the reason.
    """
    if not isinstance(result.result, JobDone):
        packed = _without_events(program, limits, result.result.outcome)
        packed.compared = [_sent(one) for one in result.compared]
        return packed
    if result.refusals:
        return _without_events(program, limits, Refused(", ".join(result.refusals)))
    try:
        done = result.result
        packed = unpack_parts(done.payload, done.parts) if done.parts else unpack(done.payload)
        if is_unexplained(packed.head.outcome):
            return _without_events(program, limits, packed.head.outcome)
        check_packed(packed, program, limits, result.prepared)
        check_first_call(packed, program, limits, result.prepared)
    except DataError as error:
        return _without_events(program, limits, Rejected(f"{type(error).__name__}: {error}"[:200]))
    return packed


def check_packed(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Raise Invalid if no tracer of ours can have written this trace of the program.

    `table`: facts about the source's functions (source_facts.py), which the child made before any program
    ran. The check is the one in C if that was built.
    """
    if HAS_NATIVE_CHECK:
        check_native(packed, program, limits, table)
        return
    from deskcheck.tracing.reference.check import check  # only if the C extension was not built

    check(trace_of(packed), program, limits, table)


def _sent(result: JobResult) -> bytes:
    """Return the bytes that a run sent, or the text of its outcome."""
    done = result.result
    return done.payload if isinstance(done, JobDone) else repr(done.outcome).encode("utf-8", "replace")


def _without_events(program: Program, limits: Limits, outcome: Outcome) -> Packed:
    return packed_of(empty_trace(program.id, limits, outcome))


_FORMATS = ["json", "text"]
_GRANULARITIES = [granularity.name.lower() for granularity in Granularity]


def run_request(request: TraceRequest, *, program_of: Callable[[TraceRequest], Program]) -> Recorded:
    """Run the requested program, in the sandbox unless it is trusted.

    UserError or BadSource names the mistake in the request.
    """
    check_request(request)
    if not request.is_trusted:
        request = replace(request, stdin=_stdin_text(request))
    program = program_of(request)
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s or Limits().time_s)
    granularity = Granularity[request.granularity.upper()]
    bundle = bundle_of(program)
    sources = {"": program.source} | (bundle.files if bundle else {})
    if request.is_trusted:
        packed, output, errors = run_trusted(
            program,
            limits,
            granularity=granularity,
            folder=_folder(request, bundle.path if bundle else ""),
            time_limit_s=request.time_limit_s,
            output_to_stderr=request.format == "json",
            mask=_mask(program) if request.is_redacted or request.hides_output else None,
        )
        recorded = shared(Recorded(program, packed, output + errors, sources, is_trusted=True), request)
        printed = recorded.output
        if request.hides_output:
            printed = shared(recorded, replace(request, is_redacted=True)).output
        out = sys.stderr if request.format == "json" else sys.stdout
        for stream, data in ((out, printed[: len(output)]), (sys.stderr, printed[len(output) :])):
            _write(stream, data)
        return replace(recorded, output=b"")
    payload = encode_request(program, limits, granularity=granularity)
    job = Job("0", FUNCTION, payload, limits, files=files_of(program))
    again = [replace(job, id="1", is_second=True)] if request.confirm else []
    result, *second = containment.run([job, *again], workers=1)
    packed = read_packed(result, program, limits)
    if second:
        packed = compared(packed, result, second[0])
    return shared(Recorded(program, packed, result.output, sources), request)


def shared(recorded: Recorded, request: TraceRequest) -> Recorded:
    """Return a run as it is shown and stored: without secrets, unless the request wants it exact.

    A run in which nothing looks like the name or the form of a secret is returned unchanged.
    """
    if not request.is_redacted:
        return recorded
    kinds, data = (
        bytes(recorded.packed.columns[COLUMN_NUMBER[f"values.{name}"]]) for name in ("kind", "data")
    )
    program = recorded.program
    texts = [program.source, program.prelude, program.arguments, (data + recorded.output).decode("latin-1")]
    is_suspect = ValueKind.CONCAT in kinds or _has_own_rules() or any(map(SIGNS.search, texts))
    # Values of up to five characters are not looked for.
    secrets = [value for name, value in os.environ.items() if len(value) > 5 and SIGNS.search(name)]
    if not is_suspect and not any(value in text for value in secrets for text in texts):
        return recorded
    from deskcheck.tracing.redaction.redactor import hidden

    return hidden(recorded)


def _mask(program: Program) -> Callable[[bytes], bytes]:
    """Return a function that masks secrets in the output of a running program, as far as they are known."""

    @cache  # a program that writes to a terminal asks for each line
    def printed() -> Callable[[bytes], bytes]:
        from deskcheck.tracing.redaction.redactor import Redactor

        redactor = Redactor.here()
        redactor.learn(program, [])
        return redactor.printed

    return lambda data: printed()(data)


def _write(stream: TextIO, data: bytes) -> None:
    """Write what was held back of a trusted program's output."""
    if not data:
        return
    stream.flush()
    if hasattr(stream, "buffer"):
        stream.buffer.write(data)
    else:  # a stream that holds texts alone, as tests and notebooks have
        stream.write(data.decode("utf-8", "replace"))
    stream.flush()


def _has_own_rules() -> bool:
    try:
        return "deskcheck.redact" in Path("pyproject.toml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _folder(request: TraceRequest, path: str) -> Path:
    """Return the folder of the program's files; `path` is that of its source below this folder, if known."""
    if request.is_module or request.code:
        return Path.cwd()
    return Path(request.file).resolve().parents[path.count("/")]


def _stdin_text(request: TraceRequest) -> str:
    """Return the text of the program's standard input: a file that is named, or a pipe to this command.

    A pipe is read only if the program's text names its input. Otherwise the command would wait for the end
    of a pipe that nobody reads.
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
    """Whether standard input is a pipe, a socket or a file, not a terminal, a null device or closed."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # closed, or replaced by something without a number
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _source_text(request: TraceRequest) -> str:
    """Return the text of the program's file, "" if it cannot be read; a later step reports the error."""
    name = request.file.replace(".", "/") + ".py" if request.is_module else request.file
    try:
        return Path(name).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def check_request(request: TraceRequest) -> None:
    """Raise UserError or BadSource for a mistake in the options of a request."""
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
    if file in ("-", "/dev/stdin"):
        raise BadSource(
            f'{file}: a program is read from a file; text from a pipe: deskcheck trace -c "$(cat)"'
        )
    if not path.is_file():
        near = sorted(found.name for found in path.parent.glob("*.py"))[:8] if path.parent.is_dir() else []
        raise BadSource(f"no such file: {file}" + (f"; there are: {', '.join(near)}" if near else ""))
