"""What a trace of JavaScript says: program and trace side by side, and laws for every program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.languages.javascript.conftest import record, seen, told

from deskcheck.errors import UserError
from deskcheck.file_requests import run_request
from deskcheck.languages.javascript.spelling import string_text
from deskcheck.records import CompileFailure, Raised, Returned
from deskcheck.tracing.collect import TraceRequest
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.replay import states
from deskcheck.viewer.text import value_text

PROGRAMS = {
    "a loop, and a name that has no value yet": (
        """function f(n) {
  let total = 0;
  for (let i = 0; i < n; i++) {
    total += i;
  }
  return total;
}""",
        "f(2)",
        """f(2)
1 call f(n=2)
total = <unassigned>
1 2 let total = 0;
total = 0
2 3 for (let i = 0; i < n; i++) {
i = 0
3 3 for (let i = 0; i < n; i++) {
4 4 total += i;
i = 1
5 3 for (let i = 0; i < n; i++) {
6 4 total += i;
i = 2
total = 1
7 3 for (let i = 0; i < n; i++) {
del i
8 6 return total;
6 return 1
returned 1 after 8 steps""",
    ),
    "a variable that an expression assigns before a call of its statement": (
        """let b = 1;
function g(x) {
  return x;
}
function f() {
  return (b = 5) + g(b++);
}""",
        "f()",
        """f()
5 call f()
1 6 return (b = 5) + g(b++);
global b = 5
global b = 6
2 call g(x=5)
2 3 return x;
3 return 5
6 return 10
returned 10 after 2 steps""",
    ),
    "two names for one object, changed in place by a callee": (
        """function f() {
  const a = [1, 2], b = a;
  add(b);
  return a === b;
}
function add(list) {
  list.push({n: 3});
  list[0].x;
  list.shift();
}""",
        "f()",
        """f()
1 call f()
a = <unassigned>
b = <unassigned>
1 2 const a = [1, 2], b = a;
a = #1[1, 2]
b = #1[1, 2]
2 3 add(b);
6 call add(list=#1[1, 2])
3 7 list.push({n: 3});
list = a = b = #1[1, 2, #2{'n': 3}] (+ #2{'n': 3})
4 8 list[0].x;
5 9 list.shift();
list = a = b = #1[2, #2{'n': 3}] (- [0])
9 return undefined
6 4 return a === b;""",
    ),
    "an exception, a handler, finally": (
        """function f(x) {
  try {
    return g(x);
  } catch (e) {
    return e.message;
  } finally {
    x = 9;
  }
}
function g(x) { throw new TypeError('no ' + x); }""",
        "f(1)",
        """raises #1TypeError(message='no 1')
10 left by its exception
3 raises #1TypeError(message='no 1')
3 catches #1TypeError(message='no 1')""",
    ),
    "a generator gives and takes values": (
        """function* g() { const x = yield 1; return x * 2; }
function f() { const it = g(); it.next(); return it.next(21).value; }""",
        "f()",
        """it = #1<generator Generator>
2 2 function f() { const it = g(); it.next(); return it.next(21).value; }
1 call g()
x = <unassigned>
3 1 function* g() { const x = yield 1; return x * 2; }
1 yield 1
4 2 function f() { const it = g(); it.next(); return it.next(21).value; }
1 goes on 21
x = 21
5 1 function* g() { const x = yield 1; return x * 2; }
1 return 42
2 return 42""",
    ),
    "a closure changes a variable of the function around it": (
        """function f() {
  let n = 0;
  const up = () => { n++; };
  up();
  return n;
}""",
        "f()",
        """call f.up() closure n=0
4 3 const up = () => { n++; };
n = 1
3 return undefined""",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_trace_says_what_happened(name: str, run: Callable[..., Any]):
    source, call, wanted = PROGRAMS[name]
    lines = told(run(source, call), source, call)
    rest = iter(lines)
    missing = [line for line in wanted.splitlines() if not any(line in other for other in rest)]
    assert not missing, "\n".join(lines)


VALUES = {
    "-0": "-0",
    "0": "0",
    "NaN": "NaN",
    "1e21": "1e+21",
    "0.1+0.2": "0.30000000000000004",
    "2**53": "9007199254740992",
    "1/3": "0.3333333333333333",
    "-(2**31)": "-2147483648",
    "1e-7": "1e-7",
    "123456789012345680000": "123456789012345680000",
    "10n**20n": "100000000000000000000n",
    "-5n": "-5n",
    "undefined": "undefined",
    "null": "null",
    "true": "true",
    "'a\\u{1F600}'": "'a😀'",
    "'\\ud800'": "'\\ud800'",
    "[1,,3]": "#0[1, <hole>, 3]",
    "Symbol('s')": "Symbol(s)",
    "new Map([[NaN, {a: 1}]])": "#0Map{NaN: #1{'a': 1}}",
    "new Set([3, 1])": "#0Set{1, 3}",
    "/a+/gi": "#0RegExp('/a+/gi', lastIndex=0)",
    "new Uint8Array([1, 300])": "#0Uint8Array[1, 44]",
    "new (class Point { constructor() { this.x = 1; } })()": "#0Point(x=1)",
    "(() => { const a = []; a.push(a); return a; })()": "#0[#0]",
    "function g() {}": "<function g>",
    "class A {}": "<class A>",
    "({get x() { throw 1; }, y: 2})": "#0{'x': [Getter], 'y': 2}",
    "Object.create(null)": "#0{}",
    "Math.max": "<function Math.max>",
    "new Error('m')": "#0Error(message='m')",
    "new Proxy({a: 1}, {get() { throw 1; }, ownKeys() { throw 2; }})": "<opaque Proxy>",
}


@pytest.mark.parametrize("text", VALUES)
def test_every_kind_of_value_is_written_as_the_language_does(text: str, run: Callable[..., Any]):
    trace = record(run(f"function f() {{ const v = {text};\n return v; }}", "f()"))
    assert isinstance(trace.outcome, Returned)
    *_, (_, state) = states(trace)
    assert value_text(state, trace.outcome.value) == VALUES[text]


COMMON = """
class Stack extends Array { top() { return this[this.length - 1]; } }
function f() {
  const s = new Stack(); s.push(1); s.push(2);
  const m = new Map(), o = {a: {b: [1]}}, d = new Date(0), t = new Float64Array(2);
  for (const [k, v] of Object.entries({x: 1, y: 2})) m.set(k, v);
  for (const key in o) o[key].b.unshift(0);
  [s[0], s[1]] = [s[1], s[0]];
  d.setTime(5); t[1] = -0; delete o.a; o.z = 1;
  m.delete('x'); m.set('x', 3);
  const [p, ...rest] = [3, 4, 5], {q = 7, ...others} = {r: 1};
  label: for (let i = 0; i < 3; i++) { for (;;) { if (i === 1) continue label; break; } }
  switch (p) { case 3: let w = 1; s.length = 1; default: w = 2; }
  const again = s?.map(x => x * 2)?.concat(rest);
  do { again.pop(); } while (again.length > 2);
  return [again.reverse(), [3, 1, 2].sort((a, b) => a - b), others, q];
}
"""


def test_a_change_is_seen_at_its_step_as_by_comparing_everything(run: Callable[..., Any]):
    usual, everything = run(COMMON, "f()"), run(COMMON, "f()", full=True)
    assert isinstance(usual.packed.outcome, Returned) and not usual.packed.head.fidelity.notes
    assert usual.packed.same(everything.packed)


def test_promises_run_in_their_real_order(run: Callable[..., Any]):
    source = """const out = [];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
async function a(name, ms) { out.push(name + 1); await wait(ms); out.push(name + 2); return name; }
async function f() {
  queueMicrotask(() => out.push('m'));
  const all = await Promise.all([a('x', 20), a('y', 10)]);
  for await (const v of [Promise.resolve(1), 2]) out.push(v);
  console.log(out.join(' '), all.join(''));
  return out.length;
}"""
    result = run(source, "f()")
    assert result.output == b"x1 y1 m y2 x2 1 2 xy\n"
    assert isinstance(result.packed.outcome, Returned) and not result.packed.head.fidelity.notes
    list(states(record(result)))


def test_what_a_program_reads_of_clock_and_chance_is_fixed_and_named(run: Callable[..., Any]):
    source = "console.log(Date.now(), new Date().getFullYear(), Math.random())"
    first, second = run(source), run(source)
    assert first.output == second.output and b"2024" in first.output
    assert first.packed.head.determinism.reads == ["random", "time"]
    assert first.packed.same(second.packed)


def test_a_program_reads_its_own_text_without_the_probes(run: Callable[..., Any]):
    declared = "function f(a) { return a; }\nclass A { m() { return 1; } }\n"
    source = declared + "console.log(String(f), String(A), (x=>x+1)+'')"
    assert (
        run(source).output.decode().strip()
        == "function f(a) { return a; } class A { m() { return 1; } } x=>x+1"
    )


def test_typescript_keeps_its_lines_and_loses_its_types(run: Callable[..., Any]):
    source = """interface P { x: number; y?: string }
enum Color { Red, Green = 5, Blue }
abstract class Base<T> { constructor(protected readonly v: T, public n?: number) {} abstract get(): T; }
class Num extends Base<number> { get(): number { return this.v! as number; } }
function id<T extends object>(this: void, a: T, b?: number): T { return a satisfies T; }
type F = (x: number) => string;
function f(n: number): [number, string] {
  let out: Array<number>, p = <P>{ x: n };
  out = [Color.Blue, new Num(n).get()];
  const g: F = (x: number): string => `${x}`;
  return [out[0] + out[1] + id<P>(p).x, g(n)];
}"""
    trace = record(run(source, "f(2)", ts=True))
    *_, (_, state) = states(trace)
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert value_text(state, trace.outcome.value).endswith("[10, '2']")
    lines = [line for kind, line in zip(trace.events.kind, trace.events.line, strict=True) if kind == 1]
    assert lines[0] == 8 and 11 in lines


ENUM = """enum Access {
  None,
  Read = 1 << 1, // the least
  Write = 1 + // in two lines
    3,
  All = Read | Write | Access.None,
  Name = 'Read' as any,
  Size = { Read: 3 }.Read + `${Name}
`.length,
}
function known(): string { return Object.keys(Access).join(' '); }
enum Access { Both = Read | Write, Length = Name.at(-1), Known = known(), }
function inner(): number {
  { enum Access { Read = 9 } }
  return Access.Read;
}
console.log(Access.All, Access[6], Access.Size, Access.Name, Access.Both, Access.Length, inner());
console.log(Access.Known);
"""


def test_an_enum_names_its_members_in_its_values_and_in_its_second_part(run: Callable[..., Any]):
    found = run(ENUM, ts=True)
    first, second = found.output.decode().splitlines()
    assert first == "6 Both 8 Read 6 d 2"
    assert second == "0 2 4 6 8 None Read Write All Name Size Both Length"
    assert found.packed.head.fidelity.notes == []
    assert seen(found) == seen(run(ENUM, ts=True, full=True))
    assert told(found, ENUM)[2:4] == ["global Access = undefined", "1 1 enum Access {"]


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        ("namespace N { export const x = 1; }", 1, "namespaces"),
        ("const a = 1;\n@d class A {}", 2, "decorators"),
        ("class A {\n  @d m() {} }", 2, "decorators"),
        ("class A {\n  constructor(@d private x: number) {} }", 2, "decorators"),
        ("class A {\n  m(@d x: number) {} }", 2, "decorators"),
        ("export {};\nconsole.log(import.meta.url);", 2, "uses of import.meta"),
    ],
)
def test_what_is_not_traced_is_refused_by_name(run: Callable[..., Any], source: str, line: int, what: str):
    outcome = run(source, ts=True).packed.outcome
    assert outcome == CompileFailure(f"{what} are not traced", line)


STRICT = "console.log((function () { return this === undefined; })());"


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (f"/*\n export nothing\n*/\n{STRICT}", "false"),
        (f"/*\n export nothing\n*/\nwith ({{}}) {{ }}\n{STRICT}", "false"),
        (f"const s = `\nimport a from`; /* b */ {STRICT}", "false"),
        (f"import * as util from 'util';\n{STRICT}", "true"),
        (f"const a = 1; export {{ a }}; {STRICT}", "true"),
        (f"await null;\n{STRICT}", "true"),
        ("for await (const x of [1, Promise.resolve(2)]) console.log(x);", "1\n2"),
    ],
)
def test_a_source_is_a_module_if_its_statements_say_so(run: Callable[..., Any], source: str, printed: str):
    traced = run(source)
    assert isinstance(traced.packed.outcome, Returned), traced.packed.outcome
    assert traced.output.decode().strip() == printed


def test_attributes_that_symbols_and_long_texts_name_are_shown(run: Callable[..., Any]):
    """On objects of every family; a function is shown by its name alone. Two names may have one text."""
    source = """const s = Symbol('q'), t = Symbol('q');
class K {}
const all = [new K(), [1], () => 1, new Map(), new Set(), new Date(0), /a/, new Error('e'), Object('b')];
for (const one of all) {
  one[s] = 1;
  one['[Symbol(q)]'] = 2;
  one[t] = 3;
  one['x'.repeat(99999)] = 4;
  delete one[s];
}
"""
    lines = told(run(source), source)
    assert sum("[Symbol(q)]" in line for line in lines) > 8 * 3
    assert sum(f".{'x' * 60}.. = 4" in line for line in lines) == 8
    assert not record(run(source)).fidelity.notes


def test_output_stands_at_its_step(run: Callable[..., Any]):
    result = run("console.log('a');\nlet x = 1;\nconsole.log(x, [1.5, 'b'], {c: null});")
    assert [(step, text) for step, _, text in result.printed] == [
        (1, "a\n"),
        (3, "1 [ 1.5, 'b' ] { c: null }\n"),
    ]


def test_what_does_not_compile_names_its_line(run: Callable[..., Any]):
    outcome = run("let a = 1;\nlet a = 2;\n").packed.outcome
    assert outcome == CompileFailure("Identifier 'a' has already been declared", 2)


def test_an_uncaught_exception_is_the_outcome_with_its_line(run: Callable[..., Any]):
    outcome = run("function f() {\n  null.x;\n}", "f()").packed.outcome
    assert isinstance(outcome, Raised)
    assert (outcome.type, outcome.line) == ("TypeError", 2) and "null" in outcome.message


def test_an_option_of_python_programs_is_refused_by_name(tmp_path: Any):
    path = tmp_path / "a.js"
    path.write_text("let x = 1;")
    for request, wanted in (
        (TraceRequest(str(path), is_trusted=True), "--trust is for Python programs"),
        (TraceRequest(str(path), granularity="instruction"), "by line or by expression"),
        (TraceRequest(str(path), out="run.txt"), "must end in .deskcheck"),
    ):
        with pytest.raises(UserError, match=wanted):
            run_request(request, program_of=lambda _: pytest.fail("it is no Python program"))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("a.sort()", "a.sort is not a function"),
        ("o.p.sort(1)", "o.p.sort is not a function"),
        ("g().sort()", "g(...).sort is not a function"),
        ("o['p'].sort()", "o.p.sort is not a function"),
        ("for (const x of o.p) a;", "o.p is not iterable"),
        ("for (const x of a) a;", "a is not iterable"),
        ("for (const x of g()) a;", "g is not a function or its return value is not iterable"),
        ("o.q.r()", "Cannot read properties of undefined (reading 'r')"),
        ("a.b.c = 1", "Cannot set properties of undefined (setting 'c')"),
    ],
)
@pytest.mark.parametrize("fine", [False, True], ids=["line", "expression"])
def test_a_message_names_what_the_program_wrote_and_no_probe(
    statement: str, message: str, fine: bool, run: Callable[..., Any]
):
    source = f"const a = 5, o = {{p: 5}};\nconst g = () => 5;\nfunction f() {{\n  {statement}\n}}\n"
    outcome = record(run(source, "f()", fine=fine)).outcome
    assert isinstance(outcome, Raised)
    assert (outcome.type, outcome.message) == ("TypeError", message)
    caught = source.replace(statement, f"try {{ {statement} }} catch (e) {{ return e.message; }}")
    assert outcome_text(record(run(caught, "f()", fine=fine))) == string_text(message)


@pytest.mark.parametrize("fine", [False, True], ids=["line", "expression"])
def test_a_keyword_that_touches_what_follows_stays_a_keyword(fine: bool, run: Callable[..., Any]):
    source = (
        'function g(x){if(typeof[x]=="object")switch(x)'
        '{case"a":return[x];case`b`:return!x;default:throw[x]}}\n'
        'function f(){const o={a:1};for(const k of[1])if("a"in o)'
        'try{g(3)}catch(e){return[g("a"),g("b"),e,void[k]]}}'
    )
    trace = record(run(source, "f()", fine=fine))
    assert outcome_text(trace) == "[['a'], false, [3], undefined]"
