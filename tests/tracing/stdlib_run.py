"""Trace calls into library modules and hold them against the laws: one report a module.

    python -m tests.tracing.stdlib_run [--tracer native] [module ...]     prints the table

Laws, for each call: its value, exception and output are those it has untraced; the trace passes every
structural check; at sampled steps the state that replay rebuilds is the one that another run, watched by a
plain sys.settrace callback, has there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import platform
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from tests.tracing import stdlib_calls
from tests.tracing.plain_text import text, text_of_handle

from deskcheck.format.buffers import trace_of
from deskcheck.records import EventKind, Limits, Program, Returned, Trace
from deskcheck.tracing import run, source_facts
from deskcheck.tracing.access import Access
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.reference.tracer import Tracer
from deskcheck.tracing.replay import states
from deskcheck.tracing.source_facts import table_of

LIMITS = Limits(max_steps=30_000)
_ADDRESS = re.compile(r"0x[0-9a-f]{10,12}\b")
_SAMPLES = 12  # steps of a call at which the state is compared


class Report(NamedTuple):
    """What became of one module's calls."""

    module: str
    functions: int
    calls: int
    events: int
    seconds: float
    failures: list[str]


class Live(NamedTuple):
    """One moment of the untraced run."""

    name: str
    line: int
    names: dict[str, str]


def _masked(shown: str) -> str:
    """Without what looks like an address: two runs have different ones."""
    return _ADDRESS.sub("address", shown)


