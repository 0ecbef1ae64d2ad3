"""The page in a browser: ways through a run, questions about it, and that nothing leaves or harms it."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from tests.tracing.telling import traced

from deskcheck.records import EventKind, Granularity, Limits, Trace
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import events
from deskcheck.viewer.belief import ModelRun
from deskcheck.viewer.document import View, page_of
from deskcheck.viewer.notebook import frame_of, table_of

SOURCE = """\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def f(n):
    a = b = []
    a.append(1)
    total = 0
    for i in range(3):
        for j in range(4):
            total = total + i * j
            a.append(total)
    if total > 1000:
        total = -1
    b = b + [2]
    print(total)
    return fib(n)
"""


def page_for(
    source: str = SOURCE, call: str = "f(4)", *, fine: bool = False, **more: Any
) -> tuple[str, Trace]:
    entry, _, arguments = call.partition("(")
    program = make_program(source, entry, arguments[:-1], origin="test")
    if not fine:
        trace = traced(source, call)
        return page_of(View(program, [trace], **more)), trace
    levels = (Granularity.EXPRESSION, Granularity.INSTRUCTION)
    traces = [run.trace_program(program, Limits(), granularity=level) for level in levels]
    return page_of(View(program, traces, **more)), traces[0]


def step_of(page: Any) -> str:
    return str(page.locator("#step").input_value())


def state(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("deskcheck.state()")
    return found


def go(page: Any, step: int | str) -> None:
    page.keyboard.press("g")
    page.keyboard.type(str(step))
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")


def wait_for(page: Any, condition: str) -> None:
    """Ask until it is true; the page's policy forbids the browser's own way to do so."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never true: {condition}")


def variables(page: Any, frame: int = -1) -> dict[str, str]:
    return dict(state(page)["frames"][frame]["names"])


# ------------------------------------------------------------------ ways through a run


def test_every_way_to_a_step_leads_to_the_same_drawing(open_page: Any) -> None:
    text, _ = page_for()
    page = open_page(text)
    go(page, 20)
    wanted = {key: value for key, value in state(page).items() if key != "live"}
    ways = {
        "forward": ["Home", *["ArrowRight"] * 19],
        "back": ["End", "PageUp", *["ArrowRight"] * 30, *["ArrowLeft"] * 3],
        "wander": ["PageDown", "]", "[", "ArrowUp", "Home", "Shift+ArrowRight", "n"],
    }
    for keys in ways.values():
        for key in keys:
            page.keyboard.press(key)
        go(page, 20)
        assert {key: value for key, value in state(page).items() if key != "live"} == wanted
    page.evaluate("location.hash = '#s=20'")
    page.wait_for_timeout(50)
    assert {key: value for key, value in state(page).items() if key != "live"} == wanted
    page.keyboard.press("Home")
    for _ in range(19):
        page.keyboard.press("ArrowRight")
    assert step_of(page) == "20"
    assert {key: value for key, value in state(page).items() if key != "live"} == wanted


def test_over_and_out_pass_calls_forwards_and_back(open_page: Any) -> None:
    text, trace = page_for()
    page = open_page(text)
    lines = [(e.step, e.frame, e.line) for e in events(trace) if e.kind is EventKind.LINE]
    entry = lines[0][1]
    last_of_entry = [step for step, frame, _ in lines if frame == entry][-1]
    go(page, last_of_entry)
    page.keyboard.press("ArrowDown")
    inside = int(step_of(page))
    assert inside == last_of_entry + 1, "into the first call of fib"
    page.keyboard.press("ArrowUp")
    assert (
        page.locator("#where").inner_text().endswith("returns 3")
        and "line 18" in page.locator("#where").inner_text()
    ), "out of it: the entry returns"
    go(page, last_of_entry)
    page.keyboard.press("Shift+ArrowRight")
    assert "returns 3" in page.locator("#where").inner_text()
    page.keyboard.press("Shift+ArrowLeft")
    assert step_of(page) == str(last_of_entry)


def test_the_loop_navigator_counts_and_leads(open_page: Any) -> None:
    # A line out of sight has no `inner_text` (content-visibility), whatever it holds.
    text, trace = page_for()
    page = open_page(text)
    inner = [e.step for e in events(trace) if e.kind is EventKind.LINE and e.line == 12]
    go(page, inner[6])  # third iteration of the inner loop in the second of the outer
    assert page.locator('.line[data-line="10"] .count').text_content() == "2 of 3"
    assert page.locator('.line[data-line="11"] .count').text_content() == "3 of 4"
    page.keyboard.press("]")
    assert page.locator('.line[data-line="11"] .count').text_content() == "4 of 4"
    page.locator('.line[data-line="10"] .loop button').nth(0).click()
    assert page.locator('.line[data-line="10"] .count').text_content() == "1 of 3"


