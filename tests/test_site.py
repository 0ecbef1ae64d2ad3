"""The documentation site: pages have places, links lead to pages, notebooks run and say what is shown."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.pages import ROOT, shape
from tests.scripts import load_script

SITE = load_script("docs/make_site.py")
NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The pages of the site, put together in a folder of their own."""
    monkeypatch.setattr(SITE, "BUILT", tmp_path / "site")
    SITE.stage()
    return tmp_path / "site/pages"


def test_every_page_of_the_navigation_is_there(pages: Path):
    text = (ROOT / "docs/site/mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r"[\w./-]+\.md", text.partition("nav:")[2].partition("nav:")[2] or text)
    assert len(named) > 25
    assert [name for name in named if not (pages / name).exists()] == []


def test_every_link_of_the_site_leads_to_one_of_its_files(pages: Path):
    wrong = []
    for page in pages.rglob("*.md"):
        text = re.sub(r"^(```+).*?^\1", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)", text):
            if "://" not in target and not (page.parent / target).resolve().exists():
                wrong.append(f"{page.relative_to(pages)}: {target}")
    assert wrong == []


def test_a_link_to_a_file_that_is_no_page_becomes_its_name(tmp_path: Path):
    page = ROOT / "docs/python.md"
    places = {page: "python.md", ROOT / "docs/evaluate.md": "evaluate.md"}
    convert = SITE.LINK.sub
    at = lambda text: convert(lambda m: SITE.link_of(m, "start/x.md", page, places), text)  # noqa: E731
    assert at("[the code](../src/deskcheck/cli/__init__.py)") == "the code"
    assert at("[evaluate](evaluate.md#prices)") == "[evaluate](../evaluate.md#prices)"
    assert at("[gone](gone.md)") == "[gone](gone.md)"  # mkdocs refuses it


def test_the_notebooks_have_no_errors_and_name_no_machine():
    assert [path.stem for path in NOTEBOOKS] == ["evaluate", "trace", "train"]
    for path in NOTEBOOKS:
        text = path.read_text(encoding="utf-8")
        cells = json.loads(text)["cells"]
        kinds = {output["output_type"] for cell in cells for output in cell.get("outputs", [])}
        assert "error" not in kinds and not re.search(r"/(home|root|tmp|work|Users)/", text), path.name


@pytest.mark.slow
def test_the_site_builds_without_a_broken_link():
    pytest.importorskip("mkdocs", reason="needs the extra 'docs'")
    assert SITE.main([]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_what_it_shows(path: Path, tmp_path: Path):
    pytest.importorskip("nbclient", reason="needs the extra 'docs'")
    pytest.importorskip("ipykernel", reason="needs the extra 'docs'")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    found = load_script("docs/run_notebooks.py").executed(path, tmp_path)
    stored = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for before, after in zip(stored, found.cells, strict=True):
        shown = "".join(map(SITE.output_text, before.get("outputs", [])))
        assert shape("".join(map(SITE.output_text, after.get("outputs", [])))) == shape(shown), before[
            "source"
        ]