def ended(call: Callable[[], object]) -> str:
    """Value or exception, and what was printed, as text."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            result = text(call())
        except Exception as error:
            result = f"raises {type(error).__name__}: {text(error.args)}"
    return f"{result} | {out.getvalue()}"


def watched(call: Callable[[], object], file: str, wanted: set[int]) -> tuple[str, dict[int, Live], int]:
    """How an untraced run ends, its state at the wanted line events of a file, and how many there are."""
    found: dict[int, Live] = {}
    step = 0

    def local(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal step
        if event == "line":
            step += 1
            if step in wanted:
                names = {name: _masked(text(value)) for name, value in frame.f_locals.items()}
                found[step] = Live(frame.f_code.co_qualname, frame.f_lineno, names)
        return local

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        return local if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        end = ended(call)
    finally:
        sys.settrace(before)
    return end, found, step


def differences(trace: Trace, live: dict[int, Live]) -> list[str]:
    """Where replay and the watched run differ."""
    found = []
    for event, state in states(trace):
        if event.kind is not EventKind.LINE or event.step not in live:
            continue
        moment = live[event.step]
        name = trace.codes[trace.frames.code[event.frame]].name
        if (name, event.line) != (moment.name, moment.line):
            found.append(f"step {event.step}: {name}:{event.line}, not {moment.name}:{moment.line}")
            continue
        bindings = state.top.bindings
        for variable, value in moment.names.items():
            told = _masked(text_of_handle(state, bindings[variable])) if variable in bindings else "nothing"
            if told != value and not (variable.startswith("__") and variable.endswith("__")):
                found.append(f"step {event.step}, {name}:{event.line}: {variable} is {value}, traced {told}")
    return found


def run_module(name: str, trace_call: Callable[..., Trace], *, most: int = 0) -> Report:
    """Every call of a module under a tracer: trace_call(call, file, namespace) -> Trace."""
    start = time.perf_counter()
    module = stdlib_calls.load(name)
    failures: list[str] = []
    functions: set[tuple[str, int]] = set()
    calls = events = 0
    for label, call in list(stdlib_calls.cases(name, module))[: most or None]:
        trace, wrong = _one(call, module, label, trace_call)
        failures += [f"{name}: {label[:60]}: {one}" for one in wrong]
        calls += 1
        if trace is not None:
            events += len(trace.events.kind)
            functions |= {(code.name, code.first_line) for code in trace.codes if code.kind != "module"}
    return Report(name, len(functions), calls, events, time.perf_counter() - start, failures)


def _one(
    call: Callable[[], object], module: ModuleType, label: str, trace_call: Callable[..., Trace]
) -> tuple[Trace | None, list[str]]:
    file = str(module.__file__)
    ended(call)  # caches of the library are filled before anything is compared
    _, _, n_steps = watched(call, file, set())
    random = Random(label)
    wanted = {random.randint(1, min(n_steps, LIMITS.max_steps)) for _ in range(_SAMPLES if n_steps else 0)}
    # Twice: what differs between two runs without us (addresses, the time) is not compared.
    expected, live, _ = watched(call, file, wanted)
    again, also_live, _ = watched(call, file, wanted)
    found: list[str] = []
    try:
        trace = trace_call(lambda: found.append(ended(call)), file, vars(module))
    except Exception as error:
        return None, [f"the tracer: {type(error).__name__}: {error}"]
    if not isinstance(trace.outcome, Returned):
        return trace, [] if n_steps > LIMITS.max_steps else [f"ended by {trace.outcome}"]
    if expected == again != found[0]:
        return trace, [f"untraced {expected[:300]}, traced {found[0][:300]}"]
    source = Path(file).read_text(encoding="utf-8")
    program = Program(trace.program_id, "python", source, "f", "", "library", "PSF-2.0")
    try:
        check(trace, program, LIMITS, table_of(program))
    except Exception as error:
        return trace, [f"check: {error}"]
    stable = {
        step: moment._replace(names=dict(moment.names.items() & also_live[step].names.items()))
        for step, moment in live.items()
        if step in also_live
    }
    return trace, [one for one in differences(trace, stable) if not _is_known(name_of(module), one)][:3]


# An object's type is recorded once: one whose __class__ is assigned later keeps the name it had first.
KNOWN = {"zipfile": ("FastLookup",), "zipfile._path": ("FastLookup",)}


def _is_known(module: str, failure: str) -> bool:
    return any(word in failure for word in KNOWN.get(module, ()))


def name_of(module: ModuleType) -> str:
    """Its name as it was asked for."""
    return str(module.__name__)


def tracer_named(name: str) -> Callable[..., Trace]:
    """reference or native."""

    def reference(call: Callable[[], object], file: str, namespace: dict[str, object]) -> Trace:
        code = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
        names = [one for one in source_facts.global_names(code) if one in namespace]
        access = Access(native=True)
        tracer = Tracer(names, namespace, file, limits=LIMITS, access=access)
        return run_traced(tracer, call, "library", limits=LIMITS, codes=[code], access=access)

    def native(call: Callable[[], object], file: str, namespace: dict[str, object]) -> Trace:
        code = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
        names = [one for one in source_facts.global_names(code) if one in namespace]
        core = run.Native(file, [(0, namespace, names)], limits=LIMITS)
        return trace_of(run.run_native(core, call, "library", limits=LIMITS, codes=[code]))

    return {"reference": reference, "native": native}[name]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--tracer", default="native", choices=["reference", "native"])
    asked = parser.parse_args()
    names = asked.modules or sorted({*stdlib_calls.CALLS, *stdlib_calls.DOCTESTS})
    print(f"CPython {platform.python_version()}, {asked.tracer} tracer")
    print(f"{'module':20}{'functions':>10}{'calls':>7}{'events':>10}{'failures':>10}")
    trace_call = tracer_named(asked.tracer)
    reports = []
    for name in names:
        report = run_module(name, trace_call)
        reports.append(report)
        print(
            f"{name:20}{report.functions:10,}{report.calls:7,}{report.events:10,}{len(report.failures):10,}",
            flush=True,
        )
    totals = [
        sum(column)
        for column in zip(*((r.functions, r.calls, r.events, len(r.failures)) for r in reports), strict=True)
    ]
    print(f"{len(reports):3} modules          {totals[0]:9,}{totals[1]:7,}{totals[2]:10,}{totals[3]:10,}")
    for report in reports:
        for failure in report.failures:
            print(failure)
    sys.exit(1 if totals[3] else 0)


if __name__ == "__main__":
    main()
