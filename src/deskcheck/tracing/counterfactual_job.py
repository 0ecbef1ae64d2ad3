"""Run a counterfactual as a job of the sandbox: bytes in, bytes out. Only the child imports this module."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from types import FrameType

import msgspec

from deskcheck.format.buffers import packed_of, unescape
from deskcheck.records import EventKind
from deskcheck.tracing import job
from deskcheck.tracing.counterfactual import NOTE, Ask
from deskcheck.tracing.execution import Compiled
from deskcheck.tracing.packed import pack
from deskcheck.tracing.program import decode_request
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.reference.bindings import FrameRecord
from deskcheck.tracing.reference.tracer import Tracer

# The only names in the texts of values, which `eval` turns back into values.
NAMES: dict[str, object] = {
    "nan": float("nan"),
    "inf": float("inf"),
    "nanj": complex(0, float("nan")),
    "infj": complex(0, float("inf")),
    "set": set,
    "frozenset": frozenset,
    "Ellipsis": ...,
}


def preparer() -> Callable[[bytes], tuple[Compiled, bytes]]:
    """Compile the programs of one batch, as `tracing.job` does."""
    prepare = job.preparer()
    return lambda payload: prepare(msgspec.msgpack.decode(payload, type=Ask).request)


def run(payload: bytes, compiled: Compiled | None = None) -> bytes:
    """Trace the program, bind the names before the given event, and return the packed trace."""
    ask = msgspec.msgpack.decode(payload, type=Ask)
    program, limits, _ = decode_request(ask.request)
    values = {
        unescape(n): eval(unescape(text), {"__builtins__": {}, **NAMES}) for n, text in ask.names.items()
    }
    trace = trace_program(program, limits, tracer_class=_binding(ask.event, values), compiled=compiled)
    notes = sorted(
        [*trace.fidelity.notes, f"{NOTE}: {', '.join(sorted(values))} set before event {ask.event}"]
    )
    fidelity = msgspec.structs.replace(trace.fidelity, notes=notes)
    return pack(packed_of(msgspec.structs.replace(trace, fidelity=fidelity)))


def _binding(event: int, values: dict[str, object]) -> type[Tracer]:
    """Return a tracer class that binds names in the running frame before it records that event."""

    class Binding(Tracer):
        def _write(self, kind: EventKind, record: FrameRecord, frame: FrameType, **more: object) -> int:
            if len(self.columns.event_kind) == event:
                bind(frame, values)
            return super()._write(kind, record, frame, **more)  # type: ignore[arg-type]  # as they came

    return Binding


def bind(frame: FrameType, values: Mapping[str, object]) -> None:
    """Set local variables of a running frame, cells included; other names are set in its module."""
    code = frame.f_code
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    local = frame.f_locals  # a proxy from 3.13 on, before that a copy that must be written back
    for name, value in values.items():
        if name in own:
            local[name] = value
        else:
            frame.f_globals[name] = value
    if sys.version_info < (3, 13):
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
