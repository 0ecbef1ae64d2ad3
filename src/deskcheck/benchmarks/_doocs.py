"""Read facts about LeetCode problems from a checkout of doocs/leetcode, or from an index in JSON lines.

    read_doocs("leetcode")     -> {"two-sum": About(..)}      solution/0000-0099/0001.Two Sum/README{,_EN}.md
    read_doocs("index.jsonl")  -> the same without statements; rows {slug, tags_en, tags_zh, difficulty, ..}

The keys are the slugs of the problems, as in LeetCode's addresses. A README has front matter (difficulty,
tags), a heading with the problem's address, the statement between two comments, and solutions with "time
complexity $O(n)$" and a fence for each language. The license of doocs/leetcode is CC-BY-SA-4.0; this package
contains no part of that repository. `without_examples` cuts a statement's examples, up to its constraints,
and `without_values` every sentence with a value of the call in question.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from msgspec import Struct

from deskcheck.data_files import read_rows, text_field
from deskcheck.errors import DataError, UserError

_FRONT = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_ADDRESS = re.compile(r"\(https://leetcode(?:\.cn|-cn\.com|\.com)/problems/([a-z0-9-]+)/?\)")
_DESCRIPTION = re.compile(r"<!-- description:start -->(.*?)<!-- description:end -->", re.DOTALL)
_TIME = re.compile(r"(?:时间复杂度|time complexity is)[^$\n]*\$([^$\n]+)\$", re.IGNORECASE)
_SPACE = re.compile(r"(?:空间复杂度|space complexity is)[^$\n]*\$([^$\n]+)\$", re.IGNORECASE)
_SOLUTIONS = re.compile(r"<!-- solution:start -->(.*?)(?:<!-- solution:end -->|\Z)", re.DOTALL)
_TABS = re.compile(r"<!-- tabs:start -->(.*?)(?:<!-- tabs:end -->|\Z)", re.DOTALL)
"""Pattern of the solutions in checkouts from before the middle of 2024, which have no front matter."""
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_EXAMPLE = re.compile(r"^\W*(?:示例|例\s*\d|样例|输入[:：]|Examples?\b|Input\s*:)", re.IGNORECASE)
_AFTER = re.compile(r"^\W*(?:提示|说明|约束|注意|进阶|Constraints?\b|Follow[- ]up)", re.IGNORECASE)


class About(Struct, frozen=True):
    """Facts about one problem; "" = not stated."""

    difficulty: str = ""
    types: str = ""
    """Type tags, joined by "; "."""
    types_zh: str = ""
    rating: str = ""
    """Contest rating in doocs: at 1,200 most participants solved the problem in time, at 2,600 few did."""
    time: str = ""
    """Time complexity in the notation of the file: "O(n \\log n)"."""
    space: str = ""
    """Space complexity in the same notation."""
    zh: str = ""
    """The Chinese statement without examples."""
    solutions: dict[str, str] = {}
    """Fence ("java", "cpp", ..) -> the first solution in that language."""


def read_doocs(place: str) -> dict[str, About]:
    """Map slugs to facts. UserError if `place` is neither checkout nor index, DataError for a wrong row."""
    path = Path(place)
    if path.is_dir():
        found = dict(
            about for folder in sorted(path.glob("solution/*/*")) if (about := _of_folder(folder)) is not None
        )
    elif path.is_file():
        found = {text_field(row, "slug", path, n): _of_row(row) for n, row in read_rows(path)}
    else:
        raise UserError(f"no doocs/leetcode checkout and no index at '{place}' (-T doocs=PATH)")
    if not found:
        raise DataError(f"{place}: no folder solution/*/* with a README.md; is it a doocs/leetcode checkout?")
    return found


def read_acceptance(place: str) -> dict[str, str]:
    """Map slugs to the share of accepted submissions, in the notation of the file."""
    path = Path(place)
    if not path.is_file():
        raise UserError(f"no file of acceptance rates at '{place}' (-T acceptance=PATH)")
    rates = {}
    for number, row in read_rows(path):
        rate = row.get("acceptance_rate", row.get("acRate"))
        if not isinstance(rate, int | float):
            raise DataError(f"{path}, row {number}: no number in 'acceptance_rate' (or 'acRate')")
        rates[text_field(row, "slug", path, number)] = str(rate)
    return rates


def without_examples(text: str) -> str:
    """Return a statement without its examples and without the request to complete code."""
    lines, inside = [], False
    for line in text.split("Please complete the following python code")[0].split("\n"):
        inside = (inside or bool(_EXAMPLE.match(line))) and not _AFTER.match(line)
        if not inside:
            lines.append(line.rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).replace("\xa0", " ").strip()


def without_values(statement: str, values: list[str]) -> str:
    """Return a statement without the sentences that contain one of the values of 4 characters or more."""
    hidden = [_bare(value) for value in values if len(_bare(value)) >= 4]
    lines = []
    for line in statement.split("\n"):
        sentences = re.split(r"(?<=[.!?。！？;；])\s*(?=\S)", line)
        lines.append(" ".join(one for one in sentences if not any(value in _bare(one) for value in hidden)))
    return "\n".join(lines).strip()


def _bare(text: str) -> str:
    return re.sub(r"\s", "", text).replace("'", '"').replace("“", '"').replace("”", '"')


def _of_row(row: dict[str, object]) -> About:
    def joined(name: str) -> str:
        tags = row.get(name)
        return "; ".join(map(str, tags)) if isinstance(tags, list) else ""

    return About(
        difficulty=str(row.get("difficulty") or ""),
        types=joined("tags_en"),
        types_zh=joined("tags_zh"),
        rating=str(row.get("rating") or ""),
        time=str(row.get("time_complexity") or ""),
        space=str(row.get("space_complexity") or ""),
    )


def _of_folder(folder: Path) -> tuple[str, About] | None:
    chinese, english = (_read(folder / name) for name in ("README.md", "README_EN.md"))
    address = _ADDRESS.search(chinese)
    if address is None:
        return None
    statement = _DESCRIPTION.search(chinese)
    times, spaces = _TIME.search(chinese + english), _SPACE.search(chinese + english)
    return address[1], About(
        difficulty=next(iter(_listed(english, "difficulty")), ""),
        rating=next(iter(_listed(english, "rating")), ""),
        types="; ".join(_listed(english, "tags")),
        types_zh="; ".join(_listed(chinese, "tags")),
        time=times[1] if times else "",
        space=spaces[1] if spaces else "",
        zh=without_examples(_plain(statement[1])) if statement else "",
        solutions=_solutions(chinese),
    )


def _solutions(text: str) -> dict[str, str]:
    """Return the first fence of each language in the part with the solutions."""
    found: dict[str, str] = {}
    for fence, source in _FENCE.findall("".join(_SOLUTIONS.findall(text) or _TABS.findall(text))):
        found.setdefault(fence, source)
    return found


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8").replace("\r\n", "\n") if path.is_file() else ""


def _listed(text: str, key: str) -> list[str]:
    """Return the values of a key in the front matter: "key: value", or "key:" and lines "    - value"."""
    front = _FRONT.match(text)
    entries: list[str] = []
    inside = False
    for line in (front[1] if front else "").split("\n"):
        if line.startswith(f"{key}:"):
            inside, value = True, line.partition(":")[2].strip()
            entries += [value] if value else []
        elif inside and line.strip().startswith("- "):
            entries.append(line.strip()[2:].strip())
        else:
            inside = False
    return entries


def _plain(text: str) -> str:
    """Convert HTML to text with a line for each paragraph, list item or line of a block."""
    text = re.sub(r"<sup>(.*?)</sup>", r"^\1", text)
    text = re.sub(r"</?(?:p|li|pre|ul|ol|div|br)\b[^>]*>", "\n", text)
    text = html.unescape(re.sub(r"<[^>]+>", "", text)).replace("\xa0", " ")
    return "\n".join(line.strip() for line in text.split("\n") if line.strip())
