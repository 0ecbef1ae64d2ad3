"""Describe objects of libraries in traces: each file of this folder has the rules for some types.

    summaries() -> {"numpy.ndarray": Summary(..)}      from every file of this folder and every entry point
    Summary.write(array, look) -> "int64 (4,): 0, 1, 2, 3"

A file holds `SUMMARIES`, a dictionary from the full name of a type to its `Summary`. The name means that
exact type, or with `with_subclasses` also each class below it. What `write` returns stands for the object
wherever a run is shown, and is cut at `MOST_CHARACTERS`.

`write` runs while the program is stopped, so it must not run code of the program, or change anything. It
reads objects through `Look` alone. A `Look` knows only what C code stores: the instance's own dictionary, and
the slots, getters and methods that a class written in C defines. Overrides of a subclass, properties,
`__getattr__`, `__repr__` and metaclasses are never asked. If something cannot be read in this way, an
exception is raised, and the object is shown by its type.

Not covered: a program that exchanges the C code of a library in memory.
"""

from __future__ import annotations

import datetime
import decimal
import sys
from collections.abc import Callable
from types import GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType, ModuleType
from typing import Any

from msgspec import Struct

from deskcheck import plugins

MOST_CHARACTERS = 400
"""Length of a summary; the rest is cut."""
MOST_ITEMS = 8
"""Items of an array, a column or a text that a summary shows."""
COMPARED_BYTES = 1 << 18
"""Most bytes of content from which a fingerprint is made, so that changes behind the shown items are noticed.
"""
NAME = "summary"
"""Name of the attribute that holds a summary which can change."""

mro = type.__dict__["__mro__"].__get__
_held_by: Any = vars(ModuleType)["__dict__"]
_namespace = type.__dict__["__dict__"].__get__
_flags = type.__dict__["__flags__"].__get__
_IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: no class statement makes such a class
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: made by a class statement, or by C code at run time
_READ = (GetSetDescriptorType, MemberDescriptorType)
_PLAIN = frozenset(map(id, (int, float, complex, bool, str, bytes, type(None))))
_BY_REPR = frozenset(map(id, (decimal.Decimal, datetime.date, datetime.timedelta)))
_MAY_HAVE_ZONE = frozenset(map(id, (datetime.datetime, datetime.time)))


class Unread(Exception):
    """Raised if an object does not hold what a summary looks for."""


class Look:
    """Reader of objects that runs no code of the program."""

    def __init__(
        self,
        attributes: Callable[[object], dict[object, object] | None],
        type_name: Callable[[type], str],
        full_name: Callable[[type], str],
    ) -> None:
        self._attributes = attributes
        self._full_name = full_name
        self.type_name = type_name
        """Function that returns the name of a class as traces show it: without the program's own module."""
        self._known: dict[tuple[int, str], tuple[type, Any]] = {}  # by identity: no class is asked

    def attribute(self, value: object, name: str) -> object:
        """Return an attribute from the instance's own dictionary; Unread if it is not there."""
        found = self._attributes(value)
        if found is None or name not in found:
            raise Unread(name)
        return dict.__getitem__(found, name)

    def field(self, value: object, name: str) -> Any:
        """Return a slot, or what a getter written in C returns; Unread if there is neither."""
        return self._defined(value, name, _READ).__get__(value)

    def call(self, value: object, name: str, *arguments: object) -> Any:
        """Call a method that a class written in C or Cython defines; Unread if there is none."""
        return self._defined(value, name, (MethodDescriptorType,), with_cython=True)(value, *arguments)

    def is_a(self, value: object, name: str) -> bool:
        """Whether the exact type of a value has this full name."""
        kind = type(value)
        known = self._known.get((id(kind), f"is {name}"))
        if known is not None:
            return bool(known[1])
        found = is_named(kind, name, self._full_name)
        if _is_made_in_c(kind):
            self._known[id(kind), f"is {name}"] = kind, found
        return found

    def _defined(
        self, value: object, name: str, kinds: tuple[type, ...], *, with_cython: bool = False
    ) -> Any:
        """Return what `_search` finds; it is stored for classes that cannot change."""
        kind = type(value)
        known = self._known.get((id(kind), name))
        if known is None:
            known = kind, _search(kind, name, kinds, with_cython=with_cython)
            if _is_made_in_c(kind):  # it does not change; as it is held, no other class gets its address
                self._known[id(kind), name] = known
        return known[1]

    def text(self, value: object, most: int = 40) -> str:
        """Return the text of a plain value, cut if it is long; of any other its summary, or type in brackets.

        `most`: characters or bytes of a text that are shown. An integer of 200 bits or more is not shown,
        only its size is.
        """
        kind = type(value)
        if kind is int:
            number: Any = value
            return str(number) if number.bit_length() < 200 else f"<int, {number.bit_length()} bits>"
        if kind is str or kind is bytes:
            data: Any = value
            text = repr(data[: most + 1])
            return text if len(data) <= most else f"{text[: most - 1]}…{text[0] if kind is str else text[-1]}"
        if id(kind) in _PLAIN or id(kind) in _BY_REPR:
            return repr(value)
        if id(kind) in _MAY_HAVE_ZONE:
            moment: Any = value
            zone = kind.__dict__["tzinfo"].__get__(moment)
            return repr(value) if zone is None or type(zone) is datetime.timezone else f"<{kind.__name__}>"
        return self._described(value) or f"<{self.type_name(kind)}>"

    def _described(self, value: object) -> str:
        """Return the summary of a value that never changes, such as a member of an enumeration; else ""."""
        kind = type(value)
        known = self._known.get((id(kind), "summary"))
        if known is None:
            known = kind, summary_of(kind, self._full_name)
            if _is_made_in_c(kind):
                self._known[id(kind), "summary"] = known
        rule = known[1]
        if rule is None or rule.can_change:
            return ""
        try:
            return str(rule.write(value, self))
        except Exception:  # the inside of a library differs between its versions
            return ""

    def items(self, values: list[object], n_all: int) -> str:
        """Return the texts of the first items, with an ellipsis if there are more."""
        shown = ", ".join(self.text(value) for value in values[:MOST_ITEMS])
        return f"{shown}, …" if n_all > len(values[:MOST_ITEMS]) else shown


