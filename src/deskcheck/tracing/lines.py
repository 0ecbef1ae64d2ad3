"""What a source says of its functions before any of it runs: their lines, and how its entry is defined.

    tables(source) -> {(qualified name, first line): bytes, 1 at the number of each of its lines}
    definition_of(source, "f") -> Definition, or None where the name may come to mean something else

Compiled by this interpreter, never run, and kept for the last few sources: programs often come with several
inputs.
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from opcode import opmap
from types import CodeType

from msgspec import Struct

from deskcheck.tracing.codes import code_objects

_STORES = {opmap[name] for name in ("STORE_NAME", "STORE_GLOBAL", "DELETE_NAME", "DELETE_GLOBAL")}
_GLOBAL_STORES = {opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL")}
# Between the making of a function and its name.
_PASSED = {opmap[name] for name in ("CACHE", "SET_FUNCTION_ATTRIBUTE") if name in opmap}
_LATE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Definition(Struct, frozen=True):
    """A function that its module defines once, without a decorator."""

    name: str
    first_line: int
    positional: list[str]
    keyword_only: list[str]
    rest: str
    """Name of `*rest`, "" without one."""
    keywords: str
    """Name of `**keywords`, "" without one."""
    is_late: bool
    """The call itself runs none of its lines: a generator, a coroutine."""


@lru_cache(maxsize=64)
def _code_of(source: str) -> CodeType:
    return compile(source, "<program>", "exec", dont_inherit=True)


@lru_cache(maxsize=64)
def tables(source: str) -> dict[tuple[str, int], bytes]:
    """Lines of every code object. SyntaxError, ValueError, RecursionError, MemoryError: no program."""
    found: dict[tuple[str, int], bytearray] = {}
    n_lines = source.count("\n") + 2
    for code in code_objects(_code_of(source)):
        table = found.setdefault((code.co_qualname, code.co_firstlineno), bytearray(n_lines))
        for _, _, line in code.co_lines():
            if line is not None and line < n_lines:
                table[line] = 1
    return {key: bytes(table) for key, table in found.items()}


@lru_cache(maxsize=64)
def definition_of(source: str, entry: str) -> Definition | None:
    """How the source defines its entry; None where it is no such function. Raises as `tables` does."""
    module = _code_of(source)
    if entry not in module.co_names or "import *" in source:
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
        "".join(rest), "".join(keywords), bool(flags & _LATE),
    )  # fmt: skip


def _stores(code: CodeType, name: str, operations: set[int]) -> list[int]:
    """Where instructions give the name another meaning."""
    units, index = code.co_code, code.co_names.index(name)
    found, high = [], 0
    for at in range(0, len(units), 2):
        operation = units[at]
        if operation == opmap["EXTENDED_ARG"]:
            high = (high | units[at + 1]) << 8
            continue
        if operation in operations and high | units[at + 1] == index:
            found.append(at)
        high = 0
    return found


def _made_before(module: CodeType, at: int) -> CodeType | None:
    """Code of the function that the instruction before makes; None where it makes none."""
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
