"""Record the calls that other code, for example a project's tests, makes into a package while it runs.

    package_files("toolz") -> function: "/usr/../toolz/itertoolz.py" -> "toolz/itertoolz.py", None for others
    package_files("toolz.itertoolz")      the same for one module; nothing is imported
    recorder = CallRecorder(file_of, sink, limits=Limits(max_steps=2_000), max_calls=20)
    with recorder.recording(where="tests/test_a.py::test_b"):
        ...                                  sink(program, packed) for each outermost call into the scope

A call is outermost when no frame of the scope is being recorded. It is traced until its frame ends, or
until a budget is used up; then it continues untraced. Outermost calls that are not recorded are counted by
reason.
Nothing is wrapped or replaced: a profiler's hook in C sees functions begin, and only a recorded call runs
under a tracer. Exceptions of the recorder never reach the program.
A package's tests (folders called test or tests, files test_*.py and conftest.py) do not belong to the scope,
because they make the calls.
Covered: functions, methods, generators and coroutines (from their first step to their last, in pieces).
Not covered: threads that the tests start (counted), calls under another tracer (counted), calls at import
time. Needs the C extension. Not contained: everything runs in the caller's process.
"""

from __future__ import annotations

import _tracemalloc
import dis
import inspect
import linecache
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from types import CodeType, FrameType

from deskcheck.errors import UserError
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import (
    Code,
    EventKind,
    Limits,
    MemoryLimit,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    Trace,
)
from deskcheck.tracing import access as ways
from deskcheck.tracing import source_facts
from deskcheck.tracing.execution import raised
from deskcheck.tracing.literal import arguments_text
from deskcheck.tracing.program import Bundle, make_program, module_name, prelude_of
from deskcheck.tracing.run import Native, finished


def package_files(name: str) -> Callable[[str], str | None]:
    """Return a function: a code's file name -> its path from the package's parent folder, None for others.

    UserError if there is no such package.
    """
    places = _places(name)
    parents = [(place, len(os.path.dirname(_top(place, name))) + 1) for place in places]
    known: dict[str, str | None] = {}

    def file_of(filename: str) -> str | None:
        if filename not in known:
            known[filename] = None
            full = os.path.abspath(filename) if filename[:1] != "<" else ""
            for place, skip in parents:
                if full == place or full.startswith(place + os.sep):
                    below = full[skip:].replace(os.sep, "/")
                    known[filename] = None if _is_test(below) else below
        return known[filename]

    return file_of


def _places(name: str) -> list[str]:
    """Return the package's folders or the module's file, each as found and with links resolved.

    UserError if there is none, or if it is not written in Python.
    """
    path: list[str] | None = None
    spec = None
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:end]), path)
        if spec is None:
            break
        path = list(spec.submodule_search_locations or [])
    if spec is None:
        raise UserError(
            f"no package or module '{name}' can be found; it is looked for in: {', '.join(sys.path[:5])} .."
        )
    places = path or ([spec.origin] if spec.origin and spec.origin.endswith(".py") else [])
    if not places:
        raise UserError(f"'{name}' ({spec.origin}) is not written in Python: there is nothing to step into")
    return list(
        dict.fromkeys(
            found for place in places for found in (os.path.abspath(place), os.path.realpath(place))
        )
    )


def _top(place: str, name: str) -> str:
    """Return the path of the outermost package."""
    for _ in range(name.count(".")):
        place = os.path.dirname(place)
    return place


def _is_test(path: str) -> bool:
    folders, _, file = path.rpartition("/")
    return (
        file == "conftest.py" or file.startswith("test_") or bool({"test", "tests"} & set(folders.split("/")))
    )


ATTEMPTS_PER_CALL = 4
"""Most calls of one function that are traced, in multiples of `max_calls`: many calls repeat known
arguments."""
_RESUME = dis.opmap["RESUME"]  # the lower bits of its argument: 0 = a function begins
_OVER = "over the budget of calls of one function"
_GIVEN_UP = "the rest of a test with very many calls (counted once a test)"
_ELSEWHERE = "a generator that went on inside another recorded call"
_UNFINISHED = "a generator that was not driven to its end"

Sink = Callable[[Program, Packed], bool]
"""Function that stores a recorded call; False = it is a duplicate."""


