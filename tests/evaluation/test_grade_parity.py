"""Parity with the sources: stored generations of real models grade to their stored verdicts.

43 of 86,220 livecodebench-exec generations differ, all of them expressions that the source executed and we
do not: golden/livecodebench_differences.txt holds every one, docs/grading.md the table.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck.evaluation.grade import Graded, grade_saved
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import read_single

pytestmark = pytest.mark.one_python

Find = Callable[[str], Path]
OUTPUT = "cruxeval/sample_codellama-7b_temp0.2_output.generations.json"
SCORED_INPUT = "cruxeval/sample_scored_codellama-7b_temp0.2_input.json"
SCORED = "cruxeval/sample_scored_codellama-7b_temp0.2_output.json"


@pytest.fixture(scope="module")
def cruxeval(data: Find) -> TaskSet:
    """All 800, executed."""
    return build_tasks("cruxeval", data=str(data("cruxeval/cruxeval.jsonl")))


def percent(graded: Graded) -> tuple[float, float]:
    """pass@1 and pass@5 as the sources write them."""
    return round(100 * graded.summary.pass_at[1], 4), round(100 * graded.summary.pass_at[5], 4)


def test_the_800_programs_give_the_recorded_answers(cruxeval: TaskSet) -> None:
    assert len(cruxeval.tasks) == 800
    assert cruxeval.disagreements == []
    assert cruxeval.dropped == []
    assert cruxeval.pinned


@pytest.mark.parametrize("policy", ["published", "strict", "lenient"])
def test_codellama_7b_grades_to_its_published_numbers(cruxeval: TaskSet, data: Find, policy: str) -> None:
    graded = grade_saved(cruxeval, read_single(data(OUTPUT)), policy=policy)
    assert percent(graded) == (34.2125, 40.2867)
    assert (graded.summary.n_tasks, graded.summary.n_samples) == (800, 10)
    assert graded.summary.interval.n_clusters == 800


def test_every_stored_verdict_of_codellama_7b_is_met(cruxeval: TaskSet, data: Find) -> None:
    graded = grade_saved(cruxeval, read_single(data(SCORED)))
    assert (graded.n_stored, graded.differences) == (8000, [])


@pytest.mark.slow
def test_predicted_inputs_of_codellama_7b_grade_to_their_published_numbers(data: Find) -> None:
    tasks = build_tasks("cruxeval", kind="input", data=str(data("cruxeval/cruxeval.jsonl")))
    graded = grade_saved(tasks, read_single(data(SCORED_INPUT)))
    assert percent(graded) == (35.95, 44.9911)
    assert (graded.n_stored, graded.differences) == (8000, [])


def test_the_order_of_tasks_and_samples_does_not_count(cruxeval: TaskSet, data: Find, tmp_path: Path) -> None:
    draw = random.Random(5)
    texts = read_single(data(OUTPUT)).texts
    shuffled = {task: draw.sample(texts[task], 10) for task in draw.sample(sorted(texts), len(texts))}
    (tmp_path / "shuffled.json").write_text(json.dumps(shuffled))
    graded = grade_saved(cruxeval, read_single(tmp_path / "shuffled.json"))
    assert percent(graded) == (34.2125, 40.2867)


def test_altered_generations_change_the_score(cruxeval: TaskSet, data: Find) -> None:
    saved = read_single(data(OUTPUT))
    wrong = [score for score in grade_saved(cruxeval, saved).scores if score.verdict == "wrong"]
    for score in wrong[:80]:
        saved.texts[score.task_id][score.sample] = score.expected
    assert percent(grade_saved(cruxeval, saved))[0] == 35.2125


def test_an_altered_record_is_listed_and_changes_no_score(
    cruxeval: TaskSet, data: Find, tmp_path: Path
) -> None:
    rows = [json.loads(line) for line in data("cruxeval/cruxeval.jsonl").read_text().splitlines()]
    rows[3]["output"] = "'altered'"
    altered = tmp_path / "altered.jsonl"
    altered.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = build_tasks("cruxeval", data=str(altered), limit=20)
    assert [(one.id, one.recorded) for one in found.disagreements] == [("sample_3", "'altered'")]
    assert not found.pinned
    scores = grade_saved(found, read_single(data(OUTPUT))).scores
    assert scores == grade_saved(cruxeval, read_single(data(OUTPUT))).scores[:200]


def test_18_real_runs_grade_to_their_stored_verdicts_and_every_difference_is_known(
    data: Find, golden: Callable[[str, str], None]
) -> None:
    tasks = build_tasks("livecodebench-exec", data=str(data("livecodebench-exec/problems.jsonl")))
    assert (len(tasks.tasks), tasks.disagreements, tasks.dropped) == (479, [], [])
    lines = []
    n_stored = 0
    for path in sorted(data("livecodebench-exec/generations").glob("*.json")):
        graded = grade_saved(tasks, read_single(path))
        assert graded.n_stored == len(graded.scores) == 4790
        n_stored += graded.n_stored
        stored = json.loads(path.read_text())["pass_at_1"] * 4790 / 100
        n_more = sum(one.stored for one in graded.differences)
        assert round(stored) == graded.summary.right + n_more - (len(graded.differences) - n_more)
        kinds = ", ".join(sorted({one.why for one in graded.differences})) or "none"
        lines.append(f"{path.stem}: {len(graded.differences)} of 4790 ({kinds})")
        lines += [
            f"    {one.task_id}[{one.sample}] {one.text!r}, expected {one.expected}: here {one.verdict}, "
            f"stored {'right' if one.stored else 'not right'}: {one.why}"
            for one in graded.differences
        ]
    assert n_stored == 86_220
    assert sum(line.startswith("    ") for line in lines) == 43
    golden("livecodebench_differences.txt", "\n".join(lines) + "\n")