def test_rounds_of_a_loop_over_values_in_javascript_are_those_of_its_body(open_page: Any) -> None:
    pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")
    from deskcheck.languages.javascript.tracer import trace_here

    source = (
        "function f(rows) {\n  let n = 0;\n  for (const row of rows) {\n    for (const x of row) {\n"
        "      n += x;\n    }\n  }\n  return n;\n}\n"
    )
    program = make_program(source, "f", "[[1], [2, 3, 4], [5]]", origin="test", language="javascript")
    trace = trace_here(program, Limits())
    page = open_page(page_of(View(program, [trace])))
    rounds = [event.step for event in events(trace) if event.kind is EventKind.LINE and event.line == 5]
    go(page, rounds[2])  # second round of the inner loop, in the second of the outer
    assert page.locator('.line[data-line="3"] .count').text_content() == "2 of 3"
    assert page.locator('.line[data-line="4"] .count').text_content() == "2 of 3"


def test_hit_counts_are_those_of_the_trace_and_n_leads_through_them(open_page: Any) -> None:
    text, trace = page_for()
    page = open_page(text)
    counts: dict[int, int] = {}
    steps: dict[int, list[int]] = {}
    for event in events(trace):
        if event.kind is EventKind.LINE:
            counts[event.line] = counts.get(event.line, 0) + 1
            steps.setdefault(event.line, []).append(event.step)
    for line in range(1, 19):
        shown = page.locator(f'.line[data-line="{line}"] .hits').text_content()
        assert shown == (str(counts[line]) if line in counts else "")
    page.locator('.line[data-line="13"] .number').click()
    page.keyboard.press("n")
    page.keyboard.press("n")
    assert step_of(page) == str(steps[13][1])
    page.keyboard.press("N")
    assert step_of(page) == str(steps[13][0])


def test_a_moment_has_an_address_that_survives_opening_it_again(open_page: Any) -> None:
    text, _ = page_for()
    page = open_page(text, fragment="#s=12&c=v%7C0%7Ctotal&l=0.13")
    assert step_of(page) == "12"
    assert page.locator("#panel-why h3").inner_text().startswith("Why is total")
    page.keyboard.press("ArrowRight")
    wait_for(page, "location.hash.startsWith('#s=13')")
    for bad in ("#s=99999", "#s=x", "#s=3.9999", "#nonsense", "#s=2&c=zzz&l=9.9&v=nothing"):
        open_page(text, fragment=bad, again=page)
        assert step_of(page) != ""


# ------------------------------------------------------------------ questions


def test_a_value_leads_to_its_writes_and_to_what_they_were_made_from(open_page: Any) -> None:
    text, trace = page_for()
    page = open_page(text)
    writes = [e.step for e in events(trace) for c in e.changes if c.place == 0 and c.owner == 0]
    go(page, 30)
    page.locator('[data-cell="v|0|total"]').click()
    rows = page.locator("#panel-why .chain > li")
    assert rows.count() > 3 and "line 12" in rows.nth(0).inner_text()
    assert {name.inner_text() for name in rows.nth(0).locator("> .sources > li > .name").all()} == {
        "total",
        "i",
        "j",
    }
    page.keyboard.press("v")
    assert int(float(step_of(page))) in writes and int(float(step_of(page))) <= 30
    before = step_of(page)
    page.keyboard.press("V")
    assert float(step_of(page)) > float(before)


def test_an_element_keeps_its_history_when_others_move_it(open_page: Any) -> None:
    source = """\
def f():
    xs = [1, 2]
    xs[0] = 5
    xs.insert(0, 9)
    xs[1] = 6
    del xs[0]
    return xs
"""
    text, _ = page_for(source, "f()")
    page = open_page(text)
    go(page, 6)
    page.locator('#state [data-cell="e|0|0"]').click()
    made = [element.inner_text() for element in page.locator("#panel-why .chain > li > .made").all()]
    assert made == ["6", "5", "1"]


