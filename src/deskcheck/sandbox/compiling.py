"""Compile programs so that the order of their sets does not depend on what the process compiled before.

    steady_code("s = {'ab', 'c d', 'e-f'}", "<program>") -> code

CPython keeps a set of constants, as in `x in {'ab', 'c'}` or `s = {'ab', 'c d', 'e-f'}`, as one frozenset. If
one of its strings looks like a name, and an equal string is known in the process already, the compiler makes
the frozenset anew from its own items. Its order then differs where items collide, and so does what a program
writes that iterates over it. A second compilation always finds the strings known, because the code of the
first one holds them.
"""

from __future__ import annotations

import ast
from types import CodeType


def steady_code(source: str | ast.Expression, filename: str, mode: str = "exec") -> CodeType:
    """Compile a program as `compile` does, but with sets of constants in the same order in every process.

    Arguments and errors are those of `compile`.
    """
    code: CodeType = compile(source, filename, mode, dont_inherit=True)
    if _has_sets(code):
        code = compile(source, filename, mode, dont_inherit=True)
    return code


def _has_sets(code: CodeType) -> bool:
    waiting = [code]
    while waiting:
        for constant in waiting.pop().co_consts:
            if isinstance(constant, frozenset):
                return True
            if isinstance(constant, CodeType):
                waiting.append(constant)
    return False
