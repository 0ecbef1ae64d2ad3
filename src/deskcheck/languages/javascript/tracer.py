"""Trace programs in JavaScript and TypeScript into the project's own format.

    for program, packed in trace_packed(programs, Limits()): ..       in input order
    run_one(program, limits) -> Run(packed, printed)                  with each printed text and its step
    trace_here(program, limits) -> Trace                              in a process that later calls reuse

`Program.language` is "javascript" or "typescript"; a script has the entry `__main__`. A step is a statement
or a test of `if`, `while`, `for` that is about to run. With the granularity "expression", each value of an
operator, a call or a property has an event too. Whole numbers up to 2**53 are INT of type "number". Which
parts of the languages are covered: docs/javascript.md.
"""

from __future__ import annotations

import atexit
import json
import re
import threading
from array import array
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import accumulate, chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import Packed, make_packed, trace_of
from deskcheck.languages.javascript.engine import Engine, need_engine
from deskcheck.languages.javascript.worker import Reply, Request
from deskcheck.records import (
    Code,
    CompileFailure,
    Determinism,
    EventKind,
    Fidelity,
    Granularity,
    Limits,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    Trace,
)
from deskcheck.tracing.program import SCRIPT

LANGUAGES = ("javascript", "typescript")
SEES = ["cells", "exceptions", "globals", "identity", "iterators", "values"]
_DIFFERED = "a second run elsewhere gave other bytes"
_AHEAD = 64  # programs that are sent to the processes before the first result is taken


