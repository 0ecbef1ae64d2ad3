"""Write a trace as text: each executed line with its changes, and each returned value or exception.

    for line in trace_lines(trace, source, call="f(3)"): print(line)

      1    2      xs.append(n)
                    xs = #0[5, 3]  (+ 3)
      2    3      if n > 2:

The first number counts executed lines, the second is the line in the file. `#0` names an object: two names
with one number are one object. A change made in place is shown with all names of the object; the change
itself follows in brackets. A line marks where a long run was cut in the middle. If a program has several
files, each call is shown with its file; if it has several threads or tasks, each line names the running one.
Events finer than lines are an evaluated expression ("s.strip() -> 'a,b'"), or an instruction with its value
stack ("  12 BINARY_OP    [1, 2]").

    paint = paint_of(sys.stdout)                  colors on a terminal, unless NO_COLOR is set
    paint.line(("dim", "   12"), "  total = 0")   one line, cut at the terminal's width

Escape sequences, control characters and characters that reverse the direction of text are shown as escapes.
"""

from __future__ import annotations

import os
import shlex
import shutil
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TextIO

from msgspec import Struct

from deskcheck.format.buffers import view_of
from deskcheck.languages import colors
from deskcheck.records import Change, Event, EventKind, ObjectKind, Op, Place, Program, Trace, ValueKind
from deskcheck.tracing.program import CELL, arguments_of, bundle_of, is_script
from deskcheck.tracing.replay import State, states, text_of
from deskcheck.tracing.requests import Recorded
from deskcheck.viewer.text import (
    NAMED_ONLY,
    Sources,
    fitting_text,
    hint_lines,
    module_run_by,
    object_text,
    outcome_lines,
    output_lines,
    short,
)

_STYLES = {
    "dim": "2",
    "bold": "1",
    "changed": "33",
    "wrong": "1;31",
    "right": "34",
    # classes of tokens (`languages.colors`): keyword, string, number, comment, definition, built-in
    "k": "35",
    "s": "32",
    "n": "36",
    "c": "2",
    "d": "1",
    "b": "33",
}
Part = str | tuple[str, str]
"""A text, or a style and a text."""


class Paint(Struct, frozen=True):
    """Style of printed lines: with colors or without, at most `width` columns (0 = no limit)."""

    color: bool = False
    width: int = 0

    def line(self, *parts: Part) -> str:
        """Return the parts as one line, cut at the width with an ellipsis."""
        left = self.width or (1 << 30)
        total = sum(n_columns(printable(_text(part))) for part in parts)
        pieces = []
        for part in parts:
            text = printable(_text(part))
            n = n_columns(text)
            if total > left and n >= left:
                pieces.append(self._styled(part, _beginning(text, left - 1) + "…"))
                break
            left -= n
            total -= n
            pieces.append(self._styled(part, text))
        return "".join(pieces)

    def _styled(self, part: Part, text: str) -> str:
        style = part[0] if isinstance(part, tuple) else ""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and style and text else text


PLAIN = Paint()


def _text(part: Part) -> str:
    return part[1] if isinstance(part, tuple) else part


def paint_of(stream: TextIO) -> Paint:
    """Return the Paint for a terminal, with its colors and width; PLAIN for a pipe or a file."""
    if not stream.isatty():
        return PLAIN
    is_dumb = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Paint(color=not is_dumb, width=shutil.get_terminal_size().columns)


def printable(text: str) -> str:
    """Return the text with unprintable characters as escapes and each tab as four spaces."""
    if text.isprintable():
        return text
    return "".join(map(_shown, text.replace("\t", "    ")))


def n_columns(text: str) -> int:
    """Return the columns that a printable text takes in a terminal; wide East Asian characters take two."""
    return len(text) if text.isascii() else len(text) + sum(map(_is_wide, text))


def _is_wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in ("W", "F")


def _beginning(text: str, columns: int) -> str:
    """Return the longest beginning of the text that fits."""
    text = text[: max(0, columns)]
    while text and n_columns(text) > columns:
        text = text[:-1]
    return text


def _shown(character: str) -> str:
    return character if character.isprintable() else repr(character)[1:-1]


_WIDTH = 60  # of the source text of an expression


def expression_text(
    event: Event, state: State, lines: Sequence[str], value_text: Callable[[State, int], str]
) -> str:
    """Return source text and value of an EXPRESSION event; `lines` are the lines of its file."""
    columns = state.trace.events
    end_line, start, end = (
        column[event.index] if column else -1
        for column in (columns.end_line, columns.column, columns.end_column)
    )
    source = _source(lines, event.line, end_line, start, end)
    return f"{source} -> {value_text(state, event.value)}" if event.value >= 0 else source


