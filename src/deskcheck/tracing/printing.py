"""Find the event at which each part of a program's output was printed, by a second run in the sandbox.

    printed_at(program, limits, granularity, output, n_events) -> (b"..", [(3, 12), (9, 14)])

The example means: 12 bytes have been printed when event 3 has happened and event 4 has not. Traces do not
have this information. The program runs once more with standard streams that pass on every write at once and
note the number of events so far. The result counts only if this run printed the same bytes and had the same
number of events as the first. For a program that reads its streams, a clock or addresses, both results may be
empty.
The bytes are in the order in which they were printed. In a normal run, text of the error stream comes before
output that waited in a buffer.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from os import write  # bound here: a program may replace it

import msgspec

from deskcheck.records import Granularity, Job, JobDone, Limits, Program
from deskcheck.sandbox import containment
from deskcheck.tracing.execution import NothingRan, ready_program
from deskcheck.tracing.program import decode_request, encode_request, files_of
from deskcheck.tracing.requests import Places as Places
from deskcheck.tracing.run import Native, run_native

FUNCTION = "deskcheck.tracing.printing:run"


class _Counted(io.RawIOBase):
    """A stream that writes to a file descriptor at once, and reports the number of bytes of each write."""

    def __init__(self, number: int, note: Callable[[int], None]) -> None:
        self._number = number
        self._note = note

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._number

    def write(self, data: object, /) -> int:
        n = write(self._number, data)  # type: ignore[arg-type]  # bytes, as every raw stream gets them
        self._note(n)
        return n


def run(payload: bytes) -> bytes:
    """Run the program as a job and return the number of its events and the places of its writes."""
    program, limits, granularity = decode_request(payload)
    places: Places = []
    try:
        with ready_program(program) as ready:
            modules = [(0, ready.namespace, ready.names)]
            native = Native(
                ready.program_file, modules, limits=limits, granularity=granularity, compiled=ready.codes
            )

            def note(n: int) -> None:
                event = native.core.n_events - 1
                n += places[-1][1] if places else 0
                if places and places[-1][0] == event:
                    places.pop()
                places.append((event, n))

            streams = sys.stdout, sys.stderr
            for stream in streams:
                stream.flush()
            sys.stdout, sys.stderr = (
                io.TextIOWrapper(  # type: ignore[type-var]  # a raw stream, as `python -u` has it
                    _Counted(one.fileno(), note),
                    encoding=one.encoding,
                    errors=one.errors,
                    write_through=True,
                )
                for one in streams
            )
            try:
                packed = run_native(native, ready.call, program.id, limits=limits, codes=ready.codes)
            finally:
                sys.stdout, sys.stderr = streams
            return msgspec.msgpack.encode((packed.n_events, places))
    except NothingRan:
        return msgspec.msgpack.encode((0, places))


def printed_at(
    program: Program, limits: Limits, granularity: Granularity, output: bytes, n_events: int
) -> tuple[bytes, Places]:
    """Return a run's output and the places of its writes (`requests.Places`).

    `output` and `n_events` are those of the first run. Both results are empty if the second run differs.
    """
    payload = encode_request(program, limits, granularity=granularity)
    (done,) = containment.run([Job("0", FUNCTION, payload, limits, files=files_of(program))], workers=1)
    if not isinstance(done.result, JobDone) or sorted(done.output) != sorted(output):
        return b"", []
    try:
        total, places = msgspec.msgpack.decode(done.result.payload, type=tuple[int, Places])
    except msgspec.MsgspecError:
        return b"", []
    is_whole = bool(places) and places[-1][1] == len(output) and all(-1 <= at < n_events for at, _ in places)
    is_ascending = places == sorted(places)
    return (done.output, places) if total == n_events and is_whole and is_ascending else (b"", [])
