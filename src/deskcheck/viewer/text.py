"""Write pieces of a run as text, for terminal and page: a source line, a value, the outcome.

    Sources(trace, source, {"text.py": ".."}).line(event) -> "total += 1"
    value_text(state, handle) -> "#3[1, #4{'a': 2}]"
    fitting_text(state, handle)     the same, with fewer levels if it is too long, then with fewer members:
                                    "#3[#4{…}, #5{…}]", "#3[1, 2, … 4,996 more …, 999, 1000]"
    outcome_lines(trace, sources)  -> "returned 8 after 11 steps"; an exception with the lines that it passed
    output_lines(output)           -> "it printed 3 bytes:", "| 29"
    hint_lines(trace, program)     -> "note: its standard input is empty; --stdin FILE gives it one"

`#3` names an object: two places with one number hold one object. `short` cuts a text that is still too long
in the middle. `fitting_text` writes no member that it leaves out, so a list of a million items costs as much
as a list of a hundred.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.machinery import PathFinder
from itertools import groupby
from pathlib import Path

from deskcheck.languages import offers, part
from deskcheck.records import (
    CompileFailure,
    Crashed,
    Event,
    EventKind,
    MemoryLimit,
    ObjectKind,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.given import NotInSource
from deskcheck.tracing.literal import NotPlain, int_text, scalar, set_order
from deskcheck.tracing.program import bundle_of, is_script
from deskcheck.tracing.replay import (
    HeapObject,
    State,
    events,
    final_heap,
    final_state,
    summary_of,
    text_of,
)


class Sources:
    """Lines of the program's files by their numbers, and the files' names."""

    def __init__(self, trace: Trace, source: str, files: Mapping[str, str]) -> None:
        self._trace = trace
        self._lines = {0: source.split("\n")}
        self.names = {0: ""}
        for code in trace.codes:
            if code.file not in self._lines:
                self.names[code.file] = trace.names[code.file]
                self._lines[code.file] = files.get(trace.names[code.file], "").split("\n")

    def file(self, frame: int) -> int:
        """Return the number of the file that holds the code of a frame."""
        return self._trace.codes[self._trace.frames.code[frame]].file

    def lines(self, event: Event) -> list[str]:
        """Return all lines of the event's file."""
        return self._lines[self.file(event.frame)]

    def line(self, event: Event) -> str:
        """Return the text of the event's line, without its indentation."""
        lines = self.lines(event)
        return lines[event.line - 1].strip() if 0 < event.line <= len(lines) else ""

    def indented(self, event: Event) -> str:
        """Return the text of the event's line, indented relative to the head of its function."""
        lines = self.lines(event)
        if not 0 < event.line <= len(lines):
            return ""
        header = self._trace.codes[self._trace.frames.code[event.frame]].first_line
        outer = _indentation(lines[header - 1]) if 0 < header <= len(lines) else 0
        text = lines[event.line - 1].expandtabs(4).rstrip()
        return text[min(outer, _indentation(text)) :]


def _indentation(text: str) -> int:
    text = text.expandtabs(4)
    return len(text) - len(text.lstrip())


_WIDTH = 160  # characters of a line
_END = 64  # characters of members at either end of a container that is too long
_LEVELS = 7  # of objects inside objects
_BRACKETS = {
    ObjectKind.LIST: "[]",
    ObjectKind.TUPLE: "()",
    ObjectKind.DICT: "{}",
    ObjectKind.SET: "{}",
    ObjectKind.FROZENSET: "{}",
    ObjectKind.ARRAY: "[]",
}
_PLAIN_NAMES = frozenset({"list", "tuple", "dict", "set", "Array", "Object"})
NAMED_ONLY = (ObjectKind.FUNCTION, ObjectKind.CLASS, ObjectKind.MODULE)


def value_text(state: State, handle: int) -> str:
    """Write the value with up to seven levels, however long the text is."""
    return _Writer(state, _LEVELS).value(handle, set(), 0)


def fitting_text(state: State, handle: int) -> str:
    """Write the value with as many levels as fit on a line, but at least one, and members that fit."""
    return _fitting(state, lambda writer: writer.value(handle, set(), 0))