def _source(lines: Sequence[str], line: int, end_line: int, start: int, end: int) -> str:
    """Return the source text between two positions, shortened; columns count UTF-8 bytes."""
    taken = [text.encode() for text in lines[line - 1 : end_line]]
    if not taken or start < 0:
        return "?"
    taken[-1] = taken[-1][:end]
    taken[0] = taken[0][start:]
    text = " ".join(part.decode("utf-8", "replace").strip() for part in taken)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 20]} … {text[-17:]}"


def instruction_text(event: Event, state: State, value_text: Callable[[State, int], str]) -> str:
    """Return offset, name and value stack of an INSTRUCTION event."""
    columns = state.trace.events
    name = state.trace.names[columns.opcode[event.index]] if columns.opcode else "?"
    offset = columns.offset[event.index] if columns.offset else -1
    stack = ", ".join(value_text(state, handle) for handle in state.top.stack)
    return f"{offset:4} {name:20} [{stack}]"


_KEEP_HEAD, _KEEP_TAIL = 120, 40  # steps shown of a run that is too long
_WHOLE = 72  # characters of an object that is shown as a whole when it changes
_MARK = 40  # characters of an object within the mark of a change
_GIVEN = ("__name__", "__file__")  # names that every module has from the start
_ENDED = {
    EventKind.RETURN: "return",
    EventKind.RAISE: "raises",
    EventKind.UNWIND: "left by its exception",
    EventKind.YIELD: "yield",
    EventKind.RESUME: "goes on",
    EventKind.CATCH: "catches",
    EventKind.FREE: "frees",
}


def request_lines(recorded: Recorded, *, whole: bool = False, paint: Paint = PLAIN) -> Iterator[str]:
    """Yield the lines that `deskcheck trace` prints: the run, then the program's output and hints."""
    program, files = recorded.program, recorded.sources
    call, trace = shown_call(program), view_of(recorded.packed)
    yield from trace_lines(trace, program.source, call=call, whole=whole, files=files, paint=paint)
    for line in (
        *output_lines(recorded.output, whole=whole),
        *hint_lines(trace, program, is_trusted=recorded.is_trusted),
    ):
        yield paint.line(line)


def shown_call(program: Program) -> str:
    """Return the call of a program, or the command line that runs it as a script."""
    if not is_script(program):
        return program.call
    if program.origin.startswith(CELL):
        return f"cell {program.origin.removeprefix(CELL)}"
    bundle = bundle_of(program)
    path = bundle.path if bundle else "program"
    # A file in a subfolder runs as a module; run by its path, it would not find its package.
    words = ["-m", bundle.name.removesuffix(".__main__")] if bundle and "/" in path else [path]
    if module_run_by(program):
        words = ["-m", module_run_by(program)]
    if program.language != "python":
        file = program.origin.removeprefix("files:")
        start = [f"./{file.removesuffix('.c')}"] if program.language == "c" else ["node", file]
        return shlex.join([*start, *arguments_of(program)])
    return shlex.join(["python", *words, *arguments_of(program)])


def trace_lines(
    trace: Trace,
    source: str,
    *,
    call: str,
    whole: bool = False,
    files: Mapping[str, str] | None = None,
    paint: Paint = PLAIN,
) -> Iterator[str]:
    """Yield the lines to print; `files` maps the names of the program's other files to their texts."""
    n_steps = trace.n_steps
    cut = not whole and n_steps > _KEEP_HEAD + _KEEP_TAIL
    sources = Sources(trace, source, files or {})
    writer = _Writer(sources, paint, trace.language)
    yield paint.line(("bold", call))
    is_introduced = False
    n_after = 0  # events since the last step: the ends of calls
    for event, state in states(trace):
        hidden = cut and _KEEP_HEAD < event.step <= n_steps - _KEEP_TAIL
        if hidden:
            if not is_introduced:
                is_introduced = True
                n_hidden = n_steps - _KEEP_HEAD - _KEEP_TAIL
                yield paint.line(f"        ... {n_hidden} steps not shown; --all shows them ...")
            continue
        if event.kind is EventKind.LINE:
            yield from _left_out(n_after, cut, paint)
            n_after = 0
        n_after += event.kind is not EventKind.LINE
        if not cut or n_after <= _KEEP_TAIL:
            yield from writer.lines(event, state)
    yield from _left_out(n_after, cut, paint)
    for line in outcome_lines(trace, sources):
        yield paint.line(line)
    for note in trace.fidelity.notes:
        yield paint.line(f"note: {note}")
    if trace.determinism.reads:
        yield paint.line(f"note: reads {', '.join(trace.determinism.reads)}: another run may differ")


