"""What a model was not trained on is said before the run, and marked in its row."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("inspect_ai")

from tests.strategies.programs import task_of

from deskcheck import plugins
from deskcheck.cell_files import Row
from deskcheck.evaluation.prepare import (
    has_comment,
    warn_of_comments,
    warn_of_comprehensions,
    warn_unless_trained,
)
from deskcheck.evaluation.terminal import table
from deskcheck.inference.engine import Card, read_card
from deskcheck.models.tiny import SHIPPED
from deskcheck.strategies import Settings

PLAIN = "def f(n):\n    return n + 1\n"
COMMENTED = "def f(n):  # adds one\n    return '#' * n\n"
ROW = Row("deskcheck/tiny", "core", "output", "sub", False, 1, 1, 1, 0, {"truncated": 0}, 1.0, [None, None])


class Said:
    """A screen that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, line: str) -> None:
        self.lines.append(line)


def marks(name: str, card: Card, model: str = "deskcheck/tiny") -> tuple[list[str], list[str]]:
    said = Said()
    strategy = plugins.load("strategy", name)
    return warn_unless_trained(model, card, name, strategy, Settings(), said), said.lines  # type: ignore[arg-type]


def test_a_layout_that_the_card_does_not_name_is_warned_of_once_and_marked():
    card = Card(["direct", "line-1"])
    assert marks("line-1", card) == ([], [])
    found, said = marks("sub", card)
    assert found == ["layout not trained on"]
    assert len(said) == 1 and "'sub'" in said[0] and "direct, line-1" in said[0]
    assert marks("vanilla", card)[0] == ["words not trained on"]
    assert marks("vanilla", Card(["vanilla"])) == ([], [])
    assert marks("vanilla", Card(), "openai/gpt-4o") == ([], [])
    assert "not known to be" in marks("sub", Card(), "openai/gpt-4o")[1][0]


def test_comments_are_warned_of_where_training_had_none():
    tasks = [task_of(source, "f", "2") for source in (PLAIN, COMMENTED)]
    for name, card, expected in (
        ("line-1", Card(["line-1"], comments=False), ["comments in 1 of 2 programs, trained without"]),
        ("line-1", Card(["line-1"]), []),
        ("vanilla", Card(["line-1"], comments=False), []),
    ):
        said = Said()
        strategy = plugins.load("strategy", name)
        assert warn_of_comments("m", card, strategy, tasks, said) == expected  # type: ignore[arg-type]
        assert len(said.lines) == len(expected)
    assert not has_comment("s = '# no'\n", "python") and has_comment("x = (\n  # yes\n", "python")


def test_steps_of_another_python_are_warned_of_and_marked_where_each_starts_in_a_true_state():
    tasks = [task_of(source, "f", "2") for source in (PLAIN, "def f(n):\n    return [i for i in [n]]\n")]
    here = sys.version_info[:2]
    other = (3, 11) if here >= (3, 12) else (3, 12)
    forced = Settings(teacher_forcing="true")
    for name, python, settings, n_said, expected in (
        ("line-1", other, forced, 1, ["comprehensions of another Python in 1 of 2 programs"]),
        ("line-1", other, Settings(), 1, []),
        ("direct", other, Settings(), 0, []),
        ("line-1", here, forced, 0, []),
        ("line-1", None, forced, 0, []),
    ):
        said = Said()
        strategy = plugins.load("strategy", name)
        card = Card(["line-1"], python=python)
        found = warn_of_comprehensions("m", card, strategy, settings, tasks, said)  # type: ignore[arg-type]
        assert (found, len(said.lines)) == (expected, n_said)
        assert all(line.startswith("warning: 1 of 2 programs") for line in said.lines)
    said = Said()
    card, strategy = Card(["line-1"], python=other), plugins.load("strategy", "line-1")
    assert not warn_of_comprehensions("m", card, strategy, forced, tasks[:1], said)  # type: ignore[arg-type]
    assert not said.lines


def test_the_card_is_read_from_its_front_matter_alone(tmp_path: Path):
    assert read_card(tmp_path) == Card()
    (tmp_path / "README.md").write_text("# a model\nlayouts: [sub]\n---\ncomments: false\n---\n")
    assert read_card(tmp_path) == Card()
    (tmp_path / "README.md").write_text("---\ntags: [x]\nlayouts: [sub, line-1]\ncomments: false\n---\n# m\n")
    assert read_card(tmp_path) == Card(["sub", "line-1"], comments=False)
    (tmp_path / "README.md").write_text('---\npython: "3.12"\nlayouts: [sub]\n---\n')
    assert read_card(tmp_path) == Card(["sub"], python=(3, 12))


def test_the_shipped_card_names_layouts_that_there_are():
    card = read_card(SHIPPED)
    assert card.comments  # of the written functions
    assert set(card.layouts) <= set(plugins.names("layout")) and "line-1" in card.layouts


def test_a_marked_row_shows_why_in_the_table_and_survives_the_file():
    row = msgspec.structs.replace(ROW, marks=["layout not trained on"], oracle=True)
    assert row.aside == " (oracle, layout not trained on)" and ROW.aside == ""
    text = table([row], [""])
    assert "sub (oracle, layout not trained on)" in text
    assert "(layout not trained on) not to be compared with plain rows" in text
    assert msgspec.json.decode(msgspec.json.encode(row), type=Row) == row
    older = {name: value for name, value in msgspec.to_builtins(row).items() if name != "marks"}
    assert msgspec.convert(older, Row).marks == []
