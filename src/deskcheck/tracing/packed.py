"""Pack a trace into one byte string and unpack it strictly; save one run in a small file, without Arrow.

    pack(packed_of(trace)) -> bytes         the result that a child process sends to its parent
    unpack(data) -> Packed                  raises Malformed, and no other error, for any other bytes
    pack_head(head), unpack_parts(data, parts)      for a long trace, whose columns came as parts of a file
    write_run("run.deskcheck", program, packed)
    read_run("run.deskcheck") -> (Program | None, Packed)

    magic "dktrace1" | u32 length of the head | head (msgpack) | zeros to a multiple of 8
    | the recorded columns in the order of `buffers.COLUMNS`, each followed by zeros to a multiple of 8
    long: magic "dktrhead" | u32 length of the head | head. Each part is a column, by its number; the part
    with the number OFFSETS holds the offsets of values.data
    file: magic "dkrun001" | zlib of: u32 length of the program | the program (msgpack, texts escaped; empty
    if it is not known) | the packed trace

A trace has exactly one byte string: a head with another encoding, an extra byte or padding that is not zero
is refused. Sizes are compared with the length of the data before anything is allocated; columns of large
traces are views, not copies. Nothing is unpickled or evaluated. Reading a file is just as strict and bounded:
a file that `write_run` did not make raises DataError.

    check_native(packed, program, limits, table) -> None      Invalid with the reason; a child may have lied
    check_head(..), check_ending(..)         claims of the head; shared with reference/check.py

The check runs in C if the C extension was built, else in Python (reference/check.py).
`table`: facts about the source's functions (source_facts.py), made before any program ran.
The check needs: a trace of this program with these limits; columns of equal length; every handle, object,
frame and name in range; kinds that exist; values that can be read; keys and positions where they belong;
frames that nest (each thread by itself); lines that the function has; steps that count line events; a
returned value that is the outcome; a replay without a failure.
It does not compare the values with those that the program computed. A program that rewrites the tracer's
memory consistently is not detected here. Line numbers of files other than the program's source are not
compared with the lines of those files.
"""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import (
    BUFFER_GROUPS,
    BUFFER_WIDTHS,
    BYTES_OF,
    COLUMNS,
    EMPTY,
    GROUPS,
    MARK,
    TEXTS,
    Buffer,
    Head,
    Packed,
    escape,
    unescape,
)
from deskcheck.format.files import replacing
from deskcheck.records import (
    FORMAT_VERSION,
    CompileFailure,
    Crashed,
    Determinism,
    Fidelity,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    TimeLimit,
)
from deskcheck.records.job import UNEXPLAINED
from deskcheck.tracing.execution import CHANGED, MADE_ELSEWHERE, PUT_OUT
from deskcheck.tracing.replay import SETTLED
from deskcheck.tracing.source_facts import Table, read_table

if TYPE_CHECKING:
    from pathlib import Path

_native: ModuleType | None
try:
    from deskcheck.tracing import _native
except ImportError:  # no compiler when this was installed
    _native = None

MAGIC, HEAD_MAGIC = b"dktrace1", b"dktrhead"
_START = len(MAGIC) + 4
_COPIED = 1 << 17  # bytes: the columns of smaller traces are copied when they are unpacked
OFFSETS = len(COLUMNS)
"""Number of the part that holds the offsets of values.data."""
_PADDING = [bytes(-n % 8) for n in range(8)]
_ESCAPED = MARK.encode()
_BITS = {"value": 31, "line": 31, "limit": 63, "limit_bytes": 63}  # bits of each number of an outcome
# The limits that are whole numbers.
_limits = attrgetter(*(name for name in Limits.__struct_fields__ if name != "time_s"))
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Head).decode


class Malformed(DataError):
    """Rejection of bytes that `pack` cannot have made."""


def pack(packed: Packed) -> bytes:
    """Return the byte string of a trace."""
    head = _encode(packed.head)
    if _native is not None:
        start = MAGIC + len(head).to_bytes(4, "little") + head
        joined: bytes = _native.join(start, packed.head.present, packed.columns, packed.offsets, TEXTS)
        return joined
    parts: list[Buffer] = [MAGIC, len(head).to_bytes(4, "little"), head]
    parts.append(_PADDING[(_START + len(head)) % 8])
    present = packed.head.present
    for number, column in enumerate(packed.columns):
        if not present >> number & 1:
            continue
        if number == TEXTS:
            parts.append(packed.offsets)
            parts.append(_PADDING[len(packed.offsets) % 8])
        parts.append(column)
        parts.append(_PADDING[len(column) % 8])
    return b"".join(parts)