def _left_out(n_after: int, cut: bool, paint: Paint) -> Iterator[str]:
    """Say how many of the events since the last step are not shown."""
    if cut and n_after > _KEEP_TAIL:
        yield paint.line(f"        ... {n_after - _KEEP_TAIL} events not shown; --all shows them ...")


class _Writer:
    """Writer of events, which remembers the indentation of the last line of each frame."""

    def __init__(self, sources: Sources, paint: Paint, language: str) -> None:
        self._sources = sources
        self._language = language
        self._paint = paint
        self._inner: dict[int, int] = {}

    def lines(self, event: Event, state: State) -> Iterator[str]:
        """Yield the lines of one event: the changes since the event before, then the event itself."""
        line = self._paint.line
        indent = (f"[{event.thread}] " if state.trace.events.thread else "") + self._indent(_depth(state))
        inner = " " * self._inner.get(event.frame, 4)
        for text, mark in _changes(event, state):
            yield line(f"{'':14}{indent}{inner}", short(text), ("changed", mark))
        numbers = ("dim", f"{'':6}{event.line:4}  ")
        if event.kind is EventKind.LINE:
            text = self._sources.indented(event)
            self._inner[event.frame] = len(text) - len(text.lstrip())
            yield line(f"{event.step:5}", ("dim", f" {event.line:4}  "), indent, *self._colored(text))
        elif event.kind is EventKind.CALL:
            yield line(numbers, short(f"{indent}{_begun(event, state)}{_where(event, self._sources)}"))
        elif event.kind is EventKind.EXPRESSION:
            text = expression_text(event, state, self._sources.lines(event), fitting_text)
            yield line(numbers, short(f"{indent}{inner}  {text}"))
        elif event.kind is EventKind.INSTRUCTION:
            yield line(numbers, short(f"{indent}{inner}  {instruction_text(event, state, fitting_text)}"))
        else:
            # The return value of a class body is an internal cell of the interpreter.
            is_told = event.value >= 0 and not _is_class(state, event.frame)
            value = f" {fitting_text(state, event.value)}" if is_told else ""
            yield line(numbers, short(f"{indent}{_ENDED[event.kind]}{value}"))

    def _indent(self, depth: int) -> str:
        """Return two spaces for each calling frame; where they would fill the line, fewer and the number."""
        most = max(3, self._paint.width // 8) if self._paint.width else 20
        return "  " * depth if depth <= most else f"{'  ' * (most - 2)}[{depth}] "

    def _colored(self, text: str) -> Iterator[Part]:
        """Yield the text of a line in parts, each with the style of its token."""
        at = 0
        for start, length, style in colors(text, self._language) if self._paint.color else []:
            yield text[at:start]
            yield (style, text[start : start + length])
            at = start + length
        yield text[at:]


def _begun(event: Event, state: State) -> str:
    """Describe the start of a frame: a call with its arguments, a class body or a module."""
    code = state.trace.codes[state.trace.frames.code[event.frame]]
    if code.kind == "module":
        return "run the module"
    if code.kind == "class":
        return f"class {code.name}"
    given, seen = [], []
    for name, handle in state.top.bindings.items():
        if state.top.places[name] is not Place.FREE:
            given.append(f"{name}={fitting_text(state, handle)}")
        elif name != "__class__":  # what makes `super()` work
            seen.append(f"{name}={fitting_text(state, handle)}")
    closure = f"  closure {', '.join(seen)}" if seen else ""
    return f"call {code.name}({', '.join(given)}){closure}"


def _depth(state: State) -> int:
    """Count the live callers of the running frame; frames of other threads do not count."""
    live = {frame.number: frame.parent for frame in state.frames}
    depth, at = 0, live[state.top.number]
    while at in live:
        depth, at = depth + 1, live[at]
    return depth


def _where(event: Event, sources: Sources) -> str:
    """Name the file of a called function; "" if the program has only one file."""
    if len(sources.names) == 1:
        return ""
    return f"  in {sources.names[sources.file(event.frame)] or 'the program'}"


def _changes(event: Event, state: State) -> Iterator[tuple[str, str]]:
    """Yield the changes since the event before: a text, and a mark of the change within an object.

    A new object is shown only with the name that holds it. All changes of one object are shown together.
    """
    shown = [event.value, *(change.value for change in event.changes)]
    born = {state.trace.values.number[handle] for handle in shown if _is_reference(state, handle)}
    owners: set[int] = set()
    for change in event.changes:
        if change.place in (Place.LOCAL, Place.CELL, Place.FREE):
            is_shown = event.kind is not EventKind.CALL or change.owner != event.frame
            if is_shown and not (_is_class(state, change.owner) and _is_named_only(state, change.value)):
                yield _binding(change, state, event), ""
        elif change.place is Place.GLOBAL:
            if not _is_named_only(state, change.value) and text_of(state.trace, change.key) not in _GIVEN:
                yield _binding(change, state, event), ""
        elif change.place >= Place.ELEMENT and change.owner not in owners | born:
            owners.add(change.owner)
            same = [c for c in event.changes if c.place >= Place.ELEMENT and c.owner == change.owner]
            if state.trace.objects.kind[change.owner] == ObjectKind.FUNCTION:
                same = _own_attributes(same, state)
            if same:
                yield from _in_place(same, state)


def _own_attributes(changes: list[Change], state: State) -> list[Change]:
    """Return the changes of a function's own attributes, ".name": its cells are shown as variables."""
    return [change for change in changes if text_of(state.trace, change.key).startswith(".")]


def _is_class(state: State, frame: int) -> bool:
    return state.trace.codes[state.trace.frames.code[frame]].kind == "class"


def _is_reference(state: State, handle: int) -> bool:
    return handle >= 0 and state.trace.values.kind[handle] == ValueKind.REF


def _is_named_only(state: State, handle: int) -> bool:
    """Whether a value is a function, class or module, whose definition the source shows anyway."""
    found = state.object(handle) if handle >= 0 else None
    return found is not None and found.kind in NAMED_ONLY


def _binding(change: Change, state: State, event: Event) -> str:
    name = text_of(state.trace, change.key)
    is_global = change.place is Place.GLOBAL
    where = "" if is_global or change.owner == event.frame else f"  (frame {change.owner})"
    scope = "global " if is_global else ""
    if change.op is Op.DELETE:
        return f"del {scope}{name}{where}"
    return f"{scope}{name} = {fitting_text(state, change.value)}{where}"


def _in_place(changes: list[Change], state: State) -> Iterator[tuple[str, str]]:
    """Yield an object's changes: the object with a mark for each change, or marks alone if it is large."""
    number = changes[0].owner
    found = state.heap.get(number)
    if found is None or found.kind in (ObjectKind.TUPLE, ObjectKind.GENERATOR):
        return
    if found.kind is ObjectKind.ITERATOR:
        yield from ((text, "") for change in changes if (text := _iterator_change(change, state)))
        return
    if found.kind is ObjectKind.RECORD and found.text:
        return  # its summary stands for it
    names = _names_of(state, number)
    text = object_text(state, number)
    if found.kind is ObjectKind.OPAQUE:
        yield " = ".join([*names, text]), "  (changed in place)"
        return
    marks = [_mark(change, state) for change in changes]
    if len(text) <= _WHOLE:
        yield " = ".join([*names, text]), f"  ({', '.join(marks)})"
        return
    who = " = ".join(names) or f"#{number}"
    for mark in marks:
        yield f"{who}: {mark}", ""


def _mark(change: Change, state: State) -> str:
    """Describe one change: "+ 3", "[0] = 2", "- [1]", ".next = #4"."""
    value = fitting_text(state, change.value) if change.value >= 0 else ""
    found = state.object(change.value) if change.value >= 0 else None
    if found is not None and len(value) > _MARK:
        value = f"#{found.number}"
    target = _target(change, state)
    if change.place is Place.MEMBER:
        return f"- {fitting_text(state, change.key)}" if change.op is Op.DELETE else f"+ {value}"
    if change.op is Op.DELETE:
        return f"- {target}"
    if change.op is Op.INSERT:
        items = state.heap[change.owner].items
        return f"+ {value}" if change.index >= len(items) - 1 else f"+ {value} at {change.index}"
    return f"{target} = {value}"


def _target(change: Change, state: State) -> str:
    if change.place is Place.ELEMENT:
        return f"[{change.index}]"
    if change.place is Place.KEY:
        return f"[{fitting_text(state, change.key)}]"
    if change.place is Place.ATTRIBUTE:
        name = text_of(state.trace, change.key)
        return name if name.startswith(".") else f".{name}"
    return "content"


def _iterator_change(change: Change, state: State) -> str:
    moved = change.place is Place.ATTRIBUTE and text_of(state.trace, change.key) == "position"
    if moved and change.value >= 0:
        return f"iterator #{change.owner} at {fitting_text(state, change.value)}"
    return ""


def _names_of(state: State, number: int) -> list[str]:
    """Return the variables of live frames and of the module that hold the object directly."""
    values = state.trace.values
    scopes = [frame.bindings for frame in reversed(state.frames)] + [state.globals]
    names: dict[str, None] = {}
    for scope in scopes:
        for name, handle in scope.items():
            if values.kind[handle] == ValueKind.REF and values.number[handle] == number:
                names[name] = None
    return list(names)
