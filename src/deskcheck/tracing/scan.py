"""What a program's code says about itself before it runs: its globals, and reads that may not repeat.

    global_names(code) -> names of the module that the file's functions and classes read or write
    module_names(code) -> those, and for a module's own body every name that it uses
    codes_in(namespace, filename) -> code of the functions and classes that a module made in that file
    reads(code)        -> subset of environment, entropy, identity, random, time
    notes(code)        -> what a tracer of one thread will not see

A scan of names is coarse: it may note what never runs; it misses what is reached through getattr or eval.
"""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType

from deskcheck.tracing.access import type_dict
from deskcheck.tracing.codes import code_objects

_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]  # its lowest bit is not part of the name's number
_GLOBAL = frozenset(dis.opmap[f"{what}_GLOBAL"] for what in ("LOAD", "STORE", "DELETE"))
_NAME = frozenset(dis.opmap[f"{what}_NAME"] for what in ("LOAD", "STORE", "DELETE"))
_READS = {
    "time": {"time", "perf_counter", "monotonic", "time_ns", "now", "today", "utcnow", "process_time"},
    "random": {
        "random",
        "randint",
        "randrange",
        "shuffle",
        "choice",
        "choices",
        "uniform",
        "sample",
        "getrandbits",
    },
    "entropy": {"urandom", "secrets", "SystemRandom", "uuid1", "uuid4", "token_hex", "token_bytes"},
    "environment": {"environ", "getenv", "getcwd", "argv", "stdin", "input", "getpid"},
    "identity": {"id"},
}
_NOTED = frozenset({"start_new_thread", "multiprocessing", "fork"})
_SIGNS = _NOTED.union(*_READS.values())
_MODULES = {"time": {"time", "datetime"}, "random": {"random", "numpy"}}


def global_names(code: CodeType) -> list[str]:
    """Module-level names that the file's functions and classes use, in order of appearance."""
    found: dict[str, None] = {}
    for inner in code_objects(code):
        if not inner.co_names:
            continue
        in_class = not inner.co_flags & 1 and inner is not code
        wanted = _GLOBAL | _NAME if in_class else _GLOBAL
        for opcode, argument in _instructions(inner.co_code, wanted):
            found[inner.co_names[argument >> 1 if opcode == _LOAD_GLOBAL else argument]] = None
    return list(found)


def _instructions(raw: bytes, wanted: frozenset[int]) -> Iterator[tuple[int, int]]:
    """(opcode, argument) of some kinds. A loop over all would cost more than tracing a short program."""
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
    """What a module's own body reads or writes when it is traced itself; else as `global_names`."""
    if code.co_name != "<module>":
        return global_names(code)
    stored: dict[str, None] = {}
    for _, argument in _instructions(code.co_code, _NAME):
        stored[code.co_names[argument]] = None
    return list(stored | dict.fromkeys(global_names(code)))


def codes_in(namespace: dict[str, object], filename: str) -> list[CodeType]:
    """Code of the functions, and of the methods of classes, that stand in a namespace and in that file."""
    found: dict[CodeType, None] = {}
    for value in list(namespace.values()):
        members = list(type_dict(value).values()) if isinstance(value, type) else [value]
        for member in members:
            if isinstance(member, FunctionType) and member.__code__.co_filename == filename:
                found[member.__code__] = None
    return list(found)


def all_names(code: CodeType) -> set[str]:
    """Every global, attribute and import name in the file."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= all_names(constant)
    return names


def says(codes: Iterable[CodeType]) -> tuple[list[str], list[str]]:
    """`notes` and `reads` of several code objects, each once, sorted."""
    telling = [code for code in codes if not _SIGNS.isdisjoint(all_names(code))]
    return (
        sorted({note for code in telling for note in notes(code)}),
        sorted({what for code in telling for what in reads(code)}),
    )


def reads(code: CodeType) -> list[str]:
    """What a second run may see differently, sorted."""
    names = all_names(code)
    found = set()
    for what, signs in _READS.items():
        modules = _MODULES.get(what)
        if names & signs and (modules is None or names & modules):
            found.add(what)
    if "id" in found and "id" in code.co_names and "id" in global_names(code):
        found.discard("identity")
    return sorted(found)


def notes(code: CodeType) -> list[str]:
    """Warnings for the trace's fidelity, sorted."""
    names = all_names(code)
    found = []
    if "start_new_thread" in names:
        found.append("threads started by _thread not recorded")
    if "multiprocessing" in names or "fork" in names:
        found.append("other processes not recorded")
    return sorted(found)
