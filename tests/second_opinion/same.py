"""Whether a value, or an exception, is how a recorded run ended.

    same_outcome(trace, value, error) -> bool

Types must be exactly the same, contents equal, and what was one object must be one object. Of objects that
are not plain containers only the type is compared, of functions the name.
"""

from __future__ import annotations

import collections
from types import FunctionType
from typing import Any

from deskcheck.records import ObjectKind, Raised, Returned, Trace, ValueKind
from deskcheck.tracing.execution import message_of
from deskcheck.tracing.literal import NotPlain, scalar
from deskcheck.tracing.replay import State, final_state


def same_outcome(trace: Trace, value: object, error: BaseException | None) -> bool:
    """Whether that is how the run ended."""
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        if error is None:
            return False
        name = type(error).__qualname__
        return (
            outcome.type.rpartition(".")[2] == name.rpartition(".")[2]
            and message_of(error) == outcome.message
        )
    if error is not None or not isinstance(outcome, Returned):
        return False
    return _told(_Recorded(final_state(trace)), outcome.value) == _told(_Real(), value)


class _Real:
    """Tells what real objects are."""

    def about(self, value: Any) -> tuple[object, list[Any]]:
        """What is seen of the object itself, and what it holds."""
        kind = type(value)
        name = kind.__qualname__
        if kind in (int, bool, str, bytes, type(None), type(...)):
            return (name, value), []
        if kind in (float, complex):
            return (name, repr(value)), []
        if kind in (list, tuple, collections.deque):
            return name, list(value)
        if kind in (dict, collections.OrderedDict, collections.Counter, collections.defaultdict):
            return name, [part for pair in dict.items(value) for part in pair]
        if kind in (set, frozenset):
            return (name, sorted(repr(_told(self, member)) for member in value)), []
        if isinstance(value, FunctionType):
            return ("function", value.__code__.co_qualname), []
        return name, []

    def identity(self, value: object) -> object:
        return id(value)


class _Recorded:
    """Tells the same of recorded values."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._trace = state.trace

    def about(self, handle: int) -> tuple[object, list[int]]:
        found = self._state.object(handle)
        if found is None:
            try:
                value = scalar(self._trace, handle)
            except NotPlain:
                return self._trace.names[self._trace.values.type[handle]].rpartition(".")[2], []
            return _Real().about(value)[0], []
        name = found.type.rpartition(".")[2]
        if (
            found.kind in (ObjectKind.LIST, ObjectKind.TUPLE) and name in ("list", "tuple")
        ) or name == "deque":
            return name, found.items
        if found.kind is ObjectKind.DICT and name in ("dict", "OrderedDict", "Counter", "defaultdict"):
            return name, [part for pair in found.entries.items() for part in pair]
        if name in ("set", "frozenset"):
            return (name, sorted(repr(_told(self, member)) for member in found.entries)), []
        if found.type == "function":
            return ("function", found.text), []
        return name, []

    def identity(self, handle: int) -> object:
        values = self._trace.values
        return values.number[handle] if values.kind[handle] == ValueKind.REF else None


def _told(teller: Any, value: Any) -> list[object]:
    """A value as a flat list that `==` compares: objects numbered as they are met, so that aliases show."""
    told: list[object] = []
    met: dict[object, int] = {}
    queue = [value]
    while queue:
        one = queue.pop()
        about, parts = teller.about(one)
        if not parts:
            told.append(about)
            continue
        key = teller.identity(one)
        if key in met:
            told.append(("again", met[key]))
            continue
        met[key] = len(met)
        told.append((about, len(parts)))
        queue += reversed(parts)
    return told
