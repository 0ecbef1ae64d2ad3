"""RE2-Bench: functions of real projects and of older benchmarks; what does the call return, as JSON?

    deskcheck grade --benchmark re2-bench --data re2-bench/problems.jsonl.gz \\
        --generations re2-bench/answers/cwm.output.jsonl.gz

Source: Liu et al., arXiv 2512.14917; github.com/Intelligent-CAT-Lab/RE2Bench. License: none stated, so the
files are used for tests and measurements and never ship. 500 problems: 336 from real projects, 164 from
CRUXEval, HumanEval, ClassEval and Avatar. Row: id, code, function, source, difficulty, project, shown_input,
shown_structure_output, input and output (JSON). The projects are not available here, so every answer is
"recorded, not re-executed". An answer is the JSON object that the prompt asked for, in which values of
objects and arrays are their printed text. The comparison here is by type and value. It is stricter than that
of RE2-Bench, which goes leaf by leaf, compares text with value, and compares lists only up to the length of
the shorter one. The files loop.jsonl.gz and branch.jsonl.gz in the same folder (`--data FOLDER`) are asked
with `--task loop-values` and `--task branches`: the program has marks to fill in, and an answer is right only
if every mark is. For `--task input`, only the recorded input is known to be right. Another input may be right
too, which only a run in its project could show, so no input is counted as wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deskcheck.data_files import given, read_rows, text_field
from deskcheck.errors import DataError, UserError
from deskcheck.grading.marks import answerable
from deskcheck.languages import TRUTH_CHARS
from deskcheck.records import Skipped, TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
FILE = "problems.jsonl.gz"
LANGUAGE = "python of a project that is not here"
"""Language that no tracer has, so that no problem is run."""
_WRAPPED = re.compile(r'\s*\{\s*"output"\s*:')
FILES = {"loop-values": ("loop.jsonl.gz", "state"), "branches": ("branch.jsonl.gz", "branch")}
"""Kind of question -> (file, content of its marks)."""
RECORDED = {
    "input": (
        {
            "en": "Which arguments does the call need to return this?",
            "zh": "要返回该值，调用需要哪些参数？",
        },
        {"en": "the JSON object of the arguments", "zh": "参数的 JSON 对象"},
        "witness",
    ),
    "loop-values": (
        {
            "en": "What does every mark `[STATE]name=??[/STATE]` stand for: the values of the name, one for "
            "each round of its loop?",
            "zh": "每个标记 `[STATE]name=??[/STATE]` 应填什么：该名称在循环每一轮中的值？",
        },
        {
            "en": "the program with its line numbers, every `??` replaced by a list with one value a round",
            "zh": "带行号的程序，其中每个 `??` 换成一个列表，每轮一个值",
        },
        "marks",
    ),
    "branches": (
        {
            "en": "What does every mark `[BRANCH]taken=??[/BRANCH]` stand for: Y where the branch is taken, "
            "N where it is not, each time that the line is reached?",
            "zh": "每个标记 `[BRANCH]taken=??[/BRANCH]` 应填什么：每次到达该行时，走该分支为 Y，否则为 N？",
        },
        {
            "en": "the program with its line numbers, every `??` replaced by a list such as [Y, N]",
            "zh": "带行号的程序，其中每个 `??` 换成一个列表，例如 [Y, N]",
        },
        "marks",
    ),
}
"""Kind of question -> its words, the form of the answer, and how answers are graded."""
_TAGS = ("source", "difficulty", "project")
LONG = f"a truth of more than {TRUTH_CHARS:,} characters"


def drafts(data: str, *, kind: str = "output") -> Iterator[TaskDraft | Skipped]:
    """Yield all problems in the order of the file; `data` is the file or its folder."""
    if kind in FILES:
        yield from _marked(data, kind)
        return
    if not data:
        raise UserError(
            f"benchmark 're2-bench' has no pinned revision: fetch {FILE}, then --data PATH (file or folder)"
        )
    path = given(str(Path(data) / FILE) if Path(data).is_dir() else data)
    for number, row in read_rows(path):
        identity, code, structure = (
            text_field(row, name, path, number) for name in ("id", "code", "shown_structure_output")
        )
        if "output" not in row:
            raise DataError(f"{path}, row {number}: no field 'output'")
        truth = row["output"]
        if kind == "input":
            truth = row.get("input")
        elif _WRAPPED.match(structure):
            truth = {"output": truth}
        if len(repr(truth)) > TRUTH_CHARS:
            yield Skipped(identity, LONG)
            continue
        program = make_program(
            code,
            str(row.get("function") or "main"),
            str(row.get("shown_input") or ""),
            origin=f"re2-bench:{identity}",
            language=LANGUAGE,
        )
        tags = {name: str(row[name]) for name in _TAGS if row.get(name)}
        recorded = "" if truth is None and kind == "input" else repr(truth)
        yield TaskDraft(identity, program, recorded, cluster=identity, tags={**tags, "spelling": "json"})


def _marked(data: str, kind: str) -> Iterator[TaskDraft | Skipped]:
    """Yield the drafts of loops or branches, whose truth is a table of lines.

    The tag "not checkable" is the reason why a draft cannot be answered.
    """
    file, marks = FILES[kind]
    if not data:
        raise UserError(
            f"benchmark 're2-bench', task {kind}: fetch {file}, then --data PATH (file or folder)"
        )
    path = given(str(Path(data) / file) if Path(data).is_dir() else data)
    for number, row in read_rows(path):
        identity, code = (text_field(row, name, path, number) for name in ("id", "code"))
        if "truth" not in row:
            raise UserError(
                f"{path}, row {number} has no field 'truth': name {file}, or its folder, for {kind}"
            )
        truth = row["truth"]
        if not isinstance(truth, dict) or len(repr(truth)) > TRUTH_CHARS:
            yield Skipped(identity, "no truth in the source" if truth is None else LONG)
            continue
        program = make_program(
            code,
            str(row.get("function") or "main"),
            str(row.get("shown_input") or ""),
            origin=f"re2-bench:{identity}",
            language=LANGUAGE,
        )
        tags = {name: str(row[name]) for name in _TAGS if row.get(name)}
        if not answerable(marks, truth, code):
            why = "the truth stands where the shown program has no blank" if truth else "no blank to fill in"
            tags["not checkable"] = why
        yield TaskDraft(identity, program, repr(truth), cluster=identity, tags={**tags, "spelling": marks})
