"""MBPP: 974 short functions written by crowd workers, three asserts each; what does the call return?

    deskcheck eval --model tiny --benchmark mbpp --data mbpp.jsonl

Source: Austin et al., arXiv 2108.07732; google-research-datasets/mbpp, configuration "full". License:
CC-BY-4.0. Row: task_id, text, code, test_list, test_setup_code. Drafts: 2,916 of the 2,922 asserts. Of the
other six, three do not compare with a literal and three call int(f(..)). Ids are "task:assert". Options:
statement=none|en, split=all|prompt|test|validation|train. MBPP+ (`--data`, a file of hub evalplus/mbppplus)
is read too: cases=N takes the first N inputs of a problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from deskcheck.benchmarks._mbpp import drafts_of, hub
from deskcheck.records import Skipped, TaskDraft

HUB = hub("full")
# sha256 of mbpp.jsonl in github.com/google-research/google-research: trusted at every containment level.
PINNED = frozenset({"ccf64ceae9c5403bf50a044cb6d505bfd2a2963ee58338ba268fd65beab92a9f"})
Split = Literal["all", "prompt", "test", "validation", "train"]


def drafts(
    data: str, *, statement: Literal["none", "en"] = "none", split: Split = "all", cases: int = 0
) -> Iterator[TaskDraft | Skipped]:
    """Yield every assert of a call and a literal; with all splits, the other asserts as Skipped."""
    for draft in drafts_of("mbpp", data, "full", statement=statement, cases=cases):
        if split == "all" or (isinstance(draft, TaskDraft) and draft.tags["split"] == split):
            yield draft
