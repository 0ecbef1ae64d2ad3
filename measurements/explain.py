"""Does `deskcheck explain` find the faulty line? 60 seeded bugs in functions of the standard library.

    deskcheck build functions LIB --calls-each 12 --out DATA    LIB: modules of the standard library
    python measurements/explain.py DATA                         the development half: 30 bugs
    python measurements/explain.py DATA --sealed                the sealed half, looked at once

A bug is one change of one line, by an operator drawn uniformly from OPERATORS, which were fixed before any
method ran. It counts if a call of the function then gives another result and executes at least 25 lines. The
failing call is the first such one; the function's other calls are the tests, with the results of the sound
function. Functions alternate between the halves by a hash of their names. `explain` holds inverses of the
operators marked *, some in part; the figures are given apart. It runs in the sandbox, as the command does.

Beside it: the last line of the traceback, and the lines that `pytest -l` marks with ">" (those of the
traceback, innermost first), which for a wrong value are lines of the test and of no function; Ochiai over
the same tests, ties in random order; three random lines among those executed.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from statistics import mean
from typing import NamedTuple

from deskcheck.format.buffers import trace_of
from deskcheck.format.shards import read_packed
from deskcheck.queries.explain import executed, explain, ochiai, result_of
from deskcheck.queries.run import Run
from deskcheck.queries.slices import slice_of
from deskcheck.records import EventKind, Limits, Program, Raised, Trace
from deskcheck.statistics.paired import paired_difference, sign_flip
from deskcheck.statistics.summary import Interval, clustered_interval
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

N_EACH, FEWEST_LINES, PER_FUNCTION = 30, 25, 4
_COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


def _is_count(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _swap_compare(node: ast.Compare, draw: random.Random) -> None:
    node.ops[0] = _COMPARE[type(node.ops[0])]()


def _swap_arithmetic(node: ast.BinOp | ast.AugAssign, draw: random.Random) -> None:
    node.op = _ARITHMETIC[type(node.op)]()


def _shift_constant(node: ast.Constant, draw: random.Random) -> None:
    node.value += draw.choice((-1, 1))


def _swap_bool(node: ast.BoolOp, draw: random.Random) -> None:
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _negate(node: ast.If | ast.While, draw: random.Random) -> None:
    node.test = ast.UnaryOp(ast.Not(), node.test)


def _drop_condition(node: ast.BoolOp, draw: random.Random) -> None:
    node.values = [value for value in node.values if value is not node.values[-1]] or node.values


def _drop_operand(node: ast.BinOp, draw: random.Random) -> None:
    node.right = ast.Constant(1 if isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Mod) else 0)


def _change_text(node: ast.Constant, draw: random.Random) -> None:
    node.value += "x"


def _return_none(node: ast.Return, draw: random.Random) -> None:
    node.value = ast.Constant(None)


def _freeze_value(node: ast.Assign, draw: random.Random) -> None:
    node.value = ast.Constant(0)


def _swap_arguments(node: ast.Call, draw: random.Random) -> None:
    node.args[0], node.args[1] = node.args[1], node.args[0]


def _shorten_slice(node: ast.Slice, draw: random.Random) -> None:
    node.upper = ast.UnaryOp(ast.USub(), ast.Constant(1))


def _is(*kinds: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda node: isinstance(node, kinds)


def _is_comparison(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE


def _is_arithmetic(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _ARITHMETIC


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 12


def _is_return(node: ast.AST) -> bool:
    return isinstance(node, ast.Return) and node.value is not None


def _has_two_arguments(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and len(node.args) == 2


OPERATORS: dict[str, tuple[Callable[[ast.AST], bool], Callable[..., None]]] = {
    "comparison *": (_is_comparison, _swap_compare),
    "arithmetic *": (_is_arithmetic, _swap_arithmetic),
    "constant *": (_is_count, _shift_constant),
    "and, or *": (_is(ast.BoolOp), _swap_bool),
    "negated condition *": (_is(ast.If, ast.While), _negate),
    "condition dropped": (_is(ast.BoolOp), _drop_condition),
    "operand dropped *": (_is(ast.BinOp), _drop_operand),
    "text changed": (_is_text, _change_text),
    "nothing returned": (_is_return, _return_none),
    "value frozen": (_is(ast.Assign), _freeze_value),
    "arguments swapped *": (_has_two_arguments, _swap_arguments),
    "slice shortened *": (_is(ast.Slice), _shorten_slice),
}


class Bug:
    """A function with one wrong line, a failing call and the other calls with their right results."""

    def __init__(self, name: str, operator: str, line: int, failing: Program, expected: str) -> None:
        self.name, self.operator, self.line = name, operator, line
        self.failing, self.expected = failing, expected
        self.others: list[tuple[Program, str]] = []


def run_all(programs: Sequence[Program], limits: Limits) -> list[Trace]:
    """Run programs in this process, within their steps: thousands of short runs of harmless functions."""
    with redirect_stdout(StringIO()):
        return [trace_program(program, limits) for program in programs]


def functions(data: str) -> dict[str, list[Program]]:
    """Name -> calls of one source, for functions of which some call executes enough lines."""
    groups: dict[tuple[str, str], list[tuple[Program, int]]] = defaultdict(list)
    for program, packed in read_packed(data):
        trace = trace_of(packed)
        if program is not None and not trace.fidelity.notes:
            groups[program.source, program.entry].append((program, len(executed(Run(trace, program)))))
    named: dict[str, list[Program]] = {}
    for calls in groups.values():
        if len(calls) >= 6 and max(n for _, n in calls) >= FEWEST_LINES:
            name = ":".join(calls[0][0].origin.split(":")[1:3])
            named.setdefault(name, [program for program, _ in calls])
    return named


def mutated(source: str, operator: str, draw: random.Random) -> tuple[str, int] | None:
    """A source with one changed statement on its old lines, and the statement's line."""
    fits, change = OPERATORS[operator]
    tree = ast.parse(source)
    docs = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    inside = [
        s
        for f in ast.walk(tree)
        if isinstance(f, ast.FunctionDef)
        for s in ast.walk(f)
        if isinstance(s, ast.stmt)
    ]
    sites = []
    for statement in inside:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            continue
        for node in own_nodes(statement):
            if fits(node) and id(node) not in docs:
                sites.append((statement, node))
    if not sites:
        return None
    statement, node = draw.choice(sites)
    line, last = statement.lineno, header_end(statement)
    change(node, draw)
    lines = source.split("\n")
    indent = lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]
    prefix = "el" if lines[line - 1].lstrip().startswith("elif") else ""
    body = getattr(statement, "body", None)
    shares_line = bool(lines[line - 1][: statement.col_offset].strip()) or (body and body[0].lineno == line)
    if shares_line:
        return None
    text = ast.unparse(ast.fix_missing_locations(statement)).split("\n")[0]
    fresh = "\n".join([*lines[: line - 1], indent + prefix + text, *[""] * (last - line), *lines[last:]])
    try:
        ast.parse(fresh)
    except SyntaxError:
        return None
    return fresh, line


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The nodes of a statement without the statements inside it."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [n for n in ast.iter_child_nodes(node) if not isinstance(n, ast.stmt | ast.excepthandler)]


