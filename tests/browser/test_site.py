"""The site in a browser: truths and tokens are those of the command line, and nothing escapes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Opened, Site

from deskcheck.format.buffers import trace_of
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Limits, Program
from deskcheck.states.steps import whole_run
from deskcheck.tracing.packed import read_run
from deskcheck.tracing.reference import trace_program

pytestmark = pytest.mark.one_python
LOOP = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"


def programs() -> list[Program]:
    """The first twenty held-out programs of the family `easy` that run at most six lines."""
    found = traced("easy", seed=HELD_OUT["easy"], n=60)
    return [program for program, trace in found if trace.n_steps <= 6][:20]


def replies_to(some: list[Program]) -> list[tuple[list[list[int]], str]]:
    """For each program, tokens of each reply and the answer, of the command line's network."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.browser.replies"],
        input=json.dumps([(program.source, program.call) for program in some]),
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    replies: list[tuple[list[list[int]], str]] = json.loads(done.stdout.splitlines()[-1])
    return replies


def test_a_trace_alone_needs_no_weights(page: Site) -> None:
    known = page.run(LOOP, "f(3)", button="trace")
    assert known["status"] == "The run has 9 steps." and not known["steps"]
    assert not page.page.evaluate("deskcheckSite.hasNetwork")
    assert page.outcome() == "returned 3 after 9 steps"


def test_twenty_programs_have_the_truths_and_the_tokens_of_the_command_line(
    page: Site, tmp_path: Path
) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    some = programs()
    assert len(some) == 20
    page.ready()
    page.page.check("#beyond")
    for program, (tokens, answer) in zip(some, replies_to(some), strict=True):
        known = page.run(program.source, program.call)
        assert json.loads(known["tokens"]) == tokens, program
        assert known["answer"].removeprefix("answer ") == answer
        (tmp_path / "run.deskcheck").write_bytes(page.saved())
        _, packed = read_run(tmp_path / "run.deskcheck")
        true, theirs = trace_program(program, Limits()), trace_of(packed)
        assert whole_run(theirs) == whole_run(true), program
        assert (theirs.n_steps, type(theirs.outcome)) == (true.n_steps, type(true.outcome)), program
    page.page.uncheck("#beyond")


def test_the_viewer_shows_belief_beside_truth(page: Site) -> None:
    known = page.run(LOOP, "f(3)")
    assert len(known["steps"]) >= 3 and known["steps"][0]["true"] == "@2 | n=3"
    assert "the 140 programs of CRUXEval that execute 6 to 10 steps" in page.page.inner_text("#by-length")
    frame = page.page.frame_locator("#viewer iframe")
    assert "tiny" in page.shown("#divergence")
    frame.locator("#guess-mode").wait_for()
    for name in ("why", "line", "watch", "steps", "belief"):
        assert frame.locator(f"#tab-{name}").is_visible()


def test_a_call_without_an_end_is_stopped(page: Site) -> None:
    known = page.run("def f():\n    while True:\n        pass\n", "f()")
    assert "does not end within 2,000 steps" in known["status"]
    page.ready()
    page.type("def f():\n    return sum(range(10 ** 15))\n", "f()")
    page.page.click("#trace")
    page.page.click("#stop")
    page.until("deskcheckSite.state === 'ready'", 5)
    assert page.page.inner_text("#status") == "Stopped."
    assert page.run(LOOP, "f(0)", button="trace")["status"] == "The run has 3 steps."  # of a fresh Python


@pytest.mark.parametrize(
    ("source", "call", "sentence"),
    [
        ("def f(:\n", "f()", "line 1"),
        ("def f():\n    return 1\n", "g()", "defines no 'g'"),
        ("def f():\n    return 1\n", "f(", "does not parse"),
        ("def f(n):\n" + "    n += 12\n" * 400 + "    return n\n", "f(1)", "trained on at most 2,048"),
        (f"def f():\n    return {'7 + ' * 2000}1\n", "f()", "more deeply than this browser allows"),
    ],
)
def test_what_cannot_be_run_gets_a_sentence(page: Site, source: str, call: str, sentence: str) -> None:
    assert sentence in page.run(source, call)["status"]


WAYS = ["js.fetch(x)", "js.WebSocket(x)", "pyodide.code.run_js(x)"]


@pytest.mark.parametrize("way", WAYS)
def test_a_program_reaches_nothing_outside(page: Site, way: str) -> None:
    source = f"import js, pyodide.code\ndef f(x):\n    return {way}\n"
    page.run(source, "f('1+1')", button="trace")
    assert "raised" in page.outcome()


HOSTILE = """\
def f(x):
    y = '</script><script>window.pwned=1</script><img src=x onerror=alert(1)>'
    print(y)
    return {y: [x, '\\u202e\\x00`${1}`{{ place }}']}
"""


def test_a_comprehension_is_said_to_run_otherwise(page: Site) -> None:
    known = page.run("def f(n):\n    return [i for i in range(n)]\n", "f(2)")
    assert "comprehension" in known["status"]


def test_hostile_text_stays_text(page: Site) -> None:
    page.run(HOSTILE, "f('<b>1</b>')", button="trace")
    frame = page.page.frame_locator("#viewer iframe")
    assert "onerror" in page.outcome()
    assert page.page.evaluate("window.pwned === undefined") and not frame.locator("img, b").count()
    page.run("def f():\n    raise ValueError('<img src=x onerror=alert(1)>')\n", "f()", button="trace")
    assert not page.page.locator("img").count()


def test_a_link_carries_program_and_call_and_runs_nothing(page: Site, open_site: Opened) -> None:
    page.run(LOOP, "f(2)", button="trace")
    page.page.click("#link")
    fragment = page.page.evaluate("location.hash")
    other = open_site(fragment=fragment)
    other.until("document.getElementById('source').value !== ''")
    assert other.page.input_value("#source") == LOOP and other.page.input_value("#call") == "f(2)"
    assert other.page.locator("#result").is_hidden()


def test_it_opens_without_a_connection(page: Site) -> None:
    page.ready()
    page.until("navigator.serviceWorker.ready.then((r) => r.active?.state === 'activated')")
    page.page.context.set_offline(True)
    page.page.reload()
    assert page.run(LOOP, "f(2)")["steps"]
    assert page.page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_from_disk_it_says_what_to_do(browser: Any, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    assert "--serve" in page.inner_text("#unserved")
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_narrow_page_by_keyboard_in_both_schemes(open_site: Opened, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    site = open_site(
        fragment="#program=def%20f(n)%3A%0A%20%20%20%20return%20n%20%2B%201&call=f(2)",
        viewport={"width": 400, "height": 800}, color_scheme=scheme, bypass_csp=True,
    )  # fmt: skip
    site.ready()
    site.page.focus("#call")
    for _ in range(2):
        site.page.keyboard.press("Tab")
    assert site.page.evaluate("document.activeElement.id") == "trace"
    site.page.keyboard.press("Enter")
    site.until("deskcheckSite.state === 'ready' && !document.getElementById('result').hidden")
    assert site.page.evaluate("document.documentElement.scrollWidth") <= 400
    found = axe.Axe().run(site.page).response["violations"]
    assert [
        (fault["id"], fault["nodes"][0]["html"][:200]) for fault in found if fault["impact"] != "minor"
    ] == []