def pack_head(head: Head) -> bytes:
    """Return the bytes of a trace's head alone; its columns were sent as parts."""
    data = _encode(head)
    return HEAD_MAGIC + len(data).to_bytes(4, "little") + data


def unpack_parts(data: bytes, parts: Mapping[int, memoryview]) -> Packed:
    """Join a head and its columns, which came as parts. Malformed if they are not exactly those it names."""
    head, at = _head_of(data, HEAD_MAGIC)
    if at != len(data):
        raise Malformed(f"{len(data) - at} bytes after the head")
    columns: list[Buffer] = [EMPTY] * len(COLUMNS)
    offsets: Buffer = EMPTY
    expected = set()
    for number, group, width in _present(head.present)[0]:
        columns[number] = parts.get(number, EMPTY)
        length = head.counts[group] * width
        expected.add(number)
        if not width:
            offsets = parts.get(OFFSETS, EMPTY)
            expected.add(OFFSETS)
            length = _end_of(offsets, head.counts[group])
        if len(columns[number]) != length:
            raise Malformed(f"column {COLUMNS[number][0]} has {len(columns[number])} bytes, not {length}")
    if not parts.keys() <= expected:
        raise Malformed("parts that the head does not name")
    return Packed(head, columns, offsets)


def _head_of(data: bytes, magic: bytes) -> tuple[Head, int]:
    """Return the head and the position of its end."""
    size = int.from_bytes(data[8:_START], "little")
    at = _START + size
    if data[:8] != magic or len(data) < at:
        raise Malformed("not a packed trace: its first bytes are not those of one")
    raw = data[_START:at]
    try:
        head = _decode(raw)
        same = _encode(head) == raw
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise Malformed(f"head: {error}") from None
    if not same:
        raise Malformed("head: not written as we write it")
    if _ESCAPED in raw:
        _check_texts(head)
    _check_numbers(head)
    return head, at


def unpack(data: bytes) -> Packed:
    """Return the head and views of the columns. Malformed if `pack` would have written something else."""
    head, at = _head_of(data, MAGIC)
    if _native is not None and len(data) < _COPIED:
        found = _native.split(data, at, head.present, head.counts, BUFFER_WIDTHS, BUFFER_GROUPS)
        if found is not None:  # else the code below raises the error that names what does not fit
            return Packed(head, *found)
    # Small traces are copied: views of their columns would be 20 objects for the garbage collector to follow.
    view: Buffer = data if len(data) < _COPIED else memoryview(data)
    columns: list[Buffer] = [EMPTY] * len(COLUMNS)
    offsets: Buffer = EMPTY
    end = _padded(data, at)
    counts = head.counts
    for number, group, width in _present(head.present)[0]:
        n = counts[group]
        if width:
            last = end + n * width
        else:
            offsets = view[end : end + 4 * (n + 1)]
            end = _padded(data, end + 4 * (n + 1))
            last = end + _end_of(offsets, n)
        if last > len(data):
            raise Malformed(f"column {COLUMNS[number][0]} ends after the data")
        columns[number] = view[end:last]
        end = last if not last & 7 else _padded(data, last)
    if end != len(data):
        raise Malformed(f"{len(data) - end} bytes after the last column")
    return Packed(head, columns, offsets)


def _padded(data: bytes, at: int) -> int:
    """Return the next multiple of 8; the bytes up to it must be zeros."""
    n = -at % 8
    if data[at : at + n] != _PADDING[at % 8]:
        raise Malformed(f"no padding at byte {at}")
    return at + n


@lru_cache(maxsize=64)
def _present(bits: int) -> tuple[list[tuple[int, int, int]], tuple[bool, ...]]:
    """Return the columns of a bit mask (number, group, width; 0 = bytes), and whether each group has any."""
    columns = [
        (number, group, BYTES_OF.get(letter, 0))
        for number, (_, group, letter) in enumerate(COLUMNS)
        if bits >> number & 1
    ]
    groups = {group for _, group, _ in columns}
    return columns, tuple(group in groups for group in range(len(GROUPS)))


