"""Represent a state as a tree and as one line of text, and a step as the difference between two states.

    Value     value of a variable; a shared mutable object carries a label: #1[1, 2], later #1
    Frame     ">" just called or "@" about to run its line; the line; entries name -> Value
    StateTree frames, outermost first; `module`: the data among the globals of the program's own file
    Step      effect of one event: `mark`, `line`, `value`, and the changed entries

Entry names: a variable; "~1" the iterator of the outermost live loop; "^1" a temporary of an unfinished
expression. Pending: "<-" a value that a callee just returned, "!" an exception that is on its way. Labels
count from 1 in the order in which they appear, so equal states have equal texts. At granularities finer than
lines, a place "@4.72" is line 4 at the instruction with offset 72, and an entry "^13-17" is the value of the
expression in columns 13 to 17 of the frame's line. It stays until an expression around it has been evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field


class Value(Struct, frozen=True):
    """One value. `kind` says which fields are used."""

    kind: str
    """literal | opaque | label | list | tuple | dict | set | call"""
    text: str = ""
    """literal: its source text; opaque: the text between < and >; others: name of the type, or ""."""
    label: int = 0
    """Number of a shared object; 0 = not shared."""
    items: tuple[Value, ...] = ()
    """Elements, members, positional arguments; for dict: key, value, key, value.."""
    names: tuple[str, ...] = ()
    """call: names of the last len(names) items."""
    position: int = -1
    """call: position of an iterator; -1 = none."""

    def __str__(self) -> str:
        label = f"#{self.label}" if self.label else ""
        body: str = _BODY[self.kind](self)
        return label + body


def _join(values: tuple[Value, ...]) -> str:
    return ", ".join(map(str, values))


def _tuple_text(value: Value) -> str:
    return f"{value.text}({_join(value.items)}{',' if len(value.items) == 1 else ''})"


def _dict_text(value: Value) -> str:
    pairs = zip(value.items[::2], value.items[1::2], strict=True)
    return f"{value.text}{{{', '.join(f'{k}: {v}' for k, v in pairs)}}}"


def _set_text(value: Value) -> str:
    if not value.items:
        return f"{value.text or 'set'}()"
    body = f"{{{_join(value.items)}}}"
    return f"{value.text}({body})" if value.text else body


def _call_text(value: Value) -> str:
    plain = len(value.items) - len(value.names)
    parts = [str(v) for v in value.items[:plain]]
    parts += [f"{n}={v}" for n, v in zip(value.names, value.items[plain:], strict=True)]
    position = f"@{value.position}" if value.position >= 0 else ""
    return f"{value.text}({', '.join(parts)}){position}"


_BODY = {
    "literal": lambda v: v.text,
    "opaque": lambda v: f"<{v.text}>",
    "label": lambda v: "",
    "list": lambda v: f"{v.text}[{_join(v.items)}]",
    "tuple": _tuple_text,
    "dict": _dict_text,
    "set": _set_text,
    "call": _call_text,
}


class Frame(Struct, frozen=True):
    """One live call of a function."""

    mark: str
    """">" after the frame has been entered; "@" before it runs its line, or while a callee runs."""
    line: int
    entries: dict[str, Value]
    """Name -> value, in order; the names are described at the top of this file."""
    pending: str = ""
    """"<-" a callee returned `value` into this line, "!" the exception `value` is raised here, "" neither."""
    value: Value | None = None
    offset: int = -1
    """Offset of the instruction in bytes; -1 if lines are the smallest step."""

    @property
    def place(self) -> str:
        """Mark and line, with the offset if there is one: "@4", "@4.72"."""
        return f"{self.mark}{self.line}" + (f".{self.offset}" if self.offset >= 0 else "")

    def __str__(self) -> str:
        parts = [f"{name}={value}" for name, value in self.entries.items()]
        if self.pending:
            parts.append(f"{self.pending}{self.value}")
        return self.place + (f" | {'; '.join(parts)}" if parts else "")


class StateTree(Struct, frozen=True):
    """State of a run at one step: all live frames and the module's data."""

    frames: tuple[Frame, ...]
    """Outermost first; empty once the run is over."""
    module: dict[str, Value] = field(default_factory=dict)
    """Data among the module-level names of the program's own file."""

    def __str__(self) -> str:
        parts = [str(frame) for frame in self.frames]
        if self.module:
            parts.insert(0, "* | " + "; ".join(f"{n}={v}" for n, v in self.module.items()))
        return " / ".join(parts)