def test_why_a_line_did_not_run_names_the_branch_and_its_operands(open_page: Any) -> None:
    text, _ = page_for()
    page = open_page(text)
    page.keyboard.press("End")
    page.locator('.line[data-line="15"] .number').click()
    said = page.locator("#panel-line .why-not").inner_text()
    assert said.startswith("Never reached: line 14") and "was not true" in said and "total = 18" in said
    page.locator('.line[data-line="1"] .number').click()
    assert page.locator("#panel-line").inner_text().strip() != ""


def test_a_watched_expression_has_its_value_at_every_run_of_a_line(open_page: Any) -> None:
    text, _ = page_for()
    page = open_page(text)
    page.locator('.line[data-line="12"] .number').click()
    page.keyboard.press("w")
    page.keyboard.type("total + len(a) * 2")
    page.keyboard.press("Enter")
    values = [row.inner_text() for row in page.locator("#watch-result td:nth-child(2)").all()]
    total, size, wanted = 0, 1, []
    for i in range(3):
        for j in range(4):
            wanted.append(str(total + size * 2))
            total, size = total + i * j, size + 1
    assert values == wanted
    assert page.locator("#watch-result svg").count() == 1
    for bad in ("a[", "import os", "a; b", "f(1)"):
        page.locator("#watch-text").fill(bad)
        page.keyboard.press("Enter")
        assert page.locator("#watch-note").inner_text().startswith("not understood")


def test_one_object_under_two_names_is_lit_at_both_and_parts_when_they_part(open_page: Any) -> None:
    text, trace = page_for()
    page = open_page(text)
    go(page, 4)
    names = variables(page)
    assert names["a"] == names["b"] and names["a"].startswith("#")
    page.locator('[data-cell="v|0|a"] .ref').hover()
    assert page.locator("#state .dd .ref.lit").count() == 2
    assert "2 names" in page.locator(".object .names").nth(0).inner_text()
    after = next(e.step for e in events(trace) if e.kind is EventKind.LINE and e.line == 17)
    go(page, after)
    names = variables(page)
    assert names["a"] != names["b"]


@pytest.mark.skipif(not access.has_native(), reason="finer steps need the C extension")
def test_expressions_stand_in_order_of_evaluation_and_a_level_keeps_the_moment(open_page: Any) -> None:
    source = "def f(s):\n    t = s.strip().split(',')[1]\n    return t\n"
    text, _ = page_for(source, "f(' é1,b ')", fine=True)
    page = open_page(text)
    go(page, 2)
    boxes = [box[:2] for box in state(page)["boxes"]]
    assert boxes[0] == ["s.strip()", "'é1,b'"]
    assert [box[0] for box in boxes] == ["s.strip()", "s.strip().split(',')", "s.strip().split(',')[1]"]
    page.keyboard.press("x")
    assert step_of(page) == "2"
    page.keyboard.press("ArrowLeft")
    assert state(page)["boxes"][-1][2] is True and page.locator(".evaluated").inner_text().startswith(
        "s.strip"
    )
    page.keyboard.press("x")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".instruction").count() == 1 and page.locator(".row.stack").count() == 1


# ------------------------------------------------------------------ nothing leaves, nothing harms

NASTY = (
    "</script></SCRIPT ><!--<script><img src=x onerror=alert(1)>"
    "\u2028\u2029\u202eevil\u202c\x00\x07\x1b[31m\ufeff"
)


def hostile_page() -> str:
    source = (
        f"def f(s):\n    # </script><!--<script>alert(1)</script> \u202eevil\u202c \x1b[31m {'y' * 50}\n"
        f"    t = s * 2\n    {'z' * 3} = '{'x' * 1_000_000}'\n"
        "    d = {s: t, '__proto__': 1, 'constructor': [s]}\n    n = 10 ** 5000\n    u = '\\ud800'\n"
        "    class A: pass\n    A.__qualname__ = s\n    a = A()\n    setattr(a, s, s)\n    return d, u, a\n"
    )
    model = ModelRun(NASTY, [f"@3 | s='{NASTY}'", "@4 | s=<img>"], NASTY, NASTY, "wrong", NASTY * 100)
    return page_for(source, f"f({NASTY!r})", output=NASTY.encode(), runs=[model], notes=[NASTY])[0]


VALUES = """\
import enum
import threading

class Colour(enum.Enum):
    RED = 1

LOCK = threading.Lock()
BOX = object()

def f():
    colour = Colour.RED
    used = LOCK, BOX
    with LOCK:
        n = 1
    return colour
"""


