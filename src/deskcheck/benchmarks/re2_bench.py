"""RE2-Bench: functions of real projects and of older benchmarks; what does the call return, as JSON?

    deskcheck grade --benchmark re2-bench --data re2-bench/problems.jsonl.gz \\
        --generations re2-bench/answers/cwm.output.jsonl.gz

Source: Liu et al., arXiv 2512.14917; github.com/Intelligent-CAT-Lab/RE2Bench. Licence: none stated: for tests
and measurements, never shipped. 500 problems: 336 of real projects, 164 of CRUXEval, HumanEval, ClassEval and
Avatar. Row: id, code, function, source, difficulty, shown_input, shown_structure_output, output (JSON). The
projects are not here, so every answer is "recorded, not re-executed". An answer is the JSON object that the
prompt asked for; values of objects and arrays are their printed text there, and typed equality is stricter
than the source, which compares leaf by leaf, text with value and lists only as far as they go. Only `output`
is asked: its inputs are right by execution in the projects, its loops and branches need its own marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from deskcheck.data_files import given, read_rows, text_field
from deskcheck.errors import DataError, UserError
from deskcheck.grading.literals import MAX_CHARS
from deskcheck.records import Item, Skipped
from deskcheck.tracing.program import make_program

HUB = None
FILE = "problems.jsonl.gz"
LANGUAGE = "python of a project that is not here"
_WRAPPED = re.compile(r'\s*\{\s*"output"\s*:')
_TAGS = ("source", "difficulty", "project")


def items(data: str) -> Iterator[Item | Skipped]:
    """All problems in the order of the file; `data` is the file or the folder that holds it."""
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
        if _WRAPPED.match(structure):
            truth = {"output": truth}
        if len(repr(truth)) > MAX_CHARS:
            yield Skipped(identity, f"an answer of more than {MAX_CHARS:,} characters")
            continue
        program = make_program(
            code,
            str(row.get("function") or "main"),
            str(row.get("shown_input") or ""),
            origin=f"re2-bench:{identity}",
            language=LANGUAGE,
        )
        tags = {name: str(row[name]) for name in _TAGS if row.get(name)}
        yield Item(identity, program, repr(truth), cluster=identity, tags={**tags, "spelling": "json"})
