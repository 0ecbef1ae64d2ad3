"""Python offers every part of a language, and keeps the laws that hold for all of them."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from deskcheck import languages
from deskcheck.benchmarks import core
from deskcheck.languages import equal, parse_literal
from deskcheck.records import EventKind, Limits, TaskDraft
from deskcheck.tracing.reference import trace_program

PAGE = Path(__file__).parents[2] / "docs" / "languages.md"
VALUES: list[object] = [
    *(0, -3, 2.5, -0.0, math.inf, 1j, True, None),
    *("", "a\n'b", b"\x00"),
    *([], [1, [2]], (1,), (), {1: "a"}, {2}, set()),
]


def test_python_offers_every_part_and_the_page_names_each():
    assert [name for name in languages.PARTS if not languages.offers("python", name)] == []
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in languages.PARTS if f"`{name}`" not in text] == []


def test_an_absent_language_and_an_absent_part_are_named():
    with pytest.raises(languages.MissingPart, match=r"^cobol has no facts$"):
        languages.part("cobol", "facts")
    with pytest.raises(languages.MissingPart, match=r"^python has no moods$"):
        languages.part("python", "moods")


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_is_read_as_it_was_written(value: object):
    assert equal(parse_literal(languages.part("python", "write")(value)), value, "strict")


def test_equality_is_reflexive_symmetric_and_tells_these_values_apart():
    for policy in ("strict", "lenient"):
        for a in VALUES:
            assert [equal(a, b, policy) for b in VALUES] == [equal(b, a, policy) for b in VALUES]
            assert equal(a, a, policy)
        assert policy == "lenient" or all(
            not equal(a, b, policy) for a in VALUES for b in VALUES if a is not b
        )


def test_facts_cover_every_line_of_the_entry_that_a_run_reaches():
    drafts = [draft for draft in core.drafts("") if isinstance(draft, TaskDraft)][:20]
    for draft in drafts:
        trace = trace_program(draft.program, Limits(max_steps=500))
        facts = languages.facts(draft.program)
        own = {code for code, of in enumerate(trace.codes) if of.file == 0 and of.kind == "function"}
        events = zip(trace.events.kind, trace.events.frame, trace.events.line, strict=True)
        reached = {
            line for kind, frame, line in events if kind == EventKind.LINE and trace.frames.code[frame] in own
        }
        lines = {facts.first_lines.get(line, line) for line in reached}
        assert lines <= set(facts.statement_lines), draft.id
