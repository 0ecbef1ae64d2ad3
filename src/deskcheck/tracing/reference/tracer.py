"""Trace a run in plain Python: turn the interpreter's events into the columns of a trace.

    tracer = Tracer(global_names, namespace, program_file, limits=limits, access=Access(native=has_native()))
    tracer.start(); run the program; tracer.stop()
    tracer.columns, tracer.failure

At every event, this tracer reads the running frame and all reachable objects, and writes the differences. It
is simple rather than fast, because tests compare the native tracer with it.
It traces frames of the program's own code (`program_file`: a file name, or a function that returns the file)
in this thread and in those that `threading` starts. It does not trace threads started by `_thread`. A call of
library code is one step.
"""

from __future__ import annotations

import sys
import threading
from _thread import allocate_lock, get_ident
from collections.abc import Sequence
from types import CodeType, FrameType

from deskcheck.records import Code, EventKind, Limits, MemoryLimit, OutputLimit, Place, StepLimit
from deskcheck.tracing import access as events
from deskcheck.tracing import source_facts
from deskcheck.tracing.access import Access, Numbers, ProgramFile, Reading, file_of
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.execution import Stop
from deskcheck.tracing.reference.bindings import FrameRecord, update_names, update_namespace, update_stack
from deskcheck.tracing.reference.columns import Columns
from deskcheck.tracing.reference.entries import Entry
from deskcheck.tracing.reference.heap import Heap
from deskcheck.tracing.reference.values import ValueTable
from deskcheck.tracing.shapes import Shapes

_RETURNS = frozenset({"RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR"})
_SHOWS_CALLS = sys.version_info >= (3, 14)
"""Whether the stack of a frame that waits in a C call is visible, including the callee."""
_YIELDS = frozenset({"YIELD_VALUE", "RESUME"})  # 3.13 is already at the RESUME
_DRAINS = frozenset({"FOR_ITER", "SEND", "JUMP_BACKWARD_NO_INTERRUPT", "END_SEND", "END_FOR", "FOR_ITER_GEN"})
"""Instructions that read an iterator to its end, where its StopIteration is no exception of the program."""
_SIZE_EVERY = 16  # steps between two checks of the trace's size