def header_end(statement: ast.stmt) -> int:
    """The last line of a statement, of one with a body the line before the body."""
    body = getattr(statement, "body", None)
    return body[0].lineno - 1 if body else statement.end_lineno or statement.lineno


def bugs(data: str, *, sealed: bool) -> list[Bug]:
    """The bugs of one half; the same data gives the same ones."""
    named = functions(data)
    half = {n: p for n, p in sorted(named.items()) if (hashlib.sha256(n.encode()).digest()[0] & 1) == sealed}
    draw = random.Random(f"explain {sealed}")
    chosen: list[Bug] = []
    truths = {name: [result_of(t) for t in run_all(calls, Limits())] for name, calls in half.items()}
    lines: set[tuple[str, int]] = set()
    for _ in range(2000):
        fewest = min((sum(b.name == n for b in chosen) for n in half), default=PER_FUNCTION)
        if len(chosen) >= N_EACH or fewest >= PER_FUNCTION:
            break
        name = draw.choice([n for n in half if sum(b.name == n for b in chosen) == fewest])
        operator = draw.choice(list(OPERATORS))
        pair = mutated(half[name][0].source, operator, draw)
        if pair is None or (name, pair[1]) in lines:
            continue
        if bug := seeded(name, operator, pair, half[name], truths[name]):
            lines.add((name, pair[1]))
            chosen.append(bug)
    return chosen


def seeded(
    name: str, operator: str, pair: tuple[str, int], calls: list[Program], truths: list[str]
) -> Bug | None:
    """The bug of a changed source, None if no call notices it in enough lines."""
    source, line = pair
    changed = [make_program(source, c.entry, c.arguments, origin=c.origin, prelude=c.prelude) for c in calls]
    for program, truth in zip(changed, truths, strict=True):
        (trace,) = run_all([program], Limits(max_steps=20_000, time_s=3.0))
        if truth.startswith(("ended", "no plain")) or result_of(trace) == truth or not trace.n_steps:
            continue
        run = Run(trace, program)
        reached = executed(run)
        if len(reached) < FEWEST_LINES or line not in reached or not has_ended(trace):
            continue
        bug = Bug(name, operator, line, program, truth)
        pairs = zip(changed, truths, strict=True)
        bug.others = [
            (p, t) for p, t in pairs if p is not program and not t.startswith(("ended", "no plain"))
        ]
        return bug
    return None


def has_ended(trace: Trace) -> bool:
    """Whether the call returned or raised, as a test would see it."""
    return trace.outcome.__struct_config__.tag in ("returned", "raised")