def _check_numbers(head: Head) -> None:
    """Raise Malformed if a number does not fit its column, or if counts and columns contradict each other."""
    outcome, counts = head.outcome, head.counts
    fits = max(_limits(head.limits)) >> 63 <= 0 and head.format_version >> 15 in (0, -1)
    for name in outcome.__struct_fields__:
        if name in _BITS:
            fits = fits and getattr(outcome, name) >> _BITS[name] in (0, -1)
    for _, file, line, _ in head.codes:
        fits = fits and file >> 31 in (0, -1) and line >> 31 in (0, -1)
    if not fits:
        raise Malformed("a number in the head that no column holds")
    if head.present >> len(COLUMNS) or min(counts) < 0 or max(counts) >> 31:
        raise Malformed("counts or columns that cannot be")
    if _present(head.present)[1] != tuple(map(bool, counts)):
        raise Malformed("a group with entries and no columns, or the other way round")


def _end_of(offsets: Buffer, n: int) -> int:
    """Return the last of n + 1 offsets. Malformed if they do not begin at 0 or if they decrease."""
    ends = array("i")
    if len(offsets) == 4 * (n + 1):
        ends.frombytes(offsets)
    if not ends or ends[0] or not _ascending(ends):
        raise Malformed("offsets of values.data do not follow each other")
    return ends[-1]


def _ascending_slowly(numbers: array[int]) -> bool:
    return all(a <= b for a, b in pairwise(numbers))


_ascending: Callable[[array[int]], bool] = getattr(_native, "ascending", _ascending_slowly)


def _check_texts(head: Head) -> None:
    """Raise Malformed if a text is not escaped as `escape` does it."""
    texts = [head.program_id, head.language, head.runtime, *head.names]
    texts += [text for code in head.codes for text in (code[0], code[3])]
    for record in (head.fidelity, head.determinism, head.outcome):
        for name in record.__struct_fields__:
            value = getattr(record, name)
            texts += [value] if isinstance(value, str) else value if isinstance(value, list) else []
    for text in texts:
        try:
            plain = escape(unescape(text)) == text
        except (ValueError, OverflowError):
            plain = False
        if not plain:
            raise Malformed(f"a text that is escaped otherwise: {text[:40]!r}")


RUN_MAGIC = b"dkrun001"
SUFFIX = ".deskcheck"
MAX_BYTES = 4 << 30
"""Largest uncompressed size of a run that is read; a file that would grow beyond it is refused."""
_FIELDS = tuple(Program.__struct_fields__)


def write_run(path: str | Path, program: Program | None, packed: Packed) -> None:
    """Write one run, whole or not at all. DataError if the disk refuses it."""
    texts = [escape(getattr(program, name)) for name in _FIELDS] if program is not None else []
    described = msgspec.msgpack.encode(texts) if texts else b""
    data = len(described).to_bytes(4, "little") + described + pack(packed)
    from pathlib import Path

    with replacing(Path(path)) as file:
        file.write(RUN_MAGIC + zlib.compress(data, 6))


def read_run(path: str | Path) -> tuple[Program | None, Packed]:
    """Read one run. UserError if there is no such file, DataError if `write_run` did not make it."""
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except FileNotFoundError:
        raise UserError(f"no such file: {path}") from None
    if not raw.startswith(RUN_MAGIC):
        raise DataError(
            f"{path} is not a saved run: its first bytes are not those of a {SUFFIX} file; record it again"
        )
    try:
        reader = zlib.decompressobj()
        data = reader.decompress(raw[len(RUN_MAGIC) :], MAX_BYTES)
        if not reader.eof or reader.unused_data:
            raise DataError("it is cut, longer than it says, or larger than 4 GB")
        size = int.from_bytes(data[:4], "little")
        program = _program(data[4 : 4 + size]) if size else None
        return program, unpack(data[4 + size :])
    except (zlib.error, msgspec.MsgspecError, UnicodeError, DataError) as error:
        raise DataError(f"{path} is not a readable run: {error}; record it again") from None


def _program(data: bytes) -> Program:
    texts = msgspec.msgpack.decode(data, type=list[str])
    if len(texts) != len(_FIELDS):
        raise DataError(f"its program has {len(texts)} fields, not {len(_FIELDS)}")
    return Program(**dict(zip(_FIELDS, map(unescape, texts), strict=True)))


def is_run(path: str | Path) -> bool:
    """Whether a file begins with the first bytes of a saved run."""
    with open(path, "rb") as file:
        return file.read(len(RUN_MAGIC)) == RUN_MAGIC


class Invalid(DataError):
    """Rejection of a trace that contradicts itself or its program."""


# ------------------------------------------------------------------ the head


def check_head(
    version: int, language: str, ours: Limits, determinism: Determinism, *, program: Program, limits: Limits
) -> None:
    """Raise Invalid if the head names another format, language or limits, or claims to be confirmed."""
    need(version == FORMAT_VERSION, f"format version {version}")
    need(language == program.language, f"language {language[:32]!r}")
    need(ours == limits, "limits are not those of the request")
    need(not determinism.confirmed, "a run that says itself that another one confirmed it")


