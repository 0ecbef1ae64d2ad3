"""Define how the tracers read objects of each type: kind of object, contents, attributes.

    shapes = Shapes(access, own_module)
    shapes.of(value) -> Shape         cached per exact type

A Shape has the ObjectKind, the type's name, the built-in container whose contents the object has (also for an
instance of a subclass), and a function that lists attributes. Reading by a Shape never runs the program's
code: types come from type(), attributes from the instance's dictionary and from C member descriptors, and
contents from the unbound methods of the built-in container.
"""

from __future__ import annotations

import weakref
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable
from types import (
    AsyncGeneratorType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MemberDescriptorType,
    ModuleType,
    SimpleNamespace,
)

from deskcheck.records import ObjectKind
from deskcheck.summaries import MOST_CHARACTERS, Look, Summary, summaries, summary_of
from deskcheck.summaries import NAME as SUMMARY
from deskcheck.tracing import readers
from deskcheck.tracing.access import Access, mro, type_dict

Pairs = list[tuple[str, object]]
Reader = Callable[[object, readers.Memo], Pairs]

_LIKE_EXACT = frozenset(map(id, (Counter, OrderedDict, defaultdict)))
_SCALARS = frozenset(map(id, (int, float, complex, str, bytes)))
_GENERATORS = frozenset(map(id, (GeneratorType, CoroutineType, AsyncGeneratorType)))
_OF_MACHINES = frozenset("_abc_impl _fields _field_defaults _is_protocol _is_runtime_protocol".split())
"""Names that the library writes into classes, beside those that end with an underscore."""

_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made at run time, by a class statement or a C module
# Attributes of library classes that differ from run to run.
_HIDDEN: dict[tuple[str, object], tuple[str, ...]] = {("threading", "Thread"): ("_ident", "_native_id")}
# Members of types written in C whose value is no data: the first one reads as an address.
_OFFSETS = frozenset(("__vectorcalloffset__", "__dictoffset__", "__weaklistoffset__"))
_flags = type.__dict__["__flags__"].__get__


def is_heap_type(kind: type) -> bool:
    """Whether a class was made at run time; the metaclass is not asked."""
    return bool(_flags(kind) & _HEAP_TYPE)


summaries()  # read now: later, in the sandbox, no file of a plug-in can be read


def full_name(kind: type) -> str:
    """Return the name of a type with its module, unless the module is builtins or no string."""
    name: str = type.__dict__["__qualname__"].__get__(kind)
    module = type_dict(kind).get("__module__")
    if module is None and not is_heap_type(kind):  # static type: its C name holds the module
        module = type.__dict__["__module__"].__get__(kind)
    return name if type(module) is not str or module == "builtins" else f"{module}.{name}"


class Shape:
    """Rules for reading objects of one exact type."""

    __slots__ = (
        *("base", "by_offset", "exact", "frozen", "has_text", "hidden", "is_stored", "is_summary", "is_tame"),
        *("kind", "name", "pairs", "scalar", "text"),
    )

    def __init__(self, kind: ObjectKind, name: str) -> None:
        self.kind = kind
        self.name = name
        self.base: type | None = None
        """Built-in container whose contents the object has."""
        self.scalar: type | None = None
        """Built-in scalar that an instance of a subclass also is."""
        self.exact = False
        """Whether it is a library type without attributes other than those of its reader."""
        self.frozen = False
        """Whether its recorded contents cannot change."""
        self.by_offset = False
        """Whether `pairs` are only the instance's slots and dictionary, which C code can read directly."""
        self.hidden: tuple[str, ...] = ()
        """Names of attributes that are left out, because they differ from run to run."""
        self.pairs: Reader | None = None
        """Function that lists the object's attributes."""
        self.text: Callable[[object], str] = _no_text
        """Function that returns the text of an object that is recorded by name only."""
        self.has_text = False
        """Whether `text` is a summary, written at first sight, which stands for the object."""
        self.is_summary = False
        """Whether its only attribute is a summary that can change."""
        self.is_stored = False
        """Whether its summary can change only where it is stored to or handed to other code."""
        self.is_tame = False
        """Whether iterating over it changes nothing that is recorded."""


