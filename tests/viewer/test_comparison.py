"""The page of two runs: rows, what differs, keys, widths; and every kind of page under axe."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.queries.programs import moments, pairs, run_of
from tests.viewer.test_page import AXE, SOURCE, page_for, serious_faults

from deskcheck.queries.comparison import comparison_page
from deskcheck.queries.diff import diff
from deskcheck.viewer.belief import ModelRun
from deskcheck.viewer.document import PLACE, View, data_of, frame_page
from deskcheck.viewer.failures import Entry, index_of

pytestmark = pytest.mark.one_python

A = """\
def f(points, bonus):
    total = 0
    kept = []
    for point in points:
        if point > 2:
            total += point
            kept.append(point)
    total = total + bonus
    return {"total": total, "kept": kept}
"""
B = A.replace("total + bonus", "total - bonus").replace("    return", "    label = 'ok'\n    return")
ARGUMENTS = "[5, 2, 7], 4"


def page_of_two(a: tuple[str, str] = (A, ARGUMENTS), b: tuple[str, str] = (B, ARGUMENTS)) -> tuple[str, Any]:
    runs = run_of(*a), run_of(*b)
    answer = diff(*runs)
    return comparison_page(*runs, answer, names=("a.py", "b.py")), answer


WALK = """async () => {
  const pair = await deskcheck.ready, rows = [];
  for (let at = 0; at < pair.n - 1; at++) {
    pair.go(at);
    rows.push([pair.steps[0][at], pair.steps[1][at], pair.differences()]);
  }
  return { rows, together: pair.nTogether, places: pair.places };
}"""


@pytest.mark.parametrize("n", [8, pytest.param(200, marks=pytest.mark.slow)])
def test_rows_and_differences_are_those_of_brute_force(open_page: Any, n: int) -> None:
    page: Any = None
    n_rows = n_differing = 0
    for a, b, lines in pairs(48, n):
        text, answer = page_of_two(a, b)
        page = open_page(text, again=page)
        walked = page.evaluate(WALK)
        mine, other, back = moments(*a), moments(*b), set(lines.values())
        left = [at for at, each in enumerate(mine, start=1) if each.line in lines]
        right = [at for at, each in enumerate(other, start=1) if each.line in back]
        together = [row for row in walked["rows"][: walked["together"]] if row[0] and row[1]]
        wanted = list(zip(left, right, strict=False))[: answer.n_common]
        assert [(row[0], row[1]) for row in together] == wanted
        for one, two, names in together:
            assert bool(names) != mine[one - 1].same(other[two - 1]), (a, b, one, two, names)
            n_differing += bool(names)
        # Every step of both runs has its row, in order.
        for side, steps in enumerate((mine, other)):
            assert [row[side] for row in walked["rows"] if row[side]] == list(range(1, len(steps) + 1))
        for name, parting in (("values", answer.values), ("path", answer.path)):
            at = walked["places"].get(name)
            if parting is None:
                assert at is None
            elif at < len(walked["rows"]):
                steps_at = walked["rows"][at][:2]
                assert steps_at == [parting.a.step if parting.a else 0, parting.b.step if parting.b else 0]
                assert name == "path" or walked["rows"][at][2] == [each.name for each in parting.names]
        n_rows += len(together)
    assert n_rows > 8 * n and n_differing > n


def test_the_page_opens_where_the_values_part_and_marks_them_on_both_sides(open_page: Any) -> None:
    text, answer = page_of_two()
    page = open_page(text)
    assert page.locator("#where").inner_text() == "A step 15, line 9 · B step 16, line 10"
    page.keyboard.press("ArrowLeft")
    assert page.locator("#where").inner_text() == "A waits · B step 15, line 9"
    page.keyboard.press("f")
    assert answer.values is not None and answer.values.a is not None
    assert f"step {answer.values.a.step}, line 9" in page.locator("#partings").inner_text()
    for side, names, value in (("a", ["total"], "16"), ("b", ["total", "label"], "8")):
        marked = page.locator(f"#side-{side} .row.differs")
        assert [each.get_attribute("data-name") for each in marked.all()] == names
        assert value in marked.first.inner_text()
    assert page.locator('#differences tr[data-differs="total"] td').all_inner_texts() == ["16", "8"]
    edited = [each.get_attribute("data-line") for each in page.locator("#side-b .line.edited").all()]
    assert edited == ["8", "9"] and page.locator("#side-a .line.edited").count() == 1
    assert page.locator("#side-a .name").inner_text() == "a.py"


def test_keys_clicks_and_the_address_lead_through_the_rows(open_page: Any) -> None:
    page = open_page(page_of_two((A, ARGUMENTS), (A, "[5, 3], 4"))[0])
    field = page.locator("#step")
    assert field.input_value() == "1", "the arguments differ"
    page.keyboard.press("p")
    parted = int(field.input_value())
    assert "The paths have parted" in page.locator("#differences").inner_text()
    page.keyboard.press("ArrowLeft")
    assert field.input_value() == str(parted - 1)
    page.keyboard.press("d")
    page.keyboard.press("D")
    page.keyboard.press("End")
    assert "returned" in page.locator('#differences tr[data-differs="outcome"]').inner_text()
    page.keyboard.press("g")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator("#where").inner_text() == "A step 2, line 3 · B step 2, line 3"
    page.locator('#side-b .line[data-line="7"] .number').click()
    assert "B step 6, line 7" in page.locator("#where").inner_text()
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    open_page(page_of_two()[0], fragment="#r=3", again=page)
    assert field.input_value() == "3"
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(e => e.dataset.move || e.id || e.className)(document.activeElement)"))
    assert {"range", "next", "values", "step", "theme", "keys", "differences", "source scrolls"} <= reached


def test_without_script_the_answer_and_both_sources_are_there_and_nothing_of_a_program_is_markup(
    open_page: Any,
) -> None:
    nasty = "def f(s):\n    t = s + '</script><img src=x onerror=alert(1)>\u202e'\n    return t\n"
    text, _ = page_of_two((nasty, "'<b>'"), (nasty, "'</script>'"))
    assert text.count("<img") == 0 and "\u202e" not in text
    page = open_page(text, java_script_enabled=False)
    shown = page.locator("noscript").inner_text()
    assert "values part:" in shown and shown.count("def f(s):") == 2
    page = open_page(text)
    assert page.locator("img").count() == 0 and "<b>" in page.locator("#differences").inner_text()


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_no_width_scrolls_sideways(open_page: Any, width: int) -> None:
    page = open_page(page_of_two()[0], viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#side-b .line.edited code").first.bounding_box()["width"] > 40


def kinds(folder: Path) -> dict[str, str | Path]:
    view = page_for()[0]
    model = ModelRun("m", ["@7 | n=4", "@8 | n=4; a=#1[]; b=#1"])
    run = run_of(SOURCE, "4")
    assert run.program is not None
    index = folder / "index.html"
    entry = Entry(
        "test_a.py::test_b", "a.html#s=3", "raised AssertionError", "line 3: assert n", ["n = 2, given"]
    )
    index.write_text(index_of([entry]), encoding="utf-8")
    frame = frame_page().replace(
        PLACE, data_of(View(run.program, [run.trace], runs=[model], notes=["a note"]))
    )
    return {
        "view": view,
        "diff": page_of_two()[0],
        "step view of a report, page of a failure": frame,
        "index": index,
    }


@pytest.mark.parametrize("scheme", AXE)
def test_every_kind_of_page_has_no_serious_fault(watcher: Any, tmp_path: Path, scheme: str) -> None:
    page = watcher.page(color_scheme=scheme, viewport={"width": 400, "height": 800})
    for kind, text in kinds(tmp_path).items():
        file = text if isinstance(text, Path) else tmp_path / "page.html"
        if isinstance(text, str):
            file.write_text(text, encoding="utf-8")
        page.goto(file.as_uri())
        page.evaluate("window.deskcheck?.ready.then(() => true)")
        if page.locator("#tab-calls").count():
            page.locator("#tab-calls").click()
        serious = serious_faults(page, scheme)
        assert serious == [], f"{kind}: {json.dumps(serious, indent=1)}"
    page.context.close()