def test_summaries_are_shown_with_their_changes_and_opaque_globals_stay(open_page: Any) -> None:
    page = open_page(page_for(VALUES, "f()")[0])
    page.keyboard.press("End")
    go(page, 3)
    wait_for(page, "document.querySelector('#state').innerText.includes('Colour.RED')")
    text = page.locator("#state").inner_text()
    assert "unlocked" in text and "<opaque object>" in text
    go(page, 4)
    row = page.locator('[data-name="LOCK"]')
    assert "locked" in row.inner_text() and "unlocked" not in row.inner_text()
    assert "_name_" not in page.locator("#state").inner_text()


HELD = """
class Dog:
    count = 0
    tricks = []
class Still:
    size = 3
def fib(n):
    fib.calls += 1
    return n
fib.calls = 0
def f():
    a = Dog.tricks, Still.size
    Dog.count += 1
    Dog.tricks.append('roll')
    fib(2)
    return a
"""


def test_a_class_or_function_whose_attributes_change_has_a_card(open_page: Any) -> None:
    page = open_page(page_for(HELD, "f()")[0])
    page.keyboard.press("End")
    shown = page.locator("section.frame[data-frame=g0] .row")
    texts = [" ".join(text.split()) for text in shown.all_inner_texts()]
    assert [text.split()[0] for text in texts] == ["Dog", "fib"]  # nothing of `Still` changes
    assert "class Dog(count=1, tricks=['roll'])" in texts[0] and "function fib(calls=1)" in texts[1]
    cards = [" ".join(text.split()) for text in page.locator(".object h4").all_inner_texts()]
    assert any("class Dog" in text for text in cards) and any("function fib" in text for text in cards)


def test_hostile_text_is_text_and_the_page_is_whole(open_page: Any) -> None:
    text = hostile_page()
    # Nothing of the program stands in the file but as escaped or packed text.
    assert text.count("<script") == 3 and len(re.findall("</script", text, re.I)) == 3
    assert "\u202e" not in text and "\x1b" not in text and "\x00" not in text
    page = open_page(text)
    n_elements = page.evaluate("document.querySelectorAll('script, img, iframe, object').length")
    assert n_elements == 4, "the three of the file and the one that they unpack"
    for key in ("End", "ArrowLeft", "ArrowLeft", "m", "f", "d"):
        page.keyboard.press(key)
    drawn = variables(page, 0)
    assert drawn["s"] == repr(NASTY)
    for tab in ("steps", "output", "belief"):
        page.locator(f"#tab-{tab}").click()
    assert page.evaluate("document.querySelectorAll('script, img, iframe, object').length") == n_elements
    assert page.locator('.line[data-line="4"] .cut').count() == 1
    page.locator("#tab-output").click()
    assert page.evaluate("document.querySelector('#panel-output pre').textContent") == NASTY


def test_the_page_forbids_everything_that_it_does_not_need(open_page: Any) -> None:
    page = open_page(page_for()[0], trouble_with="Content Security Policy")
    policy = page.locator('meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    ran = page.evaluate(
        """async () => {
          const script = document.createElement("script");
          script.textContent = "window.harmed = true";
          document.body.append(script);
          let fetched = "refused";
          try { await fetch("https://example.org/"); fetched = "fetched"; } catch {}
          return [window.harmed === true, fetched];
        }"""
    )
    assert ran == [False, "refused"]


def test_the_scripts_make_no_markup_out_of_text() -> None:
    from importlib.resources import files

    folder = files("deskcheck.viewer") / "page"
    for file in folder.iterdir():
        if file.name.endswith(".js"):
            text = file.read_text(encoding="utf-8")
            for word in (
                "innerHTML",
                "outerHTML",
                "insertAdjacentHTML",
                "document.write",
                "eval(",
                "Function(",
            ):
                assert word not in text, f"{file.name}: {word}"


def test_the_same_view_gives_the_same_bytes() -> None:
    assert page_for()[0] == page_for()[0]


# ------------------------------------------------------------------ everybody can read it


def test_without_script_the_program_and_the_beginning_of_its_trace_are_there(open_page: Any) -> None:
    page = open_page(page_for()[0], java_script_enabled=False)
    shown = page.locator("noscript").inner_text()
    assert "def fib(n):" in shown and "total = total + i * j" in shown and "call f(n=4)" in shown


