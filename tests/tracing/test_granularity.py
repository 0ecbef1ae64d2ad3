"""Finer than lines: expressions against an evaluator over the syntax tree, instructions against `dis`."""

from __future__ import annotations

import dis
import operator
from itertools import pairwise
from types import CodeType

import pytest
from tests.tracing import live_state
from tests.tracing.evaluator import evaluate
from tests.tracing.evaluator_expressions import Step
from tests.tracing.expression_cases import CASES
from tests.tracing.plain_text import text_of_handle
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.errors import UserError
from deskcheck.programs.generated import traced
from deskcheck.records import EventKind, Granularity, Limits, Place, Raised, Returned, StepLimit, Trace
from deskcheck.tracing import access, codes, run
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.replay import states
from deskcheck.tracing.source_facts import table_of
from deskcheck.viewer.terminal import trace_lines

pytestmark = pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
LIMITS = Limits()
ALL = {**PROGRAMS, **{f"case {name}": case for name, case in CASES.items()}}
_OPERATORS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "%": operator.mod,
    "<": operator.lt, ">": operator.gt, "==": operator.eq, "!=": operator.ne, "<=": operator.le,
    ">=": operator.ge,
}  # fmt: skip


def fine(source: str, entry: str, arguments: str, granularity: Granularity) -> Trace:
    program = make_program(source, entry, arguments, origin="test")
    trace = run.trace_program(program, LIMITS, granularity=granularity, tracer="native")
    check(trace, program, LIMITS, table_of(program))
    return trace


# ------------------------------------------------------------------ expressions


def steps_of(trace: Trace) -> list[Step]:
    rest = trace.events.end_line, trace.events.column, trace.events.end_column
    found = []
    for event, state in states(trace):
        if event.kind is EventKind.EXPRESSION:
            end_line, start, end = (column[event.index] for column in rest)
            found.append(Step((event.line, end_line, start, end), text_of_handle(state, event.value)))
    return found


def expressions_agree(source: str, entry: str, arguments: str) -> None:
    trace = fine(source, entry, arguments, Granularity.EXPRESSION)
    expected, ended = evaluate(source, entry, arguments)
    assert steps_of(trace) == expected
    assert isinstance(trace.outcome, Raised) == ended.startswith("raises ")


@pytest.mark.parametrize("name", CASES)
def test_expressions_are_those_that_the_syntax_tree_evaluates(name: str) -> None:
    expressions_agree(*CASES[name])


@pytest.mark.parametrize(("family", "n"), [("easy", 60), ("medium", 30)])
def test_expressions_of_generated_programs_are_those_of_the_syntax_tree(family: str, n: int) -> None:
    for program, _ in traced(family, seed=21, n=n):
        expressions_agree(program.source, program.entry, program.arguments)


@pytest.mark.slow
def test_expressions_of_many_generated_programs_are_those_of_the_syntax_tree() -> None:
    for family, n in (("first", 1000), ("easy", 3000), ("medium", 1000), ("hard", 200)):
        for program, _ in traced(family, seed=22, n=n):
            expressions_agree(program.source, program.entry, program.arguments)


# ------------------------------------------------------------------ instructions


def codes_named(source: str, name: str, first_line: int) -> list[CodeType]:
    """Code objects by what a trace says of them; two lambdas of one line are not told apart."""
    return [
        code
        for code in codes.code_objects(compile(source, "<program>", "exec", dont_inherit=True))
        if (code.co_qualname, code.co_firstlineno) == (name, first_line)
    ]


# Instructions that run without an event of their own: a frame that goes on, the end of a drained loop.
_SILENT = {"EXTENDED_ARG", "CACHE", "RESUME", "END_FOR"}


class Instructions:
    """Names and successors of the instructions of one code object, from `dis`."""

    def __init__(self, code: CodeType) -> None:
        found = list(dis.get_instructions(code))
        self.at = {instruction.offset: instruction for instruction in found}
        self.next: dict[int, set[int]] = {}
        for one, following in zip(found, [*found[1:], None], strict=True):
            self.next[one.offset] = {following.offset} if following is not None else set()
            if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
                self.next[one.offset].add(one.argval)

    def follows(self, one: int, other: int) -> bool:
        """Whether an instruction can run after another; after a RERAISE it is any handler's."""
        if self.at[one].opname == "RERAISE":
            return True
        reached, work = set(), list(self.next[one])
        while work:
            at = work.pop()
            if at not in reached:
                reached.add(at)
                drained = self.at[one].opname == "FOR_ITER" and self.at[at].opname == "POP_TOP"  # of 3.13
                if self.at[at].opname in _SILENT or drained:
                    work += self.next[at]
        return other in reached


def plain(trace: Trace, handle: int) -> object:
    try:
        return scalar(trace, handle)
    except Exception:
        return None


