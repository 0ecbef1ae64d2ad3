"""Expressions of JavaScript: values in evaluation order, columns, texts with values for their parts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.languages.javascript.conftest import record
from tests.languages.javascript.test_drawn import drawn

from deskcheck.benchmarks import easy
from deskcheck.languages import parse_literal
from deskcheck.languages.javascript.expressions import working
from deskcheck.layouts import expression_1, sub
from deskcheck.layouts._nested import nested_steps
from deskcheck.records import EventKind, Granularity, Program, Trace
from deskcheck.tracing.collect import TraceRequest
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import states
from deskcheck.viewer.opening import view_of_program
from deskcheck.viewer.text import value_text

SOURCE = """\
function f(xs, k) {
  let s = 0;
  for (const x of xs) {
    s += (x + k) % 7 * 12;
  }
  const o = {n: s, g: (a) => a * 2};
  if (!(s > 3) || o.n >= 2 ** 3 && xs[1] === -k) {
    xs.push(o.g(xs.length));
  }
  let i = 0;
  xs[i++] = `a${s}'` + "b'c" /* é -> */;
  return o?.n.toFixed(1) + new Map([[1, s]]).get(1) + xs.indexOf(2);
}
"""
ANSWERS = [
    "1 + -4 -> -3 | -3 % 7 -> -3 | -3 * 12 -> -36 | 0 + -36 -> -36 | @4 | s=-36; x=2; ~1=iter(#1)@2",
    "-36 > 3 -> false | (!false) -> true | @8",
    "xs.length -> 3 | >6 | a=3",
    "3 * 2 -> 6 | <- 6",
    "o.g(3) -> 6 | xs.push(6) -> 4 | @10 | xs=[1, 2, 13, 6]",
    r"""i++ -> 0 | `a${-36}\x27` -> "a-36'" | "a-36'" + "b'c" -> "a-36'b'c" | """
    """@12 | xs=["a-36'b'c", 2, 13, 6]; i=1""",
    "o?.n.toFixed(1) -> '-36.0' | new Map([[1, -36]]) -> new Map([[1, -36]]) | "
    "new Map([[1, -36]]).get(1) -> -36 | '-36.0' + -36 -> '-36.0-36' | xs.indexOf(2) -> 1 | "
    "'-36.0-36' + 1 -> '-36.0-361' | <- '-36.0-361'",
]


def program_of(source: str, call: str, language: str = "javascript") -> Program:
    entry, _, arguments = call.partition("(")
    return make_program(source, entry, arguments[:-1], origin="test", language=language)


def test_sub_writes_the_operations_of_a_line_as_the_language_spells_them(run: Callable[..., Any]):
    program = program_of(SOURCE, "f([1, 2, 13], -4)")
    targets = [one.target for one in sub.render(record(run(SOURCE, program.call, fine=True)), program)]
    assert [answer for answer in ANSWERS if answer not in targets] == []


def test_what_is_added_in_place_keeps_its_brackets(run: Callable[..., Any]):
    source = "function f(a, b) {\n  a += b ? 'g' : 'h';\n  a += b || 'i';\n  a += 'j' + 1;\n  return a;\n}\n"
    program = program_of(source, "f('x', true)")
    texts = [text for text, _ in operations(record(run(source, program.call, fine=True)), program)]
    assert texts == ["'x' + (true ? 'g' : 'h')", "'xg' + (true || 'i')", "'j' + 1", "'xgtrue' + 'j1'"]


def test_the_text_of_a_literal_is_kept_as_it_stands(run: Callable[..., Any]):
    source = "function f(a) {\n  return a +  '  *  '   + /\\s  '/.source;\n}\n"
    program = program_of(source, "f('x')")
    texts = [text for text, _ in operations(record(run(source, program.call, fine=True)), program)]
    assert texts[0] == "'x' + '  *  '"
    assert texts[1] == "/\\s  \\x27/.source"
    source = "function f(a) {\n  return a.map((x) => { // twice\n    return x + '  //';\n  });\n}\n"
    program = program_of(source, "f(['x'])")
    found = sub.render(record(run(source, program.call, fine=True)), program)[-1].target
    assert found == "a.map((x) => { return x + '  //'; }) -> ['x  //'] | <- ['x  //']"


def test_an_event_has_the_line_and_the_columns_of_its_expression_in_bytes(run: Callable[..., Any]):
    source = "function f(a) {\n  return 'é'.length + (a\n    + 1);\n}\n"
    events = record(run(source, "f(2)", fine=True)).events
    rows = zip(events.kind, events.line, events.column, events.end_line, events.end_column, strict=True)
    spans = [row[1:] for row in rows if row[0] == EventKind.EXPRESSION]
    assert spans == [(2, 9, 2, 20), (2, 24, 3, 7), (2, 9, 3, 8)]


PROBED = [
    (
        "class A { get x() { return 3; } m() { return this.x; } }\nfunction f() { return new A().m(); }",
        "3",
    ),
    (
        "function f() {\n  const o = {a: {b: 2}};\n  return [o?.a?.b, o.c?.d.e, o?.['a'].b, delete o?.a];\n}",
        "[2, undefined, 2, true]",
    ),
    ("const n = {K: class { constructor() { this.v = 1; } }};\nfunction f() { return new n.K().v; }", "1"),
    (
        "function f() {\n  const o = {t: (s) => s[0], g() { return this === o; }};\n"
        "  return [o.t`ab`, (o.g)(), o.t`c${1 + 1}`];\n}",
        "['ab', true, 'c']",
    ),
    (
        "class A { #p = 1; has(o) { return #p in o; } }\n"
        "class B extends A { constructor() { super(); this.z = 2; } }\n"
        "function f() { const b = new B(); return [b.has(b), typeof nothing, b.z]; }",
        "[true, 'undefined', 2]",
    ),
    (
        "function f() { let a = 1, o = {n: 5}; a ||= 4; o.n **= 2; o.m ??= a++ + a; return [a, o]; }",
        "[2, {n: 25, m: 3}]",
    ),
]


@pytest.mark.parametrize(("source", "returned"), PROBED)
def test_what_a_probe_could_break_is_whole(source: str, returned: str, run: Callable[..., Any]):
    trace = record(run(source, "f()", fine=True))
    assert outcome_text(trace) == returned
    assert outcome_text(record(run(source, "f()"))) == returned


def shown(trace: Trace) -> list[tuple[object, ...]]:
    """Return every event but those of expressions, with the variables of its frame."""
    rows: list[tuple[object, ...]] = []
    for event, state in states(trace):
        if event.kind != EventKind.EXPRESSION:
            names = state.frames[-1].bindings if state.frames else {}
            texts = {name: re.sub(r"#\d+", "#", value_text(state, held)) for name, held in names.items()}
            rows.append((event.kind, event.frame, event.line, texts))
    return rows


def test_drawn_programs_have_the_same_steps_by_line_and_by_expression(run: Callable[..., Any]):
    n = 0
    for source in drawn(0, 12):
        usual, fine = run(source), run(source, fine=True)
        assert fine.output == usual.output, source
        assert shown(record(fine)) == shown(record(usual)), source
        n += record(fine).events.kind.count(EventKind.EXPRESSION)
    assert n > 2_000


def operations(trace: Trace, program: Program) -> list[tuple[str, str]]:
    """Return text and value of every operation whose value is written as a literal."""
    return [
        (one.text, str(one.value))
        for _, found, _, _ in nested_steps(trace, program)
        for one in found
        if one.value.kind == "literal" and one.text != "..."
    ]


def evaluated(texts: list[str]) -> list[str | None]:
    """Return what V8 evaluates each text to, None for a text with names in it; in a process of its own."""
    code = (
        "import json, sys; from py_mini_racer import MiniRacer; v8 = MiniRacer();"
        "form = '(t) => { try { const v = (0, eval)(`(${t})`);"
        " return typeof v === `string` ? JSON.stringify(v) : Object.is(v, -0) ? `-0` :"
        " typeof v === `bigint` ? v + `n` : String(v); } catch { return null; } }';"
        "print(v8.eval(f'JSON.stringify({sys.stdin.read()}.map({form}))')); v8.close()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return list(json.loads(done.stdout))


def true_operations(pairs: list[tuple[str, str]]) -> int:
    """Return how many operations V8 evaluates to the value in the trace; none may differ."""
    pairs = [pair for pair in dict.fromkeys(pairs) if "++" not in pair[0] and "--" not in pair[0]]
    n = 0
    for (text, value), got in zip(pairs, evaluated([text for text, _ in pairs]), strict=True):
        if got is not None:
            n += 1
            values = [parse_literal(one, language="javascript") for one in (value, got)]
            assert values[0] == values[1] or value == got == "NaN", (text, value, got)
    return n


def test_an_operation_is_true_when_it_is_evaluated_again(run: Callable[..., Any]):
    pairs = []
    for draft in list(easy.drafts("", language="javascript"))[:150:2]:
        pairs += operations(record(run(draft.program.source, draft.program.call, fine=True)), draft.program)
    assert true_operations(pairs) > 120


def keeps_the_law(source: str, call: str, language: str, run: Callable[..., Any]) -> list[tuple[str, str]]:
    program = program_of(source, call, language)
    trace = record(run(source, call, fine=True, ts=language == "typescript"))
    for layout in (sub, expression_1):
        examples = layout.render(trace, program)
        assert list(layout.parse(program, examples)) == list(layout.keeps(trace)), source
    return operations(trace, program)


def calls_of(path: Any, every: int) -> list[tuple[str, str]]:
    """Return source and call of every n-th program of CRUXEval-X that can be asked."""
    from deskcheck.benchmarks import cruxeval_x
    from deskcheck.records import TaskDraft

    drafts = [one for one in cruxeval_x.drafts(str(path)) if isinstance(one, TaskDraft)]
    return [(draft.program.source, draft.program.call) for draft in drafts[::every]]


@pytest.mark.parametrize(("short", "language"), [("js", "javascript"), ("ts", "typescript")])
def test_layouts_of_expressions_keep_their_law_on_cruxeval_x(
    short: str, language: str, data: Any, run: Callable[..., Any]
):
    calls = calls_of(data(f"cruxeval-x/{short}.jsonl.gz"), 60)
    pairs = [pair for source, call in calls for pair in keeps_the_law(source, call, language, run)]
    assert true_operations(pairs) > 60


@pytest.mark.slow
@pytest.mark.parametrize(("short", "language"), [("js", "javascript"), ("ts", "typescript")])
def test_layouts_of_expressions_keep_their_law_on_all_of_cruxeval_x(
    short: str, language: str, data: Any, run: Callable[..., Any]
):
    calls = calls_of(data(f"cruxeval-x/{short}.jsonl.gz"), 1)
    pairs = [pair for source, call in calls for pair in keeps_the_law(source, call, language, run)]
    assert true_operations(pairs) > 4_000


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("356 * 12", "712 + 3560"),
        ("845 % 7", "8 1 1; 14 2 0; 5 0 5"),
        ("-3 % 7", ""),
        ("2.5 * 3", ""),
        ("['a', 'b', 'c'][1]", "#0 'a' #1 'b'"),
        ("'rrs'.indexOf('s')", "'r0r1s2'"),
        ("xs[1]", ""),
    ],
)
def test_the_working_of_an_operation(text: str, steps: str):
    assert working(text) == steps


def test_a_page_of_a_program_has_its_expressions_and_what_it_printed(tmp_path: Any):
    path = tmp_path / "a.js"
    path.write_text("function f(n) {\n  console.log(n * 2);\n  return n + 1;\n}\n")
    request = TraceRequest(str(path), call="f(4)")
    view = view_of_program(request, program_of=lambda _: pytest.fail("it is no Python program"))
    (trace,) = view.traces
    assert trace.granularity is Granularity.EXPRESSION
    assert (view.output, len(view.printed)) == (b"8\n", 1)
    events = zip(trace.events.kind, trace.events.column, trace.events.end_column, strict=True)
    assert [row[1:] for row in events if row[0] == EventKind.EXPRESSION] == [(14, 19), (2, 20), (9, 14)]
