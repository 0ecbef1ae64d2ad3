"""A trace as text: each executed line, what it changed, what was returned or raised.

    for line in trace_lines(trace, source, call="f(3)"): print(line)

      1    2  total = 0
                total = 0
      2    3  xs = [n]
                xs = #1[3]

The first number counts executed lines, the second is the line in the file. `#1` names an object: two names
with
one number are one object. A change made in place is written with the object's number and its names: `#1[0]
= 7 (xs)`. Long runs are cut in the middle, and say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.records import (
    Change,
    Crashed,
    Event,
    EventKind,
    MemoryLimit,
    ObjectKind,
    Op,
    OutputLimit,
    Place,
    Raised,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.literal import int_text, scalar, set_order
from deskcheck.tracing.replay import HeapObject, State, final_state, states, text_of

_KEEP_HEAD, _KEEP_TAIL = 120, 40  # steps shown of a run that is too long
_VALUE_WIDTH = 160
_DEPTH = 6
_BRACKETS = {
    ObjectKind.LIST: "[]",
    ObjectKind.TUPLE: "()",
    ObjectKind.DICT: "{}",
    ObjectKind.SET: "{}",
    ObjectKind.FROZENSET: "{}",
    ObjectKind.ARRAY: "[]",
}
_PLAIN_NAMES = frozenset({"list", "tuple", "dict", "set"})
_ENDED = {
    EventKind.RETURN: "return",
    EventKind.RAISE: "raises",
    EventKind.UNWIND: "left by its exception",
    EventKind.YIELD: "yield",
    EventKind.RESUME: "goes on",
}


def trace_lines(trace: Trace, source: str, *, call: str, whole: bool = False) -> Iterator[str]:
    """The lines to print."""
    n_steps = trace.n_steps
    cut = not whole and n_steps > _KEEP_HEAD + _KEEP_TAIL
    code = source.split("\n")
    yield call
    told = False
    for event, state in states(trace):
        hidden = cut and _KEEP_HEAD < event.step <= n_steps - _KEEP_TAIL
        if hidden:
            if not told:
                told = True
                n_hidden = n_steps - _KEEP_HEAD - _KEEP_TAIL
                yield f"        ... {n_hidden} steps not shown; --all shows them ..."
            continue
        yield from _event_lines(event, state, code)
    yield _outcome_line(trace)
    for note in trace.fidelity.notes:
        yield f"note: {note}"
    if trace.determinism.reads:
        yield f"note: reads {', '.join(trace.determinism.reads)}: another run may differ"


def _event_lines(event: Event, state: State, code: list[str]) -> Iterator[str]:
    indent = "  " * (len(state.frames) - 1)
    for text in _changes(event, state):
        yield f"{'':14}{indent}{_short(text)}"
    trace = state.trace
    if event.kind is EventKind.LINE:
        text = code[event.line - 1].strip() if 0 < event.line <= len(code) else ""
        yield f"{event.step:5} {event.line:4}  {indent}{text}"
    elif event.kind is EventKind.CALL:
        name = trace.codes[trace.frames.code[event.frame]].name
        shown = ", ".join(f"{n}={value_text(state, h)}" for n, h in state.top.bindings.items())
        yield _short(f"{'':6}{event.line:4}  {indent}call {name}({shown})")
    else:
        value = f" {value_text(state, event.value)}" if event.value >= 0 else ""
        yield _short(f"{'':6}{event.line:4}  {indent}{_ENDED[event.kind]}{value}")


def _changes(event: Event, state: State) -> Iterator[str]:
    """What happened since the event before, one text per change; new objects are shown where they appear."""
    born = {state.trace.values.number[c.value] for c in event.changes if _is_reference(state, c.value)}
    for change in event.changes:
        if change.place in (Place.LOCAL, Place.CELL, Place.FREE):
            if event.kind is not EventKind.CALL or change.owner != event.frame:
                yield _binding(change, state, event)
        elif change.place is Place.GLOBAL:
            if not _is_named_only(state, change.value):
                yield f"global {_binding(change, state, event)}"
        elif change.place >= Place.ELEMENT:
            text = _in_place(change, state, born)
            if text:
                yield text


def _is_reference(state: State, handle: int) -> bool:
    return handle >= 0 and state.trace.values.kind[handle] == ValueKind.REF


def _is_named_only(state: State, handle: int) -> bool:
    """Functions, classes and modules are in the source; nobody needs to be told that they exist."""
    found = state.object(handle) if handle >= 0 else None
    return found is not None and found.kind in (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE)


def _binding(change: Change, state: State, event: Event) -> str:
    name = text_of(state.trace, change.key)
    where = "" if change.place is Place.GLOBAL or change.owner == event.frame else f"  (frame {change.owner})"
    if change.op is Op.DELETE:
        return f"del {name}{where}"
    return f"{name} = {value_text(state, change.value)}{where}"


def _in_place(change: Change, state: State, born: set[int]) -> str:
    """An object's change; "" where the object has just been shown as a whole."""
    number = change.owner
    found = state.heap.get(number)
    if found is None or number in born or found.kind is ObjectKind.TUPLE:
        return ""
    if found.kind is ObjectKind.ITERATOR:
        return _iterator_change(change, state)
    if found.kind in (ObjectKind.GENERATOR, ObjectKind.FUNCTION):
        return ""
    value = value_text(state, change.value) if change.value >= 0 else ""
    target = _target(change, state)
    names = ", ".join(_names_of(state, number))
    who = f"  ({names})" if names else ""
    if change.op is Op.DELETE:
        if change.place is Place.MEMBER:
            return f"#{number}.discard({value_text(state, change.key)}){who}"
        return f"del #{number}{target}{who}"
    if change.place is Place.MEMBER:
        return f"#{number}.add({value}){who}"
    if change.op is Op.INSERT:
        return f"#{number}.insert({change.index}, {value}){who}"
    return f"#{number}{target} = {value}{who}"


