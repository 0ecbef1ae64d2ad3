"""RE2-Bench (Intelligent-CAT-Lab/RE2Bench, arXiv 2512.14917): ten settings of 2025/26, four questions each.

    truths(folder) -> Truths               problems, loops and branches; `answerable` says which can be right
    settings(folder, known) -> [Setting]   each problem with its verdicts
    beside(setting) -> [Pair]              programs asked for output and loop values
    executed(known) -> Executed            programs of older benchmarks that give the recorded output here

The source's verdict is its rule run again (`importers/re2_bench.py`). Ours: exact types, the last answer, no
program without a blank, none whose truth stands where the shown program has no blank. A state value is what a
loop variable holds in one round; `Pair.state` is the chance that one drawn at random is right. Which names of
a loop count is a choice (`DEFINITIONS`) that moves the shortcut gap by several points.
"""

from __future__ import annotations

import ast
import json
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck.data_files import read_rows
from deskcheck.grading import marks
from deskcheck.importers import re2_bench, read_single
from deskcheck.languages import equal
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracers import trace_programs
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.program import make_program

ASKED = ("output", "input", "loop", "branch")
OLDER = ("cruxeval", "humaneval", "classeval", "avatar")
"""Sources whose programs need no project, so that they can be run here."""
VARIABLES, BLANKS, NO_COUNTERS = DEFINITIONS = ("loop variables", "every blank", "no mere counters")
"""Names of a loop whose values count as state: all but what a `for` goes over; all; neither that nor what
`range` and `enumerate` count."""


class Answer(Struct, frozen=True):
    """One answer with three verdicts."""

    id: str
    theirs: bool | None
    """As the source recorded it; None = it has no truth."""
    again: bool | None
    """The source's rule, run here."""
    ours: str
    """"right", "wrong", "no answer", or "not checkable"."""
    why: str
    """Why ours differs from theirs; "" where it does not."""


class States(Struct, frozen=True):
    """What one reply says of the loops of one program."""

    counts: dict[str, tuple[int, int]]
    """Definition -> right values and all values, one a round."""
    all_blanks: bool
    """Every blank is right, iterated values included."""


class Setting(Struct, frozen=True):
    """One model with or without reasoning."""

    name: str
    answers: dict[str, list[Answer]]
    states: dict[str, States]
    """Programs of `Truths.state`."""

    @property
    def model(self) -> str:
        """Without the ending for high effort."""
        return self.name.removesuffix("-reasoning")

    @property
    def reasons(self) -> bool:
        """Whether it was asked with high effort."""
        return self.name != self.model


class Truths(Struct, frozen=True):
    """What the source's files say is true."""

    problems: dict[str, dict[str, Any]]
    loop: dict[str, dict[str, Any]]
    branch: dict[str, dict[str, Any]]

    def of(self, asked: str, identity: str) -> Any:
        """The truth of one question; None where the source has none."""
        if asked in ("output", "input"):
            return self.problems[identity][asked]
        return getattr(self, asked)[identity]["truth"]

    def answerable(self, asked: str, identity: str) -> bool:
        """Whether every line of the truth, and of a loop every name, is a blank of the shown program."""
        code = getattr(self, asked)[identity]["code"]
        return marks.answerable(re2_bench.MARKS[asked], self.of(asked, identity), code)

    def state(self, identity: str) -> dict[str, dict[str, list[Any]]]:
        """Line of the shown program -> its values; moved there where the truth counts lines of another file.

        Empty where the loops of truth and program do not match one to one, or nothing is asked.
        """
        row = self.loop[identity]
        truth, blanks = row["truth"] or {}, marks.blanks_of("state", row["code"])
        if not truth or not row["in_problems"]:
            return {}
        if self.answerable("loop", identity):
            return dict(truth)
        pairs = list(zip(sorted(truth, key=int), sorted(blanks, key=int), strict=False))
        same = len(truth) == len(blanks) and all(set(truth[a]) == set(blanks[b]) for a, b in pairs)
        return {b: truth[a] for a, b in pairs} if same else {}


def truths(folder: Path) -> Truths:
    """Problems, loops and branches by id."""
    tables = [
        {str(row["id"]): row for _, row in read_rows(folder / f"{name}.jsonl.gz")}
        for name in ("problems", "loop", "branch")
    ]
    return Truths(*tables)


