"""MBPP, functions with nested loops, on which Execution Tuning reports accuracy by the number of steps.

Source: MBPP (see `mbpp`), selected after arXiv 2503.05703, which states the number of functions (93) but not
its rule. Our rule: code with a `for` or `while` statement inside another one. This selects 53 functions with
159 drafts in the test split (numbers 11 to 510), the default, and 96 functions in all splits (split=all). Of
these 96, 93 have a first assert that compares with a literal and whose run ends within 10,000 steps. They may
be the paper's 93 functions, but nothing confirms it. License: CC-BY-4.0. Options: statement=none|en,
split=test|all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from deskcheck.benchmarks._mbpp import drafts_of, hub
from deskcheck.languages.python.parsing import parse_module
from deskcheck.records import Skipped, TaskDraft

HUB = hub("full")
# sha256 of the file that `mbpp.py` also pins.
PINNED = frozenset({"ccf64ceae9c5403bf50a044cb6d505bfd2a2963ee58338ba268fd65beab92a9f"})
_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def drafts(
    data: str, *, statement: Literal["none", "en"] = "none", split: Literal["test", "all"] = "test"
) -> Iterator[TaskDraft | Skipped]:
    """Yield every assert of a call and a literal of the selected functions, in the order of the file."""
    for draft in drafts_of("mbpp-nested", data, "full", statement=statement):
        if (
            isinstance(draft, TaskDraft)
            and split in (draft.tags["split"], "all")
            and has_nested_loops(draft.program.source)
        ):
            yield draft


def has_nested_loops(source: str) -> bool:
    """Whether the source has a loop statement inside another one."""
    return any(
        isinstance(inner, _LOOPS)
        for outer in ast.walk(parse_module(source))
        if isinstance(outer, _LOOPS)
        for inner in ast.walk(outer)
        if inner is not outer
    )
