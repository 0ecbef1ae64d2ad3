"""A column of results that is declared is filled by somebody: by an evaluation, or by `grade`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.strategies.programs import gold, roll_out, tasks

from deskcheck import plugins
from deskcheck.cell_files import AnswerRow, CellFile, Row, Sampled
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.grade_runs import Facts, rows_of
from deskcheck.evaluation.prices import Price
from deskcheck.evaluation.sample_records import as_sampled, judge_all, row_of
from deskcheck.evaluation.truth import TaskSet
from deskcheck.importers import SavedRun
from deskcheck.records import Answer, Completion, NoAnswer, Rollout, Task
from deskcheck.result_rows import Result, _of_sampled, column_types
from deskcheck.strategies import Settings

EMPTY: tuple[object, ...] = ("", "unknown", -1, -1.0, None, False, [], {})


def filled(rows: list[Any]) -> set[str]:
    """Columns that have a value in one of the rows."""
    kinds = {type(row) for row in rows}
    names = [name for kind in kinds for name in kind.__struct_fields__]
    return {name for name in names if any(getattr(row, name) not in EMPTY for row in rows)}


def never_filled(kind: type[msgspec.Struct], rows: list[Any]) -> list[str]:
    return sorted(set(kind.__struct_fields__) - filled(rows))


def asked() -> list[Task]:
    return [replace(task, tags={"family": "a"}) for task in tasks()[:2]]


def samples() -> list[Sampled]:
    """A wrong answer of a chain, a read reply, and none; with all that an engine can report."""
    first, second = asked()
    settings, price = Settings(max_steps=1000), Price(1.0, 2.0)
    stepwise, vanilla = (plugins.load("strategy", name) for name in ("line-1", "vanilla"))
    chain, _ = roll_out(stepwise, first, gold("line-1", stepwise, first, settings), settings)
    wrong = Rollout(Answer("[]"), chain.completions[:1], [*chain.chain[:2], "@9 | x=1"], apart=1)
    told = Completion(f"[ANSWER]{second.expected}[/ANSWER]", "stop", 5, 4, 0.5, 2, served="m-1")
    done = [
        (first, wrong, "line-1", stepwise, 1),
        (second, Rollout(Answer(second.expected), [told]), "vanilla", vanilla, 0),
        (second, Rollout(NoAnswer("refused"), [told]), "vanilla", vanilla, 2),
    ]
    scores = judge_all([(task, number, one.answer) for task, one, _, _, number in done], policy="strict")
    return [
        as_sampled(task, one, score, (name, strategy, settings), price)
        for (task, one, name, strategy, _), score in zip(done, scores, strict=True)
    ]


def row() -> Row:
    scores = judge_all([(task, 0, Answer(task.expected)) for task in asked()], policy="strict")
    return row_of(("m", "b", "s"), asked(), scores, n_samples=1, oracle=True, marks=["injected states"])[0]


def rows() -> list[Result]:
    """Rows of a log folder, and of a file of answers with the verdicts of its source."""
    run = {"versions": {"deskcheck": "0.1.0"}}
    cell = CellFile(row(), "", {"generation": {"effort": "low"}}, run)
    task_set = TaskSet("core", asked(), [], [], [task.id for task in asked()], True, "test")
    ids = [task.id for task in asked()]
    saved = SavedRun("jsonl", {name: ["1"] for name in ids}, stored={name: [True] for name in ids})
    graded = grade_saved(task_set, saved, policy="strict")
    return [
        *(_of_sampled(sample, cell, Path("logs/run")) for sample in samples()),
        *rows_of(graded, Facts(task_set, "1"), saved, "saved"),
    ]


def test_every_column_of_a_sample_is_filled():
    assert never_filled(Sampled, samples()) == []


def test_every_column_of_a_row_is_filled():
    assert never_filled(Result, rows()) == []
    assert {name for name in column_types() if name not in Result.__struct_fields__} == set()


def test_a_column_that_nobody_fills_is_found():
    class Longer(Result, frozen=True, kw_only=True):
        nobody_fills_this: int = -1

    longer = [Longer(**msgspec.structs.asdict(one)) for one in rows()]
    assert never_filled(Longer, longer) == ["nobody_fills_this"]


def test_a_row_has_every_shared_column_of_its_sample():
    shared = AnswerRow.__struct_fields__
    (sample, *_), (result, *_) = samples(), rows()
    assert [getattr(result, name) for name in shared] == [getattr(sample, name) for name in shared]


@pytest.mark.parametrize("kind", [Sampled, Result])
def test_a_shared_column_is_declared_once(kind: type[msgspec.Struct]):
    assert not set(AnswerRow.__annotations__) & set(kind.__annotations__)
