"""grade_saved: every task and sample counts, by the named policy; every difference to a source is listed."""

from __future__ import annotations

import pytest
from tests.evaluation.fakes import Runner, draft, loader

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.grade import Graded, grade_saved, named_by_number
from deskcheck.evaluation.grade_report import as_results, as_text
from deskcheck.evaluation.grade_runs import GradedRun
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import SavedRun


@pytest.fixture
def three(monkeypatch: pytest.MonkeyPatch) -> TaskSet:
    """Tasks a (1), b ('x'), c (True); d has no truth."""
    drafts = [
        draft("a", "def f():\n    return 1"),
        draft("b", "def f():\n    return 'x'", cluster="bc"),
        draft("c", "def f():\n    return True", recorded="False", cluster="bc"),
        draft("d", "def f():\n    return object()"),
    ]
    monkeypatch.setattr(plugins, "load", loader(*drafts))
    return build_tasks("fake", runner=Runner())


def verdicts(graded: Graded) -> dict[str, list[str]]:
    """Task -> "right", "wrong" or the reason, sample by sample."""
    table: dict[str, list[str]] = {}
    for score in graded.scores:
        table.setdefault(score.task_id, []).append(score.reason or score.verdict)
    return table


def test_missing_tasks_and_samples_are_counted_and_in_no_rate(three: TaskSet) -> None:
    graded = grade_saved(three, SavedRun("cruxeval", {"a": ["1", "2"], "b": ["'x'"]}))
    assert verdicts(graded) == {
        "a": ["right", "wrong"],
        "b": ["right", "not_asked"],
        "c": ["not_asked", "not_asked"],
    }
    assert graded.summary.accuracy == 2 / 3
    assert graded.summary.bounds == (2 / 6, 5 / 6)
    assert (graded.summary.interval.note, graded.summary.pass_at) == ("withheld", {})
    assert graded.missing == ["c"]


def test_generations_of_dropped_tasks_are_known_but_not_counted(three: TaskSet) -> None:
    graded = grade_saved(three, SavedRun("cruxeval", {"d": ["1"] * 7, "a": ["1"]}))
    assert (graded.summary.n_tasks, graded.summary.n_samples) == (3, 1)


def test_unknown_ids_are_an_error_that_lists_some(three: TaskSet) -> None:
    with pytest.raises(UserError, match=r"2 ids .* x, y; its ids look like a, b, c"):
        grade_saved(three, SavedRun("cruxeval", {"y": ["1"], "a": ["1"], "x": ["1"]}))


def test_published_takes_the_whole_text_and_python_equality(three: TaskSet) -> None:
    saved = SavedRun(
        "cruxeval", {"a": ["True", "[ANSWER]1[/ANSWER]"], "b": ["'x' # yes", "f() + ''"], "c": ["1", ""]}
    )
    assert verdicts(grade_saved(three, saved)) == {
        "a": ["right", "unparsable"],
        "b": ["right", "unparsable"],
        "c": ["right", "unparsable"],
    }
    assert verdicts(grade_saved(three, saved, policy="strict")) == {
        "a": ["wrong", "right"],
        "b": ["right", "unparsable"],
        "c": ["wrong", "unparsable"],
    }


def test_published_drops_a_text_that_repeats_the_call_even_in_a_string(three: TaskSet) -> None:
    graded = grade_saved(three, SavedRun("cruxeval", {"b": ["'f()'"]}))
    assert verdicts(graded)["b"] == ["unparsable"]


def test_a_finish_reason_of_the_file_counts(three: TaskSet) -> None:
    saved = SavedRun("jsonl", {"a": ["1", "1"]}, finish_reasons={"a": ["stop", "length"]})
    assert verdicts(grade_saved(three, saved, policy="strict"))["a"] == ["right", "truncated"]


@pytest.mark.parametrize(
    ("task", "text", "stored", "why"),
    [
        ("a", "f([1])", True, "calls the program"),
        ("a", "len('x')", True, "calls a library function"),
        ("a", "0 + 1", True, "arithmetic"),
        ("a", "1 or 2", True, "boolean operator"),
        ("a", "(", True, "unexplained"),
        ("a", "2", True, "unexplained"),
        ("a", "1", False, "unexplained"),
    ],
)
def test_every_difference_to_a_stored_verdict_has_a_reason(
    three: TaskSet, task: str, text: str, stored: bool, why: str
) -> None:
    saved = SavedRun("livecodebench", {task: [text, "1"]}, stored={task: [stored, True]})
    (difference,) = grade_saved(three, saved).differences
    assert (difference.task_id, difference.sample, difference.text) == (task, 0, text)
    assert (difference.stored, difference.why) == (stored, why)


