"""Every installed language keeps the laws of a language on one program, `programs_of/NAME.json`.

A language without the file, such as one of another package, is held to the laws of its literals.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from deskcheck import file_requests, languages, plugins, tracers
from deskcheck.grading.verdict import score
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, EventKind, Limits, Returned, TaskDraft, Trace
from deskcheck.tracing.program import make_program

FOLDER = Path(__file__).with_name("programs_of")
VALUES = [0, -3, "a'b", [1, [2]], {"k": 1}]
"""Values that the literals of every language can write."""
NAMES = languages.names()
RUN = [name for name in NAMES if (FOLDER / f"{name}.json").is_file()]


def draft_of(name: str) -> TaskDraft:
    row = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    program = make_program(row["source"], row["entry"], row["arguments"], origin="test", language=name)
    return TaskDraft(name, program, row["returns"], name)


def trace_of(name: str) -> Trace:
    if name not in tracers.languages():
        pytest.skip(f"the tracer of {name} needs an extra")
    ((_, trace),) = tracers.trace_programs([draft_of(name).program], Limits())
    return trace


def test_files_of_each_ending_are_run_by_a_tracer_of_this_package():
    """A language that was added to a checkout may have no ending yet."""
    folder = Path(tracers.__file__).parent
    shipped = {path.stem for path in folder.glob("*.py") if path.stem[0] != "_"}
    named = {*file_requests.LANGUAGES.values()}
    assert named and named <= shipped - {"python"}
    for name in named:
        assert callable(plugins.load("tracer", name).run_one), name


def test_each_language_of_this_package_has_a_program():
    folder = Path(languages.__file__).parent
    shipped = {path.stem for path in folder.iterdir() if not path.stem.startswith("_")}
    assert {name.replace("-", "_") for name in RUN} == shipped


@pytest.mark.parametrize("name", NAMES)
def test_a_value_is_read_as_it_was_written_and_is_the_same_as_itself(name: str):
    for value in VALUES:
        again = languages.parse_literal(languages.write(name, value), language=name)
        for policy in ("strict", "lenient", "published"):
            assert languages.equal(again, value, policy, language=name), (value, policy)


@pytest.mark.parametrize("name", RUN)
def test_a_run_returns_its_value_and_facts_cover_its_lines(name: str):
    trace, draft = trace_of(name), draft_of(name)
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert trace.language == name
    facts = languages.facts(draft.program)
    events = zip(trace.events.kind, trace.events.line, strict=True)
    lines = {facts.first_lines.get(line, line) for kind, line in events if kind == EventKind.LINE}
    assert lines <= set(facts.statement_lines)


@pytest.mark.parametrize("name", RUN)
def test_questions_are_asked_or_say_why_not(name: str):
    trace, draft = trace_of(name), draft_of(name)
    output = tasks_of("output", draft, trace, benchmark="test")
    assert not isinstance(output, Unasked)
    truths = [languages.parse_literal(text, language=name) for text in (output[0].expected, draft.recorded)]
    assert languages.equal(*truths, "strict", language=name)
    for kind in plugins.names("question"):
        if kind != "counterfactual":  # which runs further programs
            asked = tasks_of(kind, draft, trace, benchmark="test")
            assert asked.reason if isinstance(asked, Unasked) else asked, kind


EXAMPLE = re.compile(r"(?:for example|例如) ?([\[{(].*?[\]})])(?:[;；]|$)")


@pytest.mark.parametrize("name", RUN)
def test_truths_and_examples_of_questions_are_read_in_the_spelling_of_the_language(name: str):
    """A model that follows the example has to be understood, and the truth is right."""
    trace, draft = trace_of(name), draft_of(name)
    n_examples = 0
    for kind in plugins.names("question"):
        asked = [] if kind == "counterfactual" else tasks_of(kind, draft, trace, benchmark="test")
        for task in [] if isinstance(asked, Unasked) or kind == "input" else asked:
            assert score(task, Answer(task.expected)).verdict == "right", (kind, task.expected)
            for text in task.form.values():
                for example in EXAMPLE.findall(text):
                    languages.parse_literal(example, language=name)
                    n_examples += 1
    assert n_examples >= 8


@pytest.mark.parametrize("name", RUN)
def test_layouts_keep_their_law_or_name_the_missing_part(name: str):
    trace, program = trace_of(name), draft_of(name).program
    held = []
    for layout in (plugins.load("layout", each) for each in plugins.names("layout")):
        try:
            examples = layout.render(trace, program)
            assert list(layout.parse(program, examples)) == list(layout.keeps(trace)), layout.__name__
            held.append(layout)
        except languages.MissingPart as missing:
            assert str(missing).startswith(f"{name} has no ")
        except ValueError as why:
            assert " of granularity " in str(why), layout.__name__
    assert held, "no layout can write this run"
