"""The pages about strategies are what the code says and sends."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.scripts import load_script

DOCS = Path(__file__).parents[2] / "docs"


def test_there_is_a_page_for_every_strategy_and_it_is_current():
    pages = load_script("docs/make_strategies.py").pages()
    written = {path.name: path.read_text(encoding="utf-8") for path in (DOCS / "strategies").glob("*.md")}
    assert written.keys() == pages.keys(), "run: python docs/make_strategies.py"
    # Bytecode is that of the Python that writes the page: 3.11.
    fixed = [name for name in pages if sys.version_info[:2] == (3, 11) or not name.startswith("instruction")]
    stale = [name for name in fixed if written[name] != pages[name]]
    assert stale == [], "run: python docs/make_strategies.py"
