"""The arguments of a recorded call as text: a literal where they are plain data, else a description.

    arguments_text(trace, code) -> "[1, 2], n=3"                      is_literal: it can be called again
    arguments_text(trace, code) -> "<#0 Node(value=1, next=None)>, <function f>"

Made from the trace's first event, so no code of the program runs. Objects that occur twice are numbered by
their first place in the text, never by their number in the trace: equal arguments give equal text. A text
over MAX_TEXT characters is cut, and ends in the digest of the whole.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from types import CodeType

from deskcheck.records import ObjectKind, Trace, ValueKind
from deskcheck.tracing.literal import scalar, set_order
from deskcheck.tracing.replay import HeapObject, State, states, text_of

MAX_TEXT = 4_000
_BRACKETS = {
    ObjectKind.LIST: ("list", "[", "]"),
    ObjectKind.TUPLE: ("tuple", "(", ")"),
    ObjectKind.DICT: ("dict", "{", "}"),
    ObjectKind.SET: ("set", "{", "}"),
    ObjectKind.FROZENSET: ("frozenset", "frozenset({", "})"),
}
_LONG_INT = 10_000  # bits
_NAMED = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.OPAQUE, ObjectKind.GENERATOR)


def is_literal(arguments: str) -> bool:
    """Whether the text gives the same arguments wherever it is evaluated."""
    try:
        call = ast.parse(f"f({arguments}\n)", mode="eval").body
        assert isinstance(call, ast.Call)
        for part in (*call.args, *(keyword.value for keyword in call.keywords)):
            ast.literal_eval(part)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def arguments_text(trace: Trace, code: CodeType) -> str:
    """Text between the parentheses of the call that the trace begins with."""
    _, state = next(states(trace))
    writer = _Writer(trace, state)
    bound = state.top.bindings
    names = list(code.co_varnames)
    n_plain, n_named = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    parts = [writer.text(bound[name]) for name in names[:n_plain] if name in bound]
    rest = names[n_named:]
    if code.co_flags & inspect.CO_VARARGS:
        found = state.object(bound[rest.pop(0)])
        parts += [writer.text(handle) for handle in (found.items if found else [])]
    parts += [f"{name}={writer.text(bound[name])}" for name in names[n_plain:n_named] if name in bound]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        found = state.object(bound[rest.pop(0)])
        for key, value in (found.entries if found else {}).items():
            parts.append(f"{text_of(trace, key)}={writer.text(value)}")
    text = ", ".join(parts)
    if len(text) > MAX_TEXT:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        return f"{text[:MAX_TEXT]} .. sha256:{digest}"
    return text


class _Writer:
    def __init__(self, trace: Trace, state: State) -> None:
        self._trace = trace
        self._state = state
        self._numbers: dict[int, int] = {}

    def text(self, handle: int) -> str:
        """One value."""
        values = self._trace.values
        kind = ValueKind(values.kind[handle])
        if kind is ValueKind.REF:
            found = self._state.object(handle)
            assert found is not None
            return self._object(found)
        if kind in (ValueKind.OPAQUE, ValueKind.TRUNCATED):
            return (
                f"<{self._trace.names[values.type[handle]]} {values.data[handle].decode('utf-8', 'replace')}>"
            )
        value = scalar(self._trace, handle)
        if type(value) is int and value.bit_length() > _LONG_INT:  # decimal digits take quadratic time
            return hex(value)
        return repr(value)

    def _object(self, found: HeapObject) -> str:
        known = self._numbers.get(found.number)
        if known is not None:
            return f"<#{known}>"
        number = self._numbers[found.number] = len(self._numbers)
        exact = _BRACKETS.get(found.kind, ("", "", ""))
        if found.type == exact[0] and not found.attributes:
            return self._container(found, exact[1], exact[2])
        if found.kind in _NAMED:
            return f"<{found.kind.name.lower()} {found.text or found.type}>"
        inner = ", ".join(
            [
                *(self.text(handle) for handle in found.items),
                *(f"{self._key(key)}={self.text(value)}" for key, value in found.entries.items()),
                *(f"{self._key(key)}={self.text(value)}" for key, value in found.attributes.items()),
            ]
        )
        return f"<#{number} {found.type}({inner})>"

    def _key(self, handle: int) -> str:
        if self._trace.values.kind[handle] in (ValueKind.STR, ValueKind.CONCAT):
            return text_of(self._trace, handle)
        return self.text(handle)

    def _container(self, found: HeapObject, opening: str, closing: str) -> str:
        if found.kind is ObjectKind.DICT:
            items = [f"{self.text(key)}: {self.text(value)}" for key, value in found.entries.items()]
        elif found.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
            items = [self.text(h) for h in set_order(self._trace, self._state, list(found.entries))]
            if not items:
                return f"{found.type}()"
        else:
            items = [self.text(handle) for handle in found.items]
        if found.kind is ObjectKind.TUPLE and len(items) == 1:
            return f"({items[0]},)"
        return f"{opening}{', '.join(items)}{closing}"
