"""What docs/results.md is made of is laid out from raw trees: a small repository in each source's form."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import lay_out
from deskcheck.errors import UserError
from deskcheck.importers import read_single
from repositories import Repository, opened
from stored_answers import re2

CRUX = "def f(n):\n    for i in range(n):\n        n += i\n    return n"
SHOWN = '{\n    "self": {},\n    "args": {\n        "n": 2\n    },\n    "kwargs": {}\n}'
OUTPUT_PROMPT = (
    "Predict it.\n[PYTHON]\ndef g(): pass\n[/PYTHON]\n[OUTPUT]\n```\n1\n```\n[/OUTPUT]\n[/EXAMPLE]\n\n"
    f"[PYTHON]\n{CRUX}\n[/PYTHON]\n\nWhat will be the output of `f`, given the following input:\n"
    f"[INPUT]\n```\n{SHOWN}\n```\n[/INPUT]\n"
)
NUMBERED = "\n".join(f"{number} {line}" for number, line in enumerate(CRUX.split("\n"), start=1))
LOOP = NUMBERED.replace("range(n):", "range(n): ## [STATE]i=??[/STATE]")
BRANCH = NUMBERED.replace("range(n):", "range(n): ## [BRANCH]taken=??[/BRANCH]")
VALIDATOR = """\
import json

WRITES_NOTHING = print("never run on reading")

def read_ground_truth(problem, level):
    with open(f"../dataset/re2-bench/KIND/{level}/{problem}.json") as file:
        return json.load(file)

def validate_KIND(problem, level, model):
    with open(f"../results/KIND_prediction/{model}/{level}/{problem}.txt") as file:
        right = str(read_ground_truth(problem, level)) in file.read()
    return int(right), float(right)
"""
ROW = json.dumps({"values": {"inputs": {"self": {}, "args": {"n": 2}, "kwargs": {}}, "return": 3}})
SCORED = json.dumps({
    "raw_generations": {"sample_0": ["3"]}, "raw_scored_generations": {"sample_0": [True]},
    "pass_at_1": 100.0, "pass_at_5": 100.0,
})  # fmt: skip


def re2_bench() -> dict[str, str]:
    """One task of CRUXEval, asked for all four things."""
    files = {
        "dataset/re2-bench/sampled_problems.json": json.dumps(
            {"easy": {"sample_7": {"benchmark": "cruxeval", "input-output": 0}}, "difficult": {}}
        ),
        "dataset/re2-bench/input-output/cruxeval/cruxeval_7.jsonl": f"{ROW}\n",
        "prompts/output_prediction/easy/sample_7.txt": OUTPUT_PROMPT,
        "prompts/loop_prediction/easy/sample_7.txt": f"x\n[/EXAMPLE]\n\n{LOOP}\n\nThe input to it is: 2",
        "prompts/branch_prediction/easy/sample_7.txt": f"x\n[/EXAMPLE]\n\n{BRANCH}\n\nThe input is: 2",
        "dataset/re2-bench/loop/easy/sample_7.json": '{"2": {"i": [0, 1]}}',
        "results/loop_prediction/m/LC/sample_7.txt": "{'2': {'i': [0, 1]}}",
        "results/branch_prediction/m/LC/sample_7.txt": "[ANSWER][/ANSWER]",
    }
    for kind in ("output", "input"):
        answer = '{"output": 3}' if kind == "output" else SHOWN
        files |= {
            f"results/{kind}_prediction/m/LC/sample_7.txt": f"[{kind.upper()}]{answer}[/{kind.upper()}]",
            f"results/validations/m_{kind}.csv": "case_name,rs,partial_rs\ncruxeval_7.jsonl,1,1.0\n",
            f"results/validations/m_{kind}_metadata.json": '{"total_rs": 1.0}',
            f"results/summary/m_{kind}_prediction.jsonl": json.dumps(
                {"problem_id": "sample_7", "prediction": json.loads(answer)}
            ),
        }
    for kind in ("loop", "branch"):
        files[f"scripts/validators/validate_{kind}.py"] = VALIDATOR.replace("KIND", kind)
    return files


def trees() -> dict[str, dict[str, str]]:
    """Source -> its files, as the repository has them."""
    qwen = "qwencoder-eval/base/outptus/qwen2.5-coder"
    trees = {
        "cruxeval": {
            "data/cruxeval.jsonl": '{"id": "sample_0"}\n',
            **{
                f"samples/evaluation_results/sample_scored_codellama-7b_temp0.2_{kind}.json": SCORED
                for kind in ("input", "output")
            },
        },
        "livecodebench-exec": {
            "evaluation/evaluation_results/a+cot_temp0.2_output.json": SCORED,
            "evaluation/evaluation_results/claude-2_temp0.2_output.json": SCORED,
            "model_generations/a_temp0.2_input/generations.json": '{"sample_0": ["f(1)"]}',
        },
        "livecodebench-site": {
            "src/mocks/performances_execution.json": json.dumps(
                {
                    "performances": [
                        {"model": "A", "sample_id": "sample_0", "question_id": 1, "Pass@1": 50.0, "date": 0}
                    ]
                }
            ),
        },
        "re2-bench": re2_bench(),
        "exerscope": {
            "Experiment_Results/result_stat/ER/m_cruxeval.json": '{"sample_10": 1}',
            "Experiment_Results/ER/m/cruxeval/sample_10/predict.txt": "3",
            "Experiment_Results/ER/m/cruxeval/sample_10/response.txt": "<<<Output>>>3[END-OF-RESPONSE]",
            "Experiment_Results/ER/m/cruxeval/sample_9/predict.txt": "4",
        },
        "cruxeval-x": {},
        "qwen2.5-coder": {
            f"{qwen}/{size}-base/cruxeval/{kind}-cot/{part}.json": SCORED
            for size, kind in (("7b", "output"), ("7b", "input"), ("1.5b", "output"))
            for part in ("completion", "completion_raw", "completion_scored")
        },
        "doocs": {
            "solution/2700-2799/2777.Date Range/README.md": "\u65f6\u95f4\u590d\u6742\u5ea6 $O(n)$.",
            "solution/2700-2799/2777.Date Range/README_EN.md": (
                "---\ndifficulty: Easy\nrating: 1200\ntags:\n    - Array\n---\n"
                "#### Python3\n\n```python\nclass Solution: ...\n```\n"
            ),
        },
    }
    row = {"id": 0, "res": True, "error": "", "code": "x", "answer": "3"}
    for language in ("js", "lua", "py"):
        trees["cruxeval-x"][f"datasets/cruxeval_preprocessed/{language}.jsonl"] = '{"id": 0}\n'
        for kind in ("input", "output"):
            trees["cruxeval-x"][f"infer_results/phi-1/{language}_{kind}.json"] = json.dumps([row])
    return trees


@pytest.fixture(scope="module")
def repositories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Git repositories of the trees, each with a later commit in which every file is gone."""
    places = {}
    for name, files in trees().items():
        folder = tmp_path_factory.mktemp(name.replace(".", "-"))
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        places[name] = folder
        run = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        for more in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"], ["tag", "pinned"]):
            subprocess.run([*run, *more], check=True)
        subprocess.run([*run, "rm", "-rq", "."], check=True)
        subprocess.run([*run, "commit", "-qm", "gone"], check=True)
    return places


