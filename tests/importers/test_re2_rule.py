"""RE2-Bench's own rule, written anew: its faults are part of it, and every recorded verdict is met."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.data_files import read_rows
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import build_tasks
from deskcheck.importers import re2_bench, read_single

Data = Callable[[str], Path]


@pytest.mark.parametrize(
    ("said", "truth", "leaves"),
    [
        ({"output": "80"}, 80, (1, 1)),
        ({"output": 81}, 80, (0, 1)),
        ([1, 2], [1, 2, 3], (2, 2)),  # a list that is too short: only as far as it goes
        ([1, 2, 3, 4], [1, 2, 3], (0, 3)),
        ([], [1, 2], (0, 2)),
        ("[-1 2]", "[1 2]", (2, 2)),  # an array loses the signs of its whole numbers
        ("[-1.5 2.0]", "[1.5 2.0]", (1, 2)),
        ("{1, 2}", "set([2, 1])", (2, 2)),
        ({"a": 1}, {"a": 1, "b": 2}, (1, 2)),
        ({"a": 1, "c": 2}, {"a": 1}, (0, 1)),
        (" x ", "x", (1, 1)),
        (True, 1, (0, 1)),
        ("__import__('os').getcwd()", 1, (0, 1)),  # read, never executed
    ],
)
def test_values_are_compared_leaf_by_leaf(said: object, truth: object, leaves: tuple[int, int]) -> None:
    assert re2_bench.agreement("output", json.dumps(said), truth) == leaves


def test_blanks_of_loops_and_branches() -> None:
    loop = "[ANSWER]\n9 for i in x:## [STATE]i=[0, (1, 2)][/STATE] [STATE]x=??[/STATE]\n[/ANSWER]\n[ANSWER]\n"
    assert re2_bench.marked("loop", loop) == {"9": {"i": [0, (1, 2)], "x": "??"}}
    assert re2_bench.agreement("loop", loop, {"9": {"i": [0, [1, 2]]}, "11": {"j": [1]}}) == (1, 2)
    branch = "[ANSWER]\n3 if a: ## [BRANCH]taken=[Y, 'N', maybe][/BRANCH]"
    assert re2_bench.marked("branch", branch) == {"3": [True, False]}
    assert re2_bench.agreement("branch", branch, {"3": [True]}) == (0, 1)
    assert re2_bench.agreement("branch", "nothing", {}) == (1, 1)  # nothing asked counts as right there


def test_two_settings_meet_every_recorded_verdict(data: Data) -> None:
    truths = {
        name: {str(row["id"]): row for _, row in read_rows(data(f"re2-bench/{name}.jsonl.gz"))}
        for name in ("problems", "loop", "branch")
    }
    found: Counter[tuple[str, bool]] = Counter()
    for setting in ("cwm", "gemini-3-pro-preview-reasoning"):
        for asked in ("output", "input", "loop", "branch"):
            run = read_single(data(f"re2-bench/answers/{setting}.{asked}.jsonl.gz"))
            for identity, replies in run.texts.items():
                table = truths["problems" if asked in ("output", "input") else asked][identity]
                truth = table[asked if asked in ("output", "input") else "truth"]
                stored = run.stored[identity][0]
                if stored is None:
                    continue
                reply = run.taken[identity][0] if identity in run.taken else replies[0]
                equal, leaves = re2_bench.agreement(asked, reply, truth)
                found[asked, (equal == leaves > 0) == stored] += 1
    assert found == {
        ("output", True): 1_000,
        ("loop", True): 394,
        ("branch", True): 398,
        ("input", True): 694,
        ("input", False): 306,  # right by execution in projects that are not here
    }


def test_published_is_the_rule_of_the_source(data: Data) -> None:
    tasks = build_tasks("re2-bench", data=str(data("re2-bench")))
    graded = grade_saved(
        tasks, read_single(data("re2-bench/answers/cwm.output.jsonl.gz")), policy="published"
    )
    assert (graded.n_stored, graded.differences) == (499, [])


@pytest.mark.parametrize(("kind", "n", "uncheckable"), [("loop-values", 194, 29), ("branches", 199, 25)])
def test_loops_and_branches_by_both_rules(data: Data, kind: str, n: int, uncheckable: int) -> None:
    """By the source's every recorded verdict; by ours, what has no blank to fill in is never asked."""
    tasks = build_tasks("re2-bench", kind=kind, data=str(data("re2-bench")))
    assert (len(tasks.tasks), len(tasks.skipped)) == (n, 200 - n)
    run = read_single(
        data(f"re2-bench/answers/gpt-5-mini.{'loop' if kind == 'loop-values' else 'branch'}.jsonl.gz")
    )
    published = grade_saved(tasks, run, policy="published")
    assert (published.n_stored, published.differences) == (n, [])
    strict = grade_saved(tasks, run, policy="strict")
    assert strict.summary.no_answer["not_asked"] == uncheckable
    assert not [one for one in strict.differences if one.verdict == "right"]


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("[ANSWER]\n2 for i in xs: ## [STATE]i=[1, 2][/STATE] [STATE]y=[9][/STATE]\n[/ANSWER]", "right"),
        ("[ANSWER]\n2 for i in xs: ## [STATE]i=(1, 2)[/STATE]\n[/ANSWER]", "right"),
        ("[ANSWER]\n2 for i in xs: ## [STATE]i=[1.0, 2][/STATE]\n[/ANSWER]", "wrong"),
        ("[ANSWER]\n2 for i in xs: ## [STATE]i=[1][/STATE]\n[/ANSWER]", "wrong"),
        ("[ANSWER]\n3 for i in xs: ## [STATE]i=[1, 2][/STATE]\n[/ANSWER]", "wrong"),
        ("[ANSWER]\n2 for i in xs:\n[/ANSWER]", "no answer"),
    ],
)
def test_marks_are_filled_in_by_type_and_value(tmp_path: Path, reply: str, verdict: str) -> None:
    code = "1 def f(xs):\n2     for i in xs: ## [STATE]i=??[/STATE]\n3         print(i)"
    row = {"id": "a", "code": code, "function": "f", "shown_input": "[1, 2]", "truth": {"2": {"i": [1, 2]}}}
    other = {**row, "id": "b", "truth": {"3": {"i": [1, 2]}}}
    lines = [json.dumps(one) for one in (row, other, {**row, "id": "c", "truth": None})]
    (tmp_path / "loop.jsonl").write_text("\n".join(lines), encoding="utf-8")
    tasks = build_tasks("re2-bench", kind="loop-values", data=str(tmp_path / "loop.jsonl"))
    assert ([one.id for one in tasks.skipped], len(tasks.tasks)) == (["c"], 2)
    answer = {"response": reply, "right": 0, "partial": 0}
    saved = "\n".join(json.dumps({"id": name, **answer}) for name in "ab")
    (tmp_path / "m.loop.jsonl").write_text(saved, encoding="utf-8")
    scores = grade_saved(tasks, read_single(tmp_path / "m.loop.jsonl"), policy="strict").scores
    assert [one.verdict for one in scores] == [verdict, "no answer"]
    assert scores[1].reason == "not_asked"
