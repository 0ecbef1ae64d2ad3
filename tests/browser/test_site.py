"""The site in a browser: truths and tokens are those of the command line, and nothing escapes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.browser.conftest import Site

from deskcheck.format.buffers import trace_of
from deskcheck.inference.network import RowInput
from deskcheck.models import tiny
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


SCORES = """async ([calls, isFused]) => {
    const { Forward } = await import(new URL("forward.js", location.href).href);
    const [model, weights] = await Promise.all(["model.json", "model.onnx"].map((name) => fetch(name)));
    const shape = JSON.parse((await model.json()).config), validate = WebAssembly.validate;
    if (!isFused) WebAssembly.validate = () => false;
    const forward = new Forward(new Uint8Array(await weights.arrayBuffer()), shape);
    WebAssembly.validate = validate;
    return calls.map(([before, tokens]) => [...forward.read(before, tokens)]);
}"""
CALLS = [(0, 1), (1, 2), (3, 3), (6, 4), (10, 50), (60, 100), (30, 5), (35, 6), (41, 48)]
"""Number of tokens before and of new ones: whole chunks, their parts, and another past."""


@pytest.mark.parametrize("is_fused", [True, False])
def test_the_scores_of_the_network_are_those_of_onnxruntime(page: Site, is_fused: bool) -> None:
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    model, random = tiny.load(threads=1), Random(7)
    cache = model.network.cache(rows=1)
    ids: list[int] = []
    calls: list[tuple[list[int], list[int]]] = []
    expected: list[list[float]] = []
    for start, n in CALLS:
        del ids[start:]
        tokens = [random.randrange(model.shape.vocabulary) for _ in range(n)]
        inputs = RowInput(0, start, tokens, ids[-model.shape.shift :])
        expected += cache.forward([inputs], wanted=[n - 1]).tolist()
        calls.append(([*ids], tokens))
        ids += tokens
    for ours, theirs in zip(page.page.evaluate(SCORES, [calls, is_fused]), expected, strict=True):
        assert ours == pytest.approx(theirs, rel=0, abs=1e-4)


@pytest.mark.parametrize("stride", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_programs_have_the_truths_and_the_tokens_of_the_command_line(
    stride: int, page: Site, tmp_path: Path
) -> None:
    """Every third of twenty programs, or all of them."""
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    assert len(programs()) == 20
    some = programs()[::stride]
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


SHORT = "window.long ||= setTimeout; window.setTimeout = (f, ms) => long(f, ms / {divisor})"


def test_a_stop_ends_the_run_under_way_and_not_the_next_one(page: Site) -> None:
    page.ready()
    page.type(LOOP, "f(9)")
    page.page.click("#execute")
    page.until("deskcheckSite.steps.length > 0")
    page.page.evaluate(SHORT.format(divisor=20))
    page.page.click("#stop")
    page.until("deskcheckSite.state === 'ready'")
    known = page.run(LOOP, "f(3)")
    page.page.evaluate(SHORT.format(divisor=1))
    assert len(known["steps"]) > 3 and known["status"].startswith("The run has 9 steps.")


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


def test_a_comprehension_runs_as_the_network_learned_it(page: Site) -> None:
    known = page.run("def f(n):\n    return [i for i in range(n)]\n", "f(2)")
    assert "is right in all" in known["status"]


def test_hostile_text_stays_text(page: Site) -> None:
    page.run(HOSTILE, "f('<b>1</b>')", button="trace")
    frame = page.page.frame_locator("#viewer iframe")
    assert "onerror" in page.outcome()
    assert page.page.evaluate("window.pwned === undefined") and not frame.locator("img, b").count()
    page.run("def f():\n    raise ValueError('<img src=x onerror=alert(1)>')\n", "f()", button="trace")
    assert not page.page.locator("img").count()


def test_from_disk_it_says_what_to_do(browser: Any, site: Path) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    assert "--serve" in page.inner_text("#unserved")
    page.close()


def test_a_link_opens_without_a_connection_on_a_narrow_page_and_runs_nothing(page: Site) -> None:
    """The last tests share one beginning of Python, which is most of what a page costs."""
    page.ready()
    page.type(LOOP, "f(2)")
    page.page.click("#link")
    link = page.page.evaluate("location.href")
    page.until("navigator.serviceWorker.ready.then((r) => r.active?.state === 'activated')")
    page.page.context.set_offline(True)
    page.page.set_viewport_size({"width": 400, "height": 800})
    page.page.goto("about:blank")
    page.page.goto(link)
    page.ready()
    assert page.page.input_value("#source") == LOOP and page.page.input_value("#call") == "f(2)"
    assert page.page.locator("#result").is_hidden()
    assert page.run(LOOP, "f(2)")["steps"]
    assert page.page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_a_narrow_page_by_keyboard_in_both_schemes(page: Site) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    page.page.set_viewport_size({"width": 400, "height": 800})
    page.ready()
    page.page.focus("#call")
    for _ in range(2):
        page.page.keyboard.press("Tab")
    assert page.page.evaluate("document.activeElement.id") == "trace"
    page.page.keyboard.press("Enter")
    page.until("deskcheckSite.state === 'ready' && !document.getElementById('result').hidden")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 400
    for scheme in ("light", "dark"):
        page.page.emulate_media(color_scheme=scheme)
        violations = axe.Axe().run(page.page).response["violations"]
        assert [
            (scheme, fault["id"], fault["nodes"][0]["html"][:200])
            for fault in violations
            if fault["impact"] != "minor"
        ] == []
