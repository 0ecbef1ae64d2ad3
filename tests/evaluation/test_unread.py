"""No score where the reader failed: unread replies are counted, explained, and end the command with 1."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evaluation.test_grade import three  # noqa: F401  # a fixture

from deskcheck.evaluation.grade import Graded, _why, grade_saved
from deskcheck.evaluation.grade_report import as_text, row_of_run
from deskcheck.evaluation.grade_runs import GradedRun, Request, policy_of
from deskcheck.evaluation.grade_truths import without_machine_truths
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import SavedRun
from deskcheck.records import Score

pytestmark = pytest.mark.one_python


def graded_of(three: TaskSet, reply: str, **options: str) -> tuple[Graded, SavedRun]:  # noqa: F811
    saved = SavedRun("jsonl", {one: [reply.format(n)] for n, one in enumerate("abc")})
    return grade_saved(three, saved, policy=options.get("policy", "strict")), saved


def test_a_run_that_was_not_read_has_no_interval_and_says_why(three: TaskSet) -> None:  # noqa: F811
    graded, saved = graded_of(three, "It becomes clear that {} rounds are enough for it")
    assert graded.unread.failed
    assert graded.unread.n == graded.unread.n_replies == 3
    text = as_text(graded, three)
    assert text.startswith("NOT READ: 3 of 3 replies could not be read")
    assert (
        "95 % interval: none, because 3 replies were not read; over all tasks within 0.0 to 100.0 %" in text
    )
    assert "pass@1 " not in text
    assert text.count("no sentence or label at the end") == 3
    row, note = row_of_run(GradedRun("m", saved, three, graded, []))
    assert (row.interval, note) == ([None, None], "not read")
    assert row.marks == ["3 of 3 replies not read"]


def test_the_option_that_would_read_them_is_named(three: TaskSet) -> None:  # noqa: F811
    graded, _ = graded_of(three, "So.\n[ANSWER]{}[/ANSWER]", policy="published")
    assert graded.unread.elsewhere == {"--policy strict": 3}
    graded, _ = graded_of(three, "[ANSWER]abc def {}")
    assert graded.unread.elsewhere == {"--extraction generous": 3}


def test_marks_are_found_in_a_run_and_read_at_generous(three: TaskSet) -> None:  # noqa: F811
    replies = {
        one: [f"work\n@@ final\n{one!r}\n@@ end\nbye, {n} more words follow"] * 3
        for n, one in enumerate("abc")
    }
    graded = grade_saved(three, SavedRun("jsonl", replies), policy="strict")
    assert graded.marks is not None
    assert graded.marks.opening == "@@ final"
    assert {levels["usual"] for levels in graded.levels.values()} == {"no answer"}
    assert "no answer" not in {levels["generous"] for levels in graded.levels.values()}
    named = SavedRun("jsonl", replies, marks=("@@ final", "@@ end"))
    assert not grade_saved(three, named, policy="strict").unread.n


def test_the_policy_follows_the_texts_not_the_layout() -> None:
    request = Request(benchmark="cruxeval", places=[])
    assert policy_of(request, SavedRun("cruxeval", {"a": ["5"], "b": ["'x'"]})) == "published"
    assert (
        policy_of(request, SavedRun("cruxeval", {"a": ["So it is 5."], "b": ["[ANSWER]1[/ANSWER]"]}))
        == "strict"
    )
    assert policy_of(request, SavedRun("jsonl", {"a": ["5"]})) == "strict"


@pytest.mark.parametrize(
    ("text", "verdict", "expected", "why"),
    [
        ("True", "wrong", "1", "equal by ==, of another type"),
        ("[1, 2]", "wrong", "(1, 2)", "equal but for list and tuple or number types"),
        ("12", "wrong", "[3, 4.5]", "unexplained"),
        ("'5'", "wrong", "5", "equal as text, of another type"),
        ("[1, 2]", "right", "[1, 2]", "unexplained"),
        ("assert f(1) == 3", "right", "3", "answer found in a longer text"),
    ],
)
def test_causes_of_differences_are_compared(text: str, verdict: str, expected: str, why: str) -> None:
    answer = text.rpartition(" ")[2] if " " in text and verdict == "right" else text
    score = Score("a", 0, verdict, "", "strict", answer, expected)  # type: ignore[arg-type]  # a verdict
    assert _why(text, "f", score) == why


def test_a_truth_made_by_this_machine_is_no_truth_and_is_counted(tmp_path: Path) -> None:
    source = "\n".join(
        (
            "# deskcheck: missing()",
            "# deskcheck: now()",
            "# deskcheck: plain()",
            "def missing():", "    import no_such_package_here", "    return 1", "def now():",
            "    import time", "    return time.time() > 0", "def plain():", "    return 3",
        )
    )  # fmt: skip
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    found = without_machine_truths(build_tasks("files", data=str(tmp_path / "own.py")))
    assert [task.expected for task in found.tasks] == ["3"]
    assert found.dropped_by_reason == {"import error": 1, "reads the clock": 1}