def test_a_wrong_answer_in_tags_is_not_called_equal_by_python(three: TaskSet) -> None:
    saved = SavedRun("livecodebench", {"a": ["so [ANSWER]2[/ANSWER]"]}, stored={"a": [True]})
    (difference,) = grade_saved(three, saved, policy="strict").differences
    assert (difference.verdict, difference.why) == ("wrong", "unexplained")


def test_the_text_says_everything_that_was_counted(three: TaskSet) -> None:
    saved = SavedRun("livecodebench", {"a": ["1", "1 + 0"]}, stored={"a": [True, True]})
    text = as_text(grade_saved(three, saved), three)
    for part in (
        "fake, task output: 3 tasks x 2 samples, policy published",
        "right 1, wrong 0, no answer 5 (1 unparsable, 4 not asked)",
        "pass@k: withheld",
        "95 % interval: withheld; over all tasks within 16.7 to 83.3 %",
        "tasks without a generation, in no rate: 2 (b, c)",
        "tasks without a truth, left out: 1 (value is not plain 1)",
        "recorded answers that the program contradicts: 1\n",
        "  c: recorded False, executed True (another value)",
        "stored verdicts: 2; differences 1 (arithmetic 1)",
        "a[1] '1 + 0': here no answer, stored right: arithmetic",
    ):
        assert part in text
    whole = SavedRun("livecodebench", {task: ["1", "2"] for task in "abc"})
    text = as_text(grade_saved(three, whole), three)
    assert "pass@1 " in text and "too few clusters" in text
    assert "pass@5" not in text  # two samples cannot say


def test_the_results_have_the_form_of_every_run(three: TaskSet) -> None:
    import json

    saved = SavedRun("cruxeval", {task: ["1"] for task in "abc"}, model="m")
    run = GradedRun("m", saved, three, grade_saved(three, saved), [])
    content = json.loads(as_results([run], {}))
    (row,) = content["rows"]
    assert (row["model"], row["benchmark"], row["task"], row["strategy"]) == ("m", "fake", "output", "saved")
    assert (
        row["right"] + row["wrong"] + sum(row["no_answer"].values()) == row["n_tasks"] * row["n_samples"] == 3
    )
    assert content["runs"][0]["pass_at"] == {"1": pytest.approx(2 / 3)}
    assert [one["id"] for one in content["runs"][0]["disagreements"]] == ["c"]


@pytest.mark.parametrize(
    ("names", "ids", "taken_as"),
    [
        (["0", "12"], ["sample_0", "sample_12", "sample_3"], ["sample_0", "sample_12"]),
        (["0", "x"], ["sample_0"], ["0", "x"]),
        (["0"], ["a_0", "b_0"], ["0"]),
        (["7"], ["sample_0"], ["7"]),
        (["1"], ["1", "2"], ["1"]),
    ],
)
def test_a_number_is_the_id_with_that_number_only_where_it_can_be_no_other(
    names: list[str], ids: list[str], taken_as: list[str]
) -> None:
    saved = SavedRun("jsonl", {name: ["5"] for name in names}, stored={name: [True] for name in names})
    found = named_by_number(saved, ids)
    assert list(found.texts) == list(found.stored) == taken_as
    verdicts = SavedRun("verdicts", {}, stored=saved.stored)
    assert list(named_by_number(verdicts, ids).stored) == taken_as


def test_what_was_never_asked_is_in_no_share_of_the_levels(three: TaskSet) -> None:
    graded = grade_saved(three, SavedRun("jsonl", {"a": ["1", "1"], "b": ["'x'"]}), policy="strict")
    text = as_text(graded, three)
    assert "of 3 replies" in text and {*graded.levels} == {("a", 0), ("a", 1), ("b", 0)}
    assert ": 1 answers a task, but more for 1: a (2); each counts as another sample" in text
    graded = grade_saved(three, SavedRun("jsonl", {"a": ["1"], "b": ["'x'"]}), policy="strict")
    assert "more for" not in as_text(graded, three)
