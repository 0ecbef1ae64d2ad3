"""Coverage-guided fuzzing of everything that reads bytes from elsewhere. Needs `pip install atheris`.

    python -m tests.fuzz.decoders frames --minutes 10        in the repository's root
    python -m tests.fuzz.decoders all --minutes 60           each target in turn, an equal share each

frames: what a child sends. parts: well keyed frames of a long trace and its parts, joined, read and checked
as the parent does. messages: what a zygote says. packed: a trace as the child packs it, read and checked.
parquet: a shard. Seeds are valid inputs, made here; what is found new is kept
in --corpus. A target ends its run with a traceback, and the input in a file, when the reader raises anything
but the error that it promises, or dies. Atheris has no wheels for every Python: it was run on 3.11.
"""

from __future__ import annotations

import argparse
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["deskcheck"]):
    from deskcheck.errors import DataError, UserError
    from deskcheck.format.shards import read_traces, write_pairs
    from deskcheck.records import Limits
    from deskcheck.sandbox import wire
    from deskcheck.sandbox.parts import STREAMS
    from deskcheck.tracing.collect import check_packed
    from deskcheck.tracing.packed import OFFSETS, TEXTS, pack, pack_head, unpack, unpack_parts
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.run import packed_program, trace_program
    from deskcheck.tracing.source_facts import read_table, table_of

LIMITS = Limits(max_steps=200, trace_bytes=1 << 16)
KEYS = [bytes([i]) * wire.KEY_BYTES for i in range(3)]
PROGRAM = make_program(
    "class A:\n    pass\ndef f(n):\n    xs = [n, 'é', 1.5, {1: b'x'}]\n    for i in range(n):\n"
    "        xs.append(A())\n    try:\n        xs[99]\n    except IndexError as e:\n        return xs, e\n",
    "f",
    "3",
    origin="fuzz",
)

TABLE = table_of(PROGRAM)


def fuzz_frames(data: bytes) -> None:
    """Never an exception; never more held than may come."""
    reader = wire.FrameReader(KEYS, body_bytes=4096, output_bytes=512, parts_bytes=8192)
    cut = data[0] * len(data) // 256 if data else 0
    for piece in (data[:cut], data[cut:]):
        for frame in reader.feed(piece):
            assert frame.parts.keys() <= set(range(STREAMS))
            assert all(frame.parts.values()) and sum(map(len, frame.parts.values())) <= 8192
    reader.close()
    assert len(reader._buffer) <= wire.FRAME.size + wire.MAX_REFUSALS + 513 + 4096 + len(data)
    assert reader.index <= len(KEYS)


_PARTS_BYTES = 1 << 12
_RECORD = struct.Struct("!BH")
_END = 255


def fuzz_parts(data: bytes) -> None:
    """What a child with the right key sends: parts come joined, or not at all; then a trace or DataError.

    `data`: records of stream, length, bytes; stream 255 is the job's answer.
    """
    reader = wire.FrameReader(KEYS, body_bytes=1 << 16, output_bytes=512, parts_bytes=_PARTS_BYTES)
    reader.feed(_frame(0, wire.STARTED, 0, b""))
    joined: dict[int, bytes] = {}
    at, index, may_go_on = 0, 0, True
    while len(data) - at >= _RECORD.size and index < len(KEYS):
        stream, size = _RECORD.unpack_from(data, at)
        body = data[at + _RECORD.size : at + _RECORD.size + size]
        at += _RECORD.size + size
        kind = wire.DONE if stream == _END else wire.PART
        frame = _frame(index, kind, 0 if kind == wire.DONE else stream, body)
        cut = size % (len(frame) + 1)
        found = reader.feed(frame[:cut]) + reader.feed(frame[cut:])
        if kind == wire.PART:
            joined[stream] = joined.get(stream, b"") + body
            may_go_on &= stream < STREAMS and bool(body) and sum(map(len, joined.values())) <= _PARTS_BYTES
            assert not found and (reader.fault is None) == may_go_on
            continue
        assert len(found) == may_go_on
        for one in found:
            assert {number: bytes(view) for number, view in one.parts.items()} == joined
            assert one.body == body
            try:
                packed = unpack_parts(one.body, one.parts) if joined else unpack(body)
                check_packed(packed, PROGRAM, LIMITS, TABLE)
            except DataError:
                continue
        joined, index = {}, index + 1
    reader.close()


def _frame(index: int, kind: int, stream: int, body: bytes) -> bytes:
    return (
        wire.FRAME.pack(wire.FRAME_MAGIC, index, kind, b"\0\0\0", stream, 0, 0, len(body), KEYS[index], 0)
        + body
    )


