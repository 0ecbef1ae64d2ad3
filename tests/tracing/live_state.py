"""A second look at a running program, by other means than the tracer's: what replay must rebuild.

    watched(source, "f", "3") -> (Trace, [picture at each event])       pictures from the live frames
    replayed(trace) -> [picture at each event]                          pictures from the deltas

A picture is text: frames outermost first with their names, then every object reached, numbered in order of
reaching, so that aliasing shows. Iterators are shown by what they still yield (through pickle, so that
nothing moves); live frames are read through f_locals, iterators of loops by their types.
"""

from __future__ import annotations

import pickle
import types
from collections import OrderedDict, deque

from deskcheck.records import EventKind, Limits, ObjectKind, Place, Trace, ValueKind
from deskcheck.tracing import _native, execution, reference
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import tracer
from deskcheck.tracing.replay import State, states

DEFAULT = Limits()
SCALARS = (int, bool, float, complex, str, bytes, type(None), type(...))
ITERATORS = (
    type(iter([])), type(iter(())), type(iter("")), type(iter("é")), type(iter(range(1))), type(iter({})),
    type(iter({}.items())), type(iter({}.values())), enumerate, zip, type(reversed([])),
)  # fmt: skip


def exact(value: object) -> str:
    return f"{type(value).__name__} {value.hex() if isinstance(value, float) else ascii(value)}"


# ------------------------------------------------------------------ from the live program


class LivePicture:
    def __init__(self, module: str) -> None:
        self.module = module
        self.numbers: dict[int, int] = {}
        self.queue: list[object] = []

    def name(self, value: object) -> str:
        if type(value) in SCALARS:
            return exact(value)
        if id(value) not in self.numbers:
            self.numbers[id(value)] = len(self.numbers)
            self.queue.append(value)
        return f"#{self.numbers[id(value)]}"

    def content(self, value: object) -> str:
        kind = type(value)
        for base in (list, tuple, deque, bytearray):
            if isinstance(value, base):
                return f"{kind.__name__} {[self.name(item) for item in base.__iter__(value)]}"
        if kind is dict or isinstance(value, dict):
            items = OrderedDict.items(value) if isinstance(value, OrderedDict) else dict.items(value)
            return f"{kind.__name__} {[(self.name(k), self.name(v)) for k, v in items]}"
        if kind in (set, frozenset):
            if all(type(item) in SCALARS for item in value):
                return f"{kind.__name__} {sorted(exact(item) for item in value)}"
            return f"{kind.__name__} of {len(value)}"
        if kind in ITERATORS:
            return f"{kind.__name__} {remaining(value)}"
        if kind is types.FunctionType:
            free = zip(value.__code__.co_freevars, value.__closure__ or (), strict=False)
            cells = [(name, self.name(c.cell_contents)) for name, c in free if _full(c)]
            return f"function {value.__code__.co_qualname} {sorted(cells)}"
        if kind.__module__ == self.module and hasattr(value, "__dict__") and not isinstance(value, type):
            own = object.__getattribute__(value, "__dict__")
            return f"{kind.__name__} {[(k, self.name(v)) for k, v in own.items()]}"
        if kind is range:
            return f"range {value.start} {value.stop} {value.step}"
        return f"a {kind.__name__}"

    def close(self) -> list[str]:
        lines = []
        while self.queue:
            lines.append(self.content(self.queue.pop(0)))
        return lines


