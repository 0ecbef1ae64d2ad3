"""Trace generated and mutated programs under PYTHONMALLOC=debug until the time is over.

    python -m tests.tracing.fuzz --minutes 60 [--seed 1] [--workers 1] [--out fuzz]

Each program runs under both tracers, the native one at each granularity. Counted are crashes of the process
(none may happen), failures of ours (exceptions that are not the program's), traces that fail a check, line
traces in which the tracers differ, line states in which the granularities differ. Such programs are written
to --out with their seed; the exit code is 1 where
there is any. Time and memory of a program are bounded; what is stopped by that is counted as stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from tests.tracing.expression_cases import CASES
from tests.tracing.mutate import mutated
from tests.tracing.plain_text import text_of_handle
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.corpus import grammar
from deskcheck.programs.generated import FAMILIES
from deskcheck.records import (
    EventKind,
    Granularity,
    Limits,
    MemoryLimit,
    OutputLimit,
    Program,
    Raised,
    Trace,
    ValueKind,
)
from deskcheck.tracing import run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.replay import State, states
from deskcheck.tracing.source_facts import table_of

LIMITS = Limits(max_steps=1500, trace_bytes=32 << 20)
_BATCH = 200  # programs of one worker process
_SECONDS = 20  # of one program, all tracers
_COMPARED = 1000  # events of a line trace whose states are compared with those of the finer ones
_FIDELITY = Path(__file__).parents[1] / "fidelity_programs"
_ADDRESS = re.compile(rb"0x[0-9a-f]{6,}")
_TEXTS = (ValueKind.STR, ValueKind.CONCAT, ValueKind.OPAQUE)
RUNS = [
    ("reference", Granularity.LINE),
    ("native", Granularity.LINE),
    ("native", Granularity.INSTRUCTION),
    ("native", Granularity.EXPRESSION),
]


def program_of(seed: int) -> Program:
    """Program number `seed`: one of three is as generated, the others are mutated."""
    rng = Random(seed)
    source, entry, arguments = _written(rng)
    if seed % 3:
        source = mutated(source, rng)
    return make_program(source, entry, arguments, origin=f"fuzz:{seed}")


def _written(rng: Random) -> tuple[str, str, str]:
    kind = rng.randrange(4)
    if kind == 0:
        return rng.choice(list(CASES.values()))
    if kind == 1:
        source, entry, arguments = rng.choice(list(PROGRAMS.values()))
        return source, entry, arguments
    if kind == 2:
        names = sorted(path for path in _FIDELITY.glob("*.py") if path.stem != "thrclosure")
        return rng.choice(names).read_text(), "f", ""
    written = grammar.write_program(rng, FAMILIES[rng.choice(["easy", "medium", "hard"])])
    return written.source, written.entry, written.arguments


def comparable(trace: Trace) -> bytes:
    """What two tracers must agree on: where a program's text holds an address, that it holds one."""
    fidelity = msgspec.structs.replace(trace.fidelity, tracer="", notes=[], sees=[])
    pairs = zip(trace.values.kind, trace.values.data, strict=True)
    data = [_ADDRESS.sub(b"0x", text) if kind in _TEXTS else text for kind, text in pairs]
    values = msgspec.structs.replace(trace.values, data=data)
    packed = msgspec.msgpack.encode(
        msgspec.structs.replace(trace, fidelity=fidelity, values=values, outcome=None)
    )
    return packed + _ADDRESS.sub(b"0x", repr(trace.outcome).encode("utf-8", "surrogatepass"))


def holds_address(trace: Trace) -> bool:
    """Whether a text does: then chance says which texts are equal, and so how many values there are."""
    pairs = zip(trace.values.kind, trace.values.data, strict=True)
    return any(kind in _TEXTS and _ADDRESS.search(text) for kind, text in pairs)


def at_lines(trace: Trace) -> list[tuple[int, dict[str, str]]]:
    """Line and names of the running frame at each line event, values as text without identity."""
    return [
        (event.line, {name: _text(state, handle) for name, handle in state.top.bindings.items()})
        for event, state in states(trace)
        if event.kind is EventKind.LINE
    ]


def _text(state: State, handle: int) -> str:
    return _ADDRESS.sub(b"0x", text_of_handle(state, handle).encode("utf-8", "surrogatepass")).decode(
        "utf-8", "replace"
    )


def examine(program: Program) -> Iterator[tuple[str, str]]:
    """(what is wrong, details) for one program; nothing where all is well."""
    traces: dict[tuple[str, Granularity], Trace] = {}
    for tracer, granularity in RUNS:
        label = f"{tracer} {granularity.name.lower()}"
        try:
            trace = run.trace_program(program, LIMITS, granularity=granularity, tracer=tracer)
        except MemoryError:  # of this process: its bound, as the clock is one
            yield "stopped", f"{label}: memory"
            return
        except Exception as error:
            yield "failure of ours", f"{label}: {type(error).__name__}: {error}"
            continue
        try:
            check(trace, program, LIMITS, table_of(program))
        except Exception as error:
            yield "failed check", f"{label}: {error}"
        traces[tracer, granularity] = trace
    if len(traces) < len(RUNS) or any(may_differ(program, trace) for trace in traces.values()):
        return
    reference, native, *finer = traces.values()
    if comparable(reference) != comparable(native) and not (
        holds_address(native) and at_lines(reference) == at_lines(native)
    ):
        yield "tracers differ", ""
    if len(native.events.kind) > _COMPARED or isinstance(native.outcome, OutputLimit):
        return
    expected = at_lines(native)
    for trace in finer:
        if not isinstance(trace.outcome, OutputLimit) and at_lines(trace) != expected:
            yield "states differ", trace.granularity.name.lower()