def fuzz_messages(data: bytes) -> None:
    """Messages or ValueError."""
    try:
        wire.take_messages(bytearray(data))
    except ValueError:
        return


def fuzz_tables(data: bytes) -> None:
    """A table of lines or DataError."""
    try:
        table = read_table(data)
    except DataError:
        return
    found = table.lines("f", 3)
    assert found is not None or data != TABLE


def fuzz_packed(data: bytes) -> None:
    """A checked trace or DataError."""
    try:
        check_packed(unpack(data), PROGRAM, LIMITS, TABLE)
    except DataError:
        return


SHARD = Path(
    tempfile.mkdtemp(prefix="deskcheck-fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
)


def fuzz_parquet(data: bytes) -> None:
    """Traces, or an error of ours."""
    path = SHARD / "shard.parquet"
    path.write_bytes(data)
    try:
        for _ in read_traces(path):
            pass
    except (DataError, UserError):
        return


TARGETS: dict[str, Callable[[bytes], None]] = {
    "frames": fuzz_frames,
    "parts": fuzz_parts,
    "messages": fuzz_messages,
    "packed": fuzz_packed,
    "tables": fuzz_tables,
    "parquet": fuzz_parquet,
}


def seeds(target: str) -> list[bytes]:
    """Valid inputs."""
    if target == "frames":
        start = wire.FRAME.pack(wire.FRAME_MAGIC, 0, wire.STARTED, b"\0\0\0", 0, 0, 0, 0, KEYS[0], 0)
        each = [
            wire.FRAME.pack(wire.FRAME_MAGIC, i, wire.DONE, b"\0\0\0", 0, 5, 2, 3, KEYS[i], 0) + b"writeouabc"
            for i in range(3)
        ]
        parts = (
            _frame(0, wire.PART, 3, b"abc") + _frame(0, wire.PART, 63, b"d") + _frame(0, wire.PART, 3, b"e")
        )
        return [start, start + each[0], start + b"".join(each), start + parts + b"".join(each)]
    if target == "parts":
        return _seeds_of_parts()
    if target == "messages":
        every = [
            wire.Ready(True),
            wire.Started(7, False),
            wire.Exited(9, 0.5),
            wire.Unloadable("x"),
            wire.Unable("y"),
        ]
        return [wire.pack(one) for one in every] + [b"".join(map(wire.pack, every))]
    if target == "packed":
        return [pack(packed_program(PROGRAM, LIMITS))]
    if target == "tables":
        return [TABLE]
    path = SHARD / "seed.parquet"
    write_pairs(path, [(PROGRAM, trace_program(PROGRAM, LIMITS))])
    return [path.read_bytes()]


def _seeds_of_parts() -> list[bytes]:
    """A trace in parts, each column in one and in two; one that is not in parts; both."""
    packed = packed_program(PROGRAM, LIMITS)
    columns = {number: bytes(column) for number, column in enumerate(packed.columns) if len(column)}
    columns |= {OFFSETS: bytes(packed.offsets)} if packed.head.present >> TEXTS & 1 else {}
    whole = [(number, column) for number, column in columns.items()]
    halves = [(n, half) for n, column in whole for half in (column[:4], column[4:]) if half]
    end, short = (_END, pack_head(packed.head)), (_END, pack(packed))
    each = [[*whole, end], [*halves, end], [short], [short, *halves, end, short]]
    return [b"".join(_RECORD.pack(n, len(body)) + body for n, body in records) for records in each]


def run(target: str, seconds: int, corpus: Path) -> int:
    """One target in a process of its own, because libFuzzer ends the one it runs in."""
    folder = corpus / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (folder / f"seed-{number}").write_bytes(seed)
    command = [sys.executable, "-m", "tests.fuzz.decoders", target, "--inside", str(folder),
               f"-max_total_time={seconds}", "-max_len=65536", "-rss_limit_mb=4096", "-timeout=20",
               f"-artifact_prefix={corpus}/{target}-", "-print_final_stats=1"]  # fmt: skip
    return subprocess.run(command, check=False).returncode


def main() -> None:
    if "--inside" in sys.argv:
        target, _, *rest = sys.argv[1:]
        atheris.Setup([sys.argv[0], *rest], TARGETS[target])
        atheris.Fuzz()
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=[*TARGETS, "all"])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    asked = parser.parse_args()
    chosen = list(TARGETS) if asked.target == "all" else [asked.target]
    codes = {name: run(name, int(asked.minutes * 60 / len(chosen)), asked.corpus) for name in chosen}
    print({name: "no crash" if code == 0 else f"exit {code}" for name, code in codes.items()})
    sys.exit(any(codes.values()))


if __name__ == "__main__":
    main()
