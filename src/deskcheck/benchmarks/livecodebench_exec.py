"""LiveCodeBench code execution (v2): 479 calls of accepted solutions to 92 LeetCode contest problems.

Source: Jain et al., arXiv 2403.07974; hub livecodebench/execution-v2. License: "cc", solutions by their
authors: for evaluation only. Row: code, function_name, input (the *whole* call: "f(a = [1, 2])"), output
(literal), id; difficulty, contest_date and question_id if present. Drafts of one problem share a cluster,
because their solutions compute the same function.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deskcheck.data_files import rows_of, text_field
from deskcheck.errors import DataError
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = (
    "livecodebench/execution-v2",
    "fcf5430809253fd78c5dc5b57573ca673e6e43c2",
    "data/test-00000-of-00001.parquet",
)
# sha256 of a file with the same rows as JSON lines, their code rewritten by ast.unparse.
PINNED = frozenset({"5e8db68bd7e345ba9ea62a153758b6eac3c4e9d7a6b4643f4e1cf1a585866108"})

# The solutions were written for a judge that has these names. Measured on all 479: 318 use List, 29 Counter,
# 21 defaultdict, 18 inf, ..; with this prelude all 479 run and give the recorded output.
PRELUDE = """\
import bisect, collections, math
from collections import Counter, defaultdict, deque
from functools import cache, lru_cache, reduce
from heapq import heapify, heappop, heappush
from itertools import accumulate, islice, pairwise
from math import comb, gcd, inf, prod
from typing import List
"""
_TAGS = ("difficulty", "contest_date", "question_id")


def drafts(data: str) -> Iterator[TaskDraft]:
    """Yield all drafts of the file at `data` ("" = the hub's), in the order of the file."""
    for path, number, row in rows_of(data, HUB):
        code, call, output, identity, function = (
            text_field(row, name, path, number) for name in ("code", "input", "output", "id", "function_name")
        )
        program = make_program(
            code,
            function,
            _arguments(call, function, path, number),
            origin=f"livecodebench-exec:{identity}",
            prelude=PRELUDE,
        )
        tags = {name: str(row[name]) for name in _TAGS if name in row}
        cluster = tags.get("question_id", identity)
        yield TaskDraft(id=identity, program=program, recorded=output, cluster=cluster, tags=tags)


def _arguments(call: str, function: str, path: Path, number: int) -> str:
    """Return the text between the parentheses of a call of `function`. DataError for any other text."""
    where = f"{path}, row {number}, field 'input'"
    text = call.strip()
    try:
        body = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise DataError(f"{where}: not a call: {error}") from None
    if not isinstance(body, ast.Call) or ast.unparse(body.func) != function:
        raise DataError(f"{where}: {text[:60]!r} is not a call of '{function}'")
    return text[text.index("(") + 1 : -1].strip()
