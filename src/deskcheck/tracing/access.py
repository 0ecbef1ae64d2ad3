"""Give tracers access to the interpreter: frames, objects, numbers for objects and threads, the collector.

    access = Access(native=has_native())
    access.read(frame, facts)         -> (slots, stack or None, namespace or None)
    access.missing                    the value of an empty slot
    access.watch() -> Watching        knows objects by number: `_native.Watch`, or `Holding` without extension
    numbers = Numbers()               numbers of threads and asyncio tasks, in order of first sight
    held = pause_collector()          in the program, gc.isenabled() still returns what it returned before
    resume_collector(held)            restores the earlier state, or the one that the program has set since

The fallback without the extension does not see the value stack, and so no iterators of loops. Below Python
3.13 it also copies f_locals around every callback, as `sys.settrace` does; a stored `locals()` and reference
counts then change.
The collector is paused because the tracer's objects would influence when the program's are collected; a
pause inside a pause changes nothing. Without the C extension the program sees that the collector is off, and
what it sets is not restored.
A task is known by its address and a weak reference: nothing is kept alive and no code of the program runs.
Tasks of other event loops than asyncio's count as their thread.
"""

from __future__ import annotations

import gc
import sys
import weakref
from _thread import _count as _n_running
from _thread import get_ident
from array import array
from collections.abc import Callable, Sequence
from types import CodeType, FrameType, GetSetDescriptorType, MemberDescriptorType
from typing import Any, Protocol

from deskcheck.tracing.codes import CodeFacts


def _without_depth(_: int, function: Callable[..., Any], /, *arguments: object) -> Any:
    """Call the function; without the extension, our own frames count against the program's depth."""
    return function(*arguments)


def _seen(function: Callable[..., Any], /, *arguments: object) -> Any:
    """Call the function; without the extension, the program sees our frames below its own."""
    return function(*arguments)


class Watching(Protocol):
    """Table of objects by number, which reports their deaths: `_native.Watch`, or `Holding`."""

    def add(self, value: object, /) -> int:
        """Add a new object and return its number, counted from 0."""

    def number(self, value: object, /) -> int:
        """Return the number of a known object, else -1."""

    def get(self, number: int, /) -> object:
        """Return the object, None if it is dead or being destroyed."""

    def forget(self, value: object, /) -> None:
        """Treat a known object as dead."""

    def died(self) -> list[int]:
        """Return the numbers of the objects that have died since the last call."""

    def close(self) -> None:
        """Stop reporting the deaths of objects."""


class Holding:
    """Table of objects without the extension: by weak references, or by holding objects that allow none.

    An object that is held lives until the trace is over, and so do the objects in it.
    """

    def __init__(self) -> None:
        self._objects: list[object] = []
        self._numbers: dict[int, int] = {}
        self._died: list[int] = []

    def add(self, value: object) -> int:
        """Add a new object and return its number."""
        number, address = len(self._objects), id(value)

        def died(_reference: object) -> None:
            if self._numbers.get(address) == number:
                del self._numbers[address]
                self._died.append(number)

        weak = _weak_offset(type(value)) != 0
        self._objects.append(weakref.ref(value, died) if weak else value)
        self._numbers[address] = number
        return number

    def number(self, value: object) -> int:
        """Return the number of a known object, else -1."""
        number = self._numbers.get(id(value), -1)
        return number if number >= 0 and self.get(number) is value else -1

    def get(self, number: int) -> object:
        """Return the object, None if it is dead."""
        found = self._objects[number]
        return found() if type(found) is weakref.ref else found

    def forget(self, value: object) -> None:
        """Treat a known object as dead."""
        self._died.append(self._numbers.pop(id(value)))

    def died(self) -> list[int]:
        """Return the numbers of the objects that have died since the last call."""
        died, self._died = self._died, []
        return died

    def close(self) -> None:
        """Release every object that is held."""
        self._objects.clear()
        self._numbers.clear()


_weak_offset = type.__dict__["__weakrefoffset__"].__get__