@pytest.mark.parametrize("name", ALL)
def test_instructions_are_those_of_dis_and_compute_what_the_stack_says(name: str) -> None:
    source, entry, arguments = ALL[name]
    trace = fine(source, entry, arguments, Granularity.INSTRUCTION)
    known: dict[int, Instructions] = {}
    before: dict[int, tuple[int, list[int]]] = {}
    n_checked = 0
    for event, state in states(trace):
        if event.kind in (EventKind.RAISE, EventKind.UNWIND):
            before.pop(event.frame, None)
        index = trace.frames.code[event.frame]
        code = trace.codes[index]
        if index not in known:
            found = codes_named(source, code.name, code.first_line)
            if len(found) > 1:
                continue
            known[index] = Instructions(found[0])
        at, old = before.get(event.frame, (-1, []))
        if event.kind is EventKind.RETURN and at >= 0 and known[index].at[at].opname == "RETURN_VALUE":
            assert old[-1] == event.value
        if event.kind is not EventKind.INSTRUCTION:
            continue
        offset = trace.events.offset[event.index]
        name_there = known[index].at[offset].opname
        assert trace.names[trace.events.opcode[event.index]] == name_there
        stack = list(state.top.stack)
        if at >= 0:
            assert known[index].follows(at, offset), (known[index].at[at].opname, name_there, at, offset)
            places = state.top.places
            local = {n: handle for n, handle in state.top.bindings.items() if places[n] is Place.LOCAL}
            n_checked += explained(trace, known[index].at[at], old, stack, local)
        before[event.frame] = offset, stack
    assert n_checked


def explained(
    trace: Trace, done: dis.Instruction, old: list[int], new: list[int], bindings: dict[str, int]
) -> int:
    """Whether one instruction turned one stack into the other; 1 where that could be looked at."""
    if done.argval == ".0":
        return 0  # an iterator: not among the temporaries
    if done.opname in ("LOAD_FAST", "LOAD_FAST_CHECK") and done.argval in bindings:
        assert new == [*old, bindings[done.argval]]
    elif done.opname == "LOAD_CONST" and type(done.argval) in (int, str, float, bool, type(None)):
        assert plain(trace, new[-1]) == done.argval and new[:-1] == old
    elif done.opname == "STORE_FAST":
        if done.argval not in bindings:  # an inlined comprehension puts back that there was nothing
            return 0
        assert bindings[done.argval] == old[-1] and new == old[:-1]
    elif done.opname in ("BINARY_OP", "COMPARE_OP"):
        assert new[:-1] == old[:-2]
        name = done.argrepr.removeprefix("bool(").removesuffix(")")
        name = name.removesuffix("=") if name not in _OPERATORS else name
        left, right = (plain(trace, handle) for handle in old[-2:])
        if type(left) in (int, float) and type(right) in (int, float) and name in _OPERATORS:
            assert plain(trace, new[-1]) == _OPERATORS[name](left, right)
    else:
        return 0
    return 1


# ------------------------------------------------------------------ states


def at_lines(source: str, trace: Trace) -> list[str]:
    live_state.SLOTS.clear()
    for code in codes.code_objects(compile(source, "<program>", "exec", dont_inherit=True)):
        live_state.SLOTS[code.co_qualname] = codes.CodeFacts(code).names
    return [picture for picture in live_state.replayed(trace) if picture.startswith("LINE ")]


@pytest.mark.parametrize("granularity", [Granularity.EXPRESSION, Granularity.INSTRUCTION])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_state_at_a_line_is_that_of_a_line_trace(name: str, granularity: Granularity) -> None:
    source = PROGRAMS[name][0]
    lines = fine(*PROGRAMS[name], Granularity.LINE)
    assert at_lines(source, fine(*PROGRAMS[name], granularity)) == at_lines(source, lines) != []


@pytest.mark.parametrize("granularity", [Granularity.EXPRESSION, Granularity.INSTRUCTION])
def test_steps_and_outcomes_are_those_of_a_line_trace(granularity: Granularity) -> None:
    for program, expected in traced("medium", seed=5, n=20):
        trace = fine(program.source, program.entry, program.arguments, granularity)
        assert trace.n_steps == expected.n_steps
        assert type(trace.outcome) is type(expected.outcome) and trace.granularity is granularity
        assert isinstance(trace.outcome, Returned | Raised)


def test_code_with_long_jumps_and_many_constants_reports_each_instruction_once() -> None:
    body = "\n".join(f"    x = x + {n} if x != {n + 1000} else {n}" for n in range(300))
    source = f"def f(x):\n{body}\n    return x\n"
    trace = fine(source, "f", "1", Granularity.INSTRUCTION)
    names = [trace.names[code] for code in trace.events.opcode if code >= 0]
    offsets = [offset for offset in trace.events.offset if offset >= 0]
    assert "EXTENDED_ARG" not in names
    assert all(one != other for one, other in pairwise(offsets))
    assert names.count("BINARY_OP") == 300
    fine_steps = steps_of(fine(source, "f", "1", Granularity.EXPRESSION))
    assert fine_steps == evaluate(source, "f", "1")[0]


