"""MBPP, the sanitized part: 427 functions checked by its authors by hand; what does the call return?

Source: Austin et al., arXiv 2108.07732; google-research-datasets/mbpp, configuration "sanitized". License:
CC-BY-4.0. Row: task_id, prompt, code, test_imports, test_list. 1,245 of the 1,324 asserts are "call ==
literal"; the others compare sets or floats with a tolerance and are skipped. Option: statement=none|en.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from deskcheck.benchmarks._mbpp import drafts_of, hub
from deskcheck.records import Skipped, TaskDraft

HUB = hub("sanitized")
# sha256 of sanitized-mbpp.json in github.com/google-research/google-research.
PINNED = frozenset({"7fec016546acaee11dbe14f9f0bb670e59f41919f7b522a59fba34871da78551"})


def drafts(data: str, *, statement: Literal["none", "en"] = "none") -> Iterator[TaskDraft | Skipped]:
    """Yield every assert of a call and a literal, and the other asserts as Skipped."""
    yield from drafts_of("mbpp-sanitized", data, "sanitized", statement=statement)
