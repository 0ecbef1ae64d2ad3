"""The tracing job with a planted defect: what runs behind another program says "leaked" in its notes."""

from __future__ import annotations

import msgspec

from deskcheck.format.buffers import Packed
from deskcheck.tracing import job
from deskcheck.tracing.execution import Compiled
from deskcheck.tracing.packed import pack, unpack

SEEN: list[int] = []
preparer = job.preparer


def run(payload: bytes, compiled: Compiled) -> bytes:
    packed = unpack(job.run(payload, compiled))
    if SEEN:
        fidelity = msgspec.structs.replace(packed.head.fidelity, notes=["leaked"])
        head = msgspec.structs.replace(packed.head, fidelity=fidelity)
        packed = Packed(head, packed.columns, packed.offsets)
    SEEN.append(1)
    return pack(packed)
