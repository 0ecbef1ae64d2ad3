"""Turn rows of MBPP into drafts, for `mbpp`, `mbpp_sanitized` and `mbpp_nested`.

    {"task_id": 1, "code": .., "test_list": ["assert f(..) == 8", ..], "test_setup_code": ..} -> TaskDraft, ..

An assert that does not compare a call of the row's function with a literal is skipped and counted. Drafts of
one row share a cluster. Imports of the tests run before the row's code, and set-up code of the tests after
it. The drafts of a row of MBPP+ are the many inputs in its field `test` (`_plus.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deskcheck.benchmarks._calls import call_and_answer
from deskcheck.benchmarks._plus import plus_cases
from deskcheck.data_files import Hub, int_field, list_field, rows_of, text_field
from deskcheck.errors import BadSource, DataError
from deskcheck.languages.python.parsing import parse_module
from deskcheck.records import Skipped, TaskDraft
from deskcheck.tracing.program import make_program

REPOSITORY = ("google-research-datasets/mbpp", "4bb6404fdc6cacfda99d4ac4205087b89d32030c")
LICENSE = "CC-BY-4.0"
SPLITS = {
    "prompt": range(1, 11),
    "test": range(11, 511),
    "validation": range(511, 601),
    "train": range(601, 975),
}


def hub(config: str) -> Hub:
    """Return the hub's repository, commit and the four files of a configuration, by task number."""
    return (*REPOSITORY, *(f"{config}/{split}-00000-of-00001.parquet" for split in SPLITS))


def split_of(task_id: int) -> str:
    """Return the split that contains a task number, as the source defines it."""
    return next((name for name, numbers in SPLITS.items() if task_id in numbers), "unknown")


def drafts_of(
    name: str, data: str, config: str, *, statement: str, cases: int = 0
) -> Iterator[TaskDraft | Skipped]:
    """Yield all drafts of a file, or of the hub's configuration if `data` is "".

    `statement` is "none" or "en"; `cases` is the maximum number of drafts of each row, 0 = all.
    """
    for path, number, row in rows_of(data, hub(config)):
        if "plus_input" in row:
            raise DataError(
                f"{path}, row {number}: EvalPlus's JSON lines of MBPP+ have lost the types of tuples "
                "and sets; name the file of hub evalplus/mbppplus instead"
            )
        yield from _of_row(name, path, number, row, statement=statement, cases=cases)


def _of_row(
    name: str, path: Path, number: int, row: dict[str, object], *, statement: str, cases: int
) -> Iterator[TaskDraft | Skipped]:
    task_id = int_field(row, "task_id", path, number)
    source = text_field(row, "code", path, number).replace("\r\n", "\n").rstrip("\n") + "\n"
    words = text_field(row, "text" if "text" in row else "prompt", path, number)
    setup = row.get("test_setup_code") or ""
    imports = list_field(row, "test_imports", path, number)
    if setup:
        source += "\n" + str(setup).replace("\r\n", "\n").rstrip("\n") + "\n"
    tests = list_field(row, "test_list", path, number)
    if not tests:
        raise DataError(f"{path}, row {number}: no asserts in 'test_list'")
    defined = {node.name for node in parse_module(source).body if isinstance(node, ast.FunctionDef)}
    for k, case in enumerate(_calls(path, number, row, tests, defined)[: cases or None]):
        identity = f"{task_id}:{k}"
        if isinstance(case, str):
            yield Skipped(identity, case)
            continue
        entry, arguments, answer = case
        program = make_program(
            source,
            entry,
            arguments,
            origin=f"{name}:{identity}",
            license=LICENSE,
            prelude="".join(f"{line}\n" for line in imports),
        )
        yield TaskDraft(
            id=identity,
            program=program,
            recorded=answer,
            cluster=str(task_id),
            tags={"split": split_of(task_id)},
            statement=words if statement == "en" else "",
        )


def _calls(
    path: Path, number: int, row: dict[str, object], tests: list[object], defined: set[str]
) -> list[tuple[str, str, str] | str]:
    """Return entry, arguments and recorded answer of every case, or why the case is skipped."""
    try:
        plus = plus_cases(row)
    except BadSource as error:
        raise DataError(f"{path}, row {number}: {error}") from None
    if plus is None:
        return [_of_assert(str(test), defined) for test in tests]
    entry = next((node.id for test in tests for node in _names(str(test)) if node.id in defined), "")
    if not entry:
        raise DataError(f"{path}, row {number}: its tests call nothing that its 'code' defines")
    return [case.why or (entry, case.arguments, case.recorded) for case in plus]


def _of_assert(test: str, defined: set[str]) -> tuple[str, str, str] | str:
    found = call_and_answer(test)
    if found is None:
        return "no assert of the form call == literal"
    return found if found[0] in defined else "the call is inside another"


def _names(test: str) -> list[ast.Name]:
    return [node for node in ast.walk(parse_module(test)) if isinstance(node, ast.Name)]