class Numbers:
    """Numbers of the threads and tasks of one run."""

    def __init__(self) -> None:
        self._threads: dict[int, int] = {}
        self._tasks: dict[int, tuple[weakref.ref[object], int]] = {}
        self._next = 0

    def thread(self) -> int:
        """Return the number of the running thread."""
        number = self._threads.get(get_ident())
        if number is None:
            number = self._threads[get_ident()] = self._new()
        return number

    def new_thread(self) -> None:
        """Note that the running thread has just begun; an earlier thread may have had the same ident."""
        self._threads.pop(get_ident(), None)

    def task(self) -> int:
        """Return the number of the running asyncio task, or of the thread if no task runs."""
        task = _running_task()
        if task is None:
            return self.thread()
        known = self._tasks.get(id(task))
        if known is not None and known[0]() is task:
            return known[1]
        number = self._new()
        self._tasks[id(task)] = weakref.ref(task), number
        return number

    def _new(self) -> int:
        number = self._next
        self._next += 1
        return number


def _running_task() -> object:
    module = sys.modules.get("asyncio.tasks")
    if module is None:
        return None
    try:
        return module.current_task()
    except RuntimeError:  # no loop runs in this thread
        return None


try:
    from deskcheck.tracing import _native as _native

    _set_handled = _native.set_handled
except ImportError:  # no compiler at install time
    import ctypes

    _native = None  # type: ignore[assignment]  # a module if it was built

    def _set_handled(exception: BaseException | None, /) -> None:
        ctypes.pythonapi.PyErr_SetHandledException(ctypes.py_object(exception))


exception_handled = sys.exception  # bound here: a program may replace it
# Second argument of a Callback; UNWIND occurs only with the extension.
CALL, EXCEPTION, LINE, RETURN, UNWIND = range(5)
_EVENTS = {"call": CALL, "exception": EXCEPTION, "line": LINE, "return": RETURN}

Callback = Callable[[FrameType, int, object], object]
ProgramFile = str | Callable[[CodeType], str | None]
"""Code to step into: a file name, or a function that returns what `file_of` returns for a code object."""
Reading = tuple[list[object], list[object] | None, object]
"""Result of `Access.read`: slots, value stack (None if not seen), namespace of a class or module (else
None)."""


class Access:
    """Functions that read frames and objects without running the program's code."""

    def __init__(self, *, native: bool) -> None:
        self.native = native
        self.sees_stack = native
        """Whether `read` returns the value stack."""
        self.missing: object = _native.MISSING if native else object()
        self.addresses: Callable[[object], object] = _native.addresses if native else _addresses
        self.attributes: Callable[[object], dict[object, object] | None] = (
            _native.attributes if native else _attributes
        )

    def read(self, frame: FrameType, facts: CodeFacts) -> Reading:
        """Return slots in the order of `facts.names`, value stack, and namespace of a class or module."""
        if self.native:
            return _native.read_frame(frame)
        names = frame.f_locals
        if facts.kind in ("class", "module"):
            return [], None, names
        return [names.get(name, self.missing) for name in facts.names], None, None

    def watch(self) -> Watching:
        """Make a table that knows objects by number and reports their deaths."""
        return _native.Watch() if self.native else Holding()

    def start(self, callback: Callback, program_file: ProgramFile) -> None:
        """Call `callback` for every event in the program's code, in this thread."""
        if self.native:
            _native.start(callback, program_file)
            return

        def on_event(frame: FrameType, event: str, argument: object) -> object:
            if file_of(program_file, frame.f_code) is None:
                return None
            callback(frame, _EVENTS[event], argument)
            return on_event

        self._hook = on_event
        sys.settrace(on_event)  # type: ignore[arg-type]  # it returns itself, which no type expresses

    def active(self) -> bool:
        """Whether the callback is still the tracer of this thread."""
        return _native.active() if self.native else sys.gettrace() is self._hook

    def stop(self) -> None:
        """Remove the tracer of this thread."""
        if self.native:
            _native.stop()
        else:
            sys.settrace(None)