class Shapes:
    """Shapes by exact type; classes are looked up by identity, so that no metaclass is asked."""

    def __init__(self, access: Access, own_module: str) -> None:
        self._access = access
        self._own_module = own_module
        self._look = Look(access.attributes, self.type_name, full_name)
        self._known: dict[int, tuple[Callable[[], type | None], Shape]] = {}

    def of(self, value: object) -> Shape:
        """Return the shape of a value that is not a scalar."""
        kind = type(value)
        known = self._known.get(id(kind))
        if known is not None and known[0]() is kind:
            return known[1]
        shape = self._make(kind)
        self._known[id(kind)] = weakref.ref(kind), shape
        return shape

    def type_name(self, kind: type) -> str:
        """Return the name of a type, with its module unless that is builtins or the program's own.

        A static type is never the program's own: its shape is shared by all traces of a process.
        """
        if _module_of(kind) == self._own_module and is_heap_type(kind):
            return type.__dict__["__qualname__"].__get__(kind)  # type: ignore[no-any-return]  # a str
        return full_name(kind)

    def _make(self, kind: type) -> Shape:
        """Make the shape of a type; the first kind of object that fits counts."""
        ancestors = mro(kind)
        name = self.type_name(kind)
        base = next((a for a in ancestors if id(a) in readers.CONTAINERS), None)
        if base is not None:
            return self._container(kind, base, name)
        if any(a is type for a in ancestors):
            shape = _named(ObjectKind.CLASS, name, self._class_text)
            shape.pairs = self._class_pairs
        elif any(a is ModuleType for a in ancestors):
            shape = _named(ObjectKind.MODULE, name, readers.module_text)
        elif id(kind) in readers.FUNCTIONS:
            shape = _named(ObjectKind.FUNCTION, name, readers.FUNCTIONS[id(kind)][0])
            shape.pairs = self._function_pairs if kind is FunctionType else readers.FUNCTIONS[id(kind)][1]
        elif id(kind) in _GENERATORS:
            shape = _named(ObjectKind.GENERATOR, name, readers.generator_text)
        elif id(kind) in readers.READERS:
            shape = Shape(ObjectKind.ITERATOR, name)
            shape.pairs = readers.READERS[id(kind)]
            shape.exact = True
        elif id(kind) in readers.RECORDS:
            shape = Shape(ObjectKind.RECORD, name)
            shape.pairs = readers.RECORDS[id(kind)]
            shape.exact = True
        else:
            shape = self._instance(kind, ancestors, name)
        if shape.kind in (ObjectKind.RECORD, ObjectKind.OPAQUE):
            shape = self._summarized(shape, kind)
        is_plain = shape.pairs is None and shape.kind is not ObjectKind.GENERATOR
        shape.frozen = is_plain or id(kind) in readers.FROZEN
        return shape

    def _summarized(self, shape: Shape, kind: type) -> Shape:
        """Return the shape with a summary; one that can change takes the place of all other attributes."""
        summary = summary_of(kind, full_name)
        if summary is None:
            return shape
        write = _guarded(summary, self._look)
        if not summary.can_change:
            shape.has_text = True
            shape.text = lambda value: write(value) or (shape.name if shape.kind is ObjectKind.OPAQUE else "")
            return shape
        named = Shape(ObjectKind.OPAQUE, shape.name)
        named.text = lambda _value: shape.name
        named.is_summary = named.exact = True
        named.is_tame = summary.is_tame
        named.is_stored = shape.name.startswith("_thread.")  # locks share no memory
        named.pairs = _reader(summary, write, self._look)
        return named

    def _container(self, kind: type, base: type, name: str) -> Shape:
        shape = Shape(readers.CONTAINERS[id(base)], name)
        shape.base = base
        shape.exact = kind is base or id(kind) in _LIKE_EXACT
        if kind is defaultdict:
            shape.pairs = readers.factory_pairs
        elif not shape.exact and is_heap_type(kind):  # made by a class statement
            self._add_instance_pairs(shape, mro(kind))
        shape.frozen = shape.kind in (ObjectKind.TUPLE, ObjectKind.FROZENSET) and shape.pairs is None
        return shape

    def _instance(self, kind: type, ancestors: tuple[type, ...], name: str) -> Shape:
        own = is_heap_type(kind) or kind is SimpleNamespace
        if any(a is BaseException for a in ancestors):
            shape = Shape(ObjectKind.RECORD, name)
            self._add_instance_pairs(shape, ancestors)
            shape.pairs = _with_args(shape.pairs)
        elif own:
            shape = Shape(ObjectKind.RECORD, name)
            self._add_instance_pairs(shape, ancestors)
            shape.scalar = next((a for a in ancestors if id(a) in _SCALARS), None)
        else:
            shape = Shape(ObjectKind.OPAQUE, name)
            shape.text = lambda _value: name
        return shape

    def _add_instance_pairs(self, shape: Shape, ancestors: tuple[type, ...]) -> None:
        shape.hidden = tuple(name for a in ancestors for name in _HIDDEN.get(_origin(a), ()))
        shape.pairs = self._instance_pairs(ancestors, shape.hidden)
        shape.by_offset = True

    def _instance_pairs(self, ancestors: tuple[type, ...], hidden: tuple[str, ...]) -> Reader:
        """Return a function that lists the values of an instance's slots and of its dictionary."""
        # Of slots of one name, the class that is derived most has the one that the name means.
        slots = {
            name: member
            for ancestor in reversed(ancestors)
            for name, member in type_dict(ancestor).items()
            if type(member) is MemberDescriptorType and is_heap_type(ancestor) and name not in _OFFSETS
        }
        attributes = self._access.attributes

        def pairs(value: object, _memo: readers.Memo) -> Pairs:
            values: Pairs = []
            for name, member in slots.items():
                try:
                    values.append((name, member.__get__(value)))
                except AttributeError:
                    continue  # a slot without a value
            own = attributes(value)
            if own:
                named = ((_text_of_key(key), item) for key, item in list(dict.items(own)))
                values += [(key, item) for key, item in named if key is not None and key not in slots]
            return [pair for pair in values if pair[0] not in hidden] if hidden else values

        return pairs

    def _class_text(self, value: object) -> str:
        assert isinstance(value, type)
        return self.type_name(value)

    def _class_pairs(self, value: object, memo: readers.Memo) -> Pairs:
        """Return the data attributes of a class of the program; methods and descriptors are in the source.

        A method that stands where data stood before is listed with the data.
        """
        assert isinstance(value, type)
        namespace = type_dict(value)
        if not memo.setdefault("is_own", _module_of(value) == self._own_module):
            return []  # a class stays the program's own when its `__module__` is assigned
        held = memo.get("data")
        before = held if isinstance(held, set) else set()
        pairs = [
            (name, item)
            for name, item in list(namespace.items())
            if not _is_machine_name(name) and (name in before or not _is_descriptor(item))
        ]
        memo["data"] = {name for name, _ in pairs}
        return pairs

    def _function_pairs(self, value: object, memo: readers.Memo) -> Pairs:
        """Return cells and changing defaults of a function, then its own attributes, each as ".name"."""
        own = self._access.attributes(value) or {}
        named = [(name, item) for name, item in list(dict.items(own)) if not _is_machine_name(name)]
        return [*readers.function_pairs(value, memo), *((f".{name}", item) for name, item in named)]


