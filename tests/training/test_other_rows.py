"""Traces of others as rows to train on: CWM's frames and CodeAlchemy's CodeTrace."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from deskcheck.decontamination.prose import near_copy_in
from deskcheck.errors import DataError
from deskcheck.layouts import cwm
from deskcheck.layouts.cwm import render
from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.hub.other import read_rows

CODE = "def f(n):\n    total = 0\n    for k in range(n):\n        total += k\n    return total"


def rows_of(path: Path, *rows: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_frames_that_we_write_are_read_as_the_same_example(tmp_path: Path) -> None:
    program = make_program(CODE, "f", "3", origin="x", license="MIT")
    (example,) = render(trace_program(program, Limits()), program)
    row = {"code": CODE, "input": "3", "generation": example.target}
    wrong = row | {"correct": False}
    ((found, place),) = read_rows(rows_of(tmp_path / "a.jsonl", wrong, row))
    assert found["prompt"] == [{"role": "user", "content": example.prompt}]
    assert found["completion"] == [{"role": "assistant", "content": example.target}]
    assert place.endswith("a.jsonl:2")  # the trace that is said to be wrong is left out


def test_what_is_no_trace_is_named(tmp_path: Path) -> None:
    for generation in ("<|line_sep|>{}<|action_sep|>    return f(3)", "f(3) = 3" + cwm.FRAME):
        row = {"code": CODE, "input": "3", "generation": generation}
        with pytest.raises(DataError, match=r"a\.jsonl:1: a trace whose last frame"):
            list(read_rows(rows_of(tmp_path / "a.jsonl", row)))
    broken = "<|line_sep|>{}<|action_sep|>    return f(3)\n<|frame_sep|>nothing<|frame_sep|>"
    with pytest.raises(DataError, match=r"a\.jsonl:1: no frame"):
        list(read_rows(rows_of(tmp_path / "a.jsonl", {"code": CODE, "input": "3", "generation": broken})))


def test_turns_of_a_code_trace_are_messages(tmp_path: Path) -> None:
    text = "User:\nRun it.\n\nAssistant:\n<think>\n..\n</think>\n3\n\nUser:\nAgain\n\nAssistant:\n4"
    with gzip.open(tmp_path / "t.jsonl.gz", "wt") as file:
        file.write(json.dumps({"text": text, "language": "Python", "len_text": len(text)}) + "\n")
    ((row, _),) = read_rows(tmp_path / "t.jsonl.gz")
    said = [(one["role"], one["content"]) for one in row["prompt"]]
    assert said == [("user", "Run it."), ("assistant", "<think>\n..\n</think>\n3"), ("user", "Again")]
    assert row["completion"] == [{"role": "assistant", "content": "4"}]
    with pytest.raises(DataError, match="does not go 'User:'"):
        list(read_rows(rows_of(tmp_path / "b.jsonl", {"text": "print(3)"})))


def test_traces_of_a_benchmark_are_read_and_known_as_its_copies() -> None:
    file = Path(os.environ.get("DESKCHECK_DATA", "")) / "cwm-traces/cwm-32b.greedy.sample.jsonl.gz"
    if not file.is_file():
        pytest.skip("needs cwm-traces in DESKCHECK_DATA")
    rows = list(read_rows(file))
    assert len(rows) == 7
    for row, _ in rows:
        match = near_copy_in(row["prompt"][0]["content"])
        assert match is not None and match.benchmark == "cruxeval"
