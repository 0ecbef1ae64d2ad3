"""Solutions of HumanEval and MBPP are graded by their tests; every problem and sample counts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deskcheck.cli import main
from deskcheck.errors import DataError, UserError
from deskcheck.sandbox import containment
from deskcheck.solutions.samples import grade_samples, read_problems, read_samples

EVAL = [
    {
        "task_id": f"HumanEval/{n}",
        "prompt": f'def half{n}(x):\n    """Half of x."""\n',
        "entry_point": f"half{n}",
        "canonical_solution": "    return x // 2\n",
        "test": "def check(candidate):\n    assert candidate(4) == 2\n    assert candidate(9) == 4\n",
    }
    for n in range(3)
]
MBPP = {
    "task_id": 7,
    "text": "Twice.",
    "code": "import math\ndef helper(x):\n    return x\ndef twice(x):\n    return helper(x) * 2\n",
    "test_setup_code": "",
    "test_list": ["assert sorted([twice(2)]) == [4]", "assert twice('a') == 'aa'"],
}
EQUALS_ALL = "    class E:\n        def __eq__(self, other): return True\n    return E()\n"


def lines(path: Path, rows: list[dict[str, object]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_right_wrong_missing_and_cheating_samples_are_counted_over_all_problems(tmp_path: Path):
    problems = read_problems("humaneval", lines(tmp_path / "p.jsonl", EVAL))
    rows: list[dict[str, object]] = [
        {"task_id": "HumanEval/0", "completion": "    return x // 2\n"},
        {"task_id": "HumanEval/0", "completion": "    return x // 2\n"},
        {"task_id": "1", "completion": "    return x / 2\n"},
        {"task_id": "HumanEval/1", "completion": EQUALS_ALL},
        {"task_id": "HumanEval/1", "solution": "def half1(x):\n    return x >> 1\n"},
    ]
    samples = read_samples(lines(tmp_path / "s.jsonl", rows), problems)
    found = grade_samples(problems, samples, i_trust_this_code=True)
    verdicts = {(score.task_id[-1], score.sample): score.verdict for score in found.scores}
    assert verdicts == {
        ("0", 0): "right", ("0", 1): "right", ("0", 2): "no answer",
        ("1", 0): "wrong", ("1", 1): "no answer", ("1", 2): "right",
        ("2", 0): "no answer", ("2", 1): "no answer", ("2", 2): "no answer",
    }  # fmt: skip
    assert (found.summary.accuracy, found.n_missing) == (3 / 5, 4)
    assert found.summary.pass_at == {} and found.summary.bounds == (3 / 9, 7 / 9)
    cheat = "not checked: the tests use a result of type E, which is not known in their proce"
    assert found.reasons == {"no sample in the file": 4, "AssertionError": 1, cheat: 1}
    assert found.missing == ["HumanEval/2"]


def test_mbpps_solutions_are_whole_modules_and_its_function_is_the_one_that_the_tests_call(tmp_path: Path):
    problems = read_problems("mbpp", lines(tmp_path / "p.jsonl", [MBPP]))
    assert problems["7"].entry == "twice"
    for text, verdict in ((MBPP["code"], "right"), ("def twice(x):\n    return x + x + 0\n", "wrong")):
        rows: list[dict[str, object]] = [{"task_id": "Mbpp/7", "completion": text}]
        samples = read_samples(lines(tmp_path / "s.jsonl", rows), problems)
        found = grade_samples(problems, samples, i_trust_this_code=True)
        assert [score.verdict for score in found.scores] == [verdict]


@pytest.mark.parametrize(
    ("row", "error", "reason"),
    [
        ({"task_id": "HumanEval/9", "completion": ""}, UserError, "line 1: task_id 'HumanEval/9' is none"),
        ({"task_id": "HumanEval/0"}, DataError, "line 1: needs 'task_id' and the text 'completion'"),
        ({"id": "HumanEval/0", "completion": ""}, DataError, "it has: completion, id"),
    ],
)
def test_a_line_that_is_no_sample_is_named(
    tmp_path: Path, row: dict[str, object], error: type[Exception], reason: str
):
    problems = read_problems("humaneval", lines(tmp_path / "p.jsonl", EVAL))
    with pytest.raises(error, match=reason):
        read_samples(lines(tmp_path / "s.jsonl", [row]), problems)


def test_a_benchmark_without_tests_of_solutions_and_two_files_at_once_are_bad_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(UserError, match="humaneval, mbpp"):
        read_problems("cruxeval")
    monkeypatch.setattr(sys, "argv", ["deskcheck", "grade", "--benchmark", "humaneval"])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "--generations" in capsys.readouterr().err


def test_a_place_for_answers_is_refused_where_solutions_are_graded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    words = "grade --benchmark humaneval --task solution --generations s.jsonl --out o.parquet"
    monkeypatch.setattr(sys, "argv", ["deskcheck", *words.split()])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert "--json" in capsys.readouterr().err


def test_the_command_prints_pass_at_k_with_its_denominator_and_writes_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    data = lines(tmp_path / "p.jsonl", EVAL)
    solved: list[dict[str, object]] = [
        {"task_id": row["task_id"], "completion": row["canonical_solution"]} for row in EVAL[:2]
    ]
    path = lines(tmp_path / "s.jsonl", solved)
    arguments = [
        "--benchmark",
        "humaneval",
        "--data",
        data,
        "--task",
        "solution",
        "--generations",
        path,
        "--require",
        "i-trust-this-code",
    ]
    out = tmp_path / "out.json"
    monkeypatch.setattr(containment, "_said", [])
    monkeypatch.setattr(sys, "argv", ["deskcheck", "grade", *arguments, "--json", str(out)])
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    said = capsys.readouterr().out
    assert "3 problems x 1 samples" in said and "right 2, wrong 0, no answer 1 (1 not asked), of 3" in said
    assert "1 of 3 are missing and in no rate; pass@1 of all is within 66.7 to 100.0 %" in said
    assert "pass@k: withheld" in said and "95 % interval of pass@1: none" in said
    assert [score["verdict"] for score in json.loads(out.read_text("utf-8"))["scores"]] == [
        "right", "right", "no answer",
    ]  # fmt: skip
