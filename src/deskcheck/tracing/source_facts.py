"""Collect facts about a source before it runs: lines, entry, globals, reads that may not repeat.

    table_of_code(code, source, "f") -> bytes   called in the child that compiles the source (line_table.c)
    read_table(data) -> Table                   called in the parent, which parses no source of a program
    .lines("f", 1) -> bytes, 1 at the number of each of its lines; .definition -> Definition | None
    .flow("f", 1) -> pairs of lines that can follow each other, b"" if that is not known
    table_of(program) -> bytes                  compiled in this process: for trusted programs
    global_names(code) -> names of the module that the file's functions and classes read or write
    module_names(code) -> the same, and for a module's own body every name that it uses
    codes_in(namespace, filename) -> code of the functions and classes that a module made in that file
    reads(code)        -> subset of environment, entropy, files, identity, random, time
    notes(code)        -> warnings about threads and processes that will not be recorded

A table is msgpack: [definition or nil, [[qualified name, first line, first, bits, flow], ..]], a row for each
code object. `bits` has a byte for each line from `first` on; `flow` has pairs of int32, the line events that
can follow each other in one frame (line_flow.c). The child makes the table before any program runs in it, so
the table is as reliable as one made here; reading it is strict and bounded all the same.
A scan of names is coarse: it may note code that never runs, and misses names reached by getattr or eval.
"""

from __future__ import annotations

import builtins
import dis
import inspect
import random
from array import array
from collections.abc import Container, Iterable, Iterator
from functools import lru_cache
from opcode import opmap
from types import CodeType, FunctionType

import msgspec
from msgspec import Struct

from deskcheck.errors import DataError
from deskcheck.records import Program
from deskcheck.tracing.access import _native, type_dict
from deskcheck.tracing.codes import ENDS, JUMPS, JUMPS_ALWAYS, code_objects, exception_handlers