def _full(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def remaining(iterator: object) -> str:
    try:
        return plain_text(list(pickle.loads(pickle.dumps(iterator))))
    except Exception as error:  # not picklable: say so on both sides
        return type(error).__name__


def watched(source: str, entry: str, arguments: str, limits: Limits = DEFAULT) -> tuple[Trace, list[str]]:
    pictures: list[str] = []
    kept: list[object] = []  # frames stay alive until the end, so that no address is used twice

    class Watching(tracer.Tracer):
        def _write(self, kind, record, frame, **more):  # type: ignore[no-untyped-def]
            handle = super()._write(kind, record, frame, **more)
            pictures.append(self.picture(kind, record, frame))
            return handle

        def picture(self, kind, record, frame) -> str:  # type: ignore[no-untyped-def]
            live = LivePicture(execution.MODULE)
            lines = [f"{kind.name} {frame.f_code.co_qualname} {frame.f_lineno}"]
            for one in self._live:
                bindings = one.frame.f_locals
                order = [n for n in one.facts.names if n in bindings]
                if one.facts.kind == "class":  # what it closes over is not among its f_locals everywhere
                    free = one.facts.code.co_freevars
                    order = [n for n in [*order, *bindings] if n[:2] != "__" and n not in free]
                shown = [f"{name}={live.name(bindings[name])}" for name in dict.fromkeys(order)]
                lines.append(f"{one.facts.code.co_qualname}: {', '.join(shown)}")
            if kind is EventKind.LINE:
                lines.append(f"loops: {loops(frame)}")
            record, namespace = self._modules[0]
            for name in record.names:
                if name in namespace:
                    lines.append(f"{name}={live.name(namespace[name])}")
            return "\n".join(lines + live.close())

    original = reference.Tracer
    reference.Tracer = Watching  # type: ignore[misc]
    try:
        trace = reference.trace_program(make_program(source, entry, arguments, origin="test"), limits)
    finally:
        reference.Tracer = original  # type: ignore[misc]
        kept.clear()
    return trace, pictures


def plain_text(value: object) -> str:
    """Text of plain data; of everything else the type."""
    if type(value) in (list, tuple):
        return f"{type(value).__name__} {[plain_text(item) for item in value]}"  # type: ignore[attr-defined]
    if type(value) is dict:
        return f"dict {[(plain_text(k), plain_text(v)) for k, v in value.items()]}"
    return exact(value) if type(value) in SCALARS else f"<{getattr(value, 'type', type(value).__name__)}>"


class Other:
    """Stands for an object that is not plain data."""

    def __init__(self, type_name: str) -> None:
        self.type = type_name


def loops(frame: types.FrameType) -> list[str]:
    """What the loops of the running frame still yield: iterators on its value stack, told by their types."""
    stack = _native.read_frame(frame)[1] or []
    return [f"{type(one).__name__} {remaining(one)}" for one in stack if type(one) in ITERATORS]


# ------------------------------------------------------------------ from the trace


class ReplayedPicture:
    def __init__(self, state: State) -> None:
        self.state = state
        self.trace = state.trace
        self.numbers: dict[int, int] = {}
        self.queue: list[int] = []

    def name(self, handle: int) -> str:
        if self.trace.values.kind[handle] != ValueKind.REF:
            return exact(scalar(self.trace, handle))
        number = self.trace.values.number[handle]
        if number not in self.numbers:
            self.numbers[number] = len(self.numbers)
            self.queue.append(handle)
        return f"#{self.numbers[number]}"

    def python(self, handle: int) -> object:
        """Plain value behind a handle, to take iterators further."""
        found = self.state.object(handle)
        if found is None:
            return scalar(self.trace, handle)
        if found.kind in (ObjectKind.LIST, ObjectKind.TUPLE):
            items = [self.python(item) for item in found.items]
            return items if found.kind is ObjectKind.LIST else tuple(items)
        if found.kind is ObjectKind.DICT:
            return {self.python(k): self.python(v) for k, v in found.entries.items()}
        fields = {str(scalar(self.trace, k)): v for k, v in found.entries.items()}
        if found.type == "range":
            return range(*(self.python(fields[k]) for k in ("start", "stop", "step")))  # type: ignore[misc]
        if found.kind is ObjectKind.ITERATOR:
            return self.items(handle)
        return Other(found.type)

    def items(self, handle: int) -> list[object]:
        """What an iterator still yields, from its source and position."""
        found = self.state.object(handle)
        assert found is not None
        fields = {str(scalar(self.trace, k)): v for k, v in found.entries.items()}
        if found.type == "zip":
            parts = [self.python(v) for k, v in fields.items() if k.startswith("source")]
            return list(zip(*parts))  # type: ignore[call-overload]  # noqa: B905
        if "source" not in fields:
            return []
        source, position = self.python(fields["source"]), self.python(fields["position"])
        if found.type == "enumerate":
            return list(enumerate(source, position))  # type: ignore[arg-type,call-overload]
        if found.type == "list_reverseiterator":
            return list(reversed(source[: position + 1]))  # type: ignore[index,operator,call-overload]
        if isinstance(source, dict):
            views = {"dict_itemiterator": dict.items, "dict_valueiterator": dict.values}
            source = list(views.get(found.type, dict.keys)(source))
        return list(source[position:])  # type: ignore[index,misc]

    def content(self, handle: int) -> str:
        found = self.state.object(handle)
        assert found is not None
        name = found.type.rpartition(".")[2]
        if found.kind in (ObjectKind.LIST, ObjectKind.TUPLE, ObjectKind.ARRAY):
            return f"{name} {[self.name(item) for item in found.items]}"
        if found.kind is ObjectKind.DICT:
            return f"{name} {[(self.name(k), self.name(v)) for k, v in found.entries.items()]}"
        if found.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            kinds = {self.trace.values.kind[handle] for handle in found.entries}
            if ValueKind.REF not in kinds:
                return f"{name} {sorted(exact(scalar(self.trace, h)) for h in found.entries)}"
            return f"{name} of {len(found.entries)}"
        if found.kind is ObjectKind.ITERATOR:
            return f"{name} {plain_text(self.items(handle))}"
        fields = [(str(scalar(self.trace, k)), v) for k, v in found.entries.items()]
        if found.kind is ObjectKind.FUNCTION and found.type == "function":
            return f"function {found.text} {sorted((k, self.name(v)) for k, v in fields if k[-1] != '=')}"
        if found.type == "range":
            return "range " + " ".join(str(self.python(v)) for _, v in fields)
        if found.kind is ObjectKind.RECORD and name[0].isupper() and "Error" not in name and name != "Slots":
            return f"{name} {[(k, self.name(v)) for k, v in fields]}"
        return f"a {name}"


def replayed(trace: Trace) -> list[str]:
    pictures = []
    for event, state in states(trace):
        picture = ReplayedPicture(state)
        code = trace.codes[trace.frames.code[event.frame]]
        lines = [f"{event.kind.name} {code.name} {event.line}"]
        for frame in state.frames:
            places = {name: index for index, name in enumerate(frame.bindings)}
            in_class = trace.codes[frame.code].kind == "class"
            names = [n for n in places if not (in_class and frame.places[n] is Place.FREE)]
            shown = sorted(names, key=lambda name: (_slot(trace, frame.code, name), places[name]))
            lines.append(
                f"{trace.codes[frame.code].name}: "
                + ", ".join(f"{name}={picture.name(frame.bindings[name])}" for name in shown)
            )
        if event.kind is EventKind.LINE:
            here = [h for h in state.top.iterators if _known_iterator(state, h)]
            lines.append(f"loops: {[f'{_type(state, h)} {plain_text(picture.items(h))}' for h in here]}")
        lines += [f"{name}={picture.name(handle)}" for name, handle in state.globals.items()]
        while picture.queue:
            lines.append(picture.content(picture.queue.pop(0)))
        pictures.append("\n".join(lines))
    return pictures


SLOTS: dict[str, list[str]] = {}


def _slot(trace: Trace, code: int, name: str) -> int:
    order = SLOTS.get(trace.codes[code].name, [])
    return order.index(name) if name in order else len(order)


def _type(state: State, handle: int) -> str:
    found = state.object(handle)
    assert found is not None
    return found.type


def _known_iterator(state: State, handle: int) -> bool:
    return _type(state, handle) in {kind.__name__ for kind in ITERATORS}