def file_of(program_file: ProgramFile, code: CodeType) -> str | None:
    """Return the name of the code's file, "" for the program's source, None for code not stepped into."""
    if isinstance(program_file, str):
        return "" if code.co_filename == program_file else None
    return program_file(code)


def restore_handled(exception: BaseException | None) -> None:
    """Make `sys.exception()` return in this thread what it returned before a program was stopped."""
    if exception_handled() is exception:
        return
    _set_handled(None)  # inside a generator, the exception that its caller handles is visible again
    if exception_handled() is not exception:
        _set_handled(exception)


def forget_changes(codes: Sequence[CodeType]) -> None:
    """Forget earlier changes to tracing: a new program begins, with this code and the code nested in it."""
    _begun[0] = _n_running()
    if _native is not None:
        _native.forget_changes(tuple(codes))


_begun = [0]


def n_running_at_first() -> int:
    """Return how many other threads ran in this process when the program began."""
    return _begun[0]


def has_changed() -> bool:
    """Whether the program has changed how it is traced; always False without the C extension."""
    return _native is not None and _native.changes() > 0


at_depth: Callable[..., Any] = _without_depth if _native is None else _native.at_depth
"""at_depth(depth, function, ..) calls the function as if a frame at this depth of recursion did."""
unseen: Callable[..., Any] = _seen if _native is None else _native.unseen
"""unseen(function, ..) calls the function with no frame of ours below it, as a module is called."""
depth: Callable[[], int] = (lambda: 0) if _native is None else _native.depth
"""Function that returns the depth of recursion of the frame that calls it; 0 without the extension."""
unless_raised: Callable[..., Any] = _without_depth if _native is None else _native.unless_raised
"""unless_raised(type, hook, info): hook(info), except for an exception of exactly this type."""
C_CALL = int(sys.version_info < (3, 12))
"""Depth of recursion that a call of a function in C takes."""


def has_hooks() -> bool:
    """Whether the program has set a hook that runs untraced; always False without the C extension."""
    return _native is not None and _native.has_hooks()


def has_native() -> bool:
    """Whether the C extension was built."""
    return _native is not None


def _addresses(container: object) -> object:
    if isinstance(container, dict):
        items = list(dict.items(container))
        return array("Q", [id(part) for item in items for part in item]).tobytes()
    kind = next(base for base in (list, tuple, set, frozenset) if isinstance(container, base))
    return array("Q", map(id, kind.__iter__(container))).tobytes()  # type: ignore[arg-type]  # kind is its base


def _attributes(instance: object) -> dict[object, object] | None:
    for base in mro(type(instance)):
        descriptor = type_dict(base).get("__dict__")
        if type(descriptor) in (GetSetDescriptorType, MemberDescriptorType):
            value = descriptor.__get__(instance)  # type: ignore[attr-defined]  # both kinds have it
            return value if type(value) is dict else None
    return None


_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__


def mro(kind: type) -> tuple[type, ...]:
    """Return a class's true method resolution order without asking the metaclass.

    A C type that was never made ready has none; the result is then the type and object.
    """
    return _mro(kind) or (kind, object)


def type_dict(kind: type) -> dict[str, object]:
    """Return a read-only view of a class's true namespace; empty for a C type that was never made ready."""
    return _type_dict(kind) or {}


_is_enabled, _enable, _disable = gc.isenabled, gc.enable, gc.disable  # bound: a program may replace them


def pause_collector(*, shown: bool | None = None) -> bool:
    """Stop automatic collection; the result is the argument of `resume_collector`.

    `shown`: state of the collector that the program sees at first, because the sandbox itself has it switched
    off; None = the true state.
    """
    enabled = _is_enabled()
    if _native is None:
        _disable()
        return enabled
    return not _native.pause_collection(enabled if shown is None else shown)


def resume_collector(held: bool) -> None:
    """Restart automatic collection if it was on before and the program has not switched it off.

    Without the C extension it restarts even then, because nothing notes what the program has switched.
    """
    if held and _native is None:
        _enable()
    elif held:
        _native.resume_collection()
