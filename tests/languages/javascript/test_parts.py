"""JavaScript keeps the laws of a language: literals, equality, facts, questions and layouts of its runs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.languages.javascript.conftest import record
from tests.languages.javascript.inspector import needs_node, node

import deskcheck
from deskcheck import languages, plugins
from deskcheck.benchmarks import cruxeval_x
from deskcheck.errors import BadSource, UserError
from deskcheck.grading.verdict import grade, score
from deskcheck.languages import Loop, equal, parse_literal
from deskcheck.languages.javascript.values import HOLE, UNDEFINED, BigInt, Map, Set
from deskcheck.plugins import SourceOptions
from deskcheck.programs import files
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, EventKind, TaskDraft, Trace
from deskcheck.states.steps import run_of
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import SETTLED, states

WRITE = languages.part("javascript", "write")
SCALARS = (
    st.integers(-(2**53), 2**53) | st.floats(allow_nan=False).map(lambda n: float(n)) | st.text(max_size=6)
    | st.booleans() | st.none() | st.just(UNDEFINED) | st.integers().map(BigInt) | st.just(float("nan"))
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner | st.just(HOLE), max_size=4)
        | st.dictionaries(st.text(max_size=4), inner, max_size=4)
        | st.lists(st.tuples(st.integers(0, 9), inner), max_size=3, unique_by=lambda pair: pair[0]).map(Map)
        | st.lists(st.integers(0, 9), max_size=3, unique=True).map(Set)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_a_value_is_read_as_it_was_written_and_equals_itself(value: object):
    text = WRITE(value)
    again = parse_literal(text, language="javascript")
    for policy in ("strict", "published", "lenient"):
        assert equal(again, value, policy, language="javascript"), text
    assert WRITE(again) == WRITE(parse_literal(WRITE(again), language="javascript"))


TEXTS = [
    "0", "-0", "1", "1.0", "'1'", "true", "false", "null", "undefined", "NaN", "Infinity", "10n", "''", "[]",
    "[,]", "[undefined]", "[1, 2]", "[1, , 2]", "{}", "{a: 1}", "{'a': 1, b: [2]}", "{b: [2], a: 1}",
    "{1: 2}", "new Map([[1, 2]])", "new Map([[1, 2], ['a', {}]])", "new Map([['a', {}], [1, 2]])",
    "new Set([1, 2])", "new Set([2, 1])",
    "new Set(['1', 2])", "new Date(5)", "new Date(6)", "/a/g", "/a/", "{a: undefined}",
    "0x10", "1e21", "'\\u{1F600}'", "'a\\x41'", "[[1], {c: null}]", "new Map()", "new Set()",
]  # fmt: skip


@needs_node
def test_equality_is_that_of_node():
    code = (
        "const a = require('assert'), texts = JSON.parse(require('fs').readFileSync(0));"
        "const t = texts.map((x) => eval('(' + x + ')'));"
        "const is = (f, x, y) => { try { f(x, y); return true; } catch { return false; } };"
        "const same = (f) => t.map((x) => t.map((y) => is(f, x, y)));"
        "console.log(JSON.stringify([same(a.deepStrictEqual), same(a.deepEqual)]))"
    )
    tables = json.loads(node(["-e", code], json.dumps(TEXTS)))
    values = [parse_literal(text, language="javascript") for text in TEXTS]
    for policy, table in zip(("strict", "published"), tables, strict=True):
        ours = [[equal(a, b, policy, language="javascript") for b in values] for a in values]
        differ = [
            (a, b, policy, truth)
            for a, row, mine in zip(TEXTS, table, ours, strict=True)
            for b, truth, one in zip(TEXTS, row, mine, strict=True)
            if truth != one
        ]
        assert differ == []


@pytest.mark.parametrize(
    "text", ["f(3)", "[1", "a", "1 + 2", "{a}", "'a' + 'b'", "01", "new Foo()", "`${x}`", "[...a]", "--1", ""]
)
def test_what_is_no_literal_is_refused(text: str):
    with pytest.raises(BadSource):
        parse_literal(text, language="javascript")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("[ANSWER]{'b': [1, 2], a: undefined}[/ANSWER]", "{a: undefined, b: [1, 2]}"),
        ("The call returns `Map(1) { 'a' => 1 }`.", "new Map([['a', 1]])"),
        ("assert.deepEqual(f(3), [1, 2]);", "[1, 2]"),
        ("```javascript\nconsole.log(f(3)); // [1, 2]\n```\n[ANSWER]1.0[/ANSWER]", "1"),
        ('{"answer": [true, null]}', "[true, null]"),
        ("[ANSWER]raises TypeError[/ANSWER]", "raises TypeError"),
    ],
)
def test_an_answer_in_a_reply_is_read_in_the_spelling_of_the_language(reply: str, expected: str):
    assert grade(reply, expected=expected, language="javascript").verdict == "right"


def test_an_answer_of_another_value_is_wrong():
    for answer, expected in (("0", "-0"), ("null", "undefined"), ("[,]", "[undefined]"), ("1n", "1")):
        assert grade(answer, expected=expected, language="javascript").verdict == "wrong"


LOOPS = """\
function f(xs, k) {
  let s = 0;
  for (const x of xs) {
    s += x;
  }
  for (let i = 0; i < 3; i++) {
    if (s > 4) {
      k += i;
    } else {
      k -= 1;
    }
  }
  while (k > 9) {
    k = Math.floor(k / 2);
  }
  return xs.map(x => x + k);
}
"""


def test_facts_of_a_program_and_the_questions_about_its_run(run: Callable[..., Any]):
    facts = languages.facts_of(LOOPS, "javascript")
    assert facts.loops == [
        Loop(3, 4, 4, True, "x"), Loop(6, 7, 11, False, "i"), Loop(13, 14, 14, False, "k"),
    ]  # fmt: skip
    assert facts.branches == [(7, 8, 8)]
    assert facts.assigned == {4: ["s"], 8: ["k"], 10: ["k"], 14: ["k"]}
    program = make_program(LOOPS, "f", "[1, 2], 20", origin="test", language="javascript")
    draft = TaskDraft("a", program, "", cluster="a")
    trace = record(run(LOOPS, "f([1, 2], 20)"))
    expected = {
        kind: [task.expected for task in made]
        for kind in plugins.names("question")
        if not isinstance(made := tasks_of(kind, draft, trace, benchmark="t"), Unasked)
    }
    assert expected["output"] == ["[9, 10]"]
    assert expected["loop-counts"] == ["{3: 2, 6: 3, 13: 2}"] or expected["loop-counts"] == [
        "{3: 2, 6: 3, 13: 1}"
    ]
    assert expected["branches"] == ["{7: [false, false, false]}"]
    assert expected["exception"] == ["null"]
    assert expected["full-trace"] == ["[2, 3, 4, 4, 6, 7, 10, 6, 7, 10, 6, 7, 10, 6, 13, 14, 13, 16]"]


ALL_KINDS = [kind for kind in plugins.names("question") if kind not in ("counterfactual", "input")]
LAYOUTS = ("direct", "scratchpad", "compact", "line-1", "line-1-full", "line-n", "debugger", "cwm")


def asked_and_rendered(draft: TaskDraft, trace: Trace) -> Counter[str]:
    """Ask every question about a run and write it in every layout by line; return how many."""
    counts: Counter[str] = Counter()
    for kind in ALL_KINDS:
        tasks = tasks_of(kind, draft, trace, benchmark="cruxeval-x")
        for task in [] if isinstance(tasks, Unasked) else tasks:
            assert score(task, Answer(task.expected)).verdict == "right", (task.id, kind, task.expected)
            assert "Python" not in task.form["en"] + task.form["zh"]
            counts[kind] += 1
    for name in LAYOUTS:
        layout = plugins.load("layout", name)
        examples = layout.render(trace, draft.program)
        assert list(layout.parse(draft.program, examples)) == list(layout.keeps(trace)), (draft.id, name)
        counts[name] += 1
    facts = languages.facts(draft.program)
    inline = {n for n, code in enumerate(trace.codes) if code.name.endswith(facts.inline_names)}
    own = {n for n, code in enumerate(trace.codes) if code.kind != "module"} - inline
    rows = zip(trace.events.kind, trace.events.frame, trace.events.line, strict=True)
    reached = {
        facts.first_lines.get(line, line)
        for kind, frame, line in rows
        if kind == EventKind.LINE and trace.frames.code[frame] in own
    }
    assert reached <= set(facts.statement_lines), draft.id
    assert len(run_of(trace)) > 0
    return counts


LATER = """\
const log = [];
function promised() { return Promise.resolve(3); }
async function waits() { return new Promise((done) => setTimeout(() => done([4]), 5)); }
function leaves() { Promise.resolve(7).then((x) => log.push(x)); return log; }
async function both() { setTimeout(() => log.push(9), 5); await null; return 'a'; }
async function chained() { return await waits(); }
function fails() { return Promise.reject(new RangeError('r')); }
"""


@pytest.mark.parametrize(
    ("name", "expected", "is_settled"),
    [
        ("promised", "3", True),
        ("waits", "[4]", True),
        ("leaves", "[7]", False),
        ("both", "'a'", False),
        ("chained", "[4]", False),
    ],
)
def test_a_call_has_the_value_of_its_promise_and_what_runs_after_it_is_recorded(
    name: str, expected: str, is_settled: bool, run: Callable[..., Any]
):
    found = run(LATER, f"{name}()")
    assert found.packed.head.fidelity.notes == [SETTLED] * is_settled
    draft = TaskDraft("a", make_program(LATER, name, "", origin="test", language="javascript"), "", "a")
    trace = record(found)
    (task,) = tasks_of("output", draft, trace, benchmark="t")
    assert task.expected == expected
    list(states(trace))
    assert all(tasks_of(kind, draft, trace, benchmark="t") for kind in ALL_KINDS)
    with pytest.raises(UserError, match=r"promise settled|goes on after its outermost call"):
        plugins.load("layout", "line-1").render(trace, draft.program)


def checked(path: str, run: Callable[..., Any], *, ts: bool, every: int) -> Counter[str]:
    """Check every n-th program of a file."""
    drafts = [draft for draft in cruxeval_x.drafts(path) if isinstance(draft, TaskDraft)][::every]
    counts: Counter[str] = Counter(programs=len(drafts))
    for draft in drafts:
        trace = record(run(draft.program.source, draft.program.call, ts=ts))
        assert outcome_text(trace)
        counts += asked_and_rendered(draft, trace)
    return counts


@pytest.mark.parametrize(("name", "ts"), [("js", False), ("ts", True)])
def test_every_question_and_layout_of_a_sample(name: str, ts: bool, data: Any, run: Callable[..., Any]):
    counts = checked(str(data(f"cruxeval-x/{name}.jsonl.gz")), run, ts=ts, every=60)
    assert all(counts[layout] == counts["programs"] >= 12 for layout in LAYOUTS)
    assert all(counts[kind] for kind in ALL_KINDS)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "n"), [("js", 743), ("ts", 726)])
def test_every_question_and_layout_of_all_programs(name: str, n: int, data: Any, run: Callable[..., Any]):
    counts = checked(str(data(f"cruxeval-x/{name}.jsonl.gz")), run, ts=name == "ts", every=1)
    print(dict(sorted(counts.items())))
    assert all(counts[layout] == counts["programs"] == n for layout in LAYOUTS)


def test_a_file_is_traced_from_python_built_and_shown_as_training_text(tmp_path: Path, monkeypatch: Any):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.js").write_text("// deskcheck: f(3)\nfunction f(n) {\n  return n + n;\n}\n")
    assert deskcheck.trace_file("a.js", call="f(4)").result == 8
    (tmp_path / "c.js").write_text("const f = (n) => ({ a: [n, null, true], s: 'x' });\n")
    assert deskcheck.trace_file("c.js", call="f(0.5)").result == {"a": [0.5, None, True], "s": "x"}
    (tmp_path / "b.py").write_text("def f(n):\n    return n + 1\n")
    assert deskcheck.trace_file(tmp_path / "b.py", call="f(4)").result == 5
    (program,) = files.programs(SourceOptions(source="files", path="a.js"))
    assert (program.language, program.call) == ("javascript", "f(3)")
    with pytest.raises(UserError, match="is no call"):
        list(files.programs(SourceOptions(source="files", path="a.js", calls=["f"])))


def test_a_folder_gives_the_programs_of_all_its_languages(tmp_path: Path):
    for name, text in {
        "a.py": "# deskcheck: f(1)\ndef f(n):\n    return n\n",
        "b.js": "// deskcheck: g(1)\nfunction g(n) { return n; }\n",
        "in/c.ts": "// deskcheck: h(1)\nfunction h(n: number) { return n; }\n",
        "in/c.d.ts": "// deskcheck: h(1)\ndeclare function h(n: number): number;\n",
        "node_modules/d.js": "// deskcheck: k(1)\nfunction k(n) { return n; }\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = [
        (program.origin, program.language)
        for program in files.programs(SourceOptions(source="files", path=str(tmp_path)))
    ]
    assert made == [
        ("files:a.py", "python"),
        ("files:b.js", "javascript"),
        ("files:in/c.ts", "typescript"),
    ]


def test_a_page_shows_colors_loops_and_what_decides_a_line():
    page = languages.page_facts(LOOPS, "javascript")
    assert page["tokens"][0][:6] == [0, 8, "k", 9, 1, "d"]
    assert page["loops"] == [[3, 4, 4, 1], [6, 7, 11], [13, 14, 14]]
    assert page["arms"][8] == [7, "true", 8] and page["arms"][10] == [7, "false", 10]
    assert page["reads"][4] == ["s", "x"]
    assert languages.colors("let s = 'a';  // x", "javascript") == ((0, 3, "k"), (8, 3, "s"), (14, 4, "c"))


def test_the_page_of_languages_lists_the_parts_that_are_absent():
    text = Path(__file__).parents[3].joinpath("docs", "languages.md").read_text(encoding="utf-8")
    listed = text.split("bring every part but ")[1].split(". So")[0]
    absent = {name for name in languages.PARTS if not languages.offers("javascript", name)}
    assert set(re.findall(r"`(\w+)`", listed)) == absent
