"""Trace a program that its user trusts in a separate process, not contained.

    run_trusted(program, limits, granularity=.., folder=".", time_limit_s=None) -> Packed

The program has the user's files, network, environment, standard input, output and error. Its trace comes
back through a file that only this user can read. Unlike the trace of a contained run, it is not checked,
because a program that can write this file can also change this process. `__file__` is the real path
of each file, and the program's folder is on the import path.
Not covered: `multiprocessing` with "spawn", which starts the program anew and does not find its file.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from deskcheck.format.buffers import Packed, packed_of
from deskcheck.records import Crashed, Granularity, Limits, Outcome, Program, TimeLimit
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.packed import pack, unpack
from deskcheck.tracing.program import decode_request, encode_request
from deskcheck.tracing.run import packed_program

_START = "from deskcheck.tracing.trusted import child; child()"


def run_trusted(
    program: Program,
    limits: Limits,
    *,
    granularity: Granularity,
    folder: Path,
    time_limit_s: float | None = None,
    output_to_stderr: bool = False,
) -> Packed:
    """Return the program's trace; a death of its process or the end of its time is the outcome.

    `folder`: folder of the program's files. `output_to_stderr`: its standard output goes to standard error,
    to keep standard output free for the trace.
    """
    with tempfile.TemporaryDirectory(prefix="deskcheck-") as place:
        request, answer = Path(place, "request"), Path(place, "trace")
        request.write_bytes(encode_request(program, limits, granularity=granularity))
        command = [sys.executable, "-P", "-c", _START, str(request), str(answer), str(folder)]
        # Ctrl-C reaches the program as well, and its reaction is part of the run.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            child = subprocess.Popen(command, stdout=sys.stderr if output_to_stderr else None)
            try:
                code = child.wait(time_limit_s)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                return _nothing(program, limits, TimeLimit(time_limit_s or 0.0))
        finally:
            signal.signal(signal.SIGINT, before)
        if not answer.is_file():
            return _nothing(program, limits, Crashed(_cause(code)))
        return unpack(answer.read_bytes())


def _nothing(program: Program, limits: Limits, outcome: Outcome) -> Packed:
    return packed_of(empty_trace(program.id, limits, outcome))


def _cause(code: int) -> str:
    """Return the text for `Crashed.cause`: the signal's name, or "exit 3"."""
    return signal.Signals(-code).name if code < 0 else f"exit {code}"


def child() -> None:
    """Run the program in this process and write its trace; `run_trusted` starts a process that calls this."""
    request, answer, folder = map(Path, sys.argv[1:4])
    program, limits, granularity = decode_request(request.read_bytes())
    sys.path.insert(0, str(folder.resolve()))
    packed = packed_program(program, limits, granularity=granularity, folder=str(folder.resolve()))
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    partial = answer.with_suffix(".part")
    partial.write_bytes(pack(packed))
    partial.rename(answer)
