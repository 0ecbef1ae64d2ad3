"""Find where a value came from: its last write, the values that the writing line read, and so on.

    why(run, "total", step=17) -> Why(link=Link("total", "15", "made", At(16, 5, "total += x"), sources=[..]))

A name may be followed by items and attributes: `xs[0]`, `node.next.val`, `d['k']`. A variable counts as
written when it is bound, and when an object that it holds changes. A line that called functions of the
program has their returned values among its sources.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.queries.answers import At, Earlier, Link, Why
from deskcheck.queries.paths import Path, path_of
from deskcheck.queries.run import Cell, Run, Write
from deskcheck.records import EventKind, Op, Place, ValueKind
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.text import NAMED_ONLY, fitting_text, short

_DEPTH, _MOST_LINKS, _MOST_SOURCES, _MOST_CALLS = 3, 40, 6, 3
"""Bounds of a chain: its depth, its links, the sources of one link, and the calls among them."""
_MOST_EARLIER = 10  # earlier values in an answer


class Draft(Struct):
    """A link whose value has no text yet."""

    name: str
    event: int
    """Event at which the value is seen."""
    handle: int
    way: str
    maker: int
    """LINE event that made it; -1 = the call."""
    written: int = -1
    """Event at which the change is first seen."""
    sources: list[Draft] = []
    is_asked: bool = False
    """Whether the value is that of the path in question, which is read from the state."""


def why(run: Run, name: str, step: int = 0) -> Why:
    """Return where a variable's value before a step comes from; step 0 is the end of the variable's life.

    `name`: a variable, or a path such as `xs[0]`. UserError if there is no such variable, value or step.
    """
    path = path_of(name, run.trace.language)
    event, cell = _place(run, path, step)
    state, handle = value_at(run, event, cell)
    handle = path.follow(state, handle)
    writes = list(_path_writes(run, path, cell, event, state, handle))
    if not writes:
        raise UserError(f"no recorded line made {name}: it was there before the run")
    root = _draft(run, str(path), writes[0], handle)
    root.event, root.is_asked = event, True
    _expand(run, root)
    earlier = [_draft(run, str(path), write, handle) for write in writes[1:]]
    distinct = list({draft.maker: draft for draft in earlier if draft.maker != root.maker}.values())
    shown = distinct[:_MOST_EARLIER]
    for draft in shown:
        draft.is_asked = True
    texts = _texts(run, [*_all(root), *shown], path, cell)
    chain = _link(run, root, texts)
    values = [Earlier(texts[id(draft)], at_of(run, draft.maker)) for draft in shown]
    return Why(step, chain, values, len(distinct))


def at_of(run: Run, maker: int) -> At:
    """Return step, line and text of a LINE event; -1 is the call."""
    if maker < 0:
        return At(0, 0, "")
    events = run.trace.events
    return At(events.step[maker], events.line[maker], run.text(maker), run.file_name(maker))


def _place(run: Run, path: Path, step: int) -> tuple[int, Cell]:
    """Return the event at which a path is read and the variable that it begins with."""
    if step and not 1 <= step <= len(run.lines):
        raise UserError(f"there is no step {step}: the run has {len(run.lines)}")
    if step:
        event = run.lines[step - 1]
        cell = run.variable(path.name, event=event)
        if cell is None or next(run.writes(cell, before=event), None) is None:
            raise _unknown(run, path.name, f"before step {step}")
        return event, cell
    best: tuple[int, Cell] | None = None
    for cell in run.cells(path.name):
        last = next(run.writes(cell, before=run.n - 1), None)
        if last is not None and (best is None or last.event >= best[0]):
            best = last.event, cell
    if best is None:
        raise _unknown(run, path.name, "in this run")
    cell = best[1]
    return (run.n - 1 if cell.is_global else _last_event(run, cell.owner)), cell


def _last_event(run: Run, frame: int) -> int:
    frames = run.trace.events.frame
    return next(at for at in range(run.n - 1, -1, -1) if frames[at] == frame)


def _unknown(run: Run, name: str, when: str) -> UserError:
    names = [known for known in run.names() if not known.startswith("__")]
    return UserError(f"there is no variable '{name}' {when}; recorded: {', '.join(names[:30]) or 'none'}")


def value_at(run: Run, event: int, cell: Cell) -> tuple[State, int]:
    """Return the state at an event and the handle of a variable there. UserError if it is not bound."""
    for at, state in states(run.trace):
        if at.index == event:
            handle = handle_in(state, cell)
            if handle < 0:
                raise UserError(f"'{cell.name}' is not bound there: it was deleted before")
            return state, handle
    raise UserError(f"the run has no event {event}")


def handle_in(state: State, cell: Cell) -> int:
    """Return the handle of a variable in a state, -1 if it is not bound."""
    if cell.is_global:
        return state.modules.get(cell.owner, {}).get(cell.name, -1)
    frame = next((frame for frame in state.frames if frame.number == cell.owner), None)
    frame = frame or state.suspended.get(cell.owner)
    return frame.bindings.get(cell.name, -1) if frame else -1


def _path_writes(run: Run, path: Path, cell: Cell, event: int, state: State, handle: int) -> Iterator[Write]:
    """Yield the writes of a path, latest first: bindings of its place and changes of objects in its value."""
    if path.parts:
        rows = path.rows(run, state, handle_in(state, cell), event)
    else:
        rows = list(run.writes(cell, before=event))
    inner = [
        write for number in run.objects_in(handle) for write in run.object_writes(number, before=event)
    ]  # fmt: skip
    # Changes that are seen together with the binding are of the line that made the value, as in [*xs, 5].
    since = rows[0].event if rows else -1
    changed = [write for write in inner if write.event > since]
    yield from sorted([*rows, *changed], key=lambda write: write.change, reverse=True)


def _draft(run: Run, name: str, write: Write, handle: int) -> Draft:
    changes, events = run.trace.changes, run.trace.events
    maker = run.makers[write.event] if write.event <= run.n else -1
    is_name = changes.place[write.change] < Place.ELEMENT
    is_call = write.event < run.n and events.kind[write.event] == EventKind.CALL
    if is_call and is_name and changes.place[write.change] != Place.GLOBAL:
        way = "passed" if maker >= 0 else "given"
    elif maker < 0:
        way = "given"
    else:
        way = "made" if is_name or changes.op[write.change] == Op.DELETE else "changed"
    return Draft(name, min(write.event, run.n - 1), handle, way, maker, write.event)


def _expand(run: Run, root: Draft) -> None:
    """Fill in the sources of a draft, breadth first, to a depth and a number of links."""
    level, n = [root], 1
    for _ in range(_DEPTH):
        following = []
        for draft in level:
            if draft.maker < 0 or n >= _MOST_LINKS:
                continue
            draft.sources = list(sources_of(run, draft.maker, draft.written))[:_MOST_SOURCES]
            n += len(draft.sources)
            following += draft.sources
        level = following


def sources_of(run: Run, maker: int, written: int) -> Iterator[Draft]:
    """Yield the sources of a line's values: returned values of its calls, and the names that it read.

    `maker`: LINE event of the line; `written`: event of the change. Calls that returned after the change are
    no sources.
    """
    events = run.trace.events
    ends = [end for end in run.calls.get(maker, []) if end < written]
    for end in ends[-_MOST_CALLS:]:
        name = f"{run.function(end).rpartition('.')[2]}(..)"
        yield Draft(name, end, events.value[end], "returned", run.makers[end], end)
    for name in run.reads(maker):
        cell = run.variable(name, event=maker)
        write = latest(run, cell, maker) if cell else None
        if write is not None:
            changes = run.trace.changes
            binding = next(run.writes(cell, before=maker), None) if cell else None
            handle = changes.value[binding.change] if binding else -1
            if handle >= 0 and not (write.event == 0 and _is_named_only(run, handle)):
                draft = _draft(run, name, write, handle)
                draft.event = maker
                yield draft


def _is_named_only(run: Run, handle: int) -> bool:
    """Whether a value is a function, a class or a module."""
    values = run.trace.values
    return values.kind[handle] == ValueKind.REF and (
        run.trace.objects.kind[values.number[handle]] in NAMED_ONLY
    )


def latest(run: Run, cell: Cell, before: int) -> Write | None:
    """Return the last change of a variable before a line: its binding, or a change of an object it holds."""
    binding = next(run.writes(cell, before=before), None)
    if binding is None:
        return None
    last = binding
    for number in run.objects_in(run.trace.changes.value[binding.change]):
        write = next(run.object_writes(number, before=before), None)
        if write is not None and write.event > binding.event and write.change > last.change:
            last = write
    return last


# ------------------------------------------------------------------ text


def _all(draft: Draft) -> Iterator[Draft]:
    yield draft
    for source in draft.sources:
        yield from _all(source)


def _texts(run: Run, drafts: list[Draft], path: Path, cell: Cell) -> dict[int, str]:
    """Return the text of each draft's value, made in one replay of the run."""
    waiting: dict[int, list[Draft]] = {}
    for draft in drafts:
        waiting.setdefault(draft.event, []).append(draft)
    texts: dict[int, str] = {}
    for event, state in states(run.trace):
        for draft in waiting.get(event.index, ()):
            handle = draft.handle
            if draft.is_asked:
                handle = path.find(state, handle_in(state, cell))
            texts[id(draft)] = short(fitting_text(state, handle)) if handle >= 0 else "deleted"
    return texts


def _link(run: Run, draft: Draft, texts: dict[int, str]) -> Link:
    sources = [_link(run, source, texts) for source in draft.sources]
    return Link(draft.name, texts[id(draft)], draft.way, at_of(run, draft.maker), sources)
