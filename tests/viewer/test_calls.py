"""The tree of calls, what is folded by default, narrow screens and the hint for a first visit."""

from __future__ import annotations

import sys
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from tests.viewer.test_page import page_for, step_of

from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.viewer.document import View, page_of

pytestmark = pytest.mark.one_python

CALLS = """\
def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)

def down(n):
    if n == 0:
        raise ValueError(n)
    return down(n - 1)

def half(n):
    return n // 2

def f(n):
    total = 0
    for i in range(3):
        total += half(i)
    try:
        down(n)
    except ValueError as error:
        total += 1
    return total + fib(n)
"""
Told = tuple[str, int, str]
"""Name and arguments, depth, how it ended."""


def told_by_the_interpreter(source: str, call: str) -> list[Told]:
    """Every call of the program in order, by a profiler's hook of the interpreter."""
    space: dict[str, object] = {}
    exec(compile(source, "<plain>", "exec"), space)
    rows: list[Told] = []
    live: list[int] = []

    def hook(frame: FrameType, event: str, value: object) -> None:
        if frame.f_code.co_filename != "<plain>" or event not in ("call", "return"):
            return
        if event == "call":
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            given = ", ".join(f"{name}={frame.f_locals[name]!r}" for name in names)
            live.append(len(rows))
            rows.append((f"{frame.f_code.co_name}({given})", len(live), "raises"))
        else:
            at = live.pop()
            # A profiler sees None for a call that an exception leaves; no call of this program returns None.
            rows[at] = (rows[at][0], rows[at][1], "raises" if value is None else f"→ {value!r}")

    compiled = eval(f"lambda: {call}", space)
    sys.setprofile(hook)
    try:
        compiled()
    finally:
        sys.setprofile(None)
    return rows


ROWS = """async () => {
  const app = await deskcheck.ready, tree = app.calls, rows = [];
  for (let at = 0; at < tree.rows.length; at++) {
    const row = tree.rows[at];
    if (row < 0) { rows.push(["fold", tree.levels[at], String(tree.calls.nSelf[~row])]); continue; }
    const [call, gives, isRaised] = tree.text(row);
    rows.push([call, tree.calls.depth[row], isRaised ? "raises" : gives]);
  }
  return rows;
}"""


def open_tree(page: Any) -> None:
    page.keyboard.press("c")
    page.locator("#calls-head button", has_text="open all").click()


def row(page: Any, text: str) -> Any:
    return page.locator(".call-row", has_text=text).first


def test_the_tree_holds_every_call_of_the_interpreter_with_arguments_and_end(open_page: Any) -> None:
    page = open_page(page_for(CALLS, "f(5)")[0])
    open_tree(page)
    wanted = [list(each) for each in told_by_the_interpreter(CALLS, "f(5)")]
    shown = page.evaluate(ROWS)
    assert [each for each in shown if each[0] != "fold"] == wanted
    fold_of = {rows[0]: fold[2] for rows, fold in pairwise(shown) if fold[0] == "fold"}
    self_calls = sum(each[0].startswith("fib(") for each in wanted) - 1
    assert fold_of["fib(n=5)"] == str(self_calls) and fold_of["down(n=5)"] == "5"
    assert "down(n=4)" not in fold_of, "a chain has one fold, at its head"


def test_calls_of_itself_are_folded_and_keys_and_clicks_lead_to_steps(open_page: Any) -> None:
    text, trace = page_for(CALLS, "f(5)")
    page = open_page(text, viewport={"width": 1280, "height": 1400})
    page.locator("#tab-calls").click()
    fold = page.locator(".call-row.folded", has_text="5 calls of itself")
    assert fold.get_attribute("aria-expanded") == "false" and row(page, "down(n=4)").count() == 0
    fold.click()
    assert row(page, "down(n=0)").locator(".gives").inner_text() == "✕ raises ValueError(args=(0,))"
    steps = row(page, "down(n=3)").locator(".range").inner_text()
    row(page, "down(n=3)").click()
    assert step_of(page) == steps.split("–")[0]
    assert row(page, "down(n=3)").get_attribute("aria-selected") == "true"
    row(page, "down(n=0)").locator(".gives").click()
    page.locator("#where", has_text="raises").wait_for()  # shown with the next frame
    # Keyboard alone: to the tree, to its first row, down, folded, unfolded, into the call.
    page.keyboard.press("Home")
    page.keyboard.press("c")
    assert page.evaluate("document.activeElement.id") == "calls"
    page.keyboard.press("Home")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".call-row").count() == 1
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    active = page.locator("#calls").get_attribute("aria-activedescendant")
    assert "half(n=0)" in page.locator(f"#{active}").inner_text()
    page.keyboard.press("Enter")
    assert step_of(page) == page.locator(f"#{active} .range").inner_text()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "calls"
    assert len(trace.frames.code) == page.evaluate("deskcheck.ready.then((app) => app.calls.calls.n)")


def test_c_shows_the_running_call_however_deep_it_is_folded(open_page: Any) -> None:
    page = open_page(page_for(CALLS, "f(5)")[0])
    page.keyboard.press("End")
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
    where = page.evaluate("deskcheck.ready.then((app) => app.trace.frame[app.at])")
    page.keyboard.press("c")
    assert page.locator(".call-row.now").get_attribute("data-call") == str(where)
    box, pane = page.locator(".call-row.now").bounding_box(), page.locator("#calls").bounding_box()
    assert pane["y"] - 1 <= box["y"] <= pane["y"] + pane["height"]


