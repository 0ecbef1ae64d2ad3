"""The report in a browser: figures under any filter, ways to a task and back, text that must do no harm."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tests.report.test_page import NO_ANSWER, sample, write_run
from tests.viewer.test_page import AXE, serious_faults

from deskcheck.report import answers, walks
from deskcheck.report.page import render, write_report
from deskcheck.report.read import read_runs
from deskcheck.result_rows import Result, results_of_folder
from deskcheck.statistics.summary import share_of_counted

SOURCE = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"
NASTY = "</script></SCRIPT ><!--<script><img src=x onerror=alert(1)>\u2028\u202eevil\u202c\x07\x1b[31m\ufeff"


def rows_of(folder: Path, **changes: Any) -> None:
    """Change the row of a written run."""
    cell = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
    cell["row"].update(changes)
    (folder / "cell.json").write_text(json.dumps(cell), encoding="utf-8")


def two_runs(logs: Path, *, n: int = 120, samples: int = 2, seed: int = 5) -> None:
    """Two strategies on programs of several inputs each, several samples a task, some of them missing."""
    draw = random.Random(seed)
    for number, strategy in enumerate(["direct", "line-1"]):
        every = []
        for task in range(n):
            for k in range(samples):
                verdict = draw.choices(["right", "wrong", "no answer"], [5 + 3 * number, 5, 0.6])[0]
                reason = draw.choice(["truncated", "error", "not_asked"]) if verdict == "no answer" else ""
                every.append(
                    sample(
                        task, verdict, sample=k, reason=reason, cluster=f"p{task // 3}",
                        n_steps=(task * 37) % 90 + 1,
                        answer=f"answer{task % 7}", tags={"family": f"f{task % 4}"},
                    )
                )  # fmt: skip
        folder = write_run(logs, strategy, every, number=number)
        reasons = {name: sum(one["reason"] == name for one in every) for name in [*NO_ANSWER, "not_asked"]}
        rows_of(folder, n_tasks=n, n_samples=samples, no_answer=reasons)


def figures(page: Any) -> list[dict[str, Any]]:
    return [
        json.loads(each.get_attribute("data-exact") or "")
        for each in page.locator("#task-table .figure").all()
    ]


def expected_of(rows: list[Result], keep: set[str]) -> dict[str, Any]:
    """The same figures from the rows of the results, by the code of the statistics."""
    own = [row for row in rows if row.task in keep]
    counted = [row for row in own if row.reason not in ("error", "not_asked")]
    right = [float(row.verdict == "right") for row in counted]
    found = share_of_counted(right, [row.cluster for row in counted], n_all=len(own)) if own else None
    return {
        "n": len(counted),
        "right": sum(right),
        "missing": len(own) - len(counted),
        "mean": found.mean if found and counted else None,
        "low": found.low if found and found.low == found.low else None,
        "high": found.high if found and found.high == found.high else None,
    }


def test_figures_of_100_random_filters_are_those_of_the_results(open_page: Any, tmp_path: Path) -> None:
    two_runs(tmp_path / "logs")
    folders = sorted((tmp_path / "logs").iterdir())
    runs = [results_of_folder(folder) for folder in folders]
    page = open_page(render(read_runs(str(tmp_path / "logs"))))
    draw, n_intervals = random.Random(11), 0
    all_right = [{row.task for row in rows} - {r.task for r in rows if r.verdict != "right"} for rows in runs]
    by_task = {row.task: [one for rows in runs for one in rows if one.task == row.task] for row in runs[0]}
    for _ in range(100):
        family, low, high = draw.choice(["", "0", "1", "2", "3"]), draw.randint(0, 60), draw.randint(20, 95)
        word = draw.choice(["", "", "answer3", "t_1", "wrong"])
        cell = draw.choice(["", "", "a", "b", "both", "neither"])
        page.evaluate(f"location.hash = '#q={word}&cell={cell}&family={family}&low={low}&high={high}'")
        page.evaluate("new Promise((done) => setTimeout(done, 0))")
        name = page.locator('[data-set="family"] option').nth(int(family) + 1).inner_text() if family else ""
        keep = set()
        for row in runs[0]:
            mine = by_task[row.task]
            words = {row.task, *(one.verdict for one in mine if one.reason not in ("error", "not_asked"))}
            words |= {one.reason or one.answer for one in mine if one.sample == 0}
            first, second = (row.task in right for right in all_right)
            side = ("both" if second else "a") if first else "b" if second else "neither"
            in_range = low <= row.n_steps <= high and name in ("", row.tags["family"])
            if in_range and any(word in each for each in words) and cell in ("", side):
                keep.add(row.task)
        for shown, rows in zip(figures(page), runs, strict=True):
            wanted = expected_of(rows, keep)
            for name, value in wanted.items():
                same = pytest.approx(value, abs=1e-9, rel=0) if value is not None else None
                assert shown[name] == same, (word, cell, family, low, high, name)
            n_intervals += wanted["low"] is not None
    assert n_intervals > 40


def test_the_four_cells_are_all_tasks_and_each_leads_to_its_own(open_page: Any, tmp_path: Path) -> None:
    two_runs(tmp_path / "logs", n=60, samples=1)
    page = open_page(render(read_runs(str(tmp_path / "logs"))))
    counts = [int(each.inner_text()) for each in page.locator(".cells b").all()]
    assert sum(counts) == 60 and min(counts) > 0
    for at, count in enumerate(counts):
        page.locator(".cells button").nth(at).click()
        assert page.locator(".figures > b").inner_text() == f"{count} of 60 tasks"
        page.locator(".cells button").nth(at).click()
    page.locator('[data-set="sort"]').select_option("-steps")
    steps = [int(each.inner_text()) for each in page.locator(".rows .steps").all()]
    assert steps == sorted(steps, reverse=True) and len(steps) > 5


def test_tasks_have_addresses_neighbors_and_a_way_back(open_page: Any, tmp_path: Path) -> None:
    two_runs(tmp_path / "logs", n=60, samples=1)
    text = render(read_runs(str(tmp_path / "logs")))
    page = open_page(text)
    first = page.locator(".rows .id").first.inner_text()
    assert "✗" in page.locator(".rows .task-row").first.inner_text(), "wrong ones first"
    page.locator(".rows .id").first.focus()
    page.keyboard.press("Enter")
    title = page.locator("#task-title")
    assert title.inner_text() == first and page.evaluate("document.activeElement.id") == "task-title"
    page.keyboard.press("j")
    second = page.locator(".rows .id").nth(1).text_content()
    page.wait_for_timeout(50)
    assert title.inner_text() == second
    address = page.evaluate("location.hash")
    assert f"task={second}" in address
    page.go_back()
    page.wait_for_timeout(100)
    assert title.inner_text() == first
    page.keyboard.press("Escape")
    assert page.locator("#task").is_hidden()
    assert page.evaluate("document.activeElement.dataset.id") is not None
    again = open_page(text, fragment=address)
    assert again.locator("#task-title").inner_text() == second
    for bad in ("#task=nobody", "#s=9&a=7&cell=zzz&low=x&sort=1", "#=&&%E0%A4%A"):
        open_page(text, fragment=bad, again=page)
        assert page.locator(".rows .task-row").count() > 5


def test_a_task_opens_the_run_with_both_chains_beside_the_truth(open_page: Any, tmp_path: Path) -> None:
    wrong = ["@2 | n=2", "@3 | n=2; total=0", "@4 | n=2; total=0; i=0; ~1=iter(range(0, 2), 1)"]
    wrong += ["@3 | n=2; total=5; i=0; ~1=iter(range(0, 2), 1)"]
    for number, (name, chain) in enumerate([("direct", []), ("line-1", wrong)]):
        own = sample(0, "wrong", source=SOURCE, call="f(2)", expected="1", answer="5", chain=chain, n_steps=7)
        write_run(tmp_path / "logs", name, [own], number=number)
    page = open_page(render(read_runs(str(tmp_path / "logs")), n_walks=5))
    assert "step" in page.locator(".place").inner_text()
    page.locator(".rows .id").click()
    frame = page.frame_locator("iframe.walk")
    banner = frame.locator("#divergence")
    banner.wait_for()
    assert "✗ line-1" in banner.inner_text() and "parts at step" in banner.inner_text()
    frame.locator('.models button:has-text("direct")').click()
    assert "wrote no states, answer 5 (wrong)" in banner.inner_text()
    assert page.locator(".answers .answer").count() == 2


def test_hostile_text_is_text_and_the_page_is_whole(open_page: Any, tmp_path: Path) -> None:
    fields = ["task", "source", "call", "text", "answer", "expected", "finish_reason", "cluster"]
    own = sample(0, "wrong", **dict.fromkeys(fields, NASTY))
    own.update(chain=[NASTY], tags={"family": NASTY}, prompt=[[NASTY, NASTY]])
    write_run(tmp_path / "logs", "direct", [own, sample(1, "right")], model=NASTY)
    text = render(read_runs(str(tmp_path / "logs")), n_walks=2)
    assert "\u202e" not in text and "\x1b" not in text and "\x07" not in text
    page = open_page(text)
    count = "document.querySelectorAll('script, img, object').length"
    before = page.evaluate(count)
    page.locator(".rows .id").first.click()
    page.locator("#task-title").wait_for()
    assert page.evaluate("document.getElementById('task-title').textContent") == NASTY
    assert page.evaluate(count) == before
    for each in page.locator("#task details summary").all():
        each.click()
    assert page.evaluate("[...document.querySelectorAll('#task pre')].pop().textContent") == NASTY


@pytest.mark.parametrize(
    ("n", "budget"), [(420, 8_000), pytest.param(50_000, answers.BUDGET_BYTES, marks=pytest.mark.slow)]
)
def test_100000_answers_are_a_page_that_opens_with_the_rest_beside_it(
    open_page: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n: int, budget: int
) -> None:
    monkeypatch.setattr(answers.packed, "__kwdefaults__", {"budget": budget})
    draw = random.Random(2)
    for number, strategy in enumerate(["direct", "cot"]):
        every = [
            sample(
                task, draw.choice(["right", "wrong"]), source=f"def f(n):\n    return n + {task}\n",
                call=f"f({task})", expected=str(2 * task), answer=str(draw.randint(0, 10**6)),
                text="".join(draw.choices("abcdefghij ", k=80)), cluster=f"c{task // 5}",
            )
            for task in range(n)
        ]  # fmt: skip
        write_run(tmp_path / "logs", strategy, every, number=number)
    target = tmp_path / "big.html"
    monkeypatch.setattr(walks, "MOST", 0)
    write_report(str(tmp_path / "logs"), str(target))
    assert target.stat().st_size < 10_000_000
    assert len(list((tmp_path / "big_answers").iterdir())) >= 1
    page = open_page(target)
    assert page.locator(".figures > b").inner_text() == f"{n:,} of {n:,} tasks"
    page.evaluate("document.querySelector('.window').scrollTop = 1e9")
    page.wait_for_timeout(100)
    assert page.locator(".rows .task-row").last.get_attribute("aria-rowindex") == str(n)
    assert page.evaluate("document.querySelectorAll('*').length") < 6_000
    page.locator(".rows .id").last.click()
    link = page.locator("#task a")
    assert link.inner_text().startswith("big_answers/")
    link.click()
    page.wait_for_load_state()
    assert "True answer" in page.locator(page.evaluate("location.hash")).inner_text()


def nothing(logs: Path, *, reason: str = "", verdict: str = "no answer", n: int = 6) -> None:
    folder = write_run(logs, "direct", [sample(k, verdict, reason=reason) for k in range(n)] or [])
    counts = {**NO_ANSWER, reason: n} if reason else NO_ANSWER
    share = {"accuracy": None, "interval": [None, None]} if reason in ("error", "not_asked") else {}
    rows_of(folder, no_answer=counts, **share)


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("one task", "1 program only"),
        ("all right", "every answer is right"),
        ("all wrong", "every answer is wrong"),
        ("truncated", "6 of 6 replies hold no answer (6 truncated)"),
        ("crash", "6 of 6 answers are missing"),
        ("nothing", "no task was asked"),
    ],
)
def test_a_run_of_hardly_anything_is_a_sentence(
    open_page: Any, tmp_path: Path, case: str, words: str
) -> None:
    logs = tmp_path / "logs"
    if case in ("truncated", "crash"):
        nothing(logs, reason="truncated" if case == "truncated" else "error")
    elif case == "nothing":
        folder = write_run(logs, "direct", [sample(0, "right")])
        (folder / "results.jsonl").write_text("")
        rows_of(folder, n_tasks=0, right=0, wrong=0, accuracy=None, interval=[None, None], bounds=[])
    else:
        verdicts = {"one task": ["right"], "all right": ["right"] * 6, "all wrong": ["wrong"] * 6}[case]
        write_run(logs, "direct", [sample(k, verdict) for k, verdict in enumerate(verdicts)])
    page = open_page(render(read_runs(str(logs))))
    assert words in page.locator("#finding").inner_text(), page.locator("#finding").inner_text()
    assert page.locator("h1").inner_text().strip() and page.locator("#task-table").inner_text().strip()
    assert "nan" not in page.locator("#report").inner_text().lower()


@pytest.mark.parametrize("scheme", AXE)
def test_accessibility_has_no_serious_fault(open_page: Any, tmp_path: Path, scheme: str) -> None:
    two_runs(tmp_path / "logs", n=40, samples=1)
    page = open_page(render(read_runs(str(tmp_path / "logs"))), color_scheme=scheme)
    page.evaluate("for (const one of document.querySelectorAll('#report details')) one.open = true")
    for place in ("table", "task"):
        if place == "task":
            page.locator(".rows .id").first.click()
            page.locator("#task-title").wait_for()
        serious = serious_faults(page, scheme)
        assert serious == [], f"{place}: {json.dumps(serious, indent=1)}"


@pytest.mark.parametrize("width", [320, 400, 768, 1280, 2560])
def test_no_width_scrolls_sideways(open_page: Any, tmp_path: Path, width: int) -> None:
    two_runs(tmp_path / "logs", n=40, samples=1)
    page = open_page(render(read_runs(str(tmp_path / "logs"))), viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".rows .id").first.click()
    page.locator("#task-title").wait_for()
    assert page.evaluate("document.getElementById('task').scrollWidth") <= width


def test_without_script_the_finding_the_results_and_wrong_tasks_are_there(
    open_page: Any, tmp_path: Path
) -> None:
    two_runs(tmp_path / "logs", n=40, samples=1)
    page = open_page(render(read_runs(str(tmp_path / "logs"))), java_script_enabled=False)
    shown = page.locator("body").inner_text()
    assert "Worst doubt" in shown and "95 % interval" in shown
    assert page.locator(".static details").count() == 20
    assert page.locator("figure svg").count() >= 1
