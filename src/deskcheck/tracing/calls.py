"""Record the calls that other code, a project's tests for one, makes into a package, while it runs.

    recorder = CallRecorder(file_of, sink, limits=Limits(max_steps=2_000), max_calls=20, max_seconds=1.0)
    with recorder.recording(where="tests/test_a.py::test_b"):
        ...                                  sink(program, trace) for each outermost call into the scope

A call is outermost when no frame of the scope is being recorded. It is traced until its frame ends, or
until a budget is used up; then it goes on untraced. What is seen and not recorded is counted with its
reason. Nothing is wrapped or replaced: functions begin under a profiler's hook that is C code, and only a
recorded call runs under a tracer. Exceptions of ours never reach the program. Covered: functions, methods,
generators and coroutines (from their first step to their last, in pieces). Not covered: threads that the
tests start (counted), calls under another tracer (counted), what is called at import time. Not contained:
it is the caller's own process.
"""

from __future__ import annotations

import dis
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType

from deskcheck.records import (
    Determinism,
    EventKind,
    Fidelity,
    Limits,
    Outcome,
    Program,
    Returned,
    Trace,
)
from deskcheck.tracing import scan
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.arguments import arguments_text
from deskcheck.tracing.bindings import FrameRecord
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import SEES, SEES_WITHOUT, raised, runtime_name
from deskcheck.tracing.tracer import Stop, Tracer

ATTEMPTS_PER_CALL = 4
"""Calls of one function that are traced for each that may be kept: most repeat arguments that are known."""
_RESUME = dis.opmap["RESUME"]  # the lower bits of its argument: 0 = a function begins

Sink = Callable[[Program, Trace], bool]


class Counts:
    """What became of the outermost calls."""

    def __init__(self) -> None:
        self.n_recorded = 0
        self.dropped: Counter[str] = Counter()
        """Reason -> calls that were not recorded."""
        self.wall_s = 0.0
        """Of the recorded calls, their own work included."""

    @property
    def n_seen(self) -> int:
        """All outermost calls that have come to an end."""
        return self.n_recorded + sum(self.dropped.values())


