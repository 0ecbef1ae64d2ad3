"""Guess mode: a reader's answers judged in the page as the grader judges them, counted, and saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.tracing.telling import traced
from tests.viewer.literal_pairs import pairs, verdict

from deskcheck.errors import DataError
from deskcheck.evaluation.guesses import baseline_lines, read_guesses
from deskcheck.importers import read_places
from deskcheck.tracing.program import make_program
from deskcheck.viewer.document import View, page_of

SOURCE = """\
def f(n):
    xs = []
    total = 0
    for i in range(n):
        xs.append(i)
        total += i
    return total, xs
"""


def page_text() -> str:
    return page_of(
        View(make_program(SOURCE, "f", "2", origin="test"), [traced(SOURCE, "f(2)")], task="task-1")
    )


def differing(page: Any, n: int, seed: int) -> tuple[list[tuple[str, str, str, str]], int]:
    """Pairs that page and grader judge otherwise, and how many of the rest were judged at all."""
    asked = pairs(n, seed)
    said = page.evaluate("text => JSON.parse(text).map(([a, b]) => deskcheck.judge(a, b))", json.dumps(asked))
    found, judged = [], 0
    for (answer, truth), mine in zip(asked, said, strict=True):
        wanted = verdict(answer, truth)
        # Names of characters are the one thing that the page cannot read; it must say so.
        if "\\N{" in answer + truth and mine == "not readable":
            continue
        judged += mine != "not readable"
        if mine != wanted:
            found.append((answer, truth, wanted, mine))
    return found, judged


def test_the_page_judges_literals_as_the_grader_does(open_page: Any) -> None:
    found, judged = differing(open_page(page_text()), 400, 1)
    assert found == [] and judged > 180


@pytest.mark.slow
def test_the_page_judges_ten_thousand_pairs_as_the_grader_does(open_page: Any) -> None:
    found, judged = differing(open_page(page_text()), 10_000, 19)
    assert found == [] and judged > 4_500


def test_guesses_are_judged_counted_and_saved_and_the_future_is_hidden(
    open_page: Any, tmp_path: Path
) -> None:
    page = open_page(page_text())
    page.keyboard.press("q")
    assert not page.locator(".lane").is_visible() and not page.locator("#outcome").is_visible()
    page.keyboard.type("nonsense")
    page.keyboard.press("Enter")
    assert "does not count" in page.locator(".guess-note").inner_text()
    page.locator("#guess").fill("")
    asked = []
    for said in ("[]", "1", "0", "[0]"):
        asked.append(page.locator(".guess-form label").inner_text())
        page.keyboard.type(said)
        page.keyboard.press("Enter")
    assert "xs after it" in asked[0] and "total after it" in asked[1]
    assert "i after it" in asked[2] and "xs after it" in asked[3]
    assert page.locator(".score").inner_text() == "You: 3 of 4 right (75 %, n = 4)."
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert page.locator("#guess").count() == 1, "what is asked is not passed over"
    for _ in range(20):
        if not page.locator("#guess").count():
            break
        if "return?" in page.locator(".guess-form label").inner_text():
            page.locator("#guess").fill("(1, [0, 1])")
            page.locator(".guess-row .main").click()
        else:
            page.locator(".guess-row button:not(.main)").click()
    with page.expect_download() as download:
        page.get_by_text("Save my answers").click()
    file = tmp_path / "guesses.jsonl"
    download.value.save_as(file)
    guesses = read_guesses([str(file)])
    assert [one.verdict for one in guesses[:4]] == ["right", "wrong", "right", "right"]
    assert guesses[-1].kind == "output" and guesses[-1].verdict == "right"
    lines = list(baseline_lines(guesses))
    assert lines[0].startswith("single steps: 3 of 4 right, 75.0 %") and lines[-1].endswith("the grader's")
    (saved,) = read_places([str(file)])
    assert saved.texts == {"task-1": ["[ANSWER](1, [0, 1])[/ANSWER]"]} and saved.model == "human"
    page.locator(".guess-after button").last.click()
    assert page.locator(".lane").is_visible()


def test_a_file_that_is_no_guess_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text('{"id": "a", "completion": "1"}\n')
    with pytest.raises(DataError, match=r"other\.jsonl:1: not a guess"):
        read_guesses([str(file)])
    file.write_text("")
    with pytest.raises(DataError, match="no guess in it"):
        read_guesses([str(file)])


JAVASCRIPT = [
    "0", "-0", "1", "1.0", "1e3", "1000", "0x10", "16", "'1'", '"1"', "`1`", "true", "null", "undefined",
    "NaN",
    "-Infinity", "10n", "''", "[]", "[,]", "[undefined]", "[1, 2]", "[1, 2,]", "[1, , 2]", "{}",
    "{a: 1}",
    "{'a': 1, b: [2]}", "{b: [2], a: 1}", "{1: 2}", "new Map([[1, 2]])", "new Map([[1, 2], ['a', {}]])",
    "new Map([['a', {}], [1, 2]])", "new Set([1, 2])", "new Set([2, 1])", "new Map()",
    "'\\u{1F600}'", "'a\\x41'", "'aA'",
    "[[1], {c: null}]", "raises TypeError", "f(3)", "[1", "{a}", "01", "`${x}`", "--1", "",
]  # fmt: skip


def test_the_page_judges_literals_of_javascript_as_the_grader_does(open_page: Any) -> None:
    asked = [(a, b) for a in JAVASCRIPT for b in JAVASCRIPT]
    code = (
        "text => JSON.parse(text).map(([a, b]) => deskcheck.judge(a, b, deskcheck.reading('javascript').key))"
    )
    said = open_page(page_text()).evaluate(code, json.dumps(asked))
    wanted = [verdict(a, b, "javascript") for a, b in asked]
    assert [row for row in zip(asked, wanted, said, strict=True) if row[1] != row[2]] == []
    assert said.count("right") > 40
