"""Where wrong answers first leave the truth, by kind of line: ExeRScope's reasoning texts beside the runs.

    DESKCHECK_DATA=.. python measurements/first_wrong.py

One row a model: of its wrong answers with reasoning (as `first_screen.py` draws them) the share whose first
false statement is about a value that a line of each kind made, about the result alone, or that is in no
statement which the reader of claims looks up. Intervals are 95 %, clustered by program. The last row has the
shares of the executed lines of the same runs, each program once. How often the reader finds the first false
statement itself: `claims.py`.
"""

from __future__ import annotations

import argparse
import ast
import os
from collections import Counter
from pathlib import Path

from deskcheck.records import EventKind, Granularity, Program, Trace
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.tracing.collect import trace_programs
from deskcheck.viewer.claims import RESULT
from deskcheck.viewer.reasoning import first_false, judged, line_before
from first_screen import LIMITS, Wrong, pool_of, program_of_answer

KINDS = ("assignment", "loop head", "if", "call", "return", "other", "only the result", "not found")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("DESKCHECK_DATA"))
    options = parser.parse_args()
    data = Path(options.data)
    answers = pool_of(data)[0]["exerscope"]
    programs = {wrong.id: program_of_answer(data, wrong) for wrong in answers}
    runs = trace_programs(list(programs.values()), LIMITS, granularity=Granularity.EXPRESSION, workers=1)
    traces = dict(zip(programs, runs, strict=True))
    kinds = {name: kinds_of(program) for name, program in programs.items()}
    found: dict[str, list[tuple[str, str]]] = {}
    for wrong in answers:
        kind = kind_of(wrong, *traces[wrong.id], kinds[wrong.id])
        found.setdefault(wrong.file.partition(".jsonl")[0], []).append((wrong.id, kind))
    found["all"] = [row for rows in found.values() for row in rows]
    print("| model | wrong | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 2) + "|")
    for model, rows in found.items():
        print(f"| {model} | {len(rows)} | " + " | ".join(cell(rows, kind) for kind in KINDS) + " |")
    steps: Counter[str] = Counter()
    for name, (_, trace) in traces.items():
        for event, what in enumerate(trace.events.kind):
            if what == EventKind.LINE:
                steps[kinds[name].get(trace.events.line[event], "other")] += 1
    shares = (f"{100 * steps[kind] / steps.total():.0f}" if kind in steps else "" for kind in KINDS)
    print(f"| executed lines | {steps.total():,} | " + " | ".join(shares) + " |")


def cell(rows: list[tuple[str, str]], kind: str) -> str:
    """Share in percent with its interval."""
    values = [float(found == kind) for _, found in rows]
    interval = clustered_interval(values, [name for name, _ in rows])
    return f"{100 * sum(values) / len(values):.0f} [{percent_ends(interval.low, interval.high)}]"


def kind_of(wrong: Wrong, program: Program, trace: Trace, kinds: dict[int, str]) -> str:
    """Kind of the line that made the true value of the first false statement."""
    answer = wrong.answer
    first = first_false(judged(wrong.text, program, trace, answer))
    if first is None:
        return "not found"
    if first.about == RESULT:
        return "only the result"
    return kinds.get(line_before(trace, first), "other")


def kinds_of(program: Program) -> dict[int, str]:
    """Line -> kind of the statement that begins there."""
    names: dict[type[ast.AST], str] = {
        ast.Assign: "assignment", ast.AugAssign: "assignment", ast.AnnAssign: "assignment",
        ast.For: "loop head", ast.While: "loop head", ast.If: "if", ast.Expr: "call", ast.Return: "return",
    }  # fmt: skip
    statements = [one for one in ast.walk(ast.parse(program.source)) if isinstance(one, ast.stmt)]
    return {one.lineno: names.get(type(one), "other") for one in statements}


if __name__ == "__main__":
    main()
