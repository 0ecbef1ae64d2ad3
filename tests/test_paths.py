"""Each hand-written page states its reader and purpose, and lies on a path that begins in the README.

The README's four paths are its sections on evaluating, training, debugging and teaching. Each links to its
group in docs/README.md. A page belongs to a path if the group links to it, or the lines above all groups do,
or a page of the path does. Pages for contributors follow from CONTRIBUTING.md, which the README names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.one_python

ROOT = Path(__file__).parents[1]
PATHS = {
    "Evaluate models": "evaluate",
    "Train models": "train",
    "Debug and study code": "debug",
    "Teach": "teach",
}
"""Section of the README -> its group in docs/README.md."""
GENERATED = re.compile(r"^Made by `python ", re.M)
LISTED = {"benchmarks", "strategies", "decisions", "log"}
"""Folders whose pages have one form, which the folder's README explains."""
READER = re.compile(r"For [a-z][^.]*[a-z.)]")


def sections(text: str) -> dict[str, str]:
    """Heading of each section, as it is linked to -> its text."""
    parts = re.split(r"^## ", text, flags=re.M)[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def links(page: Path, text: str | None = None) -> Iterator[Path]:
    """Pages that a text links to, from the folder of its page."""
    for target in re.findall(r"\]\(([^)\s#]+)", page.read_text(encoding="utf-8") if text is None else text):
        place = (page.parent / target).resolve()
        if "://" not in target and place.suffix == ".md" and place.is_file():
            yield place


def reached(starts: Iterable[Path], root: Path = ROOT) -> set[Path]:
    """All pages to which one comes from these; the README and the index of all pages lead no further."""
    seen: set[Path] = set()
    todo = list(starts)
    while todo:
        page = todo.pop()
        if page not in seen and page not in (root / "README.md", root / "docs/README.md"):
            seen.add(page)
            todo += links(page)
    return seen


def handwritten(root: Path = ROOT) -> list[Path]:
    """Pages whose text a person wrote, but those that are one of many in a folder."""
    pages = [root / "CONTRIBUTING.md", root / "measurements/README.md", *(root / "docs").rglob("*.md")]
    return [
        page for page in sorted(pages)
        if (page.parent.name not in LISTED or page.name == "README.md")
        and not GENERATED.search(page.read_text(encoding="utf-8")[:400])
    ]  # fmt: skip


def groups() -> dict[str, str]:
    index = sections((ROOT / "docs/README.md").read_text(encoding="utf-8"))
    return {name.lower(): text for name, text in index.items()}


def test_each_of_the_four_paths_leads_from_the_readme_to_its_pages():
    readme = sections((ROOT / "README.md").read_text(encoding="utf-8"))
    assert set(PATHS) <= set(readme)
    for section, group in PATHS.items():
        assert f"(docs/README.md#{group})" in readme[section], (
            f"{section} links to no group of docs/README.md"
        )
        assert group in groups()


def test_every_page_lies_on_a_path():
    index = ROOT / "docs/README.md"
    above = index.read_text(encoding="utf-8").partition("\n## ")[0]
    starts = [
        page
        for text in (above, *(groups()[group] for group in PATHS.values()))
        for page in links(index, text)
    ]
    contributing = [ROOT / "CONTRIBUTING.md", *links(index, groups()["contribute"])]
    assert "(CONTRIBUTING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    on_a_path = reached([*starts, *contributing]) | {index}
    lost = [
        page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md") if page not in on_a_path
    ]
    assert sorted(lost) == [], "link to these from a group of docs/README.md, or delete them"


def test_a_page_that_nothing_links_to_is_lost(tmp_path: Path):
    for name, text in {"a": "[b](b.md) [gone](gone.md)", "b": "[a](a.md#x)", "c": "[a](a.md)"}.items():
        (tmp_path / f"{name}.md").write_text(text)
    assert reached([tmp_path / "a.md"]) == {tmp_path / "a.md", tmp_path / "b.md"}


def first_sentence(text: str) -> str:
    """What stands below the title."""
    return re.split(r"^# .*\n+", text, maxsplit=1, flags=re.M)[-1].split("\n\n")[0]


def test_every_page_begins_with_its_reader_and_its_purpose():
    wanted = {page: first_sentence(page.read_text(encoding="utf-8")) for page in handwritten()}
    assert len(wanted) > 30
    assert [str(page.relative_to(ROOT)) for page, text in wanted.items() if not READER.match(text)] == []


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("# A\n\nFor people who count: what is counted.\n", True),
        ("# A\n\nCounts everything.\n\nFor people.\n", False),
    ],
)
def test_the_reader_is_said_below_the_title(text: str, is_said: bool):
    assert bool(READER.match(first_sentence(text))) is is_said
