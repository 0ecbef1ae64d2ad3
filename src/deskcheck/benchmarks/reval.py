"""REval: questions about coverage, state, path and output at lines that its authors chose.

    deskcheck eval --model openai/gpt-4o --benchmark reval --data REval/data --task state

Source: Chen et al., arXiv 2403.16437; github.com/r-eval/REval, data/. License: none stated in its repository.
--data is the folder with DREval_data.jsonl (task_id, entry_point, code, inputs ["(1, [2],)"], outputs) and
DREval_tasks.jsonl (idx, tasks [{input_idx, task [{lineno, var}], output_pred}]), plain or .gz. Its tasks
correspond to our kinds of question: coverage to `reached`, state to `state`, path to `next-line`, output to
`output`. If a line is reached several times, REval accepts the value of any visit; we ask about the first.
With ask=lines there is one draft for each line and variable. With ask=runs there is one draft for each input;
use it for all kinds of question but these four. Programs 85 to 153 are classes of ClassEval with unit tests,
which are turned into functions (`_reval_tests.py`). Tests that need a setUp are skipped and counted, and a
variable that is no plain name ("self.items") has no `state` question. In these programs, the line after the
last line of the class is a line of the test, so `next-line` differs from REval's path.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from deskcheck.benchmarks._reval_tests import NAME, callable_test
from deskcheck.data_files import given, int_field, list_field, read_rows, text_field
from deskcheck.errors import DataError, UserError
from deskcheck.languages.python.parsing import parse_expression
from deskcheck.records import Program, Skipped, TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
FILES = ("DREval_data.jsonl", "DREval_tasks.jsonl")


def drafts(data: str, *, ask: Literal["lines", "runs"] = "lines") -> Iterator[TaskDraft | Skipped]:
    """Yield all drafts in the order of the tasks file.

    Ids are "program:input:line:variable", or "program:input" with ask=runs.
    """
    if not Path(data or "none").is_dir():
        raise UserError(
            f"benchmark 'reval' needs the folder that holds {FILES[0]} and {FILES[1]}: --data FOLDER"
        )
    paths = [_file(Path(data), name) for name in FILES]
    programs = [(number, row) for number, row in read_rows(paths[0])]
    for number, row in read_rows(paths[1]):
        index = int_field(row, "idx", paths[1], number)
        if not 0 <= index < len(programs):
            raise DataError(f"{paths[1]}, row {number}: idx {index}, but {paths[0]} has {len(programs)} rows")
        for pair in list_field(row, "tasks", paths[1], number):
            if not isinstance(pair, dict):
                raise DataError(f"{paths[1]}, row {number}: a task that is no object")
            which = int_field(pair, "input_idx", paths[1], number)
            identity = f"{index}:{which}"
            program_of = _program(identity, which, programs[index], paths[0])
            if isinstance(program_of, str):
                yield Skipped(identity, program_of)
            elif ask == "runs":
                yield TaskDraft(identity, program_of[0], program_of[1], cluster=str(index))
            else:
                yield from _at_lines(identity, program_of, pair, paths[1], number)


def _file(folder: Path, name: str) -> Path:
    packed = folder / f"{name}.gz"
    return packed if packed.is_file() else given(str(folder / name))


def _at_lines(
    identity: str, program_of: tuple[Program, str], pair: dict[str, object], path: Path, number: int
) -> Iterator[TaskDraft]:
    program, recorded = program_of
    for place in list_field(pair, "task", path, number):
        if not isinstance(place, dict):
            raise DataError(f"{path}, row {number}: a place that is no object")
        line, name = int_field(place, "lineno", path, number), text_field(place, "var", path, number)
        cluster = identity.partition(":")[0]
        yield TaskDraft(f"{identity}:{line}:{name}", program, recorded, cluster, line=line, variable=name)


def _program(
    identity: str, which: int, numbered: tuple[int, dict[str, object]], path: Path
) -> tuple[Program, str] | str:
    """Return program and recorded answer of one input, or why it cannot be called."""
    number, row = numbered
    code, entry = text_field(row, "code", path, number), text_field(row, "entry_point", path, number)
    inputs = list_field(row, "inputs", path, number)
    if not 0 <= which < len(inputs):
        raise DataError(f"{path}, row {number}: no input number {which}")
    text = str(inputs[which])
    try:
        node: ast.expr | None = parse_expression(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        node = None
    if not isinstance(node, ast.Tuple):
        made = callable_test(code, text)
        if isinstance(made, str):
            return made
        return make_program(made[0], NAME, "", origin=f"reval:{identity}"), made[1]
    outputs = list_field(row, "outputs", path, number)
    arguments = ", ".join(ast.get_source_segment(text.strip(), one) or "" for one in node.elts)
    recorded = str(outputs[which]) if which < len(outputs) else ""
    return make_program(code, entry, arguments, origin=f"reval:{identity}"), recorded