class Counts:
    """Counts of outermost calls: recorded ones, and dropped ones by reason."""

    def __init__(self) -> None:
        self.n_recorded = 0
        self.dropped: Counter[str] = Counter()
        """Reason -> calls that were not recorded."""
        self.wall_s = 0.0
        """Duration of the recorded calls, including the work of the functions themselves."""

    @property
    def n_seen(self) -> int:
        """Number of outermost calls that have ended or were dropped."""
        return self.n_recorded + sum(self.dropped.values())


class CallRecorder:
    """Recorder of the calls of one process; see the module's docstring."""

    def __init__(
        self,
        file_of: Callable[[str], str | None],
        sink: Sink,
        *,
        limits: Limits,
        max_calls: int,
        n_kept: dict[str, int] | None = None,
    ) -> None:
        """Set the scope and the sink.

        `file_of`: a code's file name -> its name in traces, None outside the scope. `sink` returns False for
        a duplicate. `max_calls`: most calls of one function that are kept. `n_kept`: number of calls that
        earlier runs kept, by `function_name`. UserError without the C extension.
        """
        if ways._native is None:
            raise UserError(
                "calls are recorded by the C extension, which was not built: "
                "install a C compiler and deskcheck again (deskcheck doctor says whether it is there)"
            )
        self.counts = Counts()
        self._file_of = file_of
        self._sink = sink
        self.limits = limits
        self._max_calls = max_calls
        self._where = ""
        self._active: _Call | None = None
        self._ended: list[tuple[_Call, str]] = []
        self._paused: dict[int, _Call] = {}  # generators between two steps, by the address of their frame
        self._gate = ways._native.CallGate(self._on_call, self._scope_file, self._paused)
        self._n_kept: Counter[str] = Counter(n_kept or {})
        self._tried: Counter[str] = Counter()
        self._sources: dict[str, str | None] = {}
        self._filenames: dict[str, str] = {}  # name of a file in traces -> the code's
        self._names: dict[str, list[str]] = {}

    @contextmanager
    def recording(self, *, where: str) -> Iterator[None]:
        """Record the calls made inside the `with` block; `where` becomes part of each program's origin.

        Under another tracer nothing is recorded.
        """
        if sys.gettrace() is not None or sys.getprofile() is not None:
            self.counts.dropped["another tracer was active (counted once a test)"] += 1
            yield
            return
        self._where = where
        hook = threading.getprofile()
        threading.setprofile(self._on_thread)
        self._gate.start()
        try:
            yield
        finally:
            self._gate.stop()
            threading.setprofile(hook)
            if self._active is not None:
                self._active.stop()
                self._active = None
                self.counts.dropped["its tracer was replaced"] += 1
            ended, self._ended = self._ended, []
            for call, at in ended:
                try:
                    self._take(call, at)
                except Exception as error:  # must not reach the program
                    self.fail(error)

    def close(self) -> None:
        """Count the calls over the budgets, and the generators that never ended."""
        if self._gate.n_over:
            self.counts.dropped[_OVER] += self._gate.n_over
        if self._gate.n_given_up:
            self.counts.dropped[_GIVEN_UP] += self._gate.n_given_up
        if self._paused:
            self.counts.dropped[_UNFINISHED] += len(self._paused)
        self._paused.clear()

    def lose_paused(self) -> None:
        """Drop the generators that are between two steps, because the next step is not seen."""
        if self._paused:
            self.counts.dropped[_ELSEWHERE] += len(self._paused)
        self._paused.clear()

    # ------------------------------------------------------------------ beginnings of calls

    def _scope_file(self, code: CodeType) -> str | None:
        """Return the file of a function of the scope, None for other code."""
        if not code.co_flags & inspect.CO_OPTIMIZED or (
            code.co_name[0] == "<" and code.co_name != "<lambda>"
        ):
            return None  # bodies of modules and classes, comprehensions
        return self._file_of(code.co_filename)

    def _on_thread(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count the first call into the scope in another thread; a profiler's hook."""
        if event == "call" and self._scope_file(frame.f_code) is not None:
            self.counts.dropped["in a thread that the tests started (counted once a thread)"] += 1
            sys.setprofile(None)

    def _on_call(self, frame: FrameType) -> None:
        """Begin, continue or leave out the call of a frame of the scope; the hook in C calls this."""
        try:
            paused = self._paused.pop(id(frame), None)
            if paused is not None and not paused.is_of(frame):
                self.counts.dropped[_UNFINISHED] += 1
                paused = None
            if self._active is not None:
                if paused is not None:
                    self.counts.dropped[_ELSEWHERE] += 1
                return
            if paused is not None:
                self._active = paused
                paused.begin(frame)
            elif is_fresh(frame) and self._is_wanted(frame.f_code):
                self._begin(frame)
        except Exception as error:  # must not reach the program
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """Drop the active call, because the recorder itself failed."""
        self._active = None
        self.counts.dropped[f"the recorder failed: {type(error).__name__}"] += 1

    def _is_wanted(self, code: CodeType) -> bool:
        name = self._name_of(code)
        if self._n_kept[name] >= self._max_calls or self._tried[name] >= self._max_calls * ATTEMPTS_PER_CALL:
            self.counts.dropped[_OVER] += 1
            self._gate.over(code)
            return False
        return True

    def _begin(self, frame: FrameType) -> None:
        """Begin to record a call, unless something forbids it, which is counted."""
        code = frame.f_code
        if self._source(code.co_filename) is None:
            self.counts.dropped["its source could not be read"] += 1
            return
        if sys.gettrace() is not None:
            self.counts.dropped["another tracer was active"] += 1
            return
        if _tracemalloc.is_tracing():  # it would count the recorder's memory as the program's
            self.counts.dropped["the test measures memory (tracemalloc)"] += 1
            return
        self._tried[self._name_of(code)] += 1
        call = self._active = _Call(self, frame)
        call.begin(frame)

    # ------------------------------------------------------------------ ends of calls

    def pause(self, call: _Call, frame: int) -> None:
        """Pause a call whose generator has yielded; it is recorded again when the generator resumes."""
        self._active = None
        self._paused[frame] = call
        self.counts.wall_s += time.perf_counter() - call.started

    def finish(self, call: _Call) -> None:
        """Queue a call that is over or out of budget; the slow work waits for the end of the test."""
        self._active = None
        self.counts.wall_s += time.perf_counter() - call.started
        self._ended.append((call, self._where))

    def _take(self, call: _Call, where: str) -> None:
        """Make the program and the trace of a call that is over, and hand them to the sink."""
        if call.failure:
            self.counts.dropped[call.failure] += 1
            return
        name = self._name_of(call.code)
        if self._n_kept[name] >= self._max_calls:
            self.counts.dropped[_OVER] += 1
            return
        program = self._program(call.code, call.packed(""), where)
        if not self._sink(program, call.packed(program.id)):
            self.counts.dropped["same arguments as a recorded call"] += 1
            return
        self._n_kept[name] += 1
        self.counts.n_recorded += 1

    def _program(self, code: CodeType, packed: Packed, where: str) -> Program:
        """Make the program of a recorded call: its file, other files of the scope, function, arguments."""
        trace = trace_of(packed)
        arguments = arguments_text(trace, code)
        source = self._source(code.co_filename) or ""
        path = self._file_of(code.co_filename) or ""
        others = sorted({trace.names[each.file] for each in trace.codes if each.file})
        files = {
            name: text for name in others if (text := self._source(self._filenames.get(name, ""))) is not None
        }
        prelude = prelude_of(Bundle(path=path, name=module_name(path), files=files)) if files else ""
        origin = f"pytest:{path}:{where}"
        return make_program(source, code.co_qualname, arguments, origin=origin, prelude=prelude)

    def _name_of(self, code: CodeType) -> str:
        return f"{self._file_of(code.co_filename)}:{code.co_qualname}"

    def _source(self, filename: str) -> str | None:
        if filename not in self._sources:
            self._sources[filename] = "".join(linecache.getlines(filename)) or None  # notebook cells too
        return self._sources[filename]

    def _global_names(self, frame: FrameType) -> list[str]:
        """Return the names of the module that the code in the call's file uses."""
        filename = frame.f_code.co_filename
        if filename not in self._names:
            namespace = frame.f_globals
            codes = [frame.f_code, *source_facts.codes_in(namespace, filename)]
            found = dict.fromkeys(name for code in codes for name in source_facts.global_names(code))
            self._names[filename] = [name for name in found if name in namespace]
        return self._names[filename]

    def new_native(self, frame: FrameType) -> Native:
        """Make the tracer in C for one call; the file of the call is the program's source."""
        main = frame.f_code.co_filename

        def file_of_code(code: CodeType) -> str | None:
            name = self._file_of(code.co_filename)
            if name is not None:
                self._filenames[name] = code.co_filename
            return "" if code.co_filename == main else name

        modules = [(0, frame.f_globals, self._global_names(frame))]
        return Native(file_of_code, modules, limits=self.limits)


class _Call:
    """One call that is being recorded."""

    def __init__(self, recorder: CallRecorder, frame: FrameType) -> None:
        self.code = frame.f_code
        self.started = 0.0
        self.failure = ""
        """Reason why the call is dropped; "" if it is not."""
        self._recorder = recorder
        self._native = recorder.new_native(frame)
        self.outcome: Outcome | None = None
        """How it ended; None before, or if it is not known."""
        self._columns: dict[str, bytes] = {}
        self._frame = id(frame)

    def is_of(self, frame: FrameType) -> bool:
        """Whether this frame belongs to the call; a new frame can have the same address."""
        return frame.f_code is self.code and not is_fresh(frame)

    def begin(self, frame: FrameType) -> None:
        """Trace the call's frame, which is at its first instruction or resumes."""
        self.started = time.perf_counter()
        self._native.core.begin(frame, self._on_end)

    def stop(self) -> None:
        """Stop tracing, even if the frame still runs."""
        self._native.core.stop()

    def _on_end(self, kind: int, error: BaseException | None) -> None:
        """Handle the end of tracing: the frame has ended or yielded, or a budget is used up."""
        try:
            self._end(kind, error)
        except Exception as failure:  # must not reach the program
            self._recorder.fail(failure)

    def _end(self, kind: int, error: BaseException | None) -> None:
        """Set the outcome of the call, or why it is dropped; a generator that yielded is paused."""
        if kind == EventKind.YIELD:
            self._recorder.pause(self, self._frame)
            return
        core = self._native.core
        if kind == EventKind.RETURN and core.last_return >= 0:
            self.outcome = Returned(core.last_return)
        elif kind == EventKind.UNWIND and error is not None:
            self.outcome = raised(error, self._native, core.last_line)
        else:
            self.outcome = None if core.out_of_memory else self._native.failure
        failure = self._native.failure
        if isinstance(failure, Rejected):
            self.failure = failure.check
            self.outcome = None
        elif core.broken is not None:
            self.failure = f"the tracer failed: {type(core.broken).__name__}"
        elif self.outcome is None:
            self.failure = (
                "it ended in another thread or task" if kind >= 0 else "the tracer ran out of memory"
            )
        else:
            self._columns = core.finish()
        self._recorder.finish(self)

    def packed(self, program_id: str) -> Packed:
        """Make the call's trace as raw columns."""
        assert self.outcome is not None
        notes = source_facts.notes(self.code)
        if self._native.core.was_cut:
            notes.append("values truncated")
        return finished(
            self._columns,
            program_id,
            limits=self._recorder.limits,
            outcome=self.outcome,
            granularity=self._native.granularity,
            codes=[Code(*code) for code in self._native.core.codes],
            names=self._native.core.names,
            notes=sorted(notes),
            reads=source_facts.reads(self.code),
        )


class FailedCalls(CallRecorder):
    """Recorder that makes a trace only of a call that ended by an exception, or at a limit."""

    def __init__(self, file_of: Callable[[str], str | None], *, limits: Limits) -> None:
        # In effect without a budget of calls.
        super().__init__(file_of, lambda *_: True, limits=limits, max_calls=1 << 30)
        self._failed: list[tuple[_Call, str]] = []

    def clear(self) -> None:
        """Forget the calls of an earlier test."""
        self._failed.clear()

    def _take(self, call: _Call, where: str) -> None:
        """Keep the call if it failed; its trace is made only if `last` asks for it."""
        if isinstance(call.outcome, Raised | StepLimit | OutputLimit | MemoryLimit) and not call.failure:
            self._failed.append((call, where))

    def last(self) -> tuple[Program, Trace] | None:
        """Return the last failed call with its trace, None without one; exceptions count before limits."""
        calls = [pair for pair in self._failed if isinstance(pair[0].outcome, Raised)] or self._failed
        if not calls:
            return None
        call, where = calls[-1]
        program = self._program(call.code, call.packed(""), where)
        return program, trace_of(call.packed(program.id))


def is_fresh(frame: FrameType) -> bool:
    """Whether the frame is at its beginning: a function starts, not a generator that resumes."""
    code, at = frame.f_code.co_code, frame.f_lasti
    return code[at] == _RESUME and not code[at + 1] & 3 if at >= 0 else True


def function_name(program: Program) -> str:
    """Return "file:function" of a recorded call, by which kept calls are counted."""
    return f"{program.origin.split(':')[1]}:{program.entry}"
