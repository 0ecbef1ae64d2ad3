"""Programs of one operation a line: nothing held out is in them, and models are asked the right questions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.scripts import load_script

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("tokenizers", reason="needs the extra 'train'")

from deskcheck.records import Completion, Returned
from deskcheck.training.presets import OPERATED, PRESETS, Mix
from deskcheck.training.redexes import gates, on_lines, programs
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.stream import PartPlan, generated_examples

A_FEW = tuple(OPERATIONS[name] for name in ("s[i]", "a < b"))


class Parrot:
    """A model that answers what it is told to."""

    def __init__(self, answers):
        self.answers = answers
        self.asked = []

    def generate(self, requests):
        self.asked += requests
        return [Completion(text=self.answers(r), finish_reason="stop") for r in requests]


def test_programs_run_and_their_operands_are_parameters():
    """Nearly all keep to their bounds; literals that stand for operands became parameters."""
    found = [programs.drawn(Random(number)) for number in range(60)]
    kept = [one for one in found if one]
    assert len(kept) > 40
    assert all(isinstance(trace.outcome, Returned) for _, trace in kept)
    assert sum("()" not in program.source.split("\n")[0] for program, _ in kept) == len(kept)


def test_no_program_has_a_redex_that_is_held_out(monkeypatch):
    """As soon as one of its redexes is held out, a program is not made."""
    seen = []

    def watched(operation, drawer, draw=programs.redex):
        seen.append(draw(operation, drawer)[1])
        return draw(operation, drawer)[0], seen[-1]

    monkeypatch.setattr(programs, "redex", watched)
    n_left_out = 0
    for number in range(80):
        seen.clear()
        made = programs.write(Random(number))
        if any(seen):
            assert made is None
            n_left_out += 1
    assert n_left_out > 4


def test_strings_keep_their_quotes_when_operands_get_names():
    """`'x, y'.split(', ')` has two literals; a name stands for a whole one, whatever is in it."""
    for number in range(50):
        drawer = programs.Drawer(Random(number))
        text = programs.named("'x.strip(', y'.split(\"', '\")".replace("(', y", "(, y"), drawer)
        assert drawer.plain(text) == "'x.strip(, y'.split(\"', '\")"
    assert programs.named("[1, 2][0]", programs.Drawer(Random(0))) == "[1, 2][0]"


def test_a_model_is_asked_for_the_line_of_the_operation():
    """The same questions for every layout; true answers are right, whatever stands before the step."""
    asked = {}
    for layout in ("sub", "line-1"):
        truth = {}
        for operation in A_FEW:
            for one in on_lines._questions(operation, layout, "short", 2, "development"):
                truth[on_lines.split_prompt(one.prompt)] = one.target
        model = Parrot(lambda request, truth=truth: truth[(request.head, request.body)])
        rows = on_lines.line_rows(model, layout, operations=A_FEW, n=2)
        assert [(row.operation, row.right, row.n) for row in rows] == [(one.name, 2, 2) for one in A_FEW]
        asked[layout] = [request.body for request in model.asked]
    assert asked["sub"] == asked["line-1"]
    assert all(body.startswith("@2 | ") for body in asked["sub"])
    wrong = on_lines.line_rows(Parrot(lambda request: "@9"), "line-1", operations=A_FEW, n=2)
    assert [row.right for row in wrong] == [0, 0]


def test_sealed_questions_are_others():
    """No redex of the sealed set is one of development."""
    sets = [
        {one.prompt for one in on_lines._questions(OPERATIONS["a < b"], "line-1", "short", 8, seed)}
        for seed in ("development", "sealed")
    ]
    assert len(sets[0]) > 4 and not sets[0] & sets[1]


def asked_of(seed: str) -> set[str]:
    return {one.prompt for one in on_lines._questions(OPERATIONS["a < b"], "line-1", "short", 6, seed)}


def test_the_sealed_set_is_drawn_from_the_bytes_of_the_weights(tmp_path: Path):
    """Other weights are asked for other operands, so that nobody can have looked before."""
    drawn = []
    for weights in (b"one", b"two"):
        (tmp_path / "model.onnx").write_bytes(weights)
        drawn.append(asked_of(gates.sealed_seed(tmp_path)))
    assert drawn[0] != drawn[1] and not (drawn[0] | drawn[1]) & asked_of("development")
    with pytest.raises(FileNotFoundError, match="model"):
        gates.sealed_seed(tmp_path / "nowhere")


def test_the_table_of_operations_is_kept_and_stands_on_the_page(tmp_path: Path, monkeypatch, capsys):
    """What is stored for these weights is not asked again; the section takes the place of the one before."""
    script = load_script("measurements/operations.py")
    (tmp_path / "model.onnx").write_bytes(b"weights")
    model = Parrot(lambda request: "@9")
    monkeypatch.setattr(script, "load", lambda folder, threads: model)
    words = ["operations.py", "--model", str(tmp_path), "--rows", str(tmp_path / "rows.jsonl"), "--n", "2"]
    monkeypatch.setattr(
        script.sys, "argv", [*words, "--operations", "a < b;len(s)", "--sizes", "short,middle"]
    )
    assert script.main() == 0
    n_asked, text = len(model.asked), capsys.readouterr().out
    assert 4 <= n_asked <= 8 and "Development set" in text and "first gate" not in text
    assert "Right in all: short 0 of " in text and "| 95 % | 0 of 2 | 0 of 2 |" in text
    assert script.main() == 0 and len(model.asked) == n_asked and capsys.readouterr().out == text
    monkeypatch.setattr(script.sys, "argv", [*script.sys.argv, "--set", "sealed"])
    assert script.main() == 0 and len(model.asked) > n_asked + 2 and "Sealed set" in capsys.readouterr().out
    once = script.written("# m\n\n## Scores\n", text)
    assert once.index("## Scores") < once.index("## Operation by operation")
    assert script.written(once, text) == once


def test_a_stage_may_have_the_family():
    """Its programs give examples of steps, and no direct answers."""
    mix = Mix({"sub": 1.0, "direct": 1.0})
    examples, counted = generated_examples(PartPlan(0, 0, {OPERATED: 1.0}, mix, 7, 256, 6))
    layouts = {one.prompt.split("\n")[0] for one in examples}
    assert layouts == {"[sub]"} and counted().n_programs > 2
    assert OPERATED in PRESETS["tiny-h100"].stages[0].families