def texts(states: Iterable[StateTree]) -> list[str]:
    """Return str() of every state, with the text of a value that several states share made only once."""
    known: dict[int, tuple[Value, str]] = {}  # by id(); keeping the value keeps its id from being reused

    def written(entries: dict[str, Value]) -> str:
        parts = []
        for name, value in entries.items():
            entry = known.get(id(value))
            if entry is None:
                entry = known[id(value)] = (value, str(value))
            parts.append(f"{name}={entry[1]}")
        return "; ".join(parts)

    lines = []
    for state in states:
        parts = [f"* | {written(state.module)}"] if state.module else []
        for frame in state.frames:
            text = written(frame.entries)
            if frame.pending:
                text += f"{'; ' if text else ''}{frame.pending}{frame.value}"
            parts.append(f"{frame.place} | {text}" if text else frame.place)
        lines.append(" / ".join(parts))
    return lines


class Change(Struct, frozen=True):
    """One entry that a step sets, or deletes if `value` is None."""

    frame: int
    """Depth, 0 = outermost; -1 = the frame that is on top after the step; -2 = the module."""
    name: str
    value: Value | None

    def __str__(self) -> str:
        where = {-1: "", -2: "*."}.get(self.frame, f"{self.frame}.")
        return f"-{where}{self.name}" if self.value is None else f"{where}{self.name}={self.value}"


class Step(Struct, frozen=True):
    """One step of a run, as the text that a model writes for it.

    "@3 | s=1" goes to line 3 · ">1 | x=2" calls the function whose header is line 1 · "<- 7" returns ·
    "!KeyError('k')" raises in this frame · "!!KeyError('k')" leaves the frame by this exception · "^ 5"
    yields · "=13-17 7" evaluates the expression in columns 13 to 17.
    """

    mark: str
    """"@", ">", "<-", "!", "!!", "^", "="."""
    line: int = 0
    """Line number of "@" and ">"; 0 for the other marks."""
    value: Value | None = None
    """Value of the other marks; None for "@" and ">"."""
    changes: tuple[Change, ...] = ()
    offset: int = -1
    """Offset of "@" in bytes, if instructions are the smallest step; else -1."""
    span: str = ""
    """Columns of "=": "13-17", or "3:13-4:7" if the expression is not on the frame's line alone."""

    def __str__(self) -> str:
        if self.mark in ("@", ">"):
            head = f"{self.mark}{self.line}" + (f".{self.offset}" if self.offset >= 0 else "")
        elif self.mark == "=":
            head = f"={self.span} {self.value}"
        else:
            head = f"{self.mark} {self.value}" if self.mark in ("<-", "^") else f"{self.mark}{self.value}"
        return head + (f" | {'; '.join(map(str, self.changes))}" if self.changes else "")


def apply_step(state: StateTree, step: Step) -> StateTree:
    """Return the state after a step, without executing anything. ValueError if the step does not fit."""
    return _with_changes(_moved(state, step), step.changes)


def _moved(state: StateTree, step: Step) -> StateTree:
    """Return the state after a step, without the step's changes."""
    if not state.frames:
        raise ValueError("the run is already over")
    frames = list(state.frames)
    top = frames[-1]
    if step.mark == "@":
        entries = top.entries
        if "^" in "".join(entries):  # rare; this test is cheap
            entries = {name: value for name, value in entries.items() if not is_span(name)}
        frames[-1] = Frame("@", step.line, entries, offset=step.offset)
    elif step.mark == ">":
        frames[-1] = Frame("@", top.line, top.entries, offset=top.offset)
        frames.append(Frame(">", step.line, {}))
    elif step.mark == "!":
        frames[-1] = Frame("@", top.line, top.entries, "!", step.value, top.offset)
    elif step.mark == "=":
        frames[-1] = Frame("@", top.line, with_result(top, step), offset=top.offset)
    else:
        frames.pop()
        if frames:
            under = frames[-1]
            pending = "!" if step.mark == "!!" else "<-"
            frames[-1] = Frame(under.mark, under.line, under.entries, pending, step.value, under.offset)
    return StateTree(tuple(frames), state.module)