_STORES = {opmap[name] for name in ("STORE_NAME", "STORE_GLOBAL", "DELETE_NAME", "DELETE_GLOBAL")}
_GLOBAL_STORES = {opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL")}
# Instructions between the making of a function and the store of its name.
_PASSED = {opmap[name] for name in ("CACHE", "SET_FUNCTION_ATTRIBUTE") if name in opmap}
_LAZY = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_MOST_LINES = 1 << 24  # largest line number at which a function of a table may begin
# Instructions that cause no line event, at least in one version of Python.
_SILENT = frozenset(
    "RESUME END_FOR POP_ITER END_SEND END_ASYNC_FOR COPY_FREE_VARS MAKE_CELL RETURN_GENERATOR".split()
)
# What stands for a return and for a yield among the lines that can follow (`Table.flow`).
_MARKS = {-1: ("RETURN_VALUE", "RETURN_CONST"), -2: ("YIELD_VALUE",)}


class Definition(Struct, frozen=True, array_like=True):
    """A function that its module defines once, without a decorator."""

    name: str
    first_line: int
    positional: list[str]
    keyword_only: list[str]
    rest: str
    """Name of `*rest`, "" without one."""
    keywords: str
    """Name of `**keywords`, "" without one."""
    is_lazy: bool
    """Whether the call itself runs none of its lines: a generator or coroutine."""


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    definition: Definition | None
    rows: list[tuple[str, int, int, bytes, bytes]]


class Table:
    """Facts about one source: lines and flow of its functions, and the definition of its entry."""

    __slots__ = ("_known", "_rows", "definition")

    def __init__(
        self, definition: Definition | None, rows: dict[tuple[str, int], list[tuple[int, bytes, bytes]]]
    ) -> None:
        self.definition = definition
        """Definition of the entry; None if the name may get another meaning."""
        self._rows = rows
        self._known: dict[tuple[str, int], bytes] = {}

    def lines(self, name: str, first_line: int) -> bytes | None:
        """Return bytes with 1 at the number of each line of the function; None for an unknown function."""
        key = name, first_line
        if key not in self._known and key in self._rows:
            self._known[key] = _joined(self._rows[key])
        return self._known.get(key)

    def flow(self, name: str, first_line: int) -> bytes:
        """Return pairs of int32, a line and a line that can follow it; b"" if they are not known.

        As the first of a pair, -1 is the beginning. As the second, -1 is a return and -2 a yield.
        """
        return b"".join(flow for _, _, flow in self._rows.get((name, first_line), ()))


def _joined(rows: list[tuple[int, bytes, bytes]]) -> bytes:
    first, bits, _ = rows[0]
    if len(rows) == 1:
        return bytes(first) + bits
    # Two lambdas on one line share a key.
    joined = bytearray(max(first + len(bits) for first, bits, _ in rows))
    for first, bits, _ in rows:
        for at, bit in enumerate(bits, first):
            joined[at] |= bit
    return bytes(joined)


_decode = msgspec.msgpack.Decoder(_Message).decode


@lru_cache(maxsize=64)
def read_table(data: bytes) -> Table:
    """Read a table from bytes. DataError if they are not a table."""
    try:
        message = _decode(data)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise DataError(f"no table of lines: {error}") from None
    rows: dict[tuple[str, int], list[tuple[int, bytes, bytes]]] = {}
    for name, first_line, first, bits, flow in message.rows:
        if not 0 <= first <= _MOST_LINES:
            raise DataError(f"no table of lines: a function that begins at line {first}")
        if len(flow) % 8:
            raise DataError("no table of lines: half a pair")
        rows.setdefault((name, first_line), []).append((first, bits, flow))
    return Table(message.definition, rows)


def table_of(program: Program) -> bytes:
    """Make the table of a program, which is compiled here; empty if it does not compile."""
    try:
        code = compile(program.source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return b""
    return table_of_code(code, program.source, program.entry)


def table_of_code(code: CodeType, source: str, entry: str) -> bytes:
    """Make the table of a module's code, with the definition of its function `entry`."""
    name = entry if entry.isidentifier() and "import *" not in source else None
    if _native is not None:
        return _native.line_table(code, name)
    return made_here(code, name)


# ------------------------------------------------------------------ without the C extension


def made_here(code: CodeType, entry: str | None) -> bytes:
    """Make the table in Python, equal to that of line_table.c."""
    rows = []
    for inner in code_objects(code):
        lines = {line for _, _, line in inner.co_lines() if line is not None}
        first = min(lines, default=0)
        bits = bytes(line in lines for line in range(first, max(lines, default=-1) + 1))
        flow = array("i", [line for pair in flow_made_here(inner) for line in pair]).tobytes()
        rows.append((inner.co_qualname, inner.co_firstlineno, first, bits, flow))
    return msgspec.msgpack.encode(_Message(_definition_of(code, entry) if entry is not None else None, rows))


def flow_made_here(code: CodeType) -> list[tuple[int, int]]:
    """Return the same pairs as line_flow.c, ascending.

    From each line, the instructions are followed, by jumps and handlers too, to those of another line, whose
    line event can come next. At some instructions a new line may cause no event: these are passed.
    """
    found = [pair for pair in dis.get_instructions(code) if pair.opname != "CACHE"]
    lines = [-1 if line is None else line for line, *_ in code.co_positions()]
    at = {pair.offset: index for index, pair in enumerate(found)}
    handlers = {}
    for start, end, target, _, _ in exception_handlers(code):
        handlers.update({index: at[target] for offset, index in at.items() if start <= offset < end})
    begin = next((index for index, pair in enumerate(found) if pair.opname == "RESUME"), 0)
    starts: dict[int, list[int]] = {-1: [begin]}
    for index, pair in enumerate(found):
        starts.setdefault(lines[pair.offset // 2], [begin]).append(index)
    quiet = _quiet(found, lines)
    pairs: set[tuple[int, int]] = set()
    for line, first in starts.items():
        seen, work, can_repeat = set(), first[1:] if line >= 0 else first[:1], False
        while work:
            index = work.pop()
            if index in seen:
                continue
            seen.add(index)
            pair, here = found[index], lines[found[index].offset // 2]
            if here >= 0 and here != line:
                pairs.add((line, here))
                if pair.opname not in _SILENT and index not in quiet:
                    continue
            handler = handlers.get(index)
            can_repeat |= pair.opcode in JUMPS or here != line
            can_repeat |= handler is not None and lines[found[handler].offset // 2] == line
            pairs |= {(line, mark) for mark, names in _MARKS.items() if pair.opname in names}
            if pair.opname not in ENDS and pair.opname not in JUMPS_ALWAYS and index + 1 < len(found):
                work.append(index + 1)
            if pair.opcode in JUMPS:
                work.append(at[pair.argval])
            if handler is not None:
                work.append(handler)
        if line >= 0 and can_repeat:
            pairs.add((line, line))
    return sorted(pairs)


def _quiet(instructions: list[dis.Instruction], lines: list[int]) -> set[int]:
    """Return the instructions after the end of a loop at which a new line may cause no event."""
    quiet: set[int] = set()
    before, is_behind = -1, False
    for index, instruction in enumerate(instructions):
        if instruction.opname in _SILENT:
            is_behind = True
            continue
        here = lines[instruction.offset // 2]
        if here == before and (is_behind or index - 1 in quiet):
            quiet.add(index)
        before, is_behind = here, False
    return quiet


def _definition_of(module: CodeType, entry: str) -> Definition | None:
    """Return the module's definition of its entry; None if there is not exactly one undecorated `def`."""
    if entry not in module.co_names:
        return None
    stores = _stores(module, entry, _STORES)
    others = [code for code in code_objects(module) if code is not module and entry in code.co_names]
    if len(stores) != 1 or any(_stores(code, entry, _GLOBAL_STORES) for code in others):
        return None
    code = _made_before(module, stores[0])
    if code is None:
        return None
    names, flags = code.co_varnames, code.co_flags
    n_plain, n_named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    rest = names[n_named : n_named + bool(flags & inspect.CO_VARARGS)]
    last = n_named + len(rest)
    keywords = names[last : last + bool(flags & inspect.CO_VARKEYWORDS)]
    return Definition(
        code.co_qualname, code.co_firstlineno, list(names[:n_plain]), list(names[n_plain:n_named]),
        "".join(rest), "".join(keywords), bool(flags & _LAZY),
    )  # fmt: skip


def _stores(code: CodeType, name: str, operations: set[int]) -> list[int]:
    """Return the positions of the instructions that bind or delete the name."""
    units, index = code.co_code, code.co_names.index(name)
    places, high = [], 0
    for at in range(0, len(units), 2):
        operation = units[at]
        if operation == opmap["EXTENDED_ARG"]:
            high = (high | units[at + 1]) << 8
            continue
        if operation in operations and high | units[at + 1] == index:
            places.append(at)
        high = 0
    return places


def _made_before(module: CodeType, at: int) -> CodeType | None:
    """Return the code of the function made by the instruction before `at`; None if it makes none."""
    units = module.co_code
    at -= 2
    while at >= 0 and units[at] in (_PASSED | {opmap["EXTENDED_ARG"]}):
        at -= 2
    if at < 2 or units[at] != opmap["MAKE_FUNCTION"] or units[at - 2] != opmap["LOAD_CONST"]:
        return None
    number, shift, at = units[at - 1], 8, at - 4
    while at >= 0 and units[at] == opmap["EXTENDED_ARG"]:
        number |= units[at + 1] << shift
        shift, at = shift + 8, at - 2
    made = module.co_consts[number]
    return made if isinstance(made, CodeType) else None


_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]  # its lowest bit is not part of the name's number
_GLOBAL = frozenset(dis.opmap[f"{what}_GLOBAL"] for what in ("LOAD", "STORE", "DELETE"))
_NAME = frozenset(dis.opmap[f"{what}_NAME"] for what in ("LOAD", "STORE", "DELETE"))
_READING = frozenset(dis.opmap[f"LOAD_{what}"] for what in ("GLOBAL", "NAME"))
_BINDS = frozenset(dis.opmap[f"STORE_{what}"] for what in ("GLOBAL", "NAME"))
_BINDERS = frozenset("globals locals vars exec eval setattr __setattr__ __dict__ f_globals f_locals".split())
_READS = {
    "time": set(
        """time perf_counter monotonic process_time thread_time time_ns perf_counter_ns monotonic_ns
        process_time_ns thread_time_ns clock_gettime clock_gettime_ns localtime gmtime ctime default_timer now
        today utcnow""".split()
    ),
    "random": {*random.__all__} - {"Random", "SystemRandom", "seed", "getstate", "setstate"},
    "entropy": set(
        "urandom getrandom secrets SystemRandom uuid1 uuid4 token_hex token_bytes token_urlsafe".split()
    ),
    "environment": set(
        """environ getenv getcwd argv stdin input getpid getppid uname platform gethostname cpu_count getuid
        getgid getlogin getuser expanduser get_terminal_size getloadavg""".split()
    ),
    "identity": {"id"},
}
_LOOKS = frozenset(
    """open listdir scandir walk fwalk stat lstat access readlink exists lexists isfile isdir islink ismount
    getsize getmtime getatime getctime samefile glob iglob rglob iterdir is_file is_dir is_symlink is_mount
    read_text read_bytes""".split()
)
"""Names that ask for files, in a program that also names a module of _OF_FILES."""
_OF_FILES = frozenset("os posix io codecs pathlib glob shutil gzip bz2 lzma zipfile tarfile".split())
_NOTED = frozenset({"start_new_thread", "multiprocessing", "fork"})
_SIGNS = _NOTED.union(_LOOKS, *_READS.values())
_MODULES = {"time": {"time", "datetime"}, "random": {"random", "numpy"}}


def global_names(code: CodeType) -> list[str]:
    """Return the module-level names that the file's functions and classes use, in order of appearance."""
    return _native.global_names(code) if _native is not None else global_names_here(code)


def global_names_here(code: CodeType) -> list[str]:
    """Return the names of `global_names` without using the C extension."""
    names: dict[str, None] = {}
    for inner in code_objects(code):
        if not inner.co_names:
            continue
        in_class = not inner.co_flags & 1 and inner is not code
        wanted = _GLOBAL | _NAME if in_class else _GLOBAL
        for opcode, argument in _instructions(inner.co_code, wanted):
            names[inner.co_names[argument >> 1 if opcode == _LOAD_GLOBAL else argument]] = None
    return list(names)


def _instructions(raw: bytes, wanted: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Yield (opcode, argument) of the wanted opcodes.

    A loop over all instructions would take longer than tracing a short program.
    """
    opcodes = raw[::2]
    places = []
    for opcode in wanted:
        at = opcodes.find(opcode)
        while at >= 0:
            places.append(at)
            at = opcodes.find(opcode, at + 1)
    for place in sorted(places):
        argument, before, shift = raw[2 * place + 1], place - 1, 8
        while before >= 0 and opcodes[before] == dis.EXTENDED_ARG:
            argument |= raw[2 * before + 1] << shift
            before, shift = before - 1, shift + 8
        yield opcodes[place], argument


def module_names(code: CodeType) -> list[str]:
    """Return all names that the code uses, if it is a module's body; else those of `global_names`."""
    if code.co_name != "<module>":
        return global_names(code)
    stored: dict[str, None] = {}
    for _, argument in _instructions(code.co_code, _NAME):
        stored[code.co_names[argument]] = None
    return list(stored | dict.fromkeys(global_names(code)))


def own_names(names: Iterable[str], codes: Iterable[CodeType], namespace: Container[str]) -> list[str]:
    """Return those of the names that are the module's: a builtin's name is only if the module binds it.

    `codes` may bind it: by a statement, or because it names a way to the namespace as a whole.
    """
    names = list(names)
    doubtful = {name for name in names if name not in namespace and hasattr(builtins, name)}
    if not doubtful:
        return names
    for code in codes:
        if _uses_any(code, _BINDERS):
            return names
        for inner in code_objects(code):
            if ("*",) in inner.co_consts:  # from m import *
                return names
            for _, argument in _instructions(inner.co_code, _BINDS):
                doubtful.discard(inner.co_names[argument])
    return [name for name in names if name not in doubtful]


def codes_in(namespace: dict[str, object], filename: str) -> list[CodeType]:
    """Return the code of a namespace's functions and methods that were defined in that file."""
    codes: dict[CodeType, None] = {}
    for value in list(namespace.values()):
        members = list(type_dict(value).values()) if isinstance(value, type) else [value]
        for member in members:
            if isinstance(member, FunctionType) and member.__code__.co_filename == filename:
                codes[member.__code__] = None
    return list(codes)


def all_names(code: CodeType) -> set[str]:
    """Return every global, attribute and import name in the code and the code inside it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= all_names(constant)
    return names


def uses_any_here(code: CodeType, names: frozenset[str]) -> bool:
    """Whether `all_names` contains one of the names; does not use the C extension."""
    return not names.isdisjoint(all_names(code))


_uses_any = _native.uses_any if _native is not None else uses_any_here


def says(codes: Iterable[CodeType]) -> tuple[list[str], list[str]]:
    """Return `notes` and `reads` of several code objects, each once, sorted."""
    telling = [code for code in codes if _uses_any(code, _SIGNS)]
    if not telling:
        return [], []
    return (
        sorted({note for code in telling for note in notes(code)}),
        sorted({what for code in telling for what in reads(code)}),
    )


def reads(code: CodeType) -> list[str]:
    """Return which of time, random, entropy, environment, files and identity the code reads, sorted.

    Another run may find other values there, and the sandbox has other files than a run outside it.
    """
    names = all_names(code)
    read_names = set()
    for what, signs in _READS.items():
        modules = _MODULES.get(what)
        if names & signs and (modules is None or names & modules):
            read_names.add(what)
    if "identity" in read_names and "id" in code.co_names and _stores(code, "id", _STORES):
        read_names.discard("identity")  # the program has an `id` of its own
    if (names & _LOOKS and names & _OF_FILES) or ("open" in names and _loads(code, "open")):
        read_names.add("files")
    return sorted(read_names)


def _loads(code: CodeType, name: str) -> bool:
    """Whether the code, or code inside it, reads a name that the module does not bind: a builtin."""
    if name in code.co_names and _stores(code, name, _STORES):
        return False
    for inner in code_objects(code):
        for opcode, argument in _instructions(inner.co_code, _READING):
            if inner.co_names[argument >> 1 if opcode == _LOAD_GLOBAL else argument] == name:
                return True
    return False


def notes(code: CodeType) -> list[str]:
    """Return warnings for the trace's fidelity, sorted."""
    names = all_names(code)
    found = []
    if "start_new_thread" in names:
        found.append("threads started by _thread not recorded")
    if "multiprocessing" in names or "fork" in names:
        found.append("other processes not recorded")
    return sorted(found)
