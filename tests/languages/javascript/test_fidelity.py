"""Small programs that are hard to trace: their results, and lines that the trace must have, in this order.

Each program of `fidelity_programs` has a row here. A row's lines stand in the trace in the given order. Every
program also ends as it does without probes, and no object is compared too seldom.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.languages.javascript.conftest import LIMITS, record, told

from deskcheck.languages import equal, parse_literal
from deskcheck.languages.javascript.engine import Engine
from deskcheck.languages.javascript.tracer import request_of
from deskcheck.languages.javascript.worker import Reply
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import SCRIPT, make_program
from deskcheck.tracing.replay import states

FOLDER = Path(__file__).with_name("fidelity_programs")
ROWS: dict[str, tuple[str, str, list[str]]] = {
    "a_cycle": ("f()", "'c'", ["a = #0{'name': 'a', 'to': #1{'name': 'b', 'to': #0}} (['to'] = #1)"]),
    "a_generator_closed_early": (
        "f()",
        "[1, 'closed']",
        ["1 yield 1", "1 goes on", "log = #1[1, 'closed'] (+ 'closed')", "1 return undefined"],
    ),
    "a_generator_gets_an_exception": (
        "f()",
        "'x!'",
        ["1 yield 1", "1 goes on", "1 raises 'x'", "1 catches 'x'", "1 yield 'x!'"],
    ),
    "a_generator_returns": ("f()", "[1, 5]", ["1 return 5", "2 yield 5"]),
    "a_getter_with_effects": (
        "f()",
        "[0, 2, 2]",
        ["o = #0{'x': [Getter]}", "n = 1 (frame 0)", "n = 2 (frame 0)"],
    ),
    "a_long_array": ("f()", "1485", ["returned 1485 after 515 steps"]),
    "a_program_that_patches": (
        "f()",
        "[8, 5]",
        ["1 call f.push(this=#1[], x=4) closure push=<function Array.prototype.push>"],
    ),
    "an_assignment_inside_an_expression": (
        "f([1, 5, 12])",
        "[12, 3, 31]",
        ["best = 1", "best = 5", "best = 12"],
    ),
    "an_error_kept_after_its_handler": ("f()", "[true, 'TypeError']", ["kept = #", "again = #"]),
    "an_exception_through_three_frames": (
        "f()",
        "'deep'",
        ["3 left by its exception", "2 left by its exception", "1 left by its exception", "4 catches #"],
    ),
    "changed_in_place_by_built_ins": (
        "f()",
        "['b', 1]",
        [
            "xs = ys = #0[1, 2, 3] ([0] = 1, [1] = 2, [2] = 3)",
            "xs = ys = #0[3, 2, 1] ([0] = 3, [2] = 1)",
            "xs = ys = #0[3, 'a', 'b', 1] (+ 1, [1] = 'a', [2] = 'b')",
            "xs = ys = #0[0, 'a', 'b', 1] ([0] = 0)",
            "xs = ys = #0['b', 1, 'b', 1] ([0] = 'b', [1] = 1)",
            "xs = ys = #0['b', 1] (- [3], - [2])",
        ],
    ),
    "changed_through_a_deep_path": (
        "f()",
        "{a: [{b: {c: 2, d: 2}}]}",
        ["inner = #3{'c': 2} (['c'] = 2)", "inner = #3{'c': 2, 'd': 2} (['d'] = 2)"],
    ),
    "closures_in_a_loop": ("f()", "[2, 1, 2]", ["returned #"]),
    "deep_nesting": ("f()", "40", ["n = 39", "n = 40"]),
    "deleted_properties": (
        "f()",
        "[['a', 'c', 'b'], 3, false]",
        [
            "o = #0{'a': 1, 'c': 3} (- ['b'])",
            "o = #0{'a': 1, 'c': 3, 'b': 4} (['b'] = 4)",
            "xs = #2[1, <hole>, 3] ([1] = <hole>)",
        ],
    ),
    "destructuring_spread_and_defaults": ("f()", "[1, 2, {x: 9, y: 8}, 7, 7, [2, 3]]", ["2 return #"]),
    "equal_objects_are_two": (
        "f()",
        "[[[1, 2], [1]], [[1, 2], [1, 2]]]",
        ["b = #3[#1[1], #1[1]]", "#1[1, 2] (+ 2)"],
    ),
    "equal_texts_are_one": ("f()", "[true, {ab: 2}]", ["t = 'ab'", "o = #0{'ab': 2} (['ab'] = 2)"]),
    "equality_with_effects": ("f()", "[true, true, 2]", ["n = 1", "n = 2"]),
    "everything_on_one_line": ("f(7)", "-13", ["a = 13", "a = -13"]),
    "finally_continues": ("f()", "'0ff2f'", ["1 raises 1", "i = 2"]),
    "finally_returns": ("f()", "'kept'", ["1 raises #2Error(message='lost')", "1 return 'kept'"]),
    "huge_numbers": (
        "f()",
        "[1180591620717411303425n, 9007199254740992, -0, NaN, Infinity]",
        ["n = 1180591620717411303424n"],
    ),
    "identity_after_loss": ("f()", "[false, [0, 1, 2]]", ["del box"]),
    "labels_and_switch": ("f()", "['one', 'two', 'two']", ["a = 2", "a = 3"]),
    "not_a_number_in_collections": ("f()", "[true, -1, 1, 1]", ["xs = #0[NaN, -0]"]),
    "one_variable_of_a_loop": ("f()", "[3, 3, 3]", ["i = 3", "1 call f.<arrow>() closure i=3"]),
    "properties_of_instances": (
        "f()",
        "[5, 6, 'p', 1]",
        [
            "1 call P.constructor(this=#2Q(tag='p'), x=3)",
            "this = #2Q(tag='p', x=3) (.x = 3)",
            "P = <class P> (.made = 1)",
            "1 call P.get twice(this=#2Q(tag='p', x=3))",
            "1 call P.set twice(this=#2Q(tag='p', x=3, y=6), v=10)",
            "this = q = #2Q(tag='p', x=5, y=6) (.x = 5)",
        ],
    ),
    "recursion_in_two_functions": ("f()", "[true, false]", ["2 call odd(n=5)", "1 call even(n=4)"]),
    "recursion_without_end": ("f()", "true", ["returned true after 9002 steps"]),
    "sets_and_maps_in_order": (
        "f()",
        "[['a', 'c', 'b'], [['b', 0], ['a', 1], ['c', 2]]]",
        [
            "s = #0Set{'a', 'b', 'c'} (+ 'c')",
            "m = #1Map{'b': 0, 'a': 1} (['a'] = 1)",
            "s = #0Set{'a', 'c'} (- 'b')",
        ],
    ),
    "text_that_throws": ("f()", "2", ["o = #"]),
    "weak_references": ("f()", "[2, true]", ["returned #"]),
}


def test_every_program_has_a_row_and_there_are_thirty_three():
    assert {path.stem for path in FOLDER.iterdir()} == ROWS.keys()
    assert len(ROWS) == 33


def plain(source: str, call: str, engine: Engine) -> str:
    """Return what V8 prints for the literal of the result, without probes."""
    text = f"{source}\nconsole.log(require('util').inspect({call}, {{depth: 9, breakLength: Infinity}}));"
    request = request_of(make_program(text, SCRIPT, "", origin="test", language="javascript"), LIMITS)
    reply = engine.run(replace(request, is_plain=True), time_s=20.0)
    assert isinstance(reply, Reply)
    return "".join(piece for _, _, piece in json.loads(reply.report)["output"]).strip()


@pytest.mark.parametrize("name", ROWS)
def test_what_is_hard_to_trace_is_right(name: str, run: Callable[..., Any], engine: Engine):
    source = (FOLDER / f"{name}.js").read_text(encoding="utf-8")
    call, returned, wanted = ROWS[name]
    usual = run(source, call)
    assert outcome_text(record(usual)) == returned
    values = [parse_literal(text, language="javascript") for text in (plain(source, call, engine), returned)]
    assert equal(*values, language="javascript"), "a run without probes ends otherwise"
    assert usual.packed.same(run(source, call, full=True).packed)
    assert usual.packed.head.fidelity.notes in ([], ["yield* is one suspension"])
    lines = iter(told(usual, source, call))
    missing = [text for text in wanted if not any(line.startswith(text) for line in lines)]
    assert missing == []
    if usual.packed.n_steps < 1_000:
        assert sum(1 for _ in states(record(usual))) == usual.packed.n_events
