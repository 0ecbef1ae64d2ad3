"""Real code, long runs and published sets are asked once; every look at a published one is written down."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

import json
from hashlib import sha256

from deskcheck.benchmarks import real
from deskcheck.decontamination.near import near_copy
from deskcheck.errors import UserError
from deskcheck.models.tiny import Request
from deskcheck.records import Completion, Granularity
from layout_study import sets as layout_sets
from layout_study.baselines import ALONE, without_model
from layout_study.scores import LayoutScores, ProgramScore
from layout_study.set_tables import set_text
from layout_study.sets import Model, SetScores, ask, looks, note_look, programs_of_set


class Silent:
    """Answers nothing that can be read, and counts the questions."""

    def __init__(self) -> None:
        self.n = 0

    def generate(self, requests: list[Request]) -> list[Completion]:
        self.n += len(requests)
        return [Completion("?", "stop", n_tokens_out=1) for _ in requests]


def test_real_code_is_of_held_out_packages_whose_forms_no_training_has():
    found = programs_of_set("real", n=12, granularity=Granularity.LINE)
    assert len(found.held_out) + found.n_left_out == 12
    assert found.held_out
    assert all(near_copy(one.program.source, one.program.entry) for one in found.held_out)
    functions = {item.program.id: item.cluster for item in real.items("") if hasattr(item, "program")}
    assert [one.form for one in found.held_out] == [functions[one.program.id] for one in found.held_out]


def test_long_runs_are_of_three_programs_from_ten_to_a_thousand_lines():
    found = programs_of_set("long", n=1, granularity=Granularity.LINE)
    assert {one.form for one in found.held_out} == set(layout_sets.LONG_PROGRAMS)
    lengths = [one.trace.n_steps for one in found.held_out]
    assert min(lengths) < 20
    assert 800 < max(lengths) < 1300
    assert found.n_left_out == 0


def test_a_model_is_asked_about_a_set_once(tmp_path: Path):
    model = Silent()
    models = [Model("direct", "direct", 0, lambda: model), Model("line-1", "line-1", 0, lambda: model)]
    found = ask(models[:1], "real", tmp_path, n=6, majority="<- 0")
    assert [one.name for one in found][:2] == ["direct", ALONE]
    n = model.n
    assert n == len(found[0].scores.programs) > 0
    again = ask(models[:1], "real", tmp_path, n=6, majority="<- 0")
    assert (model.n, again) == (n, found)
    assert ask(models, "real", tmp_path, n=6, majority="<- 0", until=0.0) == found  # no time: what is there
    both = ask(models, "real", tmp_path, n=6, majority="<- 0")
    assert model.n > n + len(both[1].scores.steps) > n
    assert not any(one.right for one in both[1].scores.programs)
    assert "| line-1 | 0.0 | " in set_text("real", both)


def test_a_published_set_is_asked_about_whole_programs_and_what_does_not_end_is_counted(tmp_path: Path):
    rows = [
        {"id": "a", "code": "def f(n):\n    return n + 1\n", "input": "3", "output": "4"},
        {"id": "b", "code": "def f(n):\n    while n:\n        pass\n", "input": "3", "output": "4"},
    ]
    data = tmp_path / "some" / "cruxeval.jsonl"
    data.parent.mkdir()
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    name = f"cruxeval={data}"
    note_look(name, tmp_path)
    found = ask([Model("direct", "direct", 0, Silent)], name, tmp_path, n=1, majority="<- 4")
    assert {(one.name, len(one.scores.programs), one.n_left_out) for one in found} >= {("direct", 1, 1)}
    assert [one.scores.programs[0].right for one in found] == [False, False, True, False]
    (look,) = looks(tmp_path)
    assert (look["benchmark"], look["data"]) == ("cruxeval", "cruxeval.jsonl")
    assert str(tmp_path) not in json.dumps(look)
    assert {look["sha256"], *(one.data_sha256 for one in found)} == {sha256(data.read_bytes()).hexdigest()}
    data.write_text(json.dumps(rows[0]) + "\n")
    with pytest.raises(UserError, match="holds answers to another file of cruxeval"):
        ask([Model("direct", "direct", 0, Silent)], name, tmp_path, n=1, majority="<- 4")


def test_long_chains_are_counted_by_program_without_an_interval():
    def scores(right: list[bool]) -> LayoutScores:
        forms = ["collatz", "collatz", "counter"]
        return LayoutScores(
            "line-1",
            [
                ProgramScore(form, str(n), ok, ok, 9)
                for n, (form, ok) in enumerate(zip(forms, right, strict=True))
            ],
            [],
            -1.0,
        )

    found = [SetScores("line-1", 0, 0, scores([True, False, False]), [10, 30, 10], [10, 7, 3])]
    text = set_text("long", found)
    assert "| line-1 | 1 of 3 | collatz 1 of 2, counter 0 of 1 | 7 median, 10 at most | 10, 30, 10 |" in text


def test_the_driver_alone_goes_through_programs_of_any_kind():
    found = programs_of_set("real", n=40, granularity=Granularity.LINE)
    alone: Any = without_model(found.held_out, "<- None")
    assert len(alone[ALONE].programs) == len(found.held_out)
    assert alone["majority answer"].programs != alone["copies the first argument"].programs