def baselines(bug: Bug, draw: random.Random) -> dict[str, list[int]]:
    """Method -> its lines, the likeliest first."""
    trace, *rest = run_all([bug.failing, *(p for p, _ in bug.others)], Limits())
    run = Run(trace, bug.failing)
    marked: list[int] = []
    if isinstance(trace.outcome, Raised):
        events = [i for i, k in enumerate(trace.events.kind) if k == EventKind.RAISE and run.file(i) == 0]
        last = next((trace.events.value[i] for i in reversed(events)), -1)
        marked = list(dict.fromkeys(run.statement(i) for i in events if trace.events.value[i] == last))
    others = [(t, result_of(t) == want) for t, (_, want) in zip(rest, bug.others, strict=True)]
    scores = ochiai(run, others)
    ties = {line: draw.random() for line in sorted(scores)}
    spectrum = sorted(scores, key=lambda line: (-scores[line], ties[line]))
    distances = slice_of(run)
    prior = sorted(
        scores, key=lambda n: (-(scores[n] + (1 / (2 + distances[n]) if n in distances else 0)), n)
    )
    return {
        "last line of the traceback": marked[:1],
        "pytest -l": marked[:3],
        "Ochiai": spectrum[:3],
        "random": draw.sample(sorted(scores), 3),
        "explain without repairs": prior[:3],
    }


class Row(NamedTuple):
    """A bug with the lines that each method names, the likeliest first."""

    bug: Bug
    named: dict[str, list[int]]
    seconds: float

    def is_hit(self, method: str) -> bool:
        """Whether the wrong line is among the method's lines."""
        return self.bug.line in self.named[method]


def measured(bug: Bug, draw: random.Random) -> Row:
    """Ask every method about one bug; `explain` runs in the sandbox, as the command does."""
    start = time.perf_counter()
    answer = explain(bug.failing, bug.expected, others=bug.others, runner=contained)
    seconds = time.perf_counter() - start
    row = Row(bug, {"explain": [s.line for s in answer.suspects]} | baselines(bug, draw), seconds)
    places = {m: lines.index(bug.line) + 1 for m, lines in row.named.items() if bug.line in lines}
    print(f"{bug.name} line {bug.line}, {bug.operator}: {places}, {seconds:.0f} s", flush=True)
    return row


def contained(programs: Sequence[Program], limits: Limits) -> list[Trace]:
    """Run programs in the sandbox, one worker a core."""
    return [trace for _, trace in trace_programs(programs, limits)]


def method_line(rows: Sequence[Row], method: str) -> str:
    """A line of the table: hits with their interval over functions, and `explain` minus the method."""
    clusters = [row.bug.name for row in rows]
    ours = [float(row.is_hit("explain")) for row in rows]
    hits = [float(row.is_hit(method)) for row in rows]
    firsts = sum(row.named[method][:1] == [row.bug.line] for row in rows)
    share = clustered_interval(hits, clusters)
    cells = f"{firsts} of {len(rows)} | {sum(hits):.0f} of {len(rows)} | {between(share)}"
    if method == "explain":
        return f"| {method} | {cells} | | |"
    sums: dict[str, float] = defaultdict(float)
    for cluster, a, b in zip(clusters, ours, hits, strict=True):
        sums[cluster] += a - b
    p = sign_flip([int(v) for v in sums.values()])
    return f"| {method} | {cells} | {between(paired_difference(ours, hits, clusters))} | {p:.2g} |"


def between(estimate: Interval) -> str:
    """A mean with its 95 % interval, in percent."""
    return f"{100 * estimate.mean:.0f} [{100 * estimate.low:.0f}, {100 * estimate.high:.0f}]"


def main() -> None:
    """Print each bug, the table of all methods, and the figures by kind of operator."""
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", default="")
    parser.add_argument("--sealed", action="store_true")
    options = parser.parse_args()
    if not options.data:
        print("name a dataset of functions; the head of this file says how to build it")
        return
    draw = random.Random(5)
    rows = [measured(bug, draw) for bug in bugs(options.data, sealed=options.sealed)]
    times = [row.seconds for row in rows]
    print(f"\n{len(rows)} bugs in {len({row.bug.name for row in rows})} functions")
    print(f"seconds of one explanation: mean {mean(times):.0f}, most {max(times):.0f}")
    print(
        "| method | first | among three | % among three | explain - method | p |\n|---|---|---|---|---|---|"
    )
    for method in rows[0].named:
        print(method_line(rows, method))
    for mark, words in ((True, "with"), (False, "without")):
        part = [row for row in rows if row.bug.operator.endswith("*") is mark]
        hits = ", ".join(f"{m} {sum(row.is_hit(m) for row in part)}" for m in ("explain", "Ochiai"))
        print(f"operators {words} an inverse in explain: {len(part)} bugs; among three: {hits}")


if __name__ == "__main__":
    main()
