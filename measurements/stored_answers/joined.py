"""LiveCodeBench's problems joined to doocs/leetcode: coding types, complexity, rating.

    join(problems, index) -> Joined({question id: About}, ambiguous, missing)

The numbers differ (LiveCodeBench has the site's internal ones), so a problem is found by the name of its
function and its difficulty among the contest problems of its months. One that fits several is left out.
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from deskcheck.data_files import read_rows
from deskcheck.report.breakdown import Answered
from deskcheck.report.complexity import complexity_class

FIRST, LAST = 2660, 2970
"""LeetCode numbers of the contests from May to December 2023."""
_METHOD = re.compile(r"^    def (\w+)\(self", re.MULTILINE)
_HARDER = (1400, 1700, 2000)


class About(Struct, frozen=True):
    """What doocs says of one problem."""

    types: tuple[str, ...]
    time: str
    rating: str
    """"1,401–1,700": a bin of the contest rating; "none" where it has none."""
    difficulty: str


class Joined(Struct, frozen=True):
    """Question id -> what is known, and how many are not."""

    known: dict[str, About]
    ambiguous: int
    missing: int


def join(problems: Path, index: Path) -> tuple[Joined, dict[str, str]]:
    """The join, and task id -> question id."""
    by_name: dict[str, list[dict[str, object]]] = {}
    for _, row in read_rows(index):
        if FIRST <= int(str(row["frontend_id"])) <= LAST:
            for name in set(_METHOD.findall(str(row["python"] or ""))):
                by_name.setdefault(name, []).append(row)
    known: dict[str, About] = {}
    counts = {0: 0, 2: 0}
    question_of: dict[str, str] = {}
    seen: set[str] = set()
    for _, task in read_rows(problems):
        question = str(task["question_id"])
        question_of[str(task["id"])] = question
        if question in seen:
            continue
        seen.add(question)
        fitting = [
            row
            for row in by_name.get(str(task["function_name"]), [])
            if row["difficulty"] == task["difficulty"]
        ]
        if len(fitting) != 1:
            counts[min(2, len(fitting))] += 1
        else:
            known[question] = _about(fitting[0])
    return Joined(known, counts[2], counts[0]), question_of


def _about(row: dict[str, object]) -> About:
    tags, rating = row["tags_en"], row["rating"]
    return About(
        types=tuple(map(str, tags)) if isinstance(tags, list) else (),
        time=complexity_class(str(row["time_complexity"] or "")),
        rating=_bin(float(str(rating))) if rating is not None else "none",
        difficulty=str(row["difficulty"]),
    )


def _bin(rating: float) -> str:
    low = 0
    for high in _HARDER:
        if rating <= high:
            return f"to {high:,}" if not low else f"{low + 1:,}–{high:,}"
        low = high
    return f"over {low:,}"


def groups(
    tasks: list[Answered], joined: Joined, question_of: dict[str, str], by: str
) -> dict[str, list[Answered]]:
    """Group -> answered tasks, by "types", "time", "rating" or "difficulty"; not joined ones are in none."""
    found: dict[str, list[Answered]] = {}
    for task in tasks:
        about = joined.known.get(question_of[task.task])
        if about is not None:
            value = getattr(about, by)
            for name in value if isinstance(value, tuple) else (value,):
                found.setdefault(name, []).append(task)
    return found