def settings(folder: Path, known: Truths) -> Iterator[Setting]:
    """The ten settings, one at a time."""
    names = sorted(
        {file.name.split(".output.")[0] for file in (folder / "answers").glob("*.output.jsonl.gz")}
    )
    for name in names:
        answers, states = {}, {}
        for asked in ASKED:
            run = read_single(folder / "answers" / f"{name}.{asked}.jsonl.gz")
            answers[asked] = [
                _judged(asked, identity, replies[0], (run.taken.get(identity) or [""])[0], run, known)
                for identity, replies in run.texts.items()
            ]
            if asked == "loop":
                states = {
                    identity: _states(replies[0], truth, known.loop[identity]["code"])
                    for identity, replies in run.texts.items()
                    if (truth := known.state(identity))
                }
        yield Setting(name, answers, states)


def _judged(asked: str, identity: str, reply: str, taken: str, run: Any, known: Truths) -> Answer:
    truth, theirs = known.of(asked, identity), run.stored[identity][0]
    if truth is None and asked in ("loop", "branch"):
        return Answer(identity, theirs, None, "not checkable", "")
    equal_leaves, leaves = re2_bench.agreement(asked, taken or reply, truth)
    again = equal_leaves == leaves > 0
    if asked in ("output", "input"):
        ours, why = _ours_of_value(asked, taken, truth, theirs)
    else:
        ours, why = _ours_of_blanks(
            asked, run.in_our_marks(reply), truth if known.answerable(asked, identity) else {}
        )
        if truth and ours == "not checkable":
            why = "the truth stands where the shown program has no blank"
    return Answer(identity, theirs, again, ours, why if (ours == "right") != theirs else "")


def _ours_of_value(asked: str, taken: str, truth: Any, theirs: bool | None) -> tuple[str, str]:
    """Typed equality of JSON values; an input that is right otherwise would have to be run in its project."""
    found = json.loads(taken)
    if found == {} != truth:
        return "no answer", "the source found no answer"
    if asked == "output" and isinstance(found, dict) and "output" in found:
        found = found["output"]
    if equal(found, truth, "strict"):
        return "right", "equal, and not right there"
    if asked == "input":
        return "not checkable", "by execution only"
    return "wrong", re2_bench.leniency(found, truth) if theirs else ""


def _ours_of_blanks(asked: str, reply: str, truth: dict[str, Any]) -> tuple[str, str]:
    if not truth:
        return "not checkable", "no blank to fill in"
    said = marks.marks_in(re2_bench.MARKS[asked], marks.last_answer(reply))
    right = bool(said) and marks.same_marks(said, truth, "strict")
    verdict = "right" if right else "wrong" if said else "no answer"
    return verdict, re2_bench.why_of_marks(verdict)


def _states(reply: str, truth: dict[str, dict[str, list[Any]]], code: str) -> States:
    """Round by round, by the source's equality; what is missing is wrong."""
    said = re2_bench.marked("loop", reply)
    right, n = dict.fromkeys(DEFINITIONS, 0), dict.fromkeys(DEFINITIONS, 0)
    for line, blanks in truth.items():
        own = said.get(line) or {}
        names = _names(line, list(blanks), code)
        for name, values in blanks.items():
            found = marks.as_lists(own.get(name))
            found = found if isinstance(found, list) else []
            same = sum(a == marks.as_lists(b) for a, b in zip(found, values, strict=False))
            for definition in DEFINITIONS:
                if name in names[definition]:
                    n[definition] += len(values)
                    right[definition] += same
    whole = all(re2_bench.line_is_right(said.get(line), blanks) for line, blanks in truth.items())
    return States({definition: (right[definition], n[definition]) for definition in DEFINITIONS}, whole)


def _names(line: str, names: list[str], code: str) -> dict[str, list[str]]:
    """Return the names of one loop that count as state, by definition."""
    shown = next(text for text in code.split("\n") if text.split(" ", 1)[0] == line)
    head, loop, rest = shown.partition("##")[0].partition(" in ")
    over = rest.strip().rstrip(":").strip()
    if not loop or not shown.split(" ", 1)[1].lstrip().startswith(("for ", "async for ")):
        return dict.fromkeys(DEFINITIONS, names)
    variables = [name for name in names if name != over]
    targets = [name.strip(" ()") for name in head.rpartition("for ")[2].split(",")]
    counters = targets if over.startswith("range(") else targets[:1] if over.startswith("enumerate(") else []
    return {
        VARIABLES: variables,
        BLANKS: names,
        NO_COUNTERS: [name for name in variables if name not in counters],
    }


