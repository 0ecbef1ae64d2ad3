"""Extraction levels in grade and eval: each reply is read at all of them, and what form costs is said."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.evaluation.test_grade import three  # noqa: F401  # a fixture

from deskcheck import cli
from deskcheck.evaluation import terminal
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import SavedRun, read_places
from deskcheck.statistics.summary import levels_in_words

pytestmark = pytest.mark.one_python


def test_every_reply_is_judged_at_every_level(three: TaskSet) -> None:  # noqa: F811
    saved = SavedRun("jsonl", {"a": ["1"], "b": ["The answer is 'x'."], "c": ["[ANSWER]true[/ANSWER]"]})
    graded = grade_saved(three, saved, policy="strict")
    none, right = "no answer", "right"
    assert graded.levels == {
        ("a", 0): {"exact": right, "usual": right, "generous": right},
        ("b", 0): {"exact": none, "usual": right, "generous": right},
        ("c", 0): {"exact": none, "usual": none, "generous": right},
    }
    assert graded.extraction == "usual-11"
    assert [score.verdict for score in graded.scores] == [right, right, none]
    exact = grade_saved(three, saved, policy="strict", level="exact")
    assert [score.verdict for score in exact.scores] == [right, none, none]
    assert exact.levels == graded.levels
    assert levels_in_words(graded.levels.values()) == [
        "right by extraction level: exact 33.3 %, usual 66.7 %, generous 100.0 % of 3 replies",
        "2 right answers do not keep the form that was asked for (not right at exact)",
    ]


def test_replies_that_were_read_at_no_level_say_nothing() -> None:
    assert levels_in_words([{}, {}]) == []


@pytest.mark.parametrize(("chain", "n"), [([], 2), (["after 1 | n=3"], 0)])
def test_a_row_whose_answers_come_from_states_has_no_line_of_levels(
    chain: list[str], n: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replies without a readable state would have levels, so that the line would be about these alone."""
    samples = [SimpleNamespace(chain=chain, levels={}), SimpleNamespace(chain=[], levels={"exact": "wrong"})]
    monkeypatch.setattr(terminal, "read_samples", lambda folder: samples)
    assert len(terminal.levels_of("logs")) == n


@pytest.mark.filterwarnings("default")  # other packages' entry points, which Inspect loads
def test_eval_of_saved_replies_reads_as_grade_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.jsonl"
    texts = {"collatz-1": "**Answer:** 0", "collatz-2": "[ANSWER]1[/ANSWER]", "collatz-3": "5 or 7"}
    path.write_text("\n".join(json.dumps({"id": k, "completion": v}) for k, v in texts.items()))
    ids = ("--benchmark", "long", "--filter", f"id={','.join(texts)}")
    logs = str(tmp_path / "logs")
    seen = []
    for command in (
        ("grade", *ids, "--generations", str(path)),
        ("eval", *ids, "--model", "replay", "-M", f"path={path}", "--log-dir", logs),
    ):
        monkeypatch.setattr(sys, "argv", ["deskcheck", *command])
        with pytest.raises(SystemExit):
            cli.main()
        shown = capsys.readouterr()
        seen.append(shown.out + shown.err)
    words = "right by extraction level: exact 33.3 %, usual 66.7 %, generous 66.7 % of 3 replies"
    assert words in seen[0]
    assert words in seen[1]


@pytest.mark.parametrize(
    ("benchmark", "problems", "answers", "n_stored"),
    [
        (
            "cruxeval",
            "cruxeval/cruxeval.jsonl",
            "cruxeval/sample_scored_codellama-7b_temp0.2_output.json",
            8_000,
        ),
        (
            "livecodebench-exec",
            "livecodebench-exec/problems.jsonl",
            "livecodebench-exec/generations/claude-instant-1.json",
            4_790,
        ),
    ],
)
def test_exact_is_never_more_generous_than_the_source(
    data: Callable[[str], Path], benchmark: str, problems: str, answers: str, n_stored: int
) -> None:
    (run,) = read_places([str(data(answers))])
    graded = grade_saved(build_tasks(benchmark, data=str(data(problems))), run, policy="strict")
    assert graded.n_stored == n_stored
    assert not [
        (task, sample)
        for (task, sample), levels in graded.levels.items()
        if levels["exact"] == "right" and not run.stored[task][sample]
    ]


def test_exerscope_verdicts_are_met_by_its_own_rule(data: Callable[[str], Path]) -> None:
    tasks = build_tasks("cruxeval", data=str(data("cruxeval/cruxeval.jsonl")))
    runs = [run for run in read_places([str(data("exerscope"))]) if not run.only_verdicts]
    graded = [grade_saved(tasks, run, policy="published") for run in runs]
    assert sum(one.n_stored for one in graded) == 3_911
    assert [one for found in graded for one in found.differences] == []