class Run(Struct, frozen=True):
    """One traced run with its output."""

    packed: Packed
    printed: list[tuple[int, int, str]]
    """(step, number of events before it, text) of each printed text."""

    @property
    def output(self) -> bytes:
        """Everything that the program printed, as UTF-8."""
        return b"".join(_bytes(text) for _, _, text in self.printed)

    @property
    def places(self) -> list[tuple[int, int]]:
        """(event, bytes of output at its end) for each event during which the program printed."""
        ends = accumulate(len(_bytes(text)) for _, _, text in self.printed)
        return [(max(event - 1, 0), end) for (_, event, _), end in zip(self.printed, ends, strict=True)]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def trace_packed(
    programs: Iterable[Program],
    limits: Limits,
    *,
    workers: int = 0,
    require: str = "limits",
    report: Callable[[Any], None] | None = None,
    confirm: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Iterator[tuple[Program, Packed]]:
    """Trace every program in a contained process and yield raw columns, in input order.

    `workers`: number of processes, 0 = 1; there are twice as many with `confirm`. `require`: the weakest
    containment level that is accepted. `confirm`: every program runs once more, in another process, and the
    trace says whether both runs gave the same bytes.
    UserError for the granularity "instruction".
    """
    fine = _is_fine(granularity)
    del report  # the report counts jobs of the sandbox for Python
    level = _level(require)
    with _Engines(workers or 1, level, limits, copies=1 + confirm) as engines:
        waiting: deque[tuple[Program, list[Future[Run]]]] = deque()
        for program in chain(programs, [None]):
            if program is not None:
                waiting.append((program, engines.submit(program, fine)))
            while waiting and (program is None or len(waiting) > _AHEAD):
                done, futures = waiting.popleft()
                first, *second = [future.result() for future in futures]
                yield done, _compared(first.packed, second[0].packed) if second else first.packed


def run_one(
    program: Program,
    limits: Limits,
    *,
    require: str = "limits",
    confirm: bool = False,
    full: bool = False,
    granularity: Granularity = Granularity.LINE,
) -> Run:
    """Trace one program in a process of its own.

    `full`: compare every object at every step, to test the usual way, which compares only objects that the
    code could have changed. Other arguments are those of `trace_packed`.
    """
    fine = _is_fine(granularity)
    with Engine(level=_level(require), limits=limits) as engine:
        run = trace_in(engine, program, limits, full=full, fine=fine)
    if not confirm:
        return run
    with Engine(level=_level(require), limits=limits) as engine:
        second = trace_in(engine, program, limits, full=full, fine=fine)
    return replace(run, packed=_compared(run.packed, second.packed))


_resident: list[Engine] = []
_lock = threading.Lock()


def trace_here(program: Program, limits: Limits, *, granularity: Granularity = Granularity.LINE) -> Trace:
    """Trace one program in a process that stays for the next call, for programs generated one at a time.

    The `memory_bytes` of the first call's limits hold for all later calls.
    """
    with _lock:
        if not _resident:
            _resident.append(Engine(level=_level("limits"), limits=limits))
            atexit.register(_resident[0].close)
        return trace_of(trace_in(_resident[0], program, limits, fine=_is_fine(granularity)).packed)


def _level(require: str) -> str:
    from deskcheck.sandbox import containment

    need_engine()
    containment.check(require)
    return containment.find().level


def _is_fine(granularity: Granularity) -> bool:
    """Tell whether expressions are recorded. UserError for instructions, which JavaScript does not have."""
    if granularity is Granularity.INSTRUCTION:
        raise UserError(
            "JavaScript is traced by line or by expression, not by instruction: use --granularity expression"
        )
    return granularity is Granularity.EXPRESSION


class _Engines:
    """`n` processes for each of `copies` runs of a program; a thread waits for each process."""

    def __init__(self, n: int, level: str, limits: Limits, *, copies: int) -> None:
        self._limits = limits
        self._engines = [[Engine(level=level, limits=limits) for _ in range(n)] for _ in range(copies)]
        self._pools = [[ThreadPoolExecutor(1) for _ in range(n)] for _ in range(copies)]
        self._next = 0

    def submit(self, program: Program, fine: bool) -> list[Future[Run]]:
        """Run the program once in each copy, in the next process of the copy."""
        number = self._next
        self._next = (number + 1) % len(self._engines[0])
        return [
            pools[number].submit(trace_in, engines[number], program, self._limits, fine=fine)
            for engines, pools in zip(self._engines, self._pools, strict=True)
        ]

    def __enter__(self) -> _Engines:
        return self

    def __exit__(self, *_: object) -> None:
        for pool in chain(*self._pools):
            pool.shutdown(wait=False, cancel_futures=True)
        for engine in chain(*self._engines):
            engine.close()
        for pool in chain(*self._pools):
            pool.shutdown(wait=True)


def _compared(packed: Packed, second: Packed) -> Packed:
    head = packed.head
    if packed.same(second):
        head = replace(head, determinism=replace(head.determinism, confirmed=True))
    else:
        head = replace(head, fidelity=replace(head.fidelity, notes=sorted([*head.fidelity.notes, _DIFFERED])))
    return Packed(head, packed.columns, packed.offsets)


# ------------------------------------------------------------------ one run


def request_of(program: Program, limits: Limits, *, full: bool = False, fine: bool = False) -> Request:
    """Return the request with which a worker runs a program; `full` and `fine` as in `trace_in`."""
    is_script = program.entry == SCRIPT
    return Request(
        source=program.source,
        is_typescript=program.language == "typescript",
        call=None if is_script else program.call,
        arguments=[str(word) for word in json.loads(f"[{program.arguments}]")] if is_script else [],
        max_steps=limits.max_steps,
        trace_bytes=limits.trace_bytes,
        value_bytes=limits.value_bytes,
        depth=limits.depth,
        nodes=limits.nodes,
        output_bytes=limits.output_bytes,
        full=full,
        has_expressions=fine,
    )


def trace_in(
    engine: Engine, program: Program, limits: Limits, *, full: bool = False, fine: bool = False
) -> Run:
    """Trace one program in a process that may have run others.

    `fine`: record expressions; `full`: compare every object at every step.
    """
    reply = engine.run(request_of(program, limits, full=full, fine=fine), time_s=limits.time_s)
    if not isinstance(reply, Reply):
        return Run(_packed({}, program, limits, engine, outcome=reply), [])
    if reply.failure:
        return Run(_packed({}, program, limits, engine, outcome=_compile_failure(reply)), [])
    report = json.loads(reply.report)
    printed = [(step, event, text) for step, event, text in report["output"]]
    if report["state"] == "uncompiled":
        outcome: Outcome = Rejected(f"the rewritten program does not compile: {report['message']}")
        return Run(_packed({}, program, limits, engine, outcome=outcome), printed)
    packed = _packed(
        _columns(reply.columns),
        program,
        limits,
        engine,
        outcome=_outcome(report, reply.columns, limits),
        report=report,
        granularity=Granularity.EXPRESSION if fine else Granularity.LINE,
    )
    try:
        _validate(packed, program, limits)
    except DataError as error:
        return Run(_packed({}, program, limits, engine, outcome=Rejected(f"{error}"[:200])), printed)
    return Run(packed, printed)


def _compile_failure(reply: Reply) -> CompileFailure:
    return CompileFailure(re.sub(r" \(\d+:\d+\)$", "", reply.failure), reply.line)


def _outcome(report: dict[str, Any], columns: dict[str, bytes], limits: Limits) -> Outcome:
    match report["stopped"]:
        case "steps":
            return StepLimit(limits.max_steps)
        case "trace":
            return OutputLimit(limits.trace_bytes, what="trace")
        case "output":
            return OutputLimit(limits.output_bytes)
    if report["state"] == "exited":
        return Raised("SystemExit", str(report["exit"]), -1)
    if report["state"] == "raised":
        return Raised(report["type"], report["message"], _last_line(columns), report["handle"])
    return Returned(report["handle"])


def _last_line(columns: dict[str, bytes]) -> int:
    """Return the line at which the exception left the outermost frame; -1 if it left none."""
    kinds, lines = columns["events.kind"], array("i", columns["events.line"])
    return lines[-1] if kinds and kinds[-1] == EventKind.UNWIND else -1


def _columns(raw: dict[str, bytes]) -> dict[str, bytes]:
    """Return the columns of the format: 64-bit numbers from their halves, offsets of texts."""
    columns = {
        name: data for name, data in raw.items() if name not in ("values.low", "values.high", "values.at")
    }
    steps = raw["events.step"]
    columns["events.step"] = _wide(steps, bytes(len(steps)))
    columns["values.number"] = _wide(raw["values.low"], raw["values.high"])
    columns["values.data.offsets"] = raw["values.at"]
    return columns


def _wide(low: bytes, high: bytes) -> bytes:
    both = array("i", bytes(2 * len(low)))
    both[0::2] = array("i", low)
    both[1::2] = array("i", high)
    return both.tobytes()


def _packed(
    columns: dict[str, bytes],
    program: Program,
    limits: Limits,
    engine: Engine,
    *,
    outcome: Outcome,
    report: dict[str, Any] | None = None,
    granularity: Granularity = Granularity.LINE,
) -> Packed:
    report = report or {"notes": [], "reads": {}, "codes": [], "names": []}
    return make_packed(
        columns,
        program_id=program.id,
        runtime=f"V8 {engine.version}",
        granularity=granularity,
        fidelity=Fidelity("probes", SEES, sorted(set(report["notes"]))),
        limits=limits,
        determinism=Determinism(sorted(name for name, is_read in report["reads"].items() if is_read)),
        outcome=outcome,
        codes=[Code(name, 0, line, kind) for name, line, kind in report["codes"]],
        names=report["names"],
        language=program.language,
    )


def _validate(packed: Packed, program: Program, limits: Limits) -> None:
    from deskcheck.tracing.collect import check_packed

    check_packed(packed, program, limits, b"")