def _fitting(state: State, write: Callable[[_Writer], str]) -> str:
    text = ""
    for levels in range(1, _LEVELS + 1):
        writer = _Writer(state, levels, is_short=True)
        deeper = write(writer)
        is_long = writer.has_left_out or len(deeper) > _WIDTH
        if text and is_long:
            break
        text = deeper
        if not writer.has_cut or is_long:
            break
    return text


def object_text(state: State, number: int) -> str:
    """Write an object with as many levels as fit on a line, but at least one."""
    return _fitting(state, lambda writer: writer.object(state.numbered(number), set(), 0))


_UNSET = (ValueKind.UNASSIGNED, ValueKind.UNINITIALIZED, ValueKind.HOLE)


def scalar_text(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar as the program's language writes it; None if it is written as in Python."""
    kind = ValueKind(trace.values.kind[handle])
    if kind in _UNSET:
        return f"<{kind.name.lower()}>"
    if trace.language == "python" or not offers(trace.language, "literal"):
        return None
    try:
        text: str = part(trace.language, "literal")(trace, None, handle)  # no object, so no state is needed
    except NotPlain:
        return None
    return text


def short(text: str) -> str:
    """Return the text, cut in the middle if it has more than 160 characters."""
    if len(text) <= _WIDTH:
        return text
    half = _WIDTH // 2
    return f"{text[:half]} … {len(text) - 2 * half} characters … {text[-half:]}"


class _Writer:
    """Writer of values down to a number of levels; `has_cut` is true if deeper levels were left out.

    `is_short`: leave out members in the middle of a container that is too long; `has_left_out` tells it.
    """

    def __init__(self, state: State, levels: int, *, is_short: bool = False) -> None:
        self._state = state
        self._levels = levels
        self._is_short = is_short
        self.has_cut = False
        self.has_left_out = False

    def value(self, handle: int, above: set[int], depth: int) -> str:
        trace = self._state.trace
        kind = ValueKind(trace.values.kind[handle])
        if kind is ValueKind.REF:
            found = self._state.object(handle)
            assert found is not None
            return self.object(found, above, depth)
        if kind is ValueKind.TRUNCATED:
            what = trace.values.data[handle].decode("utf-8", "replace")
            type_name = trace.names[trace.values.type[handle]]
            return f"<{type_name}, {trace.values.number[handle]} {what}, not recorded>"
        if kind is ValueKind.OPAQUE:
            return trace.values.data[handle].decode("utf-8", "replace")
        if (written := scalar_text(trace, handle)) is not None:
            return written
        value = scalar(trace, handle)
        return int_text(value) if type(value) is int else repr(value)

    def object(self, heap_object: HeapObject, above: set[int], depth: int) -> str:
        """Write the object with its number, down to the last level."""
        label = f"#{heap_object.number}"
        if summary := summary_of(self._state.trace, heap_object):
            return (
                f"{label}{summary}"
                if heap_object.entries and heap_object.kind is ObjectKind.OPAQUE
                else summary
            )
        if heap_object.kind in (*NAMED_ONLY, ObjectKind.OPAQUE):
            return f"<{heap_object.kind.name.lower()} {heap_object.text or heap_object.type}>"
        if heap_object.number in above:
            return label
        below = above | {heap_object.number}
        is_cut = depth >= self._levels and bool(heap_object.items or heap_object.entries)
        self.has_cut = self.has_cut or is_cut

        def inner(handle: int) -> str:
            return self.value(handle, below, depth + 1)

        if heap_object.kind is ObjectKind.GENERATOR:
            return f"{label}<generator {heap_object.text}>"
        if heap_object.type.endswith("_lru_cache_wrapper"):
            named = {self._name(key): handle for key, handle in heap_object.entries.items()}
            name = self._name(named["__qualname__"]) if "__qualname__" in named else "?"
            return f"{label}<cached function {name}>"
        if heap_object.kind in _BRACKETS:
            return self._container(heap_object, label, inner, is_cut=is_cut)
        if is_cut:
            return f"{label}{heap_object.type}(…)"
        fields = self._listed(
            list(heap_object.entries), lambda key: f"{self._name(key)}={inner(heap_object.entries[key])}"
        )
        fields = [*map(inner, heap_object.items), *fields]  # the value of an instance of int, a string of C
        return f"{label}{heap_object.type}({', '.join(fields)})"

    def _listed(self, members: Sequence[int], write: Callable[[int], str]) -> list[str]:
        """Write the members; if they do not fit on a line and the text is to be short, only both ends."""
        written: list[str] = []
        length, rest = 0, iter(members)
        while not self._is_short or length <= _WIDTH:
            member = next(rest, None)
            if member is None:
                return written
            written.append(write(member))
            length += len(written[-1]) + 2
        head, tail = _begin(written), _begin(write(member) for member in reversed(members))[::-1]
        n_left = len(members) - len(head) - len(tail)
        if n_left <= 0:  # few members, each of them long
            return [*written, *map(write, members[len(written) :])]
        self.has_left_out = True
        return [*head, f"… {n_left:,} more …", *tail]

    def _name(self, key: int) -> str:
        return text_of(self._state.trace, key)

    def _container(
        self, heap_object: HeapObject, label: str, inner: Callable[[int], str], *, is_cut: bool
    ) -> str:
        opening, closing = tuple(_BRACKETS[heap_object.kind])
        is_set = heap_object.kind in (ObjectKind.SET, ObjectKind.FROZENSET)
        if is_set and not heap_object.entries:
            return f"{label}{heap_object.type}()"
        if is_cut:
            items = ["…"]
        elif heap_object.kind is ObjectKind.DICT:
            items = self._listed(
                list(heap_object.entries), lambda key: f"{inner(key)}: {inner(heap_object.entries[key])}"
            )
        elif is_set:
            order = set_order(self._state.trace, self._state, list(heap_object.entries))
            items = self._listed(order, inner)
        else:
            items = self._listed(heap_object.items, inner)
        if heap_object.kind is ObjectKind.TUPLE and heap_object.type == "tuple":
            return f"({items[0]},)" if len(items) == 1 and not is_cut else f"({', '.join(items)})"
        name = "" if heap_object.type in _PLAIN_NAMES else heap_object.type
        return f"{label}{name}{opening}{', '.join(items)}{closing}"


def _begin(texts: Iterable[str]) -> list[str]:
    """Return the first texts that have `_END` characters together; of a longer first one its beginning."""
    shortened: list[str] = []
    left = _END
    for text in texts:
        left -= len(text) + 2
        if shortened and left < 0:
            break
        shortened.append(text if len(text) <= _END else f"{text[: _END - 1]}…")
    return shortened


_OUTPUT_HEAD, _OUTPUT_TAIL = 40, 20  # lines shown of a long output
_OUTPUT_WIDTH = 400  # characters shown of a line
# Rule of the sandbox -> what the program did. In `Refused.rule`, ":" and the system call follow it.
_RULES = {
    "write": "it tried to create or change a file",
    "network": "it tried to use the network",
    "process": "it tried to start another process",
    "signal": "it tried to signal a process",
    "inspect": "it tried to look into another process",
    "limits": "it tried to change its limits",
    "folder": "it tried to change its folder",
    "system-call": "it made a system call that no Python program needs",
}


def outcome_lines(trace: Trace, sources: Sources) -> Iterator[str]:
    """Yield the outcome in words; for an exception also the lines that it passed and its causes."""
    outcome = trace.outcome
    if isinstance(outcome, Returned):
        value = fitting_text(final_heap(trace), outcome.value)
        yield f"returned {short(value)} after {_steps(trace)}"
    elif isinstance(outcome, Raised):
        yield from _raised_lines(trace, outcome, sources)
    elif isinstance(outcome, StepLimit):
        yield f"stopped at the limit of {outcome.limit} steps; --max-steps changes it"
    elif isinstance(outcome, TimeLimit):
        yield f"stopped by the clock after {outcome.limit_s:g} s, nothing recorded; --time-limit changes it"
    elif isinstance(outcome, OutputLimit):
        yield f"stopped: its {outcome.what} grew beyond {_size(outcome.limit_bytes)}{_recorded(trace)}"
    elif isinstance(outcome, MemoryLimit):
        given = _size(outcome.limit_bytes)
        yield f"stopped: it needed more than the {given} of memory it was given{_recorded(trace)}"
    elif isinstance(outcome, Crashed):
        yield f"its process died ({outcome.cause}); what was recorded died with it"
    elif isinstance(outcome, CompileFailure):
        where = f", line {outcome.line}" if outcome.line else ""
        yield f"does not compile{where}: {outcome.message}"
    elif isinstance(outcome, Refused):
        yield f"refused: {outcome.rule}"
        yield from _refused_lines(outcome)
    else:
        cause, _, text = outcome.check.partition(": ")
        if cause != NotInSource.__name__:
            text = f"its result failed a check of ours ({outcome.check})"
        yield f"not accepted: {text}"


def _steps(trace: Trace) -> str:
    return "1 step" if trace.n_steps == 1 else f"{trace.n_steps} steps"


def _size(n_bytes: int) -> str:
    return f"{n_bytes >> 20} MB" if n_bytes % (1 << 20) == 0 else f"{n_bytes} bytes"


def _recorded(trace: Trace) -> str:
    return "" if trace.n_steps else "; nothing was recorded"


def _refused_lines(outcome: Refused) -> Iterator[str]:
    """Yield notes on the operation that a rule of the sandbox refused, and the command that allows it."""
    rule, _, call = outcome.rule.partition(",")[0].partition(":")
    if rule in _RULES:
        made = f" ({call})" if call else ""
        yield f"note: {_RULES[rule]}{made}; the sandbox refuses that, so the run is discarded"
        yield "note: to run a program that you trust with your files and network: deskcheck trace --trust .."


def _raised_lines(trace: Trace, outcome: Raised, sources: Sources) -> Iterator[str]:
    """Yield the exception, the lines that it passed (innermost last), and its causes."""
    steps = f"after {_steps(trace)}"
    if outcome.type == "SystemExit":
        yield f"exited with {outcome.message or 'no code'} {steps}"
        return
    message = f": {outcome.message}" if outcome.message else ""
    yield f"raised {outcome.type}{short(message)} {steps}"
    passed = [_passed_line(trace, event, sources) for event in reversed(_passed(trace, outcome.value))]
    for line, same in groupby(passed):  # endless recursion is shortened as in Python's traceback
        n_same = len(list(same))
        yield from [line] * min(n_same, 3)
        if n_same > 3:
            yield f"  [the line above {n_same - 3} more times]"
    if outcome.value >= 0:
        yield from _causes(trace, outcome.value)


def _passed_line(trace: Trace, event: Event, sources: Sources) -> str:
    name = trace.codes[trace.frames.code[event.frame]].name
    where = sources.names[sources.file(event.frame)]
    at = f"{where}, line {event.line}" if where else f"line {event.line}"
    return short(f"  {at} in {name}: {sources.line(event)}")


def _passed(trace: Trace, handle: int) -> list[Event]:
    """Return the last RAISE event of the run's final exception in each frame, innermost frame first."""
    by_frame: dict[int, Event] = {}
    for event in events(trace):
        if event.kind is EventKind.RAISE and event.value == handle:
            by_frame.pop(event.frame, None)
            by_frame[event.frame] = event
    return list(by_frame.values())


def _causes(trace: Trace, handle: int) -> Iterator[str]:
    state = final_state(trace)
    seen: set[int] = set()
    cause_object = state.object(handle)
    while cause_object is not None and cause_object.number not in seen:
        seen.add(cause_object.number)
        named = {text_of(trace, key): value for key, value in cause_object.entries.items()}
        cause = named.get("__cause__", named.get("__context__", -1))
        if cause < 0 or trace.values.kind[cause] != ValueKind.REF:
            return
        how = "caused by" if "__cause__" in named else "while handling"
        cause_object = state.object(cause)
        assert cause_object is not None
        yield short(f"{how} {_exception_text(state, cause_object)}")


def _exception_text(state: State, heap_object: HeapObject) -> str:
    """Write type and arguments of an exception, like the last line of a traceback."""
    for key, value in heap_object.entries.items():
        arguments = state.object(value) if text_of(state.trace, key) == "args" else None
        if arguments is not None and arguments.items:
            return (
                f"{heap_object.type}: {', '.join(fitting_text(state, handle) for handle in arguments.items)}"
            )
    return heap_object.type


def output_lines(output: bytes, *, whole: bool = False) -> Iterator[str]:
    """Yield the program's output as lines of text; long output is cut in the middle unless `whole`."""
    if not output:
        return
    yield f"it printed {len(output)} bytes:"
    lines = output.decode("utf-8", "replace").removesuffix("\n").split("\n")
    if whole:
        yield from (f"| {line}" for line in lines)
        return
    n_hidden = len(lines) - _OUTPUT_HEAD - _OUTPUT_TAIL
    if n_hidden <= 1:
        yield from (f"| {_cut(line)}" for line in lines)
        return
    yield from (f"| {_cut(line)}" for line in lines[:_OUTPUT_HEAD])
    yield f"  ... {n_hidden} lines not shown; --all shows them ..."
    yield from (f"| {_cut(line)}" for line in lines[-_OUTPUT_TAIL:])


def _cut(line: str) -> str:
    if len(line) <= _OUTPUT_WIDTH:
        return line
    return f"{line[:_OUTPUT_WIDTH]} … {len(line) - _OUTPUT_WIDTH} more characters"


# ------------------------------------------------------------------ what to do next

_INSTALLED = re.compile(
    r"import runpy\nrunpy\.run_module\('([\w.]+)', run_name='__main__', alter_sys=True\)\n"
)
"""Program of `trace --trust -m NAME`, where NAME is an installed module."""
_TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test)\.py$")


