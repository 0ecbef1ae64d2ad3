"""Pages stay short: at most 35,000 hand-written words, and log entries of at most 15 lines.

Counted are README, CONTRIBUTING, docs/ and measurements/README.md. A word holds a letter: figures and table
rules are none. Not counted: blocks of code and output, pages that a script writes whole, and tables that a
command prints.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
CEILING = 35_000
WRITTEN_BY_SCRIPTS = (
    "docs/strategies/",
    "docs/results.md",
    "docs/audit.md",
    "docs/api.md",
    "docs/commands.md",
    "docs/layouts.md",
)
PRINTED = re.compile(r"<!-- (?:table: |measured).*?<!-- end -->", re.S)
BLOCK = re.compile(r"^(```+).*?^\1", re.M | re.S)


def words(text: str) -> int:
    """Hand-written words of one page."""
    text = BLOCK.sub("", PRINTED.sub("", text))
    return sum(any(letter.isalpha() for letter in word) for word in text.split())


def pages() -> dict[str, str]:
    """Path from the root -> text, of every page that people write."""
    paths = [*ROOT.glob("docs/**/*.md"), ROOT / "measurements/README.md"]
    paths += [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    named = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {name: text for name, text in named.items() if not name.startswith(WRITTEN_BY_SCRIPTS)}


def entries(text: str) -> dict[str, int]:
    """Heading of each log entry -> its lines that hold something."""
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    return {
        part.partition("\n")[0]: sum(bool(line.strip()) for line in part.split("\n")[1:]) for part in parts
    }


def test_hand_written_pages_stay_under_the_ceiling():
    counts = {name: words(text) for name, text in pages().items()}
    longest = sorted(counts.items(), key=lambda pair: -pair[1])[:5]
    assert sum(counts.values()) <= CEILING, f"{sum(counts.values())} words; the longest pages: {longest}"


def test_figures_blocks_and_printed_tables_are_no_words():
    assert words("one two | 3.5 % |\n```\nthree\n```\n") == 2
    assert words("a\n<!-- table: x -->\n| b |\n<!-- end -->\nc d") == 3


def test_log_entries_have_at_most_15_lines():
    logs = [path for path in (ROOT / "docs/log").glob("*.md") if path.name != "README.md"]
    assert logs
    long = {
        name: n for path in logs for name, n in entries(path.read_text(encoding="utf-8")).items() if n > 15
    }
    assert long == {}


def test_a_long_entry_is_found():
    assert entries("# Log\n\n## 2026-01-01 A\n" + "line\n" * 16) == {"2026-01-01 A": 16}
