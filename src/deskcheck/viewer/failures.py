"""Write pages of failed tests: the run up to the failure, and where the values of the failing line come from.

    failure_of(program, trace, path="test_a.py", texts={}) -> Failure(step=12, why=["n = 5, from step 9, .."])
    write_failure(failure, Path("failures"), "test_a.py::test_sum") -> Entry(page="test_a-py-test_sum.html")
    write_index([entry, ..], Path("failures"))

`tracing.calls.FailedCalls` records the tests' calls. Names that pytest's rewriting of `assert` puts into the
code (`@py_assert1`) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, compress
from pathlib import Path
from urllib.parse import quote

import jinja2
from msgspec import Struct
from msgspec.structs import replace

from deskcheck.cell_files import write_whole
from deskcheck.languages import part
from deskcheck.records import Event, EventKind, OutputLimit, Place, Program, Trace
from deskcheck.tracing.program import Bundle, make_program, module_name, prelude_of
from deskcheck.tracing.replay import State, states, text_of
from deskcheck.viewer.document import View, page_of
from deskcheck.viewer.text import Sources as Lines
from deskcheck.viewer.text import fitting_text, outcome_lines, short

_NAMES = (Place.LOCAL, Place.CELL, Place.FREE, Place.GLOBAL)
_MOST_REASONS = 6  # sentences on one failure
_FILE_LETTERS = 100  # characters of a page's file name
_MOST_OBJECTS = 1000  # objects inside one value whose changes are looked for


class Failure(Struct, frozen=True):
    """A failed call, ready to be shown."""

    view: View
    step: int
    """Step at which it failed, 0 if none ran."""
    line: int
    text: str
    """Source text of the failing line."""
    outcome: str
    why: list[str]
    """Sentences on the values that the failing line used, and where each was made."""
    cell: str
    """Name of the first of these values on the page ("v|0|n"); "" without one."""


class Entry(Struct, frozen=True):
    """One row of the index."""

    name: str
    page: str
    """Address relative to the index; "" if there is no page."""
    outcome: str
    line: str
    why: list[str]


def failure_of(program: Program, trace: Trace, *, path: str, texts: dict[str, str]) -> Failure:
    """Make the page's content of a failed call. `texts`: the project's files, by the names in the trace."""
    trace = without_names(trace, lambda name: name.startswith("@py"))
    files = {name: text for name, text in texts.items() if name != path}
    bundle = Bundle(path=path, name=module_name(path), files=files)
    program = make_program(
        program.source, program.entry, program.arguments, origin=program.origin, prelude=prelude_of(bundle)
    )
    trace = replace(trace, program_id=program.id)
    lines = Lines(trace, program.source, files)
    failing, why, cell = _reasons(trace, lines, program.source)
    outcome = next(outcome_lines(trace, lines)).replace("--max-steps", "--deskcheck-max-steps")
    if isinstance(trace.outcome, OutputLimit):
        outcome += f" after {trace.n_steps:,} steps; --deskcheck-max-bytes changes it"
    step, line = (failing.step, failing.line) if failing else (trace.n_steps, 0)
    text = lines.line(failing) if failing else ""
    head = [f"It failed at step {step}, line {line}: {text}"] if failing else []
    return Failure(View(program, [trace], notes=[*head, *why]), step, line, text, outcome, why, cell)


def without_names(trace: Trace, is_hidden: Callable[[str], bool]) -> Trace:
    """Return the trace without the variables whose names are hidden."""
    changes = trace.changes
    kept = [
        place not in _NAMES or not is_hidden(text_of(trace, key))
        for place, key in zip(changes.place, changes.key, strict=True)
    ]
    if all(kept):
        return trace
    n_before = [0, *accumulate(kept)]
    columns = {name: list(compress(getattr(changes, name), kept)) for name in changes.__struct_fields__}
    ends = [n_before[end] for end in trace.events.changes_end]
    events = replace(trace.events, changes_end=ends)
    return replace(trace, changes=replace(changes, **columns), events=events)


# ------------------------------------------------------------------ where values come from


class _Moments:
    """Memory of a walk through a run: when names and objects got their values, and what calls returned."""

    def __init__(self, trace: Trace, lines: Lines) -> None:
        self._trace = trace
        self._lines = lines
        self._names: dict[str, Event | None] = {}  # name in the first frame -> line that bound it last
        self._objects: dict[int, Event | None] = {}  # number of an object -> line that changed it last
        self._returned: dict[int, list[str]] = {}  # step of the first frame -> results of its calls
        self._last: Event | None = None
        self._last_of_first: Event | None = None

    def note(self, event: Event, state: State) -> None:
        """Take in one event; the lines before it have made its changes."""
        for change in event.changes:
            if change.place in (Place.LOCAL, Place.CELL) and change.owner == 0 and change.value >= 0:
                self._names[text_of(self._trace, change.key)] = self._last_of_first
            elif change.place >= Place.ELEMENT:
                self._objects[change.owner] = self._last
        if event.kind is EventKind.RETURN and self._trace.frames.parent[event.frame] == 0:
            name = self._trace.codes[self._trace.frames.code[event.frame]].name
            text = f"{name}(..) returned {short(fitting_text(state, event.value))}"
            at = self._last_of_first.step if self._last_of_first else 0
            self._returned.setdefault(at, []).append(
                f"{text} at step {event.step}, {_where(event, self._lines)}"
            )
        if event.kind is EventKind.LINE:
            self._last = event
            self._last_of_first = event if event.frame == 0 else self._last_of_first

    def of(self, name: str, value: _Value) -> str:
        """Say which step last bound a variable, or last changed an object in its value."""
        lines = [self._names.get(name), *(self._objects.get(number) for number in value.objects)]
        at = max(filter(None, lines), key=lambda event: event.step, default=None)
        if at is None:
            return f"{name} = {value.text}, given to the test"
        text = f"{name} = {value.text}, from step {at.step}, {_where(at, self._lines)}"
        return "; ".join([text, *self._returned.get(at.step, [])])

    def returned(self, step: int) -> list[str]:
        """Return what the calls of a line of the first frame returned."""
        return self._returned.get(step, [])


class _Value(Struct, frozen=True):
    text: str
    objects: list[int]
    """Numbers of the objects that it holds, itself included."""


def _reasons(trace: Trace, lines: Lines, source: str) -> tuple[Event | None, list[str], str]:
    """Return the failing event of the first frame, sentences on its line's values, and `Failure.cell`."""
    moments = _Moments(trace, lines)
    failing: Event | None = None
    values: dict[str, _Value] = {}
    for event, state in states(trace):
        moments.note(event, state)
        if event.kind is EventKind.RAISE and event.frame == 0:
            failing, values = event, _values(state)
    if failing is None:
        return None, [], ""
    names = [name for name in part(trace.language, "names_read")(source, failing.line) if name in values]
    sentences = [moments.of(name, values[name]) for name in names]
    at = next((s for s, _ in _lines_of_first(trace) if s <= failing.step), 0)
    sentences += moments.returned(at)
    return failing, sentences[:_MOST_REASONS], f"v|0|{names[0]}" if names else ""


