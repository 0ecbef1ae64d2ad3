"""Trace a program that its user trusts: in a separate process, outside the sandbox.

    run_trusted(program, limits, granularity=.., folder=Path(".")) -> (Packed, b"output", b"errors")

The program has the user's files, network, environment, standard input, output and error. With `mask`, its
output to a pipe or a file is held back until it ends, because only then are all secrets of the run known.
Output beyond `MOST_HELD` bytes is masked by what is known and passed on at once. If the user's stream is a
terminal, the program gets a terminal of its own, whose lines are masked and written to the user's. The trace
comes back through a file that only this user can read. Unlike the trace of a contained run, it is not
checked, because a program that can write this file can also change this process. `__file__` is the real path
of each file, and the program's folder is on the import path.
Not covered: `multiprocessing` with "spawn", which starts the program anew and does not find its file.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, TextIO

from deskcheck.format.buffers import Packed, packed_of
from deskcheck.records import Crashed, Granularity, Limits, Outcome, Program, TimeLimit
from deskcheck.tracing.execution import empty_trace
from deskcheck.tracing.packed import pack, unpack
from deskcheck.tracing.program import decode_request, encode_request
from deskcheck.tracing.run import packed_program

MOST_HELD = 1 << 20
"""Bytes of one stream that are held back."""
PROMPT_S = 0.05
"""Seconds after which a part of a line is written to a terminal, since it may be a question."""
_START = "from deskcheck.tracing.trusted import child; child()"


def run_trusted(
    program: Program,
    limits: Limits,
    *,
    granularity: Granularity,
    folder: Path,
    time_limit_s: float | None = None,
    output_to_stderr: bool = False,
    mask: Callable[[bytes], bytes] | None = None,
) -> tuple[Packed, bytes, bytes]:
    """Return the program's trace, and what was held back of its output and errors; the caller writes these.

    A crash or the end of its time is the trace's outcome. `folder`: folder of the program's files.
    `time_limit_s`: None = no limit. `output_to_stderr`: the program's standard output goes to standard error,
    to keep standard output free for the trace. `mask`: writes secrets as stars; with None, nothing is held
    back.
    """
    streams = [_Stream(sys.stderr if output_to_stderr else sys.stdout, mask), _Stream(sys.stderr, mask)]
    packed = _run(program, limits, granularity, folder, time_limit_s, streams)
    output, errors = (stream.close() for stream in streams)
    return packed, output, errors


class _Stream:
    """One stream of the program: the user's own, or a pipe from which this process reads."""

    def __init__(self, target: TextIO, mask: Callable[[bytes], bytes] | None) -> None:
        self._target, self._mask = target, mask
        self._held = bytearray()
        self._reader: threading.Thread | None = None
        self._master = self._slave = -1
        """Ends of the program's own terminal, if the user's stream is a terminal; -1 = none."""

    def given(self) -> int | TextIO:
        """Return what the program's process gets as this stream."""
        is_terminal = self._target.isatty()
        if self._mask is None or (is_terminal and not hasattr(os, "openpty")):
            return self._target
        if not is_terminal:
            return subprocess.PIPE
        self._master, self._slave = _terminal_like(self._target.fileno())
        return self._slave

    def read(self, pipe: IO[bytes] | None) -> None:
        """Begin to read what the process writes, if it has a pipe or a terminal of its own."""
        if self._slave >= 0:
            os.close(self._slave)  # the process has a copy; the output ends when that is closed
            self._reader = threading.Thread(target=self._relay, daemon=True)
            self._reader.start()
        elif pipe is not None:
            self._reader = threading.Thread(target=self._read, args=(pipe,), daemon=True)
            self._reader.start()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            while data := pipe.read1(1 << 16):  # type: ignore[attr-defined]  # a buffered pipe has it
                self._held += data
                if len(self._held) > MOST_HELD:
                    end = self._held.rfind(b"\n") + 1 or len(self._held)
                    done, self._held = bytes(self._held[:end]), self._held[end:]
                    assert self._mask is not None
                    self._target.buffer.write(self._mask(done))
                    self._target.flush()

    def _relay(self) -> None:
        """Write the process's output to the user's terminal, masked line by line.

        Part of a line is written after PROMPT_S seconds.
        """
        assert self._mask is not None
        line = b""
        with open(self._master, "rb", buffering=0) as terminal:
            while True:
                is_ready = bool(select.select([terminal], [], [], PROMPT_S if line else None)[0])
                try:
                    data = terminal.read(1 << 16) if is_ready else b""
                except OSError:  # EIO: the last process that had the terminal has ended
                    data = b""
                line += data
                end = len(line) if not data else line.rfind(b"\n") + 1
                if end:
                    self._target.buffer.write(self._mask(line[:end]))
                    self._target.flush()
                    line = line[end:]
                if is_ready and not data:
                    return

    def close(self) -> bytes:
        """Return what was held back, once the process has ended; its own children may still write."""
        if self._reader is not None:
            self._reader.join(1.0)
        return bytes(self._held)


def _terminal_like(descriptor: int) -> tuple[int, int]:
    """Return the ends of a new terminal, as wide and high as that at `descriptor`.

    It changes no byte: newlines are translated by the user's terminal alone.
    """
    import termios  # Windows has none, and no such terminal

    master, slave = os.openpty()
    settings = termios.tcgetattr(slave)
    settings[1] &= ~termios.OPOST  # the user's terminal translates newlines
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    termios.tcsetwinsize(slave, termios.tcgetwinsize(descriptor))
    return master, slave


def _run(
    program: Program,
    limits: Limits,
    granularity: Granularity,
    folder: Path,
    time_limit_s: float | None,
    streams: list[_Stream],
) -> Packed:
    """Run the program in a child process and return its trace; a crash or the time limit leaves no events."""
    with tempfile.TemporaryDirectory(prefix="deskcheck-") as place:
        request, answer = Path(place, "request"), Path(place, "trace")
        request.write_bytes(encode_request(program, limits, granularity=granularity))
        command = [sys.executable, "-P", "-c", _START, str(request), str(answer), str(folder)]
        # Ctrl-C reaches the program as well, and its reaction is part of the run.
        before = signal.signal(signal.SIGINT, lambda *_: None)
        try:
            child = subprocess.Popen(command, stdout=streams[0].given(), stderr=streams[1].given())
            streams[0].read(child.stdout)
            streams[1].read(child.stderr)
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
