"""Which lines each function of a source has: what the events of a trace are compared with.

    tables(source) -> {(qualified name, first line): bytes, 1 at the number of each of its lines}

Compiled by this interpreter, never run, and kept for the last few sources: programs often come with several
inputs.
"""

from __future__ import annotations

from functools import lru_cache

from deskcheck.tracing.codes import code_objects


@lru_cache(maxsize=64)
def tables(source: str) -> dict[tuple[str, int], bytes]:
    """Lines of every code object. SyntaxError, ValueError, RecursionError, MemoryError: no program."""
    found: dict[tuple[str, int], bytearray] = {}
    n_lines = source.count("\n") + 2
    for code in code_objects(compile(source, "<program>", "exec", dont_inherit=True)):
        table = found.setdefault((code.co_qualname, code.co_firstlineno), bytearray(n_lines))
        for _, _, line in code.co_lines():
            if line is not None and line < n_lines:
                table[line] = 1
    return {key: bytes(table) for key, table in found.items()}