@pytest.mark.parametrize("width", [320, 400, 768, 1280, 2560])
def test_no_width_scrolls_sideways(open_page: Any, width: int) -> None:
    runs = [ModelRun("m", ["@7 | n=4"])]
    page = open_page(page_for(runs=runs)[0], viewport={"width": width, "height": 800})
    go(page, 25)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


ONLY_FAULTS = {"resultTypes": ["violations"]}
OF_COLORS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
AXE = {"light": ONLY_FAULTS, "dark": {**ONLY_FAULTS, "runOnly": OF_COLORS}}
"""Scheme -> options: all rules once, and those about colors for the other colors."""


def serious_faults(page: Any, scheme: str) -> list[tuple[str, str, str]]:
    """Return the faults of a page that axe calls serious or critical: rule, element, what is wrong."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    # The page's own policy keeps a tester's script out: this one is put in by the debugger.
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    return [
        (fault["id"], node["html"][:160], node.get("failureSummary", "")[:200])
        for fault in axe.Axe().run(page, options=AXE[scheme]).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("scheme", AXE)
def test_accessibility_has_no_serious_fault(open_page: Any, scheme: str) -> None:
    program = make_program(SOURCE, "f", "4", origin="test")
    trace = traced(SOURCE, "f(4)")
    model = ModelRun("m", ["@7 | n=4", "@8 | n=4; a=#1[]; b=#1", "@9 | n=4; a=[]; b=[]"])
    page = open_page(page_of(View(program, [trace], runs=[model])), color_scheme=scheme)
    assert page.locator('[aria-hidden="true"]').count() > 3
    assert page.locator('[aria-hidden=""]').count() == 0, "an empty value hides nothing"
    for tab in ("why", "line", "watch", "steps", "output", "belief"):
        page.locator(f"#tab-{tab}").click()
        if tab == "why":
            page.locator('[data-cell="v|0|a"]').click()
        serious = serious_faults(page, scheme)
        assert serious == [], f"{tab}: {json.dumps(serious, indent=1)}"


def test_everything_can_be_reached_and_done_with_the_keyboard(open_page: Any) -> None:
    page = open_page(page_for()[0])
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "(e => e.dataset.move || e.dataset.panel || e.dataset.cell || e.id)(document.activeElement)"
            )
        )
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none" or page.evaluate("document.activeElement === document.body")
    assert {"range", "next", "over", "out", "last", "step", "why", "theme", "keys", "v|0|n"} <= reached
    page.locator('[data-cell="v|0|n"]').focus()
    page.keyboard.press("Enter")
    assert "Why is n" in page.locator("#panel-why").inner_text()
    page.locator("#watch-text").fill("") if page.locator("#watch-text").is_visible() else None
    page.keyboard.press("w")
    page.keyboard.type("g n")
    assert page.locator("#watch-text").input_value() == "g n", "letters are text within a field"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.locator("#letters").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    where = step_of(page)
    page.keyboard.press("v")
    assert step_of(page) == where, "letters are off"


def test_a_screen_reader_is_told_once_where_the_reader_rests(open_page: Any) -> None:
    page = open_page(page_for()[0])
    go(page, 12)
    wait_for(page, "document.getElementById('live').textContent.includes('step 12 of')")
    told = page.locator("#live").inner_text()
    assert "line" in told
    assert page.locator("#range").get_attribute("aria-valuetext").startswith("step 12 of")


# ------------------------------------------------------------------ in a notebook


def test_a_notebook_shows_the_page_in_a_frame_without_access_to_it(open_page: Any) -> None:
    frame = frame_of(make_program(SOURCE, "f", "4", origin="test"), traced(SOURCE, "f(4)"))
    assert 'sandbox="allow-scripts"' in frame and "allow-same-origin" not in frame
    ready = "<script>window.deskcheck = {ready: Promise.resolve()}</script>"
    page = open_page(f"<!doctype html><meta charset=utf-8>{ready}{frame}")
    inside = page.frame_locator("iframe")
    inside.locator('[data-move="next"]').click()
    assert inside.locator("#where").inner_text().startswith("step 2 of")
    page.wait_for_timeout(400)
    inside.locator('[data-move="next"]').click()
    assert inside.locator("#where").inner_text().startswith("step 3 of")


# ------------------------------------------------------------------ runs that are hardly any


@pytest.mark.parametrize(
    ("source", "call", "words"),
    [
        ("def f():\n    pass\n", "f()", "returned None after 1 step"),
        ("def f():\n    raise KeyError('k')\n", "f()", "raised KeyError"),
        ("def f(:\n", "f()", "does not compile"),
        ("def f():\n    while True:\n        n = 1\n", "f()", "stopped at the limit"),
        ("raise ValueError\n", "f()", "raised ValueError"),
    ],
)
def test_a_run_of_hardly_anything_is_a_sentence(open_page: Any, source: str, call: str, words: str) -> None:
    program = make_program(source, "f", "", origin="test")
    trace = run.trace_program(program, Limits(max_steps=50))
    page = open_page(page_of(View(program, [trace])))
    assert words in page.locator("#outcome").inner_text()
    for key in ("End", "Home", "ArrowRight", "]", "n", "v", "e", "f", "x", "d"):
        page.keyboard.press(key)
    for tab in ("why", "line", "watch", "steps", "output"):
        page.locator(f"#tab-{tab}").click()
        assert page.locator(f"#panel-{tab}").inner_text().strip()
    assert html.escape(source.split("\n")[0])[:5] in page.content()


def test_a_place_without_frames_gets_a_table_without_script_or_markup_of_its_own() -> None:
    rows = [(1, 2, "  x = a | b", {"a": "<script>", "b": "`|\x1b[31m\u202e"}), (2, 3, "return x", {})]
    table = table_of("f('<b>')", rows, n_steps=50, outcome="returned")
    assert "<script" not in table and "<b>" not in table and "\x1b" not in table and "\u202e" not in table
    cells = [line.count("|") for line in table.split("\n") if line.startswith("|")]
    assert cells == [5, 5, 5, 5] and "48 more steps" in table


COPIES = """\
def f(xs):
    for i in range(len(xs) - 1):
        if xs[i] > xs[i + 1]:
            kept = xs[i]
            xs[i], xs[i + 1] = xs[i + 1], kept
    return xs
