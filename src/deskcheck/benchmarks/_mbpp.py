"""Rows of MBPP as items: what `mbpp`, `mbpp_sanitized` and `mbpp_nested` share.

    {"task_id": 1, "code": .., "test_list": ["assert f(..) == 8", ..], "test_setup_code": ..} -> Item, ..

An assert that does not compare a call of the row's own function with a literal is skipped and counted. Items
of one row share a cluster. A row's set-up code runs after its own, imports that only the tests need before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from deskcheck.benchmarks._calls import call_and_answer
from deskcheck.data_files import Hub, int_field, list_field, rows_of, text_field
from deskcheck.errors import DataError
from deskcheck.grading.literals import parse_module
from deskcheck.records import Item, Skipped
from deskcheck.tracing.program import make_program

REPOSITORY = ("google-research-datasets/mbpp", "4bb6404fdc6cacfda99d4ac4205087b89d32030c")
LICENCE = "CC-BY-4.0"
SPLITS = {
    "prompt": range(1, 11),
    "test": range(11, 511),
    "validation": range(511, 601),
    "train": range(601, 975),
}


def hub(config: str) -> Hub:
    """The four files of a configuration, in the order of the task numbers."""
    return (*REPOSITORY, *(f"{config}/{split}-00000-of-00001.parquet" for split in SPLITS))


def split_of(task_id: int) -> str:
    """The split that a task number belongs to, as the source defines it."""
    return next((name for name, numbers in SPLITS.items() if task_id in numbers), "unknown")


def items_of(name: str, data: str, config: str, *, statement: str) -> Iterator[Item | Skipped]:
    """All items of a file or of the hub's configuration; `statement` = "none" or "en"."""
    for path, number, row in rows_of(data, hub(config)):
        yield from _of_row(name, path, number, row, statement=statement)


def _of_row(
    name: str, path: Path, number: int, row: dict[str, object], *, statement: str
) -> Iterator[Item | Skipped]:
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
    for k, test in enumerate(tests):
        identity = f"{task_id}:{k}"
        found = call_and_answer(str(test))
        if found is None or found[0] not in defined:
            reason = (
                "no assert of the form call == literal" if found is None else "the call is inside another"
            )
            yield Skipped(identity, reason)
            continue
        entry, arguments, answer = found
        program = make_program(
            source,
            entry,
            arguments,
            origin=f"{name}:{identity}",
            licence=LICENCE,
            prelude="".join(f"{line}\n" for line in imports),
        )
        yield Item(
            id=identity,
            program=program,
            recorded=answer,
            cluster=str(task_id),
            tags={"split": split_of(task_id)},
            statement=words if statement == "en" else "",
        )