def _with_changes(state: StateTree, changes: tuple[Change, ...]) -> StateTree:
    """Return the state with the changes applied. ValueError for a frame or an entry that is not there."""
    frames = list(state.frames)
    module = dict(state.module)
    for change in changes:
        if change.frame == -2:
            entries = module
        else:
            depth = len(frames) - 1 if change.frame == -1 else change.frame
            if not 0 <= depth < len(frames):
                raise ValueError(f"'{change}' names frame {depth}; there are {len(frames)}")
            old = frames[depth]
            entries = dict(old.entries)
            frames[depth] = Frame(old.mark, old.line, entries, old.pending, old.value, old.offset)
        if change.value is not None:
            entries[change.name] = change.value
        elif change.name in entries:
            del entries[change.name]
        else:
            raise ValueError(f"'{change}' deletes what is not there")
    frames = [
        Frame(f.mark, f.line, ordered(f.entries), f.pending, f.value, f.offset) if f.entries else f
        for f in frames
    ]
    return StateTree(tuple(frames), module)


def ordered(entries: dict[str, Value]) -> dict[str, Value]:
    """Return the entries in order: variables as given, iterators by number, temporaries by number."""
    special = sorted(
        (n for n in entries if n[0] in "~^"),
        key=lambda n: (n[0] == "^", int(n[1:]) if n[1:].isdigit() else 0),
    )
    return {n: entries[n] for n in [*(n for n in entries if n[0] not in "~^"), *special]}


_BUILT = ("new Map", "new Set", "new Date", "new RegExp")


def is_built(value: Value) -> bool:
    """Whether a call stands for a value, as `new Map([[1, 2]])` of JavaScript."""
    return value.kind == "call" and value.text in _BUILT and not value.names


def is_span(name: str) -> bool:
    """Whether the name of an entry is that of an expression's value ("^13-17")."""
    return name[0] == "^" and not name[1:].isdigit()


def with_result(frame: Frame, step: Step) -> dict[str, Value]:
    """Return the entries of a frame after a step "=": the result added, the results of its parts removed."""
    start, end = ends_of(step.span, frame.line)
    entries = {}
    for name, value in frame.entries.items():
        if is_span(name):
            first, last = ends_of(name[1:], frame.line)
            if start <= first and last <= end:
                continue
        entries[name] = value
    if step.value is not None:
        entries[f"^{step.span}"] = step.value
    return entries


def ends_of(span: str, line: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return ((line, column), (line, column)) of "13-17" or "3:13-4:7"; `line` is the frame's."""
    first, _, last = span.partition("-")
    parts = [part.rpartition(":") for part in (first, last)]
    start, end = ((int(at) if at else line, int(column)) for at, _, column in parts)
    return start, end


def span_text(start: tuple[int, int], end: tuple[int, int], line: int) -> str:
    """Write a span; line numbers equal to the frame's `line` are left out."""
    return "-".join(f"{column}" if at == line else f"{at}:{column}" for at, column in (start, end))


def difference(before: StateTree, after: StateTree, step: Step) -> Step:
    """Return `step` with the changes that make `apply_step(before, step) == after`."""
    bare = _moved(before, step)
    changes = _changed(bare.module, after.module, -2)
    for depth, (old, new) in enumerate(zip(bare.frames, after.frames, strict=True)):
        changes += _changed(old.entries, new.entries, -1 if depth == len(after.frames) - 1 else depth)
    return Step(step.mark, step.line, step.value, tuple(changes), step.offset, step.span)


def _changed(old: dict[str, Value], new: dict[str, Value], frame: int) -> list[Change]:
    """Return the changes that turn one frame's entries into others, in the order that rebuilds them."""
    if [*new][: len(old)] == [*old]:  # the usual case: nothing deleted or moved
        return [Change(frame, n, v) for n, v in new.items() if not ((was := old.get(n)) is v or was == v)]
    gone = [Change(frame, name, None) for name in old if name not in new]
    kept = [name for name in old if name in new]
    # A name deleted and bound again in one step moves to the end. Delete it explicitly to keep the order.
    order = [name for name in new if name in old]
    same = next((i for i, (a, b) in enumerate(zip(kept, order, strict=True)) if a != b), len(kept))
    moved = set(order[same:])
    gone += [Change(frame, name, None) for name in kept if name in moved]
    return gone + [
        Change(frame, name, value)
        for name, value in new.items()
        if name not in old or name in moved or old[name] != value
    ]
