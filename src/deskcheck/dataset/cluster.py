"""Build on a Ray cluster: send programs in batches, receive traces in order; a lost node loses nothing.

    trace = on_ray("auto")                                    the tracer that `build(.., trace=trace)` takes
    for program, packed in trace(programs, limits): ...

Each batch runs in the sandbox of one node. If a node dies, Ray sends its batches to other nodes. Only the
driver writes the folder, so the bytes of a dataset do not depend on the cluster.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from deskcheck.dataset.build import TracePacked
from deskcheck.errors import MissingExtra, UserError
from deskcheck.format.buffers import Packed
from deskcheck.records import Limits, Program
from deskcheck.sandbox import containment
from deskcheck.sandbox.wire import Report

BATCH = 48
"""Programs in one batch: some tenths of a second of work."""
AHEAD = 3
"""Batches sent ahead for each processor of the cluster."""


def on_ray(address: str) -> TracePacked:
    """Return a tracer on the cluster at an address ("auto", "HOST:6379", "local").

    UserError if there is no cluster; MissingExtra if Ray is not installed.
    """
    try:
        import ray
    except ModuleNotFoundError:
        raise MissingExtra("ray", "scale", "--ray") from None
    if not ray.is_initialized():
        try:
            ray.init(address=address, logging_level="error", log_to_driver=False)
        except Exception as error:  # Ray raises a plain Exception if its own processes do not start
            said = " ".join(str(error).split())[:200]
            raise UserError(
                f"--ray {address}: no cluster answers: {said}; start one with ray start --head"
            ) from None
    send = ray.remote(num_cpus=1, max_retries=20)(_trace_batch)
    n_cpus = max(1, int(ray.cluster_resources().get("CPU", 1)))
    level = containment.find().level

    def trace(
        programs: Iterable[Program],
        limits: Limits,
        *,
        workers: int = 0,
        require: str = "limits",
        confirm: bool = False,
        report: Any = None,
    ) -> Iterator[tuple[Program, Packed]]:
        source = iter(programs)
        under_way: deque[tuple[list[Program], Any]] = deque()
        reports: list[Report] = []
        while True:
            while len(under_way) < AHEAD * (workers or n_cpus) and (batch := list(islice(source, BATCH))):
                under_way.append((batch, send.remote(batch, limits, require, confirm, level)))
            if not under_way:
                break
            batch, reference = under_way.popleft()
            packed, reply = ray.get(reference)
            reports += reply
            yield from zip(batch, packed, strict=True)
        if report is not None:
            for one in reports:
                report(one)

    return trace


def _trace_batch(
    programs: list[Program], limits: Limits, require: str, confirm: bool, level: str
) -> tuple[list[Packed], list[Report]]:
    """Trace one batch on a node, whose containment level must be the driver's."""
    from deskcheck.tracers import trace_packed

    if (ours := containment.find().level) != level:
        raise UserError(f"the containment level of a node is '{ours}', that of the driver '{level}'")
    reports: list[Report] = []
    traced = trace_packed(
        programs, limits, workers=1, require=require, confirm=confirm, report=reports.append
    )
    return [_whole(packed) for _, packed in traced], reports


def _whole(packed: Packed) -> Packed:
    """Copy views of a worker's memory into bytes, because views cannot be sent in a message."""
    found = Packed(packed.head, [bytes(column) for column in packed.columns], bytes(packed.offsets))
    found.compared = packed.compared
    return found
