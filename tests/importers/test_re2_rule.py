"""RE2-Bench's own rule, written anew: its faults are part of it, and every recorded verdict is met."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.data_files import read_rows
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.grade_report import as_lines, write_json
from deskcheck.evaluation.grade_runs import Request, grade_runs
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


OURS = {
    "branches": {
        "nothing in the last answer": 11,
        "right in the last answer, not in the first": 6,
        "wrong in the last answer": 2,
    },
    "loop-values": {
        "no blank to fill in": 30,
        "nothing in the last answer": 11,
        "right in the last answer, not in the first": 1,
        "the truth stands where the shown program has no blank": 2,
        "wrong in the last answer": 1,
    },
    "output": {
        "a text that prints an array or collection in another way": 8,
        "another part of the reply is read": 13,
        "inside it a text that is written in another way": 20,
        "nothing that can be read as the answer": 27,
        "the source found no answer": 19,
        "the value written as text, or the text as a value": 112,
    },
    "input": {
        "another part of the reply is read": 9,
        "by execution only": 1_574,
        "nothing that can be read as the answer": 41,
        "the source found no answer": 2,
    },
}


def all_settings(data: Data, kind: str, policy: str) -> tuple[int, Counter[str], Counter[tuple[str, str]]]:
    """Stored verdicts, why ours differ, and our verdicts, of one question in all ten settings."""
    asked = next(name for name, (question, _) in re2_bench.KINDS.items() if question == kind)
    tasks = build_tasks("re2-bench", kind=kind, data=str(data("re2-bench")))
    n, why, verdicts = 0, Counter[str](), Counter[tuple[str, str]]()
    files = sorted(data("re2-bench/answers").glob(f"*.{asked}.jsonl.gz"))
    assert len(files) == 10
    for file in files:
        graded = grade_saved(tasks, read_single(file), policy=policy)
        n += graded.n_stored
        why.update(one.why for one in graded.differences)
        verdicts.update((one.verdict, one.reason) for one in graded.scores)
    return n, why, verdicts


@pytest.mark.parametrize(
    ("kind", "n"), [pytest.param("loop-values", 1_970, marks=pytest.mark.slow), ("branches", 1_990)]
)
def test_loops_and_branches_of_ten_settings_by_both_rules(data: Data, kind: str, n: int) -> None:
    """By the source's rule every verdict; by ours, what has no blank to fill in is never asked."""
    assert all_settings(data, kind, "published")[:2] == (n, {})
    stored, why, verdicts = all_settings(data, kind, "strict")
    assert (stored, why) == (n, OURS[kind])
    assert verdicts["no answer", "not_asked"] == 10 * {"loop-values": 31, "branches": 25}[kind]


@pytest.mark.slow
def test_outputs_and_inputs_of_ten_settings_by_both_rules(data: Data) -> None:
    """Of inputs that are not the recorded one a run in the project would decide: never wrong here."""
    assert all_settings(data, "output", "published")[:2] == (5_000, {})
    assert all_settings(data, "output", "strict")[:2] == (5_000, OURS["output"])
    stored, why, verdicts = all_settings(data, "input", "published")
    assert (stored, why) == (5_000, {"by execution only": 1_567, "the source found no answer": 2})
    assert verdicts["right", ""] == 775
    stored, why, verdicts = all_settings(data, "input", "strict")
    assert (stored, why) == (5_000, OURS["input"])
    assert {verdict for verdict, _ in verdicts} == {"right", "no answer"}


def test_an_input_is_the_recorded_one_or_not_checked(tmp_path: Path) -> None:
    row = {"id": "a", "code": "def f(x):\n    return x % 2", "function": "f", "output": 1}
    row |= {"input": {"args": {"x": 3}}, "shown_structure_output": "XXX", "shown_input": ""}
    (tmp_path / "problems.jsonl.gz").write_bytes(gzip.compress(json.dumps(row).encode()))
    tasks = build_tasks("re2-bench", kind="input", data=str(tmp_path))
    found = {}
    for said in ({"args": {"x": 3}}, {"args": {"x": 5}}):
        answer = {"id": "a", "response": f"[INPUT]{json.dumps(said)}[/INPUT]", "right": 1, "partial": 1}
        (tmp_path / "m.input.jsonl").write_text(json.dumps({**answer, "prediction": said}), encoding="utf-8")
        for policy in ("published", "strict"):
            graded = grade_saved(tasks, read_single(tmp_path / "m.input.jsonl"), policy=policy)
            (score,) = graded.scores
            found[said["args"]["x"], policy] = (
                score.verdict,
                score.reason,
                [d.why for d in graded.differences],
            )
    assert found[3, "published"] == found[3, "strict"] == ("right", "", [])
    assert found[5, "published"] == found[5, "strict"] == ("no answer", "not_asked", ["by execution only"])
    (tmp_path / "n.input.jsonl").write_text((tmp_path / "m.input.jsonl").read_text(), encoding="utf-8")
    runs = grade_runs(Request("re2-bench", [str(tmp_path)], data=str(tmp_path)))
    assert "0 of 1 equal the recorded answer; 1 others could only be run elsewhere" in as_lines(runs)[1]
    write_json(runs, str(tmp_path / "out.json"), data=str(tmp_path))  # a folder has no hash
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["run"]["data_sha256"] == ""


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