@pytest.fixture
def laid(
    repositories: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[Path], str]], dict[str, bytes]]:
    """Lay out all sources, each from the place that a function gives for its repository."""
    problems = tmp_path / "problems.jsonl"
    problems.write_text('{"id": "sample_0", "code": "x  =  1", "input": "f()", "output": "1", "more": 2}\n')

    def run(place: Callable[[Path], str]) -> dict[str, bytes]:
        pinned = {
            name: lay_out.Source(Repository("https://example.invalid", "pinned"), source.write)
            for name, source in lay_out.SOURCES.items()
        }
        monkeypatch.setattr(lay_out, "SOURCES", pinned)
        out = tmp_path / f"out-{len(list(tmp_path.iterdir()))}"
        places = {name: place(folder) for name, folder in repositories.items()}
        assert lay_out.lay_out(out, places, str(problems)) is None
        files = sorted(one for one in out.rglob("*") if one.is_file())
        return {str(file.relative_to(out)): file.read_bytes() for file in files}

    return run


def test_a_url_and_a_local_directory_give_the_same_bytes_at_the_pinned_commit(
    laid: Callable[[Callable[[Path], str]], dict[str, bytes]], tmp_path: Path
) -> None:
    local, cloned = laid(str), laid(lambda folder: folder.as_uri())
    assert local == cloned
    assert len(local) == 35
    assert "livecodebench-exec/generations/claude-2.json.gz" not in local
    assert json.loads(local["livecodebench-exec/problems.jsonl"])["code"] == "x = 1"
    (problem,) = map(json.loads, local["leetcode/doocs-leetcode-python-index.jsonl"].splitlines())
    assert problem == {
        "frontend_id": 2777, "difficulty": "Easy", "rating": 1200, "tags_en": ["Array"],
        "time_complexity": "O(n)", "python": "class Solution: ...",
    }  # fmt: skip


def test_what_is_laid_out_is_read_by_the_importers_and_the_pages(
    laid: Callable[[Callable[[Path], str]], dict[str, bytes]], tmp_path: Path
) -> None:
    laid(str)
    (out,) = (one for one in tmp_path.glob("out-*"))
    known = re2.truths(out / "re2-bench")
    assert known.problems["sample_7"]["code"] == CRUX
    assert (known.problems["sample_7"]["function"], known.problems["sample_7"]["output"]) == ("f", 3)
    assert (known.of("loop", "sample_7"), known.of("branch", "sample_7")) == ({"2": {"i": [0, 1]}}, None)
    (setting,) = re2.settings(out / "re2-bench", known)
    assert [(one.theirs, one.again) for one in setting.answers["output"]] == [(True, True)]
    assert [one.theirs for one in setting.answers["loop"]] == [True]
    scope = read_single(out / "exerscope/m.jsonl.gz")
    assert list(scope.texts) == ["sample_9", "sample_10"]
    assert scope.stored == {"sample_9": [False], "sample_10": [True]}
    assert read_single(out / "qwen2.5-coder/7b-output-completion_scored.json.gz").texts == {"sample_0": ["3"]}
    assert read_single(out / "cruxeval-x/phi-1/js_output.jsonl.gz").stored == {"js-0": [True]}


def test_a_commit_that_is_not_there_is_an_error_with_the_words_of_git(repositories: dict[str, Path]) -> None:
    with (
        pytest.raises(UserError, match="rev-parse"),
        opened(Repository("", "0" * 40), str(repositories["doocs"])),
    ):
        pass
