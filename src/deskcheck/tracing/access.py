"""The two ways to look at frames and objects: through the C extension, or with what Python offers.

    access = best_access()            NATIVE where the extension was built, else FALLBACK
    access.read(frame, facts)         -> (slots, stack or None, namespace or None); empty slots are
    access.missing

Not seen by the fallback: the value stack and so the iterators of loops. Below 3.13 it also pays the price of
`sys.settrace`: f_locals is copied around every callback (a kept `locals()` and reference counts change).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable
from types import CodeType, FrameType, GetSetDescriptorType, MemberDescriptorType

from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.watching import Holding, Watching

try:
    from deskcheck.tracing import _native as _native

    _set_handled = _native.set_handled
except ImportError:  # no compiler at install time
    import ctypes

    _native = None  # type: ignore[assignment]  # where it is there, a module

    def _set_handled(exception: BaseException | None, /) -> None:
        ctypes.pythonapi.PyErr_SetHandledException(ctypes.py_object(exception))


exception_handled = sys.exception  # bound here: a program may replace it
CALL, EXCEPTION, LINE, RETURN, UNWIND = range(5)
_EVENTS = {"call": CALL, "exception": EXCEPTION, "line": LINE, "return": RETURN}

Callback = Callable[[FrameType, int, object], object]
Own = str | Callable[[CodeType], str | None]
"""Which code is stepped into: that of one file name, or what a function names a file for ("" = file 0)."""
Reading = tuple[list[object], list[object] | None, object]


class Access:
    """Functions that read frames and objects without running the program's code."""

    def __init__(self, *, native: bool) -> None:
        self.native = native
        self.missing: object = _native.MISSING if native else object()
        self.addresses: Callable[[object], object] = _native.addresses if native else _addresses
        self.attributes: Callable[[object], dict[object, object] | None] = (
            _native.attributes if native else _attributes
        )

    def read(self, frame: FrameType, facts: CodeFacts) -> Reading:
        """Slots in the order of `facts.names`, the value stack, the namespace of a class or module body."""
        if self.native:
            return _native.read_frame(frame)
        names = frame.f_locals
        if facts.kind in ("class", "module"):
            return [], None, names
        return [names.get(name, self.missing) for name in facts.names], None, None

    def watch(self) -> Watching:
        """What knows objects by number, and when they die."""
        return _native.Watch() if self.native else Holding()

    def start(self, callback: Callback, own: Own) -> None:
        """Call back for every event in the program's own code, in this thread."""
        if self.native:
            _native.start(callback, own)
            return

        def on_event(frame: FrameType, event: str, argument: object) -> object:
            if file_of(own, frame.f_code) is None:
                return None
            callback(frame, _EVENTS[event], argument)
            return on_event

        self._hook = on_event
        sys.settrace(on_event)  # type: ignore[arg-type]  # gives itself: no type for that

    def active(self) -> bool:
        """Whether the callback is still the tracer of this thread."""
        return _native.active() if self.native else sys.gettrace() is self._hook

    def stop(self) -> None:
        """No tracer in this thread."""
        if self.native:
            _native.stop()
        else:
            sys.settrace(None)


def file_of(own: Own, code: CodeType) -> str | None:
    """Name of the code's file, "" for the program's source, None for code that is not stepped into."""
    if isinstance(own, str):
        return "" if code.co_filename == own else None
    return own(code)


def restore_handled(exception: BaseException | None) -> None:
    """Make `sys.exception()` answer in this thread what it answered before a program was stopped."""
    if exception_handled() is exception:
        return
    _set_handled(None)  # inside a generator: what its caller handles shows through
    if exception_handled() is not exception:
        _set_handled(exception)


def forget_changes() -> None:
    """A program begins: what was changed before is not its doing."""
    if _native is not None:
        _native.forget_changes()


def has_changed() -> bool:
    """Whether the program has changed how it is traced since then; never known without the C extension."""
    return _native is not None and _native.changes() > 0


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
            found = descriptor.__get__(instance)  # type: ignore[attr-defined]  # both kinds have it
            return found if type(found) is dict else None
    return None


_mro = type.__dict__["__mro__"].__get__
_type_dict = type.__dict__["__dict__"].__get__


def mro(kind: type) -> tuple[type, ...]:
    """The true method resolution order, whatever the metaclass says; a C type never made ready has none."""
    return _mro(kind) or (kind, object)


def type_dict(kind: type) -> dict[str, object]:
    """The true namespace of a class, as a read-only view; a C type that was never made ready has none."""
    return _type_dict(kind) or {}