# ------------------------------------------------------------------ as text

SHOWN = """\
def f(s):
    n = 0
    for part in s.strip().split(','):
        n += int(part) * 2
    return n
"""
TEXT = """\
f(' 3 ')
         1  call f(s=' 3 ')
    1    2      n = 0
                  n = 0
    2    3      for part in s.strip().split(','):
         3        s.strip() -> '3'
         3        s.strip().split(',') -> #0['3']
                  part = '3'
    3    4          n += int(part) * 2
         4            int(part) -> 3
         4            int(part) * 2 -> 6
         4            n += int(part) * 2 -> 6
                      n = 6
    4    3      for part in s.strip().split(','):
    5    5      return n
         5  return 6
returned 6 after 5 steps
"""


def test_expressions_are_shown_with_their_source_and_value() -> None:
    trace = fine(SHOWN, "f", "' 3 '", Granularity.EXPRESSION)
    assert "\n".join(trace_lines(trace, SHOWN, call="f(' 3 ')")) + "\n" == TEXT


def test_instructions_are_shown_with_their_stack() -> None:
    trace = fine("def f(x):\n    return x * x\n", "f", "4", Granularity.INSTRUCTION)
    lines = list(trace_lines(trace, "def f(x):\n    return x * x\n", call="f(4)"))
    assert next(line for line in lines if "BINARY_OP" in line).split()[-2:] == ["[4,", "4]"]
    assert next(line for line in lines if "RETURN_VALUE" in line).split()[-1] == "[16]"


def test_finer_steps_of_the_reference_tracer_are_refused_with_the_reason() -> None:
    program = make_program("def f():\n    pass\n", "f", "", origin="test")
    with pytest.raises(UserError, match="records lines, not expression steps"):
        run.trace_program(program, LIMITS, granularity=Granularity.EXPRESSION, tracer="reference")


def test_what_a_call_changes_in_place_is_seen_at_its_expression() -> None:
    source = "def f(xs):\n    return xs.append(1), len(xs), xs.pop(0), xs\n"
    trace = fine(source, "f", "[5]", Granularity.EXPRESSION)
    seen = [
        text_of_handle(state, state.top.bindings["xs"])
        for event, state in states(trace)
        if event.kind is EventKind.EXPRESSION
    ]
    assert seen == ["list[int 0x5, int 0x1]", "list[int 0x5, int 0x1]", "list[int 0x1]"]


def test_what_a_call_does_after_the_last_event_of_its_callback_is_seen() -> None:
    source = "def f(xs):\n    return xs.sort(key=lambda v: -v), len(xs)\n"
    trace = fine(source, "f", "[1, 2]", Granularity.EXPRESSION)
    seen = [
        text_of_handle(state, state.top.bindings["xs"])
        for event, state in states(trace)
        if event.kind is EventKind.EXPRESSION and event.frame == 0
    ]
    assert seen == ["list[int 0x2, int 0x1]", "list[int 0x2, int 0x1]"]


def test_library_code_that_changes_an_argument_is_seen_at_the_next_event() -> None:
    source = """
import random, heapq, functools, itertools, collections
def f():
    xs = [3, 1, 2, 5]
    it = iter(xs)
    a = [random.Random(3).shuffle(xs), len(xs)]
    b = [heapq.heapify(xs), heapq.heappush(xs, 0), list(itertools.islice(it, 2)), next(it)]
    c = functools.reduce(lambda p, q: p.append(q) or p, [1, 2], xs)
    d = collections.defaultdict(list)
    e = [d['k'], d['k'].append(1), sorted(xs, key=lambda v: xs.append(v) if len(xs) < 9 else v)]
    xs.sort(key=lambda v: -v)
    return a, b, c, d, e
"""
    expected = at_lines(source, fine(source, "f", "", Granularity.LINE))
    for granularity in (Granularity.EXPRESSION, Granularity.INSTRUCTION):
        assert at_lines(source, fine(source, "f", "", granularity)) == expected


@pytest.mark.parametrize("granularity", list(Granularity))
@pytest.mark.parametrize(
    "source, steps",
    [
        ("def f():\n    while True: pass\n", [2] * 50),
        (
            "def f():\n    try:\n        while True: pass\n    finally:\n        while True: pass\n",
            [2] + [3] * 49,
        ),
        ("def g():\n    yield 1\n    while True: pass\ndef f():\n    return [*g()]\n", [5, 2] + [3] * 48),
    ],
)
def test_a_loop_on_one_line_that_does_nothing_meets_its_step_limit(
    source: str, steps: list[int], granularity: Granularity
):
    program = make_program(source, "f", "", origin="test")
    trace = run.trace_program(program, Limits(max_steps=50), granularity=granularity)
    assert trace.outcome == StepLimit(50)
    lines = zip(trace.events.kind, trace.events.line, strict=True)
    assert [line for kind, line in lines if kind == EventKind.LINE] == steps