def _is_made_in_c(kind: type) -> bool:
    return not _flags(kind) & _HEAP_TYPE or bool(_flags(kind) & _IMMUTABLE_TYPE)


def _search(kind: type, name: str, kinds: tuple[type, ...], *, with_cython: bool) -> Any:
    """Return the first attribute of this name, in the class or above, that is of one of these kinds.

    Unread if there is none.
    """
    for ancestor in mro(kind):
        value = _namespace(ancestor).get(name)
        if value is not None and type(value) in kinds:
            return value
        # Cython's own kind of method: in a class that no class statement can make.
        is_static = with_cython and not _flags(ancestor) & _HEAP_TYPE
        if value is not None and is_static and type(value).__name__ == "cython_function_or_method":
            return value
    raise Unread(name)


class Summary(Struct, frozen=True):
    """Rule by which the objects of one type are described."""

    write: Callable[[Any, Look], str]
    """Function of an object that returns its description, without the type if it can change."""
    can_change: bool = True
    """Whether objects change: then the description is written anew after each line that may change one.

    Otherwise it is written once, at first sight, and stands for the object in place of its fields.
    """
    state: Callable[[Any, Look], object] | None = None
    """Function that returns a key of plain values, faster than `write`. While the key stays equal, the
    description is not made again. After the key None it is always made again."""
    layout: Callable[[Any, Look], object] | None = None
    """Function that tells the native tracer how an array lies in memory, so that it can write the description
    itself (`native/values/arrays.c`); it returns None for an object that only `write` can describe."""
    is_tame: bool = False
    """Whether reading from or writing to the object changes no other object of a trace, as with files."""
    with_subclasses: bool = False
    """Whether the rule is also for subclasses: `write` must then expect any class of the program."""


_FOUND: dict[str, Summary] = {}


def summaries() -> dict[str, Summary]:
    """Return the summaries of all files and entry points, by the full name of the type."""
    if not _FOUND:
        for name in plugins.names("summary"):
            _FOUND.update(plugins.load("summary", name).SUMMARIES)
    return _FOUND


def summary_of(kind: type, full_name: Callable[[type], str]) -> Summary | None:
    """Return the summary for objects of a class, None if there is none."""
    known = summaries()
    own = known.get(full_name(kind))
    if own is not None:
        return own if is_named(kind, full_name(kind), full_name) else None
    for ancestor in mro(kind) or ():
        reader = known.get(full_name(ancestor))
        if reader is not None and reader.with_subclasses:
            return reader
    return None


def is_named(kind: type, name: str, full_name: Callable[[type], str]) -> bool:
    """Whether a class has this full name and is the library's: held by its module, with no namesake below it.

    A class of the program that takes the name is not in the module, or stands before the real one.
    """
    if full_name(kind) != name or [full_name(ancestor) for ancestor in mro(kind) or ()].count(name) > 1:
        return False
    holder = sys.modules.get(name.rpartition(".")[0] or "builtins")
    if type(holder) is not ModuleType:
        return False
    public = list(_held_by.__get__(holder).values())
    return any(value is kind for value in public)
