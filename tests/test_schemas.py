"""The shipped JSON schemas are those of the code, and what the commands write is valid under them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.evaluation.test_columns import row, rows, samples

from deskcheck.evaluation.sample_records import as_json
from deskcheck.format.buffers import packed_of, trace_of
from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

ROOT = Path(__file__).parents[1]
SOURCE = """\
def f(xs):
    d = {x: [x] for x in xs}
    try:
        d[9]
    except KeyError:
        return d
"""


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / f"src/deskcheck/schemas/{name}.json").read_text("utf-8"))
    return found


def documents() -> dict[str, Any]:
    """Name of a schema -> a document as a command writes it."""
    trace = trace_program(make_program(SOURCE, "f", "[1, 2]", origin="test"), Limits())
    texts = {
        "trace": msgspec.json.encode(trace_of(packed_of(trace))),
        "results": as_json({"command": "deskcheck eval"}, [row()]),
        "sample": msgspec.json.encode(samples()[0]),
        "row": msgspec.json.encode(rows()[0]),
    }
    return {name: json.loads(text) for name, text in texts.items()}


def test_the_schemas_are_current():
    words = [sys.executable, ROOT / "docs/make_schemas.py", "--check"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["trace", "results", "sample", "row"])
def test_what_is_written_is_valid_and_without_a_field_it_is_not(name: str):
    jsonschema = pytest.importorskip("jsonschema", reason="comes with Inspect")
    validator = jsonschema.Draft202012Validator(schema(name))
    document = documents()[name]
    assert list(validator.iter_errors(document)) == []
    required = schema(name)["$defs"][schema(name)["$ref"].rpartition("/")[2]]["required"]
    assert required
    for field in required:
        assert list(validator.iter_errors({key: value for key, value in document.items() if key != field}))


def test_every_column_of_an_answer_is_described():
    properties = schema("row")["$defs"]["Result"]["properties"]
    assert properties["state_size"]["description"].startswith("Most variables")
    assert properties["question"]["description"].startswith("Kind of question")
