"""The page without color, with the system's own colors, and on paper."""

from __future__ import annotations

import re
from typing import Any

from tests.tracing.telling import traced

from deskcheck.records import Trace
from deskcheck.states.steps import whole_run
from deskcheck.tracing.program import make_program
from deskcheck.viewer.belief import ModelRun
from deskcheck.viewer.document import View, page_of

SOURCE = (
    "def f(n):\n    a = n\n    b = a + 1\n    c = b + 1\n"
    + "".join(f"    c = c + {k}\n" for k in range(90))
    + "    return c\n"
)


def page_text() -> str:
    """A model's run that is wrong in one variable from the fourth state on."""
    trace: Trace = traced(SOURCE, "f(1)")
    chain = [str(state) for _, state in whole_run(trace)[1]]
    wrong = [text if at < 3 else text.replace("b=2", "b=3") for at, text in enumerate(chain)]
    program = make_program(SOURCE, "f", "1", origin="test")
    return page_of(View(program, [trace], runs=[ModelRun("m", wrong, answer="0", expected="1")]))


def test_without_color_right_and_wrong_differ_by_a_sign(open_page: Any) -> None:
    page = open_page(page_text())
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setEmulatedVisionDeficiency", {"type": "achromatopsia"})
    cells = page.locator("#state .belief")
    signs = [cell.locator(".sign").inner_text() for cell in cells.all()]
    assert set(signs) == {"✓", "✗"} and len(signs) == cells.count()
    for sign in page.locator(".models button, .states li").all():
        assert re.search("[✓✗·]", sign.inner_text())
    # The two kinds of cells are different pictures in gray too, and so are the bands of the strip.
    right, wrong = (page.locator(f"#state .belief.{kind}").first.screenshot() for kind in ("same", "wrong"))
    assert right != wrong
    columns = page.evaluate(
        """() => {
          const canvas = document.getElementById("strip"), { width, height } = canvas;
          const data = canvas.getContext("2d").getImageData(0, height - 10, width, 10).data;
          const rows = (from, to) => new Set(Array.from({ length: 10 }, (_, y) => Array.from(
            { length: to - from }, (_, x) => +(data[4 * (y * width + from + x) + 3] > 0)).join("")));
          return [rows(4, 12).size, rows(width - 40, width - 20).size];
        }"""
    )
    assert (columns[1] > 1 and columns[0] != columns[1]) or columns[1] > 2, "hatched where it differs"


def test_forced_colors_keep_the_marks(open_page: Any) -> None:
    page = open_page(page_text(), forced_colors="active")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    outline = page.locator(".line.next").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid"
    assert page.locator("#state .belief.wrong .sign").first.inner_text() == "✗"
    for name in ("[data-move=next]", "#state .belief.wrong", "[role=tab][aria-selected=true]"):
        style = page.locator(name).first.evaluate(
            "e => { const s = getComputedStyle(e); return [s.color, s.backgroundColor]; }"
        )
        assert style[0] != style[1], name
    chosen = page.locator("[role=tab][aria-selected=true]").evaluate(
        "e => getComputedStyle(e).borderBottomColor"
    )
    other = page.locator("[role=tab][aria-selected=false]").first.evaluate(
        "e => getComputedStyle(e).borderBottomColor"
    )
    assert chosen != other


def test_on_paper_the_whole_source_and_state_stand(open_page: Any) -> None:
    page = open_page(page_text())
    page.emulate_media(media="print")
    assert not page.locator(".transport").is_visible()
    for pane in ("#source", "#state", "#panel-belief"):
        clipped = page.locator(pane).evaluate("e => e.scrollHeight - e.clientHeight")
        assert clipped <= 2, pane
    bottoms = [page.locator(place).bounding_box() for place in ("#source", "#state", ".below-all")]
    assert bottoms[2]["y"] >= max(box["y"] + box["height"] for box in bottoms[:2]) - 1, (
        "nothing lies on another"
    )
    pdf = page.pdf()
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf)) >= 2
