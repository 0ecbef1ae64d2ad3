"""Values as text without identity, from the live program and from a trace: equal where the trace is right.

text(value) = text_of_handle(state, handle)
"""

from __future__ import annotations

from deskcheck.records import ObjectKind, ValueKind
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.replay import State

_SCALARS = (str, bytes, float, complex, bool, type(None), type(...))
_EXACT = {
    ObjectKind.LIST: "list",
    ObjectKind.TUPLE: "tuple",
    ObjectKind.DICT: "dict",
    ObjectKind.SET: "set",
    ObjectKind.FROZENSET: "frozenset",
}


def text(value: object, above: tuple[int, ...] = ()) -> str:
    """A value as it is now: plain data with its contents, everything else by its type."""
    kind = type(value)
    if kind is int:
        return f"int {hex(value)}"  # type: ignore[arg-type]
    if kind in _SCALARS:
        return f"{kind.__name__} {value!r}"
    if id(value) in above:
        return "..."
    inside = (*above, id(value))
    if kind in (list, tuple):
        items = [text(item, inside) for item in kind.__iter__(value)]  # type: ignore[attr-defined]
    elif kind in (set, frozenset):
        items = sorted(text(item, inside) for item in kind.__iter__(value))  # type: ignore[attr-defined]
    elif kind is dict:
        items = [f"{text(k, inside)}: {text(v, inside)}" for k, v in value.items()]  # type: ignore[attr-defined]
    else:
        return f"<{kind.__name__}>"
    return f"{kind.__name__}[{', '.join(items)}]"


def text_of_handle(state: State, handle: int, above: tuple[int, ...] = ()) -> str:
    """The same from a trace."""
    trace = state.trace
    kind = trace.values.kind[handle]
    found = state.object(handle)
    if found is None:
        if kind in (ValueKind.OPAQUE, ValueKind.TRUNCATED):
            return f"<{trace.names[trace.values.type[handle]].rpartition('.')[2]}>"
        return text(scalar(trace, handle))
    if _EXACT.get(found.kind) != found.type:
        return f"<{found.type.rpartition('.')[2]}>"
    if found.number in above:
        return "..."
    inside = (*above, found.number)
    if found.kind is ObjectKind.DICT:
        pairs = found.entries.items()
        items = [f"{text_of_handle(state, k, inside)}: {text_of_handle(state, v, inside)}" for k, v in pairs]
    elif found.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
        items = sorted(text_of_handle(state, member, inside) for member in found.entries)
    else:
        items = [text_of_handle(state, item, inside) for item in found.items]
    return f"{found.type}[{', '.join(items)}]"
