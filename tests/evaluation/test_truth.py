"""build_tasks: the truth is what the program does, never what the file says; nothing disappears."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evaluation.fakes import Runner, draft, loader

from deskcheck import plugins
from deskcheck.errors import DataError, UserError
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.records import Crashed, Outcome, Raised, TaskDraft, TimeLimit

THREE = [draft(name, f"def f():\n    return '{name}'") for name in ("a", "b", "c")]


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A function: drafts -> TaskSet, with a benchmark called "fake"."""

    def run(
        drafts: list[TaskDraft],
        *,
        ids: list[str] | None = None,
        limit: int = 0,
        outcomes: dict[str, Outcome] | None = None,
    ) -> TaskSet:
        monkeypatch.setattr(plugins, "load", loader(*drafts))
        return build_tasks("fake", ids=ids or [], limit=limit, runner=Runner(outcomes))

    return run


def test_the_executed_answer_wins_and_the_recorded_one_is_listed(build) -> None:  # type: ignore[no-untyped-def]
    found = build(
        [draft("a", "def f():\n    return 3", recorded="4"), draft("b", "def f():\n    return 5", "5")]
    )
    assert [task.expected for task in found.tasks] == ["3", "5"]
    assert [(one.id, one.recorded, one.executed) for one in found.disagreements] == [("a", "4", "3")]
    assert (found.tasks[0].benchmark, found.tasks[0].kind) == ("fake", "output")


@pytest.mark.parametrize(
    ("body", "recorded", "agree"),
    [
        ("return 'a'", '"a"', True),
        ("return 'a'", " 'a'\n", True),
        ("return 1", "", True),
        ("return 1", "True", False),
        ("return 1", "1.0", False),
        ("return 1", "Error: no", False),
        ("raise KeyError(1)", "raises KeyError", True),
        ("raise KeyError(1)", "raises IndexError", False),
        ("raise KeyError(1)", "1", False),
    ],
)
def test_recorded_answers_are_compared_by_typed_value(  # type: ignore[no-untyped-def]
    build, body: str, recorded: str, agree: bool
) -> None:
    found = build([draft("a", f"def f():\n    {body}", recorded)])
    assert (found.disagreements == []) is agree


def test_an_exception_is_a_truth(build) -> None:  # type: ignore[no-untyped-def]
    (task,) = build([draft("a", "def f():\n    return {}[1]")]).tasks
    assert task.expected == "raises KeyError"


def test_items_without_a_truth_are_dropped_with_counted_reasons(build) -> None:  # type: ignore[no-untyped-def]
    drafts = [*THREE, draft("d", "def f():\n    return object()")]
    found = build(drafts, outcomes={"a": TimeLimit(10.0), "c": Crashed("SIGSEGV")})
    assert [task.id for task in found.tasks] == ["b"]
    assert found.dropped_by_reason == {"time limit": 1, "crashed": 1, "value is not plain": 1}
    assert len(found.tasks) + len(found.dropped) == len(drafts) == len(found.ids)
    assert "SIGSEGV" in next(one.detail for one in found.dropped if one.reason == "crashed")


def test_a_run_that_ends_before_its_call_is_no_truth(build) -> None:  # type: ignore[no-untyped-def]
    found = build(THREE, outcomes={"b": Raised("ValueError", "the receiver of the call", 1)})
    assert [task.id for task in found.tasks] == ["a", "c"]
    assert [(one.id, one.reason) for one in found.dropped] == [("b", "ends before the call")]


def test_an_answer_too_long_to_be_parsed_is_dropped(build) -> None:  # type: ignore[no-untyped-def]
    found = build([draft("a", "def f():\n    return 'x' * 200_000")])
    assert found.dropped_by_reason == {"answer is no literal": 1}


def test_ids_and_limit_choose_in_the_order_of_the_benchmark(build) -> None:  # type: ignore[no-untyped-def]
    assert [task.id for task in build(THREE, ids=["c", "a"]).tasks] == ["a", "c"]
    assert [task.id for task in build(THREE, limit=2).tasks] == ["a", "b"]
    assert [task.id for task in build(THREE, ids=["c", "b"], limit=1).tasks] == ["b"]
    assert build(THREE, limit=1).ids == ["a", "b", "c"]


def test_wrong_requests_are_one_clear_error(build) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match="has no x, y; its ids look like a, c"):
        build(THREE, ids=["y", "a", "x"])
    with pytest.raises(DataError, match="no tasks"):
        build([])
    with pytest.raises(DataError, match="repeat: a"):
        build([THREE[0], THREE[0]])


def test_it_says_why_the_programs_may_run(tmp_path: Path, data) -> None:  # type: ignore[no-untyped-def]
    known = data("cruxeval/cruxeval.jsonl")
    altered = tmp_path / "cruxeval.jsonl"
    altered.write_bytes(known.read_bytes() + b"\n")
    found = build_tasks("cruxeval", data=str(known), limit=2, runner=_ran)
    assert found.pinned
    assert "sha256" in found.note
    found = build_tasks("cruxeval", data=str(altered), limit=2, runner=_ran)
    assert not found.pinned
    assert "you named" in found.note


def _ran(programs, limits):  # type: ignore[no-untyped-def]
    return ((program, Runner({}).trace(_constant(program))) for program in programs)


def _constant(program):  # type: ignore[no-untyped-def]
    return draft("x", "def f():\n    return 1").program