def module_run_by(program: Program) -> str:
    """Return the name of the installed module that a program of `trace -m` runs; "" for other programs."""
    match = _INSTALLED.fullmatch(program.source)
    return match[1] if match else ""


def hint_lines(trace: Trace, program: Program, *, is_trusted: bool = False) -> Iterator[str]:
    """Yield advice on a run that failed, or that did nothing: an option, or a library to install."""
    outcome, bundle = trace.outcome, bundle_of(program)
    if isinstance(outcome, Raised):
        missing = re.match(r"No module named '(\w+)", outcome.message)
        if missing and PathFinder.find_spec(missing[1]) is None:
            from deskcheck.environments import elsewhere

            advice = elsewhere(missing[1], Path.cwd())
            yield "note: " + (
                advice
                or f"there is no file {missing[1]}.py beside the program (--file PATH gives it one from "
                f"elsewhere), and no library '{missing[1]}' in deskcheck's Python: to install one, "
                f"{sys.executable} -m pip install {missing[1]}"
            )
        if outcome.type == "EOFError" and not (bundle and bundle.stdin):
            yield "note: its standard input is empty; pipe something into this command, or use --stdin FILE"
        if outcome.type == "ImportError" and "no known parent package" in outcome.message:
            yield "note: a file with relative imports runs as a module: deskcheck trace -m PACKAGE.MODULE"
    is_missing = isinstance(outcome, Raised) and outcome.type == "FileNotFoundError"
    asks = "files" in trace.determinism.reads and not (bundle and bundle.data)
    if (is_missing or asks) and not is_trusted:
        yield (
            "note: the program is given the files that its imports name; --file PATH gives it one more, "
            "--trust all of yours"
        )
    if module_run_by(program) == "pytest" and not any(
        _TEST_FILE.search(trace.names[code.file]) for code in trace.codes
    ):
        yield (
            "note: pytest compiles test files itself, so they are single steps: -- --assert=plain steps into "
            "them, and pytest --deskcheck-on-failure DIR writes a page for each failed test"
        )
    if why := idle_text(trace, program):
        yield f"note: {why}"


