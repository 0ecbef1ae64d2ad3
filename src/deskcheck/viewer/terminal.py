"""A trace as text: each executed line, what it changed, what was returned or raised.

    for line in trace_lines(trace, source, call="f(3)"): print(line)

      1    2  total = 0
                total = 0
      2    3  xs = [n]
                xs = #1[3]

The first number counts executed lines, the second is the line in the file. `#1` names an object: two names
with
one number are one object. A change made in place is written with the object's number and its names: `#1[0]
= 7 (xs)`. Long runs are cut in the middle, and say so. Of several files each call is named with its own;
with several threads or tasks each line says which one runs.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from deskcheck.records import (
    Change,
    CompileFailure,
    Crashed,
    Event,
    EventKind,
    MemoryLimit,
    ObjectKind,
    Op,
    OutputLimit,
    Place,
    Program,
    Raised,
    Refused,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.bundle import arguments_of, bundle_of, is_script
from deskcheck.tracing.literal import int_text, scalar, set_order
from deskcheck.tracing.replay import HeapObject, State, events, final_state, states, text_of
from deskcheck.tracing.request import Recorded
from deskcheck.viewer.fine import expression_text, instruction_text

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


def request_lines(found: Recorded, *, whole: bool = False) -> Iterator[str]:
    """What `deskcheck trace` prints: the run, then what it printed itself."""
    program, files = found.program, found.sources
    call = shown_call(program)
    yield from trace_lines(found.trace, program.source, call=call, whole=whole, files=files)
    yield from output_lines(found.output)
    outcome = found.trace.outcome
    if isinstance(outcome, Raised) and outcome.type in ("FileNotFoundError", "ModuleNotFoundError"):
        yield "note: the program is given the files that its imports name; --file PATH gives it one more"
    if is_script(program) and found.trace.n_steps and not _does_more(found.trace):
        yield "note: the file only defines things; --call 'f(3)' traces a call"


def shown_call(program: Program) -> str:
    """How the run was asked for: the call, or the script with its arguments."""
    if not is_script(program):
        return program.call
    bundle = bundle_of(program)
    return " ".join(
        ["python", bundle.path if bundle else "program", *map(shlex.quote, arguments_of(program))]
    )


def _does_more(trace: Trace) -> bool:
    """Whether a script calls anything of its own, or makes data."""
    made = {trace.codes[code].kind for code in trace.frames.code}
    if made - {"module", "class"} or not isinstance(trace.outcome, Returned):
        return True
    named = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE)
    state = final_state(trace)
    for name, handle in state.globals.items():
        found = state.object(handle)
        if name[:2] != "__" and (found is None or found.kind not in named):
            return True
    return False


class _Sources:
    """Lines of the program's files, and whether the file must be named."""

    def __init__(self, trace: Trace, source: str, files: Mapping[str, str]) -> None:
        self._trace = trace
        self._lines = {0: source.split("\n")}
        self.names = {0: ""}
        for code in trace.codes:
            if code.file not in self._lines:
                self.names[code.file] = trace.names[code.file]
                self._lines[code.file] = files.get(trace.names[code.file], "").split("\n")

    def file(self, frame: int) -> int:
        """Number of the file that a frame's code stands in."""
        return self._trace.codes[self._trace.frames.code[frame]].file

    def lines(self, event: Event) -> list[str]:
        """All lines of the event's file."""
        return self._lines[self.file(event.frame)]

    def line(self, event: Event) -> str:
        """Text of the event's line."""
        lines = self.lines(event)
        return lines[event.line - 1].strip() if 0 < event.line <= len(lines) else ""


def trace_lines(
    trace: Trace, source: str, *, call: str, whole: bool = False, files: Mapping[str, str] | None = None
) -> Iterator[str]:
    """The lines to print; `files` are the texts of the program's other files by their names."""
    n_steps = trace.n_steps
    cut = not whole and n_steps > _KEEP_HEAD + _KEEP_TAIL
    sources = _Sources(trace, source, files or {})
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
        yield from _event_lines(event, state, sources)
    yield from _outcome_lines(trace, sources)
    for note in trace.fidelity.notes:
        yield f"note: {note}"
    if trace.determinism.reads:
        yield f"note: reads {', '.join(trace.determinism.reads)}: another run may differ"


def _event_lines(event: Event, state: State, sources: _Sources) -> Iterator[str]:
    trace = state.trace
    depth = _depth(state)
    who = f"[{event.thread}] " if trace.events.thread else ""
    indent = who + "  " * depth
    for text in _changes(event, state):
        yield f"{'':14}{indent}{_short(text)}"
    if event.kind is EventKind.LINE:
        yield f"{event.step:5} {event.line:4}  {indent}{sources.line(event)}"
    elif event.kind is EventKind.CALL:
        yield _short(f"{'':6}{event.line:4}  {indent}{_begun(event, state)}{_where(event, sources)}")
    elif event.kind is EventKind.EXPRESSION:
        text = expression_text(event, state, sources.lines(event), value_text)
        yield _short(f"{'':6}{event.line:4}  {indent}  {text}")
    elif event.kind is EventKind.INSTRUCTION:
        yield _short(f"{'':6}{event.line:4}  {indent}  {instruction_text(event, state, value_text)}")
    else:
        value = f" {value_text(state, event.value)}" if event.value >= 0 else ""
        yield _short(f"{'':6}{event.line:4}  {indent}{_ENDED[event.kind]}{value}")