def _target(change: Change, state: State) -> str:
    if change.place is Place.ELEMENT:
        return f"[{change.index}]"
    if change.place is Place.KEY:
        return f"[{value_text(state, change.key)}]"
    if change.place is Place.ATTRIBUTE:
        return f".{text_of(state.trace, change.key)}"
    return ""


def _iterator_change(change: Change, state: State) -> str:
    moved = change.place is Place.ATTRIBUTE and text_of(state.trace, change.key) == "position"
    if moved and change.value >= 0:
        return f"iterator #{change.owner} at {value_text(state, change.value)}"
    return ""


def _names_of(state: State, number: int) -> list[str]:
    """Variables of live frames and the module that hold the object directly."""
    values = state.trace.values
    scopes = [frame.bindings for frame in reversed(state.frames)] + [state.globals]
    found: dict[str, None] = {}
    for scope in scopes:
        for name, handle in scope.items():
            if values.kind[handle] == ValueKind.REF and values.number[handle] == number:
                found[name] = None
    return list(found)


# ------------------------------------------------------------------ values


def value_text(state: State, handle: int) -> str:
    """A value as a reader would write it, objects with their numbers."""
    return _value(state, handle, set(), 0)


def _value(state: State, handle: int, above: set[int], depth: int) -> str:
    trace = state.trace
    kind = ValueKind(trace.values.kind[handle])
    if kind is ValueKind.REF:
        found = state.object(handle)
        assert found is not None
        return _object(state, found, above, depth)
    if kind is ValueKind.TRUNCATED:
        what = trace.values.data[handle].decode("utf-8", "replace")
        type_name = trace.names[trace.values.type[handle]]
        return f"<{type_name}, {trace.values.number[handle]} {what}, not recorded>"
    if kind is ValueKind.OPAQUE:
        return trace.values.data[handle].decode("utf-8", "replace")
    value = scalar(trace, handle)
    return int_text(value) if type(value) is int else repr(value)


def _object(state: State, found: HeapObject, above: set[int], depth: int) -> str:
    label = f"#{found.number}"
    if found.kind in (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE, ObjectKind.OPAQUE):
        return f"<{found.kind.name.lower()} {found.text or found.type}>"
    if found.number in above or depth > _DEPTH:
        return label
    below = above | {found.number}

    def inner(handle: int) -> str:
        return _value(state, handle, below, depth + 1)

    if found.kind in _BRACKETS:
        return _container(state, found, label, [inner(h) for h in found.items], inner)
    if found.kind is ObjectKind.GENERATOR:
        return f"{label}<generator {found.text}>"
    fields = ", ".join(f"{text_of(state.trace, k)}={inner(v)}" for k, v in found.entries.items())
    return f"{label}{found.type}({fields})"


def _container(state: State, found: HeapObject, label: str, items: list[str], inner: object) -> str:
    assert callable(inner)
    brackets = _BRACKETS[found.kind]
    opening, closing = brackets[0], brackets[1]
    if found.kind is ObjectKind.DICT:
        items = [f"{inner(key)}: {inner(value)}" for key, value in found.entries.items()]
    elif found.kind in (ObjectKind.SET, ObjectKind.FROZENSET):
        items = [inner(member) for member in set_order(state.trace, state, list(found.entries))]
        if not items:
            return f"{label}{found.type}()"
    elif found.kind is ObjectKind.TUPLE and found.type == "tuple":
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    name = "" if found.type in _PLAIN_NAMES else found.type
    return f"{label}{name}{opening}{', '.join(items)}{closing}"


def _short(text: str) -> str:
    if len(text) <= _VALUE_WIDTH:
        return text
    half = _VALUE_WIDTH // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"


def _outcome_line(trace: Trace) -> str:
    outcome = trace.outcome
    steps = f"{trace.n_steps} steps"
    if isinstance(outcome, Returned):
        return f"returned {_short(value_text(final_state(trace), outcome.value))} after {steps}"
    if isinstance(outcome, Raised):
        message = f": {outcome.message}" if outcome.message else ""
        return f"raised {outcome.type}{_short(message)} after {steps}"
    if isinstance(outcome, StepLimit):
        return f"stopped at the limit of {outcome.limit} steps; --max-steps changes it"
    if isinstance(outcome, TimeLimit):
        return f"stopped by the clock after {outcome.limit_s:g} s, nothing recorded; --time-limit changes it"
    if isinstance(outcome, OutputLimit):
        return f"stopped: its {outcome.what} grew beyond {outcome.limit_bytes} bytes"
    if isinstance(outcome, MemoryLimit):
        return f"stopped: it needed more than the {outcome.limit_bytes >> 20} MB of memory it was given"
    if isinstance(outcome, Crashed):
        return f"its process died ({outcome.cause}); what was recorded died with it"
    return f"ended: {outcome}"
