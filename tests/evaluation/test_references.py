"""Where a model stands among stored answers: only whole benchmarks are placed, and the places are counted."""

from __future__ import annotations

import msgspec
import pytest

from deskcheck import plugins
from deskcheck.cell_files import Row
from deskcheck.evaluation.terminal import FEWEST, REFERENCES, standings

ROW = Row("m", "cruxeval", "output", "cot", False, 800, 1, 480, 320, {}, 0.6, [0.5, 0.7])


def test_places_are_counted_from_the_best():
    (line, source) = standings([ROW])
    assert line == (
        "cruxeval: m, cot: 60.0 % would be number 3 of 7, after gemini-1.5-pro (65.6 %); "
        "its interval spans places 2 to 5"
    )
    assert "ExeRScope" in source and "not a significance test" in source
    best = msgspec.structs.replace(ROW, accuracy=0.9, interval=[0.85, 0.95])
    assert standings([best])[0].endswith("would be number 1 of 7; its interval spans places 1 to 1")


@pytest.mark.parametrize(
    "changes",
    [
        {"n_tasks": 799}, {"oracle": True}, {"marks": ["injected states"]},
        {"accuracy": None}, {"interval": [None, None]},
        {"benchmark": "core"}, {"task": "input"},
    ],
)  # fmt: skip
def test_what_cannot_be_placed_has_no_line(changes: dict[str, object]):
    assert standings([msgspec.structs.replace(ROW, **changes)]) == []


def test_references_are_of_benchmarks_that_are_here_and_enough():
    for benchmark, kinds in REFERENCES.items():
        assert benchmark in plugins.names("benchmark")
        for kind, known in kinds.items():
            assert kind in plugins.names("question")
            shares = list(known["models"].values())
            assert len(shares) >= FEWEST and shares == sorted(shares, reverse=True)
            assert all(0 <= share <= 100 for share in shares)
