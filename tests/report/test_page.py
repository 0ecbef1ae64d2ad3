"""The report: numbers equal to the results, words that do not claim more, and nothing untrusted that runs."""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from deskcheck.errors import DataError, UserError
from deskcheck.report import numbers, words
from deskcheck.report.answers import MOST_CHAIN, Details, index_of
from deskcheck.report.page import render, write_report
from deskcheck.report.read import Run, read_runs

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;"
NO_ANSWER = {"truncated": 0, "unparsable": 0, "refused": 0, "error": 0, "budget": 0}


def sample(number: int, verdict: str, **changes: Any) -> dict[str, Any]:
    fields = {
        "task": f"t_{number}", "sample": 0, "cluster": f"c_{number}", "tags": {"family": f"f{number % 2}"},
        "n_steps": 4 * number + 1, "source": "def f():\n    return 1\n", "call": "f()",
        "prompt": [["user", "ask"]], "text": "[ANSWER]1[/ANSWER]", "chain": [], "verdict": verdict,
        "reason": "truncated" if verdict == "no answer" else "", "answer": "1", "expected": "1",
        "policy": "strict", "finish_reason": "stop", "n_calls": 1, "tokens_in": 3, "tokens_out": 2,
    }  # fmt: skip
    return {**fields, **changes}


def write_run(
    logs: Path,
    strategy: str,
    samples: list[dict[str, Any]],
    *,
    model: str = "tiny",
    number: int = 0,
) -> Path:
    right = sum(one["verdict"] == "right" for one in samples)
    none = sum(one["verdict"] == "no answer" for one in samples)
    row = {
        "model": model, "benchmark": "core", "task": "output", "strategy": strategy, "oracle": False,
        "n_tasks": len(samples), "n_samples": 1, "right": right, "wrong": len(samples) - right - none,
        "no_answer": {**NO_ANSWER, "truncated": none}, "accuracy": right / len(samples),
        "interval": [0.1, 0.9], "bounds": [right / len(samples)] * 2,
    }  # fmt: skip
    folder = logs / f"core-{strategy}-{number}"
    folder.mkdir(parents=True)
    run = {"command": f"deskcheck eval --strategy {strategy}", "sandbox": "kernel", "number": number}
    (folder / "cell.json").write_text(json.dumps({"row": row, "note": "", "run": run}), encoding="utf-8")
    lines = "".join(json.dumps(one) + "\n" for one in samples)
    (folder / "results.jsonl").write_text(lines, encoding="utf-8")
    return folder


def runs_of(tmp_path: Path, *verdicts: list[str]) -> list[Run]:
    for number, some in enumerate(verdicts):
        write_run(
            tmp_path, f"s{number}", [sample(k, verdict) for k, verdict in enumerate(some)], number=number
        )
    return read_runs(str(tmp_path))


