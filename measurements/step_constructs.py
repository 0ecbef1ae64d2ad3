"""Which constructs of real code the shipped model gets wrong: one step from the true state, by construct.

    deskcheck build functions WHEEL,.. --out DATA --filter near-duplicate=0.8 --max-steps 2000
    python measurements/step_constructs.py DATA [--model DIR] [--functions 3000] [--steps 3] [--rows FILE]

Functions are drawn by seed from the build, whose filter holds no two that are near each other. Left out
are the packages that the model was trained on (`carried_functions.txt`), those of `real` (`real_code.txt`),
the standard library, and functions near a benchmark. Of each run at most --steps steps are drawn by seed and
asked in layout sub from the true state; right = the step, letter by letter. A step belongs to every construct
of its statement, of a compound statement to those of its header. "Share" is the number of a construct for
each statement of real code (`frequencies.json`), so `share x wrong` orders the work. Steps whose prompt and
answer outgrow the rows that the model was trained on have a row of their own and count in no construct.
Intervals are 95 %, clustered by function. Rows are stored as they are made, and a stop loses none.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from carried_functions import package_of
from deskcheck.decontamination.near import name_of, program_copy
from deskcheck.format.buffers import trace_of
from deskcheck.format.shards import check_shard, read_manifest, read_packed
from deskcheck.layouts import sub
from deskcheck.layouts._nested import nested_steps
from deskcheck.models.tiny import Request, TinyModel, load
from deskcheck.records import Granularity, Program, Trace
from deskcheck.states.steps import head
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.traces import in_sandbox
from frequencies import constructs_of, table

ANSWER_TOKENS = 400
"""Largest number of tokens of an answer."""
FEWEST = 30
"""Smallest number of asked steps with which a construct has a row."""
BATCH = 8
"""Number of functions that are asked together; rows of many lengths are padded to the longest."""


class StepRow(Struct, frozen=True):
    """One step of a function's run, with what the model answered about it."""

    function: str
    place: int
    """Number of the step in its run."""
    constructs: tuple[str, ...]
    n_tokens: int
    """Tokens of the prompt and the true answer; with more than the model has positions, nobody asks."""
    ended: bool
    """Whether the answer ended within its limit."""
    read: bool
    """Whether the answer has the form of the layout."""
    right: bool


def functions(folder: Path, *, n: int, seed: int) -> list[tuple[Program, Trace]]:
    """Return the first fit run of `n` functions, drawn by seed."""
    runs: dict[tuple[str, str], tuple[Program, Trace]] = {}
    left_out: Counter[str] = Counter()
    refused: set[tuple[str, str]] = set()
    for program, trace in _runs(folder):
        key = program.source, name_of(program.entry)
        if key in runs or key in refused:
            continue
        reason = _reason(program, trace)
        if reason == "":
            runs[key] = program, trace
        elif reason != SHORT:
            refused.add(key)
        left_out[reason or "taken"] += 1
    for reason, number in left_out.most_common():
        print(f"{number:7,} runs: {reason}")
    order = sorted(runs)
    Random(seed).shuffle(order)
    return [runs[key] for key in order[:n]]


SHORT = "fewer than 3 steps"


def _reason(program: Program, trace: Trace) -> str:
    """Return why a run is not taken; "" if it is."""
    if trace.n_steps < 3:
        return SHORT
    package = package_of(program.origin)
    if package.startswith("python:") or package in pinned("carried_functions.txt"):
        return "trained on"
    if package in pinned("real_code.txt"):
        return "package of real"
    return "near a benchmark" if program_copy(program) is not None else ""


@cache
def pinned(name: str) -> frozenset[str]:
    """Return the packages that a file beside this one pins."""
    lines = Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()
    return frozenset(
        re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines if "==" in line
    )


def _runs(folder: Path) -> Iterator[tuple[Program, Trace]]:
    for entry in read_manifest(folder):
        if entry.n_kept:
            for program, packed in read_packed(check_shard(folder, entry)):
                assert program is not None, "the rows of a build hold their programs"
                yield program, trace_of(packed)


def asked(
    model: TinyModel, runs: list[tuple[Program, Trace]], *, n_steps: int, seed: int
) -> Iterator[StepRow]:
    """Ask steps of every run and yield their rows."""
    questions: list[tuple[str, int, tuple[str, ...], str, str, str]] = []
    for program, _, at in in_sandbox(runs, frozenset({Granularity.EXPRESSION})):
        trace = at(Granularity.EXPRESSION)
        if trace is None or trace.granularity is not Granularity.EXPRESSION:
            continue
        top = head(sub.LAYOUT, program)
        kinds = statements(program.source)
        steps = list(nested_steps(trace, program))
        places = sorted(Random(f"{seed}:{program.id}").sample(range(len(steps)), min(n_steps, len(steps))))
        for place in places:
            before, operations, step, _ = steps[place]
            line = before.frames[-1].line
            truth = sub.answer(operations, step)
            questions.append((program.id, place, kinds.get(line, ()), top, sub.body(before, program), truth))
    sizes = [
        len(model.head_tokens(top)) + len(model.tokens(text)) + len(model.tokens(truth))
        for *_, top, text, truth in questions
    ]
    requests = [
        Request(top, text, ANSWER_TOKENS)
        for (*_, top, text, _), size in zip(questions, sizes, strict=True)
        if size <= model.shape.max_positions
    ]
    replies = iter(model.generate(requests))
    for (function, place, constructs, *_, truth), size in zip(questions, sizes, strict=True):
        if size > model.shape.max_positions:
            yield StepRow(function, place, constructs, size, ended=False, read=False, right=False)
            continue
        reply = next(replies)
        predicted, ended = sub.scored(reply.text), reply.finish_reason == "stop"
        right = ended and predicted == sub.scored(truth)
        yield StepRow(function, place, constructs, size, ended=ended, read=bool(predicted), right=right)