MANY = """\
def g(n):
    a = n
    b = a + 1
    c = b + 1
    d = c + 1
    e = d + 1
    h = e + 1
    return h

def f(n):
    total = 0
    for i in range(n):
        total = g(i)
    return total
"""


@pytest.mark.parametrize("n", [1_500, pytest.param(111_000, marks=pytest.mark.slow)])
def test_only_rows_in_sight_are_made(open_page: Any, n: int) -> None:
    program = make_program(MANY, "f", str(n), origin="test")
    trace = trace_program(program, Limits(max_steps=1_000_000, trace_bytes=1 << 30))
    assert trace.n_steps == min(1_000_000, 9 * n + 3)
    page = open_page(page_of(View(program, [trace])))
    open_tree(page)
    assert page.evaluate("deskcheck.ready.then((app) => app.calls.rows.length)") > min(n, 110_000)
    page.keyboard.press("Tab")
    page.locator("#calls").focus()
    page.keyboard.press("End")
    assert f"g(n={min(n, 111_000) - 1})" in page.locator(".call-row").last.inner_text()
    assert page.locator(".call-row").count() < 60


# ------------------------------------------------------------------ folded by default

NOISE = """\
import enum
import functools

class Colour(enum.Enum):
    RED = 1
    GREEN = 2

@functools.lru_cache
def double(n):
    return 2 * n

def f(xs):
    it = iter(xs)
    first = next(it)
    gen = (double(x) for x in xs)
    total = next(gen) + sum(c.value for c in Colour)
    colours = {Colour.RED: it}
    return total
"""


def test_members_iterators_generators_and_caches_are_one_line_until_they_are_unfolded(open_page: Any) -> None:
    page = open_page(page_for(NOISE, "f([3, 4])")[0])
    page.locator('.line[data-line="18"] .number').click()
    page.keyboard.press("n")
    folded = page.locator(".object.folded")
    lines = [each.inner_text().split("▸ ")[-1].strip() for each in folded.all()]
    assert any(line.endswith("at 1") for line in lines) and "<cached function double>" in lines
    assert any(line.startswith("<generator") for line in lines) and folded.locator(".field").count() == 0
    shown = page.locator("#state").inner_text()
    assert "cache_parameters" not in shown and "_name_" not in shown and "Colour.RED" in shown
    page.locator(".object.folded", has_text="cached function").locator(".gap").click()
    assert page.locator(".object .field", has_text="cache_parameters").count() == 1


def test_the_middle_of_a_deep_recursion_is_one_line(open_page: Any) -> None:
    page = open_page(page_for(CALLS, "f(12)")[0])
    page.keyboard.press("e")
    live = page.evaluate("deskcheck.ready.then((app) => app.replay.frames.size)")
    n_shown, gap = page.locator("#state .frame").count(), page.locator(".more.recursion")
    assert gap.inner_text() == f"↻ {live - n_shown} more calls of down by itself: show all"
    gap.click()
    assert page.locator("#state .frame").count() == live


# ------------------------------------------------------------------ narrow screens

LONG = '("a text that is long " * 8, n, found["a key of some length 1"][:3], [n, n + 1])'
DEEP = f"""\
def f(n):
    found = {{f"a key of some length {{i}}": list(range(i, i + 90)) for i in range(4)}}
    for a in range(1):
        for b in range(1):
            if a == b:
                while True:
                    try:
                        for c in range(1):
                            found["another key, also of some length"] = {LONG}
                    finally:
                        break
    return found
"""
OVERFLOW = """() => ["#source", "#state", "#calls", ".line .text code", ".object"].flatMap((name) =>
  [...document.querySelectorAll(name)].filter((e) => e.offsetParent && e.scrollWidth > e.clientWidth + 1)
    .map((e) => `${name}: ${e.textContent.slice(0, 60)}`))"""


@pytest.mark.parametrize("width", [400, 470])  # 470 px are 60 columns of code
def test_deep_indentation_and_long_containers_fit_a_narrow_screen(open_page: Any, width: int) -> None:
    page = open_page(page_for(DEEP, "f(1)")[0], viewport={"width": width, "height": 800})
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.locator("#tab-calls").click()
    assert page.evaluate(OVERFLOW) == []
    long = page.locator('.line[data-line="9"] code')
    assert long.text_content() == DEEP.split("\n")[8] and long.bounding_box()["height"] > 40


# ------------------------------------------------------------------ the first visit


def test_the_hint_can_be_closed_is_absent_in_a_shared_address_and_stores_nothing(open_page: Any) -> None:
    text = page_for()[0]
    page = open_page(text)
    hint = page.locator("#first-hint")
    assert hint.is_visible() and len(hint.inner_text()) < 140
    page.locator("#first-hint-close").click()
    assert not hint.is_visible() and page.evaluate("document.activeElement.id") == "source"
    page = open_page(text, again=page)
    assert hint.is_visible(), "nothing was stored"
    page.keyboard.press("Escape")
    assert not hint.is_visible()
    assert page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    open_page(text, fragment="#s=3", again=page)
    assert not hint.is_visible()
