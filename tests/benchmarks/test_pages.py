"""The page of a benchmark shows what is really sent about its first item, word for word.

`--update-golden` writes the prompts anew. Benchmarks that read a file are shown with a row of these tests.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks import rows
from tests.benchmarks.test_contract import NAMES, here

from deskcheck import plugins
from deskcheck.evaluation.truth import build_tasks
from deskcheck.strategies import Settings

PAGES = Path(__file__).parents[2] / "docs" / "benchmarks"
HEADING = "\n## The prompt\n\n"
# Its first item depends on what is installed.
SHOWN = [name for name in NAMES if name != "real"]
SAYS = "Strategy `vanilla`, on {which} ([other strategies](../strategies/README.md)):\n"
KIND = {"reval": "state"}
"""Benchmark -> kind of question on its page, if it is not the output."""
WITH_ROW = {"humaneval"}
"""Benchmarks whose page shows the row too, since the prompt leaves a part of it out."""


def section(name: str, folder: Path) -> str:
    data, options = rows.data_of(name, folder)
    kind = KIND.get(name, "output")
    found = build_tasks(name, kind=kind, data=data, options=options, limit=1, runner=here)
    prompt = plugins.load("strategy", "vanilla").opening(found.tasks[0], Settings())
    invented = "an invented file" if name == "files" else "an invented row of this format"
    which = invented if data else f"the first task, `{found.tasks[0].id}`"
    (message,) = prompt.messages
    which += f", `--task {kind}`" if kind != "output" else ""
    row = json.dumps(rows.LINES[name][0], indent=1) if name in WITH_ROW else ""
    shown = f"\n```json\n{row}\n```\n" if row else ""
    return f"{HEADING}{SAYS.format(which=which)}{shown}\n````\n{message.text}\n````\n"


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_the_prompt_that_is_sent(name: str, tmp_path: Path, request: pytest.FixtureRequest):
    page = PAGES / f"{name}.md"
    before, heading, rest = page.read_text(encoding="utf-8").partition(HEADING)
    wanted = section(name, tmp_path)
    if request.config.getoption("--update-golden"):
        page.write_text(before.rstrip("\n") + "\n" + wanted, encoding="utf-8")
        return
    assert heading + rest == wanted