def may_differ(program: Program, trace: Trace) -> bool:
    """Identity, references, clock, memory, other tracers, threads: what a run is free to do differently."""
    words = (
        "id(",
        "settrace",
        "setprofile",
        "getrefcount",
        "threading",
        "weakref",
        "get_objects",
        "recursionlimit",
    )
    no_memory = isinstance(trace.outcome, MemoryLimit) or "MemoryError" in trace.names
    no_memory |= isinstance(trace.outcome, Raised) and trace.outcome.type == "MemoryError"
    return no_memory or bool(trace.determinism.reads) or any(word in program.source for word in words)


def work(first: int, count: int, progress: Path) -> None:
    """One worker: programs `first` to `first + count`, a JSON line for each that is not well."""
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (the programs print)
    for seed in range(first, first + count):
        progress.write_text(str(seed))
        signal.alarm(_SECONDS)
        for what, details in examine(program_of(seed)):
            print(json.dumps([seed, what, details[:300]]), file=sys.__stdout__, flush=True)
    signal.alarm(0)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", default="")
    parser.add_argument("--work", type=int, nargs=2, help="what a worker is started with")
    asked = parser.parse_args()
    if asked.work:
        work(*asked.work, Path(asked.out))
        return
    print(f"CPython {platform.python_version()}, PYTHONMALLOC=debug, {asked.minutes:g} minutes,", end=" ")
    print(f"seed {asked.seed}", flush=True)
    sys.exit(1 if fuzz(asked.minutes, asked.seed, asked.workers, Path(asked.out or "fuzz")) else 0)


def fuzz(minutes: float, seed: int, workers: int, out: Path) -> int:
    """Number of programs with which something was wrong."""
    out.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * minutes
    counts: Counter[str] = Counter()
    first = seed * 10_000_000
    running: list[_Worker] = []
    while running or time.monotonic() < until:
        while len(running) < workers and time.monotonic() < until:
            running.append(_start(first, _BATCH, out))
            first += _BATCH
        worker = running.pop(0)
        after = _collect(worker, counts, out)
        if after and time.monotonic() < until:  # the rest of a batch whose worker died
            running.append(_start(after, worker.end - after, out))
    _print(counts)
    return sum(count for what, count in counts.items() if what not in ("programs", "stopped"))


class _Worker(NamedTuple):
    """A process that traces a range of programs."""

    process: subprocess.Popen[str]
    first: int
    end: int
    progress: Path


def _start(first: int, count: int, out: Path) -> _Worker:
    progress = out / f"at-{first}"
    command = [sys.executable, "-m", "tests.tracing.fuzz", "--out", str(progress)]
    environment = {**os.environ, "PYTHONMALLOC": "debug", "PYTHONFAULTHANDLER": "1"}
    with (out / "stderr.txt").open("a") as error:
        process = subprocess.Popen(
            [*command, "--work", str(first), str(count)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=error,
            text=True,
        )
    return _Worker(process, first, first + count, progress)


def _collect(worker: _Worker, counts: Counter[str], out: Path) -> int:
    """Count what a worker says; the seed to go on with where it died with some left, else 0."""
    text, _ = worker.process.communicate()
    for line in text.splitlines():
        seed, what, details = json.loads(line)
        counts[what] += 1
        _write(out, seed, what, details)
    last = int(worker.progress.read_text()) if worker.progress.exists() else worker.first
    worker.progress.unlink(missing_ok=True)
    counts["programs"] += last - worker.first + 1
    code = worker.process.returncode
    if code == 0:
        return 0
    what = "stopped" if code == -signal.SIGALRM else "crash"
    counts[what] += 1
    if what == "crash":
        _write(out, last, what, f"exit {code}")
    return last + 1 if last + 1 < worker.end else 0


def _write(out: Path, seed: int, what: str, details: str) -> None:
    program = program_of(seed)
    head = f"# seed {seed}: {what}: {details}\n# {program.call}\n"
    (out / f"{what.replace(' ', '-')}-{seed}.py").write_text(head + program.source, errors="surrogatepass")


def _print(counts: Counter[str]) -> None:
    order = [
        "programs",
        "stopped",
        "crash",
        "failure of ours",
        "failed check",
        "tracers differ",
        "states differ",
    ]
    print(", ".join(f"{counts[what]:,} {what}" for what in order))


if __name__ == "__main__":
    main()