class Tags(HTMLParser):
    """Every element and every attribute of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def test_what_a_program_or_a_model_wrote_is_text_and_nothing_else(tmp_path: Path):
    fields = ["task", "source", "call", "text", "answer", "expected", "reason", "cluster", "finish_reason"]
    hostile = sample(0, "wrong", **dict.fromkeys(fields, HOSTILE))
    hostile.update(chain=[HOSTILE], tags={"family": HOSTILE}, prompt=[[HOSTILE, HOSTILE]])
    folder = write_run(tmp_path / "logs", "vanilla", [hostile, sample(1, "right")], model=HOSTILE)
    cell = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
    cell["run"] = {
        "command": HOSTILE,
        "versions": {HOSTILE: HOSTILE},
        "config": {HOSTILE: HOSTILE},
        "commit": HOSTILE,
    }
    (folder / "cell.json").write_text(json.dumps(cell), encoding="utf-8")
    found = Tags(render(read_runs(str(tmp_path / "logs"))))
    # Data, one block of answers, the page's own.
    assert found.tags.count("script") == 3
    assert "img" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on") or name == "style"]


def test_the_page_may_run_and_load_nothing_but_its_own_script(tmp_path: Path):
    page = render(runs_of(tmp_path, ["right", "wrong"], ["wrong", "no answer"]))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    script = re.search(r"<script>(.*?)</script>", page, re.DOTALL)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy and script and style
    for directive, text in (("script-src", script[1]), ("style-src", style[1])):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{directive} &#39;sha256-{digest}&#39;" in policy[1]
    assert "unsafe" not in policy[1] and "http" not in policy[1]
    assert policy[1].startswith("default-src &#39;none&#39;")
    links = [value for name, value in Tags(page).attributes if name in {"src", "href", "action", "data"}]
    assert all(link.startswith("#") for link in links)
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|url\(", page)


def test_results_show_share_interval_n_and_what_is_missing(tmp_path: Path):
    page = render(runs_of(tmp_path, ["right", "right", "wrong", "no answer"]))
    for text in ("<strong>50.0 %</strong>", "10.0 to 90.0", "n = 4 tasks", "25.0 % no answer (1 truncated)"):
        assert text in page


def test_runs_within_noise_are_not_ranked_and_a_clear_difference_is_named_with_its_interval(tmp_path: Path):
    close = runs_of(tmp_path / "close", ["right", "wrong"] * 20, ["wrong", "right"] * 20)
    assert any("cannot be told apart on core" in sentence for sentence, _ in words.findings(close))
    clear = runs_of(tmp_path / "clear", ["wrong"] * 30 + ["right"] * 10, ["right"] * 40)
    ((sentence, _), *_) = words.findings(clear)
    assert sentence.startswith("s1 is 75.0 points above s0 on the same tasks of core; 95 % interval ")
    assert "only the first right 30, only the second 0" in sentence


def test_a_p_value_is_corrected_for_all_pairs_that_stand_there(tmp_path: Path):
    """Eight to one by a flip of signs is p = 0.039; as one of three pairs it is no finding any more."""
    seventeen = ["right"] * 8 + ["wrong"] * 31
    twice = runs_of(tmp_path / "2", ["wrong"] * 8 + ["right"] + ["wrong"] * 30, seventeen)
    assert "p = 0.039; only the first right 8, only the second 1" in words.findings(twice)[0][0]
    assert " is 17.9 points above " in words.findings(twice)[0][0]
    thrice = runs_of(tmp_path / "3", ["wrong"] * 8 + ["right"] + ["wrong"] * 30, seventeen, seventeen)
    assert "cannot be told apart on core: 17.9 points" in words.findings(thrice)[0][0]
    assert "p = 0.12 after Holm over 3" in words.findings(thrice)[0][0]


def test_runs_of_other_tasks_are_not_subtracted(tmp_path: Path):
    a, b = runs_of(tmp_path, ["right"] * 5, ["right"] * 6)
    assert not any("points" in sentence or "same" in sentence for sentence, _ in words.findings([a, b]))


def test_bins_of_steps_add_up_and_few_answers_are_marked(tmp_path: Path):
    (run,) = runs_of(tmp_path, ["right"] * 40)
    bins = numbers.by_steps(run)
    assert [label for label, _ in bins] == ["1–5", "6–10", "11–20", "21–40", "41–80", "81–160"]
    assert sum(one.n for _, one in bins) == 40
    assert all(one.exploratory == (one.n < 30) for _, one in bins)


def test_steps_beyond_the_last_bin_have_a_bin():
    order, label = numbers.step_bin(1_000_000)
    assert label == "over 10240"
    assert order == max(numbers.step_bin(n)[0] for n in (1, 5, 6, 10_240, 10_241))
    assert numbers.bin_order(label) > numbers.bin_order("5121–10240")


def test_too_few_programs_give_no_interval_and_the_page_says_so(tmp_path: Path):
    folder = write_run(tmp_path, "cot", [sample(0, "right"), sample(1, "wrong")])
    cell = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
    cell["row"]["interval"] = [None, None]
    (folder / "cell.json").write_text(json.dumps(cell), encoding="utf-8")
    (run,) = read_runs(str(tmp_path))
    assert math.isnan(numbers.share(run.samples * 2).low)
    assert "is right on 50.0 %; no interval: too few programs." in render([run])


def test_a_long_chain_is_cut_and_says_where_the_rest_is(tmp_path: Path):
    chain = [f"@{number} | x={number}" for number in range(MOST_CHAIN + 7)]
    write_run(tmp_path, "line-1", [sample(0, "right", chain=chain, n_calls=len(chain))])
    (detail,) = Details([(read_runs(str(tmp_path)), ["line-1"])])
    (shown,) = detail["runs"][0]["samples"]
    assert len(shown["chain"]) == MOST_CHAIN
    assert f"7 more of {len(chain)} steps are in results.jsonl" in shown["note"]


def test_several_samples_are_one_row_with_a_letter_each(tmp_path: Path):
    samples = [sample(0, verdict, sample=k) for k, verdict in enumerate(["right", "wrong", "right"])]
    folder = write_run(tmp_path, "cot", samples)
    cell = json.loads((folder / "cell.json").read_text(encoding="utf-8"))
    cell["row"].update(n_tasks=1, n_samples=3)
    (folder / "cell.json").write_text(json.dumps(cell), encoding="utf-8")
    index = index_of("core", read_runs(str(tmp_path)), ["cot"], tag="")
    assert (index["ids"], index["runs"][0]["verdicts"]) == (["t_0"], ["rwr"])


def test_the_same_results_give_the_same_bytes(tmp_path: Path):
    runs = runs_of(tmp_path, ["right", "wrong", "no answer"])
    assert render(runs) == render(read_runs(str(tmp_path)))


def test_results_that_are_not_there_or_not_whole_are_refused(tmp_path: Path):
    with pytest.raises(UserError, match="no log folder or results file at 'nowhere'"):
        write_report("nowhere", str(tmp_path / "out.html"))
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(UserError, match="no finished evaluation"):
        write_report(str(empty), str(tmp_path / "out.html"))
    folder = write_run(tmp_path / "logs", "cot", [sample(0, "right"), sample(1, "right")])
    results = folder / "results.jsonl"
    results.write_bytes(results.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(DataError, match=r"results\.jsonl: 1 samples, but cell\.json counts 2"):
        write_report(str(tmp_path / "logs"), str(tmp_path / "out.html"))
    assert not (tmp_path / "out.html").exists()