"""


def test_a_value_that_was_copied_names_where_it_comes_from(open_page: Any) -> None:
    text, _ = page_for(COPIES, "f([9, 4, 5])")
    page = open_page(text)
    page.keyboard.press("End")
    page.locator('#state .cell[data-index="2"]').click()
    said = page.locator("#panel-why .copied").inner_text()
    # `kept` is set to 9 twice, and a value that stays is no write: the chain takes the shorter way.
    assert said == "Copied from kept, that from xs[0], given by the call."
    page.locator('#state .cell[data-index="0"]').click()
    assert page.locator("#panel-why .copied").inner_text() == "Copied from xs[1], given by the call."
    page.keyboard.press("Home")
    page.locator('#state .cell[data-index="0"]').click()
    assert page.locator("#panel-why .copied").count() == 0


def test_a_watch_without_a_chosen_line_is_of_the_line_that_runs_next(open_page: Any) -> None:
    text, _ = page_for(COPIES, "f([9, 4, 5])")
    page = open_page(text)
    go(page, 4)
    page.keyboard.press("w")
    page.keyboard.type("xs[i]")
    page.keyboard.press("Enter")
    assert page.locator("#watch-where").inner_text() == "at every run of line 5"
    assert page.locator("#watch-result tbody td:last-child").all_inner_texts() == ["9", "9"]
    page.keyboard.press("Escape")
    page.keyboard.press("Home")
    assert page.locator("#watch-where").inner_text() == "at every run of line 5", (
        "it stays where it was asked"
    )


CURSOR_AND_THUMB = """() => {
  const strip = document.getElementById("strip"), range = document.getElementById("range");
  const box = strip.getBoundingClientRect(), at = range.getBoundingClientRect(), thumb = 14, dark = [];
  const pixels = strip.getContext("2d").getImageData(0, 1, strip.width, 1).data;
  for (let x = 0; x < strip.width; x++) if (pixels[4 * x + 3]) dark.push(x);
  const middle = (dark[0] + dark[dark.length - 1] + 1) / 2;
  const share = (range.value - range.min) / (range.max - range.min);
  return [box.left + (middle * box.width) / strip.width, at.left + thumb / 2 + share * (at.width - thumb)];
}"""


def test_the_slider_stands_under_the_cursor_of_the_strip(open_page: Any) -> None:
    text, _ = page_for(COPIES, "f([9, 4, 5])")
    page = open_page(text)
    go(page, 4)
    cursor, thumb = page.evaluate(CURSOR_AND_THUMB)
    assert abs(cursor - thumb) <= 2