class Tracer:
    """One traced run; see the module's docstring."""

    def __init__(
        self,
        global_names: Sequence[str],
        namespace: dict[str, object],
        program_file: ProgramFile,
        *,
        limits: Limits,
        access: Access,
    ) -> None:
        self.columns = Columns()
        self.values = ValueTable(self.columns, limits.value_bytes)
        self.access = access
        self.shapes = Shapes(access, str(namespace.get("__name__", "")))
        self.heap = Heap(self.columns, self.values, self.shapes, access=access, limits=limits)
        self.heap.on_generator = self._look_into_generator
        self.failure: StepLimit | OutputLimit | MemoryLimit | None = None
        self.broken: Exception | None = None
        """Error of the tracer itself, if there was one."""
        self.last_raise = -1
        """Handle of the exception that was raised last."""
        self.last_line = -1
        """Line at which an outermost frame ended last."""
        self.last_return = -1
        """Handle of the value that this frame returned; -1 = it raised."""
        self.first_return = -1
        """Handle of the value that the first frame returned."""
        self.outlived = False
        """Whether a thread still ran when the call was over; its later actions are not recorded."""
        self.step = 0
        self._limits = limits
        self._program_file = program_file
        self._globals = self._global_record(0, global_names)
        self._modules = {0: (self._globals, namespace)}
        self._facts: dict[int, tuple[CodeFacts, list[int]]] = {}
        self._codes: dict[int, tuple[CodeType, int]] = {}
        self._live: list[FrameRecord] = []  # of the running thread
        self._stacks = {get_ident(): self._live}
        self._by_frame: dict[int, FrameRecord] = {}
        self._numbers = Numbers()
        self._lock = allocate_lock()
        self._over = False
        self._hook_before: object = None

    def start(self) -> None:
        """Trace this thread from now on, and the threads that `threading` starts."""
        self._hook_before = threading.gettrace()
        threading.settrace(self._enter_thread)
        self.access.start(self._on_event, self._program_file)

    def stop(self) -> bool:
        """End the trace; return False if the program had installed another tracer."""
        was_active = self.access.active()
        self.access.stop()
        threading.settrace(self._hook_before)  # type: ignore[arg-type]  # None too, as gettrace() gives it
        with self._lock:
            self._over = True
            self.outlived = any(stack for stack in self._stacks.values() if stack is not self._live)
        return was_active

    def close(self) -> None:
        """Release the objects that the tracer holds."""
        self.heap.close()

    def _enter_thread(self, frame: FrameType, _event: str, _argument: object) -> None:
        """Begin to trace a new thread, at its first event."""
        if self._over:
            sys.settrace(None)
            return
        with self._lock:
            self._stacks[get_ident()] = []
            self._numbers.new_thread()
        self.access.start(self._on_event, self._program_file)
        if file_of(self._program_file, frame.f_code) is not None:
            self._on_event(frame, events.CALL, None)

    @property
    def has_events(self) -> bool:
        """Whether any event was recorded."""
        return bool(self.columns.event_kind)

    def final_value(self, value: object) -> int:
        """Return the handle of the call's result; changes after the last event belong to the outcome."""
        self.heap.begin()
        handle = self.heap.handle(value)
        self.heap.walk()
        return handle

    # -------------------------------------------------------------- events

    def _on_event(self, frame: FrameType, what: int, argument: object) -> None:
        with self._lock:
            if self._over:
                self.access.stop()
                return
            if self.failure is not None or self.broken is not None:
                self.end_program()
                return
            live = self._stacks.get(get_ident())
            self._live = live if live is not None else self._stacks.setdefault(get_ident(), [])
            try:
                self._handle_event(frame, what, argument)
            except Stop:
                self.end_program()
            except Exception as error:  # the program must not catch an error of the tracer
                if isinstance(error, MemoryError):  # the program's memory budget is used up
                    self.failure = MemoryLimit(self._limits.memory_bytes)
                    self.columns.drop_incomplete_event()
                    raise MemoryError from None
                self.broken = error  # an error of the tracer is never the program's outcome
                self.end_program()

    def end_program(self) -> None:
        """Stop the program, at a budget or because the tracer itself failed."""
        raise Stop from None

    def _handle_event(self, frame: FrameType, what: int, argument: object) -> None:
        if what == events.CALL:
            self._enter(frame)
            return
        record = self._record_of(frame)
        if record is None:
            return
        if what == events.LINE:
            record.raising = False
            self._count_step()
            self._write(EventKind.LINE, record, frame)
        elif what == events.EXCEPTION:
            self._exception(record, frame, argument)
        else:
            self._leave(record, frame, what, argument)

    def _count_step(self) -> None:
        limits = self._limits
        if self.step >= limits.max_steps:
            self.failure = StepLimit(limits.max_steps)
        elif not self.step % _SIZE_EVERY and self.columns.size > limits.trace_bytes:
            self.failure = OutputLimit(limits.trace_bytes, what="trace")
        if self.failure is not None:
            raise Stop
        self.step += 1

    def _enter(self, frame: FrameType) -> None:
        facts, keys = self._facts_of(frame.f_code)
        known = self._by_frame.get(id(frame)) if facts.is_generator else None
        # The lowest two bits of RESUME's argument are 0 at the start of a function.
        fresh = facts.opcode(frame.f_lasti) == "RESUME" and not facts.argument(frame.f_lasti) & 3
        if known is not None and known.delegates and known.frame is frame:
            self._record_of(frame)  # what it delegated to has ended
            known.delegates = False
            return
        if known is not None and not fresh:
            self._resume_delegating(frame)
            known.frame = frame
            known.thread = self._thread_of(facts)
            self._live.append(known)
            self._write(EventKind.RESUME, known, frame, sent=True)
            return
        code = self._code_of(frame)
        number = self.columns.add_frame(code, self._live[-1].number if self._live else -1)
        record = FrameRecord(number, facts, list(keys), self.access.missing)
        record.frame = frame
        record.thread = self._thread_of(facts)
        self._live.append(record)
        self._by_frame[id(frame)] = record
        self._write(EventKind.CALL, record, frame)

    def _resume_delegating(self, frame: FrameType) -> None:
        """Resume the generators through which a throw has reached `frame`: no event reports them."""
        top = self._live[-1].frame if self._live else None
        waiting: list[tuple[FrameRecord, FrameType]] = []
        back = frame.f_back
        while back is not None and back is not top:
            record = self._by_frame.get(id(back))
            if record is not None and record.frame is None and record.facts.code is back.f_code:
                waiting.append((record, back))
            back = back.f_back
        for record, outer in reversed(waiting):
            record.frame, record.delegates = outer, True
            record.thread = self._thread_of(record.facts)
            self._live.append(record)
            self._write(EventKind.RESUME, record, outer)

    def _thread_of(self, facts: CodeFacts) -> int:
        """Return the number of the frame's thread or task: a coroutine's task, else that of the caller."""
        if facts.kind == "coroutine":
            return self._numbers.task()
        return self._live[-1].thread if self._live else self._numbers.thread()

    def _exception(self, record: FrameRecord, frame: FrameType, argument: object) -> None:
        record.raising = True
        kind, value = argument[0], argument[1]  # type: ignore[index]  # the event's triple
        if kind is StopIteration and record.facts.opcode(frame.f_lasti) in _DRAINS:
            record.raising = False
            return  # a generator signals its end to a loop; the program raised nothing
        self.last_raise = self._write(EventKind.RAISE, record, frame, value=(value,))

    def _leave(self, record: FrameRecord, frame: FrameType, what: int, argument: object) -> None:
        kind = self._ending(record, frame, what, argument)
        value = () if kind is EventKind.UNWIND else (argument,)
        handle = self._write(kind, record, frame, value=value)
        self._live.pop()
        record.frame = None
        if self._live:
            self._live[-1].dirty = True  # the returned value is on its stack now
        if kind is not EventKind.YIELD:
            del self._by_frame[id(frame)]
        elif self._live and self._live[-1].delegates and (outer := self._live[-1].frame) is not None:
            self._live[-1].delegates = False
            self._leave(self._live[-1], outer, what, argument)
        # A generator destroyed with the outermost frame runs after it, so only frames without parent count.
        outermost = self.columns.frame_parent[record.number] < 0 and not record.thread
        if kind is not EventKind.YIELD and outermost:
            self.last_line = record.line
            self.last_return = handle if kind is EventKind.RETURN else -1
            if record.number == 0:
                self.first_return = self.last_return

    def _ending(self, record: FrameRecord, frame: FrameType, what: int, argument: object) -> EventKind:
        """Return the kind of a frame's end; the instruction tells an unwind that looks like "return None"."""
        if what == events.UNWIND:
            return EventKind.UNWIND
        opcode = record.facts.opcode(frame.f_lasti)
        if record.facts.is_generator and opcode in _YIELDS:
            return EventKind.UNWIND if argument is None and record.raising else EventKind.YIELD
        # A generator into which something is thrown before it has begun stands where it was made.
        is_new = opcode == "RETURN_GENERATOR" and record.raising
        returns = argument is not None or (opcode in _RETURNS and not is_new)
        return EventKind.RETURN if returns else EventKind.UNWIND

    def _record_of(self, frame: FrameType) -> FrameRecord | None:
        live = self._live
        while live and live[-1].frame is not frame:
            if not any(record.frame is frame for record in live):
                return None  # entered before the trace began
            live.pop().frame = None
        return live[-1] if live else None

    # -------------------------------------------------------------- one event

    def _write(
        self,
        kind: EventKind,
        record: FrameRecord,
        frame: FrameType,
        *,
        value: tuple[object, ...] = (),
        sent: bool = False,
    ) -> int:
        """Write an event with the changes since the event before; return the handle of its value, -1 = none.

        `value`: a tuple of the value, or () without one. `sent`: whether a value was sent into the frame.
        """
        heap = self.heap
        heap.begin()
        slots, stack, namespace = self.access.read(frame, record.facts)
        if sent and stack:  # the value sent in is the event's value, not yet a temporary of the program
            top = stack.pop()
            value = (top,) if record.facts.opcode(frame.f_lasti) == "RESUME" else ()
        if kind is EventKind.RAISE and _SHOWS_CALLS:
            stack = None
        self._update(
            record, frame, (slots, stack, namespace), leaving=kind in (EventKind.RETURN, EventKind.UNWIND)
        )
        record.dirty = True
        for live in self._stacks.values():
            for caller in reversed(live):
                if caller is not record:
                    self._look_into_caller(caller)
        self._look_into_globals()
        handle = heap.handle(value[0]) if value else -1
        heap.walk()
        record.line = frame.f_lineno or record.line  # instructions added by the compiler have no line
        self.columns.add_event(
            kind,
            step=self.step,
            frame=record.number,
            line=record.line,
            value=handle,
            thread=record.thread,
        )
        return handle

    def _update(
        self,
        record: FrameRecord,
        frame: FrameType,
        reading: tuple[list[object], list[object] | None, object],
        *,
        leaving: bool = False,
    ) -> None:
        slots, stack, namespace = reading
        heap = self.heap
        # A module's names are its globals; an enumeration's body has a dictionary of a class of its own.
        if isinstance(namespace, dict) and record.facts.kind != "module":
            update_namespace(heap, record, slots, namespace)
        else:
            update_names(heap, record, slots)
        if leaving:
            stack = []
        # None: inside a C call the stack cannot be read
        if stack is not None and (stack or record.iterators or record.temporaries):
            update_stack(heap, record, record.facts.labels(frame.f_lasti), stack)

    def _waiting(self, record: FrameRecord, frame: FrameType) -> Reading:
        """Read a frame that waits for a call; of its stack, only the slots that the call leaves unchanged."""
        slots, stack, namespace = self.access.read(frame, record.facts)
        if stack is not None and _SHOWS_CALLS:
            kept = record.facts.n_unchanged(frame.f_lasti)
            stack = None if kept is None else stack[:kept]
        return slots, stack, namespace

    def _look_into_caller(self, record: FrameRecord) -> None:
        frame = record.frame
        if frame is not None and (record.dirty or not record.facts.plain):
            record.dirty = False
            self._update(record, frame, self._waiting(record, frame))

    def _look_into_globals(self) -> None:
        missing = self.access.missing
        for record, namespace in self._modules.values():
            if record.keys:
                update_names(self.heap, record, [namespace.get(name, missing) for name in record.names])

    def _look_into_generator(self, entry: Entry, generator: object) -> None:
        frame = _suspended_frame(generator)
        record = self._by_frame.get(id(frame)) if frame is not None and not _is_new(generator) else None
        if frame is None:
            self.heap.attributes(entry, [])
        elif record is not None:
            self.heap.attributes(entry, [("frame", record.number)])
            if record.frame is None and (record.dirty or not record.facts.plain):
                record.dirty = False
                self._update(record, frame, self._waiting(record, frame))
        elif not _has_started(generator):
            facts, _ = self._facts_of(frame.f_code)
            slots = self.access.read(frame, facts)[0]
            pairs = zip(facts.names, slots, strict=True)
            self.heap.attributes(entry, [p for p in pairs if p[1] is not self.access.missing])

    # -------------------------------------------------------------- tables

    def _facts_of(self, code: CodeType) -> tuple[CodeFacts, list[int]]:
        known = self._facts.get(id(code))
        if known is None or known[0].code is not code:
            facts = CodeFacts(code)
            known = self._facts[id(code)] = facts, [self.values.string(name) for name in facts.names]
        return known

    def _code_of(self, frame: FrameType) -> int:
        """Return the number of the frame's code; its file's module is recorded from now on."""
        code = frame.f_code
        known = self._codes.get(id(code))
        if known is None or known[0] is not code:
            name = file_of(self._program_file, code) or ""
            if name and not self.columns.names:
                self.columns.intern_name("")  # 0 is the program's source, so no file's name may stand there
            file = self.columns.intern_name(name) if name else 0
            if file:
                self._add_module(file, frame)
            self.columns.codes.append(
                Code(code.co_qualname, file, code.co_firstlineno, self._facts_of(code)[0].kind)
            )
            known = self._codes[id(code)] = code, len(self.columns.codes) - 1
        return known[1]

    def _add_module(self, file: int, frame: FrameType) -> None:
        """Record those names of another file's module that the functions known so far use."""
        namespace = frame.f_globals
        if file not in self._modules:
            self._modules[file] = self._global_record(file, []), namespace
            codes = [frame.f_code, *source_facts.codes_in(namespace, frame.f_code.co_filename)]
        else:
            codes = [frame.f_code]
        record = self._modules[file][0]
        names = dict.fromkeys(name for code in codes for name in source_facts.module_names(code))
        known = set(record.names)
        for name in source_facts.own_names(names, codes, namespace):
            if name not in known:
                record.names.append(name)
                record.keys.append(self.values.string(name))
                record.places.append(Place.GLOBAL)
                record.last.append(self.access.missing)
                record.handles.append(-1)

    def _global_record(self, module: int, names: Sequence[str]) -> FrameRecord:
        """Make a record for a module's names, like that of a frame; its owner is the number of its file."""
        facts = CodeFacts((lambda: None).__code__)
        facts.names, facts.places = list(names), [Place.GLOBAL] * len(names)
        return FrameRecord(module, facts, [self.values.string(name) for name in names], self.access.missing)


_PREFIX = {"generator": "gi", "coroutine": "cr", "async_generator": "ag"}


def _state(generator: object, what: str) -> object:
    """Return one of the C attributes of a generator, coroutine or asynchronous generator."""
    kind = type(generator)
    descriptor = kind.__dict__.get(f"{_PREFIX[kind.__name__]}_{what}")
    return descriptor.__get__(generator) if descriptor is not None else None


def _suspended_frame(generator: object) -> FrameType | None:
    return _state(generator, "frame")  # type: ignore[return-value]  # of that name, a frame or None


def _has_started(generator: object) -> bool:
    return bool(_state(generator, "suspended") or _state(generator, "running"))


def _is_new(generator: object) -> bool:
    """Whether the generator's body has not begun; always False before Python 3.12."""
    return sys.version_info >= (3, 12) and not _has_started(generator)
