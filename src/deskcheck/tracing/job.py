"""The tracing job as the sandbox runs it: bytes in, bytes out.

    payload = encode_request(program, limits)
    run(payload) -> bytes of a Trace            the job's name is "deskcheck.tracing.job:run"

Runs in the sandbox's child. What comes back is not to be trusted: `collect` validates it in the parent.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from deskcheck.records import Limits, MemoryLimit, Program, Raised
from deskcheck.tracing.bundle import bundle_of
from deskcheck.tracing.modules import write_data
from deskcheck.tracing.reference import trace_program

FUNCTION = "deskcheck.tracing.job:run"
_decoder = msgspec.msgpack.Decoder(tuple[Program, Limits])


def encode_request(program: Program, limits: Limits) -> bytes:
    """Payload of one job."""
    return msgspec.msgpack.encode((program, limits))


def run(payload: bytes) -> bytes:
    """Trace one program; the encoded Trace."""
    program, limits = _decoder.decode(payload)
    bundle = bundle_of(program)
    if bundle is not None:
        write_data(bundle, Path.cwd())
    trace = trace_program(program, limits)
    if (
        isinstance(trace.outcome, Raised)
        and trace.outcome.type == "MemoryError"
        and not trace.outcome.message
    ):
        trace = msgspec.structs.replace(trace, outcome=MemoryLimit(limits.memory_bytes))
    return msgspec.msgpack.encode(trace)
