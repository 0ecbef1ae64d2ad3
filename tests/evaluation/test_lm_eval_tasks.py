"""Tasks of lm-evaluation-harness: rows, verdicts and files; the harness itself where it is installed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.strategies.programs import tasks as traced

from deskcheck.lm_eval_tasks import tasks

FOLDER = Path(tasks.__file__).parent
FILES = sorted(FOLDER.glob("*.yaml"))


def test_a_row_holds_the_prompt_and_what_is_true():
    rows = tasks.dataset_rows(traced())
    assert [row["expected"] for row in rows] == [task.expected for task in traced()]
    assert all(task.call in row["prompt"] for task, row in zip(traced(), rows, strict=True))
    assert rows[0]["open_assert"].endswith("\n\nassert f([1, 5, 2]) ==")


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("[ANSWER]7[/ANSWER]", {"right": 1.0, "no_answer": 0.0}),
        ("[ANSWER]7.0[/ANSWER]", {"right": 0.0, "no_answer": 0.0}),
        ("Who knows", {"right": 0.0, "no_answer": 1.0}),
    ],
)
def test_our_grader_decides(reply: str, found: dict[str, float]):
    assert tasks.verdict_metrics({"expected": "7"}, [reply]) == found


def test_a_likelihood_is_told_whole_and_by_character():
    found = tasks.likelihood({"expected": "'ab'"}, [(-2.0, True)])
    assert found == {"logprob": -2.0, "logprob_per_character": -0.5, "greedy": 1.0}


def test_each_file_names_functions_that_are_there_and_the_folder_is_printed():
    assert [path.stem for path in FILES] == ["core", "cruxeval", "fresh", "likelihood"]
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert f"task: deskcheck_{path.stem}\n" in text
        names = re.findall(r"!function tasks\.(\w+)", text)
        assert names and all(callable(getattr(tasks, name)) for name in names)
    said = subprocess.run(
        [sys.executable, "-m", "deskcheck.lm_eval_tasks.tasks"], capture_output=True, text=True, check=True
    )
    assert said.stdout.strip() == str(FOLDER)


def test_the_harness_gives_a_model_that_knows_everything_a_hundred_percent():
    lm_eval = pytest.importorskip("lm_eval", reason="needs lm-evaluation-harness")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Oracle(LM):
        def generate_until(self, requests, disable_tqdm=False):
            return [f"[ANSWER]{request.doc['expected']}[/ANSWER]" for request in requests]

        def loglikelihood(self, requests, disable_tqdm=False):
            assert [r.args[1] for r in requests] == [" " + r.doc["expected"] for r in requests]
            return [(-1.0, True) for _ in requests]

        def loglikelihood_rolling(self, requests, disable_tqdm=False):
            raise AssertionError("no task asks for it")

    manager = TaskManager(include_path=str(FOLDER), metadata={"limit": 4})
    names = ["deskcheck_core", "deskcheck_fresh", "deskcheck_likelihood"]
    found = lm_eval.simple_evaluate(Oracle(), tasks=names, task_manager=manager, bootstrap_iters=0)["results"]
    assert [found[name].get("right,none") for name in names] == [1.0, 1.0, None]
    assert found["deskcheck_likelihood"]["greedy,none"] == 1.0
    assert {found[name]["sample_len"] for name in names[:2]} == {4}