def _lines_of_first(trace: Trace) -> Iterator[tuple[int, int]]:
    """Yield step and line of each executed line of the first frame, the last one first."""
    events = trace.events
    for at in range(len(events.kind) - 1, -1, -1):
        if events.kind[at] == EventKind.LINE and events.frame[at] == 0:
            yield events.step[at], events.line[at]


def _values(state: State) -> dict[str, _Value]:
    """Return text and objects of each variable of the first frame."""
    first = next(frame for frame in state.frames if frame.number == 0)
    return {
        name: _Value(short(fitting_text(state, handle)), _objects_in(state, handle))
        for name, handle in first.bindings.items()
    }


def _objects_in(state: State, handle: int) -> list[int]:
    objects: dict[int, None] = {}
    waiting = [handle]
    while waiting and len(objects) < _MOST_OBJECTS:
        held = state.object(waiting.pop())
        if held is not None and held.number not in objects:
            objects[held.number] = None
            waiting += [*held.items, *held.entries.values(), *held.attributes.values()]
    return list(objects)


def _where(event: Event, lines: Lines) -> str:
    name = lines.names[lines.file(event.frame)]
    return f"{f'{name}, ' if name else ''}line {event.line}: {lines.line(event)}"


# ------------------------------------------------------------------ files


def write_failure(failure: Failure, folder: Path, name: str) -> Entry:
    """Write the page of a failed test, and return its row of the index."""
    folder.mkdir(parents=True, exist_ok=True)
    file = f"{_file_name(name)}.html"
    write_whole(folder / file, page_of(failure.view).encode("utf-8"))
    cell = f"&c={quote(failure.cell)}" if failure.cell else ""
    line = f"line {failure.line}: {failure.text}" if failure.line else ""
    return Entry(name, f"{file}#s={failure.step}{cell}", failure.outcome, line, failure.why)


