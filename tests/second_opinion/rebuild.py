"""Make real Python objects of a recorded state, so that the program can be executed on from it.

    with rebuilt(program, trace, index) as state:      at event `index`, which must be a line event
        resume(program, state.frames, state.namespace)

The program's module is made anew (prelude and body run, untraced), then everything that live frames, waiting
generators and the module's names hold is built from the trace alone: aliases stay aliases, iterators stand
where they stood, generators wait where they waited. What the trace does not say is refused (NotResumable):
opaque and cut values, the order of a set, the longest length of a deque, whose variable a closure has when
its function ran several times. Not covered: threads, tasks, programs of several files.
"""

from __future__ import annotations

import builtins
import collections
import functools
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

from tests.second_opinion.flow import flow_of
from tests.second_opinion.history import History
from tests.second_opinion.positions import iterator_at
from tests.second_opinion.reenter import Entry, suspended
from tests.second_opinion.resume import LiveFrame

from deskcheck.errors import NotResumable
from deskcheck.records import ObjectKind, Program, Trace, ValueKind
from deskcheck.tracing import codes
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.execution import module_namespace
from deskcheck.tracing.literal import NotPlain, scalar
from deskcheck.tracing.replay import FrameState, HeapObject, text_of

_NAMED: dict[str, Callable[[], Any]] = {
    "list": list, "dict": dict, "set": set, "collections.deque": collections.deque, "bytearray": bytearray,
    "collections.OrderedDict": collections.OrderedDict, "collections.Counter": collections.Counter,
    "collections.defaultdict": collections.defaultdict,
}  # fmt: skip

_CLOSING = ("LOAD_CLOSURE", "LOAD_FAST", "LOAD_FAST_BORROW", "BUILD_TUPLE")
_WITH_ATTRIBUTES = frozenset({
    ObjectKind.RECORD, ObjectKind.ITERATOR, ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.GENERATOR
})  # fmt: skip


@dataclass(frozen=True)
class Rebuilt:
    """A state as real objects."""

    frames: list[LiveFrame]
    namespace: dict[str, object]
    value: Callable[[int], object]
    """The object that a handle stands for, one and the same for one and the same object."""


@contextmanager
def rebuilt(program: Program, trace: Trace, index: int) -> Iterator[Rebuilt]:
    """The state at a line event. NotResumable where something of it cannot be made."""
    history = History(trace, program, index)
    with module_namespace(program) as namespace:
        builder = _Builder(trace, history, namespace)
        frames = builder.world()
        yield Rebuilt(frames, namespace, builder.value)