class CallRecorder:
    """Calls of one process; see the module's docstring."""

    def __init__(
        self,
        file_of: Callable[[str], str | None],
        sink: Sink,
        *,
        limits: Limits,
        max_calls: int,
        max_seconds: float,
        kept: dict[str, int] | None = None,
    ) -> None:
        """`file_of`: a code's file name -> its name in traces, None outside the scope.

        `sink` says False for a duplicate; `kept`: calls that earlier runs kept, by `function_name`.
        """
        self.counts = Counts()
        self._file_of = file_of
        self._sink = sink
        self._limits = limits
        self._max_calls = max_calls
        self.max_seconds = max_seconds
        """CPU time of one recorded call, the tracer's included; a slower one is not kept."""
        self._access = Access(native=has_native())
        self._where = ""
        self._active: _Call | None = None
        self._paused: dict[int, _Call] = {}  # generators between two steps, by frame
        self._kept: Counter[str] = Counter(kept or {})
        self._tried: Counter[str] = Counter()
        self._sources: dict[str, str | None] = {}
        self._names: dict[str, list[str]] = {}
        self._thread = threading.get_ident()

    @contextmanager
    def recording(self, *, where: str) -> Iterator[None]:
        """Record what runs inside; `where` becomes part of each program's origin."""
        if sys.gettrace() is not None or sys.getprofile() is not None:
            self.counts.dropped["another tracer was active (counted once a test)"] += 1
            yield
            return
        self._where = where
        self._thread = threading.get_ident()
        hook = threading.getprofile()
        threading.setprofile(self._on_thread)
        self._access.watch_calls(self._on_call, self._own)
        try:
            yield
        finally:
            self._access.unwatch_calls()
            threading.setprofile(hook)
            if self._active is not None:
                self._drop(self._active, "its tracer was replaced")
                self._active = None

    def close(self) -> None:
        """Count what never came to an end."""
        for call in list(self._paused.values()):
            self._drop(call, "a generator that was not driven to its end")
        self._paused.clear()

    # ------------------------------------------------------------------ where calls begin

    def _own(self, code: CodeType) -> str | None:
        return self._file_of(code.co_filename)

    def _on_thread(self, frame: FrameType, event: str, _argument: object) -> None:
        """Profiler of other threads: their calls are only counted."""
        if event == "call" and self._own(frame.f_code) is not None:
            self.counts.dropped["in a thread that the tests started (counted once a thread)"] += 1
            sys.setprofile(None)

    def _on_call(self, frame: FrameType, _what: int, _argument: object) -> None:
        try:
            paused = self._paused.pop(id(frame), None)
            if paused is not None and not paused.is_of(frame):
                self._drop(paused, "a generator that was not driven to its end")
                paused = None
            if self._active is not None:
                if paused is not None:
                    self._drop(paused, "a generator that went on inside another recorded call")
                return
            if paused is not None:
                self._active = paused
                paused.started = time.perf_counter()
                paused.begin(frame)
            elif is_fresh(frame) and self._is_wanted(frame.f_code):
                self._begin(frame)
        except Exception as error:  # never into the program
            self._active = None
            self.counts.dropped[f"the recorder failed: {type(error).__name__}"] += 1

    def _is_wanted(self, code: CodeType) -> bool:
        if code.co_name[0] == "<" and code.co_name != "<lambda>":
            return False  # a module or a comprehension
        if not code.co_flags & 1:
            return False  # a class body
        name = self._name_of(code)
        if self._kept[name] >= self._max_calls or self._tried[name] >= self._max_calls * ATTEMPTS_PER_CALL:
            self.counts.dropped["over the budget of calls of one function"] += 1
            return False
        return True

    def _begin(self, frame: FrameType) -> None:
        code = frame.f_code
        if self._source(code.co_filename) is None:
            self.counts.dropped["its source could not be read"] += 1
            return
        if sys.gettrace() is not None:
            self.counts.dropped["another tracer was active"] += 1
            return
        self._tried[self._name_of(code)] += 1
        call = self._active = _Call(self, frame)
        call.begin(frame)

    def _drop(self, call: _Call, reason: str) -> None:
        call.abandon()
        self.counts.dropped[reason] += 1

    # ------------------------------------------------------------------ where they end

    def pause(self, call: _Call, frame: FrameType) -> None:
        """A generator hands something out: it is recorded again when it goes on."""
        self._active = None
        self._paused[id(frame)] = call
        self.counts.wall_s += time.perf_counter() - call.started

    def finish(self, call: _Call) -> None:
        """The call is over, or its budget is used up."""
        self._active = None
        if call.slow:
            self.counts.dropped[f"slower than {self.max_seconds:g} s under the tracer"] += 1
            return
        if call.broken is not None:
            self.counts.dropped[f"the tracer failed: {type(call.broken).__name__}"] += 1
            return
        trace = call.trace()
        program = self._program(call.code, trace)
        trace = call.trace(program.id)
        if not self._sink(program, trace):
            self.counts.dropped["arguments that are recorded already"] += 1
            return
        self._kept[self._name_of(call.code)] += 1
        self.counts.n_recorded += 1
        self.counts.wall_s += time.perf_counter() - call.started

    def _program(self, code: CodeType, trace: Trace) -> Program:
        arguments = arguments_text(trace, code)
        source = self._source(code.co_filename) or ""
        origin = f"pytest:{self._file_of(code.co_filename)}:{self._where}"
        return make_program(source, code.co_qualname, arguments, origin=origin)

    def _name_of(self, code: CodeType) -> str:
        return f"{self._file_of(code.co_filename)}:{code.co_qualname}"

    def _source(self, filename: str) -> str | None:
        if filename not in self._sources:
            try:
                self._sources[filename] = Path(filename).read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                self._sources[filename] = None
        return self._sources[filename]

    def scope_of(self, code: CodeType) -> Callable[[CodeType], str | None]:
        """What is stepped into in a call of this code: its own file is the program's source."""
        main = code.co_filename

        def own(other: CodeType) -> str | None:
            return "" if other.co_filename == main else self._file_of(other.co_filename)

        return own

    def global_names(self, frame: FrameType) -> list[str]:
        """Names of the module that the call's file uses."""
        filename = frame.f_code.co_filename
        if filename not in self._names:
            namespace = frame.f_globals
            codes = [frame.f_code, *scan.codes_in(namespace, filename)]
            found = dict.fromkeys(name for code in codes for name in scan.global_names(code))
            self._names[filename] = [name for name in found if name in namespace]
        return self._names[filename]

    def new_tracer(self, call: _Call, frame: FrameType) -> CallTracer:
        """A tracer for one call."""
        return CallTracer(
            self.global_names(frame),
            frame.f_globals,
            self.scope_of(frame.f_code),
            limits=self._limits,
            access=self._access,
            call=call,
        )

    def trace_of(self, call: _Call, outcome: Outcome, program_id: str) -> Trace:
        """The finished record of a call."""
        tracer = call.tracer
        assert tracer is not None
        notes = scan.notes(call.code)
        if tracer.values.cut:
            notes.append("values truncated")
        sees = SEES if self._access.native else SEES_WITHOUT
        return tracer.columns.trace(
            program_id,
            runtime_name(),
            limits=self._limits,
            outcome=outcome,
            fidelity=Fidelity("reference", sees, sorted(notes)),
            determinism=Determinism(scan.reads(call.code)),
        )