def _file_name(name: str) -> str:
    """Return the name of a test as that of a file: letters, digits, "-" and "_"."""
    plain = re.sub(r"[^\w-]+", "-", name, flags=re.ASCII).strip("-")
    if len(plain) <= _FILE_LETTERS and plain == name.replace("/", "-").replace("::", "-").replace(".", "-"):
        return plain
    import hashlib

    return f"{plain[:_FILE_LETTERS]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


_INDEX = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark"><title>{{ title }}</title>
<style>:root{--bg:#f7f7f5;--panel:#fff;--ink:#1c2024;--line:#e2e4e7;--accent:#1d5bb8;--wrong:#b0400b}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--panel:#1a1e22;--ink:#e3e6e9;--line:#2a3036;
--accent:#82b1f5;--wrong:#f2925e}}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem;
background:var(--bg);color:var(--ink)}h1{font-size:1.2rem}p,ul{margin:.3rem 0}
ul{padding-left:1.2rem}a{color:var(--accent)}
code{font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
h2{font-size:1rem;margin:0;overflow-wrap:anywhere}.outcome code{color:var(--wrong)}
section{margin:.8rem 0;padding:.7rem 1rem;background:var(--panel);border:1px solid var(--line);
border-radius:9px}
</style></head>
<body><main><h1>{{ title }}</h1>
{% for entry in entries %}<section>
<h2>{% if entry.page %}<a href="{{ entry.page }}">{{ entry.name }}</a>
{% else %}{{ entry.name }}{% endif %}</h2>
<p class="outcome"><code>{{ entry.outcome }}</code></p>
{% if entry.line %}<p><code>{{ entry.line }}</code></p>{% endif %}
{% if entry.why %}<ul>
{% for reason in entry.why %}<li><code>{{ reason }}</code></li>
{% endfor %}</ul>{% endif %}
</section>
{% endfor %}</main></body></html>
"""


def write_index(entries: Sequence[Entry], folder: Path) -> None:
    """Write the index, and delete the pages of an earlier index that this one does not list."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "index.html"
    before = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    path.write_text(index_of(entries), encoding="utf-8")
    listed = {entry.page.partition("#")[0] for entry in entries}
    for page in set(re.findall(r'<h2><a href="([\w-]+\.html)#s=', before)) - listed:
        (folder / page).unlink(missing_ok=True)


def index_of(entries: Sequence[Entry]) -> str:
    """Return the page that lists the failed tests, with links to their pages."""
    n = len(entries)
    title = f"{n} failed {'test' if n == 1 else 'tests'}"
    environment = jinja2.Environment(autoescape=True, keep_trailing_newline=True)
    return environment.from_string(_INDEX).render(entries=entries, title=title)


def project_files(root: Path) -> Callable[[str], str | None]:
    """Return a function: a code's file -> its path below the project's folder; None for other code.

    Folders of installed packages and hidden folders do not belong to the project.
    """
    top = root.resolve()
    known: dict[str, str | None] = {}

    def file_of(filename: str) -> str | None:
        if filename not in known:
            known[filename] = None
            path = Path(filename) if filename[:1] != "<" else Path()
            if path.suffix == ".py" and path.is_absolute() and path.is_relative_to(top):
                below = path.relative_to(top)
                is_foreign = any(p[0] == "." or p in ("site-packages", "node_modules") for p in below.parts)
                known[filename] = None if is_foreign else below.as_posix()
        return known[filename]

    return file_of


def texts_of(trace: Trace, root: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each of the project's files in a trace."""
    for number in sorted({code.file for code in trace.codes} - {0}):
        name = trace.names[number]
        try:
            yield name, (root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
