"""Short ways to ask a trace: traced("def f(): ...") and what each event's state says, as text."""

from __future__ import annotations

from deskcheck.records import Granularity, Limits, Program, Trace, ValueKind
from deskcheck.tracing import run
from deskcheck.tracing.literal import scalar
from deskcheck.tracing.program import SCRIPT, Bundle, make_program, prelude_of
from deskcheck.tracing.reference import trace_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.replay import State, states
from deskcheck.tracing.source_facts import table_of
from deskcheck.viewer.text import value_text

DEFAULT = Limits()


def traced(
    source: str,
    call: str = "f()",
    limits: Limits = DEFAULT,
    *,
    native: bool | None = None,
    tracer: str = "reference",
    granularity: Granularity = Granularity.LINE,
) -> Trace:
    """`native=False`: the reference tracer without the C extension; `tracer="native"`: the core in C."""
    entry, _, arguments = call.partition("(")
    program = make_program(source, entry, arguments[:-1], origin="test")
    if tracer == "reference":
        return trace_program(program, limits, native=native)
    return run.trace_program(program, limits, granularity=granularity, tracer=tracer)


def script(
    source: str,
    *arguments: str,
    files: dict[str, str] | None = None,
    limits: Limits | None = None,
    **more: object,
) -> Trace:
    """The checked trace of a program that runs as a script."""
    bundle = Bundle(path="run.py", name="run", files=files or {}, **more)  # type: ignore[arg-type]
    words = ", ".join(map(repr, arguments))
    return checked(make_program(source, SCRIPT, words, origin="test", prelude=prelude_of(bundle)), limits)


def called(source: str, call: str, files: dict[str, str], **more: object) -> Trace:
    """The checked trace of a call into a program of several files."""
    bundle = Bundle(path="run.py", name="run", files=files, **more)  # type: ignore[arg-type]
    entry, _, arguments = call.partition("(")
    return checked(make_program(source, entry, arguments[:-1], origin="test", prelude=prelude_of(bundle)))


def checked(program: Program, limits: Limits | None = None) -> Trace:
    """The reference tracer's trace, as the parent of a sandbox checks it."""
    limits = limits or Limits()
    trace = trace_program(program, limits)
    check(trace, program, limits, table_of(program))
    return trace


def names(state: State, file: str) -> dict[str, str]:
    """Module-level names of one of the program's files."""
    number = state.trace.names.index(file) if file else 0
    return {name: value_text(state, handle) for name, handle in state.modules.get(number, {}).items()}


class Moment:
    """One event with its state in text: bindings of the running frame, of all frames, module names."""

    def __init__(self, state: State, kind: str, line: int, frame: int, value: str) -> None:
        self.kind = kind
        self.line = line
        self.frame = frame
        self.value = value
        self.names = {name: value_text(state, handle) for name, handle in state.top.bindings.items()}
        self.frames = [
            {name: value_text(state, handle) for name, handle in one.bindings.items()} for one in state.frames
        ]
        self.module = {name: value_text(state, handle) for name, handle in state.globals.items()}
        self.iterators = [value_text(state, handle) for handle in state.top.iterators]


def moments(trace: Trace) -> list[Moment]:
    found = []
    for event, state in states(trace):
        value = value_text(state, event.value) if event.value >= 0 else ""
        found.append(Moment(state, event.kind.name, event.line, event.frame, value))
    return found


def at_line(trace: Trace, line: int) -> list[Moment]:
    """The moments before the line runs."""
    return [m for m in moments(trace) if m.kind == "LINE" and m.line == line]


def numbers(text: str) -> list[str]:
    """Object numbers in a text, in order."""
    import re

    return re.findall(r"#(\d+)", text)


def result(trace: Trace) -> object:
    """The returned scalar."""
    handle = trace.outcome.value  # type: ignore[union-attr]
    assert trace.values.kind[handle] != ValueKind.REF
    return scalar(trace, handle)
