"""The table of languages has the differences of planted answers; pairs that end otherwise stand apart."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from tests.report.test_study import run

from deskcheck.evaluation.study import Given, parse_study
from deskcheck.report.read import Run
from deskcheck.report.study import effects
from deskcheck.tables import presets
from deskcheck.tables.languages import languages
from deskcheck.tables.table import Cell


def asked(language: str, right: set[int], *, ends: str = "3", otherwise: str = "", prefix: str = "") -> Run:
    """Return a run of 60 answers; the programs 0, 1 and 2 end with `otherwise` if it is given."""
    made = run("x", "direct", 0)
    samples = [
        replace(
            one,
            task=f"{prefix}{n}",
            cluster=f"{prefix}{n}",
            verdict="right" if n in right else "wrong",
            expected=otherwise if otherwise and n < 3 else ends,
        )
        for n, one in enumerate(made.samples)
    ]
    cell = {"options": {"language": language} if language else {}}
    return replace(made, samples=samples, cell=cell, folder=f"{made.folder}/{language}")


def row(*runs: Run) -> list[Cell]:
    (table,) = languages(runs)
    (line,) = table.rows
    return line


def test_a_difference_is_that_of_planted_answers_with_its_interval() -> None:
    python = asked("python", set(range(0, 60, 2)), ends="[True, None]")
    twin = asked("javascript", set(range(0, 60, 4)), ends="[true, null]")
    line = row(python, twin)
    assert [one.text for one in line[:3]] == ["x", "direct", "javascript"]
    assert [line[3].value, line[4].value] == pytest.approx([50.0, 25.0])
    assert line[5].value == pytest.approx(-25.0) and line[5].n == 60
    assert line[5].low is not None and line[5].high is not None
    assert -40 < line[5].low < -25 < line[5].high < -10
    assert line[7].text == "0"


def test_pairs_that_end_otherwise_are_counted_and_not_compared() -> None:
    python = asked("", {0, 10, 11, 12}, ends="1", otherwise="-1")
    twin = asked("javascript", {0, 1, 10}, ends="1", otherwise="-0.5")
    line = row(python, twin)
    assert line[5].n == 57
    assert line[5].value == pytest.approx(100 * (1 - 3) / 57)
    assert line[7].text == "3 (right 2, 1 in Python)"


def test_ids_with_the_language_in_front_are_twins_and_others_are_none() -> None:
    python = asked("py", {1, 2}, prefix="py-")
    assert row(python, asked("ts", {1}, prefix="ts-"))[5].n == 60
    assert row(python, asked("ts", {1}, prefix="other-"))[5].text == "no twins"
    assert languages([python]) == [] and languages([asked("js", {1})]) == []


def test_no_effect_is_measured_between_programs_in_two_languages() -> None:
    assert effects([asked("py", {1}, ends="1"), asked("js", {1}, ends="2")], baselines=["direct"]) == []


def test_the_preset_asks_twins_in_both_languages() -> None:
    given = Given(models=["deskcheck/tiny"], benchmarks=["easy"])
    study = parse_study(presets.text_of("languages"), "preset", given=given)
    assert study.tables == "languages"
    assert [plan.options["language"] for plan in study.plans] == ["python", "javascript"] * 2