def check_ending(outcome: Outcome, limits: Limits, *, n_steps: int, n_events: int) -> None:
    """Raise Invalid if no tracer can have written this outcome.

    Only the parent process can find a time limit, a crash or a rejection, so no trace may claim these.
    """
    tag = str(outcome.__struct_config__.tag)
    need(not isinstance(outcome, TimeLimit | Crashed | Rejected), f"a run that says itself: {tag}")
    if isinstance(outcome, StepLimit):
        need(n_steps == outcome.limit == limits.max_steps, "step limit without its steps")
    elif isinstance(outcome, MemoryLimit):
        need(outcome.limit_bytes == limits.memory_bytes, "memory limit that is not that of the request")
    elif isinstance(outcome, OutputLimit):
        allowed = {"trace": limits.trace_bytes, "output": limits.output_bytes}
        need(outcome.limit_bytes == allowed.get(outcome.what), "output limit that is not that of the request")
    elif isinstance(outcome, CompileFailure):
        need(not n_events, "events of a source that did not compile")


def is_unexplained(outcome: Outcome) -> bool:
    """Whether the core itself rejected the run; this is the one check whose result a child may report."""
    return (
        isinstance(outcome, Rejected) and outcome.check.startswith(UNEXPLAINED) and len(outcome.check) <= 200
    )


def how_of(outcome: Outcome) -> tuple[int, int]:
    """Return the outcome's kind as in check.c (0 OTHER, 1 RETURNED, 2 RAISED), and its value's handle."""
    if isinstance(outcome, Returned):
        return 1, outcome.value
    return (2, outcome.value) if isinstance(outcome, Raised) else (0, -1)


def flags_of(fidelity: Fidelity) -> int:
    """Return the flags of check.c (1 MADE_ELSEWHERE, 2 PUT_OUT, 4 CHANGED_CODE) for the notes of a trace."""
    notes = fidelity.notes
    return (MADE_ELSEWHERE in notes or SETTLED in notes) + 2 * (PUT_OUT in notes) + 4 * (CHANGED in notes)


def known_lines(program: Program, table: bytes) -> Table | None:
    """Return the lines of the program's functions; None for a language other than Python.

    Invalid if the table is empty, because a source that does not compile has no events.
    """
    if program.language != "python":
        return None
    need(bool(table), "events of a source that does not compile")
    return read_table(table)


def lines_of_code(known: Table | None, name: str, first_line: int) -> tuple[bytes | None, bytes]:
    """Return a function's lines, and the pairs of lines that can follow each other (`source_facts.Table`).

    (None, b"") if nothing is known. Invalid if the source has no such function.
    """
    if known is None:
        return None, b""
    lines = known.lines(name, first_line)
    need(lines is not None, f"the source has no {name[:64]!r} on line {first_line}")
    return lines, known.flow(name, first_line)


# ------------------------------------------------------------------ the columns, one by one


def need(holds: bool, what: str) -> None:
    """Raise Invalid with the reason `what`, unless the condition holds."""
    if not holds:
        raise Invalid(what)


try:
    from deskcheck.tracing import _native

    _check = getattr(_native, "check", None)
except ImportError:  # no compiler when this was installed
    _check = None
HAS_NATIVE_CHECK = _check is not None


def check_native(packed: Packed, program: Program, limits: Limits, table: bytes) -> None:
    """Raise Invalid if no tracer of ours can have written this trace; call it only if HAS_NATIVE_CHECK."""
    assert _check is not None
    head = packed.head
    n_events, outcome = packed.n_events, packed.outcome
    need(packed.program_id == program.id, f"program id {head.program_id[:32]!r}, expected {program.id}")
    check_head(
        head.format_version, head.language, head.limits, head.determinism, program=program, limits=limits
    )
    check_ending(outcome, limits, n_steps=packed.n_steps, n_events=n_events)
    how, value = how_of(outcome)
    known = known_lines(program, table) if n_events else None
    codes = [
        (file, *(lines_of_code(known, name, line) if not file and n_events else (None, b"")))
        for name, file, line, _ in head.codes
    ]
    wrong = _check(
        packed.columns, packed.offsets, head.counts, codes, len(head.names), program.source.count("\n") + 1,
        how, value, flags_of(head.fidelity),
    )  # fmt: skip
    need(wrong is None, wrong)