class _Builder:
    """Objects by number, cells by frame and name."""

    def __init__(self, trace: Trace, history: History, namespace: dict[str, object]) -> None:
        assert history.state is not None
        self.trace, self.history, self.state = trace, history, history.state
        self.namespace = namespace
        self._objects: dict[int, object] = {}
        self._cells: dict[tuple[int, str], CellType] = {}
        self._building: set[int] = set()
        self._running: dict[int, FrameState] = {}
        self._later: list[tuple[CellType, int]] = []

    def world(self) -> list[LiveFrame]:
        """The live frames; the module's names are set in the namespace."""
        frames = self.state.frames
        for name, handle in self.state.globals.items():
            if self._is_data(handle):
                self.namespace[name] = self.value(handle)
        self._class_data()
        for frame in frames[1:]:
            if CodeFacts(self.history.code(frame.number)).is_generator:
                raise NotResumable("a generator is running")
        made = [self._live(frame) for frame in frames]
        self._change_defaults()
        while self._later:
            cell, handle = self._later.pop()
            cell.cell_contents = self.value(handle)
        return made

    def _change_defaults(self) -> None:
        """Default values that can change are attributes "name=" of their function."""
        for number, found in list(self.state.heap.items()):
            changed = {n[:-1]: h for n, h in self._attributes(found).items() if n.endswith("=")}
            if found.kind is not ObjectKind.FUNCTION or not changed:
                continue
            function = self._object(number)
            code = function.__code__
            names = code.co_varnames[code.co_argcount - len(function.__defaults__ or ()) : code.co_argcount]
            if set(changed) - set(names):
                raise NotResumable(f"keyword defaults that can change: {found.text}")
            pairs = zip(names, function.__defaults__, strict=True)
            function.__defaults__ = tuple(
                self.value(changed[name]) if name in changed else value for name, value in pairs
            )

    def _is_data(self, handle: int) -> bool:
        found = self.state.object(handle)
        return found is None or found.kind not in (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE)

    def _class_data(self) -> None:
        """Data that the program's classes hold; it may have changed since their bodies ran."""
        for number, found in list(self.state.heap.items()):
            if found.kind is ObjectKind.CLASS and found.entries:
                kind = self._class(found.text)
                for key, handle in found.entries.items():
                    type.__setattr__(kind, text_of(self.trace, key), self.value(handle))
                self._objects.setdefault(number, kind)

    def _live(self, frame: FrameState) -> LiveFrame:
        code = self.history.code(frame.number)
        offsets = self.history.offsets[frame.number]
        handled = self.history.handled.get(frame.number, [])
        return LiveFrame(
            code.co_qualname,
            frame.line,
            {name: self.value(handle) for name, handle in frame.bindings.items()},
            [self.value(handle) for handle in frame.iterators],
            [self.value(handle) for handle in frame.stack],
            cells=self._frame_cells(frame, code),
            handled=[self._exception(handle) for handle in handled],
            offsets=offsets,
            first_line=code.co_firstlineno,
        )

    def _exception(self, handle: int) -> BaseException:
        value = self.value(handle)
        if not isinstance(value, BaseException):
            raise NotResumable("an exception that was not recorded as one")
        return value

    # -------------------------------------------------------------- cells

    def _frame_cells(self, frame: FrameState, code: CodeType) -> dict[str, CellType]:
        cells: dict[str, CellType] = {}
        for name in code.co_cellvars:
            cells[name] = self._cell(frame.number, name, frame.bindings.get(name))
        for name in code.co_freevars:
            cells[name] = self._free_cell(code.co_qualname, name, frame.bindings.get(name), frame=frame)
        return cells

    def _cell(self, owner: int, name: str, handle: int | None) -> CellType:
        known = self._cells.get((owner, name))
        if known is None:
            known = self._cells[owner, name] = CellType()
            if handle is not None:  # later: what is in it may have it
                self._later.append((known, handle))
        return known

    def _free_cell(
        self, inner: str, name: str, handle: int | None, *, frame: FrameState | None = None
    ) -> CellType:
        """The enclosing function's variable: of a comprehension's caller, else of the only call there was."""
        if frame is not None and inner.endswith("comp>") and frame.parent >= 0:
            code = self.history.code(frame.parent)
            if name in code.co_cellvars:
                return self._cell(frame.parent, name, handle)
            if name in code.co_freevars:
                parent = next((f for f in self.state.frames if f.number == frame.parent), None)
                return self._free_cell(code.co_qualname, name, handle, frame=parent)
        if name == "__class__":
            kind = self._class(inner.rpartition(".")[0])
            return CellType(kind)
        outer = inner
        while ".<locals>." in outer:
            outer = outer.rpartition(".<locals>.")[0]
            owners = [
                number
                for number, code in enumerate(self.trace.codes)
                if code.name == outer and name in self._cellvars(code.name, code.first_line)
            ]
            if owners:
                frames = [
                    n for n, code in enumerate(self.trace.frames.code) if code in owners and self._entered(n)
                ]
                if len(frames) != 1:
                    raise NotResumable(
                        f"whose variable {name!r} it is in {inner}: {outer} was called {len(frames)} times"
                    )
                return self._cell(frames[0], name, handle)
        raise NotResumable(f"whose variable {name!r} it is in {inner}")

    def _entered(self, frame: int) -> bool:
        return frame in self.history.offsets

    def _cellvars(self, name: str, first_line: int) -> tuple[str, ...]:
        for code in self.history.found:
            if (code.co_qualname, code.co_firstlineno) == (name, first_line):
                return code.co_cellvars
        return ()

    # -------------------------------------------------------------- values

    def value(self, handle: int) -> Any:
        """The object behind a handle."""
        kind = self.trace.values.kind[handle]
        if kind == ValueKind.REF:
            return self._object(self.trace.values.number[handle])
        try:
            return scalar(self.trace, handle)
        except NotPlain:
            name = self.trace.names[self.trace.values.type[handle]]
            how = "a value that was cut" if kind == ValueKind.TRUNCATED else "an opaque value"
            raise NotResumable(f"{how}: {name}") from None

    def _object(self, number: int) -> Any:
        if number in self._objects:
            return self._objects[number]
        if number in self._building:
            raise NotResumable("an immutable object that contains itself")
        self._building.add(number)
        found = self.state.heap.get(number) or HeapObject(
            number,
            ObjectKind(self.trace.objects.kind[number]),
            self.trace.names[self.trace.objects.type[number]],
            self.trace.names[self.trace.objects.text[number]],
        )
        makers: dict[ObjectKind, Callable[[HeapObject], Any]] = {
            ObjectKind.FUNCTION: self._function,
            ObjectKind.ITERATOR: lambda one: iterator_at(one.type, self._attributes(one), self.value),
            ObjectKind.RECORD: self._record,
            ObjectKind.GENERATOR: self._generator,
            ObjectKind.CLASS: lambda one: self._class(one.text),
            ObjectKind.MODULE: self._module,
        }
        make = makers.get(found.kind, self._container)
        if found.kind in (ObjectKind.OPAQUE, ObjectKind.CELL):
            raise NotResumable(f"an opaque object: {found.type}")
        value = make(found)
        self._objects[number] = value
        self._building.discard(number)
        return value

    def _keep(self, found: HeapObject, value: Any) -> Any:
        """A mutable object is known before its contents are made: they may contain it."""
        self._objects[found.number] = value
        return value

    def _container(self, found: HeapObject) -> Any:
        kind = found.kind
        if kind is ObjectKind.TUPLE:
            items = tuple(self.value(handle) for handle in found.items)
            return items if found.type == "tuple" else self._subclass(found, tuple, items)
        if kind is ObjectKind.FROZENSET:
            members = [self.value(handle) for handle in found.entries]
            _check_order(members)
            return (
                frozenset(members) if found.type == "frozenset" else self._subclass(found, frozenset, members)
            )
        if found.type == "array.array":
            raise NotResumable("an opaque object: array.array")
        if kind is ObjectKind.ARRAY and self.history.may_limit_deques:
            raise NotResumable("the longest length of a deque is not in the trace")
        base = _NAMED.get(found.type)
        value = self._keep(
            found, base() if base else self._class(found.type).__new__(self._class(found.type))
        )
        if kind is ObjectKind.DICT:
            ordered = isinstance(value, collections.OrderedDict)
            setter: Any = collections.OrderedDict.__setitem__ if ordered else dict.__setitem__
            for key, handle in found.entries.items():
                setter(value, self.value(key), self.value(handle))
        elif kind is ObjectKind.SET:
            members = [self.value(handle) for handle in found.entries]
            _check_order(members)
            set.update(value, members)
        elif isinstance(value, list):
            list.extend(value, [self.value(handle) for handle in found.items])
        elif isinstance(value, bytearray | collections.deque):
            base_of: Any = bytearray if isinstance(value, bytearray) else collections.deque
            base_of.extend(value, [self.value(handle) for handle in found.items])
        for key, handle in found.attributes.items():
            name = text_of(self.trace, key)
            if found.type == "collections.defaultdict" and name == "default_factory":
                value.default_factory = self.value(handle)
            else:
                object.__setattr__(value, name, self.value(handle))
        return value

    def _subclass(self, found: HeapObject, base: type, contents: object) -> Any:
        value = base.__new__(self._class(found.type), contents)
        for key, handle in found.attributes.items():
            object.__setattr__(value, text_of(self.trace, key), self.value(handle))
        return value

    def _attributes(self, found: HeapObject) -> dict[str, int]:
        if found.kind not in _WITH_ATTRIBUTES:
            return {}
        return {text_of(self.trace, key): handle for key, handle in found.entries.items()}

    def _record(self, found: HeapObject) -> Any:
        attributes = self._attributes(found)
        if found.type in ("range", "slice"):
            return getattr(builtins, found.type)(
                *(self.value(attributes[n]) for n in ("start", "stop", "step"))
            )
        if found.type in ("dict_keys", "dict_values", "dict_items"):
            return getattr(self.value(attributes["source"]), found.type[5:])()
        if found.type == "functools.partial":
            parts = [self.value(attributes[name]) for name in ("func", "args", "keywords")]
            return functools.partial(parts[0], *parts[1], **parts[2])
        kind = self._class(found.type)
        if issubclass(kind, BaseException):
            args = self.value(attributes.pop("args"))
            value = self._keep(found, kind.__new__(kind, *args))
            value.args = args
        elif found.items:  # the scalar that an instance of a subclass also is
            value = self._keep(found, kind.__new__(kind, self.value(found.items[0])))
        else:
            try:
                value = self._keep(found, object.__new__(kind))
            except TypeError:
                raise NotResumable(f"an object of a class written in C: {found.type}") from None
        for name, handle in attributes.items():
            object.__setattr__(value, name, self.value(handle))
        return value

    def _class(self, name: str) -> Any:
        """A class of the program's module, a built-in or one of a library, by the name in the trace."""
        first, *rest = name.split(".")
        for scope in (self.namespace, vars(builtins)):
            if first in scope:
                value: Any = scope[first]
                for part in rest:
                    value = vars(value).get(part) if isinstance(value, type) else None
                if isinstance(value, type):
                    return value
        module, _, last = name.rpartition(".")
        if module and "<locals>" not in name:
            try:
                value = getattr(importlib.import_module(module), last, None)
            except ImportError:
                value = None
            if isinstance(value, type):
                return value
        raise NotResumable(f"a class that is not in the module: {name}")

    def _module(self, found: HeapObject) -> ModuleType:
        try:
            return importlib.import_module(found.text)
        except ImportError:
            raise NotResumable(f"a module that cannot be imported: {found.text}") from None

    def _function(self, found: HeapObject) -> Any:
        attributes = self._attributes(found)
        if found.type == "method":
            owner = self.value(attributes["__self__"])
            function = self._plain_function(found.text, attributes)
            return MethodType(function, owner)
        if found.type != "function":
            return self._builtin(found, attributes)
        return self._plain_function(found.text, attributes)

    def _builtin(self, found: HeapObject, attributes: dict[str, int]) -> Any:
        owner: Any = self.value(attributes["__self__"]) if "__self__" in attributes else builtins
        *path, last = found.text.split(".")
        if path and owner is builtins and found.type == "builtin_function_or_method":
            raise NotResumable(f"a method of a built-in object that is not in the trace: {found.text}")
        if owner is builtins and path:
            owner = getattr(builtins, path[0], None)
        value = getattr(owner, last, None)
        if value is None:
            raise NotResumable(f"a built-in function that is not found: {found.text}")
        return value

    def _plain_function(self, name: str, attributes: dict[str, int]) -> Any:
        value: Any = self.namespace.get(name.split(".")[0])
        if "<locals>" not in name and "<lambda>" not in name:
            for part in name.split(".")[1:]:
                value = vars(value).get(part) if isinstance(value, type) else None
            value = getattr(value, "__func__", value)
            if isinstance(value, FunctionType) and value.__qualname__ == name:
                return value
            raise NotResumable(f"a function that is not in the module: {name}")
        found = [code for code in self.history.found if code.co_qualname == name]
        if len(found) != 1:
            raise NotResumable(f"{len(found)} functions are called {name}")
        code = found[0]
        defaults = self._defaults(code)
        closure = tuple(self._free_cell(name, free, attributes.get(free)) for free in code.co_freevars)
        function = FunctionType(code, self.namespace, code.co_name, defaults, closure or None)
        function.__qualname__ = name
        return function

    def _defaults(self, code: CodeType) -> tuple[object, ...] | None:
        """Defaults that are constants of the enclosing code; others are not in the trace."""
        for outer in self.history.found:
            if code not in outer.co_consts:
                continue
            made = list(flow_of(outer).instructions.values())
            at = next(i for i, one in enumerate(made) if one.argval == code)
            flags = sum(
                (one.arg or 0)
                for one in made[at + 1 : at + 6]
                if one.opname == "SET_FUNCTION_ATTRIBUTE" or (one.opname == "MAKE_FUNCTION" and one.arg)
            )
            if not flags & 3:
                return None
            before = at - 1
            while made[before].opname in _CLOSING and flags & 8:
                before -= 1
            found = made[before].argval
            if flags & 3 == 1 and made[before].opname == "LOAD_CONST" and type(found) is tuple:
                return found
            break
        raise NotResumable(f"defaults that the trace does not hold: {code.co_qualname}")

    # -------------------------------------------------------------- generators

    def _generator(self, found: HeapObject) -> Any:
        names = self._attributes(found)
        if "frame" not in names:
            return self._unstarted(found, names)
        number = self.value(names["frame"])
        frame = self.state.suspended.get(number)
        if frame is None:
            if any(live.number == number for live in self.state.frames):
                raise NotResumable("a generator is running")
            return self._finished()
        code = self.history.code(number)
        flow = flow_of(code)
        entry_cells = self._frame_cells(frame, code)
        yields = flow.yields(self.history.offsets[number], frame.line)
        fitting = [
            o for o in yields
            if (labels := flow.labels(o)) is not None
            and labels[:-1].count(codes.ITERATOR) == len(frame.iterators)
            and labels[:-1].count(codes.VALUE) == len(frame.stack)
        ]  # fmt: skip
        if len(fitting) != 1:
            raise NotResumable(f"a generator that waits at one of {len(fitting)} places: {code.co_qualname}")
        labels = flow.labels(fitting[0])
        assert labels is not None
        if set(labels[:-1]) - {codes.ITERATOR, codes.VALUE}:
            raise NotResumable(f"a generator that waits in a with block or a handler: {code.co_qualname}")
        iterators = iter([self.value(handle) for handle in frame.iterators])
        temporaries = iter([self.value(handle) for handle in frame.stack])
        stack = [(x, next(iterators if x == codes.ITERATOR else temporaries)) for x in labels[:-1]]
        bindings = {name: self.value(handle) for name, handle in frame.bindings.items()}
        entry = Entry(flow.after(fitting[0]), bindings, entry_cells, stack, origin=fitting[0])
        made: GeneratorType[Any, Any, Any] = suspended(code, entry, self.namespace, sent=True)
        return made

    def _finished(self) -> Any:
        empty: tuple[object, ...] = ()
        generator = (x for x in empty)
        next(generator, None)
        return generator

    def _unstarted(self, found: HeapObject, names: dict[str, int]) -> Any:
        codes_named = [code for code in self.history.found if code.co_qualname == found.text]
        if not names and len(codes_named) == 1 and codes_named[0].co_argcount:
            return self._finished()  # a generator that has ended has no frame and no arguments
        if len(codes_named) != 1:
            raise NotResumable(f"{len(codes_named)} generators are called {found.text}")
        code = codes_named[0]
        if code.co_flags & 0x0C or code.co_kwonlyargcount:
            raise NotResumable(f"a generator that has not begun, with variable arguments: {found.text}")
        cells = {n: self._free_cell(code.co_qualname, n, names.get(n)) for n in code.co_freevars}
        function = FunctionType(
            code, self.namespace, code.co_name, None, tuple(cells[n] for n in code.co_freevars) or None
        )
        arguments = [self.value(names[name]) for name in code.co_varnames[: code.co_argcount]]
        return function(*arguments)


def _check_order(members: list[object]) -> None:
    """NotResumable for a set whose order could depend on how it was filled: the trace does not hold that."""
    if len(members) < 2:
        return
    if not all(type(member) in (int, bool) for member in members):
        raise NotResumable("the order of a set is not in the trace")
    turned = members[::-1]
    if list(set(members)) != list(set(turned)):
        raise NotResumable("the order of a set is not in the trace")
