"""The same program in Python and JavaScript: it ends alike, or a mark says that and why it does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.languages.javascript.conftest import record

from deskcheck.benchmarks import core, easy
from deskcheck.benchmarks.easy import _held_out
from deskcheck.corpus.twins.statements import in_javascript
from deskcheck.errors import DataError
from deskcheck.grading.twins import is_same_outcome
from deskcheck.records import Skipped, TaskDraft
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.program import make_program

LANGUAGES = ("python", "javascript")
of_these_programs = pytest.mark.skipif(
    sys.version_info >= (3, 12), reason="the twins of the programs of CPython 3.11 were compared"
)


def drafts(benchmark: Any, language: str) -> list[TaskDraft]:
    found = list(benchmark.drafts("", language=language))
    assert not any(isinstance(draft, Skipped) for draft in found)
    return found


def ends_alike(python: str, draft: TaskDraft, run: Callable[..., Any]) -> bool:
    trace = record(run(draft.program.source, draft.program.call))
    return is_plain(trace) and is_same_outcome(python, outcome_text(trace), languages=LANGUAGES)


def marked(chosen: Sequence[int], run: Callable[..., Any]) -> tuple[set[str], set[str]]:
    """Return the ids of `easy` that end otherwise, and those that are marked so."""
    python, twins = _held_out(), drafts(easy, "javascript")
    found = {twins[n].id for n in chosen if not ends_alike(outcome_text(python[n][1]), twins[n], run)}
    return found, {twins[n].id for n in chosen if twins[n].tags["twin"] != "same"}


def test_the_programs_of_a_later_python_have_no_marks_of_earlier_ones():
    assert easy.are_compared() == (sys.version_info < (3, 12))
    marks = {draft.tags["twin"] for draft in drafts(easy, "javascript")}
    assert (marks == {"not compared"}) != easy.are_compared()


@of_these_programs
def test_programs_of_easy_end_as_their_twins_or_are_marked(run: Callable[..., Any]):
    found, marks = marked(range(0, 500, 6), run)
    assert found == marks
    assert len(marks) >= 3  # else the comparison may see no difference at all


@of_these_programs
@pytest.mark.slow
def test_all_programs_of_easy_end_as_their_twins_or_are_marked(run: Callable[..., Any]):
    found, marks = marked(range(500), run)
    assert found == marks == set(easy.ends_otherwise())
    assert len(marks) == 24


def test_twenty_problems_of_core_end_as_their_twins_or_are_marked(run: Callable[..., Any]):
    python, twins = drafts(core, "python"), drafts(core, "javascript")
    assert [draft.id for draft in python] == [draft.id for draft in twins]
    assert len(twins) == 60
    found = {
        twin.id: not ends_alike(draft.recorded, twin, run) for draft, twin in zip(python, twins, strict=True)
    }
    assert found == {twin.id: twin.tags["twin"] != "same" for twin in twins}
    assert 0 < sum(found.values()) < 10


@pytest.mark.parametrize(
    ("python", "javascript", "is_same"),
    [
        ("(1, None)", "[1, null]", True),
        ("{'a': [True]}", "{a: [true]}", True),
        ("None", "undefined", True),
        ("3", "3", True),
        ("0", "-0", False),
        ("1", "true", False),
        ("'1'", "1", False),
        ("raises KeyError", "undefined", False),
        ("raises ValueError", "raises ValueError", True),
        ("raises ValueError", "raises RangeError", False),
        ("9007199254740993", "9007199254740992", False),
    ],
)
def test_outcomes_of_two_languages_are_compared_by_value(python: str, javascript: str, is_same: bool):
    assert is_same_outcome(python, javascript, languages=LANGUAGES) is is_same


def test_a_break_that_skips_the_else_of_a_loop_leaves_a_labelled_block(run: Callable[..., Any]):
    source = (
        "def f(xs, n):\n    for x in xs:\n        if x > n:\n            break\n        n -= 1\n"
        "    else:\n        n = 99\n    return n\n"
    )
    for arguments, returned in (("[1, 2], 9", "99"), ("[1, 50], 9", "8")):
        twin = in_javascript(make_program(source, "f", arguments, origin="test"))
        assert outcome_text(record(run(twin.source, twin.call))) == returned


def test_a_malformed_problem_names_its_file():
    with pytest.raises(DataError, match=r"01-x\.js"):
        core._twin("01-x.js", "// call: f(1)\nfunction f() {}\n")
