"""One run in one file: written and read back as it was; whatever else a file holds is one clear error."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import packed_of, trace_of
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.packed import RUN_MAGIC, is_run, read_run, write_run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

SOURCES = [
    (
        "def f(n):\n    xs = []\n    for i in range(n):\n        xs.append({i: 'é\\ud800'})\n    return xs\n",
        "3",
    ),
    ("def f(n):\n    return [n][n]\n", "1"),
    ("def f(:\n", ""),
]


def recorded(source: str, arguments: str) -> tuple[Program, Trace]:
    program = make_program(source, "f", arguments, origin="here")
    return program, trace_program(program, Limits())


@pytest.mark.parametrize(("source", "arguments"), SOURCES)
def test_what_is_read_is_what_was_written(source: str, arguments: str, tmp_path: Path):
    program, trace = recorded(source, arguments)
    path = tmp_path / "run.deskcheck"
    write_run(path, program, packed_of(trace))
    read, packed = read_run(path)
    assert (read, trace_of(packed)) == (program, trace)
    assert is_run(path)
    write_run(path, None, packed_of(trace))
    assert read_run(path)[0] is None


def test_a_cut_or_changed_file_is_a_data_error_and_never_another(tmp_path: Path):
    program, trace = recorded(*SOURCES[0])
    path = tmp_path / "run.deskcheck"
    write_run(path, program, packed_of(trace))
    whole = path.read_bytes()
    draw = random.Random(5)
    wrong = [whole[:n] for n in range(0, len(whole), 7)]
    wrong += [
        whole + b"x",
        b"",
        b"PAR1",
        RUN_MAGIC,
        RUN_MAGIC + zlib.compress(b""),
        RUN_MAGIC + zlib.compress(b"\xff" * 9),
    ]
    for _ in range(200):
        at = draw.randrange(len(whole))
        wrong.append(whole[:at] + bytes([whole[at] ^ draw.randrange(1, 256)]) + whole[at + 1 :])
    inner = zlib.decompress(whole[len(RUN_MAGIC) :])
    for _ in range(200):  # behind the check sum of zlib
        at = draw.randrange(len(inner))
        changed = inner[:at] + bytes([inner[at] ^ draw.randrange(1, 256)]) + inner[at + 1 :]
        wrong.append(RUN_MAGIC + zlib.compress(changed))
    refused = 0
    for data in wrong:
        path.write_bytes(data)
        try:
            read_run(path)
        except DataError as error:
            refused += 1
            assert str(path) in str(error)
    assert refused >= len(wrong) - 200


def test_a_file_that_would_grow_without_bound_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("deskcheck.tracing.packed.MAX_BYTES", 1 << 16)
    path = tmp_path / "bomb.deskcheck"
    path.write_bytes(RUN_MAGIC + zlib.compress(b"\0" * (1 << 24)))
    with pytest.raises(DataError, match="larger than 4 GB"):
        read_run(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"no such file: .*none.deskcheck"):
        read_run(tmp_path / "none.deskcheck")