def idle_text(trace: Trace, program: Program) -> str:
    """Explain why a script did nothing that can be shown, with advice; "" if it did something."""
    if program.language == "python" and is_script(program) and trace.n_steps and not _does_more(trace):
        return _idle_text(program.source, program.language)
    return ""


def _idle_text(source: str, language: str) -> str:
    """Describe the content of a script that does nothing, with advice."""
    if not source.strip():
        return "the file is empty: there is nothing to run"
    contents: frozenset[str] = part(language, "contents")(source)
    if not contents:
        return "the file holds comments alone: there is nothing to run"
    if "definition" in contents:
        return "the file only defines things; --call 'f(3)' traces a call"
    if contents == {"import"}:
        return "the file only imports; code of other files is one step"
    return "no statement of the file changes a variable or calls a function of its own"


def _does_more(trace: Trace) -> bool:
    """Whether a script calls a function of the program, binds a variable to data, or does not return."""
    made = {trace.codes[code].kind for code in trace.frames.code}
    if made - {"module", "class"} or not isinstance(trace.outcome, Returned):
        return True
    state = final_state(trace)
    for name, handle in state.globals.items():
        heap_object = state.object(handle)
        if name[:2] != "__" and (heap_object is None or heap_object.kind not in NAMED_ONLY):
            return True
    return False
