"""A program in JavaScript that is a benchmark's, changed or not, is no training data; another one is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")

from deskcheck.benchmarks import core, easy
from deskcheck.dataset.build import build
from deskcheck.decontamination.javascript import units_of
from deskcheck.decontamination.near import JAVASCRIPT_FILE, Match, fingerprints, program_copy
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
OWN = "function gather(n: number) { return [n * 2, n].concat([7]); }\n"


def match_of(source: str, language: str = "typescript", *, entry: str = "gather") -> Match | None:
    program: Program = make_program(source, entry, "3", origin="files:a", language=language)
    return program_copy(program)


def test_a_copy_is_found_under_other_names_types_numbers_and_layout():
    match = match_of(COPY)
    assert match is not None and (match.benchmark, match.id, match.unit, match.same) == (
        "core", "05-fold-nibbles:0", "gather", True,
    )  # fmt: skip
    assert match_of(COPY.replace("15", "31").replace("7, '0'", "9, '_'")) == match


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum ^= part << step", "sum = sum ^ (part << step)"),
        ("let sum = 0, step = 1;", "let sum = 0; const unused = 5; let step = 1;"),
        (
            "return sum.toString(2).padStart(7, '0')",
            "const text = sum.toString(2).padStart(7, '0'); return text",
        ),
        ("= (value: number): string => {", "= function (value) {"),
        ("step = 3 - step;", "if (value < 0) { step = 1; } else { step = 3 - step; }"),
        ("// fold by four bits", "import os from 'os'; function other(x) { return `${x}-${os}`; }"),
    ],
)
def test_a_copy_that_is_written_otherwise_is_found(old: str, new: str):
    assert old in COPY
    match = match_of(COPY.replace(old, new))
    assert match is not None and match.id == "05-fold-nibbles:0"


@pytest.mark.parametrize(
    "changed",
    [
        "class Tool {\n  gather(value) { BODY }\n}",
        "function around(x) {\n  const gather = (value) => { BODY };\n  return gather(x);\n}",
        "module.exports.gather = function (value) { try { BODY } catch (error) { throw error; } };",
    ],
)
def test_a_copy_in_other_surroundings_is_found(changed: str):
    body = COPY[COPY.index("let sum") : COPY.index("};")].replace(": number", "")
    match = match_of(changed.replace("BODY", body), "javascript", entry="none")
    assert match is not None and match.id == "05-fold-nibbles:0"


def test_other_programs_are_none():
    assert match_of(OWN) is None
    parts = [
        "let sum = 0;",
        "for (const part of value.split(',')) sum += Number(part);",
        "return sum.toFixed(2);",
    ]
    assert match_of(f"function gather(value) {{ {' '.join(parts)} }}", "javascript") is None


def test_a_helper_belongs_to_the_function_that_calls_it_and_not_to_another():
    source = (
        "function help(x) { return x * 2 + 1; }\n"
        "function uses(xs) { return xs.map((x) => help(x)); }\n"
        "function alone(xs) { return xs.length; }\n"
    )
    units = {unit.name: unit for unit in units_of(source, "javascript")}
    assert units["uses"].form != units["uses"].whole and units["uses"].reached == ((2, 2), (1, 1))
    assert units["alone"].form == units["alone"].whole and units["help"].reached == ((1, 1),)


def test_every_twin_that_is_asked_is_kept_out():
    for benchmark in (core, easy):
        drafts = [
            draft for draft in benchmark.drafts("", language="javascript") if isinstance(draft, TaskDraft)
        ]
        assert all(program_copy(draft.program) for draft in drafts[:: 1 if benchmark is core else 9])


def test_the_programs_of_the_published_benchmark_are_known():
    assert fingerprints(JAVASCRIPT_FILE).benchmarks == {"cruxeval-x": 1100, "core": 20, "easy": 500}


def test_a_build_leaves_a_copy_out(tmp_path: Path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "copy.ts").write_text(COPY.replace("export ", ""))
    (tmp_path / "in" / "own.ts").write_text(OWN)
    rows = [{"call": "gather(3)", "file": name} for name in ("copy.ts", "own.ts")]
    (tmp_path / "calls.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = SourceOptions(
        source="files", path=str(tmp_path / "in"), calls_file=str(tmp_path / "calls.jsonl")
    )
    report = build(options, tmp_path / "out", workers=1)
    assert (report.n_kept, report.dropped) == (1, {REASON: 1})
