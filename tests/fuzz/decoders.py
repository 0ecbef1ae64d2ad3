"""Coverage-guided fuzzing of everything that reads bytes from elsewhere. Needs `pip install atheris`.

    python -m tests.fuzz.decoders frames --minutes 10        in the repository's root
    python -m tests.fuzz.decoders all --minutes 60           each target in turn, a quarter of an hour each

frames: what a child sends. messages: what a zygote says. packed: a trace as the child packs it, read and
checked as the parent does. parquet: a shard. Seeds are valid inputs, made here; what is found new is kept
in --corpus. A target ends its run with a traceback, and the input in a file, when the reader raises anything
but the error that it promises, or dies. Atheris has no wheels for every Python: it was run on 3.11.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["deskcheck"]):
    from deskcheck.errors import DataError, UserError
    from deskcheck.records import Limits
    from deskcheck.sandbox import wire
    from deskcheck.storage import read_traces, write_pairs
    from deskcheck.tracing.packed import pack, unpack
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.run import packed_program, trace_program
    from deskcheck.tracing.validate import check_packed

LIMITS = Limits(max_steps=200, trace_bytes=1 << 16)
KEYS = [bytes([i]) * wire.KEY_BYTES for i in range(3)]
PROGRAM = make_program(
    "class A:\n    pass\ndef f(n):\n    xs = [n, 'é', 1.5, {1: b'x'}]\n    for i in range(n):\n"
    "        xs.append(A())\n    try:\n        xs[99]\n    except IndexError as e:\n        return xs, e\n",
    "f",
    "3",
    origin="fuzz",
)


def fuzz_frames(data: bytes) -> None:
    """Never an exception; never more held than may come."""
    reader = wire.FrameReader(KEYS, body_bytes=4096, output_bytes=512, parts_bytes=8192)
    cut = data[0] * len(data) // 256 if data else 0
    for piece in (data[:cut], data[cut:]):
        reader.feed(piece)
    reader.close()
    assert len(reader._buffer) <= wire.FRAME.size + wire.MAX_REFUSALS + 513 + 4096 + len(data)
    assert reader.index <= len(KEYS)


def fuzz_messages(data: bytes) -> None:
    """Messages or ValueError."""
    try:
        wire.take_messages(bytearray(data))
    except ValueError:
        return


def fuzz_packed(data: bytes) -> None:
    """A checked trace or DataError."""
    try:
        check_packed(unpack(data), PROGRAM, LIMITS)
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
    "messages": fuzz_messages,
    "packed": fuzz_packed,
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
        return [start, start + each[0], start + b"".join(each)]
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
    path = SHARD / "seed.parquet"
    write_pairs(path, [(PROGRAM, trace_program(PROGRAM, LIMITS))])
    return [path.read_bytes()]


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
