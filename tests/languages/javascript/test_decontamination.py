"""A program in JavaScript with the form of a benchmark's is found under other names, types and layout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")

from deskcheck.benchmarks import core, easy
from deskcheck.dataset.build import build
from deskcheck.decontamination import javascript
from deskcheck.decontamination.near import program_copy
from deskcheck.decontamination.removed import REASON
from deskcheck.plugins import SourceOptions
from deskcheck.records import Program, TaskDraft
from deskcheck.tracing.program import make_program

COPY = """\
// fold by four bits
export const gather = (value: number): string => {
  let sum = 0, step = 1;
  while (value) { const part: number = (value & 15); sum ^= part << step;
    value >>= 4; step = 3 - step; }
  return sum.toString(2).padStart(7, '0');
};
"""


def program_of(source: str, language: str = "javascript") -> Program:
    return make_program(source, "gather", "3", origin="files:a", language=language)


def test_a_copy_with_other_names_types_and_layout_is_found():
    original = next(draft for draft in core.drafts("", language="javascript") if draft.id.startswith("05-"))
    assert isinstance(original, TaskDraft)
    renamed = (
        original.program.source.replace("number", "value").replace("nibble", "part").replace("fold", "gather")
    )
    match = program_copy(program_of(renamed))
    assert match is not None and (match.benchmark, match.id, match.unit) == (
        "core",
        "05-fold-nibbles:0",
        "gather",
    )
    typed = renamed.replace("gather(value)", "gather(value: number): string")
    assert program_copy(program_of(typed, "typescript")) == match


@pytest.mark.parametrize(
    ("old", "new"),
    [("15", "7"), ("toString", "toFixed"), ("3 - step", "step - 3"), ("<<", ">>"), ("'0'", "'1'")],
)
def test_another_function_is_none(old: str, new: str):
    assert program_copy(program_of(COPY, "typescript")) is not None
    assert program_copy(program_of(COPY.replace(old, new, 1), "typescript")) is None


def test_every_twin_that_is_asked_is_kept_out():
    for benchmark in (core, easy):
        drafts = [
            draft for draft in benchmark.drafts("", language="javascript") if isinstance(draft, TaskDraft)
        ]
        assert all(program_copy(draft.program) for draft in drafts[:: 1 if benchmark is core else 9])


def test_the_programs_of_the_published_benchmark_are_known():
    names = [name for name, _ in javascript.known().values()]
    assert {name: names.count(name) for name in set(names)} == {"cruxeval-x": 1199, "core": 20, "easy": 500}


def test_a_build_leaves_a_copy_out(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "copy.ts").write_text(COPY.replace("export ", ""))
    (tmp_path / "in" / "own.ts").write_text("function gather(n: number) { return [n * 2, n].concat([7]); }\n")
    rows = [{"call": "gather(3)", "file": name} for name in ("copy.ts", "own.ts")]
    (tmp_path / "calls.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = SourceOptions(
        source="files", path=str(tmp_path / "in"), calls_file=str(tmp_path / "calls.jsonl")
    )
    report = build(options, tmp_path / "out", workers=1)
    assert (report.n_kept, report.dropped) == (1, {REASON: 1})
