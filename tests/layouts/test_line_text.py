"""A question about one line goes on with the text of that line, whatever the line is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import Limits, Program, Trace
from deskcheck.states.parse import read_state
from deskcheck.states.steps import head, line_body
from deskcheck.states.tree import StateTree
from deskcheck.tracing.program import Bundle, make_program, prelude_of
from deskcheck.tracing.reference import trace_program
from deskcheck.training.traces import granularity_of, in_process

LAYOUTS = ("line-1", "line-1-full", "sub", "expression-1", "adaptive")
ODD = """\
def f(n):
    if n:  # @1 | n=9

        s = [
            n,
            g(n),
        ]
    return s

def g(n): return "@2 | n=1"
"""


def questions(layout: str, program: Program, trace: Trace) -> list[str]:
    write = plugins.load("layout", layout)
    run = in_process(program, trace)(granularity_of(write))
    assert run is not None
    start = head(layout, program)
    made = [one.prompt for one in write.render(run, program)]
    assert all(prompt.startswith(start) for prompt in made)
    return [prompt.removeprefix(start) for prompt in made]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_text_is_that_of_the_line_which_is_about_to_run(layout: str):
    drawn = [candidate(FAMILIES[family], 11, number) for family in ("easy", "medium") for number in range(40)]
    runs = [run for run in drawn if run is not None]
    assert len(runs) > 20
    odd = make_program(ODD, "f", "3", origin="test")
    seen = set()
    for program, trace in [*runs, (odd, trace_program(odd, Limits()))]:
        lines = program.source.split("\n")
        for question in questions(layout, program, trace):
            state, text, end = question.split("\n")
            assert end == ""
            assert text == lines[read_state(state).frames[-1].line - 1].strip()
            seen.add(text)
    assert {"n,", "g(n),", "if n:  # @1 | n=9", 'def g(n): return "@2 | n=1"'} <= seen


def test_a_state_at_no_line_of_the_program_has_no_text():
    program = make_program("def f(n):\n    return n\n", "f", "1", origin="test")
    assert line_body(read_state("@2 | n=1"), program) == "@2 | n=1\nreturn n\n"
    assert line_body(read_state("@9 | n=1"), program) == "@9 | n=1\n"
    assert line_body(StateTree(()), program) == "\n"


def test_a_program_of_several_files_has_no_text_since_a_state_does_not_name_its_file():
    program = make_program("def f(n):\n    return n\n", "f", "1", origin="test")
    for files, text in (({}, "return n\n"), ({"other.py": "x = 1\n"}, "")):
        bundle = Bundle(path="main.py", name="main", files=files)
        assert (
            line_body(read_state("@2 | n=1"), replace(program, prelude=prelude_of(bundle)))
            == f"@2 | n=1\n{text}"
        )