def statements(source: str) -> dict[int, tuple[str, ...]]:
    """Return line -> constructs of the innermost statement that begins or goes on there."""
    by_line: dict[int, tuple[str, ...]] = {}
    for node in ast.walk(ast.parse(source)):  # outer statements come before those inside
        if isinstance(node, ast.stmt):
            constructs = tuple(sorted(named(*construct) for construct in constructs_of(node)))
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                by_line[line] = constructs
    return by_line


def report(rows: list[StepRow], trained_length: int, positions: int) -> Iterator[str]:
    """Yield the lines of the tables."""
    yield f"{len(rows):,} steps of {len({row.function for row in rows}):,} functions"
    yield "| steps | | n | right | accuracy | no answer | |"
    yield "|---|---|---|---|---|---|---|"
    yield _line("all that were asked", "", [row for row in rows if row.n_tokens <= positions])
    fits = [row for row in rows if row.n_tokens <= trained_length]
    yield _line(f"at most {trained_length:,} tokens", "", fits)
    longer = [row for row in rows if trained_length < row.n_tokens <= positions]
    yield _line(f"{trained_length + 1:,} to {positions:,}", "", longer)
    yield f"{len(rows) - len(fits) - len(longer):,} steps of more tokens were not asked and count nowhere"
    by_construct: defaultdict[str, list[StepRow]] = defaultdict(list)
    for row in fits:
        for construct in row.constructs:
            by_construct[construct].append(row)
    share = shares()
    weighted = {
        name: share.get(name, 0.0) * sum(not row.right for row in group) / len(group)
        for name, group in by_construct.items()
        if len(group) >= FEWEST
    }
    yield ""
    yield "| construct | share of real code | steps | right | accuracy | no answer | share x wrong |"
    yield "|---|---|---|---|---|---|---|"
    for name in sorted(weighted, key=lambda name: (-weighted[name], name)):
        yield _line(
            name, f"{100 * share.get(name, 0.0):.2f} %", by_construct[name], f"{100 * weighted[name]:.2f}"
        )
    few = sorted(name for name, group in by_construct.items() if len(group) < FEWEST)
    yield f"fewer than {FEWEST} steps: {', '.join(few)}"


def _line(name: str, share: str, rows: list[StepRow], weight: str = "") -> str:
    if not rows:
        return f"| {name} | {share} | 0 | | | | |"
    right = [float(row.right) for row in rows]
    interval = clustered_interval(right, [row.function for row in rows])
    unread = sum(not (row.ended and row.read) for row in rows)
    accuracy = f"{100 * sum(right) / len(right):.1f} % [{percent_ends(interval.low, interval.high)}]"
    cells = (
        name,
        share,
        f"{len(rows):,}",
        f"{sum(row.right for row in rows):,}",
        accuracy,
        f"{unread:,}",
        weight,
    )
    return f"| {' | '.join(cells)} |"


def shares() -> dict[str, float]:
    """Return construct -> its number for each statement of real code, after the stored table."""
    counts = table().all
    n = sum(counts.statements.values())
    groups = ("statements", "expressions", "comparisons", "methods", "builtins", "raised", "caught")
    return {
        named(group, name): number / n for group in groups for name, number in getattr(counts, group).items()
    }


def named(group: str, name: str) -> str:
    """Return ".append" for a method, "len()" for a built-in function, and other names as they are."""
    forms = {"methods": ".{}", "builtins": "{}()", "raised": "raise {}", "caught": "except {}"}
    return forms.get(group, "{}").format(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path, nargs="?", help="folder of `deskcheck build functions`")
    parser.add_argument("--model", default="", help="folder of the model; the shipped one without it")
    parser.add_argument("--functions", type=int, default=3000)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", type=Path, default=Path("step_constructs.jsonl"))
    given = parser.parse_args()
    if given.data is None:
        print("not run: name the folder of a build; half an hour of one core for 3,000 functions")
        return
    lines = given.rows.read_bytes().splitlines() if given.rows.exists() else []
    rows = [msgspec.json.decode(line, type=StepRow) for line in lines]
    known = {row.function for row in rows}
    model = load(given.model, threads=1)
    wanted = functions(given.data, n=given.functions, seed=given.seed)
    todo = [run for run in wanted if run[0].id not in known]
    for start in range(0, len(todo), BATCH):
        batch = list(asked(model, todo[start : start + BATCH], n_steps=given.steps, seed=given.seed))
        with given.rows.open("ab") as file:
            file.writelines(msgspec.json.encode(row) + b"\n" for row in batch)
        rows += batch
        print(f"{start + BATCH:,} of {len(todo):,} functions, {len(rows):,} steps", flush=True)
    for line in report(rows, model.shape.trained_length, model.shape.max_positions):
        print(line)


if __name__ == "__main__":
    main()