class _Call:
    """One call that is being recorded."""

    def __init__(self, recorder: CallRecorder, frame: FrameType) -> None:
        self.code = frame.f_code
        self.started = time.perf_counter()
        self.broken: Exception | None = None
        self.slow = False
        self.end_s = time.thread_time() + recorder.max_seconds
        self.outcome: Outcome | None = None
        self._recorder = recorder
        self.tracer: CallTracer | None = recorder.new_tracer(self, frame)

    def is_of(self, frame: FrameType) -> bool:
        """Whether this frame is the call's, and not a new one at the same address."""
        return frame.f_code is self.code and not is_fresh(frame)

    def begin(self, frame: FrameType) -> None:
        """Its frame is at its first instruction."""
        assert self.tracer is not None
        self.tracer.begin(frame)

    def abandon(self) -> None:
        """It is not recorded after all."""
        if self.tracer is not None:
            self.tracer.detach()
        self.tracer = None

    def paused(self, frame: FrameType) -> None:
        """Its frame has handed something out."""
        self._recorder.pause(self, frame)

    def ended(self) -> None:
        """Its frame is over, or a budget."""
        assert self.tracer is not None
        self.broken = self.tracer.broken
        self.outcome = self.tracer.failure or self.tracer.outcome
        try:
            self._recorder.finish(self)
        except Exception as error:  # never into the program
            self._recorder.counts.dropped[f"the recorder failed: {type(error).__name__}"] += 1
        self.tracer = None

    def trace(self, program_id: str = "") -> Trace:
        """The record."""
        assert self.outcome is not None
        return self._recorder.trace_of(self, self.outcome, program_id)


class CallTracer(Tracer):
    """The reference tracer for a frame that has already begun; at a budget it lets go of the program."""

    def __init__(self, *arguments: object, call: _Call, **options: object) -> None:
        super().__init__(*arguments, **options)  # type: ignore[arg-type]
        self.outcome: Outcome | None = None
        self._call = call

    def begin(self, frame: FrameType) -> None:
        """The frame is at the beginning, or goes on: trace from here."""
        self._over = False
        self.access.start(self._on_event, self._own)
        self._on_event(frame, 0, None)

    def detach(self) -> None:
        """No more events."""
        self._over = True
        self.access.stop()

    def end_program(self) -> None:
        """At a budget the recording ends, not the program."""
        self.detach()
        self._call.ended()

    def _count_step(self) -> None:
        if not self.step % 8 and time.thread_time() > self._call.end_s:
            self._call.slow = True
            raise Stop
        super()._count_step()

    def _exception(self, record: FrameRecord, frame: FrameType, argument: object) -> None:
        super()._exception(record, frame, argument)
        if record.number == 0:
            self.outcome = raised(argument[1], self, frame.f_lineno)  # type: ignore[index]

    def _leave(self, record: FrameRecord, frame: FrameType, what: int, argument: object) -> None:
        super()._leave(record, frame, what, argument)
        if record.number != 0:
            return
        kind = self.columns.event_kind[-1]
        self.detach()
        if kind == EventKind.YIELD:
            self._call.paused(frame)
            return
        if kind == EventKind.RETURN:
            self.outcome = Returned(self.columns.event_value[-1])
        self._call.ended()


def is_fresh(frame: FrameType) -> bool:
    """Whether the frame is at its beginning: a function starts, rather than a generator going on."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] == _RESUME and not code[at + 1] & 3 if at >= 0 else True


def function_name(program: Program) -> str:
    """File and function of a recorded call, as the budgets know it."""
    return f"{program.origin.split(':')[1]}:{program.entry}"
