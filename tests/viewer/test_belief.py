"""A model's states beside the true ones: each injected error is found and named for what it is."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tracing.telling import traced

from deskcheck.records import Trace
from deskcheck.states.steps import whole_run
from deskcheck.tracing.program import make_program
from deskcheck.viewer.belief import ModelRun, belief_of, chain_in, step_events
from deskcheck.viewer.document import View, page_of

SOURCE = """\
def f(n):
    a = b = [n]
    total = 0
    for x in range(n):
        total += x
        a.append(x)
        if total > 2:
            total -= 1
    return total, b
"""


def truth() -> tuple[Trace, list[str]]:
    trace = traced(SOURCE, "f(4)")
    _, run = whole_run(trace)
    return trace, [str(state) for _, state in run[:-1]]


def with_error(at: int, old: str, new: str, until: int = -1) -> tuple[dict[str, Any], Trace]:
    """The page's data of a model that is right but for one text from state `at` on."""
    trace, chain = truth()
    end = len(chain) if until < 0 else until
    changed = [text.replace(old, new) if at <= k < end else text for k, text in enumerate(chain, 1)]
    assert changed != chain
    return belief_of(ModelRun("m", changed), [trace]), trace


def test_a_model_that_is_right_never_parts() -> None:
    trace, chain = truth()
    found = belief_of(ModelRun("m", chain), [trace])
    assert found["first"] == -1 and {step[0] for step in found["steps"]} == {"same"}
    assert len(found["steps"]) == len(found["events"][0]) - 1  # the last event ends the run


def test_the_events_are_those_of_the_states() -> None:
    trace, chain = truth()
    numbers = step_events(trace)
    lines = [trace.events.line[index] for index in numbers[1:]]
    for text, line in zip(chain, lines, strict=False):
        assert text.startswith(("@", ">", "*")) and f"{line}" in text.split("|")[0]


def words(found: dict[str, Any], name: str) -> list[str]:
    cells = found["steps"][found["first"]][3]
    (cell,) = [cell for cell in cells if cell[1] == name]
    return [word if isinstance(word, str) else word[0] for word in cell[3]]


@pytest.mark.parametrize(
    ("at", "old", "new", "name", "word"),
    [
        (8, "total=0", "total=7", "total", "wrong value"),
        (8, "total=0", "total=False", "total", "wrong type"),
        (8, "total=0", "total=1", "total", "off by one"),
        (8, "total=0", "total=3", "total", "early: true from"),
        (12, "total=1", "total=0", "total", "stale since"),
        (5, "b=#1", "b=[4]", "b", "alias missed"),
        (8, "total=0; ", "", "total", "missing"),
        (8, "total=0", "total=0; y=1", "y", "extra"),
        (8, "@5", "@9", "line", "wrong branch"),
    ],
)
def test_a_planted_error_is_named(at: int, old: str, new: str, name: str, word: str) -> None:
    _, chain = truth()
    assert old in chain[at - 1], chain[at - 1]
    found, _ = with_error(at, old, new)
    assert found["first"] == at
    assert word in words(found, name)


def test_a_belief_that_heals_says_where() -> None:
    found, _ = with_error(8, "total=0", "total=5", until=9)
    assert (found["first"], found["rejoined"]) == (8, 9)


def test_a_state_that_cannot_be_read_is_no_value() -> None:
    trace, chain = truth()
    found = belief_of(ModelRun("m", [*chain[:3], "I think that total is 0", *chain[4:]]), [trace])
    assert found["steps"][4][3][0][3] == ["not readable as a state"]


def test_the_states_of_a_reply_are_its_lines_that_are_states() -> None:
    assert chain_in("Let me see\n@2 | n=3\n\n  @3 | n=3; s=0\ns is 0\n@x |") == ["@2 | n=3", "@3 | n=3; s=0"]


def test_the_page_begins_at_the_first_divergence_and_f_leads_to_its_cell(open_page: Any) -> None:
    trace, chain = truth()
    program = make_program(SOURCE, "f", "4", origin="test")
    wrong = [text.replace("total=1", "total=0") if k >= 12 else text for k, text in enumerate(chain, 1)]
    runs = [ModelRun("right", chain, "x", "x", "right"), ModelRun("wrong", wrong)]
    page = open_page(page_of(View(program, [trace], runs=runs)))
    banner = page.locator("#divergence")
    assert page.locator(".models .on").inner_text() == "✗ wrong", "the one that parts"
    page.keyboard.press("m")
    assert "agrees with the truth" in banner.inner_text()
    page.keyboard.press("m")
    assert "total is 1, the model says 0 (stale since" in banner.inner_text()
    page.keyboard.press("Home")
    assert page.locator(".belief.wrong").count() == 0
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.dataset.cell") == "v|0|total"
    row = page.locator('.row[data-name="total"]')
    assert row.locator(".belief.wrong .said").inner_text() == "0"
    assert "stale since step" in row.inner_text() and "✗" in row.inner_text()
    assert "✓" in page.locator('.row[data-name="n"]').inner_text()