def _is_machine_name(name: object) -> bool:
    """Whether Python itself writes the name into a class or function, or it is no plain string."""
    if type(name) is not str:
        return True
    return name in _OF_MACHINES or (name[:1] == "_" == name[-1:])


def _is_descriptor(value: object) -> bool:
    return any("__get__" in type_dict(ancestor) for ancestor in mro(type(value)))


def _guarded(summary: Summary, look: Look) -> Callable[[object], str]:
    """Return a function that writes a summary of bounded length, "" if the object cannot be read."""
    describe = summary.write

    def write(value: object) -> str:
        try:
            text = describe(value, look)
        except Exception:  # the inside of a library differs between its versions
            return ""
        if type(text) is not str:
            return ""
        return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"

    return write


def _reader(summary: Summary, write: Callable[[object], str], look: Look) -> Reader:
    """Return the reader of an object whose only attribute is its summary."""
    state = summary.state

    def pairs(value: object, memo: readers.Memo) -> Pairs:
        now = None
        if state is not None:
            try:
                now = state(value, look)
            except Exception:  # without a state, the summary is written anew
                now = None
            if now is not None and memo.get("state") == now:
                return memo["pairs"]  # type: ignore[return-value]  # as it was put there
        found: Pairs = [(SUMMARY, write(value))]
        memo["state"], memo["pairs"] = now, found
        if summary.layout is not None:
            try:
                memo["array"] = summary.layout(value, look)
            except Exception:
                # A fault of the library: the tracer then has the array described by `write` at each step.
                memo["array"] = None
        return found

    return pairs


def _text_of_key(key: object) -> str | None:
    """Return the name that finds this key of an instance's dictionary, None if there is none."""
    kind = type(key)
    if kind is str:
        return key  # type: ignore[return-value]  # exactly a str
    own = [
        next((type_dict(a)[name] for a in mro(kind) if name in type_dict(a)), None)
        for name in ("__hash__", "__eq__")
    ]
    if any(a is str for a in mro(kind)) and own[0] is str.__hash__ and own[1] is str.__eq__:
        return str.__str__(key)  # of an instance of a subclass: its plain text
    return None


def _module_of(kind: type) -> str:
    """Return the text of a class's `__module__`; what else a program has put there is not asked anything."""
    module = type_dict(kind).get("__module__")
    return module if type(module) is str else ""


def _origin(kind: type) -> tuple[str, object]:
    return _module_of(kind), type.__dict__["__name__"].__get__(kind)


def _no_text(_value: object) -> str:
    return ""


def _named(kind: ObjectKind, name: str, text: Callable[[object], str]) -> Shape:
    shape = Shape(kind, name)
    shape.text = text
    return shape


def _with_args(pairs: Reader | None) -> Reader:
    assert pairs is not None
    args = BaseException.__dict__["args"].__get__
    cause = BaseException.__dict__["__cause__"].__get__
    context = BaseException.__dict__["__context__"].__get__
    suppressed = BaseException.__dict__["__suppress_context__"].__get__

    def read(value: object, memo: readers.Memo) -> Pairs:
        found: Pairs = [("args", args(value)), *pairs(value, memo)]
        if cause(value) is not None:
            found.append(("__cause__", cause(value)))
        elif context(value) is not None and not suppressed(value):  # `from None` hides the context
            found.append(("__context__", context(value)))
        return found

    return read