class Pair(Struct, frozen=True):
    """One program that was asked for its output and for the values of its loops."""

    id: str
    output: bool
    state: float
    all_blanks: bool


def beside(setting: Setting, definition: str = VARIABLES) -> list[Pair]:
    """By the source's rule on both sides."""
    outputs = {one.id: bool(one.again) for one in setting.answers["output"]}
    pairs = []
    for identity, states in setting.states.items():
        right, n = states.counts[definition]
        if n:
            pairs.append(Pair(identity, outputs[identity], right / n, states.all_blanks))
    return pairs


# ------------------------------------------------------------------ programs that can be run here


class Executed(Struct, frozen=True):
    """What became of the 164 programs of older benchmarks."""

    steps: dict[str, int]
    """Those that give the recorded output: executed lines of the program that the prompt showed."""
    others: Counter[str]
    """Why the rest has no steps."""


def executed(known: Truths) -> Executed:
    """Run every program of OLDER in the sandbox; only one that gives the recorded output has steps."""
    rows = [row for row in known.problems.values() if row["source"] in OLDER]
    programs = [_program(row) for row in rows]
    steps: dict[str, int] = {}
    others: Counter[str] = Counter()
    traces = trace_programs([program for program, _ in programs], Limits())
    for row, (_, first), (_, trace) in zip(rows, programs, traces, strict=True):
        if not is_plain(trace):
            others[f"no plain value ({type(trace.outcome).__name__})"] += 1
        elif (text := outcome_text(trace)).startswith("raises "):
            others[f"{text} here"] += 1
        elif not _is_recorded(text, row["output"]):
            others["another output than the recorded one"] += 1
        else:
            last = first + row["code"].count("\n")
            steps[row["id"]] = sum(1 for line in _lines(trace) if first <= line <= last)
    return Executed(steps, others)


def _lines(trace: Trace) -> Iterator[int]:
    """The line of each executed line event."""
    before = 0
    for step, line in zip(trace.events.step, trace.events.line, strict=True):
        if step > before:
            before = step
            yield line


def _is_recorded(text: str, recorded: Any) -> bool:
    value = _image(ast.literal_eval(text) if text not in ("nan", "inf", "-inf") else float(text))
    if isinstance(value, str) and str(recorded).strip() == value.strip():  # printed: the file keeps its value
        return True
    equal_leaves, leaves = re2_bench.agreement("output", json.dumps(value), recorded)
    return equal_leaves == leaves


def _image(value: Any) -> Any:
    """The value as JSON holds it."""
    if isinstance(value, list | tuple):
        return [_image(one) for one in value]
    if isinstance(value, dict):
        return {str(name): _image(one) for name, one in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)


def _program(row: dict[str, Any]) -> tuple[Program, int]:
    """A program that makes the recorded call, and the line at which the shown code begins in it."""
    code, given = row["code"], row["input"]
    if row["source"] in ("cruxeval", "humaneval"):
        call = ", ".join(f"{name}={value!r}" for name, value in given["args"].items())
        return make_program(code, row["function"], call, origin=f"re2-bench:{row['id']}"), 1
    if row["source"] == "classeval":
        owner, name = row["id"].partition("@")[2].partition(".")[0], row["function"]
        if name.startswith("__") and not name.endswith("__"):
            name = f"_{owner}{name}"
        source = f"{code}\n\n{_METHOD.format(owner=owner, name=name)}"
        call = f"{given['self']!r}, {given['args']!r}"
        return make_program(source, "call_method", call, origin=f"re2-bench:{row['id']}"), 1
    source = f'{_PRINTS}{textwrap.indent(code, "    ")}\n    return "".join(printed)\n'
    program = make_program(source, "main", repr(str(given)), origin=f"re2-bench:{row['id']}")
    return program, _PRINTS.count("\n") + 1


_METHOD = """\
def call_method(state, arguments):
    thing = object.__new__({owner})
    thing.__dict__.update(state)
    return thing.{name}(**arguments)
"""
_PRINTS = """\
def main(text):
    lines, printed = iter(text.split("\\n")), []
    def input(prompt=""):
        return next(lines)
    def print(*values, sep=" ", end="\\n"):
        printed.append(sep.join(map(str, values)) + end)
"""
