"""Write a program with the instructions of every line, for the prompts of the instruction layouts.

    listing("instruction-1", program) -> a text of these lines:
        [instruction-1]
        @1 def f(n):
        @2     return n
        .2 LOAD_FAST n
        .4 RETURN_VALUE

The running Python compiles the program, so the listing fits only traces of the same Python version. Offsets
are in bytes from the start of each function. Module-level code is left out, because a call does not run it.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType

from deskcheck.records import Program

HIDDEN = frozenset({"CACHE", "RESUME", "EXTENDED_ARG"})
"""Instructions that are not listed."""


@lru_cache(maxsize=64)  # a chain asks thousands of questions about one program
def listing(layout: str, program: Program) -> str:
    """Write the layout's name and the numbered lines, each with its instructions: ".offset NAME argument"."""
    below: dict[int, list[str]] = {}
    for code in _functions(compile(program.source, "<program>", "exec", dont_inherit=True)):
        for instruction, line in _with_lines(code):
            shown = f".{instruction.offset} {instruction.opname} {instruction.argrepr}".rstrip()
            below.setdefault(line, []).append(shown)
    lines = program.source.rstrip("\n").split("\n")
    texts = ["\n".join([f"@{number} {line}", *below.get(number, [])]) for number, line in enumerate(lines, 1)]
    return f"[{layout}]\n" + "\n".join(texts) + "\n"


def _functions(module: CodeType) -> Iterator[CodeType]:
    for constant in module.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _functions(constant)


def _with_lines(code: CodeType) -> Iterator[tuple[dis.Instruction, int]]:
    starts = [(start, end, line or 0) for start, end, line in code.co_lines()]
    for instruction in dis.get_instructions(code):
        if instruction.opname not in HIDDEN:
            offset = instruction.offset
            yield instruction, next((line for start, end, line in starts if start <= offset < end), 0)