def _begun(event: Event, state: State) -> str:
    """How a frame starts: a call with its arguments, a class body, a module."""
    code = state.trace.codes[state.trace.frames.code[event.frame]]
    if code.kind == "module":
        return "run the module"
    if code.kind == "class":
        return f"class {code.name}"
    shown = ", ".join(f"{n}={value_text(state, h)}" for n, h in state.top.bindings.items())
    return f"call {code.name}({shown})"


def _depth(state: State) -> int:
    """How many live frames called the one that runs; frames of other threads do not count."""
    live = {frame.number: frame.parent for frame in state.frames}
    depth, at = 0, live[state.top.number]
    while at in live:
        depth, at = depth + 1, live[at]
    return depth


def _where(event: Event, sources: _Sources) -> str:
    """The file of a called function, where the program has more than one."""
    if len(sources.names) == 1:
        return ""
    return f"  in {sources.names[sources.file(event.frame)] or 'the program'}"


def _changes(event: Event, state: State) -> Iterator[str]:
    """What happened since the event before, one text per change; new objects are shown where they appear."""
    shown = [event.value, *(change.value for change in event.changes)]
    born = {state.trace.values.number[handle] for handle in shown if _is_reference(state, handle)}
    for change in event.changes:
        if change.place in (Place.LOCAL, Place.CELL, Place.FREE):
            if event.kind is not EventKind.CALL or change.owner != event.frame:
                yield _binding(change, state, event)
        elif change.place is Place.GLOBAL:
            if not _is_named_only(state, change.value) and text_of(state.trace, change.key) != "__name__":
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


def _outcome_lines(trace: Trace, sources: _Sources) -> Iterator[str]:
    outcome = trace.outcome
    steps = f"{trace.n_steps} steps"
    if isinstance(outcome, Returned):
        yield f"returned {_short(value_text(final_state(trace), outcome.value))} after {steps}"
    elif isinstance(outcome, Raised):
        yield from _raised_lines(trace, outcome, sources)
    elif isinstance(outcome, StepLimit):
        yield f"stopped at the limit of {outcome.limit} steps; --max-steps changes it"
    elif isinstance(outcome, TimeLimit):
        yield f"stopped by the clock after {outcome.limit_s:g} s, nothing recorded; --time-limit changes it"
    elif isinstance(outcome, OutputLimit):
        yield f"stopped: its {outcome.what} grew beyond {outcome.limit_bytes} bytes"
    elif isinstance(outcome, MemoryLimit):
        yield f"stopped: it needed more than the {outcome.limit_bytes >> 20} MB of memory it was given"
    elif isinstance(outcome, Crashed):
        yield f"its process died ({outcome.cause}); what was recorded died with it"
    elif isinstance(outcome, CompileFailure):
        yield f"does not compile, line {outcome.line}: {outcome.message}"
    elif isinstance(outcome, Refused):
        yield f"refused: {outcome.rule}"
    else:
        yield f"not accepted: its result failed a check of ours ({outcome.check})"


def _raised_lines(trace: Trace, outcome: Raised, sources: _Sources) -> Iterator[str]:
    """The exception with the lines that it passed, innermost last, and what caused it."""
    steps = f"after {trace.n_steps} steps"
    if outcome.type == "SystemExit":
        yield f"exited with {outcome.message or 'no code'} {steps}"
        return
    message = f": {outcome.message}" if outcome.message else ""
    yield f"raised {outcome.type}{_short(message)} {steps}"
    for event in reversed(_passed(trace, outcome.value)):
        name = trace.codes[trace.frames.code[event.frame]].name
        where = sources.names[sources.file(event.frame)]
        at = f"{where}, line {event.line}" if where else f"line {event.line}"
        yield _short(f"  {at} in {name}: {sources.line(event)}")
    if outcome.value >= 0:
        yield from _causes(trace, outcome.value)


def _passed(trace: Trace, handle: int) -> list[Event]:
    """Where the exception that ended the run was raised last in each frame, innermost frame first."""
    found: dict[int, Event] = {}
    for event in events(trace):
        if event.kind is EventKind.RAISE and event.value == handle:
            found.pop(event.frame, None)
            found[event.frame] = event
    return list(found.values())


def _causes(trace: Trace, handle: int) -> Iterator[str]:
    state = final_state(trace)
    seen: set[int] = set()
    found = state.object(handle)
    while found is not None and found.number not in seen:
        seen.add(found.number)
        named = {text_of(trace, key): value for key, value in found.entries.items()}
        cause = named.get("__cause__", named.get("__context__", -1))
        if cause < 0 or not _is_reference(state, cause):
            return
        how = "caused by" if "__cause__" in named else "while handling"
        found = state.object(cause)
        assert found is not None
        yield _short(f"{how} {_exception_text(state, found)}")


def _exception_text(state: State, found: HeapObject) -> str:
    """Type and arguments, as the last line of a traceback."""
    for key, value in found.entries.items():
        arguments = state.object(value) if text_of(state.trace, key) == "args" else None
        if arguments is not None and arguments.items:
            return f"{found.type}: {', '.join(value_text(state, handle) for handle in arguments.items)}"
    return found.type


def output_lines(output: bytes) -> Iterator[str]:
    """What the program printed, as text."""
    if output:
        text = output.decode("utf-8", "replace")
        yield f"it printed {len(output)} bytes:"
        yield from (f"| {line}" for line in text.removesuffix("\n").split("\n"))
